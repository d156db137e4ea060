"""Private hands that are open on players' screens, kept up to date.

Each player has at most one at a table. A hand is a private message. The newest click on it has the
token with which it is edited, moved and removed (`PrivateMessage`). A hand that is opened again
replaces the previous one. When the table is posted for a new round, the hand follows below it. When
the table is posted again in the same round, the hand follows only while its reader has nothing to
do; otherwise a button could move just as they press it.

A change of the reader's options is shown at once. If only others have moved, the hand is renewed
every `IDLE_EVERY` at most. **Hold** disappears with the next change, at the latest
`HOLD_GOES_WITHIN` after the end of its bomb window, because a request only for this would be a
quarter of all requests. Shortly before the token expires the hand rests: it says so and offers to
go on. After a temporary failure (a 503, a lost connection) a request is retried after the pauses of
`failed_requests.py`, with the newest hand. Nothing private is ever sent anywhere else.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from bot.ids import MessageId, TableId, UserId
from bot.records import RoundNumber
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.coalescing_writer import CoalescingWriter
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_temporary, log_text, pause_s
from cogs.delivery.private_messages import PrivateMessage
from cogs.pages.controls import Page
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import (
    HandFingerprint,
    expired_hand_page,
    hand_fingerprint,
    hand_page,
    match_over_page,
)
from cogs.pages.table.blocked import Blocked
from cogs.pages.table.seats import left_page
from engine import Seat

log = logging.getLogger(__name__)

IDLE_EVERY = timedelta(seconds=3)
"""Shortest time between two edits of a hand whose reader's options did not change."""
HOLD_GOES_WITHIN = timedelta(seconds=10)
"""Longest time a hand shows **Hold** after its bomb window.

A late click is answered with the end of the window.
"""
RESTS_BEFORE = timedelta(seconds=30)
"""Time before the token expires at which a hand shows that it rests."""

_Key = tuple[TableId, UserId]
_Ending = Literal["left", "over", "rests"]
"""The reason a hand is not renewed any more.

Its player has left, the match is over, or the token expires.
"""


@dataclass(slots=True, eq=False)
class _OpenHand:
    """One hand on a screen."""

    number: int
    """Key of its alarms."""
    message: PrivateMessage
    """The message that shows it."""
    state: Game
    """The newest state, which it is to show."""
    seat: Seat
    """The reader's chair."""
    written_at: datetime
    """Time of the last answer or edit."""
    draft: Draft | None = None
    """The choice that its reader has begun on it."""
    shown: HandFingerprint | None = field(default=None, repr=False)
    """Fingerprint of the page that it shows or is about to show."""
    due: bool = False
    """True if there is something to write, now or soon."""
    gone: set[MessageId] = field(default_factory=set)
    """Previous messages of it, which are being removed."""
    in_flight: bool = False
    """True while a request that edits or moves it is in flight."""
    placed: RoundNumber = 0
    """The round in which it was posted or last clicked."""
    below: MessageId = MessageId(0)
    """The message below which it is to be."""
    ending: _Ending | None = None
    """Set if it is not renewed; its next page is its last."""
    writer: CoalescingWriter = field(init=False, repr=False)
    """Edits it and moves it, one request at a time."""

    @property
    def key(self) -> _Key:
        """Table and reader of the hand."""
        return self.state.id, self.message.user_id

    @property
    def needs_action(self) -> bool:
        """True if its reader has to do something now."""
        seats = self.state.seats_of_chair(self.seat)
        return bool(set(seats).intersection(self.state.awaited_seats))

    @property
    def moves(self) -> bool:
        """True if it is to be moved below the table now."""
        if self.message.id >= self.below or self.ending is not None:
            return False
        return self.placed != self.state.round.number or not self.needs_action


class OpenHands:
    """The open hands by table and user; `words` returns a reader's words."""

    def __init__(self, clock: Clock, words: Callable[[PrivateMessage], Speaker]) -> None:
        self._clock = clock
        self._words = words
        self._closing = False
        self._blocked: dict[TableId, Blocked] = {}
        """Tables where the bot cannot write, which their hands show."""
        self._open: dict[_Key, _OpenHand] = {}
        self._numbers = itertools.count(1)
        self._renewals = Clock(clock.now, clock.sleep)
        self._rests = Clock(clock.now, clock.sleep)
        self._tasks: set[asyncio.Task[None]] = set()
        """Requests that are in flight or wait for their next try."""

    def __len__(self) -> int:
        """Return the number of hands that are kept up to date."""
        return len(self._open)

    # --- events --------------------------------------------------------------------------------

    def track(
        self, message: PrivateMessage, state: Game, seat: Seat, draft: Draft | None = None
    ) -> None:
        """Keep a message up to date that shows this seat's hand.

        It replaces the previous hand, unless it is the same message.
        """
        key = state.id, message.user_id
        hand = self._open.get(key)
        if hand is None:
            hand = self._open[key] = self._new_hand(message, state, seat)
        elif message.id not in hand.gone:
            if hand.message.id != message.id:
                self._remove_soon(hand, hand.message)
            hand.message = message
        hand.state, hand.seat, hand.draft, hand.ending = state, seat, draft, None
        hand.shown = hand_fingerprint(state, seat)
        hand.written_at, hand.placed, hand.due = self._clock.now(), state.round.number, False
        self._renewals.set(hand.number, None, _nothing)
        ends_at = hand.message.ends_at
        self._rests.set(hand.number, ends_at - RESTS_BEFORE, lambda: self._rest(hand))
        if hand.in_flight or hand.message is not message:
            self._write_now(hand)  # otherwise an older page could be the last one written

    def _new_hand(self, message: PrivateMessage, state: Game, seat: Seat) -> _OpenHand:
        hand = _OpenHand(next(self._numbers), message, state, seat, self._clock.now())
        name = f"hand-{state.id}-{message.user_id}"
        hand.writer = CoalescingWriter(lambda: self._write(hand), name, self._tasks)
        return hand

    def refresh(self, state: Game, *, except_user: UserId | None) -> None:
        """Renew every open hand of the table whose page changes, except that of `except_user`."""
        for chair in state.people():
            if chair.user_id is not None and chair.user_id != except_user:
                self.refresh_one(state, chair.user_id)

    def refresh_one(self, state: Game, user_id: UserId) -> None:
        """Renew this person's open hand at the table if its page changes.

        It is renewed at once if their options change, else soon, and later if only a bomb window
        has closed.
        """
        hand = self._open.get((state.id, user_id))
        if hand is None or hand.state is state or hand.seat != state.seat_of(user_id):
            return
        hand.state = state
        if hand.ending is not None:
            return
        before, hand.shown = hand.shown, hand_fingerprint(state, hand.seat)
        if before is None or before.choice != hand.shown.choice:
            hand.draft = None
        if before is None or before.may_do != hand.shown.may_do:
            self._write_now(hand)
        elif before.without_hold() == hand.shown:
            if before.hold and not hand.due:
                self._write_later(hand)
        elif before != hand.shown:
            self._write_soon(hand)

    def refresh_all_of(self, user_id: UserId) -> None:
        """Renew all hands of a person, because their settings for cards have changed."""
        for (_, reader), hand in self._open.items():
            if reader == user_id and hand.ending is None:
                self._write_now(hand)

    def follow(self, table_id: TableId, message_id: MessageId) -> None:
        """Move the hands of a table below this message, the new table message."""
        for (open_at, _), hand in self._open.items():
            if open_at == table_id:
                hand.below = message_id
                if hand.moves:
                    self._write_now(hand)

    def set_blocked(self, table_id: TableId, why: Blocked | None) -> None:
        """Show on a table's hands why the bot cannot write; `None` clears this."""
        if why == self.blocked_reason(table_id):
            return
        if why is None:
            del self._blocked[table_id]
        else:
            self._blocked[table_id] = why
        for (open_at, _), hand in self._open.items():
            if open_at == table_id and hand.ending is None:
                self._write_now(hand)

    def blocked_reason(self, table_id: TableId) -> Blocked | None:
        """Return why the bot cannot write at this table, or `None`."""
        return self._blocked.get(table_id)

    def is_removing(self, table_id: TableId, user_id: UserId, message_id: MessageId) -> bool:
        """Return whether this message was a hand of this person and is being removed."""
        hand = self._open.get((table_id, user_id))
        return hand is not None and message_id in hand.gone

    def show_left(self, table_id: TableId, user_id: UserId) -> None:
        """Replace the hand of somebody who has left the table."""
        self._end((table_id, user_id), "left")

    def show_over(self, table_id: TableId, user_id: UserId) -> None:
        """Replace this hand with a notice that the match is over."""
        self._end((table_id, user_id), "over")

    def forget(self, table_id: TableId) -> None:
        """Drop the hands of a finished table, after any pending edit."""
        self._blocked.pop(table_id, None)
        for key in [key for key in self._open if key[0] == table_id]:
            self._drop(key)

    def release(self, table_id: TableId) -> None:
        """Drop the hands of a table without an edit, because another process serves it."""
        self._blocked.pop(table_id, None)
        for key in [key for key in self._open if key[0] == table_id]:
            hand = self._open[key]
            hand.due = False
            self._renewals.set(hand.number, None, _nothing)
            self._drop(key)

    def forget_person(self, user_id: UserId) -> None:
        """Replace all open hands of this person, who asked to be forgotten."""
        for key in [key for key in self._open if key[1] == user_id]:
            self._end(key, "left")

    async def drain(self) -> None:
        """Finish the requests in flight at shutdown; retry and renew nothing."""
        self._closing = True
        self._renewals.cancel_all()
        self._rests.cancel_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- scheduling of edits -------------------------------------------------------------------

    def _write_now(self, hand: _OpenHand) -> None:
        hand.due = True
        self._renewals.set(hand.number, None, _nothing)
        hand.writer.mark()

    def _write_soon(self, hand: _OpenHand) -> None:
        """Renew a hand once `IDLE_EVERY` has passed since its last edit."""
        hand.due, when = True, hand.written_at + IDLE_EVERY
        if when <= self._clock.now():
            self._write_now(hand)
        else:
            self._renewals.set(hand.number, when, lambda: self._renew(hand))

    def _write_later(self, hand: _OpenHand) -> None:
        """Renew a hand with the next change, at the latest after `HOLD_GOES_WITHIN`."""
        hand.due, when = True, self._clock.now() + HOLD_GOES_WITHIN
        self._renewals.set(hand.number, when, lambda: self._renew(hand))

    async def _renew(self, hand: _OpenHand) -> None:
        hand.writer.mark()

    async def _rest(self, hand: _OpenHand) -> None:
        hand.ending = "rests"
        self._write_now(hand)

    def _end(self, key: _Key, ending: _Ending) -> None:
        hand = self._open.get(key)
        if hand is not None:
            hand.ending, hand.due = ending, True
            self._drop(key)

    def _drop(self, key: _Key) -> None:
        """Stop keeping a hand up to date; write a pending change at once."""
        hand = self._open.pop(key)
        self._rests.set(hand.number, None, _nothing)
        if hand.due:
            self._write_now(hand)

    # --- editing -------------------------------------------------------------------------------

    async def _write(self, hand: _OpenHand) -> None:
        """Write the newest page of a hand.

        A hand that cannot be edited or that rests is dropped.
        """
        key, tried = hand.key, hand.message
        done = await self._retried(lambda: self._try(hand), lambda: hand.message.ends_at)
        over = hand.ending == "rests" and not hand.due if done else hand.message is tried
        if over and self._open.get(key) is hand:
            hand.due = False
            self._drop(key)  # expired or dismissed: "My hand" opens a new one

    async def _try(self, hand: _OpenHand) -> None:
        if not hand.due or self._superseded(hand):
            return
        hand.due, hand.in_flight, hand.written_at = False, True, self._clock.now()
        try:
            if hand.moves:
                await self._move(hand)
            else:
                await hand.message.edit(self._page(hand))
        except REQUEST_FAILURES:
            hand.due = True
            raise
        finally:
            hand.in_flight = False

    def _superseded(self, hand: _OpenHand) -> bool:
        """Return whether the same reader has another hand at this table now."""
        return self._open.get(hand.key) not in (hand, None)

    async def _move(self, hand: _OpenHand) -> None:
        """Move a hand to the bottom of the channel, if possible.

        It is never sent again, because every retry after a lost answer would leave one more hand.
        If Discord did create it, it becomes the live one when its reader clicks on it.
        """
        old = hand.message
        try:
            new = await old.send_another(self._page(hand))
        except REQUEST_FAILURES:
            hand.below = MessageId(0)
            await old.edit(self._page(hand))
            return
        if hand.message is not old or self._superseded(hand):
            self._remove_soon(hand, new)  # clicked meanwhile: keep the message in use
        else:
            hand.message, hand.placed = new, hand.state.round.number
            self._remove_soon(hand, old)

    def _page(self, hand: _OpenHand) -> Page:
        """Return the page to be shown."""
        words = self._words(hand.message)
        if hand.ending == "left":
            return left_page(words)
        if hand.ending == "over":
            return match_over_page(words)
        if hand.ending == "rests":
            return expired_hand_page(hand.state, words)
        if hand.draft is not None and not hand.needs_action:
            hand.draft = replace(hand.draft, note="")  # it was about an earlier change
        blocked = self.blocked_reason(hand.state.id)
        return hand_page(hand.state, hand.seat, words, hand.draft, blocked)

    def _remove_soon(self, hand: _OpenHand, message: PrivateMessage) -> None:
        """Remove a previous message of a hand in the background."""
        hand.gone.add(message.id)
        in_background(self._remove(hand, message), f"remove-{message.id}", self._tasks)

    async def _remove(self, hand: _OpenHand, message: PrivateMessage) -> None:
        if not await self._retried(message.delete, lambda: message.ends_at):
            hand.gone.discard(message.id)

    async def _retried(
        self, request: Callable[[], Awaitable[None]], ends_at: Callable[[], datetime]
    ) -> bool:
        """Make a request with retries; return whether it succeeded before the token expired."""
        for failures in itertools.count(1):
            if self._clock.now() >= ends_at():
                break
            try:
                await request()
            except REQUEST_FAILURES as error:
                if not is_temporary(error):
                    log.info("private hand not updated: %s", log_text(error))
                    break
                await self._clock.sleep(pause_s(failures, error))
                if self._closing:
                    break
            else:
                return True
        return False


async def _nothing() -> None:
    """No-op callback for an alarm that is cleared."""
