"""`python -m bot import-log`: its output for logs and JSON, and its exit status."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli import import_log
from bot.formats.json_rounds import write_document
from tests.bot.formats.test_files import a_game
from tests.bot.formats.test_peculiar_logs import fitting, log


def told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | bytes
) -> tuple[int, str, list[str]]:
    """Return the exit status for a file, the verdict without its name, and the lines below."""
    file = tmp_path / "file"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    status = main(["import-log", str(file)])
    verdict, *lines = capsys.readouterr().out.rstrip("\n").split("\n")
    assert verdict.startswith(f"{file}: ")
    return status, verdict.removeprefix(f"{file}: "), lines


def test_prints_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, broken, bad, none = (tmp_path / name for name in ("good", "broken", "bad", "none"))
    text = log(fitting()[0], fitting()[1])
    good.write_text(text, "utf-8")
    broken.write_text("\n".join(text.split("\n")[:-3]), "utf-8")
    bad.write_text(re.sub("Ergebnis: .*", "Ergebnis: 7 - 3", text, count=1), "utf-8")
    assert main(["import-log", str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: 2 rounds, no disagreement\n"
    assert main(["import-log", str(broken), str(good)]) == 0
    assert "2 rounds, the last one broken off, no disagreement" in capsys.readouterr().out
    assert main(["import-log", str(good), str(bad)]) == 1
    lines = capsys.readouterr().out.split("\n")
    number = len(log(fitting()[0]).split("\n")) - 1
    assert lines[1] == f"{bad}: 2 rounds, 1 of them good"
    assert lines[2] == f"  disagreement in line {number}"
    assert lines[3] == "    the log: Ergebnis: 7 - 3"
    assert lines[4].startswith("    the engine: The result is ")
    assert main(["import-log", str(bad), str(none), str(good)]) == 2
    assert f"{none}: cannot be read" in capsys.readouterr().out


def test_names_the_broken_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = log(fitting()[0]).split("\n")
    play = next(place for place, line in enumerate(lines) if "Rundenverlauf" in line)
    leader = lines[play + 1].partition(":")[0]
    lines.insert(play + 1, f"{leader} passt.")
    status, _, below = told(capsys, tmp_path, "\n".join(lines))
    assert status == 1
    assert below[0] == f"  disagreement in line {play + 2}"
    assert below[2] == "    the engine: You lead, so you must play something. (N18)"


def test_reports_unreadable_lines_beside_good_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = log(fitting()[0])
    status, verdict, below = told(
        capsys, tmp_path, one + one.replace(" passt.", " past.", 1) + f"--END GAME--\n{one}"
    )
    assert (status, verdict) == (2, "3 rounds, 2 of them good")
    place = (one + one.partition(" passt.")[0]).count("\n") + 1
    assert below[0].startswith(f"  line {place} cannot be read, so its round is left out: ")
    assert below[1].startswith("    the log: (")
    assert (
        below[2] == f"  line {2 * one.count(chr(10)) + 1}: left out, no line of a log: --END GAME--"
    )


def test_reports_a_truncated_last_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = log(fitting()[0], fitting()[1])
    status, verdict, below = told(capsys, tmp_path, text[: text.rindex("-") - 1])
    assert (status, verdict) == (0, "2 rounds, the last one broken off, no disagreement")
    assert below == [f"  line {text.count(chr(10))}: left out, as the file ends within this line"]


@pytest.mark.parametrize(
    "content, problem",
    [
        (b"", "is no log of BrettspielWelt: line 1: there is no round in it"),
        (b"\xff\xd8\x01", "is no log of BrettspielWelt: line 1: there is no round in it"),
        (b"\n\n\x89PNG\x00\x00", "is no log of BrettspielWelt: line 3: this is no text"),
        (b"{", "is no JSON of finished rounds: "),
        (b"{}", "is no JSON of finished rounds: format: Field required"),
        (b"[" * 10**5, "is no log of BrettspielWelt: line 1: there is no round in it"),
        (b'{"a":' * 10**5, "is no JSON of finished rounds: "),
        (b"\n" * 10**5, "is no log of BrettspielWelt: line 100001: the lines are too many"),
        (b"\r" * 10**5, "is no log of BrettspielWelt: line 100001: the lines are too many"),
    ],
)
def test_reports_an_unreadable_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, problem: str
) -> None:
    status, verdict, below = told(capsys, tmp_path, content)
    assert (status, below) == (2, [])
    assert verdict.startswith(problem)


def test_does_not_read_a_huge_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_log, "LARGEST_FILE", 2**20)
    assert told(capsys, tmp_path, b" " * 2**20)[1].startswith("is no log")
    status, verdict, _ = told(capsys, tmp_path, b" " * (2**20 + 1))
    assert (status, verdict) == (
        2,
        "is not read: it is larger than 1 MB. Split it where games end.",
    )


def test_escapes_control_characters_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"\x1b[2J\u202e{'x' * 500}\n" + log(fitting()[0])
    _, _, below = told(capsys, tmp_path, text)
    assert below[0].isprintable()
    assert len(below[0]) < 150


def test_limits_the_number_of_reported_oddities(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = log(fitting()[0]).replace("\n", "\nx\n")
    status, verdict, below = told(capsys, tmp_path, text)
    assert (status, verdict) == (0, "1 round, no disagreement")
    assert len(below) == 21
    assert re.fullmatch(r"  and \d+ more", below[-1])


def test_reports_rounds_broken_off_in_the_middle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = log(fitting()[0])
    begun = text[: text.index("Schupfen:")]
    status, verdict, _ = told(capsys, tmp_path, begun + text)
    assert (status, verdict) == (0, "2 rounds, 1 broken off (from line 1), no disagreement")


def test_replays_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = a_game("grandseigneur", 1)
    document = write_document(game)
    rounds = f"{len(game.rounds)} rounds" if len(game.rounds) > 1 else "1 round"
    assert told(capsys, tmp_path, document) == (0, f"{rounds}, no disagreement", [])
    assert told(capsys, tmp_path, b"\xef\xbb\xbf" + document.encode())[0] == 0
    altered = json.loads(document)
    altered["rounds"][0]["actions"][0]["seat"] = 99
    status, verdict, below = told(capsys, tmp_path, json.dumps(altered))
    assert status == 1
    assert verdict.startswith("disagreement in round 1, action 1 (seat 99: ")
    assert below[0].endswith("(N3)")
