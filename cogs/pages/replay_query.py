"""Positions of replays in the ids of buttons and selects."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import UserId
from cogs.pages.controls import read_number
from engine import NotationError, Seat

OPEN, PUBLIC = "open", "public"
"""Views: all hands are open, or only what everyone saw."""
MOST_SEATS = 12
LAST_PLACE = 99_999
"""Place beyond every round: it shows the last position."""


@dataclass(frozen=True, slots=True)
class ReplayQuery:
    """A position in a round of a match."""

    number: int
    """The number of the round; 0 is the last one that is over."""
    place: int = 0
    """The place among the positions of the round, from 0."""
    view: str = OPEN
    """`OPEN`, `PUBLIC`, or the number of the seat whose hand is open."""
    by_trick: bool = True
    """True if the arrows go from trick to trick, false if from move to move."""

    def shown_seats(self, seat_count: int) -> tuple[Seat, ...]:
        """Return the seats whose hands are open, of a round with `seat_count` seats."""
        if self.view == OPEN:
            return tuple(range(seat_count))
        return tuple(seat for seat in range(seat_count) if str(seat) == self.view)

    def to_args(self, button: str) -> str:
        """Return the query as arguments of a custom_id; `read_replay_query` parses them.

        Discord refuses two equal ids on a page, so `button` names the button.
        """
        step = "trick" if self.by_trick else "play"
        return f"{self.number}.{self.place}.{self.view}.{step}.{button}"


def read_replay_query(text: str) -> ReplayQuery:
    """Parse the id of a button; raise `NotationError` for a forged one."""
    parts = text.split(".")
    if len(parts) != 5 or parts[3] not in ("trick", "play"):
        raise NotationError("not a position of a round")
    return ReplayQuery(
        read_number(parts[0]), read_number(parts[1]), read_view(parts[2]), parts[3] == "trick"
    )


def read_view(text: str) -> str:
    """Parse the kind of view; raise `NotationError` for a forged one."""
    if text not in (OPEN, PUBLIC) and read_number(text) > MOST_SEATS:
        raise NotationError("not a view of a round")
    return text


def read_shared_query(text: str) -> tuple[ReplayQuery, UserId]:
    """Parse the id of a button of a shared page: a position, and who shared it."""
    query, _, opener = text.rpartition(".")
    return read_replay_query(query), UserId(read_number(opener))
