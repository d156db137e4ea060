"""`python -m bot report`: enough to play the finished rounds again, and nothing private."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bench.walks import random_action
from bot.__main__ import main
from bot.cli.report import CODE, fingerprint
from bot.rating.ledger import LEDGER
from bot.records import Change, NewTable, SeatRecord
from bot.runtime.settings import SQLITE, Settings
from bot.storage import Store
from bot.table.action_log import step, write_deal, write_start
from bot.table.options import TableOptions
from engine import CLOCK, Match, Options, Phase, apply, deal, new_match, write_action
from engine.fair_deal import SECRET_BYTES, FairDeal
from tests.bot.databases import open_store
from tests.bot.storage.samples import NOON, action

TABLE = 1
NAMES = ("Adaline", "Benedikt", "Cleopatra")
IDS = (880_000_000_000_000_001, 880_000_000_000_000_002, 880_000_000_000_000_003)
PLACES = (770_000_000_000_000_001, 770_000_000_000_000_002)
WORDS = ("kumquat", "persimmon")
OPTIONS = TableOptions(rules=Options(target=1000, direction="clockwise"))
FINISHED = 2


class Played:
    """A match of two finished rounds and a third one that has begun, as it is stored."""

    def __init__(self) -> None:
        rng = random.Random(5)
        self.lines = [(CLOCK, write_start(1))]
        self.secrets: list[bytes] = []
        match = new_match(OPTIONS.rules, 1)
        for number in (1, 2, 3):
            fair = FairDeal(rng.randbytes(SECRET_BYTES), TABLE, tuple(enumerate(WORDS)))
            self.secrets.append(fair.secret)
            self.lines.append((CLOCK, write_deal(fair)))
            match, _ = deal(match, fair.deck(number, match.variant.deck(match.options)))
            steps = 0
            while match.phase is not Phase.ROUND_END and (number <= FINISHED or steps < 30):
                choice = random_action(match, rng)
                self.lines.append((choice.seat, write_action(choice)))
                match, _ = apply(match, choice)
                steps += 1
            if number == FINISHED:
                self.finished, self.results = len(self.lines), match.results

    async def store(self, url: str) -> None:
        """Store it as the table 1."""
        people = zip(NAMES, IDS, strict=True)
        seats = [
            SeatRecord(seat=seat, user_id=user_id, name=name, kind="person")
            for seat, (name, user_id) in enumerate(people)
        ]
        seats.append(SeatRecord(seat=3, name="Robert", kind="computer"))
        store = await open_store(Path(url.removeprefix(SQLITE)))
        record = await store.tables.create(
            NewTable(
                guild_id=PLACES[0],
                channel_id=PLACES[1],
                host_id=IDS[0],
                options=OPTIONS.model_dump_json(),
                created_at=NOON,
                seats=tuple(seats),
                status="playing",
            )
        )
        assert record.id == TABLE
        actions = tuple(
            action(seq, text).model_copy(update={"seat": seat, "actor_id": IDS[0]})
            for seq, (seat, text) in enumerate(self.lines, start=1)
        )
        await store.tables.commit(TABLE, Change(actions=actions))
        await store.close()


@cache
def the_match() -> Played:
    """The match, played once for all tests."""
    return Played()


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The database that the settings of this process name; it does not exist yet."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    found = f"sqlite+aiosqlite:///{tmp_path}/tichu.db"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "MTA.Gx1.not-a-real-token")
    monkeypatch.setenv("DATABASE_URL", found)
    monkeypatch.setattr("bot.cli.console.set_up_logging", lambda *_, **__: None)
    return found


@pytest.fixture
def played(url: str) -> Played:
    """The match, stored."""
    match = the_match()
    asyncio.run(match.store(url))
    return match


def reported(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["report", str(TABLE)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def action_lines(text: str) -> Iterator[tuple[int, str]]:
    """Seat and text of every action in a report."""
    for line in text.partition("\nround 1\n")[2].splitlines():
        seat, _, notation = line.partition(" ")
        if seat in ("clock", "0", "1", "2", "3"):
            yield CLOCK if seat == "clock" else int(seat), notation


def test_the_finished_rounds_can_be_played_again(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    text = reported(capsys)
    (dealer,) = (line for line in text.splitlines() if line.startswith("first dealer: "))
    match: Match | None = None
    match, _ = step(match, OPTIONS.rules, CLOCK, write_start(int(dealer.split()[-1])))
    for seat, notation in action_lines(text):
        match, _ = step(match, OPTIONS.rules, seat, notation)
    assert match.results == played.results
    assert match.phase is Phase.ROUND_END
    assert '"direction":"clockwise"' in text
    assert "seats: 0 person, 1 person, 2 person, 3 computer" in text


def test_it_tells_versions(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    text = reported(capsys)
    assert fingerprint() in text
    assert "discord.py 2" in text
    assert "SQLite 3" in text


def test_nothing_private_is_in_it(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    text = reported(capsys)
    private = [*NAMES, "Robert", *map(str, (*IDS, *PLACES)), *WORDS, "not-a-real-token", "2031"]
    private += [secret.hex() for secret in played.secrets]
    assert [word for word in private if word in text] == []
    running = played.lines[played.finished :]
    assert len(running) > 20
    assert len(list(action_lines(text))) == played.finished - 1  # without the start
    assert "round 3" not in text


def test_before_the_first_round_is_over_there_are_no_actions(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Played()
    match.lines = match.lines[:20]
    asyncio.run(match.store(url))
    text = reported(capsys)
    assert list(action_lines(text)) == []
    assert "grand:" not in text


def test_what_is_not_there_is_one_sentence(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "7"]) == 2
    assert capsys.readouterr().err.startswith("There is no database ")

    async def nothing() -> None:
        await (await Store.open(url, LEDGER)).close()

    asyncio.run(nothing())
    assert main(["report", "7"]) == 2
    assert capsys.readouterr() == ("", "There is no table 7.\n")


def test_what_cannot_be_played_again_is_not_printed(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Played()
    del match.lines[5]
    asyncio.run(match.store(url))
    assert main(["report", str(TABLE)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "stored action" in told.err


def test_the_fingerprint_is_that_of_the_code(tmp_path: Path) -> None:
    for folder in CODE:
        (tmp_path / folder).mkdir()
    file = tmp_path / "bot" / "a.py"
    found = []
    for content in (b"a = 1\n", b"a = 1\r\n", b"a = 2\n"):
        file.write_bytes(content)
        found.append(fingerprint(tmp_path))
    assert found[0] == found[1] != found[2]
