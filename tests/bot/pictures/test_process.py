"""Drawing in processes, real ones: they draw, fail, hang and are given up, and nothing else."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.pictures.process import Pictures
from tests.bot.pictures.painters import DOT
from tests.bot.pictures.samples import LORDS, NANJING

SECRET = "Ada"


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", f"import os, sys, time; {code}"


DRAWS = f"sys.stdin.read(); sys.stdout.buffer.write(bytes.fromhex('{DOT.hex()}'))"


def writes_number(file: Path) -> str:
    return f"open({str(file)!r}, 'a').write(str(os.getpid()) + ' ')"


def patient(folder: Path, **given: Any) -> Pictures:
    """A painter that waits for its processes on the slowest machine."""
    return Pictures(folder, patience=3600.0, **given)


async def numbers(file: Path, count: int = 1) -> list[int]:
    """The processes that were started so far, at least so many."""
    while not file.exists() or len(file.read_text("ascii").split()) < count:
        await asyncio.sleep(0.02)
    return [int(number) for number in file.read_text("ascii").split()]


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_draws_and_keeps_what_it_found_in_its_folder(tmp_path: Path) -> None:
    pictures = patient(tmp_path / "drawing")
    both = await asyncio.gather(pictures.draw(NANJING), pictures.draw(LORDS))
    assert all(picture is not None and picture.startswith(b"\x89PNG") for picture in both)
    assert both[0] != both[1]
    assert list((tmp_path / "drawing").iterdir()) != []


async def test_a_folder_or_home_that_cannot_be_used_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file" / "home"))
    picture = await patient(tmp_path / "file" / "drawing").draw(NANJING)
    assert picture is not None


async def test_a_process_draws_after_clicks_with_one_thread(tmp_path: Path) -> None:
    told = tmp_path / "told"
    code = f"open({str(told)!r}, 'w').write(os.environ['OMP_NUM_THREADS']); {DRAWS}"
    assert await patient(tmp_path, command=python(code)).draw(NANJING) == DOT
    assert told.read_text("ascii") == "1"


@pytest.mark.parametrize(
    "code, reason",
    [
        ("sys.exit(3)", "status 3"),
        ("print('no', file=sys.stderr); sys.exit(1)", "status 1, no"),
        ("print('not a picture')", "status 0"),
        ("os.kill(os.getpid(), 9)", "status -9"),
        (f"print(sys.stdin.read()); sys.stderr.write('x' * 10**6); {DRAWS}", "status 0"),
    ],
)
async def test_whatever_fails_is_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, code: str, reason: str
) -> None:
    assert await patient(tmp_path, command=python(code)).draw(NANJING) is None
    (record,) = caplog.records
    assert (record.levelname, reason in record.getMessage()) == ("WARNING", True)
    assert SECRET not in record.getMessage()
    assert len(record.getMessage()) < 300


async def test_what_cannot_be_drawn_is_told_by_kind_and_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    impossible = LORDS.model_copy(update={"lines": ()})
    assert await patient(tmp_path).draw(impossible) is None
    assert "status 1, ValidationError in " in caplog.text
    assert len(caplog.records) == 1


async def test_a_program_that_is_not_there_is_no_obstacle(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert await patient(tmp_path, command=("/nowhere/python",)).draw(NANJING) is None
    assert "no process" in caplog.text


async def test_a_process_that_hangs_is_ended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*command: Any, **given: Any) -> asyncio.subprocess.Process:
        started.append(await start(*command, **given))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    pictures = Pictures(tmp_path, command=python("time.sleep(10**6)"), patience=0.1)
    assert await pictures.draw(NANJING) is None
    assert "more than 0.1 s" in caplog.text
    (process,) = started
    assert process.returncode is not None


async def test_a_picture_that_nobody_waits_for_any_more_ends(tmp_path: Path) -> None:
    file = tmp_path / "numbers"
    pictures = patient(tmp_path, command=python(f"{writes_number(file)}; time.sleep(10**6)"))
    drawing = asyncio.create_task(pictures.draw(NANJING))
    (process,) = await numbers(file)
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing
    assert not alive(process)


async def test_one_process_at_a_time_and_few_who_wait(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, go = tmp_path / "numbers", tmp_path / "go"
    until = f"\nwhile not os.path.exists({str(go)!r}): time.sleep(0.02)\n"
    command = python(f"{writes_number(file)}{until}{DRAWS}")
    pictures = patient(tmp_path, command=command, most=2)
    asked = [asyncio.create_task(pictures.draw(NANJING)) for _ in range(3)]
    await numbers(file)
    assert await pictures.draw(NANJING) is None
    assert "2 others wait" in caplog.text
    assert len(await numbers(file)) == 1
    go.touch()
    assert await asyncio.gather(*asked) == [DOT] * 3
    assert len(await numbers(file)) == 3
    assert await pictures.draw(NANJING) == DOT


async def test_who_gives_up_waiting_leaves_his_place_to_others(tmp_path: Path) -> None:
    go = tmp_path / "go"
    until = f"\nwhile not os.path.exists({str(go)!r}): time.sleep(0.02)\n"
    pictures = patient(tmp_path, command=python(f"pass{until}{DRAWS}"), most=1)
    first, second = (asyncio.create_task(pictures.draw(NANJING)) for _ in range(2))
    await asyncio.sleep(0.05)
    second.cancel()
    await asyncio.wait([second])
    third = asyncio.create_task(pictures.draw(LORDS))
    go.touch()
    assert [await first, await third] == [DOT, DOT]
