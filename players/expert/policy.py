"""The quick policy of playouts: answers, bombs, the Dragon's trick and wishes.

Each seat follows a plan for its hand, and the weights determine the worth of a play. The row holds
all hands, but a seat uses only its own hand and public information. The chosen play is written to
`work.chosen`. `leads.py` has the leads, `opening.py` the choices before them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import CardSet, Points, Rank, Seat
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.leads import choose, effort_of_plan, losers
from players.expert.move_classes import list_move_classes
from players.expert.outlook import call_open, danger, partner_may_make_it, unseen, win_chance
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
)
from players.expert.rules import of_rank, points_of
from players.expert.weights import Weights
from players.expert.workspace import Workspace, plan_of

_NEVER = -np.inf
"""Worth of an answer that is excluded."""
_GOES_OUT, _WINS, _SPOILS = 10.0, 9.0, -9.0
"""Worth of an answer that goes out, that most likely wins, and that spoils a call.

A win is an answer after which the whole rest most likely follows. Going out spoils a partner's
call.
"""


_SMALL_SIZE = 2
"""Maximum size of singles and pairs."""
_LAST_CARDS = 2
"""Maximum cards of a partner whose play is never beaten."""


class _Trick(NamedTuple):
    """Data of the seat on turn for weighing its answers."""

    seat: Seat
    """Seat on turn."""
    hand: CardSet
    """Cards of the seat."""
    plays: int
    """Number of plays of its plan."""
    effort: float
    """Effort of its plan."""
    wished: CardSet
    """Cards of which the seat must lay one for the wish; 0 if it may pass."""
    friendly: bool
    """True if a partner has the trick so far."""
    partner_first: bool
    """True if a partner's call is open, so that the partner should go out first."""
    threat: float
    """Danger of the opponent who has the trick so far; see `danger`."""
    points: Points
    """Points in the trick so far."""
    lead: float
    """Worth of the next lead, before adding that of a short plan."""
    coming: bool
    """True if an opponent still to come could go out by beating the play on the table."""


@compiled
def _trick(row: Row, number: int, weights: Weights, work: Workspace) -> _Trick:
    """Return the trick from the view of the seat on turn.

    `work.plays` has its `number` possible answers.
    """
    seat, top_seat = row[layout.ON_TURN], row[layout.TOP_SEAT]
    plays = plan_of(row, seat, weights, work.plans, work.runs)
    friendly = row[layout.TEAM + top_seat] == row[layout.TEAM + seat]
    return _Trick(
        seat,
        row[layout.HAND + seat],
        plays,
        effort_of_plan(seat, weights, work.plans),
        _to_be_laid(row, seat, number, work.plays),
        friendly,
        partner_may_make_it(row, seat),
        0.0 if friendly else danger(row, top_seat, weights),
        points_of(row[layout.TRICK]) if row[layout.SCORED] else 0,
        _worth_of_next_lead(row, seat, weights),
        _may_go_out_now(row, seat),
    )


@compiled
def _worth_of_next_lead(row: Row, seat: Seat, weights: Weights) -> float:
    """Return the worth to `seat` of the next lead, before adding that of a short plan.

    It is higher if a double victory is possible or imminent, and if opponents other than the holder
    of the trick are close to going out.
    """
    worth = weights[weight.LEAD]
    if call_open(row, seat):
        worth += weights[weight.OWN_CALL]
    elif partner_may_make_it(row, seat):
        worth += weights[weight.LEAD_FOR_CALLER]
    if not row[layout.SCORED]:
        return worth
    if row[layout.OUT_COUNT] == 1:
        ours = row[layout.TEAM + row[layout.OUT]] == row[layout.TEAM + seat]
        worth += weights[weight.LEAD_SWEEP] if ours else weights[weight.LEAD_SWEPT]
    highest = 0.0
    for other in range(row[layout.GAME_SEATS]):
        is_rival = row[layout.TEAM + other] != row[layout.TEAM + seat]
        if is_rival and other != row[layout.TOP_SEAT]:
            highest = max(highest, danger(row, other, weights))
    return worth + weights[weight.RIVAL_OTHER] * highest


@compiled
def _may_go_out_now(row: Row, seat: Seat) -> bool:
    """Return whether an opponent still to come has as many cards as the play on the table."""
    other = row[layout.NEXT + seat]
    while other != row[layout.TOP_SEAT] and other != seat:
        is_rival = row[layout.TEAM + other] != row[layout.TEAM + seat]
        if is_rival and count(row[layout.HAND + other]) == row[layout.TOP_SIZE]:
            return True
        other = row[layout.NEXT + other]
    return False


@compiled
def _worth_of_passing(row: Row, trick: _Trick, weights: Weights) -> float:
    """Return the worth of a pass, which depends on open calls and on partners still to come."""
    worth = weights[weight.PASS]
    if trick.friendly:
        return worth
    if trick.partner_first:
        worth += weights[weight.PASS_CALL]
    elif call_open(row, trick.seat):
        worth += weights[weight.PASS_OWN_CALL]
    other = row[layout.NEXT + trick.seat]
    while other != row[layout.TOP_SEAT] and other != trick.seat:
        is_partner = row[layout.TEAM + other] == row[layout.TEAM + trick.seat]
        if is_partner and row[layout.HAND + other]:
            return worth + weights[weight.PASS_BEHIND]
        other = row[layout.NEXT + other]
    return worth


@compiled
def _to_be_laid(row: Row, seat: Seat, number: int, plays: Plays) -> CardSet:
    """Return the cards of the wished rank if one of `number` plays must fulfil the wish, else 0."""
    if not bound(row, seat):
        return 0
    wished = of_rank(row[layout.WISH])
    for place in range(number):
        if plays[place, CARDS] & wished:
            return wished
    return 0


@compiled
def choose_answer(row: Row, weights: Weights, work: Workspace) -> bool:
    """Choose the answer of the seat on turn to a play. Returns false for a pass."""
    hand = row[layout.HAND + row[layout.ON_TURN]]
    number = list_move_classes(
        hand, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY], work.plays
    )
    if not number:
        return False
    trick = _trick(row, number, weights, work)
    best, best_worth = -1, _worth_of_passing(row, trick, weights)
    for place in range(number):
        play = work.plays[place]
        if trick.wished and not play[CARDS] & trick.wished:
            continue
        worth = _worth_of_answer(row, play, trick, weights, work)
        if worth > best_worth or (trick.wished and best < 0):
            best, best_worth = place, worth
    if best < 0:
        return False
    choose(work, work.plays[best])
    return True


@compiled
def _worth_of_answer(
    row: Row, play: PlayRow, trick: _Trick, weights: Weights, work: Workspace
) -> float:
    """Return the worth of an answer: effort saved, points, the next lead, opponents stopped."""
    cards, kind, size, key = play[CARDS], play[KIND], play[SIZE], play[KEY]
    seat = trick.seat
    planned = False
    for place in range(1, trick.plays + 1):
        planned = planned or work.plans[seat, place, CARDS] == cards
    rest = trick.hand & ~cards
    if trick.friendly and rest and not planned and not trick.wished:
        return _NEVER
    worth = 0.0
    if not rest:
        worth = _SPOILS if trick.partner_first else _GOES_OUT
    else:
        chance = win_chance(row, seat, kind, size, key, weights)
        if (
            planned
            and not trick.partner_first
            and chance >= weights[weight.SURE]
            and losers(row, seat, weights, work.plans, cards) <= 1
        ):
            worth = _WINS
        else:
            if planned:
                saved, left = effort(cards, kind, size, key, weights), trick.plays - 1
            else:
                saved, left = trick.effort - split_effort(rest, weights, work.runs), trick.plays
            worth = saved + chance * _worth_of_trick(row, play, trick, left, weights)
            worth += _price(row, play, trick, weights)
    if trick.friendly and not trick.wished and worth < _WINS:
        return worth if _may_overtake(row, play, trick, weights) else _NEVER
    return worth


@compiled
def _worth_of_trick(row: Row, play: PlayRow, trick: _Trick, left: int, weights: Weights) -> float:
    """Return the worth of the trick if this play wins it.

    `left` plays of the plan remain then.
    """
    points = trick.points
    if row[layout.SCORED]:
        points += points_of(play[CARDS])
    if play[KEY] == layout.DRAGON_KEY:
        points = -points
    lead = trick.lead + weights[weight.LEAD_SHORT] / (1 + left)
    if trick.coming:
        lead += weights[weight.RIVAL_COMING]
    return points * weights[weight.POINTS] + lead + trick.threat


@compiled
def _price(row: Row, play: PlayRow, trick: _Trick, weights: Weights) -> float:
    """Return the part of an answer's worth that does not depend on winning the trick.

    It weighs a Phoenix laid alone by rank and hand size, the rank raised by singles and pairs, and
    beating a partner's play.
    """
    worth = 0.0
    if play[KIND] == layout.SINGLE and play[CARDS] == layout.PHOENIX:
        worth += weights[weight.PHOENIX_ALONE]
        worth += weights[weight.PHOENIX_OVER] * (row[layout.TOP_KEY] >> 1)
        worth += weights[weight.PHOENIX_CARDS] * count(trick.hand)
    elif play[SIZE] <= _SMALL_SIZE and play[KEY] != layout.DRAGON_KEY:
        worth += weights[weight.RAISE] * (play[KEY] - row[layout.TOP_KEY] >> 1)
    if trick.friendly:
        top_cards = count(row[layout.HAND + row[layout.TOP_SEAT]])
        worth += weights[weight.FRIEND] + weights[weight.FRIEND_CARDS] * top_cards
    return worth


@compiled
def _may_overtake(row: Row, play: PlayRow, trick: _Trick, weights: Weights) -> bool:
    """Return whether to beat a partner's low play with a low single or pair.

    A caller also beats higher plays.
    """
    highest = weights[weight.PARTNER_TOP]
    if call_open(row, trick.seat):
        highest += weights[weight.OWN_CALL_TOP]
    return (
        not trick.partner_first
        and count(row[layout.HAND + row[layout.TOP_SEAT]]) > _LAST_CARDS
        and play[SIZE] <= _SMALL_SIZE
        and row[layout.TOP_KEY] >> 1 <= highest
        and play[KEY] >> 1 <= weights[weight.PARTNER_PLAY]
        and play[KIND] < layout.FOUR_BOMB
    )


# --- Bombs, the Dragon's trick, wishes ----------------------------------------------------------


@compiled
def choose_bomb(row: Row, seat: Seat, weights: Weights, work: Workspace) -> bool:
    """Choose a bomb in a window to go out or to stop an opponent. Returns false for none."""
    top_seat = row[layout.TOP_SEAT]
    if row[layout.TEAM + top_seat] == row[layout.TEAM + seat]:
        return False
    points = points_of(row[layout.TRICK]) if row[layout.SCORED] else 0
    urgency = danger(row, top_seat, weights) + weights[weight.BOMB_POINTS] * points
    urgent = urgency >= weights[weight.BOMB]
    number = list_bombs(row[layout.HAND + seat], work.plays, 0)
    plan_of(row, seat, weights, work.plans, work.runs)
    kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    for place in range(number):
        play = work.plays[place]
        if not beats(play[KIND], play[SIZE], play[KEY], kind, size, key):
            continue
        if urgent or (
            not partner_may_make_it(row, seat)
            and losers(row, seat, weights, work.plans, play[CARDS]) <= 1
        ):
            choose(work, play)
            return True
    return False


@compiled
def choose_receiver(row: Row, seat: Seat) -> Seat:
    """Return the opponent who gets a Dragon's trick: the one with the most cards.

    Of two with equally many, it is the later one in turn order. A caller counts as closer to going
    out.
    """
    best, highest = -1, -1
    other = row[layout.NEXT + seat]
    while other != seat:
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            sort_value = 2 * count(row[layout.HAND + other]) - call_open(row, other)
            if sort_value >= highest:
                best, highest = other, sort_value
        other = row[layout.NEXT + other]
    return best


@compiled
def choose_wish(row: Row, seat: Seat) -> Rank:
    """Return the highest rank that others hold and this seat does not; 0 for none."""
    hand, left = row[layout.HAND + seat], unseen(row, seat)
    for rank in range(14, 1, -1):
        if left & of_rank(rank) and not hand & of_rank(rank):
            return rank
    return 0
