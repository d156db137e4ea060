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
from players.expert.leads import choose, count_losers, effort_of_plan
from players.expert.move_classes import list_move_classes
from players.expert.outlook import (
    can_beat,
    danger,
    has_open_call,
    partner_has_open_call,
    unseen,
    win_chance,
)
from players.expert.partition import effort, split_effort
from players.expert.plays import (
    CARDS,
    KEY,
    KIND,
    SIZE,
    PlayRow,
    Plays,
    beats,
    bound_by_wish,
    list_bombs,
)
from players.expert.rules import cards_of_rank, points_of
from players.expert.weights import Weights
from players.expert.workspace import Workspace, ensure_plan

_EXCLUDED = -np.inf
"""Worth of an answer that is excluded."""
_GOES_OUT, _WINS, _SPOILS = 10.0, 9.0, -9.0
"""Worth of an answer that goes out, that decides the round, and that spoils a partner's call.

An answer decides the round if the seat can then most likely lay all its other cards in a row. A
partner's call is spoilt by going out before that partner.
"""


_SMALL_SIZE = 2
"""Maximum size of small plays, which are singles and pairs."""
_LAST_CARDS = 2
"""Maximum cards of a partner whose plays are left alone, because they may go out."""


class _Trick(NamedTuple):
    """Data of the seat on turn for weighing its answers."""

    seat: Seat
    """Seat on turn."""
    hand: CardSet
    """Cards of the seat."""
    plan_size: int
    """Number of plays of its plan."""
    effort: float
    """Effort of its plan."""
    required: CardSet
    """Cards of the wished rank, if the seat must lay one of them; else 0."""
    friendly: bool
    """True if a partner has the trick so far."""
    partner_first: bool
    """True if a partner's call is open, so that the partner should go out first."""
    threat: float
    """Danger of the opponent who has the trick so far; see `danger`."""
    points: Points
    """Points in the trick so far."""
    next_lead: float
    """Worth of the next lead, without what a short plan adds to it."""
    rival_may_go_out: bool
    """True if an opponent still to come has exactly as many cards as the play on the table."""


@compiled
def facts_of_trick(row: Row, answer_count: int, weights: Weights, work: Workspace) -> _Trick:
    """Return the data of the seat on turn. `work.plays` has its `answer_count` possible answers."""
    seat, top_seat = row[layout.ON_TURN], row[layout.TOP_SEAT]
    plan_size = ensure_plan(row, seat, weights, work.plans, work.runs)
    friendly = row[layout.TEAM + top_seat] == row[layout.TEAM + seat]
    return _Trick(
        seat,
        row[layout.HAND + seat],
        plan_size,
        effort_of_plan(seat, weights, work.plans),
        _required_cards(row, seat, answer_count, work.plays),
        friendly,
        partner_has_open_call(row, seat),
        0.0 if friendly else danger(row, top_seat, weights),
        points_of(row[layout.TRICK]) if row[layout.SCORED] else 0,
        _worth_of_next_lead(row, seat, weights),
        _rival_may_go_out(row, seat),
    )


@compiled
def _worth_of_next_lead(row: Row, seat: Seat, weights: Weights) -> float:
    """Return the worth to `seat` of the next lead, without what a short plan adds to it.

    It is higher if a double victory of either team is possible, and if opponents are close to going
    out (besides the one who has the trick so far).
    """
    worth = weights[weight.LEAD]
    if has_open_call(row, seat):
        worth += weights[weight.OWN_CALL]
    elif partner_has_open_call(row, seat):
        worth += weights[weight.LEAD_FOR_CALLER]
    if not row[layout.SCORED]:
        return worth
    if row[layout.OUT_COUNT] == 1:
        partner_is_first = row[layout.TEAM + row[layout.OUT]] == row[layout.TEAM + seat]
        worth += weights[weight.LEAD_SWEEP] if partner_is_first else weights[weight.LEAD_SWEPT]
    highest_danger = 0.0
    for other in range(row[layout.GAME_SEATS]):
        is_rival = row[layout.TEAM + other] != row[layout.TEAM + seat]
        if is_rival and other != row[layout.TOP_SEAT]:
            highest_danger = max(highest_danger, danger(row, other, weights))
    return worth + weights[weight.RIVAL_OTHER] * highest_danger


@compiled
def _rival_may_go_out(row: Row, seat: Seat) -> bool:
    """Return whether an opponent still to come has as many cards as the play on the table."""
    other = row[layout.NEXT + seat]
    while other != row[layout.TOP_SEAT] and other != seat:
        is_rival = row[layout.TEAM + other] != row[layout.TEAM + seat]
        if is_rival and count(row[layout.HAND + other]) == row[layout.TOP_SIZE]:
            return True
        other = row[layout.NEXT + other]
    return False


@compiled
def worth_of_passing(row: Row, trick: _Trick, weights: Weights) -> float:
    """Return the worth of a pass. It depends on open calls and on partners still to come."""
    worth = weights[weight.PASS]
    if trick.friendly:
        return worth
    if trick.partner_first:
        worth += weights[weight.PASS_CALL]
    elif has_open_call(row, trick.seat):
        worth += weights[weight.PASS_OWN_CALL]
    other = row[layout.NEXT + trick.seat]
    while other != row[layout.TOP_SEAT] and other != trick.seat:
        is_partner = row[layout.TEAM + other] == row[layout.TEAM + trick.seat]
        if is_partner and row[layout.HAND + other]:
            kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
            is_seen = row[layout.SEES + trick.seat] >> other & 1
            if is_seen and can_beat(row[layout.HAND + other], kind, size, key):
                worth += weights[weight.PASS_SEEN]
            return worth + weights[weight.PASS_BEHIND]
        other = row[layout.NEXT + other]
    return worth


@compiled
def _required_cards(row: Row, seat: Seat, answer_count: int, plays: Plays) -> CardSet:
    """Return the cards of the wished rank, if the seat can and must fulfil the wish, else 0.

    `plays` has its `answer_count` possible answers.
    """
    if not bound_by_wish(row, seat):
        return 0
    wished = cards_of_rank(row[layout.WISH])
    for place in range(answer_count):
        if plays[place, CARDS] & wished:
            return wished
    return 0


@compiled
def choose_answer(row: Row, weights: Weights, work: Workspace) -> bool:
    """Choose the answer of the seat on turn to a play. Returns false for a pass."""
    hand = row[layout.HAND + row[layout.ON_TURN]]
    answer_count = list_move_classes(
        hand, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY], work.plays
    )
    if not answer_count:
        return False
    trick = facts_of_trick(row, answer_count, weights, work)
    best, best_worth = -1, worth_of_passing(row, trick, weights)
    for place in range(answer_count):
        play = work.plays[place]
        if trick.required and not play[CARDS] & trick.required:
            continue
        worth = worth_of_answer(row, play, trick, weights, work)
        # If a play is required, even the worst one comes before a pass.
        if worth > best_worth or (trick.required and best < 0):
            best, best_worth = place, worth
    if best < 0:
        return False
    choose(work, work.plays[best])
    return True


@compiled
def worth_of_answer(
    row: Row, play: PlayRow, trick: _Trick, weights: Weights, work: Workspace
) -> float:
    """Return the worth of an answer.

    It adds up the effort saved, the points, the next lead, and the danger of opponents averted.
    """
    cards, kind, size, key = play[CARDS], play[KIND], play[SIZE], play[KEY]
    seat, planned = trick.seat, False
    for place in range(1, trick.plan_size + 1):
        planned = planned or work.plans[seat, place, CARDS] == cards
    rest = trick.hand & ~cards
    if trick.friendly and rest and not planned and not trick.required:
        return _EXCLUDED
    worth = 0.0
    if not rest:
        worth = _SPOILS if trick.partner_first else _GOES_OUT
    else:
        chance = win_chance(row, seat, kind, size, key, weights)
        if (
            planned
            and not trick.partner_first
            and chance >= weights[weight.SURE]
            and count_losers(row, seat, weights, work.plans, cards) <= 1
        ):
            worth = _WINS
        else:
            if planned:
                saved, plays_left = effort(cards, kind, size, key, weights), trick.plan_size - 1
            else:
                saved, plays_left = (
                    trick.effort - split_effort(rest, weights, work.runs),
                    trick.plan_size,
                )
            worth = saved + chance * _worth_of_trick(row, play, trick, plays_left, weights)
            worth += _worth_apart_from_trick(row, play, trick, weights)
    # A partner's play is only beaten to decide the round, or by a low play.
    if trick.friendly and not trick.required and worth < _WINS:
        return worth if _may_overtake(row, play, trick, weights) else _EXCLUDED
    return worth


@compiled
def _worth_of_trick(
    row: Row, play: PlayRow, trick: _Trick, plays_left: int, weights: Weights
) -> float:
    """Return the worth of the trick if this play wins it.

    `plays_left` plays of the plan remain then.
    """
    points = trick.points
    if row[layout.SCORED]:
        points += points_of(play[CARDS])
    if play[KEY] == layout.DRAGON_KEY:
        points = -points  # an opponent gets the trick
    lead = trick.next_lead + weights[weight.LEAD_SHORT] / (1 + plays_left)
    if trick.rival_may_go_out:
        lead += weights[weight.RIVAL_COMING]
    return points * weights[weight.POINTS] + lead + trick.threat


@compiled
def _worth_apart_from_trick(row: Row, play: PlayRow, trick: _Trick, weights: Weights) -> float:
    """Return the part of an answer's worth that does not depend on winning the trick.

    It depends on the rank and hand size if the Phoenix is laid alone, on the increase of the rank
    for other singles and pairs, and on whether the play beats a partner's play.
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
    """Return whether the seat may beat a partner's play: only a low one, by a low single or pair.

    A caller may also beat higher ones.
    """
    highest = weights[weight.PARTNER_TOP]
    if has_open_call(row, trick.seat):
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
    """Choose a bomb in a window, to go out or to stop an opponent. Returns false for none."""
    top_seat = row[layout.TOP_SEAT]
    if row[layout.TEAM + top_seat] == row[layout.TEAM + seat]:
        return False
    points = points_of(row[layout.TRICK]) if row[layout.SCORED] else 0
    urgency = danger(row, top_seat, weights) + weights[weight.BOMB_POINTS] * points
    urgent = urgency >= weights[weight.BOMB]
    bomb_count = list_bombs(row[layout.HAND + seat], work.plays, 0)
    ensure_plan(row, seat, weights, work.plans, work.runs)
    kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    for place in range(bomb_count):
        play = work.plays[place]
        if not beats(play[KIND], play[SIZE], play[KEY], kind, size, key):
            continue
        if urgent or (
            not partner_has_open_call(row, seat)
            and count_losers(row, seat, weights, work.plans, play[CARDS]) <= 1
        ):
            choose(work, play)
            return True
    return False


@compiled
def choose_receiver(row: Row, seat: Seat) -> Seat:
    """Return the opponent who gets a Dragon's trick: the one with the most cards.

    Of two with equally many cards it is one that has not called, or else the later one in turn
    order.
    """
    best, highest = -1, -1
    other = row[layout.NEXT + seat]
    while other != seat:
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            sort_value = 2 * count(row[layout.HAND + other]) - has_open_call(row, other)
            if sort_value >= highest:
                best, highest = other, sort_value
        other = row[layout.NEXT + other]
    return best


@compiled
def choose_wish(row: Row, seat: Seat) -> Rank:
    """Return the highest rank that others hold and this seat does not; 0 for none."""
    hand, left = row[layout.HAND + seat], unseen(row, seat)
    for rank in range(14, 1, -1):
        if left & cards_of_rank(rank) and not hand & cards_of_rank(rank):
            return rank
    return 0
