"""Real drawing process: kept, failing, dying, hanging and replaced."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.pictures import process as module
from bot.pictures.hand.scene import HandCard
from bot.pictures.process import Drawing, Pictures
from tests.bot.pictures.hands import hand
from tests.bot.pictures.painters import DOT
from tests.bot.pictures.samples import LORDS, NANJING
from tests.bot.pictures.scenes import sample

SECRET = "Ada"
PNG = b"\x89PNG"
ROOT = Path(__file__).parents[3]


def python(code: str, before: str = "") -> tuple[str, ...]:
    """Return the command of a process that answers each message `asked` with this code."""
    lines = (
        "import os, sys, time",
        "def answer(content): sys.stdout.buffer.write(len(content).to_bytes(4) + content)",
        before or "pass",
        "while head := sys.stdin.buffer.read(4):",
        "    asked = sys.stdin.buffer.read(int.from_bytes(head))",
        *(f"    {line}" for line in code.splitlines()),
        "    sys.stdout.buffer.flush()",
    )
    return sys.executable, "-c", "\n".join(lines)


DRAWS = f"answer(b'+' + bytes.fromhex('{DOT.hex()}'))"


def writes_number(file: Path) -> str:
    return f"open({str(file)!r}, 'a').write(str(os.getpid()) + ' ')"


def until(file: Path) -> str:
    """Return code that waits until a file exists."""
    return f"while not os.path.exists({str(file)!r}): time.sleep(0.02)"


@asynccontextmanager
async def painter(**given: Any) -> AsyncIterator[Pictures]:
    """Yield a painter patient enough for slow machines; close it at the end."""
    pictures = Pictures(**{"patience": 3600.0} | given)
    try:
        yield pictures
    finally:
        await pictures.close()


def numbers(file: Path) -> list[int]:
    """Return the numbers of the processes started so far."""
    return [int(number) for number in file.read_text("ascii").split()] if file.exists() else []


async def happens(what: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    while not what():
        await asyncio.sleep(0.02)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_one_process_draws_tables_and_charts(caplog: pytest.LogCaptureFixture) -> None:
    """A drawing that fails is logged by kind and place and costs no process."""
    impossible = LORDS.model_copy(update={"lines": ()})
    async with painter() as pictures:
        drawings: list[Drawing] = [sample("trick-4"), NANJING, LORDS, sample("trick-12")]
        drawn = await asyncio.gather(*map(pictures.draw, drawings))
        assert all(picture is not None and picture.startswith(PNG) for picture in drawn)
        assert len(set(drawn)) == len(drawn)
        process = pictures._process  # noqa: SLF001
        assert await pictures.draw(impossible) is None
        assert "ValidationError in " in caplog.text
        assert len(caplog.records) == 1
        assert await pictures.draw(sample("lead-4")) is not None
        assert pictures._process is process  # noqa: SLF001


async def test_failed_hand_leaves_no_card_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    shown = hand("turn-4")
    unknown = HandCard(card="S8X")
    hands = shown.hands[0].model_copy(update={"cards": (*shown.hands[0].cards, unknown)})
    async with painter() as pictures:
        assert await pictures.draw(shown.model_copy(update={"hands": (hands,)})) is None
        assert await pictures.draw(shown) is not None
    assert len(caplog.records) == 1
    assert "Error in " in caplog.text
    assert "S8" not in caplog.text
    assert "Cleo" not in caplog.text


async def test_process_is_reused_and_ends_with_the_painter(tmp_path: Path) -> None:
    file = tmp_path / "numbers"
    async with painter(command=python(DRAWS, writes_number(file))) as pictures:
        assert numbers(file) == []
        assert [await pictures.draw(NANJING) for _ in range(3)] == [DOT] * 3
        (process,) = numbers(file)
        assert alive(process)
    assert not alive(process)
    assert await pictures.draw(NANJING) is None


def test_process_ends_with_its_parent() -> None:
    command = (sys.executable, "-m", "bot.pictures")
    done = subprocess.run(command, cwd=ROOT, input=b"", stdout=subprocess.PIPE, check=True)
    assert done.stdout == b""


@pytest.mark.parametrize(
    "code, reason",
    [
        ("sys.exit(3)", "status 3"),
        ("answer(b'-no')", "no"),
        ("answer(b'')", "invalid response"),
        ("sys.stdout.buffer.write(b'\\xff' * 8)", "invalid response"),
        ("answer(b'-' + asked[:0] + b'x' * 10**6)", "xxx"),
        ("os.kill(os.getpid(), 9)", "status -9"),
        ("os.close(1); time.sleep(10**6)", "status -9"),
    ],
)
async def test_failure_is_logged_in_one_line(
    caplog: pytest.LogCaptureFixture, code: str, reason: str
) -> None:
    async with painter(command=python(code)) as pictures:
        assert await pictures.draw(NANJING) is None
    (record,) = caplog.records
    assert (record.levelname, reason in record.getMessage()) == ("WARNING", True)
    assert SECRET not in record.getMessage()
    assert len(record.getMessage()) < 300


async def test_missing_program_means_no_pictures(caplog: pytest.LogCaptureFixture) -> None:
    async with painter(command=("/nowhere/python",)) as pictures:
        assert await pictures.draw(NANJING) is None
    assert "no process" in caplog.text


async def test_replaces_a_killed_process(tmp_path: Path) -> None:
    file = tmp_path / "numbers"
    async with painter(command=python(DRAWS, writes_number(file))) as pictures:
        assert await pictures.draw(NANJING) == DOT
        os.kill(numbers(file)[0], 9)  # no matter whether the painter has noticed it
        assert await pictures.draw(NANJING) == DOT
        first, second = numbers(file)
    assert not alive(first)
    assert not alive(second)


async def test_restarts_failing_processes_with_growing_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "numbers"
    monkeypatch.setattr(module, "FIRST_PAUSE_SECONDS", 3600.0)
    async with painter(command=python("sys.exit(1)", writes_number(file))) as pictures:
        assert [await pictures.draw(NANJING) for _ in range(5)] == [None] * 5
        assert len(numbers(file)) == 2


async def test_kills_a_hanging_process(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "numbers"
    command = python("time.sleep(10**6)", writes_number(file))
    async with painter(command=command, patience=0.3) as pictures:
        assert await pictures.draw(NANJING) is None
        assert "more than 0.3 s" in caplog.text
    assert not any(map(alive, numbers(file)))


async def test_tables_and_hands_precede_charts_and_the_queue_is_short(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go, order = tmp_path / "go", tmp_path / "order"
    kind = "asked[9:14].decode().strip(chr(34))"
    code = f"{until(go)}\nopen({str(order)!r}, 'a').write({kind} + ' ')\n{DRAWS}"
    async with painter(command=python(code), most=3) as pictures:
        asked = []
        for drawing in (NANJING, NANJING, sample("trick-4"), hand("turn-4")):
            asked.append(asyncio.create_task(pictures.draw(drawing)))
            await asyncio.sleep(0)
        assert await pictures.draw(NANJING) is None
        assert "too many are queued" in caplog.text
        go.touch()
        assert await asyncio.gather(*asked) == [DOT] * 4
        assert await pictures.draw(NANJING) == DOT
    assert order.read_text("ascii").split() == ["score", "table", "hand", "score", "score"]


async def test_charts_do_not_displace_tables(tmp_path: Path) -> None:
    go = tmp_path / "go"
    async with painter(command=python(f"{until(go)}\n{DRAWS}"), most=8) as pictures:
        asked = []

        async def draws(drawing: Drawing) -> bool:
            """Return whether the drawing is queued and not refused at once."""
            task = asyncio.create_task(pictures.draw(drawing))
            await asyncio.sleep(0)
            asked.append(task)
            return not task.done()

        assert [await draws(NANJING) for _ in range(4)] == [True, True, True, False]
        table = sample("trick-4")
        assert [await draws(table) for _ in range(7)] == [True] * 6 + [False]
        go.touch()
        drawn = await asyncio.gather(*asked)
        assert (drawn.count(DOT), drawn.count(None)) == (9, 2)


async def test_cancelled_request_leaves_the_queue(tmp_path: Path) -> None:
    go, file = tmp_path / "go", tmp_path / "numbers"
    command = python(f"{until(go)}\n{DRAWS}", writes_number(file))
    async with painter(command=command, most=1) as pictures:
        first, second = (asyncio.create_task(pictures.draw(NANJING)) for _ in range(2))
        await happens(lambda: numbers(file))
        first.cancel()
        second.cancel()
        await asyncio.wait([first, second])
        third = asyncio.create_task(pictures.draw(LORDS))
        go.touch()
        assert await third == DOT
        assert len(numbers(file)) == 1


async def test_request_cancelled_at_its_turn_does_not_stop_others(tmp_path: Path) -> None:
    go, file = tmp_path / "go", tmp_path / "numbers"
    command = python(f"{until(go)}\n{DRAWS}", writes_number(file))
    async with painter(command=command) as pictures:
        first, second, third = (asyncio.create_task(pictures.draw(NANJING)) for _ in range(3))
        await happens(lambda: numbers(file))
        first.add_done_callback(lambda _: second.cancel())
        go.touch()
        assert [await first, await third] == [DOT, DOT]
        await asyncio.wait([second])
        assert await pictures.draw(NANJING) == DOT


async def test_closing_ends_running_and_queued_drawings(tmp_path: Path) -> None:
    file = tmp_path / "numbers"
    command = python("time.sleep(10**6)", writes_number(file))
    async with painter(command=command) as pictures:
        both = [asyncio.create_task(pictures.draw(NANJING)) for _ in range(2)]
        await happens(lambda: numbers(file))
    assert await asyncio.gather(*both) == [None, None]
    assert len(numbers(file)) == 1
    assert not alive(numbers(file)[0])
