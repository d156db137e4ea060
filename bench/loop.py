"""Delays of the event loop while many tables of four Experts play, and late decisions.

Tables, storage, pages and worker processes are the real ones, in real time; only Discord is
simulated. A request takes a while and costs discord.py's work before sending. Called by `python -m
bench`.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from random import Random
from time import perf_counter, thread_time
from types import SimpleNamespace
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import discord

from bot.art.emojis import Emojis
from bot.client import TichuBot
from bot.computers.decision_scheduler import DecisionScheduler
from bot.computers.worker_pool import PLAYERS, Workers
from bot.doctor.behaviour import DiscordBehaviour
from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.live.events import Committed, EventDispatcher
from bot.live.service import Tables
from bot.rating.ledger import LEDGER
from bot.records import Change, SeatRecord
from bot.runtime.clock import Clock
from bot.runtime.gc_schedule import GarbageSchedule
from bot.runtime.inflight import InFlight
from bot.storage import Store
from bot.table.commands import Act, Command, GoOn, Start
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.options import TableOptions
from bot.table.solo_game import SoloGame
from bot.table.state import Game
from cogs.delivery.announcer import Announcer
from engine import Action, Options, View
from players.boards import PERSON
from players.levels import choose
from players.manners import Manner

_TICK = 0.001
_REQUEST = 0.05
_WARM_UP_SECONDS = 10.0
_THOUGHT = 0.5
"""Seconds in which a person thinks about a choice in the deal of the day."""


class LoopDelays(NamedTuple):
    """The measurements of one run."""

    tables: int
    """The number of tables."""
    workers: int
    """The number of worker processes."""
    seconds: float
    """The duration of the measurement."""
    changes: int
    """The number of committed changes."""
    asked: int
    """The number of decisions that were due."""
    late: int
    """The number of decisions without a worker's answer in time."""
    latest: float
    """The longest delay of a change in seconds."""
    waits: tuple[float, ...]
    """Milliseconds of delay of each callback of `_Pulse`."""
    works: tuple[float, ...]
    """Milliseconds of the loop thread's computing time between two callbacks."""
    choices: tuple[float, ...]
    """Milliseconds until a choice in a round of the deal of the day was answered and stored."""

    def within(self, times: Sequence[float], share: float) -> float:
        """Return the milliseconds that this share of the times (0 to 1) do not exceed."""
        return sorted(times)[int(share * (len(times) - 1))]


class _Pulse:
    """A callback every millisecond that records its delay."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.works: list[float] = []
        self._last = perf_counter(), thread_time()
        self._beat()

    def _beat(self) -> None:
        """Record the delay of this beat and schedule the next one."""
        now = perf_counter(), thread_time()
        self.waits.append(1000 * max(0.0, now[0] - self._last[0] - _TICK))
        self.works.append(1000 * (now[1] - self._last[1]))
        self._last = now
        asyncio.get_running_loop().call_later(_TICK, self._beat)

    def forget(self) -> None:
        """Drop the records so far."""
        self.waits.clear()
        self.works.clear()


class _Channel:
    """Fake Discord channel that serialises messages and answers after a delay."""

    _ids = count(discord.utils.time_snowflake(datetime.now(UTC)) + 1)

    async def send(self, content: str | None = None, **given: Any) -> Any:
        """Send a message; return it with its id."""
        await self._request(content, **given)
        return SimpleNamespace(id=next(self._ids))

    def get_partial_message(self, message_id: MessageId) -> Any:
        """Return a message that can be edited or deleted."""
        message = SimpleNamespace(id=message_id, delete=self._request)

        async def edit(**given: Any) -> Any:
            await self._request(**given)
            return message

        message.edit = edit
        return message

    async def _request(self, content: str | None = None, view: Any = None, **_: Any) -> None:
        json.dumps([content, view.to_components() if view is not None else None])
        await asyncio.sleep(_REQUEST)


async def measure_delays(
    tables: int, seconds: float, seed: int, workers: int, pace: Any
) -> LoopDelays:
    """Let `tables` tables of four Experts play at once for `seconds` seconds."""
    with patch.object(Game, "deserted", False):  # otherwise tables pause after a round
        return await _measure(tables, seconds, seed, workers, pace)


async def _measure(tables: int, seconds: float, seed: int, workers: int, pace: Any) -> LoopDelays:
    rng = Random(seed)

    def novice(seen: View, manner: Manner) -> Action | None:
        return choose("novice", seen, rng.getrandbits(63), 0.0, manner=manner)

    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        store = await Store.open(f"sqlite:///{folder}/bench.db", LEDGER)
        pool = Workers(workers, players=PLAYERS)
        pool.start()
        clock = Clock(lambda: datetime.now(UTC))
        scheduler = DecisionScheduler(clock.now, novice, pool)
        options = TableOptions(rules=Options(target=5000), pace=pace)
        await begin_matches(store, tables, DecisionScheduler(clock.now, novice), options)
        opened = Tables(store, clock, scheduler)
        await opened.open()
        announcer = Announcer(
            cast(
                TichuBot,
                SimpleNamespace(
                    tables=opened,
                    store=store,
                    painter=None,  # needed only at the end of a match
                    clock=clock,
                    art=Emojis.plain(),
                    discord_behaviour=DiscordBehaviour(),
                    novices_sit_in=False,
                    inflight=InFlight(),
                    settings=SimpleNamespace(default_language="en"),
                    get_guild=lambda _: None,
                    get_partial_messageable=lambda *_, **__: _Channel(),
                ),
            )
        )
        announcer.subscribe(opened.events)
        changes = _counted(opened.events)
        while pool.size < workers:  # noqa: ASYNC110 - the pool has no event for it
            await asyncio.sleep(0.1)
        opened.activate_all()
        GarbageSchedule().begin(clock.now())
        await asyncio.sleep(_WARM_UP_SECONDS)
        scheduler.total = scheduler.late = changes[0] = 0
        scheduler.latest = 0.0
        pulse = _Pulse()
        pulse.forget()
        choices: list[float] = []
        playing = asyncio.create_task(_play_daily(opened, choices))
        await asyncio.sleep(seconds)
        playing.cancel()
        delays = LoopDelays(
            tables,
            workers,
            seconds,
            changes[0],
            scheduler.total,
            scheduler.late,
            scheduler.latest,
            tuple(pulse.waits),
            tuple(pulse.works),
            tuple(choices),
        )
        still = [table for table in opened.all() if table.running and not table.timers.paused]
        if len(still) < tables:
            raise RuntimeError("a table has paused or ended: this was no measurement")
        opened.close()
        await announcer.drain()
        await pool.close()
        await store.close()
        return delays


async def _play_daily(tables: Tables, choices: list[float]) -> None:
    """Play the deal of the day with one person after another, a choice after each pause."""
    for user_id in map(UserId, count(1)):
        game = await tables.boards.begin(await tables.boards.today(), user_id, "Ann", GuildId(1))
        while game.running:
            await asyncio.sleep(_THOUGHT)
            seen = game.situation(PERSON).upcoming
            command: Command = GoOn(game.revision)
            if game.awaited_in_window is None or seen.turn == PERSON:
                action = choose("novice", seen, len(choices), 0.0)
                assert action is not None
                command = Act(action, game.revision)
            begun = perf_counter()
            after = await tables.execute(game.id, user_id, command)
            choices.append(1000 * (perf_counter() - begun))
            assert isinstance(after, SoloGame)
            game = after


def _counted(events: EventDispatcher) -> list[int]:
    """Return a list whose one item counts the changes stored from now on."""
    changes = [0]

    def count(_: Committed) -> None:
        changes[0] += 1

    events.subscribe(Committed, count)
    return changes


async def begin_matches(
    store: Store, number: int, scheduler: DecisionScheduler, options: TableOptions
) -> None:
    """Store `number` running tables without people, with an Expert in each host's seat."""
    tables = Tables(store, Clock(lambda: datetime.now(UTC)), scheduler, max_per_guild=number)
    experts = tuple(SeatRecord(seat=seat, name="Expert", kind="computer") for seat in range(4))
    begun = []
    for channel in range(1, number + 1):
        host = channel  # the tables of one host are limited
        chairs = new_chairs(options, UserId(host), "Host")
        lobby = await tables.create(
            LobbyPlan(GuildId(1), ChannelId(channel), UserId(host), options, chairs, computers=3)
        )
        await tables.execute(lobby.id, UserId(host), Start())
        begun.append(lobby.id)
    tables.close()
    for table_id in begun:
        await store.tables.commit(table_id, Change(seats=experts))
