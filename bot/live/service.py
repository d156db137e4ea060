"""All open tables: the only place that changes a game.

Every change runs under its table's lock: the new state is computed, committed, and only then
shown. What happened is told to the listener (the Discord surface), which never changes anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.computers.thinking import Thinking
from bot.computers.worker_pool import Thought
from bot.errors import Refused, Stale
from bot.live.events import Opened, Waiting
from bot.live.registry import Live, OpenTables
from bot.runtime.clock import Clock
from bot.storage import Change, ChannelTaken, Rating, StorageError, Store
from bot.table import closing as endings
from bot.table import interruptions as pauses
from bot.table import lobby
from bot.table import seats as handover
from bot.table.action_log import ReplayError
from bot.table.batch import Course
from bot.table.dealing import (
    Prepare,
    Secrets,
    cut,
    first_deal,
    new_secret,
    next_deal,
    nothing_prepared,
    seal,
)
from bot.table.decisions import question_to
from bot.table.posts import LobbyPost, outbox_entries
from bot.table.presence import returned
from bot.table.state import Chair, Deadline, TableOptions, TableState, seats_waited_for
from engine.actions import Action

log = logging.getLogger(__name__)

_RETRY = timedelta(seconds=5)
"""When to try again what is due if it cannot be stored just now."""


class Tables(OpenTables):
    """The open tables of all servers, by id and by channel.

    `thinking` decides for computer players; `secret` is the chance of the game, by default from the
    operating system. `prepare` is asked before each deal what is not to be drawn.
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
        state = seal(state, self._secret)
        outbox = outbox_entries([LobbyPost()], 1, self._clock.now())
        new = lobby.new_record(state).model_copy(update={"outbox": outbox})
        async with self._opening:
            if self.in_channel(channel_id) is not None:
                raise Refused("channel-taken")
            self.check_room(guild_id)
            try:
                record = await self._store.create_table(new)
            except ChannelTaken as taken:
                await self._find_again(taken.table_id)
                record = await self._store.create_table(new)
            state = replace(state, id=record.id)
            self._admit(state, len(new.outbox))
        self._arm(state)
        self.tell(Opened(state, new.outbox))
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

    async def join(self, table_id: int, user_id: int, name: str) -> TableState:
        """Sit down in a lobby."""
        return await self._reseat(table_id, user_id, lambda state: lobby.join(state, user_id, name))

    async def leave(self, table_id: int, user_id: int) -> TableState:
        """Stand up in a lobby."""
        return await self._reseat(table_id, user_id, lambda state: lobby.leave(state, user_id))

    async def leave_to_computer(self, table_id: int, user_id: int, name: str) -> TableState:
        """Leave a running match: a computer player of this name takes the seat for good."""
        return await self._new_owner(
            table_id,
            user_id,
            lambda state, _: handover.leave_to_computer(state, user_id, name),
        )

    async def accept_seat(self, table_id: int, user_id: int, name: str, seat: int) -> TableState:
        """Take the seat that somebody has offered to this person."""
        return await self._new_owner(
            table_id,
            user_id,
            lambda state, now: handover.accept(state, user_id, name, seat, now),
        )

    async def take_over(self, table_id: int, user_id: int, name: str, seat: int) -> TableState:
        """Sit down in place of a computer player, between two rounds."""
        return await self._new_owner(
            table_id,
            user_id,
            lambda state, now: handover.take_over(state, user_id, name, seat, now),
        )

    async def _new_owner(
        self, table_id: int, actor: int, work: Callable[[TableState, datetime], TableState]
    ) -> TableState:
        """Give a seat of a running match to somebody else, and let play go on."""
        live = self._live(table_id)
        async with live.lock:
            now = self._clock.now()
            course = Course(work(self._current(live), now), now)
            course.catch_up()
            after, change = course.finish()
            change = change.model_copy(update={"seats": after.seat_records()})
            after = await self._commit(live, after, change, course.events, actor)
            voted, ending = pauses.decided(after)  # by those who sit there now
            if ending == "not-yet" and voted is after:
                return after
            return await self._end(live, voted, ending, actor)

    async def offer_seat(
        self, table_id: int, user_id: int, member_id: int, name: str
    ) -> TableState:
        """Offer one's seat to another member, who has to accept it."""
        return await self._offers(
            table_id, user_id, lambda state: handover.offer(state, user_id, member_id, name)
        )

    async def keep_seat(self, table_id: int, user_id: int) -> TableState:
        """Take back what one has offered, if anything."""
        return await self._offers(
            table_id, user_id, lambda state: handover.take_back(state, user_id)
        )

    async def decline_seat(self, table_id: int, user_id: int, seat: int) -> TableState:
        """Say no to the seat that somebody has offered to this person."""
        return await self._offers(
            table_id, user_id, lambda state: handover.decline(state, user_id, seat)
        )

    async def _offers(
        self, table_id: int, actor: int, work: Callable[[TableState], TableState]
    ) -> TableState:
        live = self._live(table_id)
        async with live.lock:
            after = work(self._current(live))
            return after if after is live.state else await self._set_desk(live, after, actor)

    async def come_back(self, table_id: int, user_id: int) -> TableState:
        """Somebody who was away is there again; nothing changes for who was not away."""
        live = self._live(table_id)
        async with live.lock:
            state, _ = self._seated(live, user_id, None)
            return state if state is live.state else await self._set_desk(live, state, user_id)

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
            playing, deal, dealer = first_deal(seated, self._secret, self._prepare(seated))
            course = Course(await self._with_ratings(playing), self._clock.now())
            course.start(dealer, deal)
            after, change = course.finish()
            update: dict[str, object] = {"seats": after.seat_records()}
            if seated is not before:
                update["options"] = seated.options.model_dump_json()
            change = change.model_copy(update=update)
            return await self._commit(live, after, change, course.events, user_id)

    async def _with_ratings(self, state: TableState) -> TableState:
        """The table with the ratings that its people have now."""
        users = [chair.user_id for chair in state.people() if chair.user_id is not None]
        found = await self._store.ratings(state.guild_id, state.options.variant, users)
        ratings = {user: round(found.get(user, Rating()).shown) for user in users}
        return replace(state, desk=state.desk.model_copy(update={"ratings": ratings}))

    async def _deal(self, live: Live) -> None:
        """Deal the next round of a match."""
        before, deal, _ = next_deal(live.state, self._secret, self._prepare(live.state))
        course = Course(before, self._clock.now())
        course.deal(deal)
        after, change = course.finish()
        await self._commit(live, after, change, course.events, None)

    async def shuffle(self, table_id: int, user_id: int, word: str) -> TableState:
        """Let a word of this person take part in the next deal."""
        live = self._live(table_id)
        async with live.lock:
            state = returned(self._current(live), user_id, self._clock.now())
            after = cut(seal(state, self._secret), user_id, word)
            return await self._set_desk(live, after, user_id)

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
        self, live: Live, user_id: int, stamp: int | None, seat: int | None = None
    ) -> tuple[TableState, int]:
        """The running table and the seat that this person acts for; `Stale` for an old stamp.

        He is there, for he acts: in this state he is not away.
        """
        state = returned(self._current(live), user_id, self._clock.now())
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

    async def advise(
        self, table_id: int, user_id: int, stamp: int, seat: int | None = None
    ) -> tuple[TableState, Thought]:
        """What an Expert would do in this person's place, the best first, and the table then.

        `Refused` when there are no hints at this table (``no-hints``) or it is not his turn;
        `Stale` when play has gone on meanwhile.
        """
        state, at = self._seated(self._live(table_id), user_id, stamp, seat)
        if not state.options.hints:
            raise Refused("no-hints")
        question, advice = await self._thinking.advise(state, at)
        now = self.get(table_id)
        if question_to(now, at) != question:
            raise Stale
        return now, advice

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
            return await self._end(live, after, ending, user_id)

    async def _end(
        self, live: Live, voted: TableState, ending: pauses.Ending, user_id: int
    ) -> TableState:
        """Carry out what a vote has led to."""
        if ending == "now":
            return await self._stop(live, user_id)
        if ending == "with-result":
            return await self._run(live, Course.stop, user_id)
        return await self._set_desk(live, voted, user_id)

    async def _stop(self, live: Live, user_id: int | None) -> TableState:
        after, change = endings.stopped(live.state, self._clock.now())
        return await self._commit(live, after, change, (), user_id)

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

    async def _on_deadline(self, live: Live, name: Deadline) -> None:
        state = live.state
        if name == "lobby":
            after, change = endings.expired(state, self._clock.now())
            await self._commit(live, after, change, (), None)
        elif name == "nudge":
            await self._nudge(live)
        elif name == "window":
            bombs = self._thinking.decided(state, ("bomb",))
            await self._run(live, lambda course: course.close_window(bombs))
        elif name == "think":
            answers = self._thinking.decided(state, ("answer", "move"))
            await self._run(live, lambda course: course.carry_out(answers))
        elif name == "turn":
            waited = seats_waited_for(state.match) if state.match is not None else ()
            late = [seat for seat in waited if not state.computer(seat)]
            answers = self._thinking.for_absent(state)

            def go_on(course: Course) -> None:
                course.miss(late)
                course.carry_out(answers)

            await self._run(live, go_on)
        elif name == "abandoned":
            await self._stop(live, None)
        else:
            await self._deal(live)

    async def _nudge(self, live: Live) -> None:
        after, users = pauses.nudged(live.state)
        await self._set_desk(live, after, None)
        if users:
            self.tell(Waiting(after, users))

    async def close_table(self, table_id: int) -> None:
        """Close a table whose channel is gone, unless it is closed already."""
        live = self._open.get(table_id)
        if live is not None:
            async with live.lock:
                if live.state.status in ("lobby", "playing"):
                    await self._stop(live, None)

    def close(self) -> None:
        """Stop all clocks and thoughts; what is stored stays."""
        self._clock.cancel_all()
        self._thinking.close()
