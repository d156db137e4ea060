"""`python -m bot report`: enough to replay the finished rounds, and nothing private."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from bench.walks import random_action
from bot import __version__
from bot.__main__ import main
from bot.cli.report import CODE, fingerprint
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.rating.ledger import LEDGER
from bot.records import Change, NewTable, SeatRecord
from bot.runtime.settings import SQLITE, Settings
from bot.storage import Store
from bot.table.action_log import apply_record, write_deal, write_start
from bot.table.options import TableOptions
from engine import CLOCK, Match, Options, Phase, apply, deal, new_match, write_action
from engine.fair_deal import SECRET_BYTES, FairDeal
from tests.bot.databases import open_store
from tests.bot.storage.samples import NOON, action

TABLE = TableId(1)
NAMES = ("Adaline", "Benedikt", "Cleopatra")
IDS = (880_000_000_000_000_001, 880_000_000_000_000_002, 880_000_000_000_000_003)
PLACES = (770_000_000_000_000_001, 770_000_000_000_000_002)
WORDS = ("kumquat", "persimmon")
OPTIONS = TableOptions(rules=Options(target=1000, direction="clockwise"))
FINISHED = 2


class Played:
    """A stored match of two finished rounds and a third that has begun."""

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
        """Store it as table 1."""
        people = zip(NAMES, IDS, strict=True)
        seats = [
            SeatRecord(seat=seat, user_id=UserId(user_id), name=name, kind="person")
            for seat, (name, user_id) in enumerate(people)
        ]
        seats.append(SeatRecord(seat=3, name="Robert", kind="computer"))
        store = await open_store(Path(url.removeprefix(SQLITE)))
        record = await store.tables.create(
            NewTable(
                guild_id=GuildId(PLACES[0]),
                channel_id=ChannelId(PLACES[1]),
                host_id=UserId(IDS[0]),
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
    """Return the match, played once for all tests."""
    return Played()


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the configured database URL; the database does not exist yet."""
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
    """Return the stored match."""
    match = the_match()
    asyncio.run(match.store(url))
    return match


def reported(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["report", str(TABLE)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def action_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the seat and the text of every action in a report."""
    for line in text.partition("\nround 1\n")[2].splitlines():
        seat, _, notation = line.partition(" ")
        if seat in ("clock", "0", "1", "2", "3"):
            yield CLOCK if seat == "clock" else int(seat), notation


def test_finished_rounds_can_be_replayed(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    text = reported(capsys)
    (dealer,) = (line for line in text.splitlines() if line.startswith("first dealer: "))
    match: Match | None = None
    match, _ = apply_record(match, OPTIONS.rules, CLOCK, write_start(int(dealer.split()[-1])))
    for seat, notation in action_lines(text):
        match, _ = apply_record(match, OPTIONS.rules, seat, notation)
    assert match.results == played.results
    assert match.phase is Phase.ROUND_END
    assert '"direction":"clockwise"' in text
    assert "seats: 0 person, 1 person, 2 person, 3 computer" in text


def test_names_versions(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    text = reported(capsys)
    assert fingerprint() in text
    assert "discord.py 2" in text
    assert "SQLite 3" in text


def test_contains_nothing_private(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    text = reported(capsys)
    private = [*NAMES, "Robert", *map(str, (*IDS, *PLACES)), *WORDS, "not-a-real-token", "2031"]
    private += [secret.hex() for secret in played.secrets]
    assert [word for word in private if word in text] == []
    running = played.lines[played.finished :]
    assert len(running) > 20
    assert len(list(action_lines(text))) == played.finished - 1  # all but the start
    assert "round 3" not in text


def test_has_no_actions_before_the_first_round_is_over(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Played()
    match.lines = match.lines[:20]
    asyncio.run(match.store(url))
    text = reported(capsys)
    assert list(action_lines(text)) == []
    assert "grand:" not in text


def test_reports_a_missing_database_or_table(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "7"]) == 2
    assert capsys.readouterr().err.startswith("There is no database ")

    async def nothing() -> None:
        await (await Store.open(url, LEDGER)).close()

    asyncio.run(nothing())
    assert main(["report", "7"]) == 2
    assert capsys.readouterr() == ("", "There is no table 7.\n")


def test_damaged_table_is_reported_up_to_the_fault(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Played()
    fault = match.finished - 8
    match.lines[fault - 1] = (CLOCK, "a text that is no action of any hand")
    asyncio.run(match.store(url))
    assert main(["report", str(TABLE)]) == 1
    told = capsys.readouterr()
    assert f"tichu-bot {__version__}, code: {fingerprint()}\n" in told.out
    assert '"direction":"clockwise"' in told.out
    assert "seats: 0 person, 1 person, 2 person, 3 computer" in told.out
    assert "\nround 1\n" in told.out
    assert "round 2" not in told.out
    told_of = list(action_lines(told.out))
    assert [text for _, text in told_of[1:]] == [
        text for _, text in match.lines[2 : 1 + len(told_of)]
    ]
    said = f"stored action {fault} does not follow from those before it (NotationError)"
    assert told.out.splitlines()[-1] == f"fault: {said}"
    assert told.err == f"Table {TABLE} is damaged: {said}. The report tells what comes before.\n"


@pytest.mark.parametrize("finished", [0, FINISHED])
def test_fault_in_a_running_round_is_reported_without_cards(
    finished: int, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Played()
    begins = match.finished if finished else 1
    match.lines = match.lines[: begins + 20]
    first = match.lines[begins + 1]
    match.lines[begins + 12] = first  # a second answer to a Grand Tichu question that is answered
    asyncio.run(match.store(url))
    assert main(["report", str(TABLE)]) == 1
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert f"round {finished + 1}" not in lines
    assert len(list(action_lines(told.out))) == (match.finished - 1 if finished else 0)
    said = f"stored action {begins + 13} does not follow from those before it (grand-too-late, N11)"
    assert lines[-1] == f"fault: {said}"
    assert match.secrets[finished].hex() not in told.out + told.err


@pytest.mark.parametrize("column", ["options", "details"])
def test_unreadable_table_is_reported_without_its_game(
    column: str, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = the_match()
    asyncio.run(match.store(url))
    with closing(sqlite3.connect(url.removeprefix(SQLITE))) as database, database:
        database.execute(f"UPDATE tables SET {column} = '[\"kumquat\"]'")
    assert main(["report", str(TABLE)]) == 1
    told = capsys.readouterr()
    said = "the options or the details cannot be read"
    assert fingerprint() in told.out
    assert "seats: 0 person, 1 person, 2 person, 3 computer" in told.out
    assert told.out.splitlines()[-1] == f"fault: {said}"
    assert said in told.err
    assert ("\nround 2\n" in told.out) == (column == "details")
    assert "kumquat" not in told.out + told.err


@pytest.mark.parametrize(
    "schema, said",
    [
        ("0007", "start the bot of commit"),
        ("0019", "start this version of the bot once"),
        ("9999", "start the newer version again"),
    ],
)
def test_does_not_change_a_database_of_another_schema(
    schema: str, said: str, played: Played, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(url.removeprefix(SQLITE))
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = ?", [schema])
    before = file.read_bytes()
    assert main(["report", str(TABLE)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert f"The database {file} has schema {schema}" in told.err
    assert said in told.err
    assert ("restore" in told.err) == (f"restore {file.with_name('tichu-schema-')}" in told.err)
    assert file.read_bytes() == before
    assert list(file.parent.glob("tichu.db*")) == [file]


def test_does_not_change_the_database(
    played: Played, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(url.removeprefix(SQLITE))
    before = file.read_bytes()
    reported(capsys)
    assert file.read_bytes() == before
    assert list(file.parent.glob("tichu.db*")) == [file]


def kept(file: Path) -> dict[str, bytes]:
    """Return the contents of the database file and its write-ahead log."""
    files = (file, Path(f"{file}-wal"))
    return {each.name: each.read_bytes() for each in files if each.exists()}


@pytest.mark.parametrize("kind", ["no log", "hot log", "read-only", "another one", "empty"])
def test_changes_no_file_of_any_kind(
    kind: str, played: Played, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither files left by a killed bot nor files of other programs."""
    file = Path(url.removeprefix(SQLITE))
    if kind in ("another one", "empty"):
        file.write_bytes(b"")
    with closing(sqlite3.connect(file)) as database, database:
        if kind == "no log":
            database.execute("PRAGMA journal_mode=DELETE")
        elif kind == "another one":
            database.execute("CREATE TABLE songs (name TEXT)")
        elif kind == "hot log":
            database.execute("UPDATE tables SET status = 'stopped'")
            database.commit()
            left = kept(file)
    if kind == "hot log":
        for name, content in left.items():
            file.with_name(name).write_bytes(content)
        assert len(left) == 2
    if kind == "read-only":
        file.chmod(0o400)
    before = kept(file)
    status = main(["report", str(TABLE)])
    told = capsys.readouterr()
    assert kept(file) == before
    if kind == "another one":
        assert status == 2
        assert f"The file {file} is a database of another program." in told.err
    elif kind == "empty":
        assert status == 2
        assert f"The file {file} is empty; it holds no database." in told.err
    else:
        assert status == 0
        assert "\nround 2\n" in told.out
        assert ("status: stopped" in told.out) == (kind == "hot log")


@pytest.mark.parametrize("number", ["999", "-1", "99999999999999999999999"])
def test_reports_a_table_that_does_not_exist(
    number: str, played: Played, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", number]) == 2
    assert capsys.readouterr().err == f"There is no table {number}.\n"


def test_fingerprint_is_that_of_the_code(tmp_path: Path) -> None:
    for folder in CODE:
        (tmp_path / folder).mkdir()
    file = tmp_path / "bot" / "a.py"
    found = []
    for content in (b"a = 1\n", b"a = 1\r\n", b"a = 2\n"):
        file.write_bytes(content)
        found.append(fingerprint(tmp_path))
    assert found[0] == found[1] != found[2]
