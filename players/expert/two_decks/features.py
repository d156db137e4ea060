"""Features of choices with two decks, from which `players.expert.prior` predicts their results.

They describe what the seat knows, as `players.expert.features` does for one deck.
"""

from __future__ import annotations

from typing import Any

from engine import Seat
from players.expert import layout, search
from players.expert import weights as weight
from players.expert.compiled import compiled
from players.expert.features import Features, Plan, add, add_one_of, add_scaled_worths
from players.expert.layout import Row
from players.expert.leads import ALL_OUT
from players.expert.partition import effort
from players.expert.plays import CARDS, KEY, KIND, SIZE, in_bombs
from players.expert.rules import copy_row
from players.expert.two_decks.deals import deal_unseen
from players.expert.two_decks.hands import (
    DRAGONS,
    PHOENIXES,
    Cards,
    Counts,
    count_by_rank,
    count_dragons,
    count_of_rank,
    count_phoenixes,
    hand_of,
    hand_size,
    size_of,
    without,
)
from players.expert.two_decks.layout import NEXT
from players.expert.two_decks.move_classes import cards_of
from players.expert.two_decks.partition import split
from players.expert.two_decks.policy import (
    OtherHands,
    Workspace,
    choose_answer,
    choose_bomb,
    choose_lead,
    discard_plans,
    ensure_plan,
    facts_of_trick,
    other_hands,
    win_chance,
    worth_of_answer,
    worth_of_lead,
)
from players.expert.two_decks.search import Question, read_play
from players.expert.weights import Weights


@compiled
def _plan(hand: Cards, others: OtherHands, weights: Weights, work: Workspace) -> Plan:
    """Return the summary of the plan that a seat would have for a hand."""
    total, losers, low_singles = 0.0, 0, 0
    size = split(hand, weights, work.runs, work.plays) if hand.ones else 0
    for place in range(size):
        play = work.plays[place]
        total += effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
        losers += win_chance(others, play, weights) < weights[weight.SURE]
        low_singles += play[KIND] == layout.SINGLE and play[KEY] < 20
    return Plan(size, total, losers, low_singles)


@compiled
def _add_hand(hand: Cards, plan: Plan, features: Features, end: int) -> int:
    """Append the strength of a hand with its plan."""
    counts = count_by_rank(hand)
    end = add(features, end, size_of(hand) / 12.0)
    end = add(features, end, plan.plays / 8.0)
    end = add(features, end, plan.effort / 4.0)
    end = add(features, end, plan.losers / 4.0)
    end = add_one_of(features, end, 3, plan.losers)
    end = add(features, end, (plan.plays - plan.losers) / 3.0)
    end = add(features, end, plan.low_singles / 3.0)
    end = add(features, end, count_of_rank(counts, 14) / 2.0)
    end = add(features, end, count_of_rank(counts, 13) / 2.0)
    end = add(features, end, count_dragons(hand))
    end = add(features, end, count_phoenixes(hand))
    end = add(features, end, 1.0 if hand.ones & layout.MAHJONG else 0.0)
    return add(features, end, 1.0 if in_bombs(hand.ones) else 0.0)


@compiled
def _add_seat(row: Row, seat: Seat, features: Features, end: int) -> int:
    """Append the number of cards of another seat."""
    cards = hand_size(row, seat)
    end = add(features, end, cards / 12.0)
    return add_one_of(features, end, 2, cards - 1)


@compiled
def _add_position(row: Row, seat: Seat, others: OtherHands, features: Features, end: int) -> int:
    """Append what does not depend on the choice or on the own hand."""
    own_size, in_play, ahead, second = hand_size(row, seat), 0, 0, ALL_OUT
    total, seen_fewest = 0, False
    for other in range(row[layout.GAME_SEATS]):
        cards = hand_size(row, other)
        if other == seat or not cards:
            continue
        in_play += 1
        total += cards
        ahead += cards < own_size
        if cards == others.fewest and not seen_fewest:
            seen_fewest = True
        else:
            second = min(second, cards)
    end = add_one_of(features, end, 4, row[layout.PHASE] - layout.LEAD)
    end = add(features, end, row[layout.GAME_SEATS] / 12.0)
    end = add(features, end, in_play / 12.0)
    end = add(features, end, ahead / 6.0)
    end = add(features, end, ahead / max(1, in_play))
    end = add(features, end, total / max(1, in_play) / 12.0)
    end = add(features, end, others.fewest / 12.0)
    end = add_one_of(features, end, 3, others.fewest - 1)
    end = add(features, end, min(second, 12) / 12.0)
    end = _add_seat(row, row[NEXT + seat], features, end)
    left = others.left
    end = add(features, end, (left >> DRAGONS & 15) / 2.0)
    end = add(features, end, (left >> PHOENIXES & 15) / 2.0)
    end = add(features, end, count_of_rank(left, 14) / 8.0)
    end = add(features, end, 1.0 if row[layout.WISH] else 0.0)
    top = row[layout.TOP_SEAT]
    if top < 0:
        for place in range(end, end + 16):
            features[place] = 0.0
        return end + 16
    follow, other = 0, row[NEXT + seat]
    while other != top and other != seat:
        follow += hand_size(row, other) > 0
        other = row[NEXT + other]
    end = add(features, end, 1.0)
    end = _add_seat(row, top, features, end)
    end = add_one_of(features, end, 8, min(row[layout.TOP_KIND], layout.FOUR_BOMB))
    end = add(features, end, row[layout.TOP_KEY] / 28.0)
    end = add(features, end, row[layout.TOP_SIZE] / 10.0)
    end = add(features, end, follow / 6.0)
    return add(features, end, follow / max(1, in_play))


@compiled
def _add_play(
    row: Row,
    seat: Seat,
    choice: Any,
    before: Plan,
    others: OtherHands,
    preferred: Counts,
    weights: Weights,
    work: Workspace,
    features: Features,
    end: int,
) -> int:
    """Append a choice and its consequences; `preferred` are the cards of the quick policy."""
    is_play, play, hand = choice[search.CODE] == search.PLAY, work.chosen, hand_of(row, seat)
    read_play(choice, play)
    cards = cards_of(play)
    counts, rest, planned = count_by_rank(cards), without(hand, cards), False
    for place in range(1, work.plans[seat, 0, 0] + 1):
        planned = planned or count_by_rank(cards_of(work.plans[seat, place])) == counts
    chance = win_chance(others, play, weights) if is_play else 0.0
    after = _plan(rest, others, weights, work) if is_play else before
    end = add(features, end, 1.0 if counts == preferred else 0.0)
    end = add_one_of(features, end, 10, play[KIND] if is_play else 9)
    end = add(features, end, play[SIZE] / 10.0)
    end = add(features, end, play[KEY] / 28.0)
    is_answer = is_play and row[layout.TOP_SEAT] >= 0
    end = add(features, end, (play[KEY] - row[layout.TOP_KEY]) / 28.0 if is_answer else 0.0)
    end = add(features, end, count_dragons(cards))
    end = add(features, end, count_phoenixes(cards))
    end = add(features, end, 1.0 if cards.ones == layout.PHOENIX else 0.0)
    end = add(features, end, 1.0 if cards.ones & layout.MAHJONG else 0.0)
    end = add(features, end, choice[search.WISH] / 14.0)
    end = add(features, end, 1.0 if choice[search.WISH] else 0.0)
    end = add(features, end, 1.0 if planned else 0.0)
    end = add(features, end, chance)
    breaks = play[KIND] < layout.FOUR_BOMB and in_bombs(hand.ones) & cards.ones
    end = add(features, end, 1.0 if breaks else 0.0)
    end = add(features, end, (before.effort - after.effort) / 2.0)
    end = add(features, end, chance if after.losers <= 1 else 0.0)
    return _add_hand(rest, after, features, end)


@compiled
def _choose(row: Row, seat: Seat, weights: Weights, work: Workspace) -> bool:
    """Choose the play of the quick policy. Returns false if it passes."""
    if row[layout.PHASE] == layout.LEAD:
        choose_lead(row, weights, work)
        return True
    if row[layout.PHASE] == layout.TURN:
        return choose_answer(row, weights, work)
    return choose_bomb(row, seat, weights, work)


@compiled
def _write_worths(
    row: Row,
    seat: Seat,
    choices: Any,
    others: OtherHands,
    weights: Weights,
    work: Workspace,
    worths: Features,
) -> None:
    """Write the worth of each lead, answer or pass for the quick policy; 0 for other choices."""
    play, phase = work.chosen, row[layout.PHASE]
    for place in range(len(choices)):
        worths[place] = 0.0
    if phase == layout.LEAD:
        for place in range(len(choices)):
            read_play(choices[place], play)
            worths[place] = worth_of_lead(row, seat, play, others, weights)
    elif phase == layout.TURN:
        trick = facts_of_trick(row, weights, work)
        for place in range(len(choices)):
            worths[place] = weights[weight.PASS]
            if choices[place, search.CODE] == search.PLAY:
                read_play(choices[place], play)
                worths[place] = worth_of_answer(play, trick, work.plans[seat], weights, work)


@compiled
def describe_plays(
    row: Row, seat: Seat, choices: Any, weights: Weights, work: Workspace, features: Features
) -> int:
    """Write the features of each choice to a row; return their number.

    All hands in `row` must have their sizes; only that of the seat is read. `work` has no plans.
    """
    hand, others = hand_of(row, seat), other_hands(row, seat)
    before = _plan(hand, others, weights, work)
    ensure_plan(row, seat, weights, work)
    preferred = 0  # a pass
    if _choose(row, seat, weights, work):
        preferred = count_by_rank(cards_of(work.chosen))
    shared = _add_position(row, seat, others, features[0], 0)
    shared = _add_hand(hand, before, features[0], shared)
    end = shared
    for place in range(len(choices)):
        for feature in range(shared if place else 0):
            features[place, feature] = features[0, feature]
        choice = choices[place]
        end = _add_play(
            row, seat, choice, before, others, preferred, weights, work, features[place], shared
        )
    _write_worths(row, seat, choices, others, weights, work, features[:, end])
    return add_scaled_worths(features, end)


@compiled
def write_features(
    question: Question, weights: Weights, work: Workspace, features: Features
) -> int:
    """Write the features of each choice of a question to a row; return their number."""
    deal = question.deal
    copy_row(deal.row, question.row)
    deal_unseen(deal, question.hidden)  # hands get their sizes
    copy_row(work.row, deal.row)
    deal.row[layout.PHASE] = layout.OVER  # as before the first deal
    discard_plans(work.plans)
    return describe_plays(work.row, question.seat, question.choices, weights, work, features)
