"""The compiled rules equal the engine's: same legal plays and results of the same choices."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.walks import random_deck
from engine import (
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Match,
    Options,
    Pass,
    PassCards,
    Play,
    apply,
    deal,
    legal_plays,
    may_pass,
    new_match,
    possible_bombs,
    ranking,
    readings,
    view,
    with_key_on,
)
from players.expert import layout, rules
from players.expert import plays as listed
from players.expert.rows import KINDS, row_of
from tools import random_rounds as played

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES = ("nanjing", "trichu", "tientsin", "grandseigneur 5", "grandseigneur 6")
PLAYS = listed.make_plays()
COMPILED_ONLY = {layout.RNG, layout.SWEEP_TEAM, *range(layout.RESULT, layout.WIDTH)}
"""Fields that only the compiled rules use."""


def dealt(game: str, rng: Random) -> Match:
    name, _, players = game.partition(" ")
    options = Options.from_values(name, {"players": int(players)} if players else {})
    match = new_match(options, rng.randrange(3))
    return deal(match, random_deck(match, rng))[0]


def whole_row(match: Match) -> Any:
    """Return the row of a position with all hands."""
    assert match.round is not None
    seen = replace(view(match, None), hands=tuple(enumerate(match.round.hands)))
    return row_of(seen)


def random_round(match: Match, rng: int) -> tuple[list[list[int]], Any]:
    """Return the choices of a random round in compiled code, and the row at its end."""
    round_, variant = match.round, match.variant
    assert round_ is not None
    row, record = whole_row(match), np.zeros((2000, 5), np.int64)
    row[layout.RNG] = rng
    receivers, asked = np.zeros(layout.SEATS, np.int64), 0
    for seat, hand in enumerate(round_.hands):
        row[layout.HAND + seat] = hand.cards | round_.opening.stock[seat]
        if variant.scored:
            receivers[seat] = sum(1 << to for to in variant.receivers(round_, seat))
            asked |= variant.may_call_grand(round_.seating, seat) << seat
    number = played.open_round(row, asked, receivers, record)
    number = played.play_round(row, PLAYS, record, number)
    return record[:number].tolist(), row


def actions(match: Match, record: list[list[int]]) -> Iterator[tuple[list[int], Action]]:
    """Return the engine's actions of a choice; gifts of a seat together after its last choice."""
    for place, (code, seat, one, _, three) in enumerate(record):
        if code == played.GRAND:
            yield record[place], AnswerGrand(seat, bool(one))
        elif code == played.GIVE:
            later = record[place + 1 : place + 2]
            if not later or later[0][:2] != [code, seat]:
                gifts = [
                    (receiver, card)
                    for other, giver, receiver, card, _ in record
                    if (other, giver) == (code, seat)
                ]
                yield record[place], PassCards(seat, tuple(sorted(gifts)))
        elif code == played.TICHU:
            yield record[place], CallTichu(seat)
        elif code == played.PLAY:
            yield record[place], Play(seat, one, wish=three or None)
        elif code == played.DOG:
            yield record[place], Play(seat, layout.DOG_CARD, partner=one if one >= 0 else None)
        elif code == played.BOMB:
            yield record[place], Bomb(seat, one)
        elif code == played.GIFT:
            yield record[place], GiveTrick(seat, one)
        else:
            yield record[place], Pass(seat) if code == played.PASS else CloseWindow()


def carry_out(row: Any, seat: int, code: int, numbers: list[int]) -> None:
    """Carry out one choice in the compiled rules."""
    one, two, three = numbers
    if code == played.TICHU:
        row[layout.CALL + seat] = 100
    elif code in (played.PLAY, played.BOMB):
        number = listed.list_plays(row[layout.HAND + seat], PLAYS)
        same = [play for play in PLAYS[:number].tolist() if play[0] == one]
        keys = [play for play in same if code == played.BOMB or play[3] == two]
        kind, size, key = (keys or same)[0][1:]
        rules.lay(row, seat, one, kind, size, key if keys else two, three)
    elif code == played.DOG:
        rules.lay_dog(row, seat, one)
    elif code == played.PASS:
        rules.pass_turn(row)
    elif code == played.GIFT:
        rules.give_trick(row, one)
    else:
        rules.close_window(row)


def facts_of(row: Any) -> dict[int, int]:
    """Return the facts in a row; without the top of a trick that is over."""
    left_out = set(COMPILED_ONLY)
    if row[layout.TOP_SEAT] < 0:
        left_out |= {layout.TOP_KIND, layout.TOP_SIZE, layout.TOP_KEY}
    if row[layout.PHASE] == layout.OVER:
        left_out |= {
            layout.TOP_SEAT,
            layout.TOP_KIND,
            layout.TOP_SIZE,
            layout.TOP_KEY,
            layout.ON_TURN,
            layout.PASSES,
        }
        left_out |= {layout.TRICK, layout.WISH}
    return {place: int(row[place]) for place in range(layout.WIDTH) if place not in left_out}


def assert_same_plays(match: Match, seat: int, row: Any) -> None:
    number = listed.list_legal(row, PLAYS)
    ours = [tuple(play) for play in PLAYS[:number].tolist()]
    theirs = {(p.cards, KINDS[p.kind], p.size, p.key) for p in legal_plays(match, seat)}
    assert len(ours) == len(set(ours))
    assert set(ours) == theirs
    assert listed.may_pass(row, PLAYS, number) == may_pass(match, seat)


def assert_same_bombs(match: Match, row: Any) -> None:
    assert match.round is not None
    for seat, hand in enumerate(match.round.hands):
        number = listed.list_bombs_above(row, hand.cards, PLAYS)
        theirs = {bomb.cards for bomb in possible_bombs(match.round, seat)}
        assert set(PLAYS[:number, 0].tolist()) == theirs


@pytest.mark.parametrize("game", GAMES)
@settings(
    max_examples=400 if SOAK else 2, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(deck=st.integers(0, 1 << 30), rng=st.integers(0, 1 << 60))
def test_a_random_round_is_the_same_in_the_engine(game: str, deck: int, rng: int) -> None:
    match = dealt(game, Random(deck))
    record, end = random_round(match, rng)
    for (what, seat, *numbers), action in actions(match, record):
        round_ = match.round
        assert round_ is not None
        while round_.asked:
            match, _ = apply(match, AnswerWithdraw(round_.asked.bit_length() - 1, False))
            assert match.round is not None
            round_ = match.round
        if what in (played.PLAY, played.DOG, played.PASS):
            assert_same_plays(match, seat, whole_row(match))
        if round_.phase in WINDOW_PHASES:
            assert_same_bombs(match, whole_row(match))
        if isinstance(action, Play) and what == played.PLAY:
            found = [
                c for c in readings(action.cards) if with_key_on(c, round_.top).key == numbers[1]
            ]
            action = action._replace(phoenix=found[0].phoenix or None)
        row = whole_row(match)
        match, _ = apply(match, action)
        if isinstance(action, Bomb):
            match, _ = apply(match, CloseWindow())
        if what not in (played.GRAND, played.GIVE):
            carry_out(row, seat, what, numbers)
            assert facts_of(row) == facts_of(whole_row(match))
    result, seats = match.results[-1], range(end[layout.GAME_SEATS])
    if match.variant.scored:
        assert match.round is not None
        teams = match.round.seating.teams
        columns = [match.variant.columns_of(match.round, team)[0] for team in teams]
        expected = [result.score[column] for column in columns]
    else:
        places = ranking(result, len(seats))
        expected = [len(seats) - 1 - places.index(seat) for seat in seats]
    assert [int(end[layout.RESULT + seat]) for seat in seats] == expected
