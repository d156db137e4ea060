"""The quick policy of playouts with two decks: leads, answers, bombs and wishes.

It works like `players.expert.policy`, but without partners, and with weights of its own. The row
holds all hands, but a seat uses only its own hand and public information. The chosen play is
written to `work.chosen`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from engine import Rank, Seat
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled
from players.expert.habits import HABITS, Habits
from players.expert.layout import Row
from players.expert.leads import ALL_OUT, SHORT_SIZE, SURE_BOMB, SURE_WINNER
from players.expert.likelihood import MOST_OPTIONS
from players.expert.partition import Runs, effort
from players.expert.plays import CARDS, KEY, KIND, SIZE, PlayRow, Plays
from players.expert.rules import cards_of_rank
from players.expert.two_decks.hands import (
    DRAGONS,
    ONES,
    PHOENIXES,
    Cards,
    Counts,
    count_by_rank,
    count_of_rank,
    hand_of,
    hand_size,
    without,
)
from players.expert.two_decks.layout import DECKS, GONE, SEATS, WIDTH
from players.expert.two_decks.move_classes import (
    MOST,
    PLAY,
    TWICE,
    append_bombs,
    bound_by_wish,
    cards_of,
    copy_to,
    keep_wished,
    list_move_classes,
)
from players.expert.two_decks.partition import (
    LONGEST,
    make_runs,
    split,
    split_effort,
)
from players.expert.weights import Weights

Plans: TypeAlias = Any
"""Plans of all seats.

`[seat, 0, 0]` is the number of plays, -1 without a plan. The plays follow from `[seat, 1]` on.
"""
_GOES_OUT, _WINS = 10.0, 9.0
"""Worth of an answer that goes out, and of one that decides the round.

An answer decides the round if the seat can then most likely lay all its other cards in a row.
"""


class Workspace(NamedTuple):
    """Work arrays of the functions; two threads cannot share them."""

    plans: Plans
    """Planned plays of each seat."""
    plays: Plays
    """Plays that a seat chooses from."""
    runs: Runs
    """Lists of runs of `partition`."""
    chosen: PlayRow
    """Play that was chosen last."""
    row: Row
    """Scratch position."""
    likely: Any
    """Log likelihood of each hand of the current deal, by seat."""
    options: Any
    """Options of an action, as places in the habits."""
    habits: Habits
    """Habits of players."""


def make_workspace() -> Workspace:
    """Return new work arrays, without any plans."""
    plans = np.zeros((SEATS, LONGEST + 1, PLAY), np.int64)
    plans[:, 0, 0] = -1
    return Workspace(
        plans=plans,
        plays=np.zeros((MOST, PLAY), np.int64),
        runs=make_runs(),
        chosen=np.zeros(PLAY, np.int64),
        row=np.zeros(WIDTH, np.int64),
        likely=np.zeros(SEATS),
        options=np.zeros(MOST_OPTIONS, np.int64),
        habits=HABITS,
    )


# --- Plans --------------------------------------------------------------------------------------


@compiled
def discard_plans(plans: Plans) -> None:
    """Discard the plans of all seats."""
    for seat in range(SEATS):
        plans[seat, 0, 0] = -1


@compiled
def ensure_plan(row: Row, seat: Seat, weights: Weights, work: Workspace) -> int:
    """Make the plan of a seat, if it has none. Returns the number of its plays."""
    plans = work.plans
    if plans[seat, 0, 0] < 0:
        plans[seat, 0, 0] = split(hand_of(row, seat), weights, work.runs, plans[seat, 1:])
    return plans[seat, 0, 0]


@compiled
def remove_from_plan(plans: Plans, seat: Seat, play: PlayRow) -> None:
    """Remove a play from a seat's plan after it was laid.

    If the plan has no such play, the plan is discarded.
    """
    plan_size = plans[seat, 0, 0]
    for place in range(1, plan_size + 1):
        if have_same_cards(plans[seat, place], play):
            copy_to(plans[seat], place, plans[seat, plan_size])
            plans[seat, 0, 0] = plan_size - 1
            return
    plans[seat, 0, 0] = -1


@compiled
def copy_plans(plans: Plans, source: Plans) -> None:
    """Overwrite `plans` with the plans in `source`."""
    for seat in range(SEATS):
        plans[seat, 0, 0] = source[seat, 0, 0]
        for place in range(1, source[seat, 0, 0] + 1):
            copy_to(plans[seat], place, source[seat, place])


@compiled
def have_same_cards(play: PlayRow, other: PlayRow) -> bool:
    """Return whether two plays have the same cards."""
    return play[CARDS] == other[CARDS] and play[TWICE] == other[TWICE]


# --- Public information -------------------------------------------------------------------------


@compiled
def _total(counts: Counts) -> int:
    """Return the number of all cards: the sum of the counts of all ranks."""
    # Add up neighbouring counts to bytes; the multiplication adds all bytes up in the highest one.
    pairs = (counts & 0x0F0F0F0F0F0F0F0F) + (counts >> 4 & 0x0F0F0F0F0F0F0F0F)
    return (pairs * 0x0101010101010101) >> 56 & 255


@compiled
def _count_beating_ways(left: Counts, kind: int, size: int, key: int) -> int:
    """Return the number of ways in which the cards `left` could beat a play.

    Against a single each higher card is one way; against other plays, each rank of a higher play.
    """
    wild, rank = left >> PHOENIXES & 15, key // 2
    if kind == layout.SINGLE:
        dragons = left >> DRAGONS & 15
        if key == layout.DRAGON_KEY:
            return dragons
        # The counts of ordinary cards have the bits of `NATURALS`, four for each rank from 2 on.
        higher = (left & layout.NATURALS) >> 4 * max(0, rank - 1) if rank < 14 else 0
        return _total(higher) + wild + dragons
    if kind == layout.STRAIGHT or kind == layout.STAIRS:
        each = 1 if kind == layout.STRAIGHT else 2
        return _runs_above(left, rank, size // each, each, wild)
    first_bits, second_bits = left & ONES, left >> 1 & ONES
    four_or_more = (left >> 2 | left >> 3) & ONES
    needed = (2 if kind == layout.PAIR else 3) - wild
    fitting_ranks = four_or_more | second_bits & first_bits  # three cards have both bits
    if needed <= 2:
        fitting_ranks |= second_bits
    if needed <= 1:
        fitting_ranks |= first_bits
    if rank >= 14:
        return 0
    return _total(fitting_ranks >> 4 * (rank - 1))


@compiled
def _runs_above(left: Counts, rank: Rank, length: int, each: int, wild: int) -> int:
    """Return the number of higher runs that the cards `left` can form.

    Their highest rank is above `rank`. A run has `length` ranks and `each` cards of every rank.
    `wild` is the number of Phoenixes.
    """
    ways = 0
    for top in range(rank + 1, 15):
        missing = 0
        for rank_of_run in range(max(2, top - length + 1), top + 1):
            missing += max(0, each - count_of_rank(left, rank_of_run))
        ways += missing <= wild
    return ways


class OtherHands(NamedTuple):
    """Public facts about the hands of all other seats."""

    left: Counts
    """Number of unseen cards of each rank."""
    fewest: int
    """Number of cards of the smallest hand that is not empty; `ALL_OUT` if all are empty."""
    most: int
    """Number of cards of the largest hand."""


@compiled
def other_hands(row: Row, seat: Seat) -> OtherHands:
    """Return the facts about the hands of all seats but this one."""
    fewest, most = ALL_OUT, 0
    for other in range(row[layout.GAME_SEATS]):
        size = hand_size(row, other)
        if other != seat and size:
            fewest, most = min(fewest, size), max(most, size)
    return OtherHands(DECKS - row[GONE] - count_by_rank(hand_of(row, seat)), fewest, most)


@compiled
def win_chance(others: OtherHands, play: PlayRow, weights: Weights) -> float:
    """Return the chance that nobody beats this play, bombs aside."""
    kind, size = play[KIND], play[SIZE]
    if kind >= layout.FOUR_BOMB or size > others.most:
        return 1.0
    if kind == layout.SINGLE:
        way_chance = weights[weight.BEAT_SINGLE]
    elif kind == layout.PAIR:
        way_chance = weights[weight.BEAT_PAIR]
    elif kind == layout.TRIPLE:
        way_chance = weights[weight.BEAT_TRIPLE]
    elif kind == layout.FULL_HOUSE:
        way_chance = weights[weight.BEAT_FULL_HOUSE]
    else:
        way_chance = weights[weight.BEAT_RUN]
    return (1.0 - way_chance) ** _count_beating_ways(others.left, kind, size, play[KEY])


@compiled
def _danger(row: Row, seat: Seat, weights: Weights) -> float:
    """Return the urgency of stopping a seat from going out: 0 is none, 1 is high."""
    cards = hand_size(row, seat)
    if not cards:
        return 0.0
    near = weights[weight.NEAR] + weights[weight.NEAR_CARD] * cards
    return weights[weight.ALONE] * max(0.0, near)


@compiled
def _count_losers(others: OtherHands, plan: Plays, laid: PlayRow, weights: Weights) -> int:
    """Return the number of plays in a plan that others may beat; `laid` is not counted."""
    beatable = 0
    for place in range(1, plan[0, 0] + 1):
        if not have_same_cards(plan[place], laid):
            beatable += win_chance(others, plan[place], weights) < weights[weight.SURE]
    return beatable


# --- Leads --------------------------------------------------------------------------------------


@compiled
def choose_lead(row: Row, weights: Weights, work: Workspace) -> None:
    """Choose the lead of the seat on turn: a play of its plan."""
    seat = row[layout.ON_TURN]
    plan_size = ensure_plan(row, seat, weights, work)
    wished = cards_of_rank(row[layout.WISH]) if bound_by_wish(row, seat) else 0
    others, plan = other_hands(row, seat), work.plans[seat]
    work.chosen[:] = 0  # no play, so that all plays of the plan are counted
    unstoppable = not wished and _count_losers(others, plan, work.chosen, weights) <= 1
    best_worth, best = -np.inf, 1
    for place in range(1, plan_size + 1):
        play = plan[place]
        if wished:
            if not play[CARDS] & wished:
                continue
            worth = play[SIZE] + effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
        elif unstoppable:
            worth = SURE_WINNER * (win_chance(others, play, weights) >= weights[weight.SURE])
            worth += play[SIZE] + SURE_BOMB * (play[KIND] >= layout.FOUR_BOMB)
        else:
            worth = worth_of_lead(row, seat, play, others, weights)
        if worth > best_worth:
            best_worth, best = worth, place
    _choose(work, plan[best])


@compiled
def _choose(work: Workspace, play: PlayRow) -> None:
    """Write a play to `work.chosen`."""
    for place in range(PLAY):
        work.chosen[place] = play[place]


@compiled
def worth_of_lead(
    row: Row, seat: Seat, play: PlayRow, others: OtherHands, weights: Weights
) -> float:
    """Return the worth of a lead.

    Long and low plays have a higher worth (the weight of the rank is negative).
    """
    kind, size, key = play[KIND], play[SIZE], play[KEY]
    worth = weights[weight.LEAD_EFFORT] * effort(play[CARDS], kind, size, key, weights)
    worth += weights[weight.LEAD_SIZE] * size + weights[weight.LEAD_RANK] * (key >> 1)
    if play[CARDS] & layout.MAHJONG:  # it rarely wins a trick later, so it must be led in time
        worth += weights[weight.ONLY_LED] / hand_size(row, seat)
    # An opponent with exactly so many cards may go out by beating this play.
    if size == others.fewest and size <= SHORT_SIZE:
        worth += weights[weight.ALONE] * (win_chance(others, play, weights) - 1.0)
    return worth


# --- Answers, bombs, wishes ---------------------------------------------------------------------


class _Trick(NamedTuple):
    """Data of the seat on turn for weighing its answers."""

    hand: Cards
    """Cards of the seat."""
    effort: float
    """Effort of its plan."""
    threat: float
    """Danger of the seat that has the trick so far; see `_danger`."""
    others: OtherHands
    """Facts about the other hands."""


@compiled
def facts_of_trick(row: Row, weights: Weights, work: Workspace) -> _Trick:
    """Return the data of the seat on turn."""
    seat = row[layout.ON_TURN]
    plan_size, plan_effort = ensure_plan(row, seat, weights, work), 0.0
    for place in range(1, plan_size + 1):
        play = work.plans[seat, place]
        plan_effort += effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
    threat = _danger(row, row[layout.TOP_SEAT], weights)
    return _Trick(hand_of(row, seat), plan_effort, threat, other_hands(row, seat))


@compiled
def choose_answer(row: Row, weights: Weights, work: Workspace) -> bool:
    """Choose the answer of the seat on turn to a play. Returns false for a pass."""
    seat = row[layout.ON_TURN]
    hand = hand_of(row, seat)
    answer_count = list_move_classes(
        hand, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY], work.plays
    )
    if not answer_count:
        return False
    answer_count, must_play = keep_wished(row, work.plays, answer_count)
    trick = facts_of_trick(row, weights, work)
    best, best_worth = -1, weights[weight.PASS]
    for place in range(answer_count):
        worth = worth_of_answer(work.plays[place], trick, work.plans[seat], weights, work)
        # If a play is required, even the worst one comes before a pass.
        if worth > best_worth or (must_play and best < 0):
            best, best_worth = place, worth
    if best < 0:
        return False
    _choose(work, work.plays[best])
    return True


@compiled
def worth_of_answer(
    play: PlayRow, trick: _Trick, plan: Plays, weights: Weights, work: Workspace
) -> float:
    """Return the worth of an answer: effort saved, the next lead, danger of opponents averted."""
    rest = without(trick.hand, cards_of(play))
    if not rest.ones:
        return _GOES_OUT
    planned, plan_size = False, plan[0, 0]
    for place in range(1, plan_size + 1):
        planned = planned or have_same_cards(plan[place], play)
    chance = win_chance(trick.others, play, weights)
    if planned:
        if chance >= weights[weight.SURE] and _count_losers(trick.others, plan, play, weights) <= 1:
            return _WINS
        saved, plays_left = (
            effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights),
            plan_size - 1,
        )
    else:
        saved, plays_left = trick.effort - split_effort(rest, weights, work.runs), plan_size
    lead = weights[weight.LEAD] + weights[weight.LEAD_SHORT] / (1 + plays_left)
    return saved + chance * (lead + trick.threat)


@compiled
def choose_bomb(row: Row, seat: Seat, weights: Weights, work: Workspace) -> bool:
    """Choose a bomb in a window, to go out or to stop an opponent. Returns false for none."""
    kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    bomb_count = append_bombs(hand_of(row, seat), kind, size, key, work.plays, 0)
    if not bomb_count:
        return False
    urgent = _danger(row, row[layout.TOP_SEAT], weights) >= weights[weight.BOMB]
    ensure_plan(row, seat, weights, work)
    others, plan = other_hands(row, seat), work.plans[seat]
    for place in range(bomb_count):
        play = work.plays[place]
        if urgent or _count_losers(others, plan, play, weights) <= 1:
            _choose(work, play)
            return True
    return False


@compiled
def choose_wish(row: Row, seat: Seat) -> Rank:
    """Return the highest rank that others hold and this seat does not; 0 for none."""
    hand, left = hand_of(row, seat), other_hands(row, seat).left
    for rank in range(14, 1, -1):
        if count_of_rank(left, rank) and not hand.ones & cards_of_rank(rank):
            return rank
    return 0
