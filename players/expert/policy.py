"""The quick policy, which plays on in playouts: leads, answers, bombs, gifts and wishes.

Each seat follows a plan for its hand; what a play is worth depends on the weights. The row holds
all hands, but a seat looks only at its own and at what everybody sees. The play that is chosen is
written to `room.chosen`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import CardSet, Points, Rank, Seat
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.outlook import call_open, danger, holds, partner_may_make_it, unseen
from players.expert.partition import effort, split_effort
from players.expert.plays import (
    CARDS,
    KEY,
    KIND,
    SIZE,
    PlayRow,
    Plays,
    beats,
    bound,
    list_bombs,
    single_key,
)
from players.expert.room import Plans, Room, plan_of
from players.expert.rules import of_rank, points_of
from players.expert.sorts import list_sorts
from players.expert.weights import Weights

_NEVER = -np.inf
"""The worth of an answer that is out of the question."""
_GOES_OUT, _WINS, _SPOILS = 10.0, 9.0, -9.0
"""The worth of an answer that goes out, of one after which the whole rest most likely follows, and
of one that goes out and so makes a partner's call fail."""


@compiled
def _choose(room: Room, play: PlayRow) -> None:
    """Write a play to `room.chosen`."""
    for place in range(4):
        room.chosen[place] = play[place]


@compiled
def _losers(row: Row, seat: Seat, weights: Weights, plans: Plans, cards: CardSet) -> int:
    """The number of plays in the plan that opponents may beat, without the play of `cards`."""
    losers = 0
    for place in range(1, plans[seat, 0, 0] + 1):
        play = plans[seat, place]
        if play[CARDS] != cards:
            held = holds(row, seat, play[KIND], play[SIZE], play[KEY], weights)
            losers += held < weights[weight.SURE]
    return losers


# --- Leads --------------------------------------------------------------------------------------


class _Others(NamedTuple):
    """What a leader knows of the other hands: how many cards are left in them."""

    fewest: int
    """The cards of the opponent with the fewest; 99 when all opponents are out."""
    last_partner: bool
    """Whether a partner has one card left."""
    partner_first: bool
    """Whether a partner's call is open, so that the partner is to go out first."""


@compiled
def _others(row: Row, seat: Seat) -> _Others:
    """What `seat` knows of the other hands."""
    fewest, last_partner = 99, False
    for other in range(row[layout.GAME_SEATS]):
        held = count(row[layout.HAND + other])
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            if held:
                fewest = min(fewest, held)
        elif other != seat and held == 1:
            last_partner = True
    return _Others(fewest, last_partner, partner_may_make_it(row, seat))


@compiled
def choose_lead(row: Row, weights: Weights, room: Room) -> None:
    """Choose the lead of the seat on turn: a play of its plan."""
    seat = row[layout.ON_TURN]
    number = plan_of(row, seat, weights, room.plans, room.runs)
    if bound(row, seat):
        _lead_wished(row, seat, weights, room)
        return
    others = _others(row, seat)
    if others.partner_first and number == 1 and room.plans[seat, 1, SIZE] > 1:
        _lead_single(row, seat, room)  # the partner goes out first
        return
    sure = not others.partner_first and _losers(row, seat, weights, room.plans, 0) <= 1
    most, best = -1e9, 1
    for place in range(1, number + 1):
        play = room.plans[seat, place]
        if sure:
            worth = _worth_of_sure_lead(row, seat, play, weights)
        else:
            worth = _worth_of_lead(row, seat, play, others, weights)
        if worth > most:
            most, best = worth, place
    _choose(room, room.plans[seat, best])


@compiled
def _lead_single(row: Row, seat: Seat, room: Room) -> None:
    """Choose the lowest single, but not the Dog."""
    hand = row[layout.HAND + seat] & ~layout.DOG_CARD
    card = hand & -hand
    room.chosen[CARDS] = card
    room.chosen[KIND] = layout.SINGLE
    room.chosen[SIZE] = 1
    room.chosen[KEY] = single_key(card)


@compiled
def _lead_wished(row: Row, seat: Seat, weights: Weights, room: Room) -> None:
    """Choose the best play of the plan with the wished rank; it has one, as it lays every card."""
    wished, best = of_rank(row[layout.WISH]), -1e9
    for place in range(1, room.plans[seat, 0, 0] + 1):
        play = room.plans[seat, place]
        if play[CARDS] & wished:
            worth = play[SIZE] + effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
            if worth > best:
                best = worth
                _choose(room, play)


@compiled
def _worth_of_sure_lead(row: Row, seat: Seat, play: PlayRow, weights: Weights) -> float:
    """The order of leads in a plan that nobody can stop: winners, bombs, at last the one loser."""
    kind, size = play[KIND], play[SIZE]
    held = holds(row, seat, kind, size, play[KEY], weights) >= weights[weight.SURE]
    return 100.0 * held - 50.0 * (kind >= layout.FOUR_BOMB) + size


@compiled
def _worth_of_lead(row: Row, seat: Seat, play: PlayRow, others: _Others, weights: Weights) -> float:
    """What a lead is worth: more for long and low plays, less for what lets an opponent go out."""
    kind, size, key = play[KIND], play[SIZE], play[KEY]
    if kind == layout.DOG:
        worth = _worth_of_dog(row, seat, others, weights)
        return worth + weights[weight.ONLY_LED] / count(row[layout.HAND + seat])
    worth = weights[weight.LEAD_EFFORT] * effort(play[CARDS], kind, size, key, weights)
    worth += weights[weight.LEAD_SIZE] * size + weights[weight.LEAD_RANK] * (key >> 1)
    if play[CARDS] & layout.MAHJONG:
        worth += weights[weight.ONLY_LED] / count(row[layout.HAND + seat])
    if size == others.fewest and size <= 2:
        held = holds(row, seat, kind, size, key, weights)
        if row[layout.SCORED]:
            worth += weights[weight.RIVAL_HOLD] * held + weights[weight.RIVAL_SHORT]
        else:
            worth += weights[weight.ALONE] * (held - 1.0)
    elif size == 1 and others.last_partner:
        worth += weights[weight.PARTNER_LAST] + weights[weight.PARTNER_LAST_RANK] * (key >> 1)
    return worth


@compiled
def _worth_of_dog(row: Row, seat: Seat, others: _Others, weights: Weights) -> float:
    """What it is worth to lead the Dog: more the fewer cards a partner has."""
    if others.partner_first:
        return weights[weight.DOG_CALL]
    fewest = 99
    for other in range(row[layout.GAME_SEATS]):
        held = count(row[layout.HAND + other])
        if other != seat and row[layout.TEAM + other] == row[layout.TEAM + seat] and held:
            fewest = min(fewest, held)
    if call_open(row, seat) or fewest == 99:
        return 0.0
    return weights[weight.DOG_EARLY] if fewest > 3 else weights[weight.DOG_LATE]


@compiled
def choose_partner(row: Row, seat: Seat) -> Seat:
    """The partner that the Dog goes to: one that has called, else the one with the fewest cards.

    -1 where the Dog's player has no choice.
    """
    best, least = -1, 1000
    if not row[layout.DOG_IS_AIMED]:
        return best
    for other in range(row[layout.GAME_SEATS]):
        held = count(row[layout.HAND + other])
        if other != seat and row[layout.TEAM + other] == row[layout.TEAM + seat] and held:
            rank = held - 100 * call_open(row, other)
            if rank < least:
                best, least = other, rank
    return best


# --- Answers ------------------------------------------------------------------------------------


class _Trick(NamedTuple):
    """What the seat on turn weighs its answers by."""

    seat: Seat
    """The seat on turn."""
    hand: CardSet
    """Its cards."""
    plays: int
    """The number of plays of its plan."""
    effort: float
    """The effort of its plan."""
    wished: CardSet
    """The cards of which the seat has to lay one for the wish; 0 when it may pass."""
    friendly: bool
    """Whether the trick is a partner's so far."""
    partner_first: bool
    """Whether a partner's call is open, so that the partner is to go out first."""
    threat: float
    """How dangerous the opponent is who has the trick so far; see `danger`."""
    points: Points
    """The points in the trick so far."""


@compiled
def _trick(row: Row, number: int, weights: Weights, room: Room) -> _Trick:
    """The trick as the seat on turn sees it, with `number` possible answers in `room.plays`."""
    seat, top_seat = row[layout.ON_TURN], row[layout.TOP_SEAT]
    plays = plan_of(row, seat, weights, room.plans, room.runs)
    total = 0.0
    for place in range(1, plays + 1):
        play = room.plans[seat, place]
        total += effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
    friendly = row[layout.TEAM + top_seat] == row[layout.TEAM + seat]
    return _Trick(
        seat,
        row[layout.HAND + seat],
        plays,
        total,
        _to_be_laid(row, seat, number, room.plays),
        friendly,
        partner_may_make_it(row, seat),
        0.0 if friendly else danger(row, top_seat, weights),
        points_of(row[layout.TRICK]) if row[layout.SCORED] else 0,
    )


@compiled
def _to_be_laid(row: Row, seat: Seat, number: int, plays: Plays) -> CardSet:
    """The cards of the wished rank, if one of the `number` plays has to fulfil the wish; else 0."""
    if not bound(row, seat):
        return 0
    wished = of_rank(row[layout.WISH])
    for place in range(number):
        if plays[place, CARDS] & wished:
            return wished
    return 0


@compiled
def choose_answer(row: Row, weights: Weights, room: Room) -> bool:
    """Choose the answer of the seat on turn to a play; false for a pass."""
    hand = row[layout.HAND + row[layout.ON_TURN]]
    number = list_sorts(
        hand, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY], room.plays
    )
    if not number:
        return False
    trick = _trick(row, number, weights, room)
    best, most = -1, weights[weight.PASS]
    for place in range(number):
        play = room.plays[place]
        if trick.wished and not play[CARDS] & trick.wished:
            continue
        worth = _worth_of_answer(row, play, trick, weights, room)
        if worth > most or (trick.wished and best < 0):
            best, most = place, worth
    if best < 0:
        return False
    _choose(room, room.plays[best])
    return True


@compiled
def _worth_of_answer(row: Row, play: PlayRow, trick: _Trick, weights: Weights, room: Room) -> float:
    """What an answer is worth: effort saved, points, the next lead, an opponent stopped."""
    cards, kind, size, key = play[CARDS], play[KIND], play[SIZE], play[KEY]
    seat = trick.seat
    planned = False
    for place in range(1, trick.plays + 1):
        planned = planned or room.plans[seat, place, CARDS] == cards
    rest = trick.hand & ~cards
    if trick.friendly and rest and not planned and not trick.wished:
        return _NEVER
    worth = 0.0
    if not rest:
        worth = _SPOILS if trick.partner_first else _GOES_OUT
    else:
        held = holds(row, seat, kind, size, key, weights)
        if (
            planned
            and not trick.partner_first
            and held >= weights[weight.SURE]
            and _losers(row, seat, weights, room.plans, cards) <= 1
        ):
            worth = _WINS
        else:
            if planned:
                saved, left = effort(cards, kind, size, key, weights), trick.plays - 1
            else:
                saved, left = trick.effort - split_effort(rest, weights, room.runs), trick.plays
            worth = saved + held * _worth_of_trick(row, play, trick, left, weights)
    if trick.friendly and not trick.wished and worth < _WINS:
        return worth if _may_overtake(row, play, trick, weights) else _NEVER
    return worth


@compiled
def _worth_of_trick(row: Row, play: PlayRow, trick: _Trick, left: int, weights: Weights) -> float:
    """What the trick is worth if this play wins it; `left` plays of the plan are left then."""
    points = trick.points
    if row[layout.SCORED]:
        points += points_of(play[CARDS])
    if play[KEY] == layout.DRAGON_KEY:
        points = -points
    lead = weights[weight.LEAD] + weights[weight.LEAD_SHORT] / (1 + left)
    if call_open(row, trick.seat):
        lead += weights[weight.OWN_CALL]
    return points * weights[weight.POINTS] + lead + trick.threat


@compiled
def _may_overtake(row: Row, play: PlayRow, trick: _Trick, weights: Weights) -> bool:
    """Whether to beat a partner's play: only a low one, with a low single or pair."""
    return (
        not trick.partner_first
        and count(row[layout.HAND + row[layout.TOP_SEAT]]) > 2
        and play[SIZE] <= 2
        and row[layout.TOP_KEY] >> 1 <= weights[weight.PARTNER_TOP]
        and play[KEY] >> 1 <= weights[weight.PARTNER_PLAY]
        and play[KIND] < layout.FOUR_BOMB
    )


# --- Bombs, the Dragon's trick, wishes ----------------------------------------------------------


@compiled
def choose_bomb(row: Row, seat: Seat, weights: Weights, room: Room) -> bool:
    """Choose a bomb in a window, to go out with it or to stop an opponent; false for none."""
    top_seat = row[layout.TOP_SEAT]
    if row[layout.TEAM + top_seat] == row[layout.TEAM + seat]:
        return False
    urgent = danger(row, top_seat, weights) >= weights[weight.BOMB]
    number = list_bombs(row[layout.HAND + seat], room.plays, 0)
    plan_of(row, seat, weights, room.plans, room.runs)
    kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    for place in range(number):
        play = room.plays[place]
        if not beats(play[KIND], play[SIZE], play[KEY], kind, size, key):
            continue
        if urgent or (
            not partner_may_make_it(row, seat)
            and _losers(row, seat, weights, room.plans, play[CARDS]) <= 1
        ):
            _choose(room, play)
            return True
    return False


@compiled
def choose_receiver(row: Row, seat: Seat) -> Seat:
    """The opponent that a Dragon's trick is given to: the one with the most cards.

    Of two with equally many, the later one in turn order; somebody who has called counts as closer
    to going out.
    """
    best, most = -1, -1
    other = row[layout.NEXT + seat]
    while other != seat:
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            held = 2 * count(row[layout.HAND + other]) - call_open(row, other)
            if held >= most:
                best, most = other, held
        other = row[layout.NEXT + other]
    return best


@compiled
def choose_wish(row: Row, seat: Seat) -> Rank:
    """The highest rank that others hold and this seat does not; 0 for none."""
    hand, left = row[layout.HAND + seat], unseen(row, seat)
    for rank in range(14, 1, -1):
        if left & of_rank(rank) and not hand & of_rank(rank):
            return rank
    return 0
