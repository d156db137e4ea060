"""Likelihood of a hand, given the actions of its seat: answers, leads, gifts, calls.

Example: a seat has passed on an opponent's six. A deal that gives it a lone eight is unlikely,
because with that hand it would rather have beaten the six.

The actions are an array of rows (`players.expert.evidence`). Each row is weighed by the habits of
players (`players.expert.habits`): the number of the chosen option, divided by the sum over all
options that the hand had.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

from engine import CardSet, Rank
from players.expert import habits as habit
from players.expert import layout
from players.expert.compiled import compiled, count, lowest
from players.expert.habits import RANKS, CallWeights, Habits

SEAT, WHAT, CONTEXT, TOP, CHOSEN, RANK, MORE, FEWER = range(8)
"""Places of a row.

The seat; the kind of action; the context, by number; the rank of the play to beat; the choice and
its rank; the cards that the seat had then but not now, and those that it has now but did not have
then.
"""
ON_SINGLE, ON_PAIR, ON_TRIPLE, ON_HOUSE, LEAD, GIFT, TICHU, GRAND, KEPT = range(9)
"""Kinds of actions: an answer to a play, a lead, a gift, a call decision, the exchange.

For a call decision `CHOSEN` is 1 if the call was made, and `CONTEXT` is 1 if an opponent had
called. The exchange stands for all cards that were given and kept: after it, and later in a round,
few hands have useless low cards. It is weighed by the current cards; `MORE` and `FEWER` are empty.
"""
PASSED, NATURAL, WILD, DRAGON = range(4)
"""Possible answers; `WILD` is the Phoenix, alone or in a set.

An ordinary card as a gift is `NATURAL`.
"""
SINGLE, PAIR, TRIPLE, HOUSE, OTHER = range(5)
"""Possible leads.

`OTHER` stands for the special cards and so on (`players.expert.habits`), which then replace the
rank.
"""
MOST_OPTIONS = 64
"""Upper bound of the number of options of a hand."""
LONE_LOW, LONE_HIGH = 9, 10
"""Features that count the lone cards of a hand: up to the nine, up to the queen."""
_ONES = 0x1111111111111
"""Lowest bit for each rank."""


@compiled
def _multiples(hand: CardSet) -> int:
    """Return the number of cards of each rank in a hand.

    Each rank has four bits, rank 2 the lowest.
    """
    cards = hand & layout.NATURALS
    pairs = cards - ((cards >> 1) & 0x5555555555555)
    return (pairs & 0x3333333333333) + ((pairs >> 2) & 0x3333333333333)


@compiled
def _in_runs(multiples: int) -> int:
    """Return a bit for each rank in a run of five ranks, laid out as in `_multiples`."""
    held = (multiples | multiples >> 1 | multiples >> 2) & _ONES
    runs = held & held >> 4 & held >> 8 & held >> 12 & held >> 16
    return runs | runs << 4 | runs << 8 | runs << 12 | runs << 16


@compiled
def _form(multiples: int, runs: int, rank: Rank) -> int:
    """Return the form of a rank in a hand, such as `habits.ALONE`; -1 if there is none."""
    place = 4 * (rank - 2)
    held = multiples >> place & 7
    if held == 1:
        return habit.IN_RUN if runs >> place & 1 else habit.ALONE
    return held if held else -1


@compiled
def list_options(hand: CardSet, done: Any, places: Any) -> tuple[int, int]:
    """Write the places in the habits of all options that a hand had for an action.

    `done` is a row other than a call. Returns the number of options and the index of the chosen
    one, -1 if it is not among them.
    """
    what, context = done[WHAT], done[CONTEXT]
    if what == ON_SINGLE:
        base = habit.SINGLES.begin + context * habit.SINGLES.options * RANKS
        return _answers_to_single(hand, done, base, places)
    if what == LEAD:
        base = habit.LEADS.begin + context * habit.LEADS.options * RANKS
        return _leads(hand, done, base, places)
    if what == GIFT:
        base = habit.GIFTS.begin + context * habit.GIFTS.options * RANKS
        return _gifts(hand, done, base, places)
    context += 18 * (what - ON_PAIR)
    base = habit.SETS.begin + context * habit.SETS.options * RANKS
    return _answers_to_set(hand, done, base, places)


@compiled
def _answers_to_single(hand: CardSet, done: Any, base: int, places: Any) -> tuple[int, int]:
    """Return the options of a hand against a single; see `list_options`."""
    top, how, rank_chosen = done[TOP], done[CHOSEN], done[RANK]
    multiples = _multiples(hand)
    runs = _in_runs(multiples)
    places[0] = base + habit.PASS_ON_SINGLE * RANKS + top
    number, chosen = 1, 0 if how == PASSED else -1
    left = multiples >> 4 * max(0, top - 1)
    rank = max(2, top + 1)
    while left:
        skipped = lowest(left) >> 2
        rank += skipped
        left >>= 4 * skipped
        if how == NATURAL and rank == rank_chosen:
            chosen = number
        places[number] = base + _form(multiples, runs, rank) * RANKS + rank
        number += 1
        left >>= 4
        rank += 1
    if hand & layout.PHOENIX:
        if how == WILD:
            chosen = number
        places[number] = base + habit.WILD_ON_SINGLE * RANKS + top
        number += 1
    if hand & layout.DRAGON:
        if how == DRAGON:
            chosen = number
        places[number] = base + habit.DRAGON_ON_SINGLE * RANKS + top
        number += 1
    return number, chosen


@compiled
def _answers_to_set(hand: CardSet, done: Any, base: int, places: Any) -> tuple[int, int]:
    """Return the options of a hand against a pair, triple or full house.

    See `list_options`.
    """
    top, how, rank_chosen = done[TOP], done[CHOSEN], done[RANK]
    needed = 2 if done[WHAT] == ON_PAIR else 3
    multiples = _multiples(hand)
    places[0] = base + habit.PASS_ON_SET * RANKS + top
    number, chosen = 1, 0 if how == PASSED else -1
    for rank in range(top + 1, 15):
        held = multiples >> 4 * (rank - 2) & 7
        if held >= needed:
            if how == NATURAL and rank == rank_chosen:
                chosen = number
            places[number] = base + (habit.OF_TWO + held - 2) * RANKS + rank
            number += 1
        if hand & layout.PHOENIX and held and held + 1 >= needed:
            if how == WILD and rank == rank_chosen:
                chosen = number
            places[number] = base + habit.WITH_WILD * RANKS + rank
            number += 1
    return number, chosen


@compiled
def _leads(hand: CardSet, done: Any, base: int, places: Any) -> tuple[int, int]:
    """Return the options of a hand that leads; see `list_options`."""
    how, rank_chosen = done[CHOSEN], done[RANK]
    multiples = _multiples(hand)
    runs = _in_runs(multiples)
    number, chosen, left, rank = 0, -1, multiples, 2
    while left:
        skipped = lowest(left) >> 2
        rank += skipped
        left >>= 4 * skipped
        held, same = left & 7, rank == rank_chosen
        if same and how == SINGLE:
            chosen = number
        places[number] = base + _form(multiples, runs, rank) * RANKS + rank
        number += 1
        if held >= 2:
            if same and how == PAIR:
                chosen = number
            places[number] = base + (habit.LEAD_PAIR + held - 2) * RANKS + rank
            number += 1
        if held >= 3:
            if same and how == TRIPLE:
                chosen = number
            places[number] = base + (habit.LEAD_TRIPLE + held - 3) * RANKS + rank
            number += 1
            if multiples & 0x6666666666666 & ~(15 << 4 * (rank - 2)):
                if same and how == HOUSE:
                    chosen = number
                places[number] = base + habit.LEAD_HOUSE * RANKS + rank
                number += 1
        left >>= 4
        rank += 1
    others = _other_leads(hand, multiples, runs)
    while others:
        other = lowest(others)
        others &= others - 1
        if how == OTHER and other == rank_chosen:
            chosen = number
        places[number] = base + habit.LEAD_OTHER * RANKS + other
        number += 1
    return number, chosen


@compiled
def _other_leads(hand: CardSet, multiples: int, runs: int) -> int:
    """Return a bit for each of the other leads of a hand, by their numbers in `habits`."""
    others = _specials(hand)
    held = (multiples | multiples >> 1 | multiples >> 2) & _ONES
    many = (multiples >> 1 | multiples >> 2) & _ONES
    if runs:
        others |= 1 << habit.STRAIGHT
    if many & many >> 4:
        others |= 1 << habit.STAIRS
    if hand & layout.PHOENIX:
        others |= 1 << habit.WILD
        ends = held & held >> 16
        if held & held >> 4 & held >> 8 & held >> 12 or (
            ends & (held >> 4 & (held >> 8 | held >> 12) | held >> 8 & held >> 12)
        ):
            others |= 1 << habit.STRAIGHT
        if many & (held >> 4 | held << 4):
            others |= 1 << habit.STAIRS
    return others


@compiled
def _specials(hand: CardSet) -> int:
    """Return a bit for each special card of a hand, by their numbers in `habits`."""
    specials = 0
    if hand & layout.DOG_CARD:
        specials |= 1 << habit.DOG
    if hand & layout.MAHJONG:
        specials |= 1 << habit.MAHJONG
    if hand & layout.PHOENIX:
        specials |= 1 << habit.PHOENIX
    if hand & layout.DRAGON:
        specials |= 1 << habit.DRAGON
    return specials


@compiled
def _gifts(hand: CardSet, done: Any, base: int, places: Any) -> tuple[int, int]:
    """Return the options of a hand that gives a card away; see `list_options`."""
    how, rank_chosen = done[CHOSEN], done[RANK]
    multiples = _multiples(hand)
    runs = _in_runs(multiples)
    number, chosen = 0, -1
    for rank in range(2, 15):
        form = _form(multiples, runs, rank)
        if form >= 0:
            if how == NATURAL and rank == rank_chosen:
                chosen = number
            places[number] = base + form * RANKS + rank
            number += 1
    specials = _specials(hand)
    while specials:
        special = lowest(specials)
        specials &= specials - 1
        if how == OTHER and special == rank_chosen:
            chosen = number
        places[number] = base + habit.GIVE_SPECIAL * RANKS + special
        number += 1
    return number, chosen


@compiled
def call_features(hand: CardSet, opposed: int, features: Any) -> None:
    """Write the features of a call: how many high, low and useful cards a hand has.

    For a call this is the whole hand, for the exchange the rest of it.
    """
    multiples = _multiples(hand)
    runs = _in_runs(multiples)
    for place in range(habit.FEATURES):
        features[place] = 0.0
    features[0] = 1.0
    features[1] = multiples >> 48 & 7
    features[2] = multiples >> 44 & 7
    features[3] = 1.0 if hand & layout.DRAGON else 0.0
    features[4] = 1.0 if hand & layout.PHOENIX else 0.0
    features[5] = 1.0 if hand & layout.DOG_CARD else 0.0
    features[6] = 1.0 if hand & layout.MAHJONG else 0.0
    features[7] = count(runs)
    features[8] = opposed
    for rank in range(2, 13):
        form = _form(multiples, runs, rank)
        if form == habit.ALONE:
            features[LONE_LOW if rank < 10 else LONE_HIGH] += 1.0
        elif form == habit.TWO:
            features[11] += 1.0
        elif form == habit.THREE:
            features[12] += 1.0
    features[13] = count(multiples >> 2 & _ONES)


@compiled
def _call_likelihood(hand: CardSet, done: Any, weights: Any, features: Any) -> float:
    """Return the chance of a seat's call, or of its not calling, with this whole hand.

    For the exchange: how much likelier this hand, or the rest of it, is after the exchange than
    among random hands, up to a factor that is the same for all hands.
    """
    call_features(hand, done[CONTEXT], features)
    total = 0.0
    for place in range(habit.FEATURES):
        total += weights[place] * features[place]
    if done[WHAT] == KEPT:
        return exp(total)
    return 1.0 / (1.0 + exp(-total if done[CHOSEN] else total))


@compiled
def row_likelihood(
    hand: CardSet, done: Any, habits: Habits, calls: CallWeights, places: Any, features: Any
) -> float:
    """Return the chance that a seat with this hand acts as in a row, from 0 to 1.

    For the exchange (`KEPT`) it may exceed 1: only ratios between hands count.
    """
    then = (hand | done[MORE]) & ~done[FEWER]
    if done[WHAT] >= TICHU:
        return _call_likelihood(then, done, calls[done[WHAT] - TICHU], features)
    number, chosen = list_options(then, done, places)
    if chosen < 0:
        return 1.0
    total = 0.0
    for place in range(number):
        total += habits[places[place]]
    return habits[places[chosen]] / total


@compiled
def log_likelihood(
    hand: CardSet,
    evidence: Any,
    begin: int,
    end: int,
    habits: Habits,
    calls: CallWeights,
    places: Any,
    features: Any,
) -> float:
    """Return the log likelihood of all actions of a seat with this hand.

    The rows of the seat are those from `begin` to `end` - 1.
    """
    likely = 0.0
    for place in range(begin, end):
        likely += log(row_likelihood(hand, evidence[place], habits, calls, places, features))
    return likely
