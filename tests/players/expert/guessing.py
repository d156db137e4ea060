"""Quality of the guesses of hidden cards, measured in rounds of the Expert against itself.

`data/self_play.txt` has sixty rounds of Nanjing that the Expert played with 60 playouts. They were
not used to fit the habits, and today's Expert may play them differently. A line has the number of
the round, which determines its dealer and deck, and the actions with their seats, without closed
windows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.rounds import Player, deciding_seats, shuffled
from engine import (
    VARIANTS,
    Action,
    CloseWindow,
    Match,
    Options,
    Phase,
    apply,
    deal,
    new_match,
    read_action,
    view,
)
from players.expert import layout
from players.expert.deals import next_deal
from players.expert.habits import CALL_WEIGHTS, HABITS, CallWeights, Habits
from players.expert.knowledge import Knowledge
from players.expert.rows import row_of
from players.expert.workspace import make_workspace

ROUNDS = Path(__file__).with_name("data") / "self_play.txt"


class Played(NamedTuple):
    """A recorded round."""

    number: int
    """Its number, which determines the dealer and the deck."""
    actions: Sequence[Action]
    """All actions, without closed windows."""


def read_rounds() -> Iterator[Played]:
    """Return the rounds of the file."""
    for line in ROUNDS.read_text("utf-8").splitlines():
        number, _, steps = line.partition(" | ")
        words = (step.partition(" ") for step in steps.split("; "))
        yield Played(int(number), [read_action(int(seat), text) for seat, _, text in words])


def states(played: Played) -> Iterator[Match]:
    """Yield all states of a round, one before each action."""
    match = new_match(Options(), played.number % 3)
    match, _ = deal(match, shuffled(match, random.Random(f"belief {played.number}")))
    for action in played.actions:
        while match.phase in (Phase.WINDOW, Phase.CLOSING) and not deciding_seats(match):
            match, _ = apply(match, CloseWindow())
        yield match
        match, _ = apply(match, action)


def exchanged(player: Player, number: int, options: Options) -> Match:
    """Return a round of Experts up to the first lead."""
    rng = random.Random(f"kept {number}")
    match = new_match(options, number % VARIANTS[options.variant].chair_count(options))
    match, _ = deal(match, shuffled(match, rng))
    while match.phase in (Phase.GRAND, Phase.EXCHANGE):
        action = player.choose(view(match, deciding_seats(match)[0]), rng)
        assert action is not None
        match, _ = apply(match, action)
    return match


class Guessed(NamedTuple):
    """Quality of the guesses of cards in hidden hands."""

    cards: int
    """The number of hidden cards."""
    bits: float
    """The mean number of bits missing to locate one of them."""
    even: float
    """The same if every place of a hand is equally likely."""
    held: Any
    """By tenths of the predicted probability: number, its mean, and the share that was true."""


def guess(
    rounds: Sequence[Played],
    draw: Any,
    seed: int = 1,
    every: int = 8,
    deals: int = 64,
) -> Guessed:
    """Guess the hidden cards at some moments of these rounds, each by `deals` deals.

    `draw(seen, deals, rng)` returns the hands of deals, an array `[deal, seat]`.
    """
    rng = random.Random(seed)
    cards, bits, even = 0, 0.0, 0.0
    tenths = np.zeros((10, 3))
    for played in rounds:
        for match in states(played):
            if match.phase in (Phase.GRAND, Phase.EXCHANGE) or rng.randrange(every):
                continue
            round_ = match.round
            assert round_ is not None
            seat = round_.turn
            seen = view(match, seat)
            known = Knowledge(seen)
            free = known.free
            missing = {
                other: int(known.sizes[other]) - known.held[other].bit_count()
                for other in range(len(seen.seats))
                if known.sizes[other] > known.held[other].bit_count()
            }
            if len(missing) < 2:
                continue
            hands = draw(seen, known, deals, rng)
            total = sum(missing.values())
            while free:
                card = free & -free
                free ^= card
                for other, places in missing.items():
                    fair = places / total
                    times = int(np.count_nonzero(hands[:, other] & card))
                    chance = (times + 2 * fair) / (deals + 2)
                    true = bool(round_.hands[other].cards & card)
                    tenth = min(9, int(10 * chance))
                    tenths[tenth] += 1, chance, true
                    if true:
                        cards += 1
                        bits -= log2(chance)
                        even -= log2(fair)
    tenths[:, 1:] /= np.maximum(1, tenths[:, :1])
    return Guessed(cards, bits / cards, even / cards, tenths)


class Drawing:
    """Deals by habits and weights of calls, by default the Expert's."""

    def __init__(self, habits: Habits = HABITS, calls: CallWeights = CALL_WEIGHTS) -> None:
        self._workspace = make_workspace(habits, calls)

    def __call__(self, seen: Any, known: Knowledge, deals: int, rng: random.Random) -> Any:
        """Return the hands of `deals` deals, by deal and seat."""
        row = row_of(seen)
        for other, cards in enumerate(known.held):
            row[layout.HAND + other] = cards
        row[layout.RNG] = rng.getrandbits(62)
        dealt = row.copy()
        dealt[layout.PHASE] = layout.OVER
        hands = np.zeros((deals, layout.SEATS), np.int64)
        for place in range(deals):
            next_deal(row, dealt, known.hidden, self._workspace)
            hands[place] = dealt[layout.HAND : layout.HAND + layout.SEATS]
        return hands
