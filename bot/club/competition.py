"""Values that formats of competitions work with: entrants, matches and results.

A format is a pure function from these to the pairings of the next round and to the standings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple, NewType, Protocol

EntrantNumber = NewType("EntrantNumber", int)
"""Number of an entrant in an event, from 1 in the order of seeding."""

Ending = Literal["played", "forfeit", "bye", "void"]
"""How a match ended.

``played`` at a table, ``forfeit`` without play because a side did not come, ``bye`` without an
opponent, ``void`` if the organiser cancelled it, so that it counts for nobody.
"""


Boards = tuple[tuple[int, int], ...]
"""Points of both sides in each deal of a match, in the order of the deals."""


class Entrant(NamedTuple):
    """A pair or a person in a competition."""

    number: EntrantNumber
    """Number, from 1; lower numbers are seeded higher."""
    rating: int
    """Rating at the begin of the event."""
    withdrawn: bool = False
    """True if the entrant plays no more rounds."""


class Result(NamedTuple):
    """Result of a match that is over."""

    ending: Ending
    """End of the match."""
    winner: int | None = None
    """0 if the first side won, 1 if the second, `None` for a draw or a void match."""
    totals: tuple[int, int] = (0, 0)
    """Points of both sides at the table; zeros without play."""
    boards: Boards = ()
    """Points of each deal (duplicate)."""

    @property
    def swapped(self) -> Result:
        """The result with the other side named first."""
        return Result(
            self.ending,
            None if self.winner is None else 1 - self.winner,
            self.totals[::-1],
            tuple(points[::-1] for points in self.boards),
        )


Side = tuple[EntrantNumber, ...]
"""Entrants who play together in a match: one pair, or two people."""
Pairing = tuple[Side, ...]
"""Sides of a match: two, or one for a bye."""


class Match(NamedTuple):
    """A match between two sides, or a bye of one."""

    sides: Pairing
    """Its sides, with those of the higher seat first."""
    result: Result | None = None
    """Its result; `None` while it is not over."""
    until: tuple[int, int] = (0, 0)
    """Weeks until which each side agrees to postpone it; 0: not (league)."""


@dataclass(frozen=True, slots=True)
class Competition:
    """All that a format needs to know of an event."""

    entrants: tuple[Entrant, ...]
    """All entrants in the order of their numbers, also those who have withdrawn."""
    rounds: tuple[tuple[Match, ...], ...] = ()
    """Matches of each round so far, by table."""
    planned: int | None = None
    """Number of rounds that the organiser chose; `None`: as many as the format suggests."""
    third_place: bool = True
    """True if the losers of the semi-finals play for the third place (knock-out)."""
    divisions: int = 1
    """Number of divisions that the organiser chose (league)."""
    twice: bool = False
    """True if everybody meets twice (league)."""
    lots: bytes = field(default=b"", repr=False)
    """Random bytes for draws by lot, stored with the event."""

    @property
    def active(self) -> Iterator[Entrant]:
        """Entrants who have not withdrawn."""
        return (each for each in self.entrants if not each.withdrawn)

    @property
    def withdrawn(self) -> frozenset[EntrantNumber]:
        """Numbers of the entrants who have withdrawn."""
        return frozenset(each.number for each in self.entrants if each.withdrawn)

    @property
    def roster(self) -> tuple[Entrant, ...]:
        """Entrants of the first round, or all who are active before it."""
        if not self.rounds:
            return tuple(self.active)
        first = {number for match in self.rounds[0] for side in match.sides for number in side}
        return tuple(each for each in self.entrants if each.number in first)


class Line(NamedTuple):
    """Line of the standings."""

    place: int
    """Place from 1, shared by entrants whom no tie-break separates."""
    entrant: EntrantNumber
    """Number of the entrant."""
    played: int
    """Number of matches that count, with byes and forfeits."""
    score: Fraction
    """Wins, with draws as half; in a duplicate the share of the match points, from 0 to 1."""
    tie_breaks: tuple[Fraction, ...] = ()
    """Values of the format's tie-breaks in order; higher ones are better."""


TieBreak = Literal["direct", "buchholz", "points", "reached"]
"""Name of a tie-break, which the pages explain.

``direct``: score in the matches among those who are level. ``buchholz``: sum of the scores of the
opponents. ``points``: difference of points in all matches. ``reached``: round reached (knock-out).
"""


class Format(Protocol):
    """Rules of a kind of competition."""

    tie_breaks: tuple[TieBreak, ...]
    """Tie-breaks of the standings, in order."""
    entrants: range
    """Numbers of entrants that are possible."""

    def length(self, competition: Competition) -> int:
        """Return the number of rounds."""
        ...

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the pairings of the next round by table; none if the competition is over.

        The last round must be over. Equal competitions give equal pairings.
        """
        ...

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the standings, best first, with all entrants."""
        ...
