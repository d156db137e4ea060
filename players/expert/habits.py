"""Habits of players as a table: how likely they are to choose each option.

A habit is a number for an option in a context. A player chooses among several options in proportion
to their numbers. For example, if a lone 7 on a 6 has the number 2.0 and a pass has 1.0, players lay
the 7 twice as often as they pass. The numbers come from rounds of the Expert with itself
(docs/computer-players.md).
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
"""Rows of `FEATURES` weights: for a Tichu, a Grand Tichu, and a hand after the exchange."""

RANKS = 16
"""Number of entries for an option in a context, one for each rank."""
ALONE, IN_RUN = range(2)
"""Forms of a rank in a hand, which are also options of singles, leads and gifts.

One card, one card that is part of five ranks in a row; 2 to 4 stand for that number of cards.
"""
PASS_ON_SINGLE, WILD_ON_SINGLE, DRAGON_ON_SINGLE, BOMB_ON_SINGLE = 5, 6, 7, 8
"""Further answers to a single: a pass, the Phoenix, the Dragon, a bomb of four."""
OF_TWO, WITH_WILD, PASS_ON_SET, BOMB_ON_SET = 0, 3, 4, 5
"""Answers to pairs, triples and full houses.

Cards of a rank held exactly twice (option 1: three times, option 2: four times); cards with the
Phoenix; a pass; a bomb of four.
"""
LEAD_PAIR, LEAD_TRIPLE, LEAD_HOUSE, LEAD_OTHER = 5, 8, 10, 11
"""Further leads: pairs, triples, full houses, others.

From `LEAD_PAIR` on, pairs of a rank held two, three and four times. From `LEAD_TRIPLE` on, triples
of a rank held three and four times. Other leads have one of the numbers below instead of a rank.
"""
DOG, MAHJONG, PHOENIX, DRAGON, STRAIGHT, STAIRS, WILD = range(7)
"""Numbers of other leads: special cards (also as gifts), straights, stairs, sets with Phoenix."""
GIVE_SPECIAL = 5
"""Gift of a special card."""


class Block(NamedTuple):
    """Part of the table, with an entry for each context, option and rank."""

    begin: int
    """First index in the table."""
    contexts: int
    """Number of contexts."""
    options: int
    """Number of options."""

    @property
    def end(self) -> int:
        """Index after the last one of the block."""
        return self.begin + self.contexts * self.options * RANKS


ANSWER_CONTEXTS = 18
"""Number of contexts of an answer to a play of one kind."""
SINGLES = Block(0, ANSWER_CONTEXTS, 9)
SETS = Block(SINGLES.end, 3 * ANSWER_CONTEXTS, 6)  # pairs, triples, full houses
LEADS = Block(SETS.end, 12, 12)
GIFTS = Block(LEADS.end, 6, 6)
WISHES = Block(GIFTS.end, 1, 5)  # an option for each number of held cards of the rank
BLOCKS: Mapping[str, Block] = {
    "singles": SINGLES,
    "sets": SETS,
    "leads": LEADS,
    "gifts": GIFTS,
    "wishes": WISHES,
}
PLACES = WISHES.end
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
