"""Writes `tables-0003.sql.xz`: a database of the program before table states were typed.

It needs that program: commit b095a39, the last one with migration 0003 and all of `bot/` in one
folder. With a later one its imports fail. To rewrite the file:

    git worktree add ../before b095a39
    cd ../before
    PYTHONPATH=. python PATH/TO/tests/bot/data/write_tables_0003.py PATH/TO/tests/bot/data

Beside the database it writes `tables-0003.json`: the names and states of the tables in the
notation, so that a test can compare. The plain computer player plays for all people from fixed
seeds, so the same files result each time.
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

from bot.seasons import Seasons

from bot.storage import EVER, Board, Wanted
from bot.table import TableOptions, TableState, seats_to_act
from engine import WINDOW_PHASES, Phase, after_quiet_window, legal_actions, view, write_play
from tests.bot.games import plain_brain
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld, quick

NEWCOMER = 777
"""Member without a seat, to whom seats are offered."""
GAMES = {
    "nanjing": {"target": 1000, "wish_policy": "penalty"},
    "trichu": {"rounds": 9},
    "tientsin": {"target": 1000, "direction": "clockwise"},
    "grandseigneur": {"rounds": None, "dealing": "drawn"},
}
PEOPLE = {"nanjing": 4, "trichu": 3, "tientsin": 6, "grandseigneur": 5}
BOARD_ROUNDS = 20
"""Rounds that a person needs to appear on a leaderboard."""
Wish = Callable[[TableState], bool]


class Writer:
    """Brings tables into the wanted states and records them."""

    def __init__(self, world: TableWorld) -> None:
        self.world = world
        self.names: dict[str, int] = {}
        self.stood: dict[int, dict[str, object]] = {}
        self._channels = iter(range(1, 1000))
        self._brain = plain_brain(1)

    def freeze(self) -> None:
        """Record the state of the open table, whose time stops from now on."""
        for table_id in self.names.values():
            if self.world.tables.find(table_id) is not None:
                self.stood[table_id] = told(self.world.tables.get(table_id))
                self.world.tables._registry.remove(self.world.tables.get(table_id))
                self.world.clock.set(table_id, None, lambda: self.world.tables.alarms.ring(0))

    async def lobby(self, name: str, people: int | None, **given: object) -> TableState:
        """Open a full lobby under a name such as ``nanjing/lobby``, by default of people only.

        `given` are unusual options. Time stops for the earlier tables.
        """
        self.freeze()
        game, _, _ = name.partition("/")
        options: TableOptions = quick(game, **GAMES[game] | given)
        players = PEOPLE[game]
        at = await self.world.lobby(
            next(self._channels), people or players, players, options=options
        )
        self.names[name] = at.id
        return at

    async def match(self, name: str, people: int | None = None, **given: object) -> TableState:
        """Start a match."""
        at = await self.lobby(name, people, **given)
        return await self.world.tables.start(at.id, HOST)

    async def step(self, at: TableState) -> None:
        """Do one step: a person who is waited for acts, or a second passes."""
        at, tables = self.world.tables.get(at.id), self.world.tables
        if at.match is not None and at.match.phase not in (*WINDOW_PHASES, Phase.ROUND_END):
            for seat in seats_to_act(at.match):
                user = at.chairs[at.decider(seat)].user_id
                if user is None:
                    continue
                action = self._brain(view(at.match, seat))
                if action is None:
                    action = next(iter(legal_actions(at.match, seat)))
                await tables.act(at.id, user, at.stamp, lambda _: action, seat)  # noqa: B023
                return
        await self.world.run(1.05)
        if self.world.tables.find(at.id) is not None:
            await self.world.go_on(at.id)

    async def until(self, at: TableState, wish: Wish, steps: int = 3000) -> TableState:
        """Play until the table is in the wanted state."""
        for _ in range(steps):
            now = self.world.tables.find(at.id)
            if now is None or wish(now):
                return now or at
            await self.step(now)
        raise SystemExit(f"table {at.id} never stood as was wished")

    async def keep_premove(self, at: TableState) -> TableState:
        """Store a pre-move for the player after the open window; return the table."""
        assert at.match is not None
        live = after_quiet_window(at.match)
        assert live.round is not None
        seat = live.round.turn
        user = at.chairs[at.decider(seat)].user_id
        assert user is not None
        action = self._brain(view(live, seat))
        assert action is not None
        return await self.world.tables.act(at.id, user, at.stamp, lambda _: action, seat)


def phase(*phases: Phase, after: int = 0) -> Wish:
    """Return a condition: one of these phases after more than `after` actions."""
    return lambda at: at.phase in phases and at.seq > after


def mid_trick(at: TableState) -> bool:
    """Return whether somebody is on turn in a trick that is not the first one."""
    return at.phase is Phase.TURN and at.round is not None and len(at.round.past) > 1


def open_window(at: TableState) -> bool:
    """Return whether a window is open after which the next player is known."""
    if at.phase is not Phase.WINDOW or at.match is None or at.round is None:
        return False
    live = after_quiet_window(at.match)
    return live.phase is Phase.TURN and len(at.round.past) > 0


async def write_game(writer: Writer, game: str) -> None:
    """Write tables of one game in every state."""
    world, tables = writer.world, writer.world.tables
    people = PEOPLE[game]

    if game != "grandseigneur":
        at = await writer.match(f"{game}/grand")
        await writer.until(at, phase(Phase.GRAND))
        await writer.step(at)
        await tables.shuffle(at.id, HOST + 1, "hocus pocus")
    at = await writer.match(f"{game}/exchange")
    at = await writer.until(at, phase(Phase.EXCHANGE))
    await writer.step(at)
    at = await writer.match(f"{game}/lead")
    await writer.until(at, phase(Phase.LEAD, after=12))
    at = await writer.match(f"{game}/turn")
    await writer.until(at, mid_trick)
    at = await writer.match(f"{game}/computers", people=1)
    await writer.until(at, mid_trick)
    if game != "grandseigneur":  # which has no Dragon gift
        at = await writer.match(f"{game}/gift")
        await writer.until(at, phase(Phase.GIFT))

    at = await writer.match(f"{game}/window")
    at = await writer.until(at, open_window)
    await tables.hold_window(at.id, HOST, at.round.number)

    at = await writer.match(f"{game}/premove")
    at = await writer.until(at, open_window)
    await writer.keep_premove(at)

    at = await writer.match(f"{game}/auto-pass")
    at = await writer.until(at, mid_trick)
    trick = f"{at.round.number}.{len(at.round.past)}"
    for chair in at.people():
        if chair.seat != at.decider(at.round.turn):
            await tables.pass_this_trick(at.id, chair.user_id, trick, True)

    at = await writer.match(f"{game}/offer")
    at = await writer.until(at, mid_trick)
    await tables.offer_seat(at.id, HOST + 1, NEWCOMER, "Eve")

    at = await writer.match(f"{game}/left")
    at = await writer.until(at, mid_trick)
    await tables.leave_to_computer(at.id, HOST + 1, "Robot")

    at = await writer.match(f"{game}/votes")
    at = await writer.until(at, mid_trick)
    for number in range(people // 2):
        await tables.vote_stop(at.id, HOST + number, moderator=False)

    at = await writer.match(f"{game}/away")
    at = await writer.until(at, mid_trick)
    seat = at.decider(at.round.turn)
    while seat not in world.tables.get(at.id).desk.away:
        await world.run(1)
    for _ in range(20):
        if mid_trick(tables.get(at.id)):
            break
        await writer.step(at)

    at = await writer.match(f"{game}/between")
    await writer.until(at, phase(Phase.ROUND_END))
    await tables.remember(at.id, table_message_id=4711, result_message_id=4712, message_round=1)
    at = await writer.match(f"{game}/paused")
    await writer.until(at, phase(Phase.ROUND_END))
    await tables.pause(at.id, HOST, True)

    if game == "grandseigneur":
        at = await writer.match(f"{game}/last-round")
        at = await writer.until(at, mid_trick)
        for number in range(people // 2 + 1):
            await tables.vote_stop(at.id, HOST + number, moderator=False)

    given = {"rounds": 3} if game in ("trichu", "grandseigneur") else {"target": 300}
    at = await writer.match(f"{game}/finished", **given)
    await writer.until(at, lambda _: False)


async def write_board(writer: Writer) -> None:
    """Play enough rounds for the leaderboard: two people with two computer players."""
    rounds = 0
    while rounds < BOARD_ROUNDS:
        name = f"nanjing/board-{rounds}"
        at = await writer.match(name, people=2)
        await writer.until(at, lambda _: False)
        rounds += len(await writer.world.store.rounds(at.id))


async def write_lobbies(writer: Writer) -> None:
    """Open a lobby of each game, last because untouched lobbies soon close."""
    for game in GAMES:
        at = await writer.lobby(f"{game}/lobby", 2)
        await writer.world.tables.remove_computer(at.id, HOST)
        await writer.world.tables.shuffle(at.id, HOST, "abracadabra")
    writer.freeze()


async def write_settings(world: TableWorld) -> None:
    """Store choices of people and servers."""
    await world.store.choose(HOST, Wanted(worldwide=True), "ada")
    await world.store.choose(HOST + 2, Wanted(hidden=True), "cleo")
    await Seasons(world.store, world.clock).choose_channel(GUILD, 4242)
    await world.store.set_state("synced-commands", "a digest")


def told(at: TableState) -> dict[str, object]:
    """Return the state of a running table: its phase, whose turn it is, all hands."""
    found: dict[str, object] = {"status": at.status, "seq": at.seq}
    if at.round is not None and at.phase is not None:
        found["phase"] = at.phase.value
        found["round"] = at.round.number
        found["turn"] = at.round.turn
        found["hands"] = [write_play(hand.cards, None) for hand in at.round.hands]
    if at.desk.premoves:
        found["premoves"] = {str(seat): text for seat, text in at.desk.premoves.items()}
    for name in ("auto_pass", "away", "votes"):
        if getattr(at.desk, name):
            found[name] = list(getattr(at.desk, name))
    if at.desk.offers:
        found["offers"] = {str(seat): user for seat, user in at.desk.offers.items()}
    if at.desk.paused or at.desk.last_round:
        found["paused"], found["last_round"] = at.desk.paused, at.desk.last_round
    if at.desk.words:
        found["words"] = {str(user): word for user, word in at.desk.words.items()}
    return found


async def leaders(world: TableWorld) -> list[dict[str, object]]:
    """Return the Nanjing leaderboard by rating."""
    found = await world.store.leaders(Board(GUILD, "nanjing", EVER, "rating"), 0, 10)
    return [{"user": at.user_id, "name": at.name, "value": at.value} for at in found.places]


async def main(folder: Path) -> None:
    """Write both files into a folder."""
    random.seed(1)  # the pauses of computer players
    with tempfile.TemporaryDirectory() as scratch:
        world = TableWorld(Path(scratch), limit=1000)
        await world.open()
        writer = Writer(world)
        for game in GAMES:
            await write_game(writer, game)
        await write_board(writer)
        await write_lobbies(writer)
        await write_settings(world)
        tables = {}
        for name, table_id in writer.names.items():
            stood = writer.stood.get(table_id, {"status": "over"})
            tables[name] = {"id": table_id, **stood}
        board = await leaders(world)
        await world.close()
        with contextlib.closing(sqlite3.connect(f"{scratch}/tichu.db")) as connection:
            dump = "\n".join(connection.iterdump())
    about = {"now": world.time.now().isoformat(), "board": board, "tables": tables}
    (folder / "tables-0003.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    (folder / "tables-0003.sql.xz").write_bytes(lzma.compress(dump.encode(), preset=9))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
