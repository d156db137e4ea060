"""`python -m bench.odd_decisions`: measure the cost of customs, and count odd decisions.

Experts decide with and without customs (`players.expert.customs`) on the same random numbers. If
they differ, new deals judge by how many points the choice with customs is worse. Odd is what
experienced players avoid, such as an ace on a partner's trick (`oddities`), counted per 100 rounds.

Novices answer the Grand Tichu question. All exchanges are decided with `--playouts`, and with
`--exchanges` nothing else. Rounds are played on with few playouts; each play for which customs
matter is decided in addition.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from bench.rounds import END_PHASES, deciding_seats, shuffled
from engine import (
    CARDS_OF_RANK,
    NATURALS,
    PHOENIXES,
    Action,
    AnswerWithdraw,
    CallTichu,
    CardSet,
    CloseWindow,
    Kind,
    Options,
    Pass,
    PassCards,
    Phase,
    Rank,
    View,
    apply,
    deal,
    new_match,
    readings,
    view,
    with_key_on,
)
from players.expert import search
from players.expert.choices import Choice, choice_of, choices
from players.expert.endgame import Stake
from players.expert.thinking import Expert
from players.levels import prepare
from players.limit import Limit
from players.manners import STEADY, Taste, rank_as_gift
from players.novice.following import decides_round
from players.novice.moves import moves, must_play
from players.novice.outlook import Outlook
from players.novice.player import Novice

_QUICK = Limit(0.0, 24)
"""Limit of decisions that only play a round on."""
_FREE = 0.5
"""Minimum danger (`Outlook.danger`) that justifies unusual plays."""


class Decision(NamedTuple):
    """A decision with and without customs."""

    view: View
    """View of the seat."""
    with_customs: Action
    without: Action
    cost: float
    """Points by which the choice with customs is worse than the one without."""


class _Expert(Expert):
    """Expert that judges choices, too."""

    def minds(self, seen: View) -> bool:
        """Return whether customs differ between the choices of a seat on turn or in a window."""
        assert seen.seat is not None
        if seen.asked_to_withdraw or len(seen.actions) < 2:
            return False
        possible = choices(seen, seen.seat, self._kernels)
        return bool(possible) and float(np.ptp(self._likings(STEADY, seen, possible))) > 0

    def difference(self, seen: View, pair: list[Choice], rng: random.Random, deals: int) -> float:
        """Return how many points the first choice is better than the second."""
        assert seen.seat is not None
        question = self.question(seen, seen.seat, pair, rng)
        question = question._replace(stake=Stake(np.zeros((0, 0)), 0, 0))
        sums = np.zeros((2, search.SUMS))
        is_exact = self._kernels.compare(question, np.arange(2), deals, sums)
        return float(sums[0, search.POINTS] - sums[1, search.POINTS]) / (1 if is_exact else deals)


class _WithoutCustoms(Expert):
    """Expert that has neither customs nor likings."""

    def _likings(self, taste: Taste, view: View, possible: list[Choice]) -> Any:
        """Return no bonus for any choice."""
        return np.zeros(len(possible))


class _Measurement:
    """Players of a measurement."""

    def __init__(self, playouts: int, deals: int) -> None:
        self._limit, self._deals = Limit(0.0, playouts), deals
        self._expert, self._other, self._novice = _Expert(), _WithoutCustoms(), Novice()

    def round(self, rng: random.Random, *, exchanges_only: bool) -> Iterator[Decision]:
        """Play a round, and yield its decisions for which customs matter."""
        match = new_match(Options())
        match, _ = deal(match, shuffled(match, rng))
        for seat in range(4):
            answer = self._novice.choose(view(match, seat), rng)
            assert answer is not None
            match, _ = apply(match, answer)
        while match.round is not None and match.round.asked:
            match, _ = apply(match, AnswerWithdraw(match.round.asked.bit_length() - 1, True))
        for seat in range(4):
            decision = self._decide(view(match, seat), rng.getrandbits(32))
            yield decision
            match, _ = apply(match, decision.with_customs)
        while match.phase not in END_PHASES and not exchanges_only:
            for seat in deciding_seats(match):
                seen = view(match, seat)
                plays = [each for each in seen.actions if not isinstance(each, CallTichu)]
                without_calls = seen.with_actions(tuple(plays))
                if self._expert.minds(without_calls):
                    yield self._decide(without_calls, rng.getrandbits(32))
                action = self._expert.choose(seen, rng, _QUICK)
                if action is not None:
                    match, _ = apply(match, action)
                    break
            else:
                match, _ = apply(match, CloseWindow())

    def _decide(self, seen: View, seed: int) -> Decision:
        """Decide with and without customs, and judge the difference."""
        one, other = (
            player.choose(seen, random.Random(seed), self._limit)
            for player in (self._expert, self._other)
        )
        assert one is not None
        assert other is not None
        cost = 0.0
        if one != other:
            pair = [choice_of(seen, other), choice_of(seen, one)]
            rng = random.Random(seed + 1)
            cost = self._expert.difference(seen, pair, rng, self._deals)
        return Decision(seen, one, other, cost)


def oddities(seen: View, action: Action) -> Iterator[str]:
    """Yield names of what an experienced player finds odd in an action."""
    assert seen.seat is not None
    outlook = Outlook(seen, seen.seat)
    (partner,) = outlook.partners
    hand, top, by_partner = seen.hand.cards, seen.top, outlook.partner_has_trick
    if isinstance(action, PassCards):
        if rank_as_gift(dict(action.gifts)[partner.seat]) <= 7:
            yield "weak card for the partner"
        if any(bomb.cards & card for bomb in seen.hand.bombs() for _, card in action.gifts):
            yield "bomb broken"
        return
    numbers = choice_of(seen, action).numbers
    code, cards = int(numbers[search.CODE]), int(numbers[search.CARDS])
    danger = max((outlook.danger(rival) for rival in outlook.rivals), default=0.0)
    if isinstance(action, Pass) and top is not None and not by_partner:
        plays = moves(seen)
        if not outlook.partner_has_open_call and any(play.cards == hand for play in plays):
            yield "pass instead of going out"
        elif top.kind is Kind.SINGLE and top.rank <= 8 and _loose(hand, top.rank, 11):
            yield "pass with a loose card"
    if code == search.DOG and not partner.cards:
        yield "Dog without a partner"
    if code != search.PLAY or cards == hand or (top and must_play(seen, moves(seen))):
        return
    play = with_key_on(readings(cards)[0], top)
    if decides_round(outlook, play) or outlook.own_call_is_open:
        return
    single, wild = play.kind is Kind.SINGLE, bool(cards & PHOENIXES)
    if play.is_bomb:
        if by_partner:
            yield "bomb on the partner"
        elif top and seen.trick_points < 10 and danger < _FREE:
            yield "bomb for nothing"
        return
    if any(bomb.cards & cards for bomb in seen.hand.bombs()):
        yield "bomb broken"
    if by_partner and outlook.threat is None:
        if play.size > 2 or wild or play.rank >= (12 if single else 11):
            yield "high play on the partner"
    elif top and single and wild and top.rank <= 10 and hand.bit_count() > 3:
        yield "Phoenix on a low card"
    elif top and single and danger < _FREE and (loose := _loose(hand, top.rank, 12)):
        if play.rank >= 14 and top.rank <= 10 and seen.trick_points < 10:
            yield "ace or Dragon on a low card"
        elif play.rank <= 13 and _held(hand, play.rank) > 1 and loose[0] <= play.rank + 1:
            yield "pair broken"
        elif play.rank >= 12 and loose[0] <= play.rank - 2 and top.rank <= 8:
            yield "high card on a low one"
    elif not top and single and play.rank <= 12 and any(o.cards == 1 for o in outlook.rivals):
        if any(other.size > 1 and not other.is_bomb for other in seen.hand.all()):
            yield "single card led to a last one"
    elif not top and single and danger < _FREE and _loose(hand, 1, min(10, play.rank)):
        if play.rank >= 13 and hand.bit_count() > 5:
            yield "high card led"
        elif cards & NATURALS and _held(hand, play.rank) in (2, 3):
            yield "pair broken"


def _held(hand: CardSet, rank: Rank) -> int:
    return (hand & CARDS_OF_RANK[rank]).bit_count()


def _loose(hand: CardSet, low: Rank, high: Rank) -> list[Rank]:
    """Return ranks above `low`, up to `high`, of cards in no pair and no straight."""
    runs = [
        range(first, first + 5)
        for first in range(2, 11)
        if all(_held(hand, rank) for rank in range(first, first + 5))
    ]
    return [
        rank
        for rank in range(max(2, low + 1), high + 1)
        if _held(hand, rank) == 1 and not any(rank in run for run in runs)
    ]


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.odd_decisions")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--playouts", type=int, default=95)
    parser.add_argument("--deals", type=int, default=1600)
    parser.add_argument("--exchanges", action="store_true")
    arguments = parser.parse_args()
    prepare("expert")
    measurement = _Measurement(arguments.playouts, arguments.deals)
    costs: dict[str, list[float]] = defaultdict(list)
    changed: Counter[str] = Counter()
    odd: Counter[tuple[str, bool]] = Counter()
    for number in range(1, arguments.rounds + 1):
        rng = random.Random(f"ex{arguments.seed}-{number - 1}")
        sums = {"exchanges": 0.0, "plays": 0.0}
        for each in measurement.round(rng, exchanges_only=arguments.exchanges):
            kind = "exchanges" if each.view.phase is Phase.EXCHANGE else "plays"
            sums[kind] += each.cost
            changed[kind] += each.with_customs != each.without
            for name in oddities(each.view, each.with_customs):
                odd[name, True] += 1
            for name in oddities(each.view, each.without):
                odd[name, False] += 1
        for kind, cost in (*sums.items(), ("all", sum(sums.values()))):
            costs[kind].append(cost)
        if number % 10 == 0 or number == arguments.rounds:
            print(f"{number} rounds", flush=True)
            for kind, each_round in costs.items():
                error = 1.96 * float(np.std(each_round)) / number**0.5
                print(
                    f"  {kind}: {changed[kind] / number:.2f} changes and "
                    f"{np.mean(each_round):.2f} ± {error:.2f} points a round"
                )
            for name in sorted({name for name, _ in odd}, key=lambda name: -odd[name, False]):
                with_customs, without = (100 * odd[name, key] / number for key in (True, False))
                print(f"  {name}: {without:.1f} without, {with_customs:.1f} with", flush=True)


if __name__ == "__main__":
    main()
