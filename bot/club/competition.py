"""Matches of events: the sides that play them, and their results."""

from __future__ import annotations

from typing import Literal, NamedTuple, NewType

EntrantNumber = NewType("EntrantNumber", int)
"""Number of an entrant in an event, from 1."""

Ending = Literal["played", "void"]
"""End of a match: ``played`` to the last round, or ``void``, which counts for nobody."""


class Result(NamedTuple):
    """Result of a match that is over."""

    ending: Ending
    """End of the match."""
    winner: int | None = None
    """0 if the first side won, 1 if the second, `None` for a draw or a void match."""
    totals: tuple[int, int] = (0, 0)
    """Points of both sides at the table; zeros without play."""


Side = tuple[EntrantNumber, ...]
"""Entrants who play together in a match."""
Pairing = tuple[Side, ...]
"""The two sides of a match."""
