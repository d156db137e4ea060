"""Weights of the Expert's quick policy: one array, with an index for each weight.

The effort of a play measures how hard it is to get rid of: about 1 for a low play, 0 or less for
one that wins a trick. The effort of a hand is the sum over its plays. It is about the number of
leads that the seat needs but cannot win by itself.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

Weights: TypeAlias = Any
"""Array of `COUNT` floats."""
TeamWeights: TypeAlias = Any
"""Array with two rows of weights; a team plays by row `team & 1`."""

SINGLES, PAIRS, TRIPLES, FULL_HOUSES = 0, 15, 30, 45
"""First places of the efforts by rank. Single 0 is the Dog, single 1 the Mah Jong."""
(
    # Efforts that do not depend on a rank, and of runs, with changes by rank and by card.
    PHOENIX,
    DRAGON,
    FOUR_BOMB,
    STRAIGHT_BOMB,
    STRAIGHT,
    STRAIGHT_RANK,
    STRAIGHT_SIZE,
    STAIRS,
    STAIRS_RANK,
    STAIRS_SIZE,
    # Worth of a lead.
    LEAD_EFFORT,
    LEAD_SIZE,
    LEAD_RANK,
    ONLY_LED,
    RIVAL_HOLD,
    RIVAL_SHORT,
    PARTNER_LAST,
    PARTNER_LAST_RANK,
    DOG_EARLY,
    DOG_LATE,
    DOG_CALL,
    # Worth of a pass and of winning a trick: the next lead, and points.
    PASS,
    LEAD,
    LEAD_SHORT,
    POINTS,
    # Danger of opponents: after a call, near going out, as the second of a team.
    CALLED,
    CALLED_CARD,
    NEAR,
    NEAR_CARD,
    NEAR_SECOND,
    # Minimum danger for a bomb; highest rank of a partner's play and of the play on it.
    BOMB,
    PARTNER_TOP,
    PARTNER_PLAY,
    # Chance of a sure winner, and of the use of each way to beat a play.
    SURE,
    BEAT_SINGLE,
    BEAT_PAIR,
    BEAT_TRIPLE,
    BEAT_FULL_HOUSE,
    BEAT_RUN,
    # Factors of the danger: after a Grand Tichu, and in games without teams.
    GRAND,
    ALONE,
    # Worth of the next lead to a caller, and maximum effort for a Tichu.
    OWN_CALL,
    TICHU,
    # Gifts: effort of a strong hand, and the factor for what it gives to a partner.
    STRONG,
    STRONG_PART,
    # Gifts: worth of cards to a partner, then to an opponent.
    GIVE_CALLER,
    GIVE_DRAGON,
    GIVE_PHOENIX,
    GIVE_DOG,
    DOG_TO_CALLER,
    GIVE_RIVAL_DOG,
    GIVE_RIVAL_MAHJONG,
    GIVE_RIVAL_HIGH,
    GIVE_RIVAL_POINTS,
) = range(60, 114)
GIVE = 114
"""First place of the worth of cards to a partner, by rank."""
(
    # Leads.
    LEAD_HOLDS,
    LEAD_PHOENIX,
    LEAD_CALL_RANK,
    LEAD_RIVAL_CALL,
    DOG_EFFORT,
    DOG_CARDS,
    # Answers and passes.
    PHOENIX_ALONE,
    PHOENIX_OVER,
    PHOENIX_CARDS,
    RAISE,
    PASS_BEHIND,
    PASS_CALL,
    FRIEND,
    FRIEND_CARDS,
    # The next lead and dangers, if a double victory is possible or others may go out.
    LEAD_SWEEP,
    LEAD_SWEPT,
    RIVAL_OTHER,
    RIVAL_COMING,
    NEAR_SWEEP,
    BOMB_POINTS,
) = range(129, 149)
"""Weights without a counterpart in the Novice, so 0 in `first_guess`."""
SEEN_BEATS = 149
"""Chance that an opponent with an open hand beats a play when possible."""
(
    LEAD_RIVAL_SIZE,
    LEAD_OWN_CALL,
    LEAD_OWN_SIZE,
    LEAD_FOR_CALLER,
    PASS_OWN_CALL,
    OWN_CALL_TOP,
) = range(150, 156)
"""Effects of open calls, which the Novice ignores: 0 in `first_guess`."""
PASS_SEEN = 156
"""Worth of a pass if a partner still to come shows a hand that beats the play; else 0."""
COUNT = 157


def first_guess() -> Weights:
    """Return the weights that were set by hand, before any training."""
    w = np.zeros(COUNT)
    w[SINGLES + 0], w[SINGLES + 1] = 0.8, 0.9
    for rank in range(2, 15):
        w[SINGLES + rank] = 1.1 - 0.015 * rank
        w[PAIRS + rank] = 1.05 - 0.02 * rank if rank < 11 else 1.05 - 0.3 * (rank - 10)
        w[TRIPLES + rank] = 0.95 - 0.05 * rank
        w[FULL_HOUSES + rank] = 0.85 - 0.05 * rank
    w[SINGLES + 11 : SINGLES + 15] = 0.85, 0.75, 0.5, 0.1
    w[PHOENIX], w[DRAGON], w[FOUR_BOMB], w[STRAIGHT_BOMB] = 0.0, -0.4, -0.9, -1.0
    w[STRAIGHT], w[STRAIGHT_RANK], w[STRAIGHT_SIZE] = 0.95, -0.025, -0.03
    w[STAIRS], w[STAIRS_RANK], w[STAIRS_SIZE] = 0.95, -0.025, -0.03
    w[LEAD_EFFORT], w[LEAD_SIZE], w[LEAD_RANK], w[ONLY_LED] = 2.0, 0.25, -0.04, 6.0
    w[RIVAL_HOLD], w[RIVAL_SHORT] = 4.0, -5.0
    w[PARTNER_LAST], w[PARTNER_LAST_RANK] = 2.0, -0.1
    w[DOG_EARLY], w[DOG_LATE], w[DOG_CALL] = 1.6, 4.0, 10.0
    w[PASS], w[LEAD], w[LEAD_SHORT], w[POINTS] = 0.15, 0.35, 1.0, 1 / 60
    w[CALLED], w[CALLED_CARD] = 1.4, -0.2
    w[NEAR], w[NEAR_CARD], w[NEAR_SECOND] = 1.1, -0.3, 1.5
    w[BOMB], w[PARTNER_TOP], w[PARTNER_PLAY], w[SURE] = 0.6, 10.0, 11.0, 0.9
    w[BEAT_SINGLE], w[BEAT_PAIR], w[BEAT_TRIPLE] = 0.25, 0.2, 0.12
    w[BEAT_FULL_HOUSE], w[BEAT_RUN] = 0.15, 0.1
    w[GRAND], w[ALONE] = 1.5, 0.25
    w[OWN_CALL], w[TICHU] = 0.3, 1.7
    w[STRONG], w[STRONG_PART], w[GIVE_CALLER] = 3.3, 0.6, 5.0
    w[GIVE_DRAGON], w[GIVE_PHOENIX], w[GIVE_DOG] = 0.9, 0.5, -1.0
    w[DOG_TO_CALLER], w[GIVE_RIVAL_DOG], w[GIVE_RIVAL_MAHJONG] = 1.0, 0.0, -1.5
    w[GIVE_RIVAL_HIGH], w[GIVE_RIVAL_POINTS] = -0.5, -0.03
    w[GIVE + 11 : GIVE + 15] = 0.3, 0.5, 0.8, 1.2
    w[SEEN_BEATS] = 0.6
    return w


def read_weights(file: Path) -> Weights:
    """Return the weights in a file. Weights that an older file lacks are those set by hand."""
    stored = np.array(json.loads(file.read_text()))
    return np.concatenate([stored, first_guess()[len(stored) :]])


def _trained() -> Weights:
    """Return the weights found by `python -m bench.tuning`."""
    stored = Path(__file__).with_name("weights.json")
    return read_weights(stored) if stored.exists() else first_guess()


WEIGHTS: Weights = _trained()
"""Weights of the Expert."""
TWO_DECKS: Weights = read_weights(Path(__file__).parent / "two_decks" / "weights.json")
"""Weights of the Expert with two decks."""
