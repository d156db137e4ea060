"""Players with ids like Discord's, and the search for all traces of them in a database."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.table.commands import (
    ComeBack,
    Command,
    Join,
    LeaveToComputer,
    Pause,
    Ready,
    Shuffle,
    Start,
)
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.options import TableOptions
from bot.table.permission import require_game
from bot.table.state import Game
from tests.bot.databases import outside
from tests.bot.postgres import ON_POSTGRES
from tests.bot.states import GUILD
from tests.bot.table_world import TableWorld

FIRST = 812_345_678_901_234_561
CALLED = ("Xanthippe", "Quirinus", "Zephyrine", "Wolodymyr", "Ysolde", "Kunigunde")
"""Names that occur nowhere else in a database."""
OF_PEOPLE = ("ratings", "rating_days", "standings", "tallies", "names")
_ALL_TABLES = (
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    if ON_POSTGRES
    else "SELECT name FROM sqlite_schema WHERE type='table'"
)
DERIVED = ("rounds", "round_scores", "matches", "match_scores")


def person(number: int) -> int:
    """Return the id of one of these people."""
    return FIRST + 1000 * number


async def begin(
    world: TableWorld,
    channel: ChannelId,
    people: tuple[int, ...],
    options: TableOptions,
    computers: int,
    guild_id: GuildId = GUILD,
) -> Game:
    """Start a match of these people, the first as host, with `computers` computer players."""
    host = people[0]
    chairs = new_chairs(options, UserId(person(host)), CALLED[host])
    at = await world.tables.create(
        LobbyPlan(guild_id, channel, UserId(person(host)), options, chairs, computers=computers)
    )
    for number in people[1:]:
        await world.tables.execute(at.id, UserId(person(number)), Join(CALLED[number]))
    return require_game(await world.tables.execute(at.id, UserId(person(host)), Start()))


async def play_on(world: TableWorld, table_id: TableId, steps: int) -> None:
    """Play for everybody with a seat for `steps` steps, or until the match is over."""
    for _ in range(steps):
        at = world.tables.find(table_id)
        if at is None:
            return
        for user_id in at.user_ids():
            now = world.tables.find(table_id)
            if not isinstance(now, Game):
                return
            if now.between_rounds:
                if user_id not in now.notes.ready:
                    await world.tables.execute(table_id, user_id, ready(now))
            else:
                await world.tables.execute(table_id, user_id, ComeBack())
                await world.play_for(table_id, user_id)
        await world.run(0.4)


def ready(now: Game) -> Command:
    """Return the command to continue after the end of a round."""
    return Pause(False) if now.timers.paused else Ready(now.revision)


async def play_to_the_end(world: TableWorld, table_id: TableId) -> None:
    """Play until the match is over."""
    while world.tables.find(table_id) is not None:
        await play_on(world, table_id, 50)


async def shuffled(world: TableWorld, table_id: TableId, number: int, word: str) -> None:
    """Let one of these people add a word to the next shuffle."""
    await world.tables.execute(table_id, UserId(person(number)), Shuffle(word))


async def some_leave(world: TableWorld, table_id: TableId, chance: random.Random) -> None:
    """Let one person leave, unless they are the last."""
    at = world.tables.find(table_id)
    if isinstance(at, Game) and not at.alone:
        await world.tables.execute(table_id, chance.choice(at.user_ids()), LeaveToComputer())


def rows(file: Path, *tables: str) -> dict[str, list[Any]]:
    """Return all rows of these tables."""
    with closing(outside(file)) as read:
        return {name: sorted(read.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}


def of_others(file: Path, user_id: int) -> dict[str, list[Any]]:
    """Return all ratings, leaderboard rows and names but those of this person."""
    found = rows(file, *OF_PEOPLE)
    return {name: [row for row in kept if user_id not in row] for name, kept in found.items()}


def all_rows(file: Path) -> str:
    """Return every value of every table as text."""
    with closing(outside(file)) as read:
        tables = [name for (name,) in read.execute(_ALL_TABLES)]
        return "\n".join(
            repr(row) for name in tables for row in read.execute(f"SELECT * FROM {name}")
        )


def traces(file: Path, user_id: int, name: str) -> list[str]:
    """Return traces of a person in the bytes of a database and its write-ahead log.

    On PostgreSQL only the rows are searched, because its files belong to the server.
    """
    if ON_POSTGRES:
        content = all_rows(file).encode()
    else:
        log = file.with_name(f"{file.name}-wal")
        content = file.read_bytes() + (log.read_bytes() if log.exists() else b"")
    signs = {
        "id as a number": user_id.to_bytes(8, "big", signed=True),
        "id as text": str(user_id).encode(),
        "name": name.encode(),
    }
    return [sign for sign, needle in signs.items() if needle in content]
