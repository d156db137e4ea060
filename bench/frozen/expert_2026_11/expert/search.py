"""Choices compared over many deals of the hidden cards, played on to the end by the policy."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert.compiled import compiled, count
from bench.frozen.expert_2026_11.expert.likelihood import likelihood
from bench.frozen.expert_2026_11.expert.odds import place_of
from bench.frozen.expert_2026_11.expert.opening import call_tichus, choose_gifts, exchange
from bench.frozen.expert_2026_11.expert.playout import play_on
from bench.frozen.expert_2026_11.expert.policy import Plans, choose_partner, keep_plan, plan_of
from bench.frozen.expert_2026_11.expert.rules import (
    close_window,
    copy,
    give_trick,
    lay,
    lay_dog,
    pass_turn,
    random_below,
)

PLAY, DOG, PASS, GIFT, WAIVE, EXCHANGE, GRAND = range(7)
"""What a choice is; a bomb in a window is a PLAY."""
WHAT, CARDS, KIND, SIZE, KEY, WISH, TO, CALL, GIVEN = range(9)
"""A choice as numbers; from GIVEN on the card for each seat."""
CHOICE = GIVEN + at.SEATS
_DRAWN = 4
"""Of so many deals one is played on, the likelier the rather."""
_FINE = 1 << 20
WORTH, POINTS, SQUARES = range(3)
"""What is added up for each choice: worth for the match, points of the round, worth squared."""


@compiled
def deal_unseen(row: Any, free: int, sizes: Any, barred: Any, cards: Any) -> None:
    """Fill the hands of a row up to `sizes` from the free cards, by chance.

    `barred[seat]` are cards that a seat cannot have; they go elsewhere if that is possible.
    """
    total, left = 0, free
    while left:
        cards[total] = left & -left
        left &= left - 1
        total += 1
    for place in range(total - 1, 0, -1):
        other = random_below(row, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    seats = row[at.GAME_SEATS]
    place = 0
    for turn in range(2 * seats):  # first those that cannot have everything
        seat = turn % seats
        first = barred[seat] != 0
        if first != (turn < seats):
            continue
        missing = sizes[seat] - count(row[at.HAND + seat])
        for _ in range(missing):
            if cards[place] & barred[seat]:
                for other in range(place + 1, total):
                    if not cards[other] & barred[seat]:
                        cards[place], cards[other] = cards[other], cards[place]
                        break
            row[at.HAND + seat] |= cards[place]
            place += 1


@compiled
def _worth(row: Any, seat: int, odds: Any, ours: int, theirs: int) -> tuple[float, float]:
    """What a finished round is worth to a seat: for the match, and in points (or places).

    `odds` are chances by both scores (see `players.expert.odds`), none for points alone.
    """
    if not row[at.SCORED]:
        return float(row[at.RESULT + seat]), float(row[at.RESULT + seat])
    won, other = row[at.RESULT + seat], row[at.NEXT + seat]
    while row[at.TEAM + other] == row[at.TEAM + seat]:
        other = row[at.NEXT + other]
    lost = row[at.RESULT + other]
    if not odds.shape[0]:
        return float(won - lost), float(won - lost)
    mine, yours = place_of(odds, ours + won), place_of(odds, theirs + lost)
    return odds[mine, yours], float(won - lost)


@compiled
def _carry_out(row: Any, seat: int, choice: Any, plans: Plans) -> None:
    """Do what was chosen."""
    what = choice[WHAT]
    if choice[CALL]:
        row[at.CALL + seat] = choice[CALL]
    if what == PLAY:
        lay(row, seat, choice[CARDS], choice[KIND], choice[SIZE], choice[KEY], choice[WISH])
        keep_plan(plans, seat, choice[CARDS])
    elif what == DOG:
        lay_dog(row, seat, choice[TO] if choice[TO] >= 0 else choose_partner(row, seat))
        keep_plan(plans, seat, at.DOG_CARD)
    elif what == PASS:
        pass_turn(row)
    elif what == GIFT:
        give_trick(row, choice[TO])
    elif what == WAIVE:
        close_window(row)


@compiled
def compare(
    base: Any,
    seat: int,
    choices: Any,
    active: Any,
    deals: int,
    free: int,
    sizes: Any,
    barred: Any,
    passes: Any,
    callers: Any,
    receivers: Any,
    odds: Any,
    ours: int,
    theirs: int,
    w: Any,
    plans: Plans,
    plays: Any,
    room: Any,
    chosen: Any,
    cards: Any,
    sums: Any,
) -> None:
    """Play every active choice on over so many deals of the unseen cards; adds to `sums`.

    `base` is the position with the hands that are known; its chance moves on. `free`, `sizes` and
    `barred`: see `deal_unseen`; `passes` and `callers`: see `likelihood`; `receivers[seat]` are the
    seats, as bits, that a seat gives a card to while that is still to come; `odds` and both scores:
    see `_worth`; then weights by team and room to work in.
    """
    row, dealt, made = base.copy(), base.copy(), plans.copy()
    gifts = np.zeros((at.SEATS, at.SEATS), np.int64)
    for _ in range(deals):
        total = 0.0
        for _ in range(_DRAWN):
            copy(row, base)
            deal_unseen(row, free, sizes, barred, cards)
            chance = likelihood(row, passes, callers, w[0], room)
            total += chance
            if random_below(row, _FINE) * total < chance * _FINE:
                copy(dealt, row)
            base[at.CHANCE] = row[at.CHANCE]
        if base[at.PHASE] != at.OPENING:
            _plan_all(dealt, w, made, room)
        for place in range(len(active)):
            choice = choices[active[place]]
            copy(row, dealt)
            if base[at.PHASE] == at.OPENING:
                _open(row, seat, choice, receivers, gifts, place == 0, w, room)
                _forget(plans)
            else:
                _copy_plans(plans, made)
                _carry_out(row, seat, choice, plans)
            play_on(row, w, plans, plays, room, chosen)
            worth, points = _worth(row, seat, odds, ours, theirs)
            sums[active[place], WORTH] += worth
            sums[active[place], POINTS] += points
            sums[active[place], SQUARES] += worth * worth


@compiled
def _plan_all(row: Any, w: Any, plans: Plans, room: Any) -> None:
    """The plans of all hands, which all choices start from."""
    _forget(plans)
    for seat in range(row[at.GAME_SEATS]):
        if row[at.HAND + seat]:
            plan_of(row, seat, w[0], plans, room)


@compiled
def _forget(plans: Plans) -> None:
    for seat in range(at.SEATS):
        plans[seat, 0, 0] = -1


@compiled
def _copy_plans(plans: Plans, others: Plans) -> None:
    for seat in range(at.SEATS):
        plans[seat, 0, 0] = others[seat, 0, 0]
        for place in range(1, others[seat, 0, 0] + 1):
            for number in range(4):
                plans[seat, place, number] = others[seat, place, number]


@compiled
def _open(
    row: Any, seat: int, choice: Any, receivers: Any, gifts: Any, first: bool, w: Any, room: Any
) -> None:
    """A Grand Tichu or an exchange of this seat, and the exchange and the calls of the others.

    What they give depends on a Grand Tichu but not on this seat's exchange, so that it is kept in
    `gifts` from the first choice on.
    """
    if choice[CALL]:
        row[at.CALL + seat] = choice[CALL]
    if first or choice[WHAT] == GRAND:
        for giver in range(row[at.GAME_SEATS]):
            for to in range(at.SEATS):
                gifts[giver, to] = 0
            choose_gifts(row, giver, receivers[giver], w[0], room, gifts)
    if choice[WHAT] == EXCHANGE:
        copy(gifts[seat], choice[GIVEN:])
    exchange(row, gifts)
    call_tichus(row, w, room, 63)
