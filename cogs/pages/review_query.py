"""Reviews and their marks in the ids of buttons."""

from __future__ import annotations

from dataclasses import dataclass

from bot.records import RoundNumber
from cogs.pages.controls import read_number
from cogs.pages.replay_query import MOST_SEATS
from engine import NotationError, Seat

_OWN = "own"
MOST_MARKS = 9
"""Upper bound of the index of a mark in an id."""


@dataclass(frozen=True, slots=True)
class ReviewQuery:
    """Review of a round for one seat, or a mark of it."""

    number: RoundNumber
    """The number of the round; 0 is the last one that is over."""
    seat: Seat | None = None
    """The seat; `None` for that of the reader."""
    mark: int = 0
    """The index of a mark, from 0."""

    def to_args(self, button: str) -> str:
        """Return the query as arguments of a custom_id; `read_review_query` parses them.

        `button` names the button, because Discord refuses two equal ids on a page.
        """
        seat = _OWN if self.seat is None else self.seat
        return f"{self.number}.{seat}.{self.mark}.{button}"


def read_review_query(text: str) -> ReviewQuery:
    """Parse the id of a button; raise `NotationError` for a forged one."""
    parts = text.split(".")
    if len(parts) != 4:
        raise NotationError("not a review")
    number, seat, mark = parts[:3]
    query = ReviewQuery(
        read_number(number), None if seat == _OWN else read_number(seat), read_number(mark)
    )
    if (query.seat or 0) >= MOST_SEATS or query.mark > MOST_MARKS:
        raise NotationError("not a review")
    return query
