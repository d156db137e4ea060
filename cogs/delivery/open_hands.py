"""Private hands that are open on somebody's screen, kept fresh while Discord allows it.

The newest interaction of each player is remembered; through its token the hand is edited when what
they may do has changed. If Discord is in trouble (a 503, a lost connection), the edit is retried
after the pauses of `cogs.delivery.trouble`, with the hand as it is then. Tokens die after fifteen
minutes; then "My hand" opens a new one. Nothing private is ever sent anywhere else.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.ids import TableId, UserId
from bot.runtime.clock import Clock
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.latest_wins import LatestWins
from cogs.delivery.trouble import TROUBLE, is_temporary, log_text, pause_s
from cogs.pages.controls import Page
from cogs.pages.hand import hand_fingerprint, hand_page, may_do_fingerprint
from cogs.pages.hand_choices import Draft
from cogs.pages.seats import left_page
from engine import Seat

log = logging.getLogger(__name__)

TOKEN_LIFE = timedelta(minutes=15)
_MARGIN = timedelta(seconds=5)


@dataclass(slots=True)
class _OpenHand:
    """One hand on a screen: its newest interaction, and what it showed last."""

    interaction: discord.Interaction[Any]
    words: Speaker
    since: datetime
    shown: object = field(repr=False)
    may_do: object = field(repr=False)
    state: Game
    seat: Seat
    draft: Draft | None
    writer: LatestWins | None = field(default=None)
    over: bool = False

    def expired(self, now: datetime) -> bool:
        """Whether Discord takes no edits of this hand any more."""
        return now - self.since >= TOKEN_LIFE - _MARGIN


class OpenHands:
    """The open hands by table and user."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._closing = False
        self._open: dict[tuple[TableId, UserId], _OpenHand] = {}

    def keep_fresh(
        self,
        interaction: discord.Interaction[Any],
        state: Game,
        seat: Seat,
        words: Speaker,
        draft: Draft | None = None,
    ) -> None:
        """Keep fresh the hand of this seat, which this interaction has just shown in this state.

        A choice that is begun on it (`draft`) stays until something changes what may be done.
        """
        self._open[state.id, interaction.user.id] = _OpenHand(
            interaction=interaction,
            words=words,
            since=interaction.created_at,
            shown=hand_fingerprint(state, seat),
            may_do=may_do_fingerprint(state, seat),
            state=state,
            seat=seat,
            draft=draft,
        )

    def refresh(self, state: Game, now: datetime, *, except_user: UserId | None) -> None:
        """Push to every open hand of the table whose page must change, except to `except_user`."""
        for chair in state.people():
            if chair.user_id is not None and chair.user_id != except_user:
                self.refresh_one(state, now, chair.user_id)

    def refresh_one(self, state: Game, now: datetime, user_id: UserId) -> None:
        """Push to this person's open hand at the table if its page must change."""
        key = state.id, user_id
        hand = self._open.get(key)
        if hand is None or hand.state is state or hand.seat != state.seat_of(user_id):
            return
        if hand.expired(now):
            del self._open[key]
            return
        fresh = hand_fingerprint(state, hand.seat)
        hand.state = state
        if hand.draft is not None and hand.may_do != may_do_fingerprint(state, hand.seat):
            hand.draft = None
        if fresh != hand.shown:
            hand.shown = fresh
            self._push(user_id, hand)

    def take_away(self, table_id: TableId, user_id: UserId) -> None:
        """Replace the hand on the screen of somebody who has left; it is not theirs any more."""
        hand = self._open.pop((table_id, user_id), None)
        if hand is not None:
            hand.over = True
            self._push(user_id, hand)

    def forget(self, table_id: TableId) -> None:
        """The table is over: its hands are no longer kept fresh."""
        for key in [key for key in self._open if key[0] == table_id]:
            del self._open[key]

    def _push(self, user_id: UserId, hand: _OpenHand) -> None:
        if hand.writer is None:
            hand.writer = LatestWins(
                lambda: self._edit(user_id, hand), f"hand-{hand.state.id}-{user_id}"
            )
        hand.writer.mark()

    def close(self) -> None:
        """The bot is about to go: no edit is retried any more."""
        self._closing = True

    async def _edit(self, user_id: UserId, hand: _OpenHand) -> None:
        """Edit a hand; retry while Discord is in trouble, as long as the hand can be edited."""
        failures = 0
        while (trouble := await self._try_edit(user_id, hand)) is not None:
            failures += 1
            await self._clock.sleep(pause_s(failures, trouble))
            if self._closing:
                return

    async def _try_edit(self, user_id: UserId, hand: _OpenHand) -> Exception | None:
        """Edit a hand as it is now; the trouble, if the edit is to be retried."""
        key = hand.state.id, user_id
        if self._open.get(key) not in (hand, None):
            return None  # a newer one is open: it is the one that is kept fresh
        try:
            if not hand.expired(self._clock.now()):
                await hand.interaction.edit_original_response(view=_page(hand))
                return None
        except TROUBLE as error:
            if is_temporary(error):
                return error
            log.info("a hand at table %s is no longer kept fresh (%s)", key[0], log_text(error))
        # Expired or dismissed: "My hand" opens a new one any time.
        if self._open.get(key) is hand:
            del self._open[key]
        return None


def _page(hand: _OpenHand) -> Page:
    """What is to be on the screen: the hand, or that the seat is somebody else's now."""
    if hand.over:
        return left_page(hand.words)
    return hand_page(hand.state, hand.seat, hand.words, hand.draft)
