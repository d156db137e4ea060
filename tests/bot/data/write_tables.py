"""Writes `tables-NNNN.sql.xz`: a database as left by the program with schema NNNN.

It runs with that program and its tests, never with the current one. The last commit of each schema,
without 0003, which has a script of its own (`write_tables_0003.py`):

0001 467aab8    0002 6160df3    0004 6dbe651    0005 c2108d6    0006 956abdb    0007 40188f5
0010 dc98e19    0013 2a81383    0016 50fbd1b    0017 1054c04

To rewrite a file, for example that of 0004:

    git worktree add ../before 6dbe651
    cd ../before
    PYTHONPATH=. python PATH/TO/tests/bot/data/write_tables.py PATH/TO/tests/bot/data

Beside the database it writes `tables-NNNN.json`, which holds the state that the program read from
it, so that a test can compare. The plain computer player plays for all people from fixed seeds, so
the same matches result each time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import lzma
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.cards import cards_text
from engine.view import view
from tests.bot.games import plain_brain
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld, quick

try:
    from bot.table.state import seats_to_act
except ImportError:  # 0001 and 0002
    from bot.table import seats_to_act

PEOPLE = {"nanjing": 4, "trichu": 3, "tientsin": 6, "grandseigneur": 5}
SHORT = {
    "nanjing": {"target": 200},
    "trichu": {"rounds": 3},
    "tientsin": {"target": 200},
    "grandseigneur": {"rounds": 2},
}
LONG = {
    "nanjing": {"target": 1000, "wish_policy": "penalty"},
    "trichu": {"rounds": 9},
    "tientsin": {"target": 1000, "direction": "clockwise"},
    "grandseigneur": {"rounds": None, "dealing": "drawn"},
}
PATIENT = {"turn_limit_s": 900, "nudge_s": 600}
"""Options with which nobody becomes absent while other tables are played."""
MOST_STEPS = 3000
BOARD_ROUNDS = 20
"""Rounds that a person needs to appear on a leaderboard."""
Wish = Callable[[Any], bool]


class Writer:
    """Brings tables into the wanted states."""

    def __init__(self, world: TableWorld) -> None:
        self.world = world
        self.old = hasattr(world.tables, "act")
        """True for a program with schema 0001 or 0002, which has a method for each command."""
        self.names: dict[str, int] = {}
        self._channels = iter(range(1, 1000))
        self._brain = plain_brain(1)

    async def lobby(self, name: str, people: int | None, **given: object) -> Any:
        """Open a full lobby under a name such as ``nanjing/lobby``, by default of people only."""
        game = name.partition("/")[0]
        players = PEOPLE[game]
        options = quick(game, **{**PATIENT, **given})
        channel = next(self._channels)
        at = await self.world.lobby(channel, people or players, players, options=options)
        self.names[name] = at.id
        return at

    async def match(self, name: str, people: int | None = None, **given: object) -> Any:
        """Start a match."""
        at = await self.lobby(name, people, **given)
        if self.old:
            return await self.world.tables.start(at.id, HOST)
        return await self.execute(at.id, HOST, "lobby", "Start")

    async def execute(self, table_id: int, user: int, room: str, name: str, *given: Any) -> Any:
        """Execute a command of later programs, from a module of `bot/table/commands`."""
        commands = __import__(f"bot.table.commands.{room}", fromlist=[name])
        return await self.world.tables.execute(table_id, user, getattr(commands, name)(*given))

    async def step(self, table_id: int) -> None:
        """Do one step: a person who is waited for acts, or a second passes."""
        at = self.world.tables.find(table_id)
        if phase(at) not in ("WINDOW", "CLOSING", "ROUND_END"):
            for seat in seats_to_act(at.match):
                user = at.chairs[at.decider(seat)].user_id
                action = self._brain(view(at.match, seat))
                if user is None or action is None:
                    continue
                if self.old:
                    await self.world.tables.act(at.id, user, at.stamp, lambda _: action, seat)  # noqa: B023
                else:
                    await self.execute(at.id, user, "play", "Act", action, at.revision)
                return
        elif phase(at) == "ROUND_END" and len(list(at.people())) == 1:
            with contextlib.suppress(AttributeError):  # since 0006 they have no turn limit
                await self.execute(at.id, HOST, "match", "Ready", at.revision)
        await self.world.run(1.05)

    async def until(self, at: Any, wish: Wish) -> Any:
        """Play until the table is in the wanted state or over."""
        for _ in range(MOST_STEPS):
            now = self.world.tables.find(at.id)
            if now is None or wish(now):
                return now
            await self.step(at.id)
        raise SystemExit(f"table {at.id} never stood as was wished")


def phase(at: Any) -> str:
    """Return the name of the phase of a match; empty in a lobby."""
    match = getattr(at, "match", None)
    if match is None or match.round is None:
        return ""
    found = getattr(match, "phase", None) or match.round.phase
    return str(found.name)


def mid_trick(at: Any) -> bool:
    """Return whether a person is on turn in a later trick of the second round."""
    round_ = at.match.round
    if phase(at) != "TURN" or round_.number < 2 or not round_.past:
        return False
    return at.chairs[at.decider(round_.turn)].kind == "person"


async def write_game(writer: Writer, game: str) -> None:
    """Write tables of one game: finished, stopped, and running in several phases."""
    world, tables = writer.world, writer.world.tables
    at = await writer.match(f"{game}/finished", people=2, **SHORT[game])
    await writer.until(at, lambda _: False)
    at = await writer.match(f"{game}/stopped", **LONG[game])
    await writer.until(at, mid_trick)
    if writer.old:
        await tables.vote_stop(at.id, HOST, moderator=True)
    else:
        await writer.execute(at.id, HOST, "match", "VoteToStop", True)
    at = await writer.match(f"{game}/turn", **LONG[game])
    await writer.until(at, mid_trick)
    at = await writer.match(f"{game}/computers", people=1, **LONG[game])
    await writer.until(at, mid_trick)
    at = await writer.match(f"{game}/left-alone", **LONG[game])
    at = await writer.until(at, lambda at: phase(at) == "EXCHANGE")
    await writer.step(at.id)
    assert world.tables.find(at.id) is not None


async def write_board(writer: Writer) -> None:
    """Play enough rounds for the leaderboard: two people with two computer players."""
    rounds = 0
    while rounds < BOARD_ROUNDS:
        at = await writer.match(f"nanjing/board-{rounds}", people=2, **SHORT["nanjing"])
        await writer.until(at, lambda _: False)
        rounds += len(await stored(writer, "rounds", at.id))


async def write_lobbies(writer: Writer) -> None:
    """Open a lobby of each game with a free seat, last because lobbies soon close."""
    for game in PEOPLE:
        at = await writer.lobby(f"{game}/lobby", 2)
        seat = max(chair.seat for chair in at.chairs if chair.kind == "computer")
        if writer.old:
            await writer.world.tables.remove_computer(at.id, HOST)
            await writer.world.tables.shuffle(at.id, HOST, "abracadabra")
            continue
        try:
            await writer.execute(at.id, HOST, "lobby", "RemoveComputer")
        except AttributeError:  # since 0005
            await writer.execute(at.id, HOST, "lobby", "Remove", seat, at.revision)
        await writer.execute(at.id, HOST, "match", "Shuffle", "abracadabra")


async def write_settings(writer: Writer) -> dict[str, object]:
    """Store choices of people and servers; return those that a test compares."""
    store: Any = writer.world.store
    if hasattr(store, "set_state"):
        await store.set_state("synced-commands", "a digest")
        return {}
    from bot.score_records import Preferences

    settings = getattr(store, "settings", None)  # one service for everything, up to 0018
    if settings is None:
        preferences, choose_channel = store.preferences, store.honours.choose_channel
        keep, choose_personal = store.app_state.keep, store.personal_settings.choose
    else:
        preferences, choose_channel = settings, settings.choose_honours_channel
        keep, choose_personal = settings.keep, getattr(settings, "choose_personal", None)
    await preferences.choose(HOST, Preferences(worldwide=True), "ada")
    await preferences.choose(HOST + 2, Preferences(hidden=True), "cleo")
    await choose_channel(GUILD, 4242, "2031-05")
    await keep("synced-commands", "a digest")
    told: dict[str, object] = {"worldwide": [HOST], "hidden": [HOST + 2], "honours": 4242}
    if choose_personal is not None:
        from bot.records import PersonalSettings

        own = PersonalSettings(cards="text", sorting="combination", more_time=True)
        await choose_personal(HOST, own)
        told["personal"] = own.model_dump()
    return told


async def stored(writer: Writer, what: str, table_id: int) -> Any:
    """Return the rounds or the match of a table as the program reads them."""
    store = writer.world.store
    return await getattr(getattr(store, "history", store), what)(table_id)


async def told(writer: Writer, table_id: int) -> dict[str, object]:
    """Return the state of a table: its rounds, its match result and, while it runs, all hands."""
    rounds = await stored(writer, "rounds", table_id)
    match = await stored(writer, "match", table_id)
    found: dict[str, object] = {
        "id": table_id,
        "status": "over" if match is None else match.reason,
        "rounds": [[[score.score, score.total] for score in round_.scores] for round_ in rounds],
        "places": [[seat.place for seat in round_.seats] for round_ in rounds],
    }
    if match is not None:
        found["totals"] = [[score.total, score.won] for score in match.scores]
    at = writer.world.tables.find(table_id)
    if at is None:
        return found
    found |= {"status": at.status, "phase": phase(at), "seq": getattr(at, "seq", 0)}
    match_now = getattr(at, "match", None)
    if match_now is not None:
        round_now = match_now.round
        found |= {"round": round_now.number, "turn": round_now.turn}
        found["hands"] = [cards_text(hand.cards) for hand in round_now.hands]
    return found


async def boards(writer: Writer) -> dict[str, object]:
    """Return the server's leaderboards and the ratings of its people, where they exist."""
    rankings = getattr(writer.world.store, "rankings", None)
    if rankings is None:
        return {}
    from bot.score_records import EVER, Board

    board = await rankings.leaders(Board(GUILD, "nanjing", EVER, "rating"), 0, 10)
    found: dict[str, object] = {
        "board": [[at.user_id, at.name, at.value, *at.tally] for at in board.places]
    }
    for game in PEOPLE:
        ratings = await rankings.ratings(GUILD, game, range(HOST, HOST + 12))
        found[game] = {str(user): list(rating) for user, rating in sorted(ratings.items())}
    return found


async def main(folder: Path) -> None:
    """Write both files into a folder."""
    random.seed(1)  # the pauses of computer players
    with tempfile.TemporaryDirectory() as scratch:
        world = TableWorld(Path(scratch), limit=1000)
        await world.open()
        writer = Writer(world)
        for game in PEOPLE:
            await write_game(writer, game)
        await write_board(writer)
        await write_lobbies(writer)
        settings = await write_settings(writer)
        tables = {name: await told(writer, table_id) for name, table_id in writer.names.items()}
        about = {
            "now": world.time.now().isoformat(),
            "settings": settings,
            "scores": await boards(writer),
            "tables": tables,
        }
        await world.close()
        with contextlib.closing(sqlite3.connect(f"{scratch}/tichu.db")) as connection:
            dump = "\n".join(connection.iterdump())
            ((version,),) = connection.execute("SELECT version_num FROM alembic_version")
    text = json.dumps(about, separators=(",", ":"))
    (folder / f"tables-{version}.json").write_text(text + "\n", "utf-8")
    (folder / f"tables-{version}.sql.xz").write_bytes(lzma.compress(dump.encode(), preset=9))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
