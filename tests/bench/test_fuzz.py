"""`python -m bench.fuzz` on a small scale: it succeeds, and it detects faults."""

from __future__ import annotations

import random

import pytest

from bench.combination_check import is_right, may_follow
from bench.engine import random_action
from bench.fuzz import play_chunk
from bench.invariants import Broken, check_step
from bench.round_end_checks import check_dealer, check_round_end
from bench.slow_checks import check_views
from bench.walks import random_options
from engine import VARIANTS, Hand, Match, Options, Phase, apply, deal, new_match, with_key_on


@pytest.mark.parametrize("game", VARIANTS)
def test_some_rounds_of_every_game_hold_what_has_to_hold(game: str) -> None:
    chunk = play_chunk((game, 5, 0, 3))
    assert not chunk.failure
    assert chunk.rounds == 3
    assert play_chunk((game, 5, 0, 3)) == chunk


def test_open_ended_matches_are_among_them() -> None:
    """G27: otherwise the stop vote would never be tried."""
    options = [random_options(random.Random(seed), "grandseigneur") for seed in range(20)]
    assert {option.rounds for option in options} == {0, 3, 6}
    assert {option.dealing for option in options} == {"dealt", "drawn"}


def _step(game: str, phase: Phase) -> tuple[Match, Match]:
    """Return a position of this phase in a random round, and the next one."""
    rng = random.Random(1)
    match = new_match(Options(variant=game))
    match, _ = deal(match, match.variant.deck(match.options))
    while True:
        assert match.round is not None
        action = random_action(match, match.round, rng)
        after, _ = apply(match, action)
        if match.phase is phase and len(match.round.past) > 1:
            return match, after
        match = after


def test_a_lost_card_a_wrong_turn_and_a_forgotten_wish_are_seen() -> None:
    before, after = _step("nanjing", Phase.TURN)
    round_, rng = after.round, random.Random(2)
    assert round_ is not None
    assert before.round is not None
    action = random_action(before, before.round, rng)
    good, _ = apply(before, action)
    check_step(before, action, good)
    assert good.round is not None
    hands = good.round.hands
    fewer = Hand(hands[0].cards & hands[0].cards - 1)
    for changed in (
        good.round._replace(hands=(fewer, *hands[1:])),
        good.round._replace(turn=(good.round.turn + 1) % 4),
        good.round._replace(wish=9 if good.round.wish is None else None),
        good.round._replace(out=(1,)),
        good.round._replace(trick=good.round.trick[1:]),
    ):
        with pytest.raises(Broken):
            check_step(before, action, good._replace(round=changed))


def test_a_wrong_score_and_a_wrong_dealer_are_seen() -> None:
    rng = random.Random(3)
    match = new_match(Options(variant="tientsin"))
    match, _ = deal(match, match.variant.deck(match.options))
    while match.phase is not Phase.ROUND_END:
        assert match.round is not None
        match, _ = apply(match, random_action(match, match.round, rng))
    check_round_end(match)
    result = match.results[0]
    for changed in (
        result._replace(cards=tuple(reversed(result.cards))),
        result._replace(score=(result.score[0] + 5, result.score[1])),
        result._replace(totals=(0, 0)),
        result._replace(out=result.out[::-1]),
    ):
        with pytest.raises(Broken):
            check_round_end(match._replace(results=(changed,)))
    following, _ = deal(match, match.variant.deck(match.options))
    check_dealer(following)
    assert following.round is not None
    wrong = following.round._replace(dealer=(following.round.dealer + 1) % 6)
    with pytest.raises(Broken):
        check_dealer(following._replace(round=wrong))


def test_views_of_a_random_position_hold() -> None:
    before, _ = _step("trichu", Phase.LEAD)
    check_views(before, random.Random(4))


def test_the_second_opinion_on_combinations_agrees_with_the_first() -> None:
    """For the hands of random deals of two decks, with two Phoenixes; changed ones differ."""
    rng = random.Random(5)
    options = Options(variant="grandseigneur", players=8)
    deck = list(VARIANTS["grandseigneur"].deck(options))
    for _ in range(20):
        rng.shuffle(deck)
        hand = Hand(sum(1 << card for card in {*deck[:9], 54, 54 + 56}))
        plays = hand.all()
        for play in rng.sample(plays, min(len(plays), 60)):
            assert is_right(play)
            if play.size > 1:  # what a single counts depends on the trick
                assert not is_right(play._replace(key=play.key + 2))
            assert not is_right(play._replace(size=play.size + 1))
            above = {(other.cards, other.phoenix) for other in hand.beating(play)}
            for other in rng.sample(plays, min(len(plays), 60)):
                follows = may_follow(with_key_on(other, play), play)
                assert follows == ((other.cards, other.phoenix) in above)
