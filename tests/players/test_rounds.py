"""Whole rounds and matches of plain players: always legal, blind to hidden cards, no fools."""

from __future__ import annotations

import random

import pytest

from engine.actions import Action, PassCards
from engine.cards import card_set, indices
from engine.hand import Hand
from engine.match import new_match
from engine.options import Options
from engine.state import Match, Phase
from engine.view import view
from players.plain import PlainPlayer
from tests.players.table import Player, RandomPlayer, play_round, shuffled

POLICIES = pytest.mark.parametrize(
    "options",
    [Options(), Options(wish_policy="penalty", direction="clockwise")],
    ids=["enforced", "penalty"],
)
FOUR: list[Player] = [PlainPlayer() for _ in range(4)]


@POLICIES
def test_thirty_rounds_are_played_to_their_end(options: Options) -> None:
    phases: set[Phase] = set()
    kinds: set[type[Action]] = set()

    def watch(match: Match, seat: int, action: Action) -> None:
        phases.add(match.phase)
        kinds.add(type(action))
        if not isinstance(action, PassCards):
            assert action in view(match, seat).actions

    rng = random.Random(1)
    for number in range(30):
        match = play_round(new_match(options, number % 4), FOUR, shuffled(rng), rng, watch)
        (result,) = match.results
        assert result.penalty is None
        assert result.sweep or sum(result.cards) == 100
    assert phases == set(Phase) - {Phase.ROUND_END, Phase.MATCH_END}
    assert {kind.__name__ for kind in kinds} >= {"Bomb", "CallTichu", "GiveTrick", "Pass", "Play"}


@pytest.mark.parametrize("seed, policy", [(1, "enforced"), (2, "penalty"), (3, "enforced")])
def test_match_is_played_to_its_end(seed: int, policy: str) -> None:
    rng = random.Random(seed)
    match = new_match(Options(wish_policy=policy))
    for _ in range(60):
        match = play_round(match, FOUR, shuffled(rng), rng)
        if match.winners:
            break
    assert max(match.totals) >= 1000


def test_same_seed_same_round() -> None:
    def result() -> Match:
        rng = random.Random(3)
        return play_round(new_match(Options()), FOUR, shuffled(rng), rng)

    assert result().results == result().results


def test_hidden_cards_change_no_decision() -> None:
    rng = random.Random(4)
    seen: set[Phase] = set()

    def watch(match: Match, seat: int, action: Action) -> None:
        seen.add(match.phase)
        seed = rng.random()
        other = view(_redealt(match, seat, rng), seat)
        here = PlainPlayer().choose(view(match, seat), random.Random(seed))
        assert PlainPlayer().choose(other, random.Random(seed)) == here

    for _ in range(6):
        deck = shuffled(rng)
        play_round(new_match(Options()), FOUR, deck, random.Random(5), watch)
    assert seen >= {Phase.GRAND, Phase.EXCHANGE, Phase.LEAD, Phase.TURN, Phase.WINDOW}


def _redealt(match: Match, seat: int, rng: random.Random) -> Match:
    """The match with all cards that this seat does not see dealt out anew."""
    round_ = match.round
    assert round_ is not None
    hands = [hand.cards for hand in round_.hands]
    stock = list(round_.opening.stock)
    hidden = list(indices(sum(hands) - hands[seat] + sum(stock)))
    rng.shuffle(hidden)

    def others(cards: int) -> int:
        taken = [hidden.pop() for _ in range(cards.bit_count())]
        return card_set(taken)

    hands = [cards if other == seat else others(cards) for other, cards in enumerate(hands)]
    return match._replace(
        round=round_._replace(
            hands=tuple(map(Hand, hands)),
            opening=round_.opening._replace(stock=tuple(map(others, stock))),
            submitted=tuple(bomb for bomb in round_.submitted if bomb[0] == seat),
        )
    )


def test_beats_random_players_clearly() -> None:
    """Over these deals, each played from both sides, about 185 points a round, give or take 8."""
    plain, chance = PlainPlayer(), RandomPlayer()
    margin = 0
    deals = 25
    for number in range(deals):
        deck = shuffled(random.Random(number))
        for mine in (0, 1):
            players: list[Player] = [plain if seat % 2 == mine else chance for seat in range(4)]
            match = play_round(new_match(Options()), players, deck, random.Random(number))
            score = match.results[0].score
            margin += score[mine] - score[1 - mine]
    assert margin / (2 * deals) > 100
