"""The position of a game, immutable: a match and the round being played in it."""

from __future__ import annotations

from typing import NamedTuple

from engine.options import Options
from engine.round import Phase, Round, RoundResult
from engine.types import Column, Points, Seat
from engine.variants import Variant


class Match(NamedTuple):
    """A whole game: its options, the finished rounds and the current one.

    All hands are in it, so its `repr` shows only what everybody knows; the whole text is written by
    `engine.position.write_position`.
    """

    options: Options
    """The rule options, fixed for the match."""
    variant: Variant
    """The rules of the game that is played."""
    first_dealer: Seat
    """Who deals the first round."""
    totals: tuple[Points, ...]
    """Points of each column so far; empty in a game without points."""
    results: tuple[RoundResult, ...]
    """The finished rounds, the first one first."""
    round: Round | None
    """The round being played, or between two rounds the last one; `None` before the first deal."""
    winners: tuple[Column, ...]
    """The winning columns of a match that is over; empty before."""

    def __repr__(self) -> str:
        totals = " ".join(map(str, self.totals)) or "-"
        return f"<match {self.options.variant}, {self.phase.value}, totals {totals}, {self.round}>"

    def with_round(self, round_: Round) -> Match:
        """The same match with this round.

        Every action needs it, so it leaves out `_replace`, which is slower.
        """
        return tuple.__new__(Match, (*self[:5], round_, *self[6:]))

    @property
    def phase(self) -> Phase:
        """The round's phase while one is played, else ROUND_END or MATCH_END."""
        if self.winners:
            return Phase.MATCH_END
        return self.round.phase if self.round is not None else Phase.ROUND_END
