"""Comparing choices: each is played to the end of the round over many deals of the hidden cards."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import CardSet, Points, Seat
from players.expert import layout
from players.expert.compiled import compiled, compiled_with_arrays, count
from players.expert.layout import Row
from players.expert.likelihood import likelihood
from players.expert.odds import place_of
from players.expert.opening import call_tichus, choose_gifts, exchange
from players.expert.partition import Runs
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
from players.expert.weights import TeamWeights, Weights

PLAY, DOG, PASS, GIFT, WAIVE, EXCHANGE, GRAND = range(7)
"""What can be chosen; a bomb in a window is a `PLAY`."""
CODE, CARDS, KIND, SIZE, KEY, WISH, RECEIVER, CALL, GIVEN = range(9)
"""The places of the numbers of a choice.

What it is, the play, the wish (0 for none), who gets a Dog or a trick (-1 for nobody), the stake of
a call that is made with it (0 for none), and from `GIVEN` on the card passed to each seat.
"""
CHOICE = GIVEN + layout.SEATS
"""How many numbers a choice has."""
_DRAWN = 4
"""So many deals are drawn, and one of them is played on: the likelier, the more often."""
_FINE = 1 << 20
"""The number of steps in which a chance is drawn."""
WORTH, POINTS, SQUARES, FIRST = range(4)
"""What is added up for each choice: worth for the match, points of the round, worth squared, and
the rounds in which the seat goes out first."""
SUMS = 4
"""How many numbers are added up for each choice."""


class Hidden(NamedTuple):
    """What a seat knows of the hidden cards; see `players.expert.knowledge`."""

    free: CardSet
    """The cards that any hidden hand may hold."""
    sizes: Any
    """The number of cards in each hand, by seat."""
    barred: Any
    """The cards that each seat cannot have, by seat."""
    passes: Any
    """The passes of the others, a row each; see `players.expert.likelihood`."""
    callers: Any
    """The cards that each seat has laid which has called, by seat; -1 for seats without a call."""


class Stake(NamedTuple):
    """What the round is worth in the match."""

    odds: Any
    """The chance to win by both scores (`players.expert.odds`); empty where points alone count."""
    ours: Points
    """The score of the seat's team before the round, as in a match to `odds.TARGET`."""
    theirs: Points
    """The same for the other team."""


class Question(NamedTuple):
    """What is compared: the choices of a seat in one position."""

    row: Row
    """The position; hidden hands hold only the cards that a seat must have."""
    seat: Seat
    """The seat that chooses."""
    choices: Any
    """The choices: a row of `CHOICE` numbers for each."""
    hidden: Hidden
    """What is known of the hidden cards."""
    receivers: Any
    """The sets of seats that each seat gives a card to, by seat; used before the exchange."""
    stake: Stake
    """What the result is worth."""


@compiled
def deal_unseen(row: Row, free: CardSet, sizes: Any, barred: Any, cards: Any) -> None:
    """Deal the `free` cards to the hands of a row at random, until each has its size.

    A seat gets cards that are barred for it only when no others are left. `cards` is an array to
    shuffle in.
    """
    total, left = 0, free
    while left:
        cards[total] = left & -left
        left &= left - 1
        total += 1
    for place in range(total - 1, 0, -1):
        other = random_below(row, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    seats = row[layout.GAME_SEATS]
    place = 0
    for turn in range(2 * seats):  # first the seats that cannot have every card
        seat = turn % seats
        first = barred[seat] != 0
        if first != (turn < seats):
            continue
        missing = sizes[seat] - count(row[layout.HAND + seat])
        for _ in range(missing):
            if cards[place] & barred[seat]:
                for other in range(place + 1, total):
                    if not cards[other] & barred[seat]:
                        cards[place], cards[other] = cards[other], cards[place]
                        break
            row[layout.HAND + seat] |= cards[place]
            place += 1


@compiled
def _worth(row: Row, seat: Seat, stake: Stake) -> tuple[float, float]:
    """What a finished round brings a seat: its worth for the match, and points (or places)."""
    if not row[layout.SCORED]:
        return float(row[layout.RESULT + seat]), float(row[layout.RESULT + seat])
    won, other = row[layout.RESULT + seat], row[layout.NEXT + seat]
    while row[layout.TEAM + other] == row[layout.TEAM + seat]:
        other = row[layout.NEXT + other]
    lost = row[layout.RESULT + other]
    points = float(won - lost)
    if not stake.odds.shape[0]:
        return points, points
    mine, theirs = place_of(stake.odds, stake.ours + won), place_of(stake.odds, stake.theirs + lost)
    return stake.odds[mine, theirs], points


@compiled
def _carry_out(row: Row, seat: Seat, choice: Any, plans: Plans) -> None:
    """Carry out a choice in play; the plan of the seat follows."""
    code = choice[CODE]
    if choice[CALL]:
        row[layout.CALL + seat] = choice[CALL]
    if code == PLAY:
        lay(row, seat, choice[CARDS], choice[KIND], choice[SIZE], choice[KEY], choice[WISH])
        keep_plan(plans, seat, choice[CARDS])
    elif code == DOG:
        receiver = choice[RECEIVER]
        lay_dog(row, seat, receiver if receiver >= 0 else choose_partner(row, seat))
        keep_plan(plans, seat, layout.DOG_CARD)
    elif code == PASS:
        pass_turn(row)
    elif code == GIFT:
        give_trick(row, choice[RECEIVER])
    elif code == WAIVE:
        close_window(row)


@compiled_with_arrays
def compare(
    question: Question, active: Any, deals: int, team_weights: TeamWeights, room: Room, sums: Any
) -> None:
    """Play the active choices on, over so many deals of the hidden cards; add up what they bring.

    `active` are places in `question.choices`, `team_weights` the weights that each team plays by.
    `sums` has a row of `SUMS` numbers for each choice. The state of the random
    generator in `question.row` moves on.
    """
    base = question.row
    row, dealt, plans = base.copy(), base.copy(), room.plans.copy()
    opening = base[layout.PHASE] == layout.OPENING
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
            sums[active[place], FIRST] += row[layout.OUT] == question.seat


@compiled
def _deal_likely(question: Question, weights: Weights, room: Room, row: Row, dealt: Row) -> None:
    """Draw a deal of the hidden cards and write it to `dealt`.

    Several are drawn, to `row`, and one of them is taken: the likelier, the more often.
    """
    base, hidden, total = question.row, question.hidden, 0.0
    for _ in range(_DRAWN):
        copy(row, base)
        deal_unseen(row, hidden.free, hidden.sizes, hidden.barred, room.cards)
        likely = likelihood(row, hidden.passes, hidden.callers, weights, room.runs)
        total += likely
        if random_below(row, _FINE) * total < likely * _FINE:
            copy(dealt, row)
        base[layout.RNG] = row[layout.RNG]


@compiled
def _plan_all(row: Row, weights: Weights, plans: Plans, runs: Runs) -> None:
    """Make the plans of all hands, which all choices start from."""
    forget_plans(plans)
    for seat in range(row[layout.GAME_SEATS]):
        if row[layout.HAND + seat]:
            plan_of(row, seat, weights, plans, runs)


@compiled
def _open(
    row: Row, question: Question, choice: Any, first: bool, team_weights: TeamWeights, room: Room
) -> None:
    """Carry out a choice before the first lead, and all that the others do until then.

    What the others give depends on this seat's Grand Tichu, but not on its exchange. So among
    exchanges it is chosen for the first one, and kept in `room.gifts` for the others.
    """
    seat = question.seat
    if choice[CALL]:
        row[layout.CALL + seat] = choice[CALL]
    if first or choice[CODE] == GRAND:
        room.gifts[:] = 0
        for giver in range(row[layout.GAME_SEATS]):
            choose_gifts(row, giver, question.receivers[giver], team_weights[0], room)
    if choice[CODE] == EXCHANGE:
        copy(room.gifts[seat], choice[GIVEN:])
    exchange(row, room.gifts)
    call_tichus(row, team_weights, room.runs)
