"""One private hand on a player's screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.ids import MessageId, TableId, UserId
from bot.records import RoundNumber
from bot.table.state import Game
from cogs.delivery.coalescing_writer import CoalescingWriter
from cogs.delivery.hand_pictures import HandPicture
from cogs.delivery.private_messages import PrivateMessage
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import HandFingerprint
from engine import Seat

HandKey = tuple[TableId, UserId]
"""The table of a hand, and its reader."""
Ending = Literal["left", "over", "rests"]
"""The reason a hand is not renewed any more.

Its player has left, the match is over, or the token expires.
"""


@dataclass(slots=True, eq=False)
class OpenHand:
    """One hand on a screen."""

    alarm_key: int
    """Key of its alarms."""
    message: PrivateMessage
    """The message that shows it."""
    state: Game
    """The newest state, which it is to show."""
    seat: Seat
    """The reader's chair."""
    picture: HandPicture
    """The picture on it, if any."""
    written_at: datetime
    """Time of the last answer or edit."""
    draft: Draft | None = None
    """The choice that its reader has begun on it."""
    fingerprint: HandFingerprint | None = field(default=None, repr=False)
    """Fingerprint of the page that it shows or is about to show."""
    is_dirty: bool = False
    """True if there is something to write, now or soon."""
    removing: set[MessageId] = field(default_factory=set)
    """Ids of its previous messages that are being removed."""
    in_flight: bool = False
    """True while a request that edits or moves it is in flight."""
    placed_in: RoundNumber = 0
    """The round in which it was posted or last clicked."""
    below: MessageId = MessageId(0)
    """The table message below which it belongs."""
    ending: Ending | None = None
    """Set if it is not renewed; its next page is its last."""
    writer: CoalescingWriter = field(init=False, repr=False)
    """Edits it and moves it, one request at a time."""

    @property
    def key(self) -> HandKey:
        """The table and the user who reads it."""
        return self.state.id, self.message.user_id

    @property
    def needs_action(self) -> bool:
        """True if its reader has to do something now."""
        seats = self.state.seats_of_chair(self.seat)
        return bool(set(seats).intersection(self.state.awaited_seats))

    @property
    def must_move(self) -> bool:
        """True if it is to be moved below the table now.

        In another channel it never moves, because each move is a follow-up, of which Discord allows
        five outside servers with the bot (see `places`).
        """
        if self.message.id >= self.below or self.ending is not None:
            return False
        if self.message.channel_id != self.state.channel_id:
            return False
        return self.placed_in != self.state.round.number or not self.needs_action
