"""Rounds played out among computer players, without clock, table or storage; a random player.

For the tournament, the benchmarks and the tests of computer players.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from engine import (
    WINDOWS,
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    CloseWindow,
    Match,
    PassCards,
    Phase,
    View,
    apply,
    bits,
    deal,
    possible_bombs,
    view,
)

OVER = (Phase.ROUND_END, Phase.MATCH_END)


class Player(Protocol):
    """Whoever can take a seat: a view goes in, an action comes out, `None` for nothing to say."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """What the seat of this view does now; chance comes from `rng` alone."""


class RandomPlayer:
    """Takes any legal action, but neither calls nor bombs out of turn, which would be folly."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Any of its actions, each as likely."""
        assert view.seat is not None
        if view.phase is Phase.EXCHANGE:
            return _random_gifts(view, view.seat, rng) if view.given is None else None
        if view.phase is Phase.GRAND:
            return AnswerGrand(view.seat, False) if view.actions else None
        actions = [a for a in view.actions if not isinstance(a, CallTichu | Bomb)]
        return rng.choice(actions) if actions else None


def _random_gifts(view: View, seat: int, rng: random.Random) -> PassCards:
    gifts, taken = [], 0
    for to, number, forced, free in sorted(view.gifts):
        cards = rng.sample(list(bits(free & ~taken)), number - forced.bit_count())
        gifts.append((to, forced | sum(cards)))
        taken |= gifts[-1][1]
    return PassCards(seat, tuple(gifts))


Watch = Callable[[Match, int, Action], None]


def play_round(
    match: Match,
    players: Sequence[Player],
    deck: Sequence[int],
    rng: random.Random,
    watch: Watch | None = None,
) -> Match:
    """Deal and play a round, a player for each chair; windows close when nobody has an answer.

    `watch` is told the match, the seat and its action before each action is carried out.
    """
    match, _ = deal(match, deck)
    while match.phase not in OVER:
        round_ = match.round
        assert round_ is not None
        for seat in asked(match):
            player = players[match.variant.actor(round_, seat)]
            action = player.choose(view(match, seat), rng)
            if action is not None:
                if watch is not None:
                    watch(match, seat, action)
                match, _ = apply(match, action)
                break
        else:
            match, _ = apply(match, CloseWindow())
    return match


def asked(match: Match) -> list[int]:
    """The seats that may have something to say, in a window only those with a bomb that beats."""
    round_ = match.round
    assert round_ is not None
    seats = range(len(round_.hands))
    if round_.asked:
        return [seat for seat in seats if round_.asked >> seat & 1]
    if round_.phase is Phase.GRAND:
        return [seat for seat in seats if round_.opening.answers[seat] is None]
    if round_.phase is Phase.EXCHANGE:
        return [seat for seat in seats if round_.opening.given[seat] is None]
    if round_.phase in WINDOWS:
        said = {seat for seat, _ in round_.submitted}
        return [
            seat
            for seat in seats
            if not round_.waived >> seat & 1 and seat not in said and possible_bombs(round_, seat)
        ]
    return [round_.turn]


def shuffled(match: Match, rng: random.Random) -> list[int]:
    """A deck for the next round of this match."""
    deck = list(match.variant.deck(match.options))
    rng.shuffle(deck)
    return deck
