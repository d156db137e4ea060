"""Private hands that are open on players' screens, kept up to date.

A hand is a private message, and each player has at most one at a table. The newest click on it
brings the token with which it is edited, moved and removed (`PrivateMessage`). A hand that is
opened again replaces the previous one. When a new round's table is posted, the hand moves below it.
When the table is posted again in the same round, the hand moves only while its reader has nothing
to do; otherwise a button could move just as they press it.

A change of the reader's options is shown at once. If only others have moved, the hand is refreshed
at most once in `IDLE_EVERY`. **Hold** disappears with the next change, at the latest
`HOLD_GOES_WITHIN` after the end of its bomb window, because a request only for this would be a
quarter of all requests. Shortly before the token expires, the hand is replaced with a page that
offers to open it again: it rests. After a temporary failure (a 503, a lost connection) a request is
retried after the pauses of `failed_requests.py`, with the newest hand. Nothing private is ever sent
anywhere else.
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
    hand_fingerprint,
    hand_page,
    over_page,
    resting_page,
)
from cogs.pages.table.blocked import Blocked
from cogs.pages.table.seats import left_page
from engine import Seat

log = logging.getLogger(__name__)

IDLE_EVERY = timedelta(seconds=3)
"""Shortest time between two edits of a hand whose reader's options did not change."""
HOLD_GOES_WITHIN = timedelta(seconds=10)
"""Longest time for which a hand shows **Hold** after its bomb window has closed.

A click on it then is answered with a sentence that the window is over.
"""
RESTS_BEFORE = timedelta(seconds=30)
"""Time before the expiry of its token at which a hand is replaced with the resting page."""

_Key = tuple[TableId, UserId]
_Ending = Literal["left", "over", "rests"]
"""Reason why a hand is not refreshed any more.

Its player has left, the match is over, or the token is about to expire.
"""


@dataclass(slots=True, eq=False)
class _OpenHand:
    """One hand on a screen."""

    alarm_key: int
    """Key of its alarms."""
    message: PrivateMessage
    """Message that shows it."""
    state: Game
    """Newest state of the match, which it must show."""
    seat: Seat
    """The reader's chair."""
    written_at: datetime
    """Time of the last answer or edit."""
    draft: Draft | None = None
    """Choice that its reader has begun on it."""
    fingerprint: HandFingerprint | None = field(default=None, repr=False)
    """Fingerprint of the page that it shows or is about to show."""
    is_dirty: bool = False
    """True if its page must be written, now or soon."""
    removing: set[MessageId] = field(default_factory=set)
    """Its previous messages that are being removed."""
    in_flight: bool = False
    """True while a request that edits or moves it is in flight."""
    placed_in: RoundNumber = 0
    """Round in which its message was sent or last clicked."""
    below: MessageId = MessageId(0)
    """Table message below which it belongs."""
    ending: _Ending | None = None
    """Reason why its next page is its last; `None` while it is refreshed."""
    writer: CoalescingWriter = field(init=False, repr=False)
    """Edits and moves it, with one request at a time."""

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
    def must_move(self) -> bool:
        """True if it must be moved below the table message now."""
        if self.message.id >= self.below or self.ending is not None:
            return False
        return self.placed_in != self.state.round.number or not self.needs_action


class OpenHands:
    """The open hands by table and user; `words` returns a reader's words."""

    def __init__(self, clock: Clock, words: Callable[[PrivateMessage], Speaker]) -> None:
        self._clock = clock
        self._words = words
        self._closing = False
        self._blocked: dict[TableId, Blocked] = {}
        """Tables where the bot cannot write, which their hands show."""
        self._open: dict[_Key, _OpenHand] = {}
        self._alarm_keys = itertools.count(1)
        self._refresh_alarms = Clock(clock.now, clock.sleep)
        self._rest_alarms = Clock(clock.now, clock.sleep)
        self._tasks: set[asyncio.Task[None]] = set()
        """Tasks of requests that are in flight or wait for their next try."""

    def __len__(self) -> int:
        """Return the number of hands that are kept up to date."""
        return len(self._open)

    # --- events --------------------------------------------------------------------------------

    def track(
        self, message: PrivateMessage, state: Game, seat: Seat, draft: Draft | None = None
    ) -> None:
        """Keep a message up to date that was just sent or edited to show this seat's hand.

        It replaces the previous hand of the user, unless it is the same message.
        """
        key = state.id, message.user_id
        hand = self._open.get(key)
        if hand is None:
            hand = self._open[key] = self._new_hand(message, state, seat)
        elif message.id not in hand.removing:
            if hand.message.id != message.id:
                self._remove_soon(hand, hand.message)
            hand.message = message
        hand.state, hand.seat, hand.draft, hand.ending = state, seat, draft, None
        hand.fingerprint = hand_fingerprint(state, seat)
        hand.written_at, hand.placed_in, hand.is_dirty = (
            self._clock.now(),
            state.round.number,
            False,
        )
        self._refresh_alarms.set(hand.alarm_key, None, _no_op)
        ends_at = hand.message.ends_at
        self._rest_alarms.set(hand.alarm_key, ends_at - RESTS_BEFORE, lambda: self._rest(hand))
        if hand.in_flight or hand.message is not message:
            self._write_now(hand)  # otherwise an older page could be the last one written

    def _new_hand(self, message: PrivateMessage, state: Game, seat: Seat) -> _OpenHand:
        hand = _OpenHand(next(self._alarm_keys), message, state, seat, self._clock.now())
        name = f"hand-{state.id}-{message.user_id}"
        hand.writer = CoalescingWriter(lambda: self._write(hand), name, self._tasks)
        return hand

    def refresh(self, state: Game, *, except_user: UserId | None) -> None:
        """Refresh the open hands of the table, except that of `except_user`."""
        for chair in state.people():
            if chair.user_id is not None and chair.user_id != except_user:
                self.refresh_one(state, chair.user_id)

    def refresh_one(self, state: Game, user_id: UserId) -> None:
        """Refresh a person's open hand at the table, if its page changes.

        It is written at once if their options change, later if only **Hold** must disappear, and
        otherwise soon.
        """
        hand = self._open.get((state.id, user_id))
        if hand is None or hand.state is state or hand.seat != state.seat_of(user_id):
            return
        hand.state = state
        if hand.ending is not None:
            return
        before, after = hand.fingerprint, hand_fingerprint(state, hand.seat)
        hand.fingerprint = after
        if before is None or before.choice != after.choice:
            hand.draft = None
        if before is None or before.may_do != after.may_do:
            self._write_now(hand)
        elif before.without_hold() == after:
            if before.hold and not hand.is_dirty:
                self._write_later(hand)
        elif before != after:
            self._write_soon(hand)

    def refresh_all_of(self, user_id: UserId) -> None:
        """Rewrite all hands of a person, because their settings for cards have changed."""
        for (_, reader), hand in self._open.items():
            if reader == user_id and hand.ending is None:
                self._write_now(hand)

    def move_below(self, table_id: TableId, message_id: MessageId) -> None:
        """Move the hands of a table below its new table message, now or when they may move."""
        for hand in self._hands_at(table_id):
            hand.below = message_id
            if hand.must_move:
                self._write_now(hand)

    def set_blocked(self, table_id: TableId, reason: Blocked | None) -> None:
        """Show on a table's hands why the bot cannot write there; `None` clears this."""
        if reason == self.blocked_reason(table_id):
            return
        if reason is None:
            del self._blocked[table_id]
        else:
            self._blocked[table_id] = reason
        for hand in self._hands_at(table_id):
            if hand.ending is None:
                self._write_now(hand)

    def _hands_at(self, table_id: TableId) -> list[_OpenHand]:
        return [hand for key, hand in self._open.items() if key[0] == table_id]

    def blocked_reason(self, table_id: TableId) -> Blocked | None:
        """Return why the bot cannot write at this table, or `None`."""
        return self._blocked.get(table_id)

    def is_removing(self, table_id: TableId, user_id: UserId, message_id: MessageId) -> bool:
        """Return whether this message was a hand of this person and is being removed."""
        hand = self._open.get((table_id, user_id))
        return hand is not None and message_id in hand.removing

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
            hand.is_dirty = False
            self._refresh_alarms.set(hand.alarm_key, None, _no_op)
            self._drop(key)

    def forget_person(self, user_id: UserId) -> None:
        """Replace all open hands of this person, who asked to be forgotten."""
        for key in [key for key in self._open if key[1] == user_id]:
            self._end(key, "left")

    async def drain(self) -> None:
        """Finish the requests in flight at shutdown; retry and refresh nothing."""
        self._closing = True
        self._refresh_alarms.cancel_all()
        self._rest_alarms.cancel_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- scheduling of edits -------------------------------------------------------------------

    def _write_now(self, hand: _OpenHand) -> None:
        hand.is_dirty = True
        self._refresh_alarms.set(hand.alarm_key, None, _no_op)
        hand.writer.schedule()

    def _write_soon(self, hand: _OpenHand) -> None:
        """Write a hand once `IDLE_EVERY` has passed since its last edit."""
        hand.is_dirty, when = True, hand.written_at + IDLE_EVERY
        if when <= self._clock.now():
            self._write_now(hand)
        else:
            self._refresh_alarms.set(hand.alarm_key, when, lambda: self._on_refresh_alarm(hand))

    def _write_later(self, hand: _OpenHand) -> None:
        """Write a hand with its next change, at the latest after `HOLD_GOES_WITHIN`."""
        hand.is_dirty, when = True, self._clock.now() + HOLD_GOES_WITHIN
        self._refresh_alarms.set(hand.alarm_key, when, lambda: self._on_refresh_alarm(hand))

    async def _on_refresh_alarm(self, hand: _OpenHand) -> None:
        hand.writer.schedule()

    async def _rest(self, hand: _OpenHand) -> None:
        hand.ending = "rests"
        self._write_now(hand)

    def _end(self, key: _Key, ending: _Ending) -> None:
        hand = self._open.get(key)
        if hand is not None:
            hand.ending, hand.is_dirty = ending, True
            self._drop(key)

    def _drop(self, key: _Key) -> None:
        """Stop keeping a hand up to date; write a pending change at once."""
        hand = self._open.pop(key)
        self._rest_alarms.set(hand.alarm_key, None, _no_op)
        if hand.is_dirty:
            self._write_now(hand)

    # --- editing -------------------------------------------------------------------------------

    async def _write(self, hand: _OpenHand) -> None:
        """Write the newest page of a hand; drop the hand if that failed, or if it rests now.

        The user opens a new one with **My hand**.
        """
        key, message = hand.key, hand.message
        succeeded = await self._retry(lambda: self._write_once(hand), lambda: hand.message.ends_at)
        if succeeded:
            is_over = hand.ending == "rests" and not hand.is_dirty
        else:
            is_over = hand.message is message  # expired or dismissed, and not opened again
        if is_over and self._open.get(key) is hand:
            hand.is_dirty = False
            self._drop(key)

    async def _write_once(self, hand: _OpenHand) -> None:
        if not hand.is_dirty or self._is_superseded(hand):
            return
        hand.is_dirty, hand.in_flight, hand.written_at = False, True, self._clock.now()
        try:
            if hand.must_move:
                await self._move(hand)
            else:
                await hand.message.edit(self._page(hand))
        except REQUEST_FAILURES:
            hand.is_dirty = True
            raise
        finally:
            hand.in_flight = False

    def _is_superseded(self, hand: _OpenHand) -> bool:
        """Return whether the same reader has another hand at this table now."""
        return self._open.get(hand.key) not in (hand, None)

    async def _move(self, hand: _OpenHand) -> None:
        """Send a hand again at the bottom of the channel, and remove its old message.

        If that fails, the old message is edited. The move is not retried, because each retry after
        a lost answer would leave one more message. If Discord did create the new message, the hand
        continues there once its reader clicks on it.
        """
        old = hand.message
        try:
            new = await old.send_another(self._page(hand))
        except REQUEST_FAILURES:
            hand.below = MessageId(0)
            await old.edit(self._page(hand))
            return
        if hand.message is not old or self._is_superseded(hand):
            self._remove_soon(hand, new)  # the reader clicked meanwhile: keep the message in use
        else:
            hand.message, hand.placed_in = new, hand.state.round.number
            self._remove_soon(hand, old)

    def _page(self, hand: _OpenHand) -> Page:
        """Return the page that a hand must show now."""
        words = self._words(hand.message)
        if hand.ending == "left":
            return left_page(words)
        if hand.ending == "over":
            return over_page(words)
        if hand.ending == "rests":
            return resting_page(hand.state, words)
        if hand.draft is not None and not hand.needs_action:
            hand.draft = replace(hand.draft, note="")  # it was about an earlier change
        blocked = self.blocked_reason(hand.state.id)
        return hand_page(hand.state, hand.seat, words, hand.draft, blocked)

    def _remove_soon(self, hand: _OpenHand, message: PrivateMessage) -> None:
        """Remove a previous message of a hand in the background."""
        hand.removing.add(message.id)
        in_background(self._remove(hand, message), f"remove-{message.id}", self._tasks)

    async def _remove(self, hand: _OpenHand, message: PrivateMessage) -> None:
        if not await self._retry(message.delete, lambda: message.ends_at):
            hand.removing.discard(message.id)

    async def _retry(
        self, request: Callable[[], Awaitable[None]], ends_at: Callable[[], datetime]
    ) -> bool:
        """Make a request with retries until `ends_at`; return whether it succeeded."""
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


async def _no_op() -> None:
    """Do nothing: the callback of an alarm that is cleared."""
