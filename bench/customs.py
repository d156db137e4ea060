"""`python -m bench.customs quick quick:old.json`: what players do with special cards.

How they use the Phoenix and the Dog, and what partners get in the exchange. Each player that is
named plays the same rounds against itself; the figures are for 100 rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from typing import NamedTuple

from bench.contestants import contestant
from bench.rounds import Player, play_round, shuffled
from bot.runtime.progress import progress
from engine import DOGS, PHOENIXES, Action, Match, Options, PassCards, Phase, Play, Seat, new_match
from players.manners import rank_as_gift


class Customs(NamedTuple):
    """What was counted in some rounds."""

    rounds: int
    """The number of rounds."""
    phoenix: int
    """Answers with the Phoenix alone, by a hand that is not out with it."""
    dog: int
    """Leads of the Dog, by a hand that is not out with it."""
    dog_cards: int
    """The cards that were left in these hands, the Dog among them."""
    calls: int
    """Tichus and Grand Tichus."""
    made: int
    """Calls that were made."""
    sweeps: int
    """Double victories."""
    gifts: int
    """Cards that were passed to a partner."""
    gift_ranks: float
    """The sum of their ranks: the Dragon and the Phoenix count 14, the Dog and the Mah Jong 0."""
    dog_or_mahjong: int
    """The number of them that are a Dog or a Mah Jong."""

    def line(self) -> str:
        """The figures in words."""
        per = 100 / self.rounds
        return (
            f"the Phoenix alone {per * self.phoenix:.1f} times, the Dog {per * self.dog:.1f} times "
            f"(from {self.dog_cards / max(1, self.dog):.1f} cards), {per * self.calls:.1f} calls "
            f"({self.made / max(1, self.calls):.0%} made), {per * self.sweeps:.1f} double victories"
            f", a partner gets rank {self.gift_ranks / max(1, self.gifts):.1f} on average "
            f"(the Dog or Mah Jong {self.dog_or_mahjong} of {self.gifts} times)"
        )


def customs(player: Player, options: Options, rounds: int, seed: int) -> Customs:
    """What this player does in `rounds` rounds with itself."""
    phoenix = dog = dog_cards = calls = made = sweeps = 0
    ranks: list[float] = []

    def watch(match: Match, seat: Seat, action: Action) -> None:
        nonlocal phoenix, dog, dog_cards
        round_ = match.round
        assert round_ is not None
        if isinstance(action, PassCards):
            partners = round_.seating.partners(seat)
            ranks.extend(rank_as_gift(card) for to, card in action.gifts if to in partners)
        if not isinstance(action, Play) or round_.hands[seat].size == 1:
            return
        if action.cards & DOGS:
            dog += 1
            dog_cards += round_.hands[seat].size
        elif round_.phase is Phase.TURN and action.cards & ~PHOENIXES == 0:
            phoenix += 1

    for number in progress(range(rounds), "rounds"):
        match = new_match(options, number % 4)
        rng = random.Random(f"{seed} {number}")
        chairs = [player] * match.variant.chairs(options)
        match = play_round(match, chairs, shuffled(match, rng), rng, watch)
        result = match.results[-1]
        calls += len(result.calls)
        made += sum(success for _, _, success in result.calls)
        sweeps += result.sweep
    gifts = len(ranks), sum(ranks), ranks.count(0.0)
    return Customs(rounds, phoenix, dog, dog_cards, calls, made, sweeps, *gifts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Count, and print a line for each player. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.customs", description=__doc__)
    parser.add_argument("players", nargs="+", metavar="player")
    parser.add_argument("--game", default="nanjing")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    options = Options.of(given.game, {})
    for name in given.players:
        found = customs(contestant(name), options, given.deals, given.seed)
        print(f"{name}, in 100 of {found.rounds} rounds: {found.line()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
