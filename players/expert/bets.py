"""Whether a call pays: how often a call is really made, by how good it looks in playouts.

Grand Tichus are made about as often as in playouts. Of Tichus playouts tell less: those that look
doubtful are made more often. A Tichu over an opponent's call is not considered, because half of
them are made and no gain was seen. The measurements are in docs/computer-players.md.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from engine import Call, Points
from players.expert.endgame import Stake
from players.expert.odds import place_of


class _Curve(NamedTuple):
    """How the logarithm of the odds of a call really depends on the same in playouts."""

    shift: float
    """What it is for a call that is made in half of the playouts."""
    slope: float
    """How many units it grows when it grows by 1 in playouts."""


_TICHU = _Curve(0.5, 0.5)
"""The curve of a Tichu; a Grand Tichu has the chance that it has in playouts."""
_CARDS = 50
"""The card points that both teams are taken to have when the swing of a call is computed."""


class Bars(NamedTuple):
    """What a call has to bring to be made, as a part of its stake."""

    tichu: float = 0.37
    """A Tichu."""
    grand: float = 0.32
    """A Grand Tichu."""

    def lowered(self, part: float) -> Bars:
        """Bars that are lower by this part of a stake."""
        return Bars(*(bar - part for bar in self))


BARS = Bars()
"""The bars of the Expert."""


class Bet(NamedTuple):
    """A call as playouts judge it."""

    stake: Points
    """The points that it wins or loses."""
    first: float
    """The part of the playouts with the call in which the seat went out first."""
    gain: float
    """What the call brought in playouts: worth for the match."""
    swing: float
    """How much more a call is worth for the match that is made than one that fails."""

    @property
    def chance(self) -> float:
        """The chance that the call is really made."""
        if self.stake == Call.GRAND.value:
            return self.first
        likely = min(0.999, max(0.001, self.first))
        odds = exp(_TICHU.shift + _TICHU.slope * log(likely / (1 - likely)))
        return odds / (1 + odds)

    @property
    def brings(self) -> float:
        """What the call brings, with the chance that it really has: worth for the match."""
        return self.gain - (self.first - self.chance) * self.swing

    def excess(self, bars: Bars) -> float:
        """By how much it brings more than its bar; below 0 for less."""
        bar = bars.grand if self.stake == Call.GRAND.value else bars.tichu
        return self.brings - bar * self.swing / 2

    def pays(self, bars: Bars) -> bool:
        """Whether the call brings enough to be made."""
        return self.excess(bars) > 0


def swing(stake: Stake, points: Points) -> float:
    """How much more a made call is worth than a failed one; both have a stake of `points`."""
    if not stake.odds.shape[0]:
        return 2.0 * points
    ours, theirs = stake.ours + _CARDS, place_of(stake.odds, stake.theirs + _CARDS)
    made, failed = place_of(stake.odds, ours + points), place_of(stake.odds, ours - points)
    return float(stake.odds[made, theirs] - stake.odds[failed, theirs])
