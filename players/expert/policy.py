"""The quick player of the playouts: leads, follows, bombs and gives by weights and its plan.

It knows its own hand and what everybody has seen, though the row holds all hands. Choices of plays
are written to `room.chosen`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from players.expert import layout as at
from players.expert import weights as by
from players.expert.compiled import compiled, count
from players.expert.outlook import call_open, danger, holds, partner_may_make_it, unseen
from players.expert.partition import effort, split_effort
from players.expert.plays import CARDS, KEY, KIND, SIZE, beats, bound, list_bombs, single_key
from players.expert.room import Plans, Room, plan_of
from players.expert.rules import of_rank, points_of
from players.expert.sorts import list_sorts

_NEVER = -np.inf
"""The worth of an answer that is out of the question."""
_GOES_OUT, _WINS, _SPOILS = 10.0, 9.0, -9.0
"""The worth of an answer that goes out, that lets all the rest follow, that spoils a partner's
call by going out."""


@compiled
def _choose(room: Room, play: Any) -> None:
    for place in range(4):
        room.chosen[place] = play[place]


@compiled
def _losers(row: Any, seat: int, weights: Any, plans: Plans, cards: int) -> int:
    """The number of plays of the plan that are likely beaten, not counting the one of `cards`."""
    losers = 0
    for place in range(1, plans[seat, 0, 0] + 1):
        play = plans[seat, place]
        if play[CARDS] != cards:
            held = holds(row, seat, play[KIND], play[SIZE], play[KEY], weights)
            losers += held < weights[by.SURE]
    return losers


# --- Leads --------------------------------------------------------------------------------------


class _Others(NamedTuple):
    """What a leader looks at in the other hands: how many cards are left in them."""

    fewest: int
    """Cards of the opponent with the fewest; 99 when all opponents are out."""
    last_partner: bool
    """Whether a partner has one card left."""
    partner_first: bool
    """Whether a partner's call is open, so that the partner is to go out first."""


@compiled
def _others(row: Any, seat: int) -> _Others:
    fewest, last_partner = 99, False
    for other in range(row[at.GAME_SEATS]):
        held = count(row[at.HAND + other])
        if row[at.TEAM + other] != row[at.TEAM + seat]:
            if held:
                fewest = min(fewest, held)
        elif other != seat and held == 1:
            last_partner = True
    return _Others(fewest, last_partner, partner_may_make_it(row, seat))


@compiled
def choose_lead(row: Any, weights: Any, room: Room) -> None:
    """Choose the lead of the seat on turn: a play of its plan."""
    seat = row[at.ON_TURN]
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
def _lead_single(row: Any, seat: int, room: Room) -> None:
    """Choose the lowest single, but not the Dog."""
    hand = row[at.HAND + seat] & ~at.DOG_CARD
    card = hand & -hand
    room.chosen[CARDS] = card
    room.chosen[KIND] = at.SINGLE
    room.chosen[SIZE] = 1
    room.chosen[KEY] = single_key(card)


@compiled
def _lead_wished(row: Any, seat: int, weights: Any, room: Room) -> None:
    """Choose the best play of the plan with the wished rank; it has one, as it lays every card."""
    wished, best = of_rank(row[at.WISH]), -1e9
    for place in range(1, room.plans[seat, 0, 0] + 1):
        play = room.plans[seat, place]
        if play[CARDS] & wished:
            worth = play[SIZE] + effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
            if worth > best:
                best = worth
                _choose(room, play)


@compiled
def _worth_of_sure_lead(row: Any, seat: int, play: Any, weights: Any) -> float:
    """Order of a plan that nobody can stop: winners, then bombs, its one loser last."""
    kind, size = play[KIND], play[SIZE]
    held = holds(row, seat, kind, size, play[KEY], weights) >= weights[by.SURE]
    return 100.0 * held - 50.0 * (kind >= at.FOUR_BOMB) + size


@compiled
def _worth_of_lead(row: Any, seat: int, play: Any, others: _Others, weights: Any) -> float:
    """What a lead brings: long and low ones first, and nothing for opponents who are nearly out."""
    kind, size, key = play[KIND], play[SIZE], play[KEY]
    if kind == at.DOG:
        worth = _worth_of_dog(row, seat, others, weights)
        return worth + weights[by.ONLY_LED] / count(row[at.HAND + seat])
    worth = weights[by.LEAD_EFFORT] * effort(play[CARDS], kind, size, key, weights)
    worth += weights[by.LEAD_SIZE] * size + weights[by.LEAD_RANK] * (key >> 1)
    if play[CARDS] & at.MAHJONG:
        worth += weights[by.ONLY_LED] / count(row[at.HAND + seat])
    if size == others.fewest and size <= 2:
        held = holds(row, seat, kind, size, key, weights)
        if row[at.SCORED]:
            worth += weights[by.RIVAL_HOLD] * held + weights[by.RIVAL_SHORT]
        else:
            worth += weights[by.ALONE] * (held - 1.0)
    elif size == 1 and others.last_partner:
        worth += weights[by.PARTNER_LAST] + weights[by.PARTNER_LAST_RANK] * (key >> 1)
    return worth


@compiled
def _worth_of_dog(row: Any, seat: int, others: _Others, weights: Any) -> float:
    if others.partner_first:
        return weights[by.DOG_CALL]
    fewest = 99
    for other in range(row[at.GAME_SEATS]):
        held = count(row[at.HAND + other])
        if other != seat and row[at.TEAM + other] == row[at.TEAM + seat] and held:
            fewest = min(fewest, held)
    if call_open(row, seat) or fewest == 99:
        return 0.0
    return weights[by.DOG_EARLY] if fewest > 3 else weights[by.DOG_LATE]


@compiled
def choose_partner(row: Any, seat: int) -> int:
    """Whom the Dog goes to where that is chosen: a caller, or who is nearly out; else -1."""
    best, least = -1, 1000
    if not row[at.CHOOSE_PARTNER]:
        return best
    for other in range(row[at.GAME_SEATS]):
        held = count(row[at.HAND + other])
        if other != seat and row[at.TEAM + other] == row[at.TEAM + seat] and held:
            rank = held - 100 * call_open(row, other)
            if rank < least:
                best, least = other, rank
    return best


# --- Answers ------------------------------------------------------------------------------------


class _Trick(NamedTuple):
    """What the seat on turn weighs its answers by."""

    seat: int
    """The seat on turn."""
    hand: int
    """Its cards."""
    plays: int
    """The number of plays of its plan."""
    effort: float
    """The effort of its plan."""
    wished: int
    """The cards of which one has to be laid for the wish; 0 when passing is allowed."""
    friendly: bool
    """Whether the trick is a partner's so far."""
    partner_first: bool
    """Whether a partner's call is open, so that the partner is to go out first."""
    threat: float
    """How much it matters to stop who has the trick so far."""
    points: int
    """Points of the trick so far."""


@compiled
def _trick(row: Any, number: int, weights: Any, room: Room) -> _Trick:
    """The trick as the seat on turn sees it, with `number` possible answers in `room.plays`."""
    seat, top_seat = row[at.ON_TURN], row[at.TOP_SEAT]
    plays = plan_of(row, seat, weights, room.plans, room.runs)
    total = 0.0
    for place in range(1, plays + 1):
        play = room.plans[seat, place]
        total += effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
    friendly = row[at.TEAM + top_seat] == row[at.TEAM + seat]
    return _Trick(
        seat,
        row[at.HAND + seat],
        plays,
        total,
        _to_be_laid(row, seat, number, room.plays),
        friendly,
        partner_may_make_it(row, seat),
        0.0 if friendly else danger(row, top_seat, weights),
        points_of(row[at.TRICK]) if row[at.SCORED] else 0,
    )


@compiled
def _to_be_laid(row: Any, seat: int, number: int, plays: Any) -> int:
    """The wished cards, if the seat has to lay one of them and can; else 0."""
    if not bound(row, seat):
        return 0
    wished = of_rank(row[at.WISH])
    for place in range(number):
        if plays[place, CARDS] & wished:
            return wished
    return 0


@compiled
def choose_answer(row: Any, weights: Any, room: Room) -> bool:
    """Choose the answer of the seat on turn to a play; false for a pass."""
    hand = row[at.HAND + row[at.ON_TURN]]
    number = list_sorts(hand, row[at.TOP_KIND], row[at.TOP_SIZE], row[at.TOP_KEY], room.plays)
    if not number:
        return False
    trick = _trick(row, number, weights, room)
    best, most = -1, weights[by.PASS]
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
def _worth_of_answer(row: Any, play: Any, trick: _Trick, weights: Any, room: Room) -> float:
    """What an answer brings: the effort it saves, the trick, the next lead, the danger averted."""
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
            and held >= weights[by.SURE]
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
def _worth_of_trick(row: Any, play: Any, trick: _Trick, left: int, weights: Any) -> float:
    """What it brings to win the trick with this play, when so many plays of the plan are left."""
    points = trick.points
    if row[at.SCORED]:
        points += points_of(play[CARDS])
    if play[KEY] == at.DRAGON_KEY:
        points = -points
    lead = weights[by.LEAD] + weights[by.LEAD_SHORT] / (1 + left)
    if call_open(row, trick.seat):
        lead += weights[by.OWN_CALL]
    return points * weights[by.POINTS] + lead + trick.threat


@compiled
def _may_overtake(row: Any, play: Any, trick: _Trick, weights: Any) -> bool:
    """Whether to beat a partner's play, to shed low cards on low ones."""
    return (
        not trick.partner_first
        and count(row[at.HAND + row[at.TOP_SEAT]]) > 2
        and play[SIZE] <= 2
        and row[at.TOP_KEY] >> 1 <= weights[by.PARTNER_TOP]
        and play[KEY] >> 1 <= weights[by.PARTNER_PLAY]
        and play[KIND] < at.FOUR_BOMB
    )


# --- Bombs, the Dragon's trick, wishes ----------------------------------------------------------


@compiled
def choose_bomb(row: Any, seat: int, weights: Any, room: Room) -> bool:
    """Choose a bomb in a window, to go out with it or to stop an opponent; false for none."""
    top_seat = row[at.TOP_SEAT]
    if row[at.TEAM + top_seat] == row[at.TEAM + seat]:
        return False
    urgent = danger(row, top_seat, weights) >= weights[by.BOMB]
    number = list_bombs(row[at.HAND + seat], room.plays, 0)
    plan_of(row, seat, weights, room.plans, room.runs)
    kind, size, key = row[at.TOP_KIND], row[at.TOP_SIZE], row[at.TOP_KEY]
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
def choose_receiver(row: Any, seat: int) -> int:
    """Whom the Dragon's trick is given to: who is farthest from going out, the later of equals."""
    best, most = -1, -1
    other = row[at.NEXT + seat]
    while other != seat:
        if row[at.TEAM + other] != row[at.TEAM + seat]:
            held = 2 * count(row[at.HAND + other]) - call_open(row, other)
            if held >= most:
                best, most = other, held
        other = row[at.NEXT + other]
    return best


@compiled
def choose_wish(row: Any, seat: int) -> int:
    """The highest rank that others hold and this seat does not; 0 for none."""
    hand, left = row[at.HAND + seat], unseen(row, seat)
    for rank in range(14, 1, -1):
        if left & of_rank(rank) and not hand & of_rank(rank):
            return rank
    return 0
