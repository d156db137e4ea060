"""Evidence from others' actions, the beliefs it leads to, and deals drawn from them."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from bench.decisions import decisions
from engine import CloseWindow, Match, Options, Pass, Phase, Play, apply, read_cards, view
from players.expert import habits, layout
from players.expert.evidence import evidence
from players.expert.habits import CALL_WEIGHTS, HABITS
from players.expert.knowledge import Knowledge
from players.expert.likelihood import (
    ACTION,
    BOMB,
    CHOSEN,
    CONTEXT,
    EXCHANGED,
    GIFT,
    GRAND,
    LEAD,
    MOST_OPTIONS,
    NATURAL,
    NOW_ONLY,
    ON_PAIR,
    ON_SINGLE,
    OTHER,
    PASSED,
    RANK,
    SEAT,
    THEN_ONLY,
    TICHU,
    TOP,
    WISH,
    row_likelihood,
)
from players.novice.player import Novice
from tests.campaign import SOAK
from tests.players.expert.guessing import Drawing, Guessed, exchanged, guess, read_rounds
from tests.players.expert.test_knowledge import after_exchange

PLACES, NUMBERS = np.zeros(MOST_OPTIONS, np.int64), np.zeros(habits.FEATURES)

NOVICE = Novice()


def play(match: Match, seat: int, cards: str) -> Match:
    """Return the match after a play without bombs."""
    return apply(apply(match, Play(seat, read_cards(cards)))[0], CloseWindow())[0]


def row(what: int, chosen: int, top: int = 0, rank: int = 0, context: int = 0) -> np.ndarray:
    done = np.zeros(8, np.int64)
    done[[ACTION, CHOSEN, TOP, RANK, CONTEXT]] = what, chosen, top, rank, context
    return done


def likelihood(hand: str, done: np.ndarray) -> float:
    return row_likelihood(read_cards(hand), done, HABITS, CALL_WEIGHTS, PLACES, NUMBERS)


def played() -> Match:
    """Return a trick: seat 0 leads the Mah Jong, 2 beats it, 1 beats that, the others pass."""
    match = play(after_exchange(), 0, "MAHJONG")
    match, _ = apply(match, Pass(1))
    match = play(match, 2, "J10")
    for seat in (3, 0):
        match, _ = apply(match, Pass(seat))
    return play(match, 1, "SQ")


def test_answers_are_noted_with_what_was_laid_since() -> None:
    found = evidence(view(played(), 0), [1, 2, 3])
    answers = found[found[:, ACTION] == ON_SINGLE][:, [SEAT, TOP, CHOSEN, RANK, THEN_ONLY]]
    assert sorted(answers.tolist()) == [
        [1, 1, PASSED, 0, read_cards("SQ")],
        [1, 10, NATURAL, 12, read_cards("SQ")],
        [2, 1, NATURAL, 10, read_cards("J10")],
        [3, 10, PASSED, 0, 0],
    ]


def test_gifts_and_calls_are_noted_with_the_hand_of_the_exchange() -> None:
    found = evidence(view(played(), 0), [1, 2, 3])
    gifts = found[found[:, ACTION] == GIFT][:, [SEAT, CHOSEN, RANK, THEN_ONLY, NOW_ONLY]].tolist()
    assert gifts == [
        [1, NATURAL, 5, read_cards("SQ S5"), read_cards("J5")],
        [2, NATURAL, 8, read_cards("J10 P8"), read_cards("T4")],
        [3, NATURAL, 12, read_cards("JQ"), read_cards("P4")],
    ]
    calls = found[np.isin(found[:, ACTION], [TICHU, GRAND])]
    assert sorted(calls[:, [SEAT, ACTION, CHOSEN]].tolist()) == [
        [1, TICHU, 0],
        [1, GRAND, 0],
        [2, TICHU, 0],
        [2, GRAND, 0],
        [3, GRAND, 0],
    ]


def test_cards_kept_in_the_exchange_are_weighed_with_or_without_cards_laid() -> None:
    """The card that a seat received from the viewer was not its choice."""
    found = evidence(view(played(), 0), [1, 2, 3])
    kept = found[found[:, ACTION] == EXCHANGED][:, [SEAT, THEN_ONLY, NOW_ONLY]]
    assert kept.tolist() == [
        [1, 0, read_cards("J5")],
        [2, 0, read_cards("T4")],
        [3, 0, read_cards("P4")],
    ]


def test_a_wish_is_noted_but_not_the_play_that_it_forces() -> None:
    """Seat 0 wishes for a ten, seat 1 has none and passes, seat 2 has to lay one."""
    match, _ = apply(after_exchange(), Play(0, read_cards("MAHJONG"), wish=10))
    match, _ = apply(apply(match, CloseWindow())[0], Pass(1))
    found = evidence(view(play(match, 2, "J10"), 3), [0, 1, 2])
    wishes = found[found[:, ACTION] == WISH][:, [SEAT, RANK, THEN_ONLY]]
    assert wishes.tolist() == [[0, 10, read_cards("MAHJONG")]]
    answers = found[found[:, ACTION] == ON_SINGLE][:, [SEAT, CHOSEN]]
    assert answers.tolist() == [[1, PASSED]]


def test_a_bomb_of_four_is_noted_as_an_answer() -> None:
    match = play(apply(played(), Pass(2))[0], 3, "JK SK PK TK")
    found = evidence(view(match, 0), [3])
    answers = found[found[:, ACTION] == ON_SINGLE][:, [TOP, CHOSEN]]
    assert sorted(answers.tolist()) == [[10, PASSED], [12, BOMB]]


def test_in_trichu_only_seats_asked_for_a_grand_tichu_can_decline_it() -> None:
    """The dealer and the Table are not asked (T3, T4); open hands need no inference."""
    match = exchanged(NOVICE, 1, Options("trichu"))
    assert match.round is not None
    teams = match.round.seating.teams
    for seat in range(4):
        seen = view(match, seat)
        hidden = [other for other in range(4) if other not in dict(seen.hands)]
        found = evidence(seen, hidden)
        assert set(found[found[:, ACTION] == EXCHANGED][:, SEAT].tolist()) == set(hidden)
        declined = {other for other in hidden if teams[other] == 1}
        assert set(found[found[:, ACTION] == GRAND][:, SEAT].tolist()) == declined


def test_in_grand_seigneur_there_is_nothing_to_decline_or_to_keep() -> None:
    """Also of seats that have laid cards."""
    match = exchanged(NOVICE, 1, Options("grandseigneur"))
    assert match.round is not None
    leader = match.round.turn
    lead = NOVICE.choose(view(match, leader), random.Random(1))
    assert lead is not None
    following = (leader + 1) % len(match.round.hands)
    seen = view(apply(match, lead)[0], following)
    assert not np.isin(evidence(seen, [leader])[:, ACTION], [TICHU, GRAND, EXCHANGED]).any()


def test_the_first_lead_is_noted() -> None:
    found = evidence(view(played(), 1), [0, 2, 3])
    leads = found[found[:, ACTION] == LEAD][:, [SEAT, CHOSEN, RANK]].tolist()
    assert leads == [[0, OTHER, habits.MAHJONG]]


def test_a_pass_tells_of_a_hand_that_could_not_beat_cheaply() -> None:
    """A lone 9 would have beaten the 8, a pair of them less likely; other cards would not."""
    passed = row(ON_SINGLE, PASSED, top=8, context=12)
    assert likelihood("J3 S9", passed) < likelihood("J3 S9 P9", passed) < 1.0
    assert likelihood("J3 S4", passed) == 1.0
    passed = row(ON_PAIR, PASSED, top=8, context=12)
    assert likelihood("J9 S9", passed) < 1.0
    assert likelihood("J9 S10", passed) == 1.0


def test_a_pass_tells_of_a_hand_without_a_bomb_of_four() -> None:
    for kind in (ON_SINGLE, ON_PAIR):
        passed, bombed = (row(kind, chosen, top=13, context=12) for chosen in (PASSED, BOMB))
        assert likelihood("J3 S3 P3 T4", passed) == 1.0
        chances = [likelihood("J3 S3 P3 T3", done) for done in (passed, bombed)]
        assert sum(chances) == pytest.approx(1.0)
        assert min(chances) > 0.0


def test_players_wish_for_ranks_that_they_do_not_have() -> None:
    wished = row(WISH, 0, rank=9)
    hands = ("J8 S8 P8 T10", "J8 S8 P9 T10", "J9 S8 P9 T10")
    chances = [likelihood(hand, wished) for hand in hands]
    assert chances[0] > 2 * max(chances[1:])


def test_a_call_tells_of_a_strong_hand() -> None:
    hands = (
        "J2 S3 P5 J6 S8 T9 J10 JQ J3 P4 S6 J7 T8 P10",
        "JA SA J9 S9 P9 JK SQ J3 P4 S6 J7 T8 P10 J10",
        "JA SA PA TA DRAGON JK SK PK PHOENIX J9 S9 P9 T8 J4",
    )
    for question in (TICHU, GRAND):
        called = [likelihood(hand, row(question, 1)) for hand in hands]
        assert called == sorted(called)
        assert called[0] < 0.05
        assert called[2] > 3 * called[1]
        for hand, chance in zip(hands, called, strict=True):
            assert likelihood(hand, row(question, 0)) + chance == pytest.approx(1.0)


def test_after_the_exchange_hands_have_few_lone_low_cards() -> None:
    """Random hands have more of them than hands of players who have given three cards away."""
    hands = (
        "J2 S3 P5 J6 S8 T9 JJ SJ JK SK JA SA DRAGON DOG",
        "J2 S3 P5 J5 S8 T8 JJ SJ JK SK JA SA DRAGON DOG",
        "J5 S5 P5 T5 S8 T8 JJ SJ JK SK JA SA DRAGON DOG",
    )
    chances = [likelihood(hand, row(EXCHANGED, 0)) for hand in hands]
    assert chances == sorted(chances)
    assert chances[0] < chances[2] / 3


def test_deals_give_the_dragon_to_a_caller() -> None:
    """Seat 3 called; without any evidence it has a third of the hidden cards."""
    seen = view(played(), 0)
    known = Knowledge(seen)
    known.evidence = np.stack([row(TICHU, 1)])
    known.evidence[0, SEAT] = 3
    hands = Drawing()(seen, known, 300, random.Random(1))
    with_dragon = [int(np.count_nonzero(hands[:, seat] & layout.DRAGON)) for seat in (1, 2, 3)]
    assert sum(with_dragon) == 300
    assert with_dragon[2] > 1.5 * max(with_dragon[:2])


@pytest.mark.parametrize("game", ["nanjing", "tientsin", "grandseigneur"])
def test_deals_do_not_depend_on_how_a_processor_rounds(game: str) -> None:
    """The same deals are drawn if the last bit of every number differs."""
    drawing = Drawing(), Drawing(np.nextafter(HABITS, 0.0))
    for decision in decisions(game, 50):
        seen = decision.seen
        if seen.phase in (Phase.LEAD, Phase.TURN):
            deals = [draw(seen, Knowledge(seen), 30, random.Random(1)) for draw in drawing]
            assert np.array_equal(*deals)


def mistakes(guessed: Guessed) -> list[str]:
    """Return the faults of guesses: cards held more or less often than predicted, or too vague.

    Tenths with few cards are not tested one by one, but those above a half together.
    """
    tenths = guessed.held[guessed.held[:, 0] > 200]
    half = guessed.held[5:]
    tenths = np.vstack([tenths, np.average(half, axis=0, weights=half[:, 0])])
    found = [
        f"held with {said:.3f}, {true:.3f} of them true"
        for _, said, true in tenths
        if abs(said - true) > 0.05
    ]
    gained = guessed.even - guessed.bits
    if gained < 0.02:
        found.append(f"{gained:.4f} bits gained")
    return found


def test_cards_are_held_as_often_as_deals_say() -> None:
    """In 60 rounds of the Expert against itself that were not used to fit it."""
    every, deals = (8, 1000) if SOAK else (16, 200)
    guessed = guess(list(read_rounds()), Drawing(), every=every, deals=deals)
    assert guessed.cards > 5000
    assert len(guessed.held[guessed.held[:, 0] > 200]) > 6
    assert mistakes(guessed) == []


@pytest.mark.parametrize("times", [0, 2])
def test_a_belief_that_listens_not_at_all_or_twice_as_hard_is_found_out(times: int) -> None:
    """20 rounds suffice; the test above shows that the right weight passes in all."""
    drawing = Drawing(HABITS**times, CALL_WEIGHTS * times)
    assert mistakes(guess(list(islice(read_rounds(), 20)), drawing, every=16, deals=300))
