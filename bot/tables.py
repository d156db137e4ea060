"""All open tables: the only place that changes a game.

Every change runs under its table's lock: the new state is computed, committed, and only then
shown. What happened is told to the listener (the Discord surface), which never changes anything.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Unpack

from bot import endings, lobby, pauses
from bot.clock import Clock
from bot.course import Brain, Course, close_window, play_for_absent, play_for_computer
from bot.deadlines import after_pause
from bot.listener import Happened as Happened
from bot.listener import Listener
from bot.messages import MessageIds, remembered
from bot.refusals import Refused, Stale
from bot.replay import ReplayError
from bot.restore import restored
from bot.storage import Change, ChannelTaken, Conflict, StorageError, Store
from bot.table import Chair, Deadline, Desk, TableOptions, TableState
from engine.actions import Action
from engine.events import Event

log = logging.getLogger(__name__)


class _Live:
    """An open table: its current state and its lock."""

    __slots__ = ("lock", "state")

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.lock = asyncio.Lock()


Shuffle = Callable[[list[int]], None]

_CHANCE = secrets.SystemRandom()
_RETRY = timedelta(seconds=5)
"""When to try again what is due if it cannot be stored just now."""


class Tables:
    """The open tables of all servers, by id and by channel.

    `brain` plays for computer players; `shuffle` and `pick` are the chance of the game, by
    default from the operating system.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        brain: Brain,
        *,
        max_per_guild: int = 25,
        shuffle: Shuffle = _CHANCE.shuffle,
        pick: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self.listener: Listener | None = None
        self._store = store
        self._clock = clock
        self._brain = brain
        self._max_per_guild = max_per_guild
        self._shuffle = shuffle
        self._pick = pick
        self._open: dict[int, _Live] = {}
        self._by_channel: dict[int, int] = {}
        self._opening = asyncio.Lock()

    # --- looking -------------------------------------------------------------------------------

    def get(self, table_id: int) -> TableState:
        """The state of an open table; `Refused` when it is over or never was."""
        return self._live(table_id).state

    def find(self, table_id: int) -> TableState | None:
        """The state of a table if it is open."""
        live = self._open.get(table_id)
        return live.state if live is not None else None

    def in_channel(self, channel_id: int) -> TableState | None:
        """The open table of a channel or thread."""
        table_id = self._by_channel.get(channel_id)
        return self._open[table_id].state if table_id is not None else None

    def all(self) -> Iterator[TableState]:
        """Every open table."""
        return (live.state for live in self._open.values())

    def _live(self, table_id: int) -> _Live:
        live = self._open.get(table_id)
        if live is None:
            raise Refused("table-over")
        return live

    # --- start-up ------------------------------------------------------------------------------

    async def open(self) -> list[TableState]:
        """Rebuild every open table from its actions; their clocks start when `wake` is called.

        A table whose log does not replay is left alone and logged, the others go on.
        """
        for record in await self._store.open_tables():
            try:
                self._admit(restored(record, await self._store.actions(record.id)))
            except ReplayError as error:
                log.error("table %s is not restored: %s", record.id, error)
        return list(self.all())

    def wake(self) -> None:
        """Set the clocks of all tables; people get a moment for what ran out meanwhile."""
        now = self._clock.now()
        for live in self._open.values():
            live.state = after_pause(live.state, now)
            self._arm(live.state)

    def _admit(self, state: TableState) -> None:
        self._open[state.id] = _Live(state)
        self._by_channel[state.channel_id] = state.id

    def _arm(self, state: TableState) -> None:
        table_id = state.id
        self._clock.set(table_id, state.desk.next_deadline, lambda: self.ring(table_id))

    # --- changing ------------------------------------------------------------------------------

    async def _commit(
        self,
        live: _Live,
        after: TableState,
        change: Change,
        events: Sequence[Event],
        actor: int | None,
    ) -> TableState:
        """Store a change, then make it the table's state and tell the listener.

        Even if whoever asked is cancelled meanwhile: what is stored and what is shown never part.
        """
        work = asyncio.ensure_future(self._write(live, after, change, events, actor))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.gather(work, return_exceptions=True)
            raise

    async def _write(
        self,
        live: _Live,
        after: TableState,
        change: Change,
        events: Sequence[Event],
        actor: int | None,
    ) -> TableState:
        before = live.state
        try:
            await self._store.commit(before.id, change)
        except Conflict as error:  # somebody else writes to the same database
            log.error("%s: the table is read anew", error)
            self._adopt(live, await self._stored(before.id))
            raise
        self._adopt(live, after, events, actor)
        return after

    def _adopt(
        self,
        live: _Live,
        after: TableState,
        events: Sequence[Event] = (),
        actor: int | None = None,
    ) -> None:
        """Make what is stored the table's state, set its clock and tell the listener."""
        before, live.state = live.state, after
        if after.status not in ("lobby", "playing"):
            self._open.pop(after.id, None)
            self._by_channel.pop(after.channel_id, None)
        self._arm(after)
        if self.listener is not None:
            self.listener.happened(Happened(before, after, events, actor))

    async def _stored(self, table_id: int) -> TableState:
        """A table as the store has it. Raises `ReplayError`."""
        record = await self._store.table(table_id)
        if record is None:
            raise ReplayError(0)
        return restored(record, await self._store.actions(table_id))

    async def _run(
        self, live: _Live, work: Callable[[Course], None], actor: int | None = None
    ) -> TableState:
        """Run one batch of actions on a table whose lock is held."""
        course = Course(live.state, self._clock.now(), self._brain)
        work(course)
        after, change = course.finish()
        return await self._commit(live, after, change, course.events, actor)

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
    ) -> TableState:
        """A new lobby with its host on the first chair (or these chairs, for a rematch).

        `Refused`: the channel has an open table (``channel-taken``), too many tables
        (``too-many-tables``); `IllegalAction` for options out of range.
        """
        state = lobby.open_lobby(
            guild_id, channel_id, parent_channel_id, host_id, options, self._clock.now(), chairs
        )
        if chairs is None:
            state = lobby.join(state, host_id, host_name)
        async with self._opening:
            if self.in_channel(channel_id) is not None:
                raise Refused("channel-taken")
            self.check_room(guild_id)
            try:
                record = await self._store.create_table(lobby.new_record(state))
            except ChannelTaken as taken:
                await self._find_again(taken.table_id)
                record = await self._store.create_table(lobby.new_record(state))
            state = replace(state, id=record.id)
            self._admit(state)
        self._arm(state)
        return state

    async def _find_again(self, table_id: int) -> None:
        """Open a table that only the store knows, and refuse; one that is broken is closed."""
        try:
            self._admit(await self._stored(table_id))
        except ReplayError as error:
            log.error("table %s is closed, as it cannot be restored: %s", table_id, error)
            closing = Change(status="stopped", ended_at=self._clock.now())
            await self._store.commit(table_id, closing)
            return
        self._arm(self._open[table_id].state)
        raise Refused("channel-taken")

    def check_room(self, guild_id: int) -> None:
        """`Refused` when this server cannot have another table (``too-many-tables``)."""
        if sum(table.guild_id == guild_id for table in self.all()) >= self._max_per_guild:
            raise Refused("too-many-tables", limit=self._max_per_guild)

    async def _reseat(
        self, table_id: int, actor: int, work: Callable[[TableState], TableState]
    ) -> TableState:
        """Change the chairs of a lobby."""
        live = self._live(table_id)
        async with live.lock:
            now = self._clock.now()
            after = lobby.touched(work(self._current(live)), now)
            change = Change(
                seats=after.seat_records(),
                host_id=after.host_id,
                desk=after.desk.model_dump_json(),
                status=after.status,
                ended_at=now if after.status == "expired" else None,
            )
            return await self._commit(live, after, change, (), actor)

    def _current(self, live: _Live) -> TableState:
        if live.state.status not in ("lobby", "playing"):
            raise Refused("table-over")
        return live.state

    async def join(self, table_id: int, user_id: int, name: str) -> TableState:
        """Sit down in a lobby."""
        return await self._reseat(table_id, user_id, lambda state: lobby.join(state, user_id, name))

    async def leave(self, table_id: int, user_id: int, computer_name: str) -> TableState:
        """Stand up; in a running match a computer player takes the seat for good."""
        if self.get(table_id).status == "lobby":
            return await self._reseat(table_id, user_id, lambda state: lobby.leave(state, user_id))
        return await self._hand_over(table_id, user_id, computer_name)

    async def _hand_over(self, table_id: int, user_id: int, name: str) -> TableState:
        live = self._live(table_id)
        async with live.lock:
            before, seat = pauses.hand_over(self._current(live), user_id, name)
            course = Course(before, self._clock.now(), self._brain)
            for at in before.seats_of_chair(seat):
                course.take_back(at)
            course.catch_up()
            after, change = course.finish()
            change = change.model_copy(update={"seats": after.seat_records()})
            return await self._commit(live, after, change, course.events, user_id)

    async def add_computer(self, table_id: int, user_id: int, name: str) -> TableState:
        """Put a computer player on a free chair."""
        return await self._reseat(table_id, user_id, lambda state: lobby.add_computer(state, name))

    async def remove_computer(self, table_id: int, user_id: int) -> TableState:
        """Take a computer player off its chair."""
        return await self._reseat(table_id, user_id, lobby.remove_computer)

    async def swap(self, table_id: int, user_id: int, one: int, other: int) -> TableState:
        """Exchange two chairs of a lobby."""
        return await self._reseat(
            table_id, user_id, lambda state: lobby.swap(state, user_id, one, other)
        )

    async def start(self, table_id: int, user_id: int) -> TableState:
        """Start the match and deal its first round."""
        live = self._live(table_id)
        async with live.lock:
            before = self._current(live)
            lobby.check_start(before, user_id)
            seated = lobby.seated(before)
            dealer = before.options.first_dealer
            if dealer is None:
                dealer = self._pick(seated.options.chairs)
            playing = replace(seated, status="playing", desk=Desk())
            course = Course(playing, self._clock.now(), self._brain)
            course.start(dealer, self._deck(seated))
            after, change = course.finish()
            if seated is not before:
                options = seated.options.model_dump_json()
                update = {"options": options, "seats": after.seat_records()}
                change = change.model_copy(update=update)
            return await self._commit(live, after, change, course.events, user_id)

    def _deck(self, state: TableState) -> list[int]:
        deck = list(state.options.game.deck(state.options.rules()))
        self._shuffle(deck)
        return deck

    async def act(
        self,
        table_id: int,
        user_id: int,
        stamp: int | None,
        make: Callable[[int], Action],
        seat: int | None = None,
    ) -> TableState:
        """Carry out a person's action; `make` is given his seat, or the one he decides for.

        Raises `Stale` when `stamp` is not the table's (no check for `None`), `Refused` when he
        does not sit there or nothing is played, `IllegalAction` when the rules forbid it.
        """
        return await self._at_table(
            table_id, user_id, stamp, lambda course, at: course.take(make(at), user_id), seat
        )

    async def bomb(
        self, table_id: int, user_id: int, target: str, cards: int, seat: int | None = None
    ) -> TableState:
        """Throw a bomb on the play it was meant for; `Stale` if another lies there by now."""
        return await self._at_table(
            table_id,
            user_id,
            None,
            lambda course, at: course.bomb(at, cards, target, user_id),
            seat,
        )

    async def pass_this_trick(
        self, table_id: int, user_id: int, trick: str, on: bool, seat: int | None = None
    ) -> TableState:
        """Pass until the trick is gathered, or no longer; `Stale` if it is another by now."""
        return await self._at_table(
            table_id, user_id, None, lambda course, at: course.pass_this_trick(at, on, trick), seat
        )

    async def take_back(
        self, table_id: int, user_id: int, stamp: int | None, seat: int | None = None
    ) -> TableState:
        """Take a pre-move back while the window is still open."""
        return await self._at_table(
            table_id, user_id, stamp, lambda course, at: course.take_back(at), seat
        )

    async def _at_table(
        self,
        table_id: int,
        user_id: int,
        stamp: int | None,
        work: Callable[[Course, int], None],
        seat: int | None = None,
    ) -> TableState:
        live = self._live(table_id)
        async with live.lock:
            _, at = self._seated(live, user_id, stamp, seat)
            return await self._run(live, lambda course: work(course, at), user_id)

    def _seated(
        self, live: _Live, user_id: int, stamp: int | None, seat: int | None = None
    ) -> tuple[TableState, int]:
        """The running table and the seat that this person acts for; `Stale` for an old stamp."""
        state = self._current(live)
        chair = state.seat_of(user_id)
        if chair is None:
            raise Refused("not-seated")
        if not state.running:
            raise Refused("not-started")
        if stamp is not None and stamp != state.stamp:
            raise Stale
        if seat is not None and seat not in state.seats_of_chair(chair):
            raise Refused("not-your-hand")
        return state, chair if seat is None else seat

    async def hold_window(self, table_id: int, user_id: int, number: int) -> TableState:
        """Keep the open bomb window open for ten seconds more, twice a round for each player.

        `Stale` if round `number` is over by now.
        """
        live = self._live(table_id)
        async with live.lock:
            state, seat = self._seated(live, user_id, None)
            if state.round is None or state.round.number != number:
                raise Stale
            return await self._set_desk(live, pauses.hold_window(state, seat), user_id)

    async def pause(self, table_id: int, user_id: int, paused: bool) -> TableState:
        """Stop the countdown between two rounds, or let it go on."""
        live = self._live(table_id)
        async with live.lock:
            state, _ = self._seated(live, user_id, None)
            return await self._set_desk(
                live, pauses.pause(state, paused, self._clock.now()), user_id
            )

    async def vote_stop(self, table_id: int, user_id: int, *, moderator: bool) -> TableState:
        """Vote to stop; a moderator, or more than half of the people at the table, stops it."""
        live = self._live(table_id)
        async with live.lock:
            after, ending = pauses.vote_to_stop(self._current(live), user_id, moderator=moderator)
            if ending == "now":
                return await self._stop(live, user_id)
            if ending == "with-result":
                return await self._run(live, Course.stop, user_id)
            return await self._set_desk(live, after, user_id)

    async def _stop(self, live: _Live, user_id: int | None) -> TableState:
        after, change = endings.stopped(live.state, self._clock.now())
        return await self._commit(live, after, change, (), user_id)

    async def _set_desk(self, live: _Live, after: TableState, actor: int | None) -> TableState:
        """Store a state in which only the desk has changed."""
        change = Change(desk=after.desk.model_dump_json())
        return await self._commit(live, after, change, (), actor)

    async def remember(self, table_id: int, **ids: Unpack[MessageIds]) -> None:
        """Keep the ids of public messages, so that they are found again after a restart."""
        live = self._open.get(table_id)
        if live is None:
            return
        async with live.lock:
            after, change = remembered(live.state, ids)
            await self._store.commit(table_id, change)
            live.state = after
            if self.listener is not None:
                self.listener.remembered(after)

    # --- the clock -----------------------------------------------------------------------------

    async def ring(self, table_id: int) -> None:
        """Do what is due on a table; called by its alarm."""
        live = self._open.get(table_id)
        if live is None:
            return
        async with live.lock:
            now = self._clock.now()
            due = sorted(
                (when, name) for name, when in live.state.desk.deadlines.items() if when <= now
            )
            if not due:
                self._arm(live.state)
                return
            try:
                await self._on_deadline(live, due[0][1])
            except StorageError as error:
                log.error("table %s waits for the storage: %s", table_id, error)
                self._clock.set(table_id, now + _RETRY, lambda: self.ring(table_id))
            except Exception:
                log.exception("table %s: what was due failed, it is tried again", table_id)
                self._clock.set(table_id, now + _RETRY, lambda: self.ring(table_id))

    async def _on_deadline(self, live: _Live, name: Deadline) -> None:
        state = live.state
        if name == "lobby":
            after, change = endings.expired(state, self._clock.now())
            await self._commit(live, after, change, (), None)
        elif name == "nudge":
            await self._nudge(live)
        elif name == "window":
            await self._run(live, close_window)
        elif name == "think":
            await self._run(live, play_for_computer)
        elif name == "turn":
            await self._run(live, play_for_absent)
        else:
            deck = self._deck(state)
            await self._run(live, lambda course: course.deal(deck))

    async def _nudge(self, live: _Live) -> None:
        after, users = pauses.nudged(live.state)
        await self._set_desk(live, after, None)
        if self.listener is not None and users:
            self.listener.nudge(after, users)

    async def close_table(self, table_id: int) -> None:
        """Close a table whose channel is gone, unless it is closed already."""
        live = self._open.get(table_id)
        if live is not None:
            async with live.lock:
                if live.state.status in ("lobby", "playing"):
                    await self._stop(live, None)

    def close(self) -> None:
        """Stop all clocks; what is stored stays."""
        self._clock.cancel_all()
