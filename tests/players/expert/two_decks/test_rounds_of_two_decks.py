"""Rounds of two decks in compiled code equal those in the engine at every step."""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.walks import random_deck
from engine import (
    MAHJONGS,
    RANKS,
    WINDOW_PHASES,
    Action,
    Bomb,
    CloseWindow,
    Combination,
    Match,
    Options,
    Pass,
    Phase,
    Play,
    apply,
    deal,
    legal_plays,
    may_pass,
    new_match,
    possible_bombs,
    ranking,
    view,
)
from players.expert import layout
from players.expert.plays import KEY, KIND, SIZE
from players.expert.rows import KINDS
from players.expert.two_decks.hands import Cards, from_engine_set, hand_of, set_hand
from players.expert.two_decks.layout import WIDTH
from players.expert.two_decks.move_classes import (
    MOST,
    PLAY,
    append_bombs,
    cards_of,
    keep_wished,
    list_move_classes,
)
from players.expert.two_decks.policy import (
    choose_answer,
    choose_bomb,
    choose_lead,
    choose_wish,
    discard_plans,
    make_workspace,
)
from players.expert.two_decks.position import row_of
from players.expert.two_decks.rules import close_window, final_place, lay, pass_turn
from players.expert.two_decks.search import lay_chosen, play_on
from players.expert.weights import WEIGHTS

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES = ({"players": 7}, {"players": 9}, {"players": 12}, {"players": 5, "decks": 2})
WORK, PLAYS = make_workspace(), np.zeros((MOST, PLAY), np.int64)
TOP = (layout.TOP_KIND, layout.TOP_SIZE, layout.TOP_KEY)


class Sort(NamedTuple):
    """A play in compiled code, which does not distinguish equal cards."""

    cards: Cards
    kind: int
    size: int
    key: int


def sort_of(play: Combination) -> Sort:
    return Sort(from_engine_set(play.cards), KINDS[play.kind], play.size, play.key)


def listed(plays: Any) -> list[Sort]:
    return [
        Sort(cards_of(play), int(play[KIND]), int(play[SIZE]), int(play[KEY])) for play in plays
    ]


def shapes(sorts: Iterable[Sort]) -> set[tuple[int, int, int]]:
    return {(sort.kind, sort.size, sort.key) for sort in sorts}


def whole_row(match: Match) -> Any:
    """Return the row of a position with all hands."""
    assert match.round is not None
    row = row_of(view(match, None))
    for seat, hand in enumerate(match.round.hands):
        set_hand(row, seat, from_engine_set(hand.cards))
    return row


def facts_of(row: Any) -> dict[int, int]:
    """Return the facts in a row; without the top of a trick that is over."""
    left_out = {layout.RNG}
    if row[layout.TOP_SEAT] < 0:
        left_out |= {*TOP}
    if row[layout.PHASE] == layout.OVER:
        left_out |= {*TOP, layout.TOP_SEAT, layout.ON_TURN, layout.PASSES, layout.WISH}
    return {place: int(row[place]) for place in range(WIDTH) if place not in left_out}


def legal(match: Match, seat: int, row: Any) -> dict[Sort, Combination]:
    """Return the engine's plays, after a comparison with those of compiled code."""
    plays = {sort_of(play): play for play in legal_plays(match, seat)}
    lead = row[layout.PHASE] == layout.LEAD
    kind, size, key = row[list(TOP)]
    number = list_move_classes(hand_of(row, seat), -1 if lead else kind, size, key, PLAYS)
    number, must = keep_wished(row, PLAYS, number)
    found = listed(PLAYS[:number])
    assert set(found) <= set(plays)
    assert shapes(found) == shapes(plays)
    assert (lead or must) != may_pass(match, seat)
    return plays


def bombs(match: Match, row: Any) -> dict[tuple[int, Sort], Combination]:
    """Return the engine's bombs in a window by seat and `Sort`, after the same comparison.

    Two seats may hold equal bombs: 2 to 6 of jade from one deck each.
    """
    assert match.round is not None
    every: dict[tuple[int, Sort], Combination] = {}
    kind, size, key = row[list(TOP)]
    for seat in range(len(match.round.hands)):
        theirs = {sort_of(bomb): bomb for bomb in possible_bombs(match.round, seat)}
        number = append_bombs(hand_of(row, seat), kind, size, key, PLAYS, 0)
        assert set(listed(PLAYS[:number])) == set(theirs)
        every |= {(seat, sort): bomb for sort, bomb in theirs.items()}
    return every


def by_policy(row: Any, seat: int) -> Sort | None:
    """Return the quick policy's lead, answer or bomb."""
    discard_plans(WORK.plans)
    if row[layout.PHASE] == layout.LEAD:
        choose_lead(row, WEIGHTS, WORK)
    elif row[layout.PHASE] == layout.TURN:
        if not choose_answer(row, WEIGHTS, WORK):
            return None
    elif not choose_bomb(row, seat, WEIGHTS, WORK):
        return None
    return listed([WORK.chosen])[0]


def step(match: Match, row: Any, rng: Random) -> list[Action]:
    """Take the next actions in the engine and in the row; the quick policy chooses some."""
    seat, quick = int(row[layout.ON_TURN]), rng.random() < 0.5
    if match.phase in WINDOW_PHASES:
        every = bombs(match, row)
        if not every or rng.random() < 0.3:
            close_window(row)
            return [CloseWindow()]
        seat, chosen = rng.choice(list(every))
        if quick:
            chosen = by_policy(row, seat) or chosen
        lay(row, seat, *chosen, 0)
        return [Bomb(seat, every[seat, chosen].cards), CloseWindow()]
    plays = legal(match, seat, row)
    if quick:
        sort = by_policy(row, seat)
    else:
        sort = rng.choice([*plays, *[None] * may_pass(match, seat)])
    if sort is None:
        pass_turn(row)
        return [Pass(seat)]
    play = plays[sort]
    wish = rng.choice((0, int(choose_wish(row, seat)))) if play.cards & MAHJONGS else 0
    assert wish in (0, *RANKS)
    if quick:
        lay_chosen(row, seat, wish, WORK)
    else:
        lay(row, seat, *sort, wish)
    return [Play(seat, play.cards, phoenix=play.phoenix or None, wish=wish or None)]


@pytest.mark.parametrize("game", GAMES, ids=str)
@settings(
    max_examples=200 if SOAK else 1, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(seed=st.integers(0, 1 << 30))
def test_a_round_is_the_same_in_the_engine(game: dict[str, int], seed: int) -> None:
    rng = Random(seed)
    match = new_match(Options.from_values("grandseigneur", {**game, "rounds": 1}), rng.randrange(5))
    match, _ = deal(match, random_deck(match, rng))
    row = whole_row(match)
    while match.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        for action in step(match, row, rng):
            match, _ = apply(match, action)
        assert facts_of(row) == facts_of(whole_row(match))
    seats = len(match.variant.seating(match, 0).order)
    places = [final_place(row, seat) for seat in ranking(match.results[-1], seats)]
    assert places == list(reversed(range(seats)))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_place_is_known_when_its_seat_is_out(game: dict[str, int]) -> None:
    match = new_match(Options.from_values("grandseigneur", game))
    match, _ = deal(match, random_deck(match, Random(1)))
    first, rows, seats = (
        whole_row(match),
        [],
        len(match.variant.deal_order(view(match, None).seating)),
    )
    for judge in range(-1, seats):
        rows.append(first.copy())
        discard_plans(WORK.plans)
        play_on(rows[-1], judge, np.stack([WEIGHTS, WEIGHTS]), WORK)
    places = [final_place(rows[seat + 1], seat) for seat in range(seats)]
    assert places == [final_place(rows[0], seat) for seat in range(seats)]
    assert sorted(places) == list(range(seats))
