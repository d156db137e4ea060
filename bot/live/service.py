"""The service of open tables: opens them and executes commands at them.

Every change runs under its table's lock. The new state is computed and committed, and only then an
event with it is dispatched. Handlers of events never change a table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace

from bot.computers.decision_scheduler import Decision, DecisionScheduler
from bot.errors import Reason, Refused, Stale, WrittenElsewhere
from bot.ids import ChannelId, Revision, TableId, UserId
from bot.live.boards import Boards
from bot.live.challenges import Challenges
from bot.live.channels import Channels, TableMessages
from bot.live.club_events import ClubEvents
from bot.live.command_contexts import CommandContextFactory
from bot.live.event_tables import EventTables
from bot.live.events import Committed, EventDispatcher, LeasesRenewed, Opened, Released, Restored
from bot.live.forgetting import Forgetting
from bot.live.leases import Leases
from bot.live.outcome_applier import OutcomeApplier
from bot.live.private_games import PrivateGames
from bot.live.registry import Activation, LoadedTable, Registry
from bot.live.restoring import read_one
from bot.live.shard_ownership import OtherProcesses, ShardOwnership
from bot.live.solo_games import SoloGames
from bot.live.table_limits import Reservation, TableLimits
from bot.live.timers import TableTimers
from bot.records import Change, Fence
from bot.runtime.clock import Clock
from bot.runtime.logs import set_log_action
from bot.storage import ChannelTaken, Conflict, LeaseLost, StorageError, Store
from bot.table.action_log import ReplayError
from bot.table.commands import Command
from bot.table.dealing import DrawSecret, Prepare, new_secret, nothing_prepared, seal
from bot.table.decisions import hint_question
from bot.table.lobby import LobbyPlan, new_lobby, new_record
from bot.table.outcome import Outcome, details_only
from bot.table.permission import OWN_SEAT, acting_seat
from bot.table.personal import first_notes
from bot.table.posts import LobbyPost, new_nonce, outbox_entries
from bot.table.presence import extend_idle, mark_present, should_store_click
from bot.table.private_game import PrivateGame
from bot.table.solo_game import SoloGame
from bot.table.state import Game, Lobby, OpenTable
from engine import Seat

log = logging.getLogger(__name__)


class Tables:
    """The open tables of all servers.

    `scheduler` decides for computer players. `draw_secret` draws the secrets of decks, by default
    from the operating system. `prepare` may fix parts of a deal that are otherwise drawn. `leases`
    define the servers whose tables are loaded, by default all servers; they and the tables need
    the same event dispatcher, `events`.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        scheduler: DecisionScheduler,
        *,
        max_per_guild: int = 32,
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
        """True while the bot shuts down; then all commands are refused."""
        self._opening = asyncio.Lock()
        """Lock held while a table gets a channel, or while data of a user are stored.

        See `Forgetting`.
        """
        self._click_timers = Clock(clock.now, clock.sleep)
        """Timers, one for each table, that store clicks which changed nothing."""
        self._registry = registry = Registry()
        """The open tables, each with its lock."""
        self.damaged = registry.damaged
        """Tables that are stored as open but cannot be read."""
        self.limits = TableLimits(
            registry,
            clock.now,
            store.server_settings.get,
            per_guild=max_per_guild,
            per_user=max_per_user,
        )
        """Limits of open tables; a place is reserved before one is opened."""
        self._contexts = contexts = CommandContextFactory(store, clock.now, draw_secret, prepare)
        """Makes the contexts of commands."""
        self.solo_games = SoloGames(store.boards, registry, scheduler.urgent, clock.now, events)
        """Solo games, played on boards."""
        self._applier = applier = OutcomeApplier(
            store, registry, clock.now, events, leases, self.solo_games
        )
        """Stores every change of a table."""
        self.timers = TableTimers(registry, applier, clock, scheduler, events, contexts, leases)
        """The timers of the tables."""
        self._activation = activation = Activation(clock.now, events)
        """Activates tables that were read from storage."""
        self.private_games = private_games = PrivateGames(registry, clock.now, events, leases)
        """Private games, played on from replays."""
        self.forgetting = Forgetting(
            store,
            registry,
            applier,
            events,
            clock.now,
            draw_secret,
            self._opening,
            activation,
            private_games,
            self.solo_games,
        )
        """Erasure of users."""
        self.boards = Boards(
            store.boards,
            clock,
            self.solo_games,
            scheduler.background,
            events,
            self.forgetting,
            draw_secret,
        )
        """Boards, and the rounds that people play on them."""
        self.challenges = Challenges(
            store, clock, self.boards, self.forgetting, events, leases, draw_secret
        )
        """Challenges of two people, played on boards."""
        self.shard_ownership = ShardOwnership(store, registry, clock, events, leases, activation)
        """Loads and releases tables as leases come and go."""
        event_tables = EventTables(
            store,
            clock,
            registry,
            self.limits,
            self.forgetting,
            events,
            self.create,
            self.execute,
            draw_secret,
        )
        self.club_events = ClubEvents(
            store,
            clock,
            event_tables,
            self.forgetting,
            events,
            self.shard_ownership,
            draw_secret,
        )
        """Events of clubs, played at tables."""
        self.channels = Channels(store, registry, applier, activation, clock.now)
        """The channels and threads of tables."""
        self.messages = TableMessages(registry, applier, activation)
        """Stores the ids and the delivery of messages."""
        others = OtherProcesses(store, registry, self.forgetting, self.execute)
        events.subscribe(LeasesRenewed, lambda _: others.follow())
        events.subscribe(Committed, self._on_committed)
        events.subscribe(Restored, self._on_restored)
        events.subscribe(Released, self._on_released)

    def _on_committed(self, event: Committed) -> None:
        if not isinstance(event.after, SoloGame):  # whose computers have answered already
            self._scheduler.update(event.after)

    def _on_restored(self, event: Restored) -> None:
        if event.state.open:
            self._scheduler.update(event.state)

    def _on_released(self, event: Released) -> None:
        self._scheduler.forget(event.state.id)
        self._click_timers.cancel(event.state.id)

    # --- queries ---------------------------------------------------------------------------------

    def get(self, table_id: TableId) -> OpenTable:
        """Return the state of an open table. Raises `Refused` if it is over or unknown."""
        return self._registry.get(table_id).state

    def find(self, table_id: TableId) -> OpenTable | None:
        """Return the state of a table if it is open."""
        loaded = self._registry.find(table_id)
        return loaded.state if loaded is not None else None

    def in_channel(self, channel_id: ChannelId, user_id: UserId | None = None) -> OpenTable | None:
        """Return the open table of a channel or thread, or `None`.

        A table that does not yield the channel comes first, then one at which this user sits, then
        the newest one.
        """
        loaded = self._registry.in_channel(channel_id, user_id)
        return loaded.state if loaded is not None else None

    def all(self) -> Iterator[OpenTable]:
        """Yield the states of all open tables."""
        return (loaded.state for loaded in self._registry.all())

    # --- start and shutdown ----------------------------------------------------------------------

    async def open(self) -> list[OpenTable]:
        """Load and return the open tables of this process's servers (`ShardOwnership.open`).

        They are inactive until `activate_all`, or until someone acts at one. Raises `StorageError`.
        """
        await self.shard_ownership.open()
        return list(self.all())

    def activate_all(self) -> None:
        """Activate all tables once the bot is connected (`ShardOwnership.activate_all`)."""
        self.shard_ownership.activate_all()

    def close(self) -> None:
        """Stop all timers and decisions.

        Commands that wait for a table's lock are refused, as are all later ones.
        """
        self._closing = self.timers.closing = True
        self._clock.cancel_all()
        self._click_timers.cancel_all()
        self.club_events.close()
        self._scheduler.close()

    # --- opening and closing a table -------------------------------------------------------------

    async def create(
        self, plan: LobbyPlan, *, reservation: Reservation | None = None, since: int | None = None
    ) -> Lobby:
        """Store and return a new lobby according to a plan.

        It takes the place of `reservation`, by default of a new one. If the people of the plan were
        read earlier, `since` is the value of `Forgetting.erasure_count` at that time. Raises
        `Refused` if the channel has an open table (``channel-taken``), if no place is free (see
        `TableLimits.reserve`), or if one of the people is being erased or may have been erased
        since (``being-forgotten``).
        """
        guild_id, channel_id, host_id = plan.guild_id, plan.channel_id, plan.host_id
        context = self._contexts.without_data()
        new = seal(new_lobby(plan, context.now), context.draw)
        outbox = outbox_entries([LobbyPost()], 1, context.now, new_nonce)
        fence = self.shard_ownership.fence(guild_id)
        record = new_record(new).model_copy(update={"outbox": outbox, "fence": fence})

        async with self._opening:
            self.forgetting.check(host_id, *(chair.user_id for chair in plan.chairs), since=since)
            if self.channels.is_taken(channel_id):
                raise Refused(Reason.CHANNEL_TAKEN)
            turn_based = plan.options.turn_based
            with reservation or self.limits.reserve(guild_id, host_id, turn_based=turn_based):
                await self.channels.release(channel_id)
                try:
                    stored = await self._store.tables.create(record)
                except ChannelTaken as taken:
                    await self._load_or_close(taken.table_id, fence)
                    stored = await self._store.tables.create(record)
                except LeaseLost as lost:
                    self._leases.give_up(lost.fence)
                    raise Refused(Reason.RESTARTING) from lost
                new = replace(new, id=stored.id)
                self._registry.add(new, stored.version, len(outbox), fence=fence)
        self.events.dispatch(Opened(new, outbox))
        return new

    async def _load_or_close(self, table_id: TableId, fence: Fence | None) -> None:
        """Close the stored table that holds the channel of a new table, if it is damaged.

        Otherwise load it, because it is missing in memory, and raise `Refused`.
        """
        try:
            stored = await read_one(self._store, table_id)
        except ReplayError as error:
            log.error("closing damaged table %s to open a new one: %s", table_id, error)
            self.damaged.remove(table_id)
            closing = Change(status="stopped", ended_at=self._clock.now(), fence=fence)
            await self._store.tables.commit(table_id, closing)
            return
        table = stored.event.state
        if table.open:
            self._activation.activate(self.shard_ownership.add(stored, fence))
        else:
            self.events.dispatch(stored.event)
        raise Refused(Reason.CHANNEL_TAKEN)

    async def play_on(self, game: PrivateGame) -> PrivateGame:
        """Begin a private game with the settings of its person; return it.

        It replaces their previous one. Raises `StorageError`, and `Refused` if they are being
        erased, or if another process serves the server.
        """
        users = game.user_ids()
        settings = {user: await self._store.personal_settings.get(user) for user in users}
        self.shard_ownership.fence(game.guild_id)
        self.forgetting.check(*users)
        return self.private_games.begin(replace(game, notes=first_notes(game.chairs, settings)))

    # --- clicks and commands ---------------------------------------------------------------------

    def clicked(self, table_id: TableId, user_id: UserId) -> None:
        """Record a click of a user at a table, even if it is refused.

        A user who has just clicked is not nudged, and their table does not pause.
        """
        loaded = self._registry.find(table_id)
        if loaded is None:
            return
        now = loaded.clicks[user_id] = self._clock.now()
        if isinstance(loaded.state, Game) and should_store_click(loaded.state, now):
            self._click_timers.set(table_id, now, lambda: self._note_clicks(loaded))

    async def _note_clicks(self, loaded: LoadedTable) -> None:
        """Store the last click of a lone player, unless a change has stored it."""
        async with self._activation.locked(loaded):
            if isinstance(loaded.state, Game):
                after = extend_idle(loaded.state, loaded.clicks)
                if after is not loaded.state:
                    with suppress(StorageError):  # the next click is stored again
                        await self._applier.apply(loaded, details_only(after))

    async def execute(self, table_id: TableId, user_id: UserId, command: Command) -> OpenTable:
        """Execute a command of a user at a table; return the table afterwards.

        Raises the errors of `Command.carry_out`, and `StorageError` (`NotRead` if data for the
        command could not be read). Raises `WrittenElsewhere` if another process has written the
        table. After an error nothing has changed.
        """
        loaded = self._registry.get(table_id)
        async with loaded.lock:
            if self._closing:
                raise Refused(Reason.RESTARTING)
            if not isinstance(loaded.state, SoloGame):  # any process may go on with that
                self.shard_ownership.fence(loaded.state.guild_id)
            self.forgetting.check(user_id, *command.others)
            self._activation.activate(loaded)
            before = loaded.state
            if isinstance(before, Game):
                set_log_action(before.seq)
            context = await self._contexts.for_command(command, before, user_id)
            self._registry.get(table_id)  # raises if it has ended meanwhile
            self.clicked(table_id, user_id)
            outcome = command.carry_out(before, user_id, context)
            if outcome is None:
                return before

            with self._reserve_for_pace(before, outcome.after):
                try:
                    if before.yields and not outcome.after.yields and outcome.after.open:
                        return await self._resume(loaded, outcome, user_id)
                    return await self._applier.apply(loaded, outcome, user_id)
                except Conflict as conflict:
                    raise WrittenElsewhere from conflict
                except LeaseLost as lost:
                    raise Refused(Reason.RESTARTING) from lost

    def _reserve_for_pace(
        self, before: OpenTable, after: OpenTable
    ) -> AbstractContextManager[object]:
        """Reserve a place during the commit, if the command changes the pace of a lobby.

        Live and turn-based tables have separate limits. Raises `Refused` if the host may not have
        one more table of the new pace.
        """
        turn_based = after.options.turn_based
        if before.options.turn_based == turn_based:
            return nullcontext()
        return self.limits.reserve_for_pace(after.guild_id, after.host_id, turn_based=turn_based)

    async def _resume(self, loaded: LoadedTable, outcome: Outcome, user_id: UserId) -> OpenTable:
        """Commit the outcome by which a paused table gets its channel back.

        Raises `Refused` if the channel has another table by now (``channel-busy``), or if the limit
        of active tables is reached (see `TableLimits.resume`).
        """
        async with self._opening:
            channel_id = loaded.state.channel_id
            if self.channels.is_taken(channel_id):
                raise Refused(Reason.CHANNEL_BUSY)
            with self.limits.resume(outcome.after, user_id):
                await self.channels.release(channel_id)
                change = outcome.change.model_copy(update={"holds_channel": True})
                return await self._applier.apply(loaded, outcome._replace(change=change), user_id)

    async def advise(
        self, table_id: TableId, user_id: UserId, revision: Revision, seat: Seat = OWN_SEAT
    ) -> tuple[Game, Seat, Decision]:
        """Return the game, the seat, and an Expert's advice for it, the best actions first.

        Raises `Refused` if the table has no hints (``no-hints``) or it is not the user's turn.
        Raises `Stale` if play has gone on while the Expert was computing.
        """
        game, seat = acting_seat(self.get(table_id), user_id, seat, revision)
        game = mark_present(game, user_id, self._clock.now())
        if not game.options.hints:
            raise Refused(Reason.NO_HINTS)
        question, advice = await self._scheduler.advise(game, seat)
        current = self.get(table_id)
        if not isinstance(current, Game) or hint_question(current, seat) != question:
            raise Stale
        return current, seat, advice
