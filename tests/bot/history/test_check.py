"""Consistency check of a database: it finds every change made without the bot."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.club.actions import Action, Answered
from bot.club.event import apply, restore
from bot.club.rules import draw_night
from bot.club_records import StoredAction
from bot.history.check import CheckResult, check
from bot.history.rebuild import rebuild
from bot.storage import StorageUnfit
from engine.fair_deal import VERSION
from tests.bot.club.test_event import PEOPLE, record
from tests.bot.databases import open_store
from tests.bot.history.test_rebuild_in_play import count_otherwise
from tests.bot.played_database import place_played_database
from tests.bot.solo_worlds import BEN, SoloWorld
from tests.bot.stored_versions import DEVELOPMENT, known, place
from tests.campaign import sample
from tests.cogs.eyes import cards_in_text

pytestmark = pytest.mark.sqlite("what is checked is a file, whatever the database is")

LAST_OF_RUNNING = "table_id = 2 AND seq = (SELECT max(seq) FROM actions WHERE table_id = 2)"
"""Condition of the last action of the running match."""

_written: list[datetime] = []
"""Time at which the database was written."""


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """Return a database with a finished match, one in its second round, and a lobby."""
    made = tmp_path / "tichu.db"
    _written[:] = [await place_played_database(made)]
    return made


def change(file: Path, *statements: str) -> int:
    """Change a database without the bot; return how many rows the last statement changed."""
    with closing(sqlite3.connect(file)) as connection, connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            number = connection.execute(statement).rowcount
        for _, sql in triggers:
            connection.execute(sql)
    return number


async def found(file: Path, days: int = 0) -> CheckResult:
    """Return the result of a check some days later; no action may appear in it."""
    checked = await check(file, _written[0] + timedelta(days=days))
    text = repr(checked)
    assert not any(word in text for word in ("play:", "pass:", "deal:", VERSION))
    return checked


async def test_accepts_what_was_played(file: Path) -> None:
    heard: list[int] = []
    checked = await check(file, _written[0], on_replayed=lambda: heard.append(1))
    assert (checked.tables, checked.matches, checked.damage, checked.stale) == (2, 1, (), ())
    assert checked.rounds >= 2
    assert len(heard) == 2


async def test_accepts_an_older_database_and_a_later_date(file: Path, tmp_path: Path) -> None:
    """After the last thirty days have passed, and with migrations to run first."""
    assert (await found(file, days=40)).stale == ()
    old = tmp_path / "old.db"
    place(DEVELOPMENT, old)
    checked = await check(old, datetime.fromisoformat(known(DEVELOPMENT)["now"]))
    assert (checked.damage, checked.stale, checked.matches) == ((), (), 17)


@pytest.mark.parametrize(
    "faults",
    [
        [
            (
                "UPDATE round_scores SET score = score + 10, total = 7 WHERE table_id = 1",
                "Table 1, round 1: stored values differ from the replay (score, total).",
            ),
            (
                "UPDATE round_seats SET place = NULL WHERE table_id = 2 AND place = 1",
                "Table 2, round 1: stored values differ from the replay (place).",
            ),
            (
                "UPDATE match_seats SET won = 1 - won WHERE table_id = 1",
                "Table 1, the match: stored values differ from the replay (won).",
            ),
            (
                "INSERT INTO matches VALUES (2, 'nanjing', 0, 'finished', 1, 1)",
                "Table 2, the match: more is stored than was played.",
            ),
            (
                "UPDATE ratings SET mu = mu + 0.01 WHERE scope = 0",
                "2 ratings differ from what follows from the rounds.",
            ),
            (
                "DELETE FROM rating_days WHERE scope = 0",
                "2 ratings of past days differ from what follows from the rounds.",
            ),
            (
                "UPDATE standings SET wins = 7 WHERE scope = 0 AND period = 'ever'",
                "2 lines of leaderboards differ from what follows from the rounds.",
            ),
            (
                "UPDATE tallies SET points = points + 1 WHERE scope = 0",
                "2 counters of the last thirty days differ from what follows from the rounds.",
            ),
        ],
        [
            (
                "UPDATE rounds SET result = '{}' WHERE table_id = 2",
                "Table 2, round 1: stored values differ from the replay (result).",
            ),
            (
                "DELETE FROM round_seats WHERE table_id = 1 AND number = 1 AND seat = 2",
                "Table 1, round 1: it was played, but not all of it is stored.",
            ),
            (
                "UPDATE match_seats SET name = 'Zoe' WHERE seat = 0",
                "Table 1, the match: stored values differ from the replay (name).",
            ),
            (
                "UPDATE standings SET by_wins = 1 WHERE scope = 0 AND period = 'ever'",
                "2 lines of leaderboards differ from what follows from the rounds.",
            ),
        ],
        [
            (
                "INSERT INTO round_scores VALUES (1, 1, 7, 10, 10, 10)",
                "Table 1, round 1: more is stored than was played.",
            ),
        ],
    ],
)
async def test_finds_what_a_rebuild_repairs(file: Path, faults: list[tuple[str, str]]) -> None:
    """Each fault is reported in a sentence of its own, and nothing else is."""
    for statement, _ in faults:
        assert change(file, statement) > 0
    checked = await found(file)
    assert checked.damage == ()
    assert sorted(checked.stale) == sorted(told for _, told in faults)


async def test_rebuild_repairs_stale_figures(file: Path, tmp_path: Path) -> None:
    change(file, "DELETE FROM round_scores", "DELETE FROM round_seats", "DELETE FROM rounds")
    copy = tmp_path / "copy.db"
    copy.write_bytes(file.read_bytes())
    assert len((await found(copy)).stale) == 2
    store = await open_store(file)
    await rebuild(store, _written[0])
    await store.close()
    assert (await found(file)).stale == ()


async def test_accepts_other_rounding_of_processors(file: Path) -> None:
    assert change(file, "UPDATE ratings SET mu = mu + 1e-9, sigma = sigma - 1e-9") == 4
    assert (await found(file)).stale == ()


@pytest.mark.parametrize(
    "faults",
    [
        [
            (
                "DELETE FROM actions WHERE table_id = 1 AND seq = 40",
                "Table 1 cannot be replayed: ",
            ),
            (f"DELETE FROM actions WHERE {LAST_OF_RUNNING}", "Table 2 has lost its last actions."),
            (
                """UPDATE tables SET options = '{"rules": "none"}' WHERE id = 3""",
                "Table 3 cannot be restored: the options or the details cannot be read.",
            ),
            (
                "INSERT INTO outbox VALUES (1, 900, 'lines', '{}', 'n', 0)",
                "Table 1: message 900, which waits for Discord, cannot be read.",
            ),
            ("DROP INDEX ix_tables_open", "It has lost the index ix_tables_open."),
        ],
        [
            (
                "DELETE FROM actions WHERE table_id = 1 AND seq = 1",
                "Table 1 cannot be replayed: stored action 2 does not follow",
            ),
            (f"UPDATE actions SET seq = seq + 1 WHERE {LAST_OF_RUNNING}", "is missing."),
        ],
        [
            (
                "DELETE FROM actions WHERE table_id = 1 AND seq > 60",
                "Table 1: its last actions are missing.",
            ),
            (
                f"UPDATE actions SET text = 'play:S2,S3' WHERE {LAST_OF_RUNNING}",
                "Table 2 cannot be replayed: stored action ",
            ),
        ],
        [
            (
                "UPDATE actions SET round = 2 WHERE table_id = 1 AND seq = 40",
                "Table 1: action 40 is stored for round 2, but belongs to 1.",
            ),
            (
                "UPDATE actions SET at = 'noon' WHERE table_id = 2 AND seq = 3",
                "Table 2 cannot be read.",
            ),
        ],
        [
            (
                "UPDATE tables SET status = 'playing' WHERE id = 1",
                "Table 1: its match is over, but not closed.",
            ),
            ("UPDATE tables SET created_at = 1 << 62 WHERE id = 2", "Table 2 cannot be read."),
        ],
        [
            (
                """UPDATE tables SET options = '{"rules": "none"}' WHERE id = 1""",
                "Table 1 cannot be replayed: the options or the details cannot be read.",
            ),
            (
                "UPDATE tables SET status = 'finished' WHERE id = 2",
                "Table 2: its last actions are missing.",
            ),
        ],
        [
            (
                "DELETE FROM seats WHERE table_id = 1 AND seat = 3",
                "Table 1: other people sit there than sat down last.",
            ),
            (
                """UPDATE tables SET details = '{"timers": 5}' WHERE id = 2""",
                "Table 2 cannot be restored: the options or the details cannot be read.",
            ),
        ],
        [
            (
                """UPDATE tables SET details = '{"revision": 5000}' WHERE id = 2""",
                "Table 2 has lost its last actions.",
            ),
        ],
        [
            (
                "UPDATE seats SET name = 'Zoe' WHERE table_id = 2 AND seat = 0",
                "Table 2: other people sit there than sat down last.",
            ),
        ],
        [
            ("ALTER TABLE seats RENAME COLUMN name TO game", "It has lost the column seats.name."),
        ],
        [
            ("DROP TABLE tallies", "It has lost the table tallies."),
        ],
        [
            (
                "UPDATE app_state SET value = 'soon' WHERE key = 'lately-from'",
                "There are rows with values that no version has written.",
            ),
        ],
        [
            (
                "DELETE FROM rounds WHERE table_id = 2",
                "2 rows of round_scores belong to something that is not there.",
            ),
        ],
    ],
)
async def test_finds_what_only_a_backup_repairs(file: Path, faults: list[tuple[str, str]]) -> None:
    """Faults of several tables are reported together; some prevent the other checks."""
    change(file, "INSERT OR IGNORE INTO app_state VALUES ('lately-from', '0')")
    for statement, _ in faults:
        assert change(file, statement) != 0
    checked = await found(file)
    for _, told in faults:
        assert [sentence for sentence in checked.damage if told in sentence], (told, checked)


async def test_reports_a_table_that_cannot_be_replayed_once(file: Path) -> None:
    """Its rounds are not reported, and the other tables are checked."""
    change(
        file,
        "UPDATE actions SET text = 'play:S2' WHERE table_id = 2 AND seq = 30",
        "UPDATE round_scores SET score = 7 WHERE number = 1",
    )
    checked = await found(file)
    assert [sentence[:8] for sentence in checked.damage] == ["Table 2 "]
    assert checked.stale[0].startswith("Table 1, round 1: ")
    assert "Table 2" not in str(checked.stale)


@pytest.mark.parametrize(
    "faults, sentences",
    [
        ([], []),
        (
            [
                "UPDATE solo_rounds SET actions = actions || '0:play:S2,S3' || char(10)",
            ],
            [
                "Solo round 1 cannot be replayed: IllegalAction in ",
                "Solo round 2 cannot be replayed: IllegalAction in ",
            ],
        ),
        (
            [
                "UPDATE solo_rounds SET points = points + 10 WHERE id = 1",
                "UPDATE solo_rounds SET actions = 'x' || actions WHERE id = 2",
            ],
            [
                "Solo round 1: its result differs from the replay.",
                "Solo round 2 cannot be replayed: ValueError in ",
            ],
        ),
        (
            ["UPDATE solo_rounds SET ended_at = begun_at WHERE id = 2"],
            ["Solo round 2: its result differs from the replay."],
        ),
        (
            ["UPDATE boards SET secret = 'ab' || secret WHERE id = 1"],
            [
                "Solo round 1 cannot be replayed: NotationError in ",
                "Solo round 2 cannot be replayed: NotationError in ",
            ],
        ),
    ],
)
async def test_replays_solo_rounds(tmp_path: Path, faults: list[str], sentences: list[str]) -> None:
    """Each damaged round is reported once, without its secret and its cards."""
    world = SoloWorld(tmp_path)
    await world.open()
    await world.finish(await world.begin())
    await world.choose(await world.begin(BEN))
    secret = (await world.tables.boards.today()).secret
    await world.close()
    for statement in faults:
        assert change(world.file, statement) != 0
    _written[:] = [world.time.now()]
    checked = await found(world.file)
    assert checked.solo_rounds == 2
    assert secret not in repr(checked)
    assert not list(cards_in_text(repr(checked)))
    for told, sentence in zip(checked.damage, sentences, strict=True):
        assert told.startswith(sentence)


@pytest.mark.parametrize(
    "fault, sentence",
    [
        ("UPDATE club_people SET rating = 1600", None),
        ("UPDATE club_actions SET body = '{}' WHERE seq = 1", "Event 1 cannot be read: "),
        ("DELETE FROM club_actions WHERE seq = 1", "Event 1: actions are missing."),
        ("UPDATE club_events SET status = 'over'", "Event 1: actions are missing."),
        ("DELETE FROM club_people", "Event 1: 1 people of its actions are missing."),
    ],
)
async def test_reads_club_events(tmp_path: Path, fault: str, sentence: str | None) -> None:
    world = SoloWorld(tmp_path)
    await world.open()
    event = await world.store.club_events.create(record())
    joined: Action = Answered(person=PEOPLE[0].number, answer="yes")
    signed_up = apply(restore(event, PEOPLE[:1], ()), joined, event.created_at)
    bodies = [each.model_dump_json() for each in (joined, *draw_night(signed_up, b"lots"))]
    actions = [
        StoredAction(seq, event.created_at, None, body) for seq, body in enumerate(bodies, start=1)
    ]
    assert await world.store.club_events.append(
        event.id, 0, actions, people=PEOPLE[:1], status="running"
    )
    await world.close()
    _written[:] = [world.time.now()]
    assert change(world.file, fault) != 0
    damage = (await found(world.file)).damage
    assert len(damage) == (sentence is not None)
    assert all(each.startswith(sentence or "") for each in damage)


@pytest.mark.parametrize("page", sample(range(2, 40, 4), 2))
async def test_finds_an_overwritten_page(file: Path, page: int) -> None:
    """Pages of indexes and of rows; some pages are free."""
    with file.open("r+b") as opened:
        opened.seek(4096 * (page - 1))
        opened.write(b"\x55" * 4096)
    checked = await found(file)
    assert checked.damage
    assert all("The file is damaged: " in sentence for sentence in checked.damage)


async def test_refuses_a_newer_database(file: Path) -> None:
    change(file, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageUnfit, match="newer version"):
        await found(file)


async def test_figures_of_an_older_version_are_one_sentence(file: Path) -> None:
    """They differ in nearly every round, which is no fault."""
    count_otherwise(file)
    checked = await found(file)
    assert checked.damage == ()
    (sentence,) = checked.stale
    assert "older version" in sentence
