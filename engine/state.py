"""The immutable state of a match."""

from __future__ import annotations

from typing import NamedTuple

from .options import Options
from .round import Phase, Round, RoundResult
from .types import Column, Points, Seat
from .variants import Variant


class Match(NamedTuple):
    """A whole match: its options, the finished rounds and the current one.

    It contains all hands, so its `repr` shows only public facts; `write_position`
    writes the whole position.
    """

    options: Options
    """The rule options, fixed for the match."""
    variant: Variant
    """The rules of the game being played."""
    first_dealer: Seat
    """The dealer of the first round."""
    totals: tuple[Points, ...]
    """Points of each column so far; empty in a game without points."""
    results: tuple[RoundResult, ...]
    """The finished rounds, oldest first."""
    round: Round | None
    """The current round, or the last one between two rounds; `None` before the first deal."""
    winners: tuple[Column, ...]
    """The winning columns of a finished match; empty before."""

    def __repr__(self) -> str:
        totals = " ".join(map(str, self.totals)) or "-"
        return f"<match {self.options.variant}, {self.phase.value}, totals {totals}, {self.round}>"

    def with_round(self, round_: Round) -> Match:
        """Return the match with another current round.

        Called by every action, so it bypasses `_replace`, which is slower.
        """
        return tuple.__new__(Match, (*self[:5], round_, *self[6:]))

    @property
    def phase(self) -> Phase:
        """The phase of the current round; ROUND_END between rounds, MATCH_END at the end."""
        if self.winners:
            return Phase.MATCH_END
        return self.round.phase if self.round is not None else Phase.ROUND_END
