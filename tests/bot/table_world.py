"""Tables on a real store in simulated time: the application without Discord."""

from __future__ import annotations

import asyncio
import math
import random
from pathlib import Path
from typing import Any, get_args

from bot.computers.background_tasks import Pool
from bot.computers.decision_scheduler import DecisionScheduler
from bot.ids import ChannelId, TableId, UserId
from bot.live.events import Committed, EventDispatcher, LiveEvent, Waiting
from bot.live.leases import Leases
from bot.live.service import Tables
from bot.runtime.clock import Clock
from bot.runtime.shards import Shards
from bot.storage import Store
from bot.table.action_log import replay
from bot.table.commands import (
    AddComputer,
    ComeBack,
    GoOn,
    Join,
    Pause,
    Start,
)
from bot.table.dealing import Prepare, nothing_prepared
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.options import TableOptions
from bot.table.permission import require_game, require_lobby
from bot.table.restore import restore_table
from bot.table.state import Game, Lobby, OpenTable
from engine import Options
from engine.fair_deal import SECRET_BYTES
from tests.bot import open_calls
from tests.bot.asking import act, played
from tests.bot.brains import Brain
from tests.bot.databases import open_store
from tests.bot.fake_time import FakeTime, settle
from tests.bot.games import any_manner, plain_brain
from tests.bot.states import GUILD, HOST, PEOPLE

QUICK = TableOptions(
    rules=Options(bomb_window_ms=1000, target=100), pace="quick", turn_limit_s=20, nudge_s=10
)


PATIENT = QUICK.model_copy(update={"turn_limit_s": 100, "nudge_s": 70})
"""Options with long limits, so that nobody has clicked shortly before a nudge."""


def quick(variant: str, **given: Any) -> TableOptions:
    """Return the short options `QUICK` for another game."""
    short = {
        "nanjing": {"target": 100},
        "trichu": {"rounds": 3},
        "tientsin": {"target": 100},
        "grandseigneur": {"rounds": 2},
    }
    own = {name: given.pop(name) for name in list(given) if name in TableOptions.model_fields}
    rules = {"bomb_window_ms": 1000} | short.get(variant, {}) | given
    return QUICK.model_copy(update={"rules": Options(variant=variant, **rules), **own})


open_calls.counted()


class Heard:
    """Listener that records events."""

    def __init__(self) -> None:
        self.news: list[Committed] = []
        self.nudges: list[tuple[int, tuple[int, ...]]] = []
        self.others: list[LiveEvent] = []

    def hear(self, event: LiveEvent) -> None:
        """Record an event by its kind."""
        if isinstance(event, Committed):
            self.news.append(event)
        elif isinstance(event, Waiting):
            self.nudges.append((event.state.id, event.user_ids))
        else:
            self.others.append(event)


class TableWorld:
    """The open tables of one bot with store and clock; `reopen` is a restart.

    With `hurried` people may open any number of tables in a row.
    """

    store: Store
    tables: Tables

    def __init__(
        self,
        folder: Path,
        seed: int = 1,
        *,
        brain: Brain | None = None,
        pool: Pool | None = None,
        limit: int = 25,
        own_limit: int = 25,
        hurried: bool = True,
        busy_ms: int = 50,
        shards: Shards | None = None,
    ) -> None:
        self.file = folder / "tichu.db"
        self.time = FakeTime()
        self.heard = Heard()
        self.limit = limit
        self.own_limit = own_limit
        self.hurried = hurried
        self.busy_ms = busy_ms
        self.shards = shards
        self.lease_s = 30.0
        self.brain = brain or plain_brain(seed)
        self.pool = pool
        self.chance = random.Random(seed)
        self.prepare: Prepare = nothing_prepared

    async def open(self, *, wake: bool = True) -> list[OpenTable]:
        """Open the store and its tables; `wake` says whether Discord is ready."""
        self.store = await open_store(self.file, busy_ms=self.busy_ms)
        self.clock = Clock(self.time.now, self.time.sleep)
        self.scheduler = DecisionScheduler(
            self.time.now, any_manner(self.brain), self.pool, random.Random(1)
        )
        self.events = EventDispatcher()
        self.leases = Leases(
            self.store.leases, self.clock, self.events, self.shards, lasts_s=self.lease_s
        )
        await self.leases.begin()
        self.tables = Tables(
            self.store,
            self.clock,
            self.scheduler,
            max_per_guild=self.limit,
            max_per_user=self.own_limit,
            draw_secret=lambda: self.chance.randbytes(SECRET_BYTES),
            prepare=lambda state: self.prepare(state),
            events=self.events,
            leases=self.leases,
        )
        if self.hurried:
            self.tables.limits.openings.burst = math.inf
        for kind in get_args(LiveEvent):
            self.events.subscribe(kind, lambda event: self.heard.hear(event))
        found = await self.tables.open()
        if wake:
            self.tables.activate_all()
        return found

    async def close(self) -> None:
        """Stop the timers and close the store."""
        self.tables.close()
        await self.leases.close()
        await self.store.close()

    async def reopen(self) -> list[OpenTable]:
        """Restart as after a crash, with the stored state only."""
        await self.close()
        return await self.open()

    async def lobby(
        self,
        channel: ChannelId = ChannelId(1),
        people: int | None = None,
        players: int | None = None,
        **given: Any,
    ) -> Lobby:
        """Open a lobby of `players`, the first `people` of them people (101 is the host).

        By default there are as many `players` as the game needs, all of them people.
        """
        options = given.pop("options", QUICK)
        players = players or options.game.people.start
        chairs = given.pop("chairs", None) or new_chairs(options, HOST, PEOPLE[0])
        at: OpenTable = await self.tables.create(
            LobbyPlan(GUILD, channel, HOST, options, chairs, **given)
        )
        people = players if people is None else people
        for number in range(1, people):
            at = await self.tables.execute(at.id, UserId(HOST + number), Join(PEOPLE[number]))
        for seat in range(people, players):
            at = await self.tables.execute(at.id, HOST, AddComputer(seat, at.revision))
        return require_lobby(at)

    async def match(
        self,
        channel: ChannelId = ChannelId(1),
        people: int | None = None,
        players: int | None = None,
        **given: Any,
    ) -> Game:
        """Start a match of `players`, the first `people` of them people, the others computers."""
        at = await self.lobby(channel, people, players, **given)
        return require_game(await self.tables.execute(at.id, HOST, Start()))

    def game(self, table_id: TableId) -> Game:
        """Return the open table as a running game; fail if it is a lobby."""
        return played(self.tables.get(table_id))

    async def resume(self, table_id: TableId) -> None:
        """Let the first person of a deserted table resume it."""
        at = self.tables.find(table_id)
        if at is not None and at.yields:
            first = next(at.people()).user_id
            assert first is not None
            await self.tables.execute(table_id, first, Pause(False))

    async def play_for(self, table_id: TableId, user_id: UserId) -> None:
        """Act for this person like a computer player, with each awaited hand."""
        at = self.game(table_id)
        chair = at.seat_of(user_id)
        assert chair is not None
        for seat in at.seats_of_chair(chair):
            if self.tables.find(table_id) is None:
                return  # the first hand has ended the match
            at = self.game(table_id)
            if seat in at.awaited_seats:
                if seat == at.awaited_in_window and seat != at.round.turn:
                    await self.tables.execute(table_id, user_id, GoOn(at.revision))
                    continue
                action = plain_brain(1)(at.situation(seat).upcoming)
                assert action is not None
                await act(self.tables, table_id, user_id, at.revision, lambda _: action, seat)  # noqa: B023

    async def all_back(self, table_id: TableId) -> Game:
        """Let all absent people of this table return."""
        for chair in self.tables.get(table_id).people():
            assert chair.user_id is not None
            await self.tables.execute(table_id, chair.user_id, ComeBack())
        return self.game(table_id)

    async def quiet(self) -> None:
        """Wait until all due work is done and every table waits for its timer."""
        while True:
            await open_calls.answered()
            armed: float = sum(table.timers.next is not None for table in self.tables.all())
            if self.shards is not None:  # the renewal of leases, and the timer at their end
                armed += 1 + any(held for _, held in self.leases.held())
                if any(task.get_name() == "leases-follow" for task in asyncio.all_tasks()):
                    armed = math.inf  # the poll for changes by others
            if len(self.time.alarms) >= armed:
                return
            await asyncio.sleep(0.0005)

    async def run(self, seconds: float) -> None:
        """Advance time; work due at a moment is done before the next moment comes."""
        end = self.time.seconds_from_now(seconds)
        await self.quiet()
        while self.time.alarms and self.time.alarms[0] <= end:
            self.time.jump(self.time.alarms[0])
            await self.quiet()
        self.time.jump(end)
        await self.quiet()

    async def check_stored(self, table_id: TableId) -> None:
        """Check that the stored table equals the open one."""
        await settle()  # a commit in flight would differ
        record = await self.store.tables.get(table_id)
        assert record is not None
        actions = await self.store.tables.actions(table_id)
        at = self.tables.get(table_id)
        assert restore_table(record, actions) == at
        assert record.seq == len(actions)
        if isinstance(at, Game):
            assert at.seq == len(actions)
            assert replay(at.options.rules, actions) == at.match
        else:
            assert actions == []
