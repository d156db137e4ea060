"""Runs the timers of open tables: bomb windows, turn limits, computer moves."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from bot.computers.decision_scheduler import DecisionScheduler
from bot.ids import TableId
from bot.live.command_contexts import CommandContextFactory
from bot.live.events import (
    Committed,
    EventDispatcher,
    MayStart,
    Opened,
    Released,
    Restored,
    Waiting,
)
from bot.live.leases import Leases
from bot.live.outcome_applier import OutcomeApplier
from bot.live.registry import LoadedTable, Registry
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames, set_log_context
from bot.runtime.throttled_log import ThrottledLog
from bot.storage import Conflict, StorageError
from bot.table import interruptions, turn_based
from bot.table.batch import Batch
from bot.table.closing import expiry_outcome, stop_outcome
from bot.table.commands import Start
from bot.table.commands.seats import with_new_owners
from bot.table.deadlines import PAUSED_DAYS, chairs_out_of_time
from bot.table.dealing import next_deal
from bot.table.details import Deadline, Deadlines
from bot.table.lobby import absent_sides, without_absent
from bot.table.outcome import Outcome, details_only
from bot.table.presence import pause_if_idle
from bot.table.seats import seat_newcomers
from bot.table.state import Game, Lobby, OpenTable

log = logging.getLogger(__name__)

RETRY_START = timedelta(minutes=1)
"""Pause before the match of an event is started again that could not be shown."""

_RETRY = timedelta(seconds=5)
"""Delay before another attempt after a failed write."""
_UNAVAILABLE = "table %s: database unavailable, retrying in %s s: %s"


class TableTimers:
    """Runs expired timers of open tables; `contexts` supplies the data for deals."""

    def __init__(
        self,
        registry: Registry,
        applier: OutcomeApplier,
        clock: Clock,
        scheduler: DecisionScheduler,
        events: EventDispatcher,
        contexts: CommandContextFactory,
        leases: Leases,
    ) -> None:
        self._leases = leases
        """Leases of the servers whose tables this process serves."""
        self._registry = registry
        self._applier = applier
        self._clock = clock
        """Clock with one timer for each table."""
        self._scheduler = scheduler
        """Decisions of computer players, including substitutes for absent people."""
        self._events = events
        self._contexts = contexts
        self.closing = False
        """True during shutdown; expired timers then wait for the next start."""
        events.subscribe(Opened, lambda event: self._schedule(event.state))
        events.subscribe(Committed, lambda event: self._schedule(event.after))
        events.subscribe(Restored, self._on_restored)
        events.subscribe(Released, lambda event: clock.cancel(event.state.id))

    def _on_restored(self, event: Restored) -> None:
        if event.state.open:
            self._schedule(event.state)

    def _schedule(self, state: OpenTable) -> None:
        """Set the timer of a table to its next deadline."""
        table_id = state.id
        self._clock.set(table_id, state.timers.next, lambda: self.on_timer(table_id))

    async def on_timer(self, table_id: TableId) -> None:
        """Carry out the earliest expired deadline of a table, if the table is open."""
        set_log_context(table=table_id)
        loaded = self._registry.find(table_id)
        if loaded is None:
            return
        async with loaded.lock:
            if self.closing or not self._leases.serves(loaded.state.guild_id):
                return
            if self._registry.find(table_id) is not loaded:
                return  # it has ended meanwhile
            now = self._clock.now()
            deadlines = loaded.state.timers.deadlines
            expired = [(time, name) for name, time in deadlines.items() if time <= now]
            if not expired:
                self._schedule(loaded.state)
                return
            _, earliest = min(expired)
            try:
                await self._on_deadline(loaded, earliest, now)
            except Conflict:
                pass  # the table was reloaded and its timers set
            except StorageError as error:
                log.log(error.level, _UNAVAILABLE, table_id, _RETRY.seconds, error)
                self._clock.set(table_id, now + _RETRY, lambda: self.on_timer(table_id))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                failure = f"table {table_id}: timer failed, retrying"
                loaded.failure_log = loaded.failure_log or ThrottledLog(log, failure)
                loaded.failure_log.failure(type(error).__name__, kinds_and_frames(error))
                self._clock.set(table_id, now + _RETRY, lambda: self.on_timer(table_id))
            else:
                if loaded.failure_log is not None:
                    loaded.failure_log.success()

    async def _on_deadline(self, loaded: LoadedTable, name: Deadline, now: datetime) -> None:
        """Apply the outcome of an expired deadline; dispatch `Waiting` if people must be nudged."""
        table = loaded.state
        if isinstance(table, Lobby):
            outcome = (
                expiry_outcome(table, now) if name == "lobby" else await self._start_outcome(table)
            )
            await self._applier.apply(loaded, outcome)
        elif name == "nudge":
            if table.options.turn_based:  # the outbox message of the change nudges them
                after, *_ = turn_based.mark_nudged(table, loaded.clicks, now)
                await self._applier.apply(loaded, details_only(after))
                return
            after, users = interruptions.nudge_awaited(table, loaded.clicks, now)
            await self._applier.apply(loaded, details_only(after))
            if users:
                self._events.dispatch(Waiting(after, users))
        elif name == "idle":
            after = pause_if_idle(table, loaded.clicks, now)
            await self._applier.apply(loaded, details_only(after))
        else:
            await self._applier.apply(loaded, self._timer_outcome(table, name, now))

    async def _start_outcome(self, lobby: Lobby) -> Outcome:
        """Return the start of the match, as the outcome of a lobby's countdown.

        At the table of an event computers take the seats of absent people. It closes if all are. If
        a side without anybody loses by that, the table only waits for its event or for that side.
        If the bot may not write in the channel, only the countdown ends. The host sees the reason
        when they start the match themselves; at the table of an event, where nobody can, the start
        is tried again. Raises `NotRead`.
        """
        if not self._events.allows(MayStart(lobby)):
            log.warning("table %s: not started automatically, missing permission to post", lobby.id)
            deadlines: Deadlines = {"lobby": lobby.timers.deadlines["lobby"]}
            if lobby.options.event is not None:
                deadlines["grace"] = self._clock.now() + RETRY_START
            return details_only(lobby.with_timers(deadlines=deadlines))
        event = lobby.options.event
        is_event = event is not None
        if event is not None and event.forfeit and any(absent_sides(lobby)):
            now = self._clock.now()
            waiting: Deadlines = {"lobby": now + timedelta(days=PAUSED_DAYS)}
            if (grace := lobby.timers.deadlines.get("grace", now)) > now:
                waiting["grace"] = grace
            return details_only(lobby.with_timers(deadlines=waiting))
        complete = without_absent(lobby) if is_event else lobby
        if not complete.user_ids():
            return expiry_outcome(lobby, self._clock.now())
        lobby, start = complete, Start(fill=is_event)
        context = await self._contexts.for_command(start, lobby, lobby.host_id)
        return start.carry_out(lobby, lobby.host_id, context)

    def _timer_outcome(self, game: Game, name: Deadline, now: datetime) -> Outcome:
        """Return the outcome of an expired deadline of a running match."""
        if name == "abandoned":
            return stop_outcome(game, now)
        if name == "newcomers":
            return with_new_owners(seat_newcomers(game, now), now)
        if name == "next_round":
            context = self._contexts.without_data()
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
            batch.move_automatically()
        elif game.options.turn_based:  # the time limit of the turn is over
            batch.play_for_absent(self._scheduler.decisions_for_absent(game))
        else:  # the same at live pace: a computer also plays the next turns
            decisions = self._scheduler.decisions_for_absent(game)
            batch.mark_away(chairs_out_of_time(game))
            batch.carry_out(decisions)
        return batch.finish()
