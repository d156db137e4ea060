"""Private hands that are open on somebody's screen: one for each player, fresh while that can be.

A hand is a private message, and the newest click on it has the token with which it is edited, moved
and removed (`PrivateMessage`). A hand that is opened again takes the place of the one before. When
the table is posted for a new round, the hand follows below it; when it is posted again in the same
round, only while its reader is asked nothing: else a button could move just as they press it. What
its reader may do is shown at once; if only others have moved, the hand is renewed every
`IDLE_EVERY` at most. **Hold** goes with the next change, `HOLD_GOES_WITHIN` after the end of its
bomb window at the latest: a request only for this would be a quarter of all requests. Shortly
before the token dies the hand rests: it says so and offers to go on. If Discord is in trouble (a
503, a lost connection), a request is retried after the pauses of `failed_requests.py`, with the
hand as it is then. Nothing private is ever sent anywhere else.
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
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_temporary, log_text, pause_s
from cogs.delivery.latest_wins import LatestWins
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
"""How often a hand is renewed at most while its reader can do nothing else than before."""
HOLD_GOES_WITHIN = timedelta(seconds=10)
"""The longest a hand offers to hold a bomb window that is closed; a tap on it says that it is."""
RESTS_BEFORE = timedelta(seconds=30)
"""How long before Discord takes no more edits a hand says that it stops."""

_Key = tuple[TableId, UserId]
_Ending = Literal["left", "over", "rests"]
"""Why a hand is not renewed any more: its player has left, the match is over, the token dies."""


@dataclass(slots=True, eq=False)
class _OpenHand:
    """One hand on a screen."""

    number: int
    """Names its alarms."""
    message: PrivateMessage
    """Where it stands."""
    state: Game
    """The table that it is to show."""
    seat: Seat
    """The chair of its reader."""
    written_at: datetime
    """When it was last answered or edited."""
    draft: Draft | None = None
    """The choice that its reader has begun on it."""
    shown: HandFingerprint | None = field(default=None, repr=False)
    """What it shows, or is about to."""
    due: bool = False
    """Whether there is something to write, now or soon."""
    gone: set[MessageId] = field(default_factory=set)
    """Where it stood before: messages that are removed."""
    under_way: bool = False
    """Whether Discord is just being asked to edit or move it."""
    placed: RoundNumber = 0
    """The round in which it came to where it stands, or was clicked on there."""
    below: MessageId = MessageId(0)
    """It is to stand below this message."""
    ending: _Ending | None = None
    """Why it is not renewed any more; what it shows then is the last that it shows."""
    writer: LatestWins = field(init=False, repr=False)
    """Edits it and moves it, one request at a time."""

    @property
    def key(self) -> _Key:
        """The table, and the user who reads it."""
        return self.state.id, self.message.user_id

    @property
    def asked(self) -> bool:
        """Whether its reader has to do something now."""
        seats = self.state.seats_of_chair(self.seat)
        return bool(set(seats).intersection(self.state.awaited_seats))

    @property
    def moves(self) -> bool:
        """Whether it is to come below the table now."""
        if self.message.id >= self.below or self.ending is not None:
            return False
        return self.placed != self.state.round.number or not self.asked


class OpenHands:
    """The open hands by table and user; `words` are those for the reader of a message."""

    def __init__(self, clock: Clock, words: Callable[[PrivateMessage], Speaker]) -> None:
        self._clock = clock
        self._words = words
        self._closing = False
        self._blocked: dict[TableId, Blocked] = {}
        """Tables where the bot cannot write: their hands say so."""
        self._open: dict[_Key, _OpenHand] = {}
        self._numbers = itertools.count(1)
        self._renewals = Clock(clock.now, clock.sleep)
        self._rests = Clock(clock.now, clock.sleep)
        self._tasks: set[asyncio.Task[None]] = set()
        """Requests that are under way, or wait for their next try."""

    def __len__(self) -> int:
        """How many hands are kept fresh."""
        return len(self._open)

    # --- what has happened ---------------------------------------------------------------------

    def opened(
        self, message: PrivateMessage, state: Game, seat: Seat, draft: Draft | None = None
    ) -> None:
        """Keep fresh a message that shows the hand of this seat in this state, from now on.

        The one before it goes, unless it is the same message.
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
        if hand.under_way or hand.message is not message:
            self._write_now(hand)  # else something older could stand there in the end

    def _new_hand(self, message: PrivateMessage, state: Game, seat: Seat) -> _OpenHand:
        hand = _OpenHand(next(self._numbers), message, state, seat, self._clock.now())
        name = f"hand-{state.id}-{message.user_id}"
        hand.writer = LatestWins(lambda: self._write(hand), name, self._tasks)
        return hand

    def refresh(self, state: Game, *, except_user: UserId | None) -> None:
        """Renew every open hand of the table whose page must change, except of `except_user`."""
        for chair in state.people():
            if chair.user_id is not None and chair.user_id != except_user:
                self.refresh_one(state, chair.user_id)

    def refresh_one(self, state: Game, user_id: UserId) -> None:
        """Renew this person's open hand at the table if its page must change.

        That is at once if they may do something else than before, and soon if not; later, if only a
        bomb window has closed.
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

    def reread(self, user_id: UserId) -> None:
        """Renew all hands of a person, as they have chosen to read cards in another way."""
        for (_, reader), hand in self._open.items():
            if reader == user_id and hand.ending is None:
                self._write_now(hand)

    def follow(self, table_id: TableId, message_id: MessageId) -> None:
        """Move the hands of a table below this message, in which it was posted anew."""
        for (open_at, _), hand in self._open.items():
            if open_at == table_id:
                hand.below = message_id
                if hand.moves:
                    self._write_now(hand)

    def blocked(self, table_id: TableId, why: Blocked | None) -> None:
        """Have the hands of a table tell that the bot cannot write there, or (`None`) can again."""
        if why == self.why_blocked(table_id):
            return
        if why is None:
            del self._blocked[table_id]
        else:
            self._blocked[table_id] = why
        for (open_at, _), hand in self._open.items():
            if open_at == table_id and hand.ending is None:
                self._write_now(hand)

    def why_blocked(self, table_id: TableId) -> Blocked | None:
        """Why the bot cannot write at this table, if it cannot."""
        return self._blocked.get(table_id)

    def removes(self, table_id: TableId, user_id: UserId, message_id: MessageId) -> bool:
        """Whether a hand of this person stood in this message, which is being removed."""
        hand = self._open.get((table_id, user_id))
        return hand is not None and message_id in hand.gone

    def take_away(self, table_id: TableId, user_id: UserId) -> None:
        """Replace the hand on the screen of somebody who has left; it is not theirs any more."""
        self._end((table_id, user_id), "left")

    def end(self, table_id: TableId, user_id: UserId) -> None:
        """Say in the place of this hand that the match is over, as it was when it was shown."""
        self._end((table_id, user_id), "over")

    def forget(self, table_id: TableId) -> None:
        """Drop the hands of a table that is over, each with its last page if it still needs one."""
        self._blocked.pop(table_id, None)
        for key in [key for key in self._open if key[0] == table_id]:
            self._drop(key)

    def let_go(self, table_id: TableId) -> None:
        """Leave the hands of a table as they are, as another process serves it."""
        self._blocked.pop(table_id, None)
        for key in [key for key in self._open if key[0] == table_id]:
            hand = self._open[key]
            hand.due = False
            self._renewals.set(hand.number, None, _nothing)
            self._drop(key)

    def forget_person(self, user_id: UserId) -> None:
        """Replace what this person still has open, as they want to be forgotten."""
        for key in [key for key in self._open if key[1] == user_id]:
            self._end(key, "left")

    async def drain(self) -> None:
        """Finish what is under way: the bot is about to go, and nothing is retried or renewed."""
        self._closing = True
        self._renewals.cancel_all()
        self._rests.cancel_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- when it is written --------------------------------------------------------------------

    def _write_now(self, hand: _OpenHand) -> None:
        hand.due = True
        self._renewals.set(hand.number, None, _nothing)
        hand.writer.mark()

    def _write_soon(self, hand: _OpenHand) -> None:
        """Renew a hand when it has not been written for `IDLE_EVERY`."""
        hand.due, when = True, hand.written_at + IDLE_EVERY
        if when <= self._clock.now():
            self._write_now(hand)
        else:
            self._renewals.set(hand.number, when, lambda: self._renew(hand))

    def _write_later(self, hand: _OpenHand) -> None:
        """Renew a hand with the next change, or if none comes for a while."""
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
        """Keep a hand fresh no longer; what is to be written is written at once."""
        hand = self._open.pop(key)
        self._rests.set(hand.number, None, _nothing)
        if hand.due:
            self._write_now(hand)

    # --- how it is written ---------------------------------------------------------------------

    async def _write(self, hand: _OpenHand) -> None:
        """Bring a hand to the screen as it is now.

        One that cannot be edited is forgotten, and one that rests: it shows no more what happens.
        """
        key, tried = hand.key, hand.message
        done = await self._retried(lambda: self._try(hand), lambda: hand.message.ends_at)
        over = hand.ending == "rests" and not hand.due if done else hand.message is tried
        if over and self._open.get(key) is hand:
            hand.due = False
            self._drop(key)  # expired or dismissed: "My hand" opens a new one any time

    async def _try(self, hand: _OpenHand) -> None:
        if not hand.due or self._superseded(hand):
            return
        hand.due, hand.under_way, hand.written_at = False, True, self._clock.now()
        try:
            if hand.moves:
                await self._move(hand)
            else:
                await hand.message.edit(self._page(hand))
        except REQUEST_FAILURES:
            hand.due = True
            raise
        finally:
            hand.under_way = False

    def _superseded(self, hand: _OpenHand) -> bool:
        """Whether the same reader has another hand at this table by now."""
        return self._open.get(hand.key) not in (hand, None)

    async def _move(self, hand: _OpenHand) -> None:
        """Let a hand stand at the bottom of the channel; in any trouble it stays where it is.

        It is never sent again: if only the answer was lost, every try would leave one more hand.
        The one that Discord may have taken becomes the live one as soon as its reader taps on it.
        """
        old = hand.message
        try:
            new = await old.send_another(self._page(hand))
        except REQUEST_FAILURES:
            hand.below = MessageId(0)
            await old.edit(self._page(hand))
            return
        if hand.message is not old or self._superseded(hand):
            self._remove_soon(hand, new)  # clicked on meanwhile: it stays where its reader is
        else:
            hand.message, hand.placed = new, hand.state.round.number
            self._remove_soon(hand, old)

    def _page(self, hand: _OpenHand) -> Page:
        """What is to be on the screen."""
        words = self._words(hand.message)
        if hand.ending == "left":
            return left_page(words)
        if hand.ending == "over":
            return over_page(words)
        if hand.ending == "rests":
            return resting_page(hand.state, words)
        if hand.draft is not None and not hand.asked:
            hand.draft = replace(hand.draft, note="")  # it was about what has passed
        blocked = self.why_blocked(hand.state.id)
        return hand_page(hand.state, hand.seat, words, hand.draft, blocked)

    def _remove_soon(self, hand: _OpenHand, message: PrivateMessage) -> None:
        """Remove a message in which a hand stands no more, while other things go on."""
        hand.gone.add(message.id)
        in_background(self._remove(hand, message), f"remove-{message.id}", self._tasks)

    async def _remove(self, hand: _OpenHand, message: PrivateMessage) -> None:
        if not await self._retried(message.delete, lambda: message.ends_at):
            hand.gone.discard(message.id)

    async def _retried(
        self, request: Callable[[], Awaitable[None]], ends_at: Callable[[], datetime]
    ) -> bool:
        """Whether a request is done; it is retried in trouble, as long as its token lives."""
        for failures in itertools.count(1):
            if self._clock.now() >= ends_at():
                break
            try:
                await request()
            except REQUEST_FAILURES as error:
                if not is_temporary(error):
                    log.info("a private hand is left as it is (%s)", log_text(error))
                    break
                await self._clock.sleep(pause_s(failures, error))
                if self._closing:
                    break
            else:
                return True
        return False


async def _nothing() -> None:
    """Stands for what an alarm that is not set would do."""
