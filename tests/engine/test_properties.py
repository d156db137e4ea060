"""Properties of every position of every game, tested on random walks.

Hypothesis looks for a failing seed and then for the smallest number of steps; `tests.campaign` sets
the number of attempts.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement
from operator import add
from random import Random

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st

from bench.walks import Walk, is_action, random_options, replay, walk, walks
from engine import (
    CLOCK,
    MAHJONGS,
    PHOENIXES,
    PLAY_PHASES,
    RANKS,
    VARIANTS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    IllegalAction,
    Match,
    Pass,
    PassCards,
    Phase,
    Play,
    Round,
    StopMatch,
    Waive,
    apply,
    bits,
    can,
    legal_plays,
    may_pass,
    read_action,
    read_position,
    verify,
    write_action,
    write_position,
)
from tests.campaign import SOAK, examples
from tests.engine.positions import cards_in, listed_actions

SOME = examples(5)
MORE = examples(15)

SEEDS = st.integers(0, 2**32 - 1)
STEPS = st.integers(1, 350)
GAMES = st.sampled_from(tuple(VARIANTS))
anywhere = given(SEEDS, STEPS, GAMES)


def position(seed: int, steps: int, game: str) -> Walk:
    """Return a position of a random game with its log; more players take more steps."""
    options = random_options(Random(seed), game)
    found = walk(seed, steps * (options.players or 4) // 4, options)
    event(f"{game}, phase {found.match.phase.value}")
    note(write_position(found.match))
    return found


# --- every step of a game -----------------------------------------------------------------------


@pytest.mark.slow
@given(SEEDS, GAMES)
@SOME
def test_cards_and_points_are_never_lost(seed: int, game: str) -> None:
    """N1, N9, N64, N68, N69, N70, N75, N80, T11, T13, S7, S9, G2, G7, G27.

    At every step of a whole match or 500 steps of it, in a campaign 900.
    """
    rng = Random(seed)
    known = 0
    for number, (match, _) in enumerate(walks(rng, random_options(rng, game))):
        if match.round is None:
            continue
        cards = cards_in(match)
        assert len(cards) == len(set(cards)) == len(match.variant.deck(match.options))
        check_round(match, match.round)
        if len(match.results) > known:
            known += 1
            check_result(match, match.round)
        if number > (900 if SOAK else 500):
            break


def check_round(match: Match, round_: Round) -> None:
    """Check that seats on turn hold cards, seats out hold none, and a trick has its cards."""
    for seat, hand in enumerate(round_.hands):
        assert (hand.size == 0) == (seat in round_.out)
    if match.phase in (Phase.LEAD, Phase.TURN):
        assert round_.has_cards(round_.turn)
    assert (round_.top is None) == (
        match.phase not in PLAY_PHASES or match.phase is Phase.LEAD
    ) or (match.phase in (Phase.ROUND_END, Phase.MATCH_END))
    if match.phase in WINDOW_PHASES:
        assert any(hand.size >= 4 for hand in round_.hands)
    laid = [step.combination for step in round_.trick if step.combination is not None]
    assert round_.trick_cards == sum(play.cards for play in laid)
    assert round_.top == (laid[-1] if laid else None)
    if round_.wish is not None:
        assert match.phase is not Phase.EXCHANGE
    if not match.variant.scored:
        assert not any(round_.piles)
        assert not any(round_.calls)
    assert round_.opening.left_over.bit_count() == match.variant.undealt_count(match.options)


SWEEPS = {"nanjing": (2, 200), "trichu": (2, 200), "tientsin": (3, 300)}
"""The number of a team's players who go out first for a sweep, and its points."""


def check_result(match: Match, round_: Round) -> None:
    """Check that a round ended for one reason, with the points of that reason."""
    result = match.results[-1]
    if match.options.variant not in SWEEPS:
        assert len(result.out) == len(round_.hands) - 1
        assert (result.cards, result.score, result.totals) == ((), (), ())
        assert (result.calls, result.sweep, result.penalty) == ((), False, None)
        over = len(match.results) == match.options.rounds
        assert match.winners == (result.out[:1] if over else ())
        return
    teams = round_.seating.teams
    size, worth = SWEEPS[match.options.variant]
    first_out = {teams[seat] for seat in result.out[:size]}
    assert result.sweep == (len(result.out) == size and len(first_out) == 1)
    cards, score = by_team(match, round_, result.cards), by_team(match, round_, result.score)
    if result.penalty is not None:
        assert cards[1 - teams[result.penalty]] == 200
        assert sorted(cards) == [0, 200]
        assert not result.sweep
    elif result.sweep:
        assert cards[teams[result.out[0]]] == worth
        assert sorted(cards) == [0, worth]
    else:
        assert sum(cards) == 100
        assert min(cards) >= -25
        assert len(result.out) == len(round_.hands) - 1
    for seat, call, made in result.calls:
        cards[teams[seat]] += call.value if made else -call.value
    assert cards == score
    assert sum(made for *_, made in result.calls) <= 1
    none = (0,) * len(match.totals)
    before = match.results[-2].totals if len(match.results) > 1 else none
    assert match.totals == result.totals
    assert match.totals == tuple(map(add, before, result.score))
    check_winners(match)


def by_team(match: Match, round_: Round, points: tuple[int, ...]) -> list[int]:
    """Return the points of both teams; in Trichu each seat has a column with its team's."""
    if match.options.variant != "trichu":
        return list(points)
    teams = round_.seating.teams
    both = [points[teams.index(team)] for team in range(2)]
    assert points == tuple(both[team] for team in teams)
    return both


def check_winners(match: Match) -> None:
    """Check that winners reached the target and lead, or lead after the agreed rounds."""
    best = tuple(column for column, total in enumerate(match.totals) if total == max(match.totals))
    if match.options.target is not None:
        over = max(match.totals) >= match.options.target and len(best) == 1
    else:
        over = len(match.results) == match.options.rounds
    assert match.winners == (best if over else ())


# --- legal actions ------------------------------------------------------------------------------


def subsets(cards: int, rng: Random) -> Iterator[int]:
    """Return all sets of eight cards of a hand, and sets of up to three and more of the rest."""
    held = tuple(bits(cards))
    some = tuple(rng.sample(held, min(8, len(held))))
    sizes = [(held, 1), (held, 2), (held, 3), *((some, size) for size in range(4, 9))]
    for pool, size in sizes:
        yield from map(sum, combinations(pool, size))
    for size in range(9, len(held) + 1):
        yield sum(rng.sample(held, size))


def attempts(match: Match, rng: Random) -> Iterator[Action]:
    """Yield actions of every kind by every seat, mostly illegal; Phoenixes always stated."""
    assert match.round is not None
    yield CloseWindow()
    yield StopMatch()
    for seat in range(len(match.round.hands)):
        hand = match.round.hands[seat].cards
        yield from (AnswerGrand(seat, True), AnswerGrand(seat, False), CallTichu(seat), Pass(seat))
        yield from (AnswerWithdraw(seat, True), AnswerWithdraw(seat, False), Waive(seat))
        seats = range(len(match.round.hands))
        yield from (GiveTrick(seat, to) for to in range(-1, len(seats) + 1))
        yield from exchanges(seat, hand, seats, rng)
        for cards in chain(subsets(hand, rng), (1 << rng.randrange(112),)):
            yield Bomb(seat, cards)
            yield from plays_with(seat, cards, rng)


def exchanges(seat: int, hand: int, seats: range, rng: Random) -> Iterator[Action]:
    """Yield cards for one, two or three other seats, mostly not due."""
    others = [other for other in seats if other != seat]
    for number in (1, 2, 3, 3, 3):
        chosen = rng.sample(tuple(bits(hand | 0b111)), number)
        receivers = sorted(rng.sample(others, number))
        yield PassCards(seat, tuple(zip(receivers, chosen, strict=True)))
        yield PassCards(seat, ((receivers[0], sum(chosen)),))
    yield PassCards(seat, ((seat, 1), (others[0], 2), (others[1], 4)))


def plays_with(seat: int, cards: int, rng: Random) -> Iterator[Action]:
    """Yield these cards with every reading of a Phoenix, with and without a wish."""
    stated: list[tuple[int, ...] | None] = [None]
    if cards & PHOENIXES and cards & ~PHOENIXES:
        helpers = (cards & PHOENIXES).bit_count()
        stated = list(combinations_with_replacement(RANKS, helpers))
        if helpers == 2:
            stated = rng.sample(stated, 20)
    for phoenix in stated:
        yield Play(seat, cards, phoenix)
        if cards & MAHJONGS or rng.random() < 0.02:
            yield Play(seat, cards, phoenix, rng.choice(RANKS))
    if rng.random() < 0.02:
        yield Play(seat, cards, None, None, rng.randrange(6))


def in_order(action: Action) -> tuple[int, str]:
    """Return the actions by seat and notation, so that a sample is always the same."""
    return action.seat, write_action(action)


@pytest.mark.slow
@anywhere
@MORE
def test_what_is_listed_is_what_is_accepted(seed: int, steps: int, game: str) -> None:
    """Every listed action is accepted, every other attempt refused; refusals change nothing."""
    found = position(seed, steps, game)
    match = found.match
    if match.round is None:
        return
    before = write_position(match)
    listed = {action for _, action in listed_actions(match)}
    number = min(len(listed), 300 if SOAK else 100)
    for action in Random(before).sample(sorted(listed, key=in_order), number):
        verify(match, action)
        apply(match, action)
    for action in attempts(match, Random(before)):
        assert can(match, action) == (action in listed), write_action(action)
    assert write_position(match) == before


@anywhere
@SOME
def test_check_question_and_deed_agree(seed: int, steps: int, game: str) -> None:
    """`verify`, `can` and `apply` agree, with a reason and a rule."""
    found = position(seed, steps, game)
    match = found.match
    if match.round is None:
        return
    rng = Random(len(found.log))
    tried = list(attempts(match, rng))
    for action in rng.sample(tried, min(100, len(tried))):
        answers: list[IllegalAction | None] = []
        for function in (verify, apply):
            try:
                function(match, action)
                answers.append(None)
            except IllegalAction as error:
                answers.append(error)
        checked, done = answers
        assert can(match, action) == (checked is None) == (done is None)
        if checked is not None and done is not None:
            assert (checked.code, checked.rule, checked.details) == (
                *(done.code, done.rule),
                done.details,
            )
            assert re.fullmatch("[a-z-]+", checked.code)
            assert re.fullmatch("[NCOGST][0-9]+", checked.rule)


@anywhere
@SOME
def test_an_unstated_phoenix_is_the_highest_legal_reading(seed: int, steps: int, game: str) -> None:
    """N46: what is accepted without a statement is the highest of the listed readings."""
    found = position(seed, steps, game)
    match = found.match
    round_ = match.round
    if round_ is None or match.phase not in (Phase.LEAD, Phase.TURN):
        return
    plays = legal_plays(match, round_.turn)
    for play in plays:
        if play.cards & PHOENIXES:
            unstated = Play(round_.turn, play.cards)
            best = max((p for p in plays if p.cards == play.cards), key=lambda p: p.key)
            stated = Play(round_.turn, play.cards, best.phoenix)
            assert apply(match, unstated) == apply(match, stated)


@anywhere
@SOME
def test_somebody_can_always_go_on(seed: int, steps: int, game: str) -> None:
    """No position is a dead end; a seat on turn can pass or play, a leader can play."""
    found = position(seed, steps, game)
    match = found.match
    if match.round is None or match.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return
    first = next(listed_actions(match), None)
    assert first is not None
    if match.phase in (Phase.LEAD, Phase.TURN) and not match.round.asked:
        turn = match.round.turn
        passing = may_pass(match, turn)
        assert legal_plays(match, turn) or passing
        assert passing == can(match, Pass(turn))


# --- the same again -----------------------------------------------------------------------------


@anywhere
@SOME
def test_a_log_leads_to_the_same_position_again(seed: int, steps: int, game: str) -> None:
    """A game is its options, its decks and its actions, also when these were written as text."""
    found = position(seed, steps, game)
    match, log = found
    assert replay(match.options, match.first_dealer, log) == match
    read = tuple(
        read_action(entry.seat, write_action(entry)) if is_action(entry) else entry for entry in log
    )
    assert read == log
    again = replay(match.options, match.first_dealer, read)
    assert again == match
    assert hash(again) == hash(match)
    assert write_position(again) == write_position(match)


@anywhere
@SOME
def test_actions_can_be_written_and_read(seed: int, steps: int, game: str) -> None:
    """Actions are read back equal; every action has a text of its own."""
    found = position(seed, steps, game)
    if found.match.round is None:
        return
    listed = [action for _, action in listed_actions(found.match)]
    texts = [(action.seat, write_action(action)) for action in listed]
    assert len(set(texts)) == len(texts)
    assert [read_action(seat, text) for seat, text in texts] == listed
    for seat, text in texts:
        assert read_action(seat, f"  {text.replace(',', ', ')} ") == read_action(seat, text)


@anywhere
@SOME
def test_positions_can_be_written_and_read(seed: int, steps: int, game: str) -> None:
    """Positions are read back equal, with the same legal actions and the same text."""
    found = position(seed, steps, game)
    match = found.match
    text = write_position(match)
    again = read_position(text)
    assert again == match
    assert write_position(again) == text
    if match.round is not None and match.phase is not Phase.EXCHANGE:
        assert set(listed_actions(again)) == set(listed_actions(match))


@anywhere
@SOME
def test_copies_are_equal(seed: int, steps: int, game: str) -> None:
    """Copied or pickled positions are equal, with equal hashes and equal futures."""
    found = position(seed, steps, game)
    match = found.match
    for other in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert other == match
        assert hash(other) == hash(match)
        if match.round is not None and match.phase is not Phase.EXCHANGE:
            for _, action in listed_actions(match):
                assert apply(other, action) == apply(match, action)


def test_the_clock_is_no_seat() -> None:
    """Seat -1 has only the actions of the clock."""
    match = walk(1, 40).match
    assert match.round is not None
    assert {type(action) for seat, action in listed_actions(match) if seat == CLOCK} <= {
        CloseWindow
    }
    assert not can(match, Pass(CLOCK))
    assert not can(match, Waive(CLOCK))
