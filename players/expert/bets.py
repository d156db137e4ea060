"""The value of a call, corrected by how often such calls really succeed.

Grand Tichus succeed about as often as in playouts. Tichus that are doubtful in playouts succeed
more often. A Tichu over an opponent's call is not considered, because it succeeds in only half of
the cases, and so gains nothing. See docs/measurements/computer-players.md.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from engine import Call, Points
from players.expert.endgame import Stake
from players.expert.odds import score_index


class _Curve(NamedTuple):
    """True log odds of a call as a linear function of its log odds in playouts."""

    shift: float
    """True log odds of a call that succeeds in half of the playouts."""
    slope: float
    """Increase when the log odds in playouts grow by 1."""


_TICHU = _Curve(0.5, 0.5)
"""Curve of a Tichu. A Grand Tichu has the same chance as in playouts."""
_CARD_POINTS = 50
"""Card points assumed for both teams when the swing of a call is computed."""


class Bars(NamedTuple):
    """Minimum gains for which a call is made, as parts of its stake."""

    tichu: float = 0.37
    """Bar for a Tichu."""
    grand: float = 0.32
    """Bar for a Grand Tichu."""

    def lowered(self, part: float) -> Bars:
        """Return bars that are lower by `part` of the stake."""
        return Bars(*(bar - part for bar in self))


BARS = Bars()
"""Bars of the Expert."""


class Bet(NamedTuple):
    """Possible call, with its results in playouts."""

    stake: Points
    """Points that it wins or loses."""
    first_share: float
    """Share of the playouts with the call in which the seat went out first."""
    gain: float
    """Gain of the call in playouts, in worth for the match."""
    swing: float
    """Worth for the match of making the call, less that of failing."""

    @property
    def chance(self) -> float:
        """Chance that the call really succeeds."""
        if self.stake == Call.GRAND.value:
            return self.first_share
        share = min(0.999, max(0.001, self.first_share))  # 0 and 1 have no log odds
        odds = exp(_TICHU.shift + _TICHU.slope * log(share / (1 - share)))
        return odds / (1 + odds)

    @property
    def real_gain(self) -> float:
        """Gain of the call with its real chance, in worth for the match."""
        return self.gain - (self.first_share - self.chance) * self.swing

    def excess(self, bars: Bars) -> float:
        """Return by how much the real gain exceeds the bar of the call; negative if it does not."""
        bar = bars.grand if self.stake == Call.GRAND.value else bars.tichu
        worth_of_stake = self.swing / 2
        return self.real_gain - bar * worth_of_stake

    def pays(self, bars: Bars) -> bool:
        """Return whether the call should be made."""
        return self.excess(bars) > 0


def swing(stake: Stake, points: Points) -> float:
    """Return the worth of a made call less that of a failed one, if its stake is `points`."""
    if not stake.odds.shape[0]:
        return 2.0 * points
    ours, theirs = stake.ours + _CARD_POINTS, score_index(stake.odds, stake.theirs + _CARD_POINTS)
    made, failed = score_index(stake.odds, ours + points), score_index(stake.odds, ours - points)
    return float(stake.odds[made, theirs] - stake.odds[failed, theirs])
