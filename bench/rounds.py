"""Rounds of computer players without clock, table or storage; and a random player.

Used by the tournament, the benchmarks and the tests of computer players.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import process_time
from typing import NamedTuple, Protocol, runtime_checkable

from engine import (
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    Card,
    CloseWindow,
    Match,
    PassCards,
    Phase,
    Seat,
    View,
    apply,
    bits,
    deal,
    possible_bombs,
    view,
)

END_PHASES = (Phase.ROUND_END, Phase.MATCH_END)


class Player(Protocol):
    """A player of one seat."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of this view's seat, or `None` if it has none to take.

        All randomness comes from `rng`.
        """


class Decision(NamedTuple):
    """The decision of a player."""

    action: Action | None
    """The action, or `None` if the seat has none to take."""
    milliseconds: float
    """Its processor time."""


@runtime_checkable
class DistantPlayer(Protocol):
    """A player in another process, which computes the view of the seat itself."""

    def decide(self, match: Match, seat: Seat, rng: random.Random) -> Decision:
        """Return the decision of the seat. All randomness comes from `rng`."""


Contestant = Player | DistantPlayer


def decide(player: Contestant, match: Match, seat: Seat, rng: random.Random) -> Decision:
    """Return the decision of a player in a position that requires one of its seat."""
    if isinstance(player, DistantPlayer):
        return player.decide(match, seat, rng)
    seen = view(match, seat)
    begin = process_time()
    action = player.choose(seen, rng)
    return Decision(action, round(1000 * (process_time() - begin), 3))


class RandomPlayer:
    """A player of random legal actions, without calls and without bombs out of turn.

    With those it would lose by so much that games against it would be useless.
    """

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return a uniformly random action."""
        assert view.seat is not None
        if view.phase is Phase.EXCHANGE:
            return random_gifts(view, view.seat, rng) if view.given is None else None
        if view.phase is Phase.GRAND:
            return AnswerGrand(view.seat, False) if view.actions else None
        actions = [a for a in view.actions if not isinstance(a, CallTichu | Bomb)]
        return rng.choice(actions) if actions else None


def random_gifts(view: View, seat: Seat, rng: random.Random) -> PassCards:
    """Return a random legal exchange of the seat."""
    gifts, taken = [], 0
    for receiver, number, forced, free in sorted(view.gifts):
        cards = rng.sample(list(bits(free & ~taken)), number - forced.bit_count())
        gifts.append((receiver, forced | sum(cards)))
        taken |= gifts[-1][1]
    return PassCards(seat, tuple(gifts))


Watch = Callable[[Match, Seat, Action, float], None]
"""Called before an action is carried out: match, seat, action, milliseconds of processor time."""


def play_round(
    match: Match,
    players: Sequence[Contestant],
    deck: Sequence[Card],
    rng: random.Random,
    watch: Watch | None = None,
) -> Match:
    """Return the match after one more round, dealt from `deck`.

    `players` has one for each chair. Bomb windows close when all players have decided.
    """
    match, _ = deal(match, deck)
    while match.phase not in END_PHASES:
        round_ = match.round
        assert round_ is not None
        for seat in deciding_seats(match):
            player = players[match.variant.actor(round_, seat)]
            action, spent = decide(player, match, seat, rng)
            if action is not None:
                if watch is not None:
                    watch(match, seat, action, spent)
                match, _ = apply(match, action)
                break
        else:
            match, _ = apply(match, CloseWindow())
    return match


def deciding_seats(match: Match) -> list[Seat]:
    """Return the seats with a decision to take; in a window only those that can bomb."""
    round_ = match.round
    assert round_ is not None
    seats = range(len(round_.hands))
    if round_.asked:
        return [seat for seat in seats if round_.asked >> seat & 1]
    if round_.phase is Phase.GRAND:
        return [seat for seat in seats if round_.opening.answers[seat] is None]
    if round_.phase is Phase.EXCHANGE:
        return [seat for seat in seats if round_.opening.given[seat] is None]
    if round_.phase in WINDOW_PHASES:
        said = {seat for seat, _ in round_.submitted}
        return [
            seat
            for seat in seats
            if not round_.waived >> seat & 1 and seat not in said and possible_bombs(round_, seat)
        ]
    return [round_.turn]


def shuffled(match: Match, rng: random.Random) -> list[Card]:
    """Return the deck of this match in random order."""
    deck = list(match.variant.deck(match.options))
    rng.shuffle(deck)
    return deck
