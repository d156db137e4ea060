"""Likelihood of a hand, given the actions of its seat: answers, leads, gifts, calls.

Example: a seat has passed on an opponent's six. A deal that gives it a lone eight is unlikely,
because with that hand it would rather have beaten the six.

The actions are an array of rows (`players.expert.evidence`). The likelihood of an action follows
from the habits of players (`players.expert.habits`): it is the number of the chosen option, divided
by the sum of the numbers of all options that the hand had.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

from engine import CardSet, Rank
from players.expert import habits as habit
from players.expert import layout
from players.expert.compiled import compiled, count, lowest
from players.expert.habits import RANKS, CallWeights, Habits

SEAT, ACTION, CONTEXT, TOP, CHOSEN, RANK, THEN_ONLY, NOW_ONLY = range(8)
"""Places in a row, which stands for an action of a seat.

The seat; the kind of action; the number of its context; the rank of the play to beat; the option
that was chosen, and its rank; the cards that the seat had only then, and those that it has only
now.
"""
ON_SINGLE, ON_PAIR, ON_TRIPLE, ON_HOUSE, LEAD, GIFT, WISH, TICHU, GRAND, EXCHANGED = range(10)
"""Kinds of actions: an answer to a play, a lead, a gift, a wish, a call decision, the exchange.

For a call decision `CHOSEN` is 1 if the call was made, and `CONTEXT` is 1 if an opponent had
called. The exchange stands for all cards that were given and kept: after it, and later in a round,
few hands have useless low cards. Its likelihood is that of the current cards, so `THEN_ONLY` is
empty.
"""
PASSED, NATURAL, WILD, DRAGON, BOMB = range(5)
"""Options of an answer; `WILD` is the Phoenix, alone or in a set, `BOMB` a bomb of four.

An ordinary card as a gift is `NATURAL`.
"""
SINGLE, PAIR, TRIPLE, HOUSE, OTHER = range(5)
"""Options of a lead.

For `OTHER`, the place of the rank has a number of `players.expert.habits`, such as `STRAIGHT`.
"""
MOST_OPTIONS = 64
"""Upper bound of the number of options of a hand."""
(
    CONSTANT,
    ACES,
    KINGS,
    HAS_DRAGON,
    HAS_PHOENIX,
    HAS_DOG,
    HAS_MAHJONG,
    RANKS_IN_RUNS,
    OPPOSED,
    LONE_LOW,  # ranks up to the nine that are held once and not in a run
    LONE_HIGH,  # the same from the ten to the queen
    LOW_PAIRS,  # up to the queen, as are the triples
    LOW_TRIPLES,
    FOURS,
) = range(habit.FEATURES)
"""Features of a hand that predict a call."""
_EACH_RANK = 0x1111111111111
"""Lowest of the four bits of each rank."""
_UP_TO_NINE, _UP_TO_QUEEN = _EACH_RANK & (1 << 4 * 8) - 1, _EACH_RANK & (1 << 4 * 11) - 1
"""Lowest bits of the ranks up to the nine, and up to the queen."""
_FOURS = 4 * _EACH_RANK
"""Third bit of each rank: only the count 4 has it."""
_PAIRS_AND_TRIPLES = 0x6666666666666
"""Upper bits of each count: one of them is set for two cards or more."""


@compiled
def _count_by_rank(hand: CardSet) -> int:
    """Return the number of cards of each rank in a hand.

    Each rank has four bits, rank 2 the lowest.
    """
    cards = hand & layout.NATURALS
    # Add up the bits of each rank in parallel: first two by two, then the sums of both pairs.
    pairs = cards - ((cards >> 1) & 0x5555555555555)
    return (pairs & 0x3333333333333) + ((pairs >> 2) & 0x3333333333333)


@compiled
def _ranks_in_runs(counts: int) -> int:
    """Return the ranks that are part of five held ranks in a row, as bits of `_EACH_RANK`."""
    held = (counts | counts >> 1 | counts >> 2) & _EACH_RANK
    starts = held & held >> 4 & held >> 8 & held >> 12 & held >> 16  # five ranks in a row
    return starts | starts << 4 | starts << 8 | starts << 12 | starts << 16


@compiled
def _form_of_rank(counts: int, runs: int, rank: Rank) -> int:
    """Return the form of a rank in a hand, such as `habits.ALONE`; -1 if there is none."""
    place = 4 * (rank - 2)
    held = counts >> place & 7
    if held == 1:
        return habit.IN_RUN if runs >> place & 1 else habit.ALONE
    return held if held else -1


@compiled
def list_options(hand: CardSet, action: Any, places: Any) -> tuple[int, int]:
    """Write the options that a hand had for an action, as places in the habits.

    `action` is a row other than a call or the exchange. Returns the number of options and the index
    of the chosen one, which is -1 if the hand did not have it.
    """
    kind, context = action[ACTION], action[CONTEXT]
    if kind == ON_SINGLE:
        base = habit.SINGLES.begin + context * habit.SINGLES.options * RANKS
        return _list_answers_to_single(hand, action, base, places)
    if kind == LEAD:
        base = habit.LEADS.begin + context * habit.LEADS.options * RANKS
        return _list_leads(hand, action, base, places)
    if kind == GIFT:
        base = habit.GIFTS.begin + context * habit.GIFTS.options * RANKS
        return _list_gifts(hand, action, base, places)
    if kind == WISH:
        return _list_wishes(hand, action, places)
    context += habit.ANSWER_CONTEXTS * (kind - ON_PAIR)
    base = habit.SETS.begin + context * habit.SETS.options * RANKS
    return _list_answers_to_set(hand, action, base, places)


@compiled
def _list_answers_to_single(hand: CardSet, action: Any, base: int, places: Any) -> tuple[int, int]:
    """Write the options of a hand against a single; see `list_options`."""
    top, chosen_option, chosen_rank = action[TOP], action[CHOSEN], action[RANK]
    counts = _count_by_rank(hand)
    runs = _ranks_in_runs(counts)
    places[0] = base + habit.PASS_ON_SINGLE * RANKS + top
    total, chosen = 1, 0 if chosen_option == PASSED else -1
    higher = counts >> 4 * max(0, top - 1)  # its lowest four bits are those of `rank`
    rank = max(2, top + 1)
    while higher:
        skipped = lowest(higher) >> 2
        rank += skipped
        higher >>= 4 * skipped
        if chosen_option == NATURAL and rank == chosen_rank:
            chosen = total
        places[total] = base + _form_of_rank(counts, runs, rank) * RANKS + rank
        total += 1
        higher >>= 4
        rank += 1
    if hand & layout.PHOENIX:
        if chosen_option == WILD:
            chosen = total
        places[total] = base + habit.WILD_ON_SINGLE * RANKS + top
        total += 1
    if hand & layout.DRAGON:
        if chosen_option == DRAGON:
            chosen = total
        places[total] = base + habit.DRAGON_ON_SINGLE * RANKS + top
        total += 1
    if counts & _FOURS:
        if chosen_option == BOMB:
            chosen = total
        places[total] = base + habit.BOMB_ON_SINGLE * RANKS + top
        total += 1
    return total, chosen


@compiled
def _list_answers_to_set(hand: CardSet, action: Any, base: int, places: Any) -> tuple[int, int]:
    """Write the options of a hand against a pair, triple or full house; see `list_options`."""
    top, chosen_option, chosen_rank = action[TOP], action[CHOSEN], action[RANK]
    needed = 2 if action[ACTION] == ON_PAIR else 3
    counts = _count_by_rank(hand)
    places[0] = base + habit.PASS_ON_SET * RANKS + top
    total, chosen = 1, 0 if chosen_option == PASSED else -1
    if counts & _FOURS:
        if chosen_option == BOMB:
            chosen = total
        places[total] = base + habit.BOMB_ON_SET * RANKS + top
        total += 1
    for rank in range(top + 1, 15):
        held = counts >> 4 * (rank - 2) & 7
        if held >= needed:
            if chosen_option == NATURAL and rank == chosen_rank:
                chosen = total
            places[total] = base + (habit.OF_TWO + held - 2) * RANKS + rank
            total += 1
        if hand & layout.PHOENIX and held and held + 1 >= needed:
            if chosen_option == WILD and rank == chosen_rank:
                chosen = total
            places[total] = base + habit.WITH_WILD * RANKS + rank
            total += 1
    return total, chosen


@compiled
def _list_leads(hand: CardSet, action: Any, base: int, places: Any) -> tuple[int, int]:
    """Write the options of a hand that leads; see `list_options`."""
    chosen_option, chosen_rank = action[CHOSEN], action[RANK]
    counts = _count_by_rank(hand)
    runs = _ranks_in_runs(counts)
    total, chosen, remaining, rank = 0, -1, counts, 2
    while remaining:
        skipped = lowest(remaining) >> 2
        rank += skipped
        remaining >>= 4 * skipped
        held, is_chosen_rank = remaining & 7, rank == chosen_rank
        if is_chosen_rank and chosen_option == SINGLE:
            chosen = total
        places[total] = base + _form_of_rank(counts, runs, rank) * RANKS + rank
        total += 1
        if held >= 2:
            if is_chosen_rank and chosen_option == PAIR:
                chosen = total
            places[total] = base + (habit.LEAD_PAIR + held - 2) * RANKS + rank
            total += 1
        if held >= 3:
            if is_chosen_rank and chosen_option == TRIPLE:
                chosen = total
            places[total] = base + (habit.LEAD_TRIPLE + held - 3) * RANKS + rank
            total += 1
            other_pairs = counts & _PAIRS_AND_TRIPLES & ~(15 << 4 * (rank - 2))
            if other_pairs:
                if is_chosen_rank and chosen_option == HOUSE:
                    chosen = total
                places[total] = base + habit.LEAD_HOUSE * RANKS + rank
                total += 1
        remaining >>= 4
        rank += 1
    others = _other_leads(hand, counts, runs)
    while others:
        other = lowest(others)
        others &= others - 1
        if chosen_option == OTHER and other == chosen_rank:
            chosen = total
        places[total] = base + habit.LEAD_OTHER * RANKS + other
        total += 1
    return total, chosen


@compiled
def _other_leads(hand: CardSet, counts: int, runs: int) -> int:
    """Return the set of other leads of a hand: a bit for each number in `habits`."""
    others = _special_cards(hand)
    held = (counts | counts >> 1 | counts >> 2) & _EACH_RANK
    pairs = (counts >> 1 | counts >> 2) & _EACH_RANK
    if runs:
        others |= 1 << habit.STRAIGHT
    if pairs & pairs >> 4:
        others |= 1 << habit.STAIRS
    if hand & layout.PHOENIX:
        others |= 1 << habit.WILD
        # Four ranks in a row, or both ends of five ranks and two of the three between them.
        ends = held & held >> 16
        if held & held >> 4 & held >> 8 & held >> 12 or (
            ends & (held >> 4 & (held >> 8 | held >> 12) | held >> 8 & held >> 12)
        ):
            others |= 1 << habit.STRAIGHT
        if pairs & (held >> 4 | held << 4):  # a pair beside a single card
            others |= 1 << habit.STAIRS
    return others


@compiled
def _special_cards(hand: CardSet) -> int:
    """Return the set of special cards of a hand: a bit for each number in `habits`."""
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
def _list_gifts(hand: CardSet, action: Any, base: int, places: Any) -> tuple[int, int]:
    """Write the options of a hand that gives a card away; see `list_options`."""
    chosen_option, chosen_rank = action[CHOSEN], action[RANK]
    counts = _count_by_rank(hand)
    runs = _ranks_in_runs(counts)
    total, chosen = 0, -1
    for rank in range(2, 15):
        form = _form_of_rank(counts, runs, rank)
        if form >= 0:
            if chosen_option == NATURAL and rank == chosen_rank:
                chosen = total
            places[total] = base + form * RANKS + rank
            total += 1
    specials = _special_cards(hand)
    while specials:
        special = lowest(specials)
        specials &= specials - 1
        if chosen_option == OTHER and special == chosen_rank:
            chosen = total
        places[total] = base + habit.GIVE_SPECIAL * RANKS + special
        total += 1
    return total, chosen


@compiled
def _list_wishes(hand: CardSet, action: Any, places: Any) -> tuple[int, int]:
    """Write the options of a hand that wishes for a rank; see `list_options`."""
    counts = _count_by_rank(hand)
    for rank in range(2, 15):
        held = counts >> 4 * (rank - 2) & 7
        places[rank - 2] = habit.WISHES.begin + held * RANKS + rank
    return 13, action[RANK] - 2


@compiled
def call_features(hand: CardSet, opposed: int, features: Any) -> None:
    """Write the features of a hand that predict a call: its high, low and useful cards.

    For the exchange it is the hand after it, without the received cards. `opposed` is 1 if an
    opponent had called.
    """
    counts = _count_by_rank(hand)
    runs = _ranks_in_runs(counts)
    for place in range(habit.FEATURES):
        features[place] = 0.0
    features[CONSTANT] = 1.0
    features[ACES] = counts >> 48 & 7  # rank 14 has the four bits from 4 * (14 - 2) on
    features[KINGS] = counts >> 44 & 7
    features[HAS_DRAGON] = 1.0 if hand & layout.DRAGON else 0.0
    features[HAS_PHOENIX] = 1.0 if hand & layout.PHOENIX else 0.0
    features[HAS_DOG] = 1.0 if hand & layout.DOG_CARD else 0.0
    features[HAS_MAHJONG] = 1.0 if hand & layout.MAHJONG else 0.0
    features[RANKS_IN_RUNS] = count(runs)
    features[OPPOSED] = opposed
    alone = counts & ~(counts >> 1) & ~runs
    features[LONE_LOW] = count(alone & _UP_TO_NINE)
    features[LONE_HIGH] = count(alone & _UP_TO_QUEEN & ~_UP_TO_NINE)
    features[LOW_PAIRS] = count(counts >> 1 & ~counts & _UP_TO_QUEEN)
    features[LOW_TRIPLES] = count(counts & counts >> 1 & _UP_TO_QUEEN)
    features[FOURS] = count(counts & _FOURS)


@compiled
def _call_likelihood(hand: CardSet, action: Any, weights: Any, features: Any) -> float:
    """Return the chance that a seat with this hand decides on a call as in `action`.

    For the exchange, return how much likelier this hand is after an exchange than as a random
    hand, up to a factor that is the same for all hands.
    """
    call_features(hand, action[CONTEXT], features)
    total = 0.0
    for place in range(habit.FEATURES):
        total += weights[place] * features[place]
    if action[ACTION] == EXCHANGED:
        return exp(total)
    return 1.0 / (1.0 + exp(-total if action[CHOSEN] else total))


@compiled
def row_likelihood(
    hand: CardSet, action: Any, habits: Habits, calls: CallWeights, places: Any, features: Any
) -> float:
    """Return the chance that a seat with this hand acts as in `action`, from 0 to 1.

    For the exchange (`EXCHANGED`) it may exceed 1, because only ratios between hands count.
    """
    hand_then = (hand | action[THEN_ONLY]) & ~action[NOW_ONLY]
    if action[ACTION] >= TICHU:
        return _call_likelihood(hand_then, action, calls[action[ACTION] - TICHU], features)
    option_count, chosen = list_options(hand_then, action, places)
    if chosen < 0:
        return 1.0
    total = 0.0
    for place in range(option_count):
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
    total = 0.0
    for place in range(begin, end):
        total += log(row_likelihood(hand, evidence[place], habits, calls, places, features))
    return total
