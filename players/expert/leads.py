"""The quick policy's leads: plays of the seat's plan.

Functions about plans that other parts of the policy share are here as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import CardSet, Seat
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.outlook import has_open_call, partner_has_open_call, win_chance
from players.expert.partition import effort
from players.expert.plays import CARDS, KEY, KIND, SIZE, PlayRow, bound_by_wish, single_key
from players.expert.rules import cards_of_rank
from players.expert.weights import Weights
from players.expert.workspace import Plans, Workspace, ensure_plan


@compiled
def choose(work: Workspace, play: PlayRow) -> None:
    """Write a play to `work.chosen`."""
    for place in range(4):
        work.chosen[place] = play[place]


@compiled
def count_losers(row: Row, seat: Seat, weights: Weights, plans: Plans, cards: CardSet) -> int:
    """Return the number of plays in the plan that opponents may beat; `cards` are not counted."""
    beatable = 0
    for place in range(1, plans[seat, 0, 0] + 1):
        play = plans[seat, place]
        if play[CARDS] != cards:
            chance = win_chance(row, seat, play[KIND], play[SIZE], play[KEY], weights)
            beatable += chance < weights[weight.SURE]
    return beatable


@compiled
def effort_of_plan(seat: Seat, weights: Weights, plans: Plans) -> float:
    """Return the effort of a seat's plan: the sum over its plays."""
    total = 0.0
    for place in range(1, plans[seat, 0, 0] + 1):
        play = plans[seat, place]
        total += effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
    return total


ALL_OUT = 99
"""Number of cards that stands for seats that are all out, in a search for the fewest cards."""
SHORT_SIZE = 2
"""Maximum size of a lead for which it matters whether an opponent has as many cards."""
_LATE_DOG_CARDS = 3
"""Maximum cards of a partner for the weight `DOG_LATE`; with more it is `DOG_EARLY`."""
SURE_WINNER, SURE_BOMB = 100.0, -50.0
"""Addends to the worth of winners and of bombs, if nobody can stop the plan."""


class _LeadFacts(NamedTuple):
    """Facts that the worth of all leads of a seat depends on."""

    fewest: int
    """Number of cards of the opponent with the fewest; `ALL_OUT` if there is none."""
    last_partner: bool
    """True if a partner has one card left."""
    partner_first: bool
    """True if a partner's call is open, so that the partner should go out first."""
    rival_called: bool
    """True if an opponent's call is open."""
    effort: float
    """Effort of the leader's own plan."""


@compiled
def facts_of_lead(row: Row, seat: Seat, weights: Weights, plans: Plans) -> _LeadFacts:
    """Return the facts for a lead of `seat`."""
    fewest, last_partner, rival_called = ALL_OUT, False, False
    for other in range(row[layout.GAME_SEATS]):
        size = count(row[layout.HAND + other])
        if row[layout.TEAM + other] != row[layout.TEAM + seat]:
            rival_called = rival_called or has_open_call(row, other)
            if size:
                fewest = min(fewest, size)
        elif other != seat and size == 1:
            last_partner = True
    return _LeadFacts(
        fewest,
        last_partner,
        partner_has_open_call(row, seat),
        rival_called,
        effort_of_plan(seat, weights, plans),
    )


@compiled
def choose_lead(row: Row, weights: Weights, work: Workspace) -> None:
    """Choose the lead of the seat on turn: a play of its plan."""
    seat = row[layout.ON_TURN]
    plan_size = ensure_plan(row, seat, weights, work.plans, work.runs)
    if bound_by_wish(row, seat):
        _choose_wished_lead(row, seat, weights, work)
        return
    facts = facts_of_lead(row, seat, weights, work.plans)
    if facts.partner_first and plan_size == 1 and work.plans[seat, 1, SIZE] > 1:
        _choose_lowest_single(row, seat, work)  # the partner goes out first
        return
    unstoppable = not facts.partner_first and count_losers(row, seat, weights, work.plans, 0) <= 1
    best_worth, best = -np.inf, 1
    for place in range(1, plan_size + 1):
        play = work.plans[seat, place]
        if unstoppable:
            worth = _worth_of_sure_lead(row, seat, play, weights)
        else:
            worth = worth_of_lead(row, seat, play, facts, weights)
        if worth > best_worth:
            best_worth, best = worth, place
    choose(work, work.plans[seat, best])


@compiled
def _choose_lowest_single(row: Row, seat: Seat, work: Workspace) -> None:
    """Choose the lowest single of the hand, but not the Dog."""
    hand = row[layout.HAND + seat] & ~layout.DOG_CARD
    card = hand & -hand
    work.chosen[CARDS] = card
    work.chosen[KIND] = layout.SINGLE
    work.chosen[SIZE] = 1
    work.chosen[KEY] = single_key(card)


@compiled
def _choose_wished_lead(row: Row, seat: Seat, weights: Weights, work: Workspace) -> None:
    """Choose the best play of the plan with the wished rank.

    There is one, because the plan has every card.
    """
    wished, best_worth = cards_of_rank(row[layout.WISH]), -np.inf
    for place in range(1, work.plans[seat, 0, 0] + 1):
        play = work.plans[seat, place]
        if play[CARDS] & wished:
            worth = play[SIZE] + effort(play[CARDS], play[KIND], play[SIZE], play[KEY], weights)
            if worth > best_worth:
                best_worth = worth
                choose(work, play)


@compiled
def _worth_of_sure_lead(row: Row, seat: Seat, play: PlayRow, weights: Weights) -> float:
    """Return the worth of a lead of a plan that nobody can stop.

    Plays that win their trick come first, then bombs. The only play that may lose comes last.
    """
    kind, size = play[KIND], play[SIZE]
    wins = win_chance(row, seat, kind, size, play[KEY], weights) >= weights[weight.SURE]
    return SURE_WINNER * wins + SURE_BOMB * (kind >= layout.FOUR_BOMB) + size


@compiled
def worth_of_lead(
    row: Row, seat: Seat, play: PlayRow, facts: _LeadFacts, weights: Weights
) -> float:
    """Return the worth of a lead.

    Long and low plays have a higher worth, and plays on which an opponent can go out a lower one.
    """
    kind, size, key = play[KIND], play[SIZE], play[KEY]
    if kind == layout.DOG:
        worth = _worth_of_dog(row, seat, facts, weights)
        return worth + weights[weight.ONLY_LED] / count(row[layout.HAND + seat])
    worth = weights[weight.LEAD_EFFORT] * effort(play[CARDS], kind, size, key, weights)
    worth += weights[weight.LEAD_SIZE] * size + weights[weight.LEAD_RANK] * (key >> 1)
    if play[CARDS] & layout.MAHJONG:
        worth += weights[weight.ONLY_LED] / count(row[layout.HAND + seat])
    chance = win_chance(row, seat, kind, size, key, weights)
    worth += weights[weight.LEAD_HOLDS] * chance
    if facts.rival_called:
        worth += weights[weight.LEAD_RIVAL_CALL] * chance + weights[weight.LEAD_RIVAL_SIZE] * size
    if has_open_call(row, seat):
        worth += weights[weight.LEAD_OWN_CALL] * chance + weights[weight.LEAD_OWN_SIZE] * size
    if facts.partner_first:
        worth += weights[weight.LEAD_CALL_RANK] * (key >> 1)
    if play[CARDS] == layout.PHOENIX:
        worth += weights[weight.LEAD_PHOENIX]
    if size == facts.fewest and size <= SHORT_SIZE:
        if row[layout.SCORED]:
            worth += weights[weight.RIVAL_HOLD] * chance + weights[weight.RIVAL_SHORT]
        else:
            worth += weights[weight.ALONE] * (chance - 1.0)
    elif size == 1 and facts.last_partner:
        worth += weights[weight.PARTNER_LAST] + weights[weight.PARTNER_LAST_RANK] * (key >> 1)
    return worth


@compiled
def _worth_of_dog(row: Row, seat: Seat, facts: _LeadFacts, weights: Weights) -> float:
    """Return the worth of leading the Dog, which is higher if a partner has few cards."""
    if facts.partner_first:
        return weights[weight.DOG_CALL]
    fewest = ALL_OUT
    for other in range(row[layout.GAME_SEATS]):
        size = count(row[layout.HAND + other])
        if other != seat and row[layout.TEAM + other] == row[layout.TEAM + seat] and size:
            fewest = min(fewest, size)
    if has_open_call(row, seat) or fewest == ALL_OUT:
        return 0.0
    worth = weights[weight.DOG_EARLY] if fewest > _LATE_DOG_CARDS else weights[weight.DOG_LATE]
    return worth + weights[weight.DOG_CARDS] * fewest + weights[weight.DOG_EFFORT] * facts.effort


@compiled
def choose_partner(row: Row, seat: Seat) -> Seat:
    """Return the partner to aim the Dog at; -1 if the rules leave no choice.

    It is one that has called, or else the one with the fewest cards.
    """
    best, least = -1, 2 * ALL_OUT
    if not row[layout.DOG_IS_AIMED]:
        return best
    for other in range(row[layout.GAME_SEATS]):
        size = count(row[layout.HAND + other])
        if other != seat and row[layout.TEAM + other] == row[layout.TEAM + seat] and size:
            sort_value = size - ALL_OUT * has_open_call(row, other)
            if sort_value < least:
                best, least = other, sort_value
    return best
