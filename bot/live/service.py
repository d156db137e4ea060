"""The open tables: opens them and executes commands at them.

Every change runs under its table's lock: the new state is computed, committed, and only then
dispatched to the handlers of its event, which change nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace

from bot.computers.decision_scheduler import DecisionScheduler
from bot.computers.worker_pool import Decision
from bot.errors import Reason, Refused, Stale, WrittenElsewhere
from bot.ids import ChannelId, Revision, TableId, UserId
from bot.live.alarms import Alarms
from bot.live.channels import Channels, TableMessages
from bot.live.commits import Commits
from bot.live.contexts import Contexts
from bot.live.events import Committed, EventDispatcher, LeasesRenewed, LetGo, Opened, Restored
from bot.live.forgetting import Forgetting
from bot.live.leases import Leases
from bot.live.registry import Live, Registry, Waking
from bot.live.restoring import read_one
from bot.live.serving import OtherProcesses, Serving
from bot.live.table_limits import Reservation, TableLimits
from bot.records import Change, Fence
from bot.runtime.clock import Clock
from bot.runtime.log_context import since_action
from bot.storage import ChannelTaken, Conflict, LeaseLost, StorageError, Store
from bot.table.action_log import ReplayError
from bot.table.commands import Command
from bot.table.dealing import DrawSecret, Prepare, new_secret, nothing_prepared, seal
from bot.table.decisions import hint_question
from bot.table.lobby import LobbyPlan, new_lobby, new_record
from bot.table.outcome import Outcome, noted
from bot.table.permission import OWN, seated
from bot.table.posts import LobbyPost, new_nonce, outbox_entries
from bot.table.presence import heard_of, is_news, returned
from bot.table.state import Game, Lobby, OpenTable
from engine import Seat

log = logging.getLogger(__name__)


class Tables:
    """The open tables of all servers.

    `scheduler` decides for computer players. `draw_secret` draws what decks are made from, by
    default with the operating system. `prepare` is asked before each deal what is not to be drawn.
    `leases` say for which servers tables are opened, by default for all; they dispatch to the same
    `events`.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        scheduler: DecisionScheduler,
        *,
        max_per_guild: int = 25,
        max_per_user: int = 3,
        draw_secret: DrawSecret = new_secret,
        prepare: Prepare = nothing_prepared,
        events: EventDispatcher | None = None,
        leases: Leases | None = None,
    ) -> None:
        self.events = events = events or EventDispatcher()
        """Dispatches the events of the tables."""
        self._store = store
        self._clock = clock
        self._scheduler = scheduler
        self._leases = leases = leases or Leases(store.leases, clock, events)
        """Leases of the servers that this process serves."""
        self._closing = False
        """The bot is shutting down: all commands are refused."""
        self._opening = asyncio.Lock()
        """Held while a table takes a channel or data of a user is stored; see `Forgetting`."""
        self._click_alarms = Clock(clock.now, clock.sleep)
        """Timers, one a table, that store clicks which changed nothing."""
        self._registry = registry = Registry()
        """The open tables, each with its lock."""
        self.damaged = registry.damaged
        """Tables that are stored as open but cannot be read back."""
        chosen = store.server_settings.get
        self.limits = TableLimits(
            registry, clock.now, chosen, per_guild=max_per_guild, per_user=max_per_user
        )
        """Limits of open tables; a place is reserved before one is opened."""
        self._contexts = contexts = Contexts(store, clock.now, draw_secret, prepare)
        """Makes the contexts of commands."""
        self._commits = commits = Commits(store, registry, clock.now, events, leases)
        """Stores every change of a table."""
        self.alarms = Alarms(registry, commits, clock, scheduler, events, contexts, leases)
        """The timers of the tables."""
        self._waking = waking = Waking(clock.now, events)
        """Activates tables that were read back."""
        self.forgetting = Forgetting(
            store, registry, commits, events, clock.now, draw_secret, self._opening, waking
        )
        """Erasure of users."""
        self.serving = Serving(store, registry, clock.now, events, leases, waking)
        """Loads and releases tables as leases come and go."""
        self.channels = Channels(store, registry, commits, waking, clock.now)
        """The channels and threads of tables."""
        self.messages = TableMessages(registry, commits, waking)
        """Stores ids and delivery of messages."""
        others = OtherProcesses(store, registry, self.forgetting, self.execute)
        events.subscribe(LeasesRenewed, lambda _: others.follow())
        events.subscribe(Committed, lambda event: scheduler.update(event.after))
        events.subscribe(Restored, self._on_restored)
        events.subscribe(LetGo, self._on_let_go)

    def _on_restored(self, event: Restored) -> None:
        if event.state.open:
            self._scheduler.update(event.state)

    def _on_let_go(self, event: LetGo) -> None:
        self._scheduler.forget(event.state.id)
        self._click_alarms.cancel(event.state.id)

    # --- looking ---------------------------------------------------------------------------------

    def get(self, table_id: TableId) -> OpenTable:
        """Return the state of an open table. Raises `Refused` if it is over or unknown."""
        return self._registry.get(table_id).state

    def find(self, table_id: TableId) -> OpenTable | None:
        """Return the state of a table if it is open."""
        live = self._registry.find(table_id)
        return live.state if live is not None else None

    def in_channel(self, channel_id: ChannelId, user_id: UserId | None = None) -> OpenTable | None:
        """Return the open table of a channel or thread, otherwise one that is paused there.

        Of several the newest, but rather one at which this user sits.
        """
        live = self._registry.in_channel(channel_id, user_id)
        return live.state if live is not None else None

    def all(self) -> Iterator[OpenTable]:
        """Return the states of all open tables."""
        return (live.state for live in self._registry.all())

    # --- start-up and end ------------------------------------------------------------------------

    async def open(self) -> list[OpenTable]:
        """Load and return the open tables of this process's servers (`Serving.open`).

        They are inactive until `wake`, or until someone acts at one. Raises `StorageError`.
        """
        await self.serving.open()
        return list(self.all())

    def wake(self) -> None:
        """Activate all tables when Discord is there. See `Serving.wake`."""
        self.serving.wake()

    def close(self) -> None:
        """Stop all timers and decisions; what is stored stays.

        What waits for its turn at a table is refused, as is all that comes from now on.
        """
        self._closing = self.alarms.closing = True
        self._clock.cancel_all()
        self._click_alarms.cancel_all()
        self._scheduler.close()

    # --- opening and closing a table -------------------------------------------------------------

    async def create(
        self, plan: LobbyPlan, *, reservation: Reservation | None = None, since: int | None = None
    ) -> Lobby:
        """Store and return a new lobby as planned, with the players on its chairs.

        Its place is the `reservation`, by default a new one. `since`: the count of
        forgotten people when the chairs were read, to notice one who was forgotten meanwhile.
        `Refused`: the channel has an open table (``channel-taken``), there is no place (see
        `TableLimits.reserve`), or somebody is being forgotten (``being-forgotten``).
        """
        guild_id, channel_id, host_id = plan.guild_id, plan.channel_id, plan.host_id
        context = self._contexts.plain()
        new = seal(new_lobby(plan, context.now), context.draw)
        outbox = outbox_entries([LobbyPost()], 1, context.now, new_nonce)
        fence = self.serving.fence(guild_id)
        record = new_record(new).model_copy(update={"outbox": outbox, "fence": fence})
        async with self._opening:
            self.forgetting.check(host_id, *(chair.user_id for chair in plan.chairs), since=since)
            if self.channels.is_taken(channel_id):
                raise Refused(Reason.CHANNEL_TAKEN)
            turn_based = plan.options.turn_based
            with reservation or self.limits.reserve(guild_id, host_id, turn_based=turn_based):
                await self.channels.let_go(channel_id)
                try:
                    stored = await self._store.tables.create(record)
                except ChannelTaken as found:
                    await self._find_again(found.table_id, fence)
                    stored = await self._store.tables.create(record)
                except LeaseLost as lost:
                    self._leases.give_up(lost.fence)
                    raise Refused(Reason.RESTARTING) from lost
                new = replace(new, id=stored.id)
                self._registry.add(new, stored.version, len(outbox), fence=fence)
        self.events.dispatch(Opened(new, outbox))
        return new

    async def _find_again(self, table_id: TableId, fence: Fence | None) -> None:
        """Open a table that only the store knows, then raise `Refused`; close a damaged one."""
        try:
            found = await read_one(self._store, table_id)
        except ReplayError as error:
            log.error("closing damaged table %s to open a new one: %s", table_id, error)
            self.damaged.remove(table_id)
            closing = Change(status="stopped", ended_at=self._clock.now(), fence=fence)
            await self._store.tables.commit(table_id, closing)
            return
        table = found.event.state
        if table.open:
            self._waking.wake(self.serving.add(found, fence))
        else:
            self.events.dispatch(found.event)
        raise Refused(Reason.CHANNEL_TAKEN)

    # --- what people ask -------------------------------------------------------------------------

    def clicked(self, table_id: TableId, user_id: UserId) -> None:
        """Record that a user has just clicked at a table, also if the click is refused.

        Whoever has just clicked is there: they are not nudged, and their table does not pause.
        """
        live = self._registry.find(table_id)
        if live is None:
            return
        now = live.clicks[user_id] = self._clock.now()
        if isinstance(live.state, Game) and is_news(live.state, now):
            self._click_alarms.set(table_id, now, lambda: self._note_clicks(live))

    async def _note_clicks(self, live: Live) -> None:
        """Store the last click of a player who is alone, unless a change has stored it since."""
        async with self._waking.locked(live):
            if isinstance(live.state, Game):
                after = heard_of(live.state, live.clicks)
                if after is not live.state:
                    with suppress(StorageError):  # the next click is noted, too
                        await self._commits.commit(live, noted(after))

    async def execute(self, table_id: TableId, user_id: UserId, command: Command) -> OpenTable:
        """Execute a command of a user at a table; return the table after it.

        Raises what `Command.carry_out` raises, and `StorageError` (`NotRead` if what the command
        needs could not be read); then nothing has changed. `WrittenElsewhere` if another process
        has written the table.
        """
        live = self._registry.get(table_id)
        async with live.lock:
            if self._closing:
                raise Refused(Reason.RESTARTING)
            self.serving.fence(live.state.guild_id)
            self.forgetting.check(user_id, *command.others)
            self._waking.wake(live)
            before = live.state
            if isinstance(before, Game):
                since_action(before.seq)
            context = await self._contexts.of(command, before, user_id)
            self.clicked(table_id, user_id)
            outcome = command.carry_out(before, user_id, context)
            if outcome is None:
                return before
            with self._place(before, outcome.after):
                try:
                    if before.yields and not outcome.after.yields and outcome.after.open:
                        return await self._resume(live, outcome, user_id)
                    return await self._commits.commit(live, outcome, user_id)
                except Conflict as conflict:
                    raise WrittenElsewhere from conflict
                except LeaseLost as lost:
                    raise Refused(Reason.RESTARTING) from lost

    def _place(self, before: OpenTable, after: OpenTable) -> AbstractContextManager[object]:
        """Reserve a place while the lobby is stored, if the command changes its pace.

        `Refused` if the host may not have one more table of that pace.
        """
        turn_based = after.options.turn_based
        if before.options.turn_based == turn_based:
            return nullcontext()
        return self.limits.hold(after.guild_id, after.host_id, turn_based=turn_based)

    async def _resume(self, live: Live, outcome: Outcome, user_id: UserId) -> OpenTable:
        """Resume a paused table in its channel.

        `Refused` if there is another one by now (``channel-busy``), or if there are as many as may
        be without it (see `TableLimits.resume`).
        """
        async with self._opening:
            channel_id = live.state.channel_id
            if self.channels.is_taken(channel_id):
                raise Refused(Reason.CHANNEL_BUSY)
            with self.limits.resume(outcome.after, user_id):
                await self.channels.let_go(channel_id)
                change = outcome.change.model_copy(update={"holds_channel": True})
                return await self._commits.commit(live, outcome._replace(change=change), user_id)

    async def advise(
        self, table_id: TableId, user_id: UserId, revision: Revision, seat: Seat = OWN
    ) -> tuple[Game, Seat, Decision]:
        """Return what an Expert would do in this seat, the best first.

        With it comes the game as it is then, and the seat that was meant. `Refused` when there are
        no hints at this table (``no-hints``) or it is not their turn; `Stale` when play has gone on
        meanwhile.
        """
        game, seat = seated(self.get(table_id), user_id, seat, revision)
        game = returned(game, user_id, self._clock.now())
        if not game.options.hints:
            raise Refused(Reason.NO_HINTS)
        question, advice = await self._scheduler.advise(game, seat)
        now = self.get(table_id)
        if not isinstance(now, Game) or hint_question(now, seat) != question:
            raise Stale
        return now, seat, advice
