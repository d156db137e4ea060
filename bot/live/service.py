"""The open tables, and all that people ask of them.

Every change runs under its table's lock: the new state is computed, committed, and only then
shown. What happened is told to the listener (the Discord surface), which never changes anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack

from bot.computers.thinking import Thinking
from bot.computers.worker_pool import Thought
from bot.errors import Reason, Refused, Stale, WrittenElsewhere
from bot.ids import ChannelId, GuildId, Revision, TableId, UserId
from bot.live.alarms import Alarms
from bot.live.commits import Commits
from bot.live.contexts import Contexts
from bot.live.events import News, Opened
from bot.live.forgetting import Forgetting
from bot.live.leases import Leases
from bot.live.other_processes import OtherProcesses
from bot.live.places import Place, Places
from bot.live.registry import Damaged, Live, Registry
from bot.live.restoring import read_one
from bot.live.serving import Serving
from bot.records import Change, Fence, Ordinal
from bot.runtime.clock import Clock
from bot.runtime.log_context import since_action
from bot.storage import ChannelTaken, Conflict, LeaseLost, StorageError, Store
from bot.table.action_log import ReplayError
from bot.table.closing import stopped
from bot.table.commands import Command
from bot.table.deadlines import after_downtime, kept_waiting
from bot.table.dealing import DrawSecret, Prepare, new_secret, nothing_prepared, seal
from bot.table.decisions import hint_question
from bot.table.desk import LostThread, MessageIds
from bot.table.interruptions import halted
from bot.table.lobby import new_lobby, new_record, with_computers
from bot.table.message_ids import Posted
from bot.table.options import TableOptions
from bot.table.outcome import Outcome, noted, write_desk
from bot.table.permission import OWN, seated
from bot.table.posts import LobbyPost, Post, new_nonce, outbox_entries
from bot.table.presence import heard_of, is_news, returned
from bot.table.state import Chair, Game, Lobby, OpenTable
from bot.table.turn_based import called_later
from engine import Seat

log = logging.getLogger(__name__)


class Tables:
    """The open tables of all servers.

    `thinking` decides for computer players. `draw_secret` draws what decks are made from, by
    default with the operating system. `prepare` is asked before each deal what is not to be drawn.
    `leases` say for which servers tables are opened, by default for all. Whoever shows the tables
    listens to `news`.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        thinking: Thinking,
        *,
        max_per_guild: int = 25,
        max_per_user: int = 3,
        draw_secret: DrawSecret = new_secret,
        prepare: Prepare = nothing_prepared,
        leases: Leases | None = None,
    ) -> None:
        self.news = News()
        self._leases = leases or Leases(store.leases, clock)
        self._store = store
        self._clock = clock
        self._notes = Clock(clock.now, clock.sleep)
        """By table: clicks that have changed nothing and are about to be stored."""
        self._thinking = thinking
        self._draw_secret = draw_secret
        self._contexts = Contexts(store, clock.now, draw_secret, prepare)
        self._registry = Registry()
        self.places = Places(
            self._registry,
            clock.now,
            store.settings.server,
            per_guild=max_per_guild,
            per_user=max_per_user,
        )
        self._commits = Commits(
            store,
            self._registry,
            clock,
            thinking,
            self.news,
            lambda table: self.alarms.ring(table),
            self._leases,
        )
        self.alarms = Alarms(
            self._registry,
            self._commits,
            clock,
            thinking,
            self.news,
            self._contexts,
            self._leases,
        )
        self._opening = asyncio.Lock()
        self._closing = False
        self.forgetting = Forgetting(
            store,
            self._registry,
            self._commits,
            self.news,
            clock.now,
            draw_secret,
            self._opening,
            self._wake,
        )
        self._awake = False
        """Whether what is opened from now on does not sleep."""
        clocks = clock, self._notes
        self._serving = Serving(store, self._registry, clocks, thinking, self.news, self._leases)
        self._leases.gained = self.take_over
        others = OtherProcesses(store, self._registry, self.forgetting, self.execute)
        self._leases.renewed = others.follow

    # --- looking -------------------------------------------------------------------------------

    def get(self, table_id: TableId) -> OpenTable:
        """The state of an open table; `Refused` when it is over or never was."""
        return self._registry.get(table_id).state

    def has_all(self, guild_id: GuildId) -> bool:
        """Whether every open table of a server is open here, so that one that is not is over."""
        return self._serving.has_all(guild_id)

    def find(self, table_id: TableId) -> OpenTable | None:
        """The state of a table if it is open."""
        live = self._registry.find(table_id)
        return live.state if live is not None else None

    def in_channel(self, channel_id: ChannelId, user_id: UserId | None = None) -> OpenTable | None:
        """The open table that has a channel or thread; without one, one that is paused there.

        Of several the newest, but rather one at which this user sits.
        """
        live = self._registry.in_channel(channel_id, user_id)
        return live.state if live is not None else None

    @property
    def damaged(self) -> Collection[Damaged]:
        """The tables that should be open and could not be read back at the start."""
        return self._registry.damaged.values()

    def check_damaged(self, channel_id: ChannelId) -> None:
        """`Refused` if the table of this channel could not be read back at the start."""
        for there in self.damaged:
            if there.channel_id == channel_id:
                raise Refused(Reason.TABLE_DAMAGED, error=there.error)

    def all(self) -> Iterator[OpenTable]:
        """Every open table."""
        return (live.state for live in self._registry.all())

    # --- start-up and end ----------------------------------------------------------------------

    async def open(self) -> list[OpenTable]:
        """Read every table that is open where this process serves, but for those it has by a lease.

        They sleep until `wake`, or until somebody acts at one.
        """
        await self._serving.read()
        return list(self.all())

    async def take_over(self) -> None:
        """Open the tables of servers that this process serves now and did not before.

        Raises `StorageError`.
        """
        await self._store.settings.recall_servers()
        await self.open()
        if self._awake:
            self.wake()

    def wake(self) -> None:
        """Wake all tables that still sleep, and tell what is left to tell of those that are over.

        To be called when Discord is there; clicks may have come, and have woken tables, before.
        """
        self._awake = True
        over, self._serving.over = self._serving.over, []
        for event in over:
            self.news.tell(event)
        for live in list(self._registry.all()):
            self._wake(live)

    def _wake(self, live: Live) -> None:
        """Tell that a table was restored and set its clock, unless it is awake.

        People get a moment for what ran out. When they last clicked is only known of one person
        alone; the others may have done so just before, so they count as there. Messages that were
        not delivered are told now, so they come before anything new.
        """
        event, live.asleep = live.asleep, None
        if event is not None:
            now = self._clock.now()
            late = kept_waiting(live.state, now)
            live.state = after_downtime(live.state, now)
            if "idle" not in live.state.timers.deadlines:
                live.clicks = dict.fromkeys(live.state.user_ids(), now)
            self.news.tell(replace(event, state=live.state, late=late))
            self._commits.set_alarm(live.state)
            self._thinking.consider(live.state)

    def close(self) -> None:
        """Stop all clocks and thoughts; what is stored stays.

        What waits for its turn at a table is refused, as is all that comes from now on.
        """
        self._closing = self.alarms.closing = True
        self._clock.cancel_all()
        self._notes.cancel_all()
        self._thinking.close()

    # --- opening and closing a table -----------------------------------------------------------

    def reserve(self, guild_id: GuildId, user_id: UserId, *, turn_based: bool = False) -> Place:
        """A place for a table that is about to be opened; see `Places.reserve`."""
        return self.places.reserve(guild_id, user_id, turn_based=turn_based)

    def _place(self, before: OpenTable, after: OpenTable) -> AbstractContextManager[object]:
        """Until the lobby is stored: a place for it at another pace, if it gets one.

        `Refused` if the host may not have one more table of that pace.
        """
        turn_based = after.options.turn_based
        if before.options.turn_based == turn_based:
            return nullcontext()
        return self.places.hold(after.guild_id, after.host_id, turn_based=turn_based)

    async def create(
        self,
        guild_id: GuildId,
        channel_id: ChannelId,
        host_id: UserId,
        options: TableOptions,
        chairs: tuple[Chair, ...],
        *,
        computers: int = 0,
        parent_channel_id: ChannelId | None = None,
        place: Place | None = None,
        since: int | None = None,
    ) -> Lobby:
        """A new lobby, stored with whoever sits on its `chairs`, and so many computer players.

        It takes the `place` that was reserved for it, by default a new one. `since` is how often
        somebody had been forgotten when the chairs were read, if that was not just now. `Refused`:
        the channel has an open table (``channel-taken``), there is no place (see `Places.reserve`),
        or somebody is being forgotten (``being-forgotten``).
        """
        now = self._clock.now()
        new = new_lobby(guild_id, channel_id, parent_channel_id, host_id, options, now, chairs)
        new = seal(with_computers(new, computers), self._draw_secret)
        outbox = outbox_entries([LobbyPost()], 1, now, new_nonce)
        fence = self._serving.fence(guild_id)
        record = new_record(new).model_copy(update={"outbox": outbox, "fence": fence})
        async with self._opening:
            self.forgetting.check(host_id, *(chair.user_id for chair in chairs), since=since)
            self._check_channel(channel_id)
            with place or self.reserve(guild_id, host_id, turn_based=options.turn_based):
                await self._free_channel(channel_id)
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
        self._commits.set_alarm(new)
        self.news.tell(Opened(new, outbox))
        return new

    async def _find_again(self, table_id: TableId, fence: Fence | None) -> None:
        """Open a table that only the store knows, and refuse; one that is broken is closed."""
        try:
            found = await read_one(self._store, table_id)
        except ReplayError as error:
            log.error("table %s is closed for another one, as it is damaged: %s", table_id, error)
            self._registry.damaged.pop(table_id, None)
            closing = Change(status="stopped", ended_at=self._clock.now(), fence=fence)
            await self._store.tables.commit(table_id, closing)
            return
        table = found.event.state
        if table.open:
            self._wake(self._serving.add(found, fence))
        else:
            self.news.tell(found.event)
        raise Refused(Reason.CHANNEL_TAKEN)

    def _check_channel(self, channel_id: ChannelId) -> None:
        """`Refused` if a table has this channel (``channel-taken``)."""
        there = self.in_channel(channel_id)
        if there is not None and not there.yields:
            raise Refused(Reason.CHANNEL_TAKEN)

    async def _free_channel(self, channel_id: ChannelId) -> None:
        """Have paused tables let go of their channel: another one is about to take it."""
        there = self._registry.all_in_channel(channel_id)
        if there:
            await self._store.tables.let_channel_go([live.state.id for live in there])

    async def close_table(self, table_id: TableId) -> None:
        """Close a table whose channel is gone, unless it is closed already.

        Nothing is posted there any more.
        """
        live = self._registry.find(table_id)
        if live is not None:
            async with live.lock:
                self._wake(live)
                if live.state.open:
                    closing = stopped(live.state, self._clock.now())
                    await self._commits.commit(live, closing, told=False)

    async def halt(self, table_id: TableId, thread_id: ChannelId, lost: LostThread) -> bool:
        """Pause a turn-based table because its thread is closed to its people; whether that is new.

        Nothing happens if it goes on in another thread by now. Its people are told once
        (`LostThreadPost`). It goes on when one of them does something at it. Raises `StorageError`.
        """
        live = self._registry.find(table_id)
        if live is None:
            return False
        async with live.lock:
            self._wake(live)
            game = live.state
            there = game.channel_id == thread_id
            if there and isinstance(game, Game) and game.running and game.options.turn_based:
                after = halted(game, lost, self._clock.now())
                if after is not game:
                    await self._commits.commit(live, noted(after))
                    return True
        return False

    async def call_later(
        self, table_id: TableId, turn: str, until: Mapping[UserId, datetime]
    ) -> None:
        """Call these people anew for this turn, each at this time. Raises `StorageError`."""
        live = self._registry.find(table_id)
        if live is None:
            return
        async with live.lock:
            self._wake(live)
            game = live.state
            if isinstance(game, Game):
                after = called_later(game, turn, until)
                if after is not game:
                    await self._commits.commit(live, noted(after))

    async def move(self, table_id: TableId, gone: ChannelId, channel_id: ChannelId) -> OpenTable:
        """Let a table whose thread is `gone` go on in another one, of the same channel.

        None of its messages stands there. The table, which somebody else may have moved before.
        Raises `Refused` if it is over, and `StorageError`.
        """
        live = self._registry.get(table_id)
        async with live.lock:
            self._wake(live)
            if live.state.channel_id == gone:
                after = replace(live.state, channel_id=channel_id, messages=MessageIds())
                ids: dict[str, Any] = {"lobby_message_id": None, "table_message_id": None}
                change = Change(channel_id=channel_id, desk=write_desk(after), **ids)
                await self._commits.commit(live, Outcome(after, change))
                self._registry.moved(live, gone)
            return live.state

    # --- what people ask -----------------------------------------------------------------------

    def clicked(self, table_id: TableId, user_id: UserId) -> None:
        """Note that this person has just clicked at a table, whatever comes of it.

        Whoever has just clicked is there: they are not pinged, and their table does not pause.
        """
        live = self._registry.find(table_id)
        if live is None:
            return
        now = live.clicks[user_id] = self._clock.now()
        if isinstance(live.state, Game) and is_news(live.state, now):
            self._notes.set(table_id, now, lambda: self._note_clicks(live))

    async def _note_clicks(self, live: Live) -> None:
        """Store when one person alone has clicked, unless a change has told of it since."""
        async with live.lock:
            self._wake(live)
            if isinstance(live.state, Game):
                after = heard_of(live.state, live.clicks)
                if after is not live.state:
                    with suppress(StorageError):  # the next click is noted, too
                        await self._commits.commit(live, noted(after))

    async def execute(self, table_id: TableId, user_id: UserId, command: Command) -> OpenTable:
        """Carry out what a person asks of a table; the table after it.

        Raises what `Command.carry_out` raises, and `StorageError` (`NotRead` if what the command
        needs could not be read); then nothing has changed. `WrittenElsewhere` if another process
        has written the table.
        """
        live = self._registry.get(table_id)
        async with live.lock:
            if self._closing:
                raise Refused(Reason.RESTARTING)
            self._serving.fence(live.state.guild_id)
            self.forgetting.check(user_id, *command.others)
            self._wake(live)
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
                        return await self._go_on(live, outcome, user_id)
                    return await self._commits.commit(live, outcome, user_id)
                except Conflict as conflict:
                    raise WrittenElsewhere from conflict
                except LeaseLost as lost:
                    raise Refused(Reason.RESTARTING) from lost

    async def _go_on(self, live: Live, outcome: Outcome, user_id: UserId) -> OpenTable:
        """Let a paused table have its channel again.

        `Refused` if there is another one by now (``channel-busy``), or if there are as many as may
        be without it (see `Places.go_on`).
        """
        async with self._opening:
            there = self.in_channel(live.state.channel_id)
            if there is not None and not there.yields:
                raise Refused(Reason.CHANNEL_BUSY)
            with self.places.go_on(outcome.after, user_id):
                await self._free_channel(live.state.channel_id)
                change = outcome.change.model_copy(update={"holds_channel": True})
                return await self._commits.commit(live, outcome._replace(change=change), user_id)

    async def advise(
        self, table_id: TableId, user_id: UserId, revision: Revision, seat: Seat = OWN
    ) -> tuple[Game, Seat, Thought]:
        """What an Expert would do in this person's place, the best first.

        With it comes the game as it is then, and the seat that was meant. `Refused` when there are
        no hints at this table (``no-hints``) or it is not their turn; `Stale` when play has gone on
        meanwhile.
        """
        game, seat = seated(self.get(table_id), user_id, seat, revision)
        game = returned(game, user_id, self._clock.now())
        if not game.options.hints:
            raise Refused(Reason.NO_HINTS)
        question, advice = await self._thinking.advise(game, seat)
        now = self.get(table_id)
        if not isinstance(now, Game) or hint_question(now, seat) != question:
            raise Stale
        return now, seat, advice

    async def remember(
        self, table_id: TableId, *, delivered: tuple[Ordinal, ...] = (), **posted: Unpack[Posted]
    ) -> None:
        """Keep the ids of public messages, so that they are found again after a restart.

        `delivered` are the numbers of messages that need not be sent any more.
        """
        live = self._registry.find(table_id)
        if live is not None and posted:
            async with live.lock:
                self._wake(live)
                await self._commits.remember(live, posted, delivered)
        elif delivered:  # nothing that the table itself has to know
            await self._commits.delivered(table_id, delivered)

    async def rewrite_post(self, table_id: TableId, number: Ordinal, post: Post) -> None:
        """Keep what has become of a message that is still to be sent. Raises `StorageError`."""
        await self._commits.rewritten(table_id, number, post.model_dump_json())
