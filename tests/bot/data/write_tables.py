"""Writes `tables-VERSION.sql.xz`, a database with running tables, at each release.

    python -m tests.bot.data.write_tables 1.1

It runs with the program and the tests of that version, before any later migration is written.
Beside the database it writes `tables-VERSION.json` with the state that this program reads from it
(`tests.bot.stored_versions`). The plain computer player plays for all people from fixed seeds, so
the same matches result each time. The files of version 0.1 are of the last state of the program
before version 1.0, commit c30af5e9cb44.
"""

from __future__ import annotations

import asyncio
import json
import lzma
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.ids import ChannelId, TableId, UserId
from bot.records import PersonalSettings
from bot.score_records import Preferences
from bot.table.commands import (
    Act,
    OfferSeat,
    PassTrick,
    Pause,
    Ready,
    Remove,
    Shuffle,
    VoteToStop,
)
from bot.table.state import Game, Lobby, seats_to_act, trick_id
from engine import WINDOW_PHASES, Phase, after_quiet_window, legal_actions, view
from tests.bot.games import plain_brain
from tests.bot.states import GUILD, HOST, PEOPLE
from tests.bot.stored_versions import GAMES, NEWCOMER, scores, settings, table_state
from tests.bot.table_world import TableWorld, quick

FOLDER = Path(__file__).parent
CHAIRS = {"nanjing": 4, "trichu": 3, "tientsin": 6, "grandseigneur": 5}
SHORT: dict[str, dict[str, Any]] = {
    "nanjing": {"target": 200},
    "trichu": {"rounds": 3},
    "tientsin": {"target": 200},
    "grandseigneur": {"rounds": 2},
}
LONG: dict[str, dict[str, Any]] = {
    "nanjing": {"target": 1000, "wish_policy": "penalty"},
    "trichu": {"rounds": 9},
    "tientsin": {"target": 1000, "direction": "clockwise"},
    "grandseigneur": {"rounds": None, "dealing": "drawn"},
}
MOST_STEPS = 3000
BOARD_ROUNDS = 20
"""Rounds that a person needs to appear on a leaderboard."""
Condition = Callable[[Game], bool]


class Writer:
    """Brings tables into the wanted states."""

    def __init__(self, world: TableWorld) -> None:
        self.world = world
        self.names: dict[str, TableId] = {}
        self._brain = plain_brain(1)

    def freeze(self) -> None:
        """Stop the time of all open tables."""
        for state in list(self.world.tables.all()):
            self.world.tables._registry.remove(state)
            self.world.clock.cancel(state.id)

    async def lobby(self, name: str, people: int | None, **given: Any) -> Lobby:
        """Open a full lobby under a name such as ``nanjing/lobby``, by default of people only."""
        self.freeze()
        game = name.partition("/")[0]
        channel = ChannelId(len(self.names) + 1)
        options = quick(game, **given)
        at = await self.world.lobby(channel, people, CHAIRS[game], options=options)
        self.names[name] = at.id
        return at

    async def match(self, name: str, people: int | None = None, **given: Any) -> Game:
        """Start a match, by default a long one."""
        game = name.partition("/")[0]
        self.freeze()
        channel = ChannelId(len(self.names) + 1)
        options = quick(game, **(given or LONG[game]))
        at = await self.world.match(channel, people, CHAIRS[game], options=options)
        self.names[name] = at.id
        return at

    async def step(self, at: Game) -> None:
        """Let an awaited person act, or a second pass."""
        at = self.world.game(at.id)
        if at.phase not in (*WINDOW_PHASES, Phase.ROUND_END):
            for seat in seats_to_act(at.match):
                user = at.chairs[at.decider(seat)].user_id
                if user is not None:
                    seen = view(at.match, seat)
                    action = self._brain(seen) or next(iter(legal_actions(at.match, seat)))
                    await self.world.tables.execute(at.id, user, Act(action, at.revision))
                    return
        elif at.phase is Phase.ROUND_END and len(list(at.people())) == 1:
            await self.world.tables.execute(at.id, HOST, Ready(at.revision))
        await self.world.run(1.05)

    async def until(self, at: Game, condition: Condition) -> Game:
        """Play until the table is in the wanted state or over."""
        for _ in range(MOST_STEPS):
            now = self.world.tables.find(at.id)
            if not isinstance(now, Game) or condition(now):
                return now if isinstance(now, Game) else at
            await self.step(now)
        raise SystemExit(f"table {at.id} was never in the wanted state")


def is_mid_trick(at: Game) -> bool:
    """Return whether a person is on turn in a later trick of the second round."""
    if at.phase is not Phase.TURN or at.round.number < 2 or not at.round.past:
        return False
    return at.chairs[at.decider(at.round.turn)].kind == "person"


def is_open_window(at: Game) -> bool:
    """Return whether a window is open after which the next player is known."""
    return (
        at.phase is Phase.WINDOW
        and after_quiet_window(at.match).phase is Phase.TURN
        and len(at.round.past) > 0
    )


async def write_game(writer: Writer, game: str) -> None:
    """Write tables of one game, over and in several states.

    A vote stops a match, or makes its round the last one (Grand Seigneur).
    """
    execute = writer.world.tables.execute
    at = await writer.match(f"{game}/finished", people=2, **SHORT[game])
    await writer.until(at, lambda _: False)
    at = await writer.match(f"{game}/ending")
    await writer.until(at, is_mid_trick)
    await execute(at.id, HOST, VoteToStop(moderator=True))
    at = await writer.match(f"{game}/computers", people=1)
    await writer.until(at, is_mid_trick)
    at = await writer.match(f"{game}/exchange")
    at = await writer.until(at, lambda at: at.phase is Phase.EXCHANGE)
    await writer.step(at)
    at = await writer.match(f"{game}/between")
    await writer.until(at, lambda at: at.phase is Phase.ROUND_END)
    await execute(at.id, HOST, Pause(True))

    at = await writer.match(f"{game}/turn")
    at = await writer.until(at, is_mid_trick)
    await execute(at.id, HOST, VoteToStop())
    await execute(at.id, UserId(HOST + 1), OfferSeat(NEWCOMER, "Eve"))
    await execute(at.id, HOST, Shuffle("hocus pocus"))
    for chair in at.people():
        if chair.seat != at.decider(at.round.turn) and chair.user_id is not None:
            await execute(at.id, chair.user_id, PassTrick(chair.seat, True, trick_id(at.round)))

    at = await writer.match(f"{game}/premove")
    at = await writer.until(at, is_open_window)
    upcoming = after_quiet_window(at.match)
    assert upcoming.round is not None
    seat = upcoming.round.turn
    user, action = at.chairs[at.decider(seat)].user_id, plain_brain(1)(view(upcoming, seat))
    assert user is not None
    assert action is not None
    await execute(at.id, user, Act(action, at.revision))


async def write_board(writer: Writer) -> None:
    """Play enough rounds for the leaderboard: two people with two computer players."""
    rounds = 0
    while rounds < BOARD_ROUNDS:
        at = await writer.match(f"nanjing/board-{rounds}", people=2, **SHORT["nanjing"])
        await writer.until(at, lambda _: False)
        rounds += len(await writer.world.store.history.rounds(at.id))


async def write_lobbies(writer: Writer) -> None:
    """Open a lobby of each game with a free seat."""
    for game in GAMES:
        at = await writer.lobby(f"{game}/lobby", 2)
        seat = max(chair.seat for chair in at.chairs if chair.kind == "computer")
        await writer.world.tables.execute(at.id, HOST, Remove(seat, at.revision))
        await writer.world.tables.execute(at.id, HOST, Shuffle("abracadabra"))


async def write_settings(world: TableWorld) -> None:
    """Store choices of people and servers."""
    store = world.store
    await store.preferences.choose(HOST, Preferences(worldwide=True), PEOPLE[0])
    await store.preferences.choose(UserId(HOST + 2), Preferences(hidden=True), PEOPLE[2])
    await store.monthly_rankings.choose_channel(GUILD, ChannelId(4242), "2031-05")
    own = PersonalSettings(cards="text", sorting="combination", more_time=True)
    await store.personal_settings.choose(HOST, own)


async def main(version: str) -> None:
    """Write both files of this version."""
    random.seed(1)  # the pauses of computer players
    with tempfile.TemporaryDirectory() as scratch:
        world = TableWorld(Path(scratch), limit=1000, own_limit=1000)
        await world.open()
        writer = Writer(world)
        for game in GAMES:
            await write_game(writer, game)
        await write_board(writer)
        await write_lobbies(writer)
        await write_settings(world)
        writer.freeze()
        await world.close()
        with closing(sqlite3.connect(world.file)) as connection:
            dump = "\n".join(connection.iterdump())
        await world.open(wake=False)
        state = {
            "now": world.time.now().isoformat(),
            "settings": await settings(world),
            "scores": await scores(world),
            "tables": {
                name: await table_state(world, table_id) for name, table_id in writer.names.items()
            },
        }
        await world.close()
    text = json.dumps(state, separators=(",", ":"))
    (FOLDER / f"tables-{version}.json").write_text(f"{text}\n", "utf-8")
    (FOLDER / f"tables-{version}.sql.xz").write_bytes(lzma.compress(dump.encode(), preset=9))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
