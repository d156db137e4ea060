"""Databases of each schema version, migrated to the newest in one step."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.history.rebuild import needs_rebuild, rebuild
from bot.ids import TableId, UserId
from bot.records import PersonalSettings
from bot.score_records import EVER, Board, Preferences
from bot.storage import versions
from bot.table.commands import Act, Fill, Start
from bot.table.state import Game, seats_to_act
from engine import Phase, cards_text, view
from tests.bot.asking import played
from tests.bot.games import plain_brain
from tests.bot.history.test_rebuild import derived
from tests.bot.old_databases import SCHEMAS, known, place
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld
from tests.campaign import SOAK, sample

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.slow,
    pytest.mark.sqlite("old databases are files"),
]

GAMES = ("nanjing", "trichu", "tientsin", "grandseigneur")
TOLD_ALIKE = [schema for schema in SCHEMAS if schema != "0003"]
"""Schemas with expectations of one form; 0003 has its own in `test_old_database.py`."""
OUTDATED = ("0001", "0002")
"""Schemas that stored less of a round than is counted now."""
ALWAYS_STORED = ("round_scores", "match_scores")
"""Derived relations that every version has filled alike."""
NEVER_LEFT = {"0008", "0009", "0011", "0012", "0014", "0015", "0018"}
"""Schemas between two releases, with which no database was ever left."""
SOME_TOLD_ALIKE = [TOLD_ALIKE[0], *sample(TOLD_ALIKE[1:-1], 1), TOLD_ALIKE[-1]]
"""The oldest schema, the newest and some between; in a campaign all."""
FURTHEST = SCHEMAS if SOAK else (SCHEMAS[0], SCHEMAS[-1])
"""Schemas for slow tests: the oldest and the newest, in a campaign all."""
PLAYED_AGAIN = SCHEMAS if SOAK else SCHEMAS[:1]
"""Schemas to replay: the oldest, in a campaign all; for 0003 see `test_rebuild.py`."""
MOVES = 12


@asynccontextmanager
async def updated(folder: Path, schema: str) -> AsyncIterator[TableWorld]:
    """Open a copy of the database of this schema with the current program."""
    world = TableWorld(folder, limit=1000)
    place(schema, world.file)
    if schema != "0003":
        world.time.jump(datetime.fromisoformat(known(schema)["now"]))
    await world.open()
    try:
        yield world
    finally:
        await world.close()


def test_has_a_database_of_every_older_schema() -> None:
    """Write a missing one with `tests/bot/data/write_tables.py`."""
    every = {file.name[:4] for file in (versions.MIGRATIONS / "versions").glob("*_*.py")}
    assert every - {versions.newest_version()} - NEVER_LEFT <= set(SCHEMAS)


@pytest.mark.parametrize("schema", sorted({*SOME_TOLD_ALIKE, *FURTHEST}))
async def test_old_database_keeps_its_content_and_is_playable(tmp_path: Path, schema: str) -> None:
    """Several checks in one bot that has migrated the database; each proves something."""
    async with updated(tmp_path, schema) as world:
        if schema in TOLD_ALIKE:
            await everything_stands_as_the_program_of_that_time_told(world, schema)
        if schema in PLAYED_AGAIN:
            await every_table_is_played_again_and_counted_alike(world, schema)
        if schema in FURTHEST and schema in TOLD_ALIKE:
            await running_matches_are_played_on(world, schema)


async def everything_stands_as_the_program_of_that_time_told(
    world: TableWorld, schema: str
) -> None:
    stands = {
        name: await how_it_stands(world, told["id"])
        for name, told in known(schema)["tables"].items()
    }
    assert stands == known(schema)["tables"]
    assert await settings(world) == chosen(schema)
    if schema not in OUTDATED:
        assert await scores(world) == known(schema)["scores"]


async def every_table_is_played_again_and_counted_alike(world: TableWorld, schema: str) -> None:
    """Check replay and rebuild: needed where less was stored, otherwise without effect."""
    outdated = await needs_rebuild(world.store)
    assert outdated == (schema in OUTDATED)
    before, results = derived(world), results_of_rounds(world)
    found = await rebuild(world.store, world.time.now())
    assert (found.skipped, found.rounds) == ((), len(before["rounds"]))
    now = derived(world)
    assert (now == before) != outdated
    assert [now[name] for name in ALWAYS_STORED] == [before[name] for name in ALWAYS_STORED]
    assert results_of_rounds(world) == results
    assert not await needs_rebuild(world.store)
    board = await world.store.rankings.leaders(Board(GUILD, "nanjing", EVER, "rating"), 0, 10)
    assert board.size == 2


async def running_matches_are_played_on(world: TableWorld, schema: str) -> None:
    for game in GAMES:
        table_id = known(schema)["tables"][f"{game}/turn"]["id"]
        before = world.game(table_id).seq
        for _ in range(MOVES):
            await play_on(world, table_id)
        assert world.game(table_id).seq >= before + MOVES
        await world.check_stored(table_id)
        lobby = known(schema)["tables"][f"{game}/lobby"]["id"]
        await world.tables.execute(lobby, HOST, Fill())
        started = played(await world.tables.execute(lobby, HOST, Start()))
        assert started.round.number == 1


async def play_on(world: TableWorld, table_id: TableId) -> None:
    """Let an awaited person act, or a second pass."""
    at = world.game(table_id)
    for seat in seats_to_act(at.match):
        user, action = at.chairs[at.decider(seat)].user_id, plain_brain(1)(view(at.match, seat))
        if user is not None and action is not None and at.phase is not Phase.ROUND_END:
            await world.tables.execute(table_id, user, Act(action, at.revision))
            return
    await world.run(1.05)


def results_of_rounds(world: TableWorld) -> list[Any]:
    """Return how each round ended, as stored."""
    with closing(sqlite3.connect(world.file)) as file:
        statement = "SELECT table_id, number, result FROM rounds ORDER BY table_id, number"
        return file.execute(statement).fetchall()


# --- the same form as in `write_tables.py` -------------------------------------------------------

NOTHING_CHOSEN: dict[str, Any] = {"worldwide": [], "hidden": [], "honours": None}


def chosen(schema: str) -> dict[str, Any]:
    """Return the choices of people and the server; later settings have their defaults."""
    told = {**NOTHING_CHOSEN, **known(schema)["settings"]}
    own = told.get("personal")
    if own is None:
        return told
    names = {"call": "nudge_way"}  # older and current name
    if "cards_as_text" in own:  # until 0018
        own = {**own, "cards": "text" if own["cards_as_text"] else None}
        del own["cards_as_text"]
    own = {names.get(name, name): value for name, value in own.items()}
    return {**told, "personal": PersonalSettings(**own)}


async def how_it_stands(world: TableWorld, table_id: TableId) -> dict[str, Any]:
    """Return the state of a table: its rounds, its match result and, while it runs, all hands."""
    rounds = await world.store.history.rounds(table_id)
    match = await world.store.history.match(table_id)
    found: dict[str, Any] = {
        "id": table_id,
        "status": "over" if match is None else match.reason,
        "rounds": [[[score.score, score.total] for score in round_.scores] for round_ in rounds],
        "places": [[seat.place for seat in round_.seats] for round_ in rounds],
    }
    if match is not None:
        found["totals"] = [[score.total, score.won] for score in match.scores]
    at = world.tables.find(table_id)
    if at is None:
        return found
    found |= {"status": at.status, "phase": "", "seq": 0}
    if isinstance(at, Game):
        found |= {"phase": at.phase.name, "seq": at.seq}
        found |= {"round": at.round.number, "turn": at.round.turn}
        found["hands"] = [cards_text(hand.cards) for hand in at.round.hands]
    return found


async def settings(world: TableWorld) -> dict[str, Any]:
    """Return the settings of people and the server."""
    store, users = world.store, range(HOST, HOST + 12)
    chosen = {user: await store.preferences.get(UserId(user)) for user in users}
    found: dict[str, Any] = {
        "worldwide": [user for user in users if chosen[user] == Preferences(worldwide=True)],
        "hidden": [user for user in users if chosen[user] == Preferences(hidden=True)],
        "honours": await store.monthly_rankings.channel(GUILD),
    }
    own = await store.personal_settings.get(HOST)
    if own != PersonalSettings():
        found["personal"] = own
    return found


async def scores(world: TableWorld) -> dict[str, Any]:
    """Return the leaderboard of the server and the ratings of its people."""
    rankings = world.store.rankings
    board = await rankings.leaders(Board(GUILD, "nanjing", EVER, "rating"), 0, 10)
    found: dict[str, Any] = {
        "board": [[at.user_id, at.name, at.value, *at.tally] for at in board.lines]
    }
    for game in GAMES:
        ratings = await rankings.ratings(GUILD, game, [*map(UserId, range(HOST, HOST + 12))])
        found[game] = {str(user): list(rating) for user, rating in sorted(ratings.items())}
    return found
