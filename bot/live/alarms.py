"""Runs the timers of open tables: bomb windows, turn limits, computer moves."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from bot.computers.decision_scheduler import DecisionScheduler
from bot.ids import TableId
from bot.live.commits import Commits
from bot.live.contexts import Contexts
from bot.live.events import (
    Committed,
    EventDispatcher,
    LetGo,
    MayStart,
    Opened,
    Restored,
    Waiting,
)
from bot.live.leases import Leases
from bot.live.registry import Live, Registry
from bot.runtime.clock import Clock
from bot.runtime.log_context import work_on
from bot.runtime.logs import kinds_and_frames
from bot.runtime.throttled_log import ThrottledLog
from bot.storage import Conflict, StorageError
from bot.table import interruptions, turn_based
from bot.table.batch import Batch
from bot.table.closing import expired, stopped
from bot.table.commands import Start
from bot.table.commands.seats import with_new_owners
from bot.table.deadlines import out_of_time
from bot.table.dealing import next_deal
from bot.table.details import Deadline
from bot.table.outcome import Outcome, noted
from bot.table.presence import pause_if_idle
from bot.table.seats import seat_newcomers
from bot.table.state import Game, Lobby, OpenTable

log = logging.getLogger(__name__)

_RETRY = timedelta(seconds=5)
"""Delay before another attempt after a failed write."""
_UNAVAILABLE = "table %s: database unavailable, retrying in %s s: %s"


class Alarms:
    """Runs expired timers of open tables; `contexts` supplies the data for deals."""

    def __init__(
        self,
        registry: Registry,
        commits: Commits,
        clock: Clock,
        scheduler: DecisionScheduler,
        events: EventDispatcher,
        contexts: Contexts,
        leases: Leases,
    ) -> None:
        self._leases = leases
        """Leases that say which tables this process serves."""
        self._registry = registry
        self._commits = commits
        self._clock = clock
        """The timers, one a table."""
        self._scheduler = scheduler
        """Decisions of computer players, including substitutes for absent people."""
        self._events = events
        self._contexts = contexts
        self.closing = False
        """True during shutdown; expired timers then wait for the next start."""
        events.subscribe(Opened, lambda event: self._schedule(event.state))
        events.subscribe(Committed, lambda event: self._schedule(event.after))
        events.subscribe(Restored, self._on_restored)
        events.subscribe(LetGo, lambda event: clock.cancel(event.state.id))

    def _on_restored(self, event: Restored) -> None:
        if event.state.open:
            self._schedule(event.state)

    def _schedule(self, state: OpenTable) -> None:
        """Set the timer of a table to its next deadline."""
        table_id = state.id
        self._clock.set(table_id, state.timers.next, lambda: self.on_timer(table_id))

    async def on_timer(self, table_id: TableId) -> None:
        """Run the earliest expired timer of a table, if it is open."""
        work_on(table=table_id)
        live = self._registry.find(table_id)
        if live is None:
            return
        async with live.lock:
            if self.closing or not self._leases.serves(live.state.guild_id):
                return
            now = self._clock.now()
            times = live.state.timers.deadlines
            due = sorted((when, name) for name, when in times.items() if when <= now)
            if not due:
                self._schedule(live.state)
                return
            try:
                await self._on_deadline(live, due[0][1], now)
            except Conflict:
                pass  # the table was reloaded and its timers set
            except StorageError as error:
                log.log(error.level, _UNAVAILABLE, table_id, _RETRY.seconds, error)
                self._clock.set(table_id, now + _RETRY, lambda: self.on_timer(table_id))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                failure = f"table {table_id}: timer failed, retrying"
                live.timer_log = live.timer_log or ThrottledLog(log, failure)
                live.timer_log.failure(type(error).__name__, kinds_and_frames(error))
                self._clock.set(table_id, now + _RETRY, lambda: self.on_timer(table_id))
            else:
                if live.timer_log is not None:
                    live.timer_log.success()

    async def _on_deadline(self, live: Live, name: Deadline, now: datetime) -> None:
        table = live.state
        if isinstance(table, Lobby):
            ends = expired(table, now) if name == "lobby" else await self._started(table)
            await self._commits.commit(live, ends)
        elif name == "nudge":
            if table.options.turn_based:  # the outbox message of the change nudges them
                after, *_ = turn_based.nudged(table, live.clicks, now)
                await self._commits.commit(live, noted(after))
                return
            after, users = interruptions.nudged(table, live.clicks, now)
            await self._commits.commit(live, noted(after))
            if users:
                self._events.dispatch(Waiting(after, users))
        elif name == "idle":
            await self._commits.commit(live, noted(pause_if_idle(table, live.clicks, now)))
        else:
            await self._commits.commit(live, self._timer_outcome(table, name, now))

    async def _started(self, lobby: Lobby) -> Outcome:
        """Return the start of a full lobby, if it can be shown.

        Otherwise the lobby stays without a countdown, and its host sees the reason when they start
        it. Raises `NotRead`.
        """
        if not self._events.allows(MayStart(lobby)):
            log.warning("table %s: not started automatically, missing permission to post", lobby.id)
            times = dict(lobby.timers.deadlines)
            del times["start"]
            return noted(lobby.with_timers(deadlines=times))
        start = Start()
        context = await self._contexts.of(start, lobby, lobby.host_id)
        return start.carry_out(lobby, lobby.host_id, context)

    def _timer_outcome(self, game: Game, name: Deadline, now: datetime) -> Outcome:
        """Return the outcome of a timer of a running game."""
        if name == "abandoned":
            return stopped(game, now)
        if name == "newcomers":
            return with_new_owners(seat_newcomers(game, now), now)
        if name == "next_round":
            context = self._contexts.plain()
            deal = next_deal(game, context.draw, context.prepare(game))
            batch = Batch(replace(game, deal=deal.secrets), now)
            batch.deal(deal.source)
            return batch.finish()
        batch = Batch(game, now)
        if name == "window":
            batch.close_window(self._scheduler.decisions(game, ("bomb",)))
        elif name == "think":
            batch.carry_out(self._scheduler.decisions(game, ("answer", "move")))
        elif name == "auto_pass":
            batch.pass_by_itself()
        elif game.options.turn_based:  # a turn was missed
            batch.miss(self._scheduler.decisions_for_absent(game))
        else:  # a turn is over
            answers = self._scheduler.decisions_for_absent(game)
            batch.mark_away(out_of_time(game))
            batch.carry_out(answers)
        return batch.finish()
