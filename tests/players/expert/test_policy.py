"""The quick policy: plans cover the whole hand, and its plays are legal."""

from __future__ import annotations

import os
from random import Random

import numpy as np
import pytest

from bench.walks import random_deck
from engine import Match, Options, new_match, read_cards, readings
from players.expert import layout, rules
from players.expert import plays as listed
from players.expert.leads import choose_lead
from players.expert.move_classes import list_move_classes
from players.expert.opening import choose_gifts, exchange
from players.expert.partition import LONGEST, effort, split, split_effort
from players.expert.playout import lay_chosen, play_on
from players.expert.policy import (
    choose_answer,
    choose_bomb,
    choose_receiver,
    facts_of_trick,
    worth_of_passing,
)
from players.expert.rows import KINDS
from players.expert.weights import WEIGHTS
from players.expert.workspace import discard_plans, make_workspace
from tests.players.expert.test_rules import dealt, whole_row

WORK, LEGAL = make_workspace(), listed.make_plays()
PLAYS = WORK.plays
PLAN = np.zeros((LONGEST, 4), np.int64)
SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES = ["nanjing", "trichu", "tientsin", "grandseigneur 5", "grandseigneur 6"]


def hands(seed: int) -> list[int]:
    """Yield hands of fourteen cards and of fewer, every other one rich in bombs."""
    rng = Random(seed)
    match = new_match(Options())
    deck = random_deck(match, rng)
    sizes = (14, 14, 9, 4, 1)
    found, place = [], 0
    for size in sizes:
        found.append(sum(1 << card for card in deck[place : place + size]))
        place += size
    return found


@pytest.mark.parametrize("seed", range(200 if SOAK else 8))
def test_a_plan_lays_every_card_of_the_hand_once(seed: int) -> None:
    for hand in hands(seed):
        number = split(hand, WEIGHTS, WORK.runs, PLAN)
        total, laid = 0.0, 0
        for cards, kind, size, key in PLAN[:number].tolist():
            assert not cards & laid
            laid |= cards
            found = {(KINDS[c.kind], c.size, c.key) for c in readings(cards)}
            assert (kind, size, key) in found
            total += effort(cards, kind, size, key, WEIGHTS)
        assert laid == hand
        assert total == pytest.approx(split_effort(hand, WEIGHTS, WORK.runs))


@pytest.mark.parametrize("seed", range(200 if SOAK else 8))
def test_there_is_one_play_of_each_sort_and_it_can_be_led(seed: int) -> None:
    for hand in hands(seed):
        number = list_move_classes(hand, -1, 0, -1, PLAYS)
        found = {tuple(play) for play in PLAYS[:number].tolist()}
        legal = listed.list_plays(hand, LEGAL)
        every = {tuple(play) for play in LEGAL[:legal].tolist()}
        assert found <= every
        shapes = {(kind, size, key) for _, kind, size, key in every}
        assert {(kind, size, key) for _, kind, size, key in found} == shapes


def test_a_bomb_is_left_whole_where_another_card_will_do() -> None:
    hand = read_cards("J5 S5 P5 T5 J6 J7 J8 S8 J9")
    number = list_move_classes(hand, layout.SINGLE, 1, 14, PLAYS)
    singles = [cards for cards, kind, *_ in PLAYS[:number].tolist() if kind == layout.SINGLE]
    assert read_cards("S8") in singles, "the other 8 is in a straight bomb"


def ready(game: str, seed: int) -> tuple[Match, np.ndarray]:
    """Return a round after the exchange of the policy, before the first lead."""
    match = dealt(game, Random(seed))
    round_, variant = match.round, match.variant
    assert round_ is not None
    row = whole_row(match)
    WORK.gifts[:] = 0
    row[layout.RNG] = seed
    for seat, hand in enumerate(round_.hands):
        row[layout.HAND + seat] = hand.cards | round_.opening.stock[seat]
    for seat in range(len(round_.hands) if variant.scored else 0):
        receivers = sum(1 << to for to in variant.receivers(round_, seat))
        choose_gifts(row, seat, receivers, WEIGHTS, WORK)
    exchange(row, WORK.gifts)
    return match, row


@pytest.mark.parametrize("game", GAMES)
def test_its_plays_are_legal(game: str) -> None:
    chosen = WORK.chosen
    for seed in range(200 if SOAK else 20):
        _, row = ready(game, seed)
        discard_plans(WORK.plans)
        while row[layout.PHASE] != layout.OVER:
            seat, phase = int(row[layout.ON_TURN]), row[layout.PHASE]
            if phase == layout.GIFT:
                to = choose_receiver(row, seat)
                assert row[layout.TEAM + to] != row[layout.TEAM + seat]
                rules.give_trick(row, to)
            elif phase in (layout.LEAD, layout.TURN):
                number = listed.list_legal(row, LEGAL)
                legal = {tuple(play) for play in LEGAL[:number].tolist()}
                passing = listed.may_pass(row, LEGAL, number)
                laid = phase == layout.LEAD
                if laid:
                    choose_lead(row, WEIGHTS, WORK)
                else:
                    laid = choose_answer(row, WEIGHTS, WORK)
                assert tuple(chosen.tolist()) in legal if laid else passing
                if laid:
                    lay_chosen(row, seat, WORK)
                else:
                    rules.pass_turn(row)
            else:
                bombed = False
                for other in range(row[layout.GAME_SEATS]):
                    number = listed.list_bombs_above(row, row[layout.HAND + other], LEGAL)
                    bombs = {tuple(play) for play in LEGAL[:number].tolist()}
                    if bombs and choose_bomb(row, other, WEIGHTS, WORK):
                        assert tuple(chosen.tolist()) in bombs
                        lay_chosen(row, other, WORK)
                        bombed = True
                        break
                if not bombed:
                    rules.close_window(row)


@pytest.mark.parametrize("game", GAMES[:3])
def test_a_round_that_is_played_on_has_all_points(game: str) -> None:
    weights = np.stack([WEIGHTS, WEIGHTS])
    for seed in range(200 if SOAK else 20):
        _, row = ready(game, seed)
        discard_plans(WORK.plans)
        play_on(row, -1, weights, WORK)
        teams = {int(row[layout.TEAM + seat]): int(row[layout.RESULT + seat]) for seat in range(4)}
        total = sum(teams.values())
        assert total == (100 if row[layout.SWEEP_TEAM] < 0 else row[layout.SWEEP_POINTS])


@pytest.mark.parametrize("game", GAMES[3:])
def test_a_place_is_known_when_its_seat_is_out(game: str) -> None:
    weights = np.stack([WEIGHTS, WEIGHTS])
    for seed in range(200 if SOAK else 10):
        _, first = ready(game, seed)
        seats, rows = int(first[layout.GAME_SEATS]), []
        for judge in range(-1, seats):
            rows.append(first.copy())
            discard_plans(WORK.plans)
            play_on(rows[-1], judge, weights, WORK)
        results = [int(rows[seat + 1][layout.RESULT + seat]) for seat in range(seats)]
        assert results == rows[0][layout.RESULT : layout.RESULT + seats].tolist()
        assert sorted(results) == list(range(seats))


@pytest.mark.parametrize("is_seen", [True, False])
def test_leaves_a_play_to_the_hand_in_sight_that_can_beat_it(is_seen: bool) -> None:
    """Only the dealer and the player of the Table see a hand of their own team."""
    _, row = ready("trichu", 1)
    seat, partner = next(
        (seat, other)
        for seat in range(4)
        for other in range(4)
        if row[layout.SEES + seat] >> other & 1
        and row[layout.TEAM + seat] == row[layout.TEAM + other]
    )
    row[layout.SEES + seat] *= is_seen
    row[layout.ON_TURN] = seat
    row[layout.TOP_SEAT] = next(other for other in range(4) if row[layout.NEXT + other] == seat)
    row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY] = layout.SINGLE, 1, 18
    discard_plans(WORK.plans)
    worths = []
    for cards in ("J3", "JA"):
        row[layout.HAND + partner] = read_cards(cards)
        trick = facts_of_trick(row, 0, WEIGHTS, WORK)
        worths.append(worth_of_passing(row, trick, WEIGHTS))
    assert (worths[1] > worths[0]) == is_seen
