"""Search for visible matches: it reads a few rows, no matter how many matches exist."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as dialect

from bot.ids import ChannelId, GuildId, UserId
from bot.storage import ended_matches
from bot.storage.ended_matches import EndedQuery, Sight
from tests.bot.postgres import ON_POSTGRES

pytestmark = pytest.mark.usefixtures("one_thread")

GUILD = GuildId(7)
PEOPLE = 40
OPEN_CHANNELS, HIDDEN = range(100, 130), 999
EVERYTHING = frozenset({*OPEN_CHANNELS, HIDDEN})
SEES_ALL = Sight(UserId(555), EVERYTHING, EVERYTHING)
SEES_NOTHING = Sight(UserId(555), frozenset({ChannelId(5)}), EVERYTHING)
SEES_SOME = Sight(UserId(555), frozenset(map(ChannelId, OPEN_CHANNELS[:10])), EVERYTHING)


@pytest.fixture
def filled(outside: sqlite3.Connection) -> sqlite3.Connection:
    """Return a connection to the store's database, for `fill`."""
    return outside


def fill(connection: sqlite3.Connection, first: int, last: int) -> None:
    """Insert matches with these numbers, of three rounds each, mostly in a hidden channel.

    Some were played in archived threads of a visible channel.
    """
    numbers = range(first, last + 1)

    def place(number: int) -> tuple[int, int | None]:
        if number % 10 == 0:
            return OPEN_CHANNELS[number // 10 % len(OPEN_CHANNELS)], None
        if number % 10 == 1:
            return 10**6 + number, OPEN_CHANNELS[number // 10 % len(OPEN_CHANNELS)]
        return HIDDEN, None

    connection.execute("BEGIN")
    with connection:
        connection.executemany(
            "INSERT INTO tables (id, guild_id, channel_id, parent_channel_id, host_id, status,"
            " options, details, created_at) VALUES (?, ?, ?, ?, 1, 'finished', '{}', '{}', 0)",
            [(number, GUILD, *place(number)) for number in numbers],
        )
        connection.executemany(
            "INSERT INTO matches (table_id, variant, ended_at, reason, rounds) "
            "VALUES (?, 'nanjing', 0, 'finished', 3)",
            [(number,) for number in numbers],
        )
        connection.executemany(
            'INSERT INTO match_seats (table_id, seat, user_id, name, kind, "column", won) '
            "VALUES (?, 0, ?, 'A', 'person', 0, true)",
            [(number, 1 + number % PEOPLE) for number in numbers],
        )
        rounds = [(number, round_) for number in numbers for round_ in (1, 2, 3)]
        connection.executemany(
            "INSERT INTO rounds (table_id, number, ended_at, result) VALUES (?, ?, 0, '{}')", rounds
        )
        connection.executemany(
            'INSERT INTO round_seats (table_id, number, seat, user_id, kind, "column") '
            "VALUES (?, ?, 0, ?, 'person', 0)",
            [(number, round_, 1 + number % PEOPLE) for number, round_ in rounds],
        )


def written(query: EndedQuery) -> str:
    """Return the statement with its values inserted."""
    kind: Any = postgresql if ON_POSTGRES else dialect
    compiled = (
        replace(query, lateral=ON_POSTGRES)
        .select_ids()
        .compile(
            dialect=kind.dialect(),
            compile_kwargs={"literal_binds": True},
        )
    )
    return str(compiled)


def steps(connection: sqlite3.Connection, query: EndedQuery) -> int:
    """Return the number of SQLite virtual machine steps for a query."""
    done = 0

    def step() -> int:
        nonlocal done
        done += 1
        return 0

    connection.set_progress_handler(step, 1)
    connection.execute(written(query)).fetchall()
    connection.set_progress_handler(None, 1)
    return done


WANTED: dict[str, dict[str, Any]] = {
    "all of a server": {"sight": SEES_ALL},
    "nothing can be seen": {"sight": SEES_NOTHING},
    "some channels can be seen": {"sight": SEES_SOME},
    "an older page": {"sight": SEES_SOME, "beyond": 900},
    "a newer page": {"sight": SEES_SOME, "beyond": 100, "newer": True},
    "one channel": {"sight": SEES_SOME, "channel_id": OPEN_CHANNELS[0]},
    "a hidden channel": {"sight": SEES_SOME, "channel_id": HIDDEN},
    "a thread that is gone": {"sight": SEES_SOME, "channel_id": 10**6 + 901},
    "a channel that nobody knows": {"sight": SEES_SOME, "channel_id": 10**6},
}


def query(limit: int = 9, **given: Any) -> EndedQuery:
    return EndedQuery(GUILD, limit=limit, **given)


@pytest.mark.sqlite("its plan of a query")
def test_cost_does_not_grow_with_the_number_of_matches(filled: sqlite3.Connection) -> None:
    """Every channel has at least as many matches as a page needs."""
    fill(filled, 1, 1000)
    few = {name: steps(filled, query(3, **wanted)) for name, wanted in WANTED.items()}
    fill(filled, 1001, 4000)
    many = {name: steps(filled, query(3, **wanted)) for name, wanted in WANTED.items()}
    assert [name for name in few if many[name] >= few[name] * 1.05 + 100] == [], (few, many)


@pytest.mark.sqlite("its plan of a query")
def test_limits_how_many_matches_of_a_person_are_read(
    filled: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For another person in hidden channels, and for the person who asks."""
    monkeypatch.setattr(ended_matches, "MOST_OWN", 10)
    others = query(sight=SEES_NOTHING, user_id=3)
    own = query(sight=Sight(UserId(3), frozenset(), EVERYTHING))
    fill(filled, 1, 10 * PEOPLE)
    few = [steps(filled, wanted) for wanted in (others, own)]
    fill(filled, 10 * PEOPLE + 1, 50 * PEOPLE)
    assert steps(filled, others) < few[0] * 1.1
    assert steps(filled, own) < few[1] * 1.1


@pytest.mark.sqlite("its plan of a query")
@pytest.mark.parametrize("wanted", [*WANTED.values(), {"sight": SEES_SOME, "user_id": 3}])
def test_uses_an_index_for_every_relation(
    filled: sqlite3.Connection, wanted: dict[str, Any]
) -> None:
    plan = filled.execute(f"EXPLAIN QUERY PLAN {written(query(**wanted))}").fetchall()
    lines = [str(line[3]) for line in plan]
    stored = ("tables", "matches", "match_seats", "round_seats", "sittings")
    scanned = [line for line in lines if line.startswith("SCAN")]
    assert lines
    assert not any(f"SCAN {name}" in line for line in scanned for name in stored), lines


def test_finds_exactly_the_visible_matches(filled: sqlite3.Connection) -> None:
    fill(filled, 1, 3000)

    def found(**wanted: Any) -> list[int]:
        return [row[0] for row in filled.execute(written(query(**wanted)))]

    assert found(sight=SEES_ALL) == list(range(3000, 2991, -1))
    assert found(sight=SEES_NOTHING) == []
    some = [n for n in range(3000, 0, -1) if n % 10 in (0, 1) and n // 10 % 30 < 10]
    assert found(sight=SEES_SOME) == some[:9]
    assert found(sight=SEES_SOME, beyond=some[8]) == some[9:18]
    assert found(sight=SEES_SOME, beyond=some[30], newer=True) == some[29:20:-1]
    assert found(sight=SEES_SOME, channel_id=10**6 + 2701) == [2701]
    assert found(sight=SEES_SOME, channel_id=10**6 + 2901) == []
    assert found(sight=SEES_SOME, user_id=1) == [n for n in some if n % PEOPLE == 0][:9]
    assert (
        found(sight=SEES_SOME, channel_id=OPEN_CHANNELS[3])
        == [n for n in some if n % 10 == 0 and n // 10 % 30 == 3][:9]
    )
