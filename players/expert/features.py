"""Features of choices, from which `players.expert.prior` predicts their results.

They describe what the seat knows: numbers of cards, calls, the trick, its plan before and after the
choice, and the worth of the choice for the quick policy. Most are between 0 and 1. Each function
`_add…` appends to an array with `end` features, and returns their new number.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from engine import CardSet, Seat
from players.expert import layout, search
from players.expert import weights as weight
from players.expert.compiled import compiled, count, lowest
from players.expert.layout import Row
from players.expert.leads import choose_lead, facts_of_lead, worth_of_lead
from players.expert.move_classes import list_move_classes
from players.expert.outlook import has_open_call, unseen, win_chance
from players.expert.partition import effort, split
from players.expert.plays import CARDS, KEY, KIND, SIZE, in_bombs
from players.expert.policy import (
    choose_answer,
    choose_bomb,
    facts_of_trick,
    worth_of_answer,
    worth_of_passing,
)
from players.expert.rules import cards_of_rank, points_of
from players.expert.weights import Weights
from players.expert.workspace import Workspace, ensure_plan

Features: TypeAlias = Any
"""Array of numbers."""
MOST_FEATURES = 128
"""Upper bound of the number of features of a choice."""
_LEAST_WORTH = -12.0
"""Lower bound of the worth of a choice for the quick policy."""
_GIFT_FEATURES = 12
"""Number of features of a gift and its receiver."""


class Plan(NamedTuple):
    """Summary of the plan of a hand."""

    plays: int
    """Number of its plays."""
    effort: float
    """Their effort."""
    losers: int
    """Number of plays that others may beat."""
    low_singles: int
    """Number of single cards up to the nine."""


@compiled
def _plan(row: Row, seat: Seat, hand: CardSet, weights: Weights, work: Workspace) -> Plan:
    """Return the summary of the plan that a seat would have for a hand."""
    total, losers, low_singles = 0.0, 0, 0
    size = split(hand, weights, work.runs, work.plays) if hand else 0
    for place in range(size):
        play = work.plays[place]
        total += effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
        chance = win_chance(row, seat, play[KIND], play[SIZE], play[KEY], weights)
        losers += chance < weights[weight.SURE]
        low_singles += play[KIND] == layout.SINGLE and play[KEY] < 20
    return Plan(size, total, losers, low_singles)


@compiled
def add(features: Features, end: int, value: float) -> int:
    """Append a value."""
    features[end] = value
    return end + 1


@compiled
def add_one_of(features: Features, end: int, length: int, place: int) -> int:
    """Append `length` zeros, but a one at `place`."""
    for other in range(length):
        features[end + other] = 1.0 if other == place else 0.0
    return end + length


@compiled
def _add_hand(hand: CardSet, plan: Plan, features: Features, end: int) -> int:
    """Append the strength of a hand with its plan."""
    end = add(features, end, count(hand) / 14.0)
    end = add(features, end, plan.plays / 8.0)
    end = add(features, end, plan.effort / 4.0)
    end = add(features, end, plan.losers / 4.0)
    end = add_one_of(features, end, 3, plan.losers)
    end = add(features, end, (plan.plays - plan.losers) / 3.0)
    end = add(features, end, plan.low_singles / 3.0)
    end = add(features, end, count(hand & cards_of_rank(14)) / 2.0)
    end = add(features, end, count(hand & cards_of_rank(13)) / 2.0)
    for card in (layout.DRAGON, layout.PHOENIX, layout.DOG_CARD, layout.MAHJONG):
        end = add(features, end, 1.0 if hand & card else 0.0)
    return add(features, end, 1.0 if in_bombs(hand) else 0.0)


@compiled
def _add_side(row: Row, seat: Seat, friendly: bool, features: Features, end: int) -> int:
    """Append the numbers of cards and the calls of the partners or the opponents of a seat."""
    total, fewest, out, called = 0, 0, 0, 0
    for other in range(row[layout.GAME_SEATS]):
        if other == seat or (row[layout.TEAM + other] == row[layout.TEAM + seat]) != friendly:
            continue
        cards = count(row[layout.HAND + other])
        total += cards
        out += cards == 0
        if cards and (not fewest or cards < fewest):
            fewest = cards
        if has_open_call(row, other):
            called = max(called, row[layout.CALL + other])
    end = add(features, end, total / 28.0)
    end = add(features, end, fewest / 14.0)
    end = add_one_of(features, end, 3, fewest - 1)
    end = add(features, end, out)
    end = add(features, end, 1.0 if called else 0.0)
    return add(features, end, 1.0 if called > layout.TICHU_STAKE else 0.0)


@compiled
def _add_seat(row: Row, seat: Seat, other: Seat, features: Features, end: int) -> int:
    """Append the relation, the cards and the call of another seat."""
    cards = count(row[layout.HAND + other])
    friendly = row[layout.TEAM + other] == row[layout.TEAM + seat]
    end = add(features, end, 1.0 if friendly else 0.0)
    end = add(features, end, cards / 14.0)
    end = add_one_of(features, end, 2, cards - 1)
    return add(features, end, 1.0 if has_open_call(row, other) else 0.0)


@compiled
def _add_trick(row: Row, seat: Seat, weights: Weights, features: Features, end: int) -> int:
    """Append the play to beat and who follows; zeros before a lead."""
    top = row[layout.TOP_SEAT]
    if top < 0:
        for place in range(end, end + 21):
            features[place] = 0.0
        return end + 21
    kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    end = add(features, end, 1.0)
    end = _add_seat(row, seat, top, features, end)
    end = add_one_of(features, end, 8, min(kind, layout.FOUR_BOMB))
    end = add(features, end, key / 28.0)
    end = add(features, end, size / 10.0)
    end = add(features, end, win_chance(row, seat, kind, size, key, weights))
    end = add(features, end, points_of(row[layout.TRICK]) / 40.0)
    friends_follow, rivals_follow = 0, 0
    other = row[layout.NEXT + seat]
    while other != top and other != seat:
        if row[layout.HAND + other]:
            is_friend = row[layout.TEAM + other] == row[layout.TEAM + seat]
            friends_follow += is_friend
            rivals_follow += not is_friend
        other = row[layout.NEXT + other]
    end = add(features, end, friends_follow)
    end = add(features, end, rivals_follow)
    return add(features, end, 1.0 if row[layout.WISH] else 0.0)


@compiled
def _add_position(
    row: Row, seat: Seat, plan: Plan, weights: Weights, features: Features, end: int
) -> int:
    """Append what does not depend on the choice."""
    hand = row[layout.HAND + seat]
    end = add_one_of(features, end, 3, row[layout.GAME_SEATS] // 2 - 1)
    end = add_one_of(features, end, 4, row[layout.PHASE] - layout.LEAD)
    end = _add_hand(hand, plan, features, end)
    end = _add_side(row, seat, True, features, end)
    end = _add_side(row, seat, False, features, end)
    end = _add_seat(row, seat, row[layout.NEXT + seat], features, end)
    end = add(features, end, 1.0 if has_open_call(row, seat) else 0.0)
    is_first = row[layout.OUT_COUNT] and (
        row[layout.TEAM + row[layout.OUT]] == row[layout.TEAM + seat]
    )
    end = add(features, end, 1.0 if is_first else 0.0)
    hidden = unseen(row, seat)
    end = add(features, end, 1.0 if hidden & layout.DRAGON else 0.0)
    end = add(features, end, 1.0 if hidden & layout.PHOENIX else 0.0)
    end = add(features, end, count(hidden & cards_of_rank(14)) / 4.0)
    end = add(features, end, count(hidden) / 42.0)
    return _add_trick(row, seat, weights, features, end)


@compiled
def _add_play(
    row: Row,
    seat: Seat,
    choice: Any,
    before: Plan,
    preferred: CardSet,
    weights: Weights,
    work: Workspace,
    features: Features,
    end: int,
) -> int:
    """Append a choice during play and its consequences; see `_preferred`."""
    code, hand, cards = choice[search.CODE], row[layout.HAND + seat], choice[search.CARDS]
    kind, size, key = choice[search.KIND], choice[search.SIZE], choice[search.KEY]
    if code == search.DOG:
        cards, kind, size = layout.DOG_CARD, layout.DOG, 1
    rest, is_play = hand & ~cards, cards != 0
    planned = False
    for place in range(1, work.plans[seat, 0, 0] + 1):
        planned = planned or work.plans[seat, place, CARDS] == cards
    chance = win_chance(row, seat, kind, size, key, weights) if is_play else 0.0
    after = _plan(row, seat, rest, weights, work) if is_play else before
    end = add(features, end, 1.0 if cards == preferred else 0.0)
    end = add_one_of(features, end, 10, kind if is_play else 9)
    end = add(features, end, size / 10.0)
    end = add(features, end, key / 28.0)
    over = (key - row[layout.TOP_KEY]) / 28.0 if is_play and row[layout.TOP_SEAT] >= 0 else 0.0
    end = add(features, end, over)
    for card in (layout.DRAGON, layout.PHOENIX, layout.MAHJONG):
        end = add(features, end, 1.0 if cards & card else 0.0)
    end = add(features, end, 1.0 if cards == layout.PHOENIX else 0.0)
    end = add(features, end, choice[search.WISH] / 14.0)
    end = add(features, end, 1.0 if choice[search.WISH] else 0.0)
    end = add(features, end, 1.0 if planned else 0.0)
    end = add(features, end, chance)
    end = add(features, end, points_of(cards) / 30.0)
    end = add(features, end, points_of(cards | row[layout.TRICK]) * chance / 40.0)
    breaks = kind < layout.FOUR_BOMB and in_bombs(hand) & cards
    end = add(features, end, 1.0 if breaks else 0.0)
    end = add(features, end, (before.effort - after.effort) / 2.0)
    end = add(features, end, chance if after.losers <= 1 else 0.0)
    end = _add_hand(rest, after, features, end)
    receiver = choice[search.RECEIVER] if code == search.GIFT else -1
    end = add(features, end, 1.0 if receiver >= 0 else 0.0)
    end = add(features, end, count(row[layout.HAND + receiver]) / 14.0 if receiver >= 0 else 0.0)
    called = receiver >= 0 and has_open_call(row, receiver)
    return add(features, end, 1.0 if called else 0.0)


@compiled
def describe_plays(
    row: Row, seat: Seat, choices: Any, weights: Weights, work: Workspace, features: Features
) -> int:
    """Write the features of each choice during play to a row; return their number.

    All hands in `row` must have their sizes; only those that the seat sees are read. `work` has no
    plans.
    """
    before = _plan(row, seat, row[layout.HAND + seat], weights, work)
    ensure_plan(row, seat, weights, work.plans, work.runs)
    preferred = _preferred(row, seat, weights, work)
    shared = _add_position(row, seat, before, weights, features[0], 0)
    end = shared
    for place in range(len(choices)):
        for feature in range(shared if place else 0):
            features[place, feature] = features[0, feature]
        end = _add_play(
            row, seat, choices[place], before, preferred, weights, work, features[place], shared
        )
    _write_worths(row, seat, choices, weights, work, features[:, end])
    return add_scaled_worths(features, end)


@compiled
def _preferred(row: Row, seat: Seat, weights: Weights, work: Workspace) -> CardSet:
    """Return the cards that the quick policy would lay: 0 for a pass, -1 for the Dragon's gift."""
    phase = row[layout.PHASE]
    if phase == layout.LEAD:
        choose_lead(row, weights, work)
    elif phase == layout.TURN:
        if not choose_answer(row, weights, work):
            return 0
    elif phase == layout.GIFT:
        return -1
    elif not choose_bomb(row, seat, weights, work):
        return 0
    return work.chosen[CARDS]


@compiled
def _write_worths(
    row: Row, seat: Seat, choices: Any, weights: Weights, work: Workspace, worths: Features
) -> None:
    """Write the worth of each lead, answer or pass for the quick policy; 0 for other choices."""
    phase = row[layout.PHASE]
    for place in range(len(choices)):
        worths[place] = 0.0
    if phase == layout.LEAD:
        facts = facts_of_lead(row, seat, weights, work.plans)
        for place in range(len(choices)):
            if choices[place, search.CODE] == search.PLAY:
                play = choices[place, search.CARDS :]
                worths[place] = worth_of_lead(row, seat, play, facts, weights)
    elif phase == layout.TURN:
        kind, size, key = row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
        answers = list_move_classes(row[layout.HAND + seat], kind, size, key, work.plays)
        trick = facts_of_trick(row, answers, weights, work)
        for place in range(len(choices)):
            if choices[place, search.CODE] == search.PASS:
                worths[place] = worth_of_passing(row, trick, weights)
            else:
                play = choices[place, search.CARDS :]
                worths[place] = worth_of_answer(row, play, trick, weights, work)


@compiled
def add_scaled_worths(features: Features, end: int) -> int:
    """Scale the worth of each choice at `end`, and append its distance from the best one."""
    best = _LEAST_WORTH
    for place in range(len(features)):
        best = max(best, features[place, end])
    for place in range(len(features)):
        worth = max(_LEAST_WORTH, features[place, end])
        features[place, end] = max(-3.0, min(3.0, worth / 3.0))
        features[place, end + 1] = max(-3.0, worth - best)
    return end + 2


@compiled
def _add_gift(card: CardSet, features: Features, end: int) -> int:
    """Append a card as a gift."""
    rank = lowest(card) // 4 + 2 if card & layout.NATURALS else 0
    end = add(features, end, rank / 14.0)
    end = add(features, end, (rank / 14.0) ** 2)
    end = add(features, end, max(0, rank - 9) / 5.0)
    end = add(features, end, 1.0 if rank == 14 else 0.0)
    end = add(features, end, points_of(card) / 10.0 if rank else 0.0)
    for special in (layout.DRAGON, layout.PHOENIX, layout.DOG_CARD, layout.MAHJONG):
        end = add(features, end, 1.0 if card & special else 0.0)
    return end


@compiled
def _add_receiver(row: Row, receiver: Seat, choice: Any, features: Features, end: int) -> int:
    """Append a gift and its receiver's call; zeros if there is no receiver (-1)."""
    card = choice[search.GIVEN + receiver] if receiver >= 0 else 0
    called = receiver >= 0 and row[layout.CALL + receiver] > 0
    rank_place, end = end, _add_gift(card, features, end)
    end = add(features, end, 1.0 if called else 0.0)
    end = add(features, end, features[rank_place] if called else 0.0)
    return add(features, end, 1.0 if called and card == layout.DOG_CARD else 0.0)


@compiled
def describe_exchanges(
    row: Row, seat: Seat, choices: Any, weights: Weights, work: Workspace, features: Features
) -> int:
    """Write the features of each exchange to a row; return their number.

    There is place for three gifts: to the first opponent in turn order, to the first partner, and
    to one more seat.
    """
    end = 0
    for place in range(len(choices)):
        choice = choices[place]
        given, opponent, partner, third = 0, -1, -1, -1
        other = row[layout.NEXT + seat]
        while other != seat:
            card = choice[search.GIVEN + other]
            given |= card
            is_partner = row[layout.TEAM + other] == row[layout.TEAM + seat]
            if card and is_partner and partner < 0:
                partner = other
            elif card and not is_partner and opponent < 0:
                opponent = other
            elif card:
                third = other
            other = row[layout.NEXT + other]
        end = 0
        for receiver in (opponent, partner, third):
            end = _add_receiver(row, receiver, choice, features[place], end)
        first_rank, third_rank = features[place, 0], features[place, 2 * _GIFT_FEATURES]
        same = opponent >= 0 and first_rank == third_rank > 0
        end = add(features[place], end, 1.0 if same else 0.0)
        end = add(features[place], end, 1.0 if row[layout.CALL + seat] else 0.0)
        end = add_one_of(features[place], end, 3, row[layout.GAME_SEATS] // 2 - 1)
        rest = row[layout.HAND + seat] & ~given
        plan = _plan(row, seat, rest, weights, work)
        end = _add_hand(rest, plan, features[place], end)
        end = add(features[place], end, plan.effort * features[place, _GIFT_FEATURES] / 4.0)
    return end
