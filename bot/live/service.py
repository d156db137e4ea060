"""All open tables: the only place that changes a game.

Every change runs under its table's lock: the new state is computed, committed, and only then
shown. What happened is told to the listener (the Discord surface), which never changes anything.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Unpack

from bot.computers.thinking import Thinking
from bot.computers.worker_pool import Thought
from bot.errors import Reason, Refused, Stale
from bot.live.events import Opened, Waiting
from bot.live.registry import Live, OpenTables
from bot.rating.ratings import BEGINNER
from bot.records import Change
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames
from bot.storage import ChannelTaken, NotRead, StorageError, Store
from bot.table import interruptions, lobby
from bot.table.action_log import ReplayError
from bot.table.batch import Batch
from bot.table.closing import expired, stopped
from bot.table.commands import Command, Context, Start, seated
from bot.table.dealing import (
    Prepare,
    Secrets,
    new_secret,
    next_deal,
    nothing_prepared,
    seal,
)
from bot.table.decisions import question_to
from bot.table.desk import Deadline
from bot.table.message_ids import Posted, remembered
from bot.table.options import TableOptions
from bot.table.outcome import Outcome, noted
from bot.table.posts import LobbyPost, outbox_entries
from bot.table.presence import returned
from bot.table.state import Chair, Game, Lobby, OpenTable, seats_waited_for

log = logging.getLogger(__name__)

_RETRY = timedelta(seconds=5)
"""When to try again what is due if it cannot be stored just now."""


class Tables(OpenTables):
    """The open tables of all servers.

    `thinking` decides for computer players; `secret` draws what decks are made from, by default
    with the operating system. `prepare` is asked before each deal what is not to be drawn.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        thinking: Thinking,
        *,
        max_per_guild: int = 25,
        secret: Secrets = new_secret,
        prepare: Prepare = nothing_prepared,
    ) -> None:
        super().__init__(store, clock, thinking)
        self._max_per_guild = max_per_guild
        self._secret = secret
        self._prepare = prepare
        self._opening = asyncio.Lock()

    # --- opening -------------------------------------------------------------------------------

    async def create(
        self,
        guild_id: int,
        channel_id: int,
        host_id: int,
        host_name: str,
        options: TableOptions,
        *,
        parent_channel_id: int | None = None,
        chairs: tuple[Chair, ...] | None = None,
    ) -> Lobby:
        """A new lobby with its host on the first chair (or these chairs, for a rematch).

        `Refused`: the channel has an open table (``channel-taken``), too many tables
        (``too-many-tables``).
        """
        new = lobby.new_lobby(
            guild_id, channel_id, parent_channel_id, host_id, options, self._clock.now(), chairs
        )
        if chairs is None:
            new = lobby.join(new, host_id, host_name)
        new = seal(new, self._secret)
        outbox = outbox_entries([LobbyPost()], 1, self._clock.now())
        record = lobby.new_record(new).model_copy(update={"outbox": outbox})
        async with self._opening:
            if self.in_channel(channel_id) is not None:
                raise Refused(Reason.CHANNEL_TAKEN)
            self.check_room(guild_id)
            try:
                stored = await self._store.tables.create(record)
            except ChannelTaken as taken:
                await self._find_again(taken.table_id)
                stored = await self._store.tables.create(record)
            new = replace(new, id=stored.id)
            self._admit(new, len(outbox))
        self._arm(new)
        self.tell(Opened(new, outbox))
        return new

    async def _find_again(self, table_id: int) -> None:
        """Open a table that only the store knows, and refuse; one that is broken is closed."""
        try:
            entries = await self._undelivered(table_id)
            event = await self._restore(await self._record(table_id), entries)
        except ReplayError as error:
            log.error("table %s is closed, as it cannot be restored: %s", table_id, error)
            closing = Change(status="stopped", ended_at=self._clock.now())
            await self._store.tables.commit(table_id, closing)
            return
        self.tell(event)
        if (live := self._open.get(table_id)) is not None:
            self._wake(live)
        raise Refused(Reason.CHANNEL_TAKEN)

    def check_room(self, guild_id: int) -> None:
        """`Refused` when this server cannot have another table (``too-many-tables``)."""
        if sum(table.guild_id == guild_id for table in self.all()) >= self._max_per_guild:
            raise Refused(Reason.TOO_MANY_TABLES, limit=self._max_per_guild)

    # --- what people ask -----------------------------------------------------------------------

    async def execute(self, table_id: int, user_id: int, command: Command) -> OpenTable:
        """Carry out what a person asks of a table; the table after it.

        Raises what `Command.carry_out` raises, and `StorageError` (`NotRead` if what the command
        needs could not be read); then nothing has changed.
        """
        live = self._live(table_id)
        async with live.lock:
            before = self._current(live)
            context = Context(self._clock.now(), self._secret, self._prepare)
            if isinstance(command, Start):
                context = replace(context, ratings=await self._ratings(before))
            outcome = command.carry_out(before, user_id, context)
            if outcome is None:
                return before
            return await self._commit(live, outcome, user_id)

    async def _ratings(self, table: OpenTable) -> dict[int, int]:
        """The ratings that the people at a table have now, as they are shown, by user.

        Raises `NotRead`.
        """
        users, variant = table.user_ids(), table.options.variant
        try:
            found = await self._store.rankings.ratings(table.guild_id, variant, users)
        except StorageError as error:
            raise NotRead(str(error)) from error
        return {user: round(found.get(user, BEGINNER).shown) for user in users}

    def seated(
        self, table_id: int, user_id: int, seat: int | None = None, revision: int | None = None
    ) -> tuple[Game, int]:
        """The running game as it is, and the seat that this person acts for: `seat`, or their own.

        Raises what a command of theirs would raise.
        """
        return seated(self.get(table_id), user_id, seat, revision)

    async def advise(
        self, table_id: int, user_id: int, revision: int, seat: int | None = None
    ) -> tuple[Game, Thought]:
        """What an Expert would do in this person's place, the best first, and the game then.

        `Refused` when there are no hints at this table (``no-hints``) or it is not their turn;
        `Stale` when play has gone on meanwhile.
        """
        game, seat = self.seated(table_id, user_id, seat, revision)
        game = returned(game, user_id, self._clock.now())
        if not game.options.hints:
            raise Refused(Reason.NO_HINTS)
        question, advice = await self._thinking.advise(game, seat)
        now = self.get(table_id)
        if not isinstance(now, Game) or question_to(now, seat) != question:
            raise Stale
        return now, advice

    async def remember(
        self, table_id: int, *, delivered: tuple[int, ...] = (), **posted: Unpack[Posted]
    ) -> None:
        """Keep the ids of public messages, so that they are found again after a restart.

        `delivered` are the numbers of messages that need not be sent any more.
        """
        live = self._open.get(table_id)
        if live is None or not posted:  # nothing that the table itself has to know
            if delivered:
                await self._store.tables.commit(table_id, Change(delivered=delivered))
            return
        async with live.lock:
            after, change, _ = remembered(live.state, posted)
            change = change.model_copy(update={"delivered": delivered})
            await self._store.tables.commit(table_id, change)
            live.state = after

    def _current(self, live: Live) -> OpenTable:
        if not live.state.open:
            raise Refused(Reason.TABLE_OVER)
        return live.state

    # --- the clock -----------------------------------------------------------------------------

    async def ring(self, table_id: int) -> None:
        """Do what is due on a table; called by its alarm."""
        live = self._open.get(table_id)
        if live is None:
            return
        async with live.lock:
            now = self._clock.now()
            times = live.state.timers.deadlines
            due = sorted((when, name) for name, when in times.items() if when <= now)
            if not due:
                self._arm(live.state)
                return
            try:
                await self._on_deadline(live, due[0][1])
            except StorageError as error:
                log.error("table %s waits for the storage: %s", table_id, error)
                self._clock.set(table_id, now + _RETRY, lambda: self.ring(table_id))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error("table %s: what was due failed, it is tried again:\n%s", table_id, trail)
                self._clock.set(table_id, now + _RETRY, lambda: self.ring(table_id))

    async def _on_deadline(self, live: Live, name: Deadline) -> None:
        table = live.state
        if isinstance(table, Lobby):
            await self._commit(live, expired(table, self._clock.now()), None)
        elif name == "nudge":
            await self._nudge(live, table)
        else:
            await self._commit(live, self._due(table, name), None)

    def _due(self, game: Game, name: Deadline) -> Outcome:
        """What a deadline of a running game leads to."""
        now = self._clock.now()
        if name == "abandoned":
            return stopped(game, now)
        if name == "next_round":
            deal = next_deal(game, self._secret, self._prepare(game))
            batch = Batch(replace(game, deal=deal.secrets), now)
            batch.deal(deal.source)
            return batch.finish()
        batch = Batch(game, now)
        if name == "window":
            batch.close_window(self._thinking.decided(game, ("bomb",)))
        elif name == "think":
            batch.carry_out(self._thinking.decided(game, ("answer", "move")))
        else:  # somebody's turn is over
            answers = self._thinking.for_absent(game)
            batch.let_time_out(
                seat for seat in seats_waited_for(game.match) if not game.computer(seat)
            )
            batch.carry_out(answers)
        return batch.finish()

    async def _nudge(self, live: Live, game: Game) -> None:
        after, users = interruptions.nudged(game)
        await self._commit(live, noted(after), None)
        if users:
            self.tell(Waiting(after, users))

    # --- closing -------------------------------------------------------------------------------

    async def close_table(self, table_id: int) -> None:
        """Close a table whose channel is gone, unless it is closed already."""
        live = self._open.get(table_id)
        if live is not None:
            async with live.lock:
                if live.state.open:
                    await self._commit(live, stopped(live.state, self._clock.now()), None)

    def close(self) -> None:
        """Stop all clocks and thoughts; what is stored stays."""
        self._clock.cancel_all()
        self._thinking.close()
