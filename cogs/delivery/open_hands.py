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
offers to open it again: it rests. A hand is a picture if its reader wants that; an edit uploads it
only if it has changed (`hand_pictures.py`). After a temporary failure (a 503, a lost connection) a
request is retried after the pauses of `failed_requests.py`, with the newest hand. Nothing private
is ever sent anywhere else.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

import discord

from bot.ids import MessageId, TableId, UserId
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.coalescing_writer import CoalescingWriter
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_temporary, log_text, pause_s
from cogs.delivery.hand_pictures import HandPicture, HandPictures, Request, Sent, Wanted
from cogs.delivery.open_hand import Ending, HandKey, OpenHand
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.uploads import Files, PictureEdit
from cogs.pages.controls import Page
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import (
    PicturedHand,
    expired_hand_page,
    hand_fingerprint,
    hand_page,
    match_over_page,
)
from cogs.pages.table.blocked import Blocked
from cogs.pages.table.seats import left_page
from engine import Seat

log = logging.getLogger(__name__)

IDLE_EVERY = timedelta(seconds=1)
"""Shortest time between two edits of a hand whose reader's options did not change."""
HOLD_GOES_WITHIN = timedelta(seconds=10)
"""Longest time for which a hand shows **Hold** after its bomb window has closed.

A click on it then is answered with a sentence that the window is over.
"""
RESTS_BEFORE = timedelta(seconds=30)
"""Time before the expiry of its token at which a hand is replaced with the resting page."""


class OpenHands:
    """The open hands by table and user; `words` returns a reader's words."""

    def __init__(
        self, clock: Clock, words: Callable[[PrivateMessage], Speaker], pictures: HandPictures
    ) -> None:
        self._clock = clock
        self._words = words
        self._pictures = pictures
        self._closing = False
        self._blocked: dict[TableId, Blocked] = {}
        """Reasons why the bot cannot write at some tables, shown on their hands."""
        self._open: dict[HandKey, OpenHand] = {}
        self._pictured: dict[HandKey, HandPicture] = {}
        """The pictures of open hands, and of those about to be opened."""
        self._alarm_keys = itertools.count(1)
        self._refresh_alarms = Clock(clock.now, clock.sleep)
        self._rest_alarms = Clock(clock.now, clock.sleep)
        self._tasks: set[asyncio.Task[None]] = set()
        """Tasks of requests that are in flight or wait for their next try."""

    def __len__(self) -> int:
        """Return the number of hands that are kept up to date."""
        return len(self._open)

    # --- events --------------------------------------------------------------------------------

    async def answer(
        self,
        state: Game,
        seat: Seat,
        user_id: UserId,
        words: Speaker,
        request: Request,
        *,
        edited_id: MessageId | None,
        clicked: Sent | None,
        kind: PictureEdit,
        draws: bool,
    ) -> MessageId:
        """Show a hand as the answer to a click or command; return its message.

        It has a picture if `draws` is true and the reader wants one.
        `request` sends the hand. `edited_id` is the message that it edits by this `kind` of edit;
        `None` for a new message. `clicked` is the private message that was clicked on, with its
        files. Raises the request's errors.
        """
        if not state.running:
            return (await request(None, ()))[0]
        picture = self._picture_of((state.id, user_id))
        wanted = self._pictures.wanted(state, seat, user_id, words) if draws else None

        async def show() -> MessageId:
            if clicked is not None:
                picture.clicked(*clicked)
            await picture.prepare(wanted, edited_id, kind)
            return await picture.send(wanted, request, edited_id=edited_id, kind=kind)

        message_id = await picture.alone(show, answers=True)
        if message_id is None:  # another request takes too long
            message_id, _ = await request(None, ())
        return message_id

    def _picture_of(self, key: HandKey) -> HandPicture:
        picture = self._pictured.get(key)
        if picture is None:
            picture = self._pictured[key] = self._pictures.new(lambda: self._show_late(key))
        return picture

    def _show_late(self, key: HandKey) -> None:
        """Renew a hand soon, because its picture was late."""
        hand = self._open.get(key)
        if hand is not None and hand.ending is None and not self._closing:
            self._write_soon(hand)

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
        hand.written_at, hand.is_dirty = self._clock.now(), False
        hand.placed_in = state.round.number

        self._refresh_alarms.cancel(hand.alarm_key)
        ends_at = hand.message.ends_at
        self._rest_alarms.set(hand.alarm_key, ends_at - RESTS_BEFORE, lambda: self._rest(hand))
        if hand.in_flight or hand.message is not message:
            self._write_now(hand)  # otherwise an older page could be the last one written
        elif hand.picture.late:
            self._write_soon(hand)

    def _new_hand(self, message: PrivateMessage, state: Game, seat: Seat) -> OpenHand:
        picture = self._picture_of((state.id, message.user_id))
        hand = OpenHand(next(self._alarm_keys), message, state, seat, picture, self._clock.now())
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

    def _hands_at(self, table_id: TableId) -> list[OpenHand]:
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
        self._drop_pictures(table_id)

    def release(self, table_id: TableId) -> None:
        """Drop the hands of a table without an edit, because another process serves it."""
        self._blocked.pop(table_id, None)
        for hand in self._hands_at(table_id):
            self._release(hand)
        self._drop_pictures(table_id)

    def release_message(self, message_id: MessageId) -> None:
        """Drop the hand in this message without an edit, because another page replaces it."""
        for hand in list(self._open.values()):
            if hand.message.id == message_id:
                self._release(hand)

    def _release(self, hand: OpenHand) -> None:
        hand.is_dirty = False
        self._refresh_alarms.cancel(hand.alarm_key)
        self._drop(hand.key)

    def _drop_pictures(self, table_id: TableId) -> None:
        """Drop the pictures of hands that were never shown."""
        for key in [key for key in self._pictured if key[0] == table_id]:
            self._pictured.pop(key).close()

    def forget_person(self, user_id: UserId) -> None:
        """Replace all open hands of this person, who asked to be forgotten."""
        for key in [key for key in self._open if key[1] == user_id]:
            self._end(key, "left")

    async def drain(self) -> None:
        """Finish the requests in flight at shutdown; retry and refresh nothing."""
        self._closing = True
        self._refresh_alarms.cancel_all()
        self._rest_alarms.cancel_all()
        for picture in self._pictured.values():
            picture.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- scheduling of edits -------------------------------------------------------------------

    def _write_now(self, hand: OpenHand) -> None:
        hand.is_dirty = True
        self._refresh_alarms.cancel(hand.alarm_key)
        hand.writer.schedule()

    def _write_soon(self, hand: OpenHand) -> None:
        """Write a hand once `IDLE_EVERY` has passed since its last edit."""
        hand.is_dirty, when = True, hand.written_at + IDLE_EVERY
        if when <= self._clock.now():
            self._write_now(hand)
        else:
            self._refresh_alarms.set(hand.alarm_key, when, lambda: self._on_refresh_alarm(hand))

    def _write_later(self, hand: OpenHand) -> None:
        """Write a hand with its next change, at the latest after `HOLD_GOES_WITHIN`."""
        hand.is_dirty, when = True, self._clock.now() + HOLD_GOES_WITHIN
        self._refresh_alarms.set(hand.alarm_key, when, lambda: self._on_refresh_alarm(hand))

    async def _on_refresh_alarm(self, hand: OpenHand) -> None:
        hand.writer.schedule()

    async def _rest(self, hand: OpenHand) -> None:
        hand.ending = "rests"
        self._write_now(hand)

    def _end(self, key: HandKey, ending: Ending) -> None:
        hand = self._open.get(key)
        if hand is not None:
            hand.ending, hand.is_dirty = ending, True
            self._drop(key)

    def _drop(self, key: HandKey) -> None:
        """Stop keeping a hand up to date; write a pending change at once."""
        hand = self._open.pop(key)
        self._pictured.pop(key, None)
        self._rest_alarms.cancel(hand.alarm_key)
        if hand.is_dirty:
            self._write_now(hand)

    # --- editing -------------------------------------------------------------------------------

    async def _write(self, hand: OpenHand) -> None:
        """Write the newest page of a hand; drop the hand if that failed or was its resting page.

        The user opens a new one with **My hand**.
        """
        key, message_before = hand.key, hand.message
        done = await self._retry(lambda: self._write_once(hand), lambda: hand.message.ends_at)
        if done:
            is_over = hand.ending == "rests" and not hand.is_dirty
        else:
            is_over = hand.message is message_before  # it has not got a newer message meanwhile
        if is_over and self._open.get(key) is hand:
            hand.is_dirty = False
            self._drop(key)

    async def _write_once(self, hand: OpenHand) -> None:
        """Edit or move a hand; if it changes while the picture is drawn, schedule this again."""
        state, message = hand.state, hand.message
        wanted = await self._prepared(hand)

        async def write() -> None:
            if not hand.is_dirty or self._is_superseded(hand):
                return
            if (hand.state, hand.message) != (state, message):
                hand.writer.schedule()
                return
            scene = wanted if hand.ending is None else None
            hand.is_dirty, hand.in_flight, hand.written_at = False, True, self._clock.now()
            try:
                await (self._move(hand, scene) if hand.must_move else self._edit(hand, scene))
            except REQUEST_FAILURES:
                hand.is_dirty = True
                raise
            finally:
                hand.in_flight = False

        await hand.picture.alone(write)  # after an answer that is being sent

    async def _prepared(self, hand: OpenHand) -> Wanted | None:
        """Return the scene of a hand, after a short wait for its picture."""
        if hand.ending is not None:
            return None
        words = self._words(hand.message)
        wanted = self._pictures.wanted(hand.state, hand.seat, hand.message.user_id, words)
        edited_id = None if hand.must_move else hand.message.id
        await hand.picture.prepare(wanted, edited_id, PictureEdit.UPLOAD)
        return wanted

    async def _edit(self, hand: OpenHand, wanted: Wanted | None) -> None:
        message = hand.message

        async def edit(picture: PicturedHand | None, files: Files) -> Sent:
            return message.id, await message.edit(self._page(hand, picture), files)

        await hand.picture.send(wanted, edit, edited_id=message.id)

    def _is_superseded(self, hand: OpenHand) -> bool:
        """Return whether the same reader has another hand at this table now."""
        return self._open.get(hand.key) not in (hand, None)

    async def _move(self, hand: OpenHand, wanted: Wanted | None) -> None:
        """Send a hand again at the bottom of the channel, and remove its old message.

        If that fails, the old message is edited. The move is not retried, because each retry after
        a lost answer would leave one more message. If Discord did create the new message, the hand
        continues there once its reader clicks on it.
        """
        old = new = hand.message
        tried = False

        async def post(picture: PicturedHand | None, files: Files) -> Sent:
            nonlocal tried, new
            if tried:
                raise ConnectionError("a hand is not posted twice")
            tried = True
            new_files = [file for file in files if isinstance(file, discord.File)]
            new, sent_files = await old.send_another(self._page(hand, picture), new_files)
            return new.id, sent_files

        try:
            await hand.picture.send(wanted, post, edited_id=None)
        except REQUEST_FAILURES:
            hand.below = MessageId(0)
            await self._edit(hand, wanted)
            return
        if hand.message is not old or self._is_superseded(hand):
            self._remove_soon(hand, new)  # the reader clicked meanwhile: keep the message in use
        else:
            hand.message, hand.placed_in = new, hand.state.round.number
            self._remove_soon(hand, old)

    def _page(self, hand: OpenHand, picture: PicturedHand | None) -> Page:
        """Return the page to be shown, with this picture of the hand."""
        words = self._words(hand.message)
        if hand.ending == "left":
            return left_page(words)
        if hand.ending == "over":
            return match_over_page(hand.state, words)
        if hand.ending == "rests":
            return expired_hand_page(hand.state, words)
        if hand.draft is not None and not hand.needs_action:
            hand.draft = replace(hand.draft, note="")  # it was about an earlier change
        blocked = self.blocked_reason(hand.state.id)
        return hand_page(hand.state, hand.seat, words, hand.draft, blocked, picture)

    def _remove_soon(self, hand: OpenHand, message: PrivateMessage) -> None:
        """Remove a previous message of a hand in the background."""
        hand.removing.add(message.id)
        in_background(self._remove(hand, message), f"remove-{message.id}", self._tasks)

    async def _remove(self, hand: OpenHand, message: PrivateMessage) -> None:
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
