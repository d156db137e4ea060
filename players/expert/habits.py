"""Habits of players as a table: what they play, pass and give with which cards.

A habit is a number for an option in a context. Each of several options is chosen in proportion to
its number: a lone 7 on a 6 with 2.0 twice as often as a pass with 1.0. The numbers come from rounds
of the Expert with itself (docs/computer-players.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

Habits: TypeAlias = Any
"""Table as one array: `PLACES` numbers, none of them negative."""
CallWeights: TypeAlias = Any
"""Rows of `FEATURES` weights: for a Tichu, a Grand Tichu, and the rest of the exchange."""

RANKS = 16
"""Number of entries for an option in a context, one for each rank."""
ALONE, IN_RUN, TWO, THREE = range(4)
"""Forms of a rank in a hand; they are also options of singles, leads and gifts.

One card, one card in a run of five ranks, two cards, three cards; option 4 is four cards.
"""
PASS_ON_SINGLE, WILD_ON_SINGLE, DRAGON_ON_SINGLE = 5, 6, 7
"""Further answers to a single: a pass, the Phoenix, the Dragon."""
OF_TWO, WITH_WILD, PASS_ON_SET = 0, 3, 4
"""Answers to pairs, triples and full houses.

A set of exactly two equal cards (options 1 and 2: of three, of four), with the Phoenix, a pass.
"""
LEAD_PAIR, LEAD_TRIPLE, LEAD_HOUSE, LEAD_OTHER = 5, 8, 10, 11
"""Further leads: pairs, triples, full houses, others.

Pairs of two, three or four equal cards, triples of three or four, full houses, and other leads,
which have a number below in place of a rank.
"""
DOG, MAHJONG, PHOENIX, DRAGON, STRAIGHT, STAIRS, WILD = range(7)
"""Numbers of special cards as gifts and leads, of straights, stairs, and sets with the Phoenix."""
GIVE_SPECIAL = 5
"""Gift of a special card."""


class Block(NamedTuple):
    """Part of the table: `[context, option, rank]`."""

    begin: int
    """First index in the table."""
    contexts: int
    """Number of contexts."""
    options: int
    """Number of options."""

    @property
    def end(self) -> int:
        """Index after its last one."""
        return self.begin + self.contexts * self.options * RANKS


SINGLES = Block(0, 18, 8)
SETS = Block(SINGLES.end, 54, 5)
LEADS = Block(SETS.end, 12, 12)
GIFTS = Block(LEADS.end, 6, 6)
BLOCKS: Mapping[str, Block] = {"singles": SINGLES, "sets": SETS, "leads": LEADS, "gifts": GIFTS}
PLACES = GIFTS.end
"""Size of the table."""
FEATURES = 14
"""Number of features of a call or of a hand after the exchange.

See `players.expert.likelihood.call_features`.
"""


def table_of(stored: Mapping[str, Any]) -> Habits:
    """Return the table from its stored logarithms.

    Each logarithm is the sum of three: one by context and rank, one by option and rank, one by
    context and option.
    """
    table = np.empty(PLACES)
    for name, block in BLOCKS.items():
        by_context, by_option, by_both = (np.array(part) for part in stored[name])
        logs = by_context[:, None, :] + by_option[None, :, :] + by_both[:, :, None]
        table[block.begin : block.end] = np.exp(logs).ravel()
    return table


def _load() -> tuple[Habits, CallWeights]:
    """Return the stored habits and call weights."""
    stored = json.loads(Path(__file__).with_name("habits.json").read_text())
    return table_of(stored), np.array(stored["calls"])


HABITS, CALL_WEIGHTS = _load()
"""Habits that the Expert assumes of others."""
