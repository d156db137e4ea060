"""Choices compared over many deals of the hidden cards, played on to the end by the policy."""

from __future__ import annotations

from typing import Any, NamedTuple

from players.expert import layout as at
from players.expert.compiled import compiled, compiled_with_arrays, count
from players.expert.likelihood import likelihood
from players.expert.odds import place_of
from players.expert.opening import call_tichus, choose_gifts, exchange
from players.expert.playout import play_on
from players.expert.policy import choose_partner
from players.expert.room import Plans, Room, copy_plans, forget_plans, keep_plan, plan_of
from players.expert.rules import (
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
"""The number of deals of which one is played on; likelier ones are taken more often."""
_FINE = 1 << 20
WORTH, POINTS, SQUARES = range(3)
"""What is added up for each choice: worth for the match, points of the round, worth squared."""


class Hidden(NamedTuple):
    """What a seat knows of the hidden cards; see `players.expert.knowledge`."""

    free: int
    """The cards that anybody may hold."""
    sizes: Any
    """How many cards each hand has."""
    barred: Any
    """The cards that each seat cannot have."""
    passes: Any
    """What the others have passed on, a row each; see `players.expert.likelihood`."""
    callers: Any
    """The cards that each seat that has called has laid, -1 for other seats."""


class Stake(NamedTuple):
    """What the round is worth in the match."""

    odds: Any
    """The chance to win by both scores (`players.expert.odds`); empty where points alone count."""
    ours: int
    """The score of the seat's team before the round, as in a match to `odds.TARGET`."""
    theirs: int
    """That of the other team."""


class Question(NamedTuple):
    """What is compared: a position with the hands that are known, and choices as numbers."""

    row: Any
    """The position; hidden hands are empty but for the cards that a seat must hold."""
    seat: int
    """Whose choices they are."""
    choices: Any
    """The choices, `CHOICE` numbers each."""
    hidden: Hidden
    """What is known of the hidden cards."""
    receivers: Any
    """The seats, as bits, that each seat gives a card to while that is still to come."""
    stake: Stake
    """What the result is worth."""


@compiled
def deal_unseen(row: Any, free: int, sizes: Any, barred: Any, cards: Any) -> None:
    """Fill the hands of a row up to `sizes` at random, from the `free` cards.

    `barred[seat]` are cards that a seat cannot have; they go elsewhere if that is possible. `cards`
    is an array to shuffle in.
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
def _worth(row: Any, seat: int, stake: Stake) -> tuple[float, float]:
    """What a finished round is worth to a seat: for the match, and in points (or places)."""
    if not row[at.SCORED]:
        return float(row[at.RESULT + seat]), float(row[at.RESULT + seat])
    won, other = row[at.RESULT + seat], row[at.NEXT + seat]
    while row[at.TEAM + other] == row[at.TEAM + seat]:
        other = row[at.NEXT + other]
    lost = row[at.RESULT + other]
    points = float(won - lost)
    if not stake.odds.shape[0]:
        return points, points
    mine, theirs = place_of(stake.odds, stake.ours + won), place_of(stake.odds, stake.theirs + lost)
    return stake.odds[mine, theirs], points


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


@compiled_with_arrays
def compare(
    question: Question, active: Any, deals: int, team_weights: Any, room: Room, sums: Any
) -> None:
    """Play the active choices on over so many deals of the unseen cards; add up what they bring.

    `active` are the places of choices in `question.choices`, `team_weights` the weights that each
    team plays by. `sums` has a row for each choice: worth, points, squares of the worth. The state
    of the random generator in `question.row` moves on.
    """
    base = question.row
    row, dealt, plans = base.copy(), base.copy(), room.plans.copy()
    opening = base[at.PHASE] == at.OPENING
    for _ in range(deals):
        _deal_likely(question, team_weights[0], room, row, dealt)
        if not opening:
            _plan_all(dealt, team_weights[0], plans, room.runs)
        for place in range(len(active)):
            choice = question.choices[active[place]]
            copy(row, dealt)
            if opening:
                _open(row, question, choice, place == 0, team_weights, room)
                forget_plans(room.plans)
            else:
                copy_plans(room.plans, plans)
                _carry_out(row, question.seat, choice, room.plans)
            play_on(row, team_weights, room)
            worth, points = _worth(row, question.seat, question.stake)
            sums[active[place], WORTH] += worth
            sums[active[place], POINTS] += points
            sums[active[place], SQUARES] += worth * worth


@compiled
def _deal_likely(question: Question, weights: Any, room: Room, row: Any, dealt: Any) -> None:
    """Deal the hidden cards some times (to `row`) and take one deal (to `dealt`), by likelihood."""
    base, hidden, total = question.row, question.hidden, 0.0
    for _ in range(_DRAWN):
        copy(row, base)
        deal_unseen(row, hidden.free, hidden.sizes, hidden.barred, room.cards)
        likely = likelihood(row, hidden.passes, hidden.callers, weights, room.runs)
        total += likely
        if random_below(row, _FINE) * total < likely * _FINE:
            copy(dealt, row)
        base[at.RNG] = row[at.RNG]


@compiled
def _plan_all(row: Any, weights: Any, plans: Plans, runs: Any) -> None:
    """The plans of all hands, which all choices start from."""
    forget_plans(plans)
    for seat in range(row[at.GAME_SEATS]):
        if row[at.HAND + seat]:
            plan_of(row, seat, weights, plans, runs)


@compiled
def _open(
    row: Any, question: Question, choice: Any, first: bool, team_weights: Any, room: Room
) -> None:
    """Carry out a Grand Tichu or an exchange of this seat, then what the others do before a lead.

    What they give depends on a Grand Tichu but not on this seat's exchange, so that it is kept in
    `room.gifts` from the first choice on.
    """
    seat = question.seat
    if choice[CALL]:
        row[at.CALL + seat] = choice[CALL]
    if first or choice[WHAT] == GRAND:
        room.gifts[:] = 0
        for giver in range(row[at.GAME_SEATS]):
            choose_gifts(row, giver, question.receivers[giver], team_weights[0], room)
    if choice[WHAT] == EXCHANGE:
        copy(room.gifts[seat], choice[GIVEN:])
    exchange(row, room.gifts)
    call_tichus(row, team_weights, room.runs)
