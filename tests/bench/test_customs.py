"""What players do with the Phoenix and the Dog is counted as it is played."""

from __future__ import annotations

import random

import pytest

from bench.customs import customs, main
from bench.quick_policy import Quick
from bench.rounds import Player, RandomPlayer
from engine import DOGS, PHOENIXES, Action, Options, PassCards, Phase, Play, View
from players.expert import weights as weight
from players.expert.weights import first_guess
from players.manners import STEADY, Taste, rank_as_gift
from players.novice.player import Novice


class Shy(RandomPlayer):
    """Plays neither the Phoenix alone nor the Dog, unless nothing else is left to do."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """One of the other actions, as long as there are any."""
        action = super().choose(view, rng)
        if not isinstance(action, Play) or action.cards & ~(PHOENIXES | DOGS):
            return action
        others = [
            a for a in view.actions if not isinstance(a, Play) or a.cards & ~(PHOENIXES | DOGS)
        ]
        return others[0] if others else action


def count(player: Player, rounds: int) -> tuple[int, int]:
    found = customs(player, Options(), rounds, 1)
    assert found.rounds == rounds
    assert found.dog <= found.dog_cards <= 14 * found.dog
    assert "the Phoenix alone" in found.line()
    return found.phoenix, found.dog


def test_the_phoenix_and_the_dog_are_counted() -> None:
    bold, shy = count(RandomPlayer(), 12), count(Shy(), 12)
    assert bold[0] > shy[0]
    assert bold[1] > shy[1]


def test_weights_decide_how_dear_the_phoenix_and_the_dog_are() -> None:
    counts = []
    for price in (-20.0, 20.0):
        weights = first_guess()
        weights[weight.PHOENIX_ALONE] = weights[weight.DOG_EFFORT] = price
        counts.append(count(Quick(weights), 5))
    (phoenix_if_dear, dog_if_dear), (phoenix_if_cheap, dog_if_cheap) = counts
    assert phoenix_if_dear < phoenix_if_cheap
    assert dog_if_dear < dog_if_cheap


def test_calls_and_double_victories_are_counted() -> None:
    found = customs(Novice(), Options(), 10, 1)
    assert 0 <= found.made <= found.calls
    assert found.calls > 0
    assert 0 <= found.sweeps <= 10


class Generous(Novice):
    """Gives the partner the highest card, and to each other player the lowest."""

    def choose(self, view: View, rng: random.Random, taste: Taste = STEADY) -> Action | None:
        """An exchange; all else is the Novice's."""
        if view.phase is not Phase.EXCHANGE or view.seat is None or not view.gifts:
            return super().choose(view, rng, taste)
        cards = sorted(
            (1 << index for index in range(56) if view.hand.cards >> index & 1), key=rank_as_gift
        )
        partner = (view.seat + 2) % 4
        others = [gift.receiver for gift in view.gifts if gift.receiver != partner]
        chosen = [(partner, cards[-1]), *zip(others, cards, strict=False)]
        return PassCards(view.seat, tuple(sorted(chosen)))


def test_the_ranks_that_partners_get_are_counted() -> None:
    usual, generous = (customs(player, Options(), 5, 1) for player in (Novice(), Generous()))
    assert usual.gifts == generous.gifts == 20
    assert usual.gift_ranks < generous.gift_ranks
    assert generous.dog_or_mahjong == 0
    assert "(the Dog or Mah Jong 0 of 20 times)" in generous.line()
    random_gifts = customs(RandomPlayer(), Options(), 5, 1)
    assert 0 < random_gifts.dog_or_mahjong < 20
    assert generous.gift_ranks / 20 > 13, "nearly every hand has an ace, the Dragon or the Phoenix"
    assert f"rank {generous.gift_ranks / 20:.1f}" in generous.line()


def test_the_command_has_a_line_for_each_player(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", "novice", "--deals", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines] == ["random", "novice"]
