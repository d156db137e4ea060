"""Records of challenges: two people play the same four deals, each with three computers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.board_records import SoloResult
from bot.ids import ChallengeId, ChannelId, GuildId, MessageId, UserId

ChallengeStatus: TypeAlias = Literal[
    "offered", "accepted", "declined", "expired", "left", "finished", "updated"
]
"""State of a challenge.

``finished`` if both have played all deals, ``updated`` if the computers got a new version before.
"""
OPEN_STATUSES: Final = ("offered", "accepted")
"""The statuses of an open challenge."""
DEALS: Final = 4
"""Number of deals of a challenge."""
DEAL_NUMBERS: Final = range(1, DEALS + 1)
TIME_LIMIT: Final = timedelta(days=7)
"""Time to answer an offer, and then to play all deals."""


class Challenge(NamedTuple):
    """A challenge of one person to another."""

    id: ChallengeId
    """The number of the challenge."""
    challenger: UserId
    """The person who offered it."""
    challenged: UserId
    """The other person."""
    guild_id: GuildId
    """The server of the offer."""
    channel_id: ChannelId
    """The channel of the public message."""
    status: ChallengeStatus
    """The current status."""
    created_at: datetime
    """The time of the offer."""
    accepted_at: datetime | None = None
    """The time at which the offer was accepted, if it was."""
    ended_at: datetime | None = None
    """The time of the end; `None` before it, and after the erasure of a person."""
    ended_by: UserId | None = None
    """The person who declined or left; `None` if nobody did."""
    message_id: MessageId | None = None
    """The public message; `None` until it is posted."""
    shown: ChallengeStatus | None = None
    """The status that the public message shows; `None` until it is posted."""

    @property
    def people(self) -> tuple[UserId, UserId]:
        """The two people."""
        return self.challenger, self.challenged

    @property
    def is_open(self) -> bool:
        """True while the challenge is offered or played."""
        return self.status in OPEN_STATUSES

    @property
    def was_played(self) -> bool:
        """True if the challenge was accepted."""
        return self.accepted_at is not None

    @property
    def until(self) -> datetime:
        """End of the time to answer the offer or to play."""
        return (self.accepted_at or self.created_at) + TIME_LIMIT

    @property
    def counts_until(self) -> datetime:
        """End of the time in which results count."""
        return self.until if self.ended_at is None else min(self.until, self.ended_at)

    def other(self, user_id: UserId) -> UserId:
        """Return the other person."""
        return self.challenged if user_id == self.challenger else self.challenger


class ChallengeRound(NamedTuple):
    """A round of one person on a deal of a challenge."""

    number: int
    """Number of the deal, from 1."""
    user_id: UserId
    """The person."""
    round_id: int
    """Number of the stored round."""
    version: int
    """Version of the computers."""
    ended_at: datetime | None
    """Time of its end; `None` while it is played."""
    result: SoloResult | None
    """Their result; `None` while it is played."""
