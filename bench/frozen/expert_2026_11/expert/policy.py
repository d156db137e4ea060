"""The quick player of the playouts: leads, follows, bombs and gives by weights and its plan.

It knows its own hand and what everybody has seen, though the row holds all hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert import weights as by
from bench.frozen.expert_2026_11.expert.compiled import compiled, count, lowest
from bench.frozen.expert_2026_11.expert.partition import LONGEST, effort, split, split_effort
from bench.frozen.expert_2026_11.expert.plays import beats, bound, list_bombs, move
from bench.frozen.expert_2026_11.expert.rules import of_rank, points_of
from bench.frozen.expert_2026_11.expert.sorts import MOST, list_sorts

Plans = Any
"""Plans of all seats: in `[seat, 0, 0]` the number of plays, -1 for none made; then the plays."""


def plans() -> Plans:
    """Room for the plans of all seats, none of them made."""
    room = np.zeros((at.SEATS, LONGEST + 1, 4), np.int64)
    room[:, 0, 0] = -1
    return room


def sorts() -> Any:
    """Room for a list of plays of different sorts."""
    return np.zeros((MOST + 32, 4), np.int64)


@compiled
def plan_of(row: Any, seat: int, w: Any, plans: Plans, room: Any) -> int:
    """Make the plan of a seat if there is none; returns the number of its plays."""
    if plans[seat, 0, 0] < 0:
        plans[seat, 0, 0] = split(row[at.HAND + seat], w, room, plans[seat, 1:])
    return plans[seat, 0, 0]


@compiled
def keep_plan(plans: Plans, seat: int, cards: int) -> None:
    """After a play: what is left of the plan, or none if it was broken up."""
    number = plans[seat, 0, 0]
    for place in range(1, number + 1):
        if plans[seat, place, 0] == cards:
            move(plans[seat], place, number)
            plans[seat, 0, 0] = number - 1
            return
    plans[seat, 0, 0] = -1


@compiled
def unseen(row: Any, seat: int) -> int:
    """The cards that are in other hands."""
    return at.DECK & ~row[at.PLAYED] & ~row[at.HAND + seat]


@compiled
def _run_ways(left: int, top: int, length: int, each: int, wild: int) -> int:
    """Whether unseen cards make a run of this length up to `top`, `each` of every rank."""
    missing = 0
    for rank in range(max(2, top - length + 1), top + 1):
        missing += max(0, each - count(left & of_rank(rank)))
    return 1 if missing <= wild else 0


@compiled
def _ways(left: int, kind: int, size: int, key: int) -> int:
    """In how many ways unseen cards could beat a play: single cards, else ranks."""
    wild = 1 if left & at.PHOENIX else 0
    if kind == at.SINGLE:
        if key == at.DRAGON_KEY:
            return 0
        rank = max(2, key // 2 + 1)
        higher = count((left & at.NATURALS) >> 4 * (rank - 2))
        return higher + wild + (1 if left & at.DRAGON else 0)
    ways, rank = 0, key // 2
    if kind == at.STRAIGHT:
        for top in range(rank + 1, 15):
            ways += _run_ways(left, top, size, 1, wild)
        return ways
    if kind == at.STAIRS:
        for top in range(rank + 1, 15):
            ways += _run_ways(left, top, size // 2, 2, wild)
        return ways
    needed = 2 if kind == at.PAIR else 3
    for higher in range(rank + 1, 15):
        held = count(left & of_rank(higher))
        if held and held + wild >= needed:
            ways += 1
    return ways


@compiled
def holds(row: Any, seat: int, kind: int, size: int, key: int, w: Any) -> float:
    """How likely no opponent beats this play, bombs aside; 1 when none can."""
    if kind == at.DOG:
        return 0.0
    if kind >= at.FOUR_BOMB:
        return 1.0
    left, theirs, able = unseen(row, seat), 0, False
    for other in range(row[at.GAME_SEATS]):
        if row[at.TEAM + other] != row[at.TEAM + seat]:
            held = count(row[at.HAND + other])
            theirs += held
            able = able or held >= size
    if not able:
        return 1.0
    if kind == at.SINGLE:
        step = w[by.BEAT_SINGLE]
    elif kind == at.PAIR:
        step = w[by.BEAT_PAIR]
    elif kind == at.TRIPLE:
        step = w[by.BEAT_TRIPLE]
    elif kind == at.FULL_HOUSE:
        step = w[by.BEAT_FULL_HOUSE]
    else:
        step = w[by.BEAT_RUN]
    share = min(1.0, theirs / max(1, count(left)))
    return (1.0 - step * share) ** _ways(left, kind, size, key)


@compiled
def call_open(row: Any, seat: int) -> bool:
    """Whether a call of this seat can still succeed."""
    return row[at.CALL + seat] > 0 and row[at.OUT_COUNT] == 0


@compiled
def partner_may_make_it(row: Any, seat: int) -> bool:
    """Whether a partner's call is open, so that going out first would cost it."""
    if row[at.OUT_COUNT]:
        return False
    for other in range(row[at.GAME_SEATS]):
        if (
            other != seat
            and row[at.TEAM + other] == row[at.TEAM + seat]
            and row[at.CALL + other] > 0
        ):
            return True
    return False


@compiled
def danger(row: Any, seat: int, w: Any) -> float:
    """How much it matters to stop this opponent now: 0 for not at all, 1 and more for a lot."""
    cards = count(row[at.HAND + seat])
    if not cards:
        return 0.0
    if call_open(row, seat):
        stake = 1.0 if row[at.CALL + seat] == 100 else w[by.GRAND]
        return stake * max(0.0, w[by.CALLED] + w[by.CALLED_CARD] * cards)
    near = max(0.0, w[by.NEAR] + w[by.NEAR_CARD] * cards)
    if not row[at.SCORED]:
        return w[by.ALONE] * near
    if row[at.OUT_COUNT] and row[at.TEAM + row[at.OUT]] == row[at.TEAM + seat]:
        return w[by.NEAR_SECOND] * near
    return near


@compiled
def _losers(row: Any, seat: int, w: Any, plans: Plans, but: int) -> int:
    """The plays of the plan that are likely beaten, without the one of these cards."""
    losers = 0
    for place in range(1, plans[seat, 0, 0] + 1):
        play = plans[seat, place]
        if play[0] != but and holds(row, seat, play[1], play[2], play[3], w) < w[by.SURE]:
            losers += 1
    return losers


@compiled
def choose_lead(row: Any, w: Any, plans: Plans, room: Any, chosen: Any) -> None:
    """The lead of the seat on turn, written to `chosen`: cards, kind, size, key."""
    seat = row[at.ON_TURN]
    number = plan_of(row, seat, w, plans, room)
    if bound(row, seat):
        _lead_wished(row, seat, w, plans, chosen)
        return
    partner_first = partner_may_make_it(row, seat)
    alone = not row[at.SCORED]
    if partner_first and number == 1 and plans[seat, 1, 2] > 1:
        hand = row[at.HAND + seat] & ~at.DOG_CARD  # the partner goes out first
        card = hand & -hand
        _set(chosen, card, at.SINGLE, 1, 2 * (lowest(card) // 4 + 2))
        if card > at.NATURALS:
            _set(chosen, card, at.SINGLE, 1, at.PHOENIX_LED if card == at.PHOENIX else 2)
        return
    sure = not partner_first and _losers(row, seat, w, plans, 0) <= 1
    rivals, last_partner = 99, False
    for other in range(row[at.GAME_SEATS]):
        held = count(row[at.HAND + other])
        if row[at.TEAM + other] != row[at.TEAM + seat]:
            if held:
                rivals = min(rivals, held)
        elif other != seat and held == 1:
            last_partner = True
    most, best = -1e9, 1
    for place in range(1, number + 1):
        play = plans[seat, place]
        kind, size, key = play[1], play[2], play[3]
        if sure:
            held = holds(row, seat, kind, size, key, w) >= w[by.SURE]
            worth = 100.0 * held - 50.0 * (kind >= at.FOUR_BOMB) + size
        elif kind == at.DOG:
            worth = _dog(row, seat, partner_first, w) + w[by.ONLY_LED] / count(row[at.HAND + seat])
        else:
            worth = w[by.LEAD_EFFORT] * effort(play[0], kind, size, key, w)
            worth += w[by.LEAD_SIZE] * size + w[by.LEAD_RANK] * (key >> 1)
            if play[0] & at.MAHJONG:
                worth += w[by.ONLY_LED] / count(row[at.HAND + seat])
            if size == rivals and size <= 2:
                held_for = holds(row, seat, kind, size, key, w)
                if alone:
                    worth += w[by.ALONE] * (held_for - 1.0)
                else:
                    worth += w[by.RIVAL_HOLD] * held_for + w[by.RIVAL_SHORT]
            elif size == 1 and last_partner:
                worth += w[by.PARTNER_LAST] + w[by.PARTNER_LAST_RANK] * (key >> 1)
        if worth > most:
            most, best = worth, place
    play = plans[seat, best]
    _set(chosen, play[0], play[1], play[2], play[3])


@compiled
def _set(chosen: Any, cards: int, kind: int, size: int, key: int) -> None:
    chosen[0] = cards
    chosen[1] = kind
    chosen[2] = size
    chosen[3] = key


@compiled
def _lead_wished(row: Any, seat: int, w: Any, plans: Plans, chosen: Any) -> None:
    """The best play of the plan with the wished rank: there is one, as it lays every card."""
    wished, best = of_rank(row[at.WISH]), -1e9
    for place in range(1, plans[seat, 0, 0] + 1):
        play = plans[seat, place]
        if play[0] & wished:
            worth = play[2] + effort(play[0], play[1], play[2], play[3], w)
            if worth > best:
                best = worth
                _set(chosen, play[0], play[1], play[2], play[3])


@compiled
def _dog(row: Any, seat: int, partner_first: bool, w: Any) -> float:
    if partner_first:
        return w[by.DOG_CALL]
    fewest = 99
    for other in range(row[at.GAME_SEATS]):
        held = count(row[at.HAND + other])
        if other != seat and row[at.TEAM + other] == row[at.TEAM + seat] and held:
            fewest = min(fewest, held)
    if call_open(row, seat) or fewest == 99:
        return 0.0
    return w[by.DOG_EARLY] if fewest > 3 else w[by.DOG_LATE]


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


@compiled
def choose_answer(row: Any, w: Any, plans: Plans, plays: Any, room: Any, chosen: Any) -> bool:
    """The answer of the seat on turn to a play, written to `chosen`; false for a pass."""
    seat = row[at.ON_TURN]
    hand, kind, size, key = (
        row[at.HAND + seat],
        row[at.TOP_KIND],
        row[at.TOP_SIZE],
        row[at.TOP_KEY],
    )
    total = list_sorts(hand, kind, size, key, plays)
    if not total:
        return False
    wished = of_rank(row[at.WISH]) if bound(row, seat) else 0
    must = False
    if wished:
        for place in range(total):
            must = must or plays[place, 0] & wished != 0
    number = plan_of(row, seat, w, plans, room)
    before = 0.0
    for place in range(1, number + 1):
        play = plans[seat, place]
        before += effort(play[0], play[1], play[2], play[3], w)
    top_seat = row[at.TOP_SEAT]
    friendly = row[at.TEAM + top_seat] == row[at.TEAM + seat]
    partner_first = partner_may_make_it(row, seat)
    threat = 0.0 if friendly else danger(row, top_seat, w)
    pot = points_of(row[at.TRICK]) if row[at.SCORED] else 0
    best, most = -1, w[by.PASS]
    for place in range(total):
        play = plays[place]
        cards = play[0]
        if must and not cards & wished:
            continue
        rest = hand & ~cards
        in_plan = 0
        for planned in range(1, number + 1):
            if plans[seat, planned, 0] == cards:
                in_plan = planned
        if in_plan:
            saved = effort(cards, play[1], play[2], play[3], w)
            left = number - 1
        elif not must and friendly and rest:
            continue
        else:
            saved = before - split_effort(rest, w, room)
            left = number
        held = holds(row, seat, play[1], play[2], play[3], w)
        if not rest:
            worth = 10.0
            if partner_first:
                worth = -9.0
        elif (
            not partner_first
            and in_plan
            and held >= w[by.SURE]
            and _losers(row, seat, w, plans, cards) <= 1
        ):
            worth = 9.0
        else:
            points = pot + (points_of(cards) if row[at.SCORED] else 0)
            if play[3] == at.DRAGON_KEY:
                points = -points
            lead = w[by.LEAD] + w[by.LEAD_SHORT] / (1 + left)
            if call_open(row, seat):
                lead += w[by.OWN_CALL]
            worth = saved + held * (points * w[by.POINTS] + lead + threat)
        if friendly and not must and worth < 9.0:
            shed = (
                not partner_first
                and count(row[at.HAND + top_seat]) > 2
                and play[2] <= 2
                and key >> 1 <= w[by.PARTNER_TOP]
                and play[3] >> 1 <= w[by.PARTNER_PLAY]
                and play[1] < at.FOUR_BOMB
            )
            if not shed:
                continue
        if worth > most or (must and best < 0):
            best, most = place, worth
    if best < 0:
        return False
    play = plays[best]
    _set(chosen, play[0], play[1], play[2], play[3])
    return True


@compiled
def choose_bomb(
    row: Any, seat: int, w: Any, plans: Plans, plays: Any, room: Any, chosen: Any
) -> bool:
    """Whether to bomb in a window, and with what: to go out with it, or to stop an opponent."""
    top_seat = row[at.TOP_SEAT]
    if row[at.TEAM + top_seat] == row[at.TEAM + seat]:
        return False
    urgent = danger(row, top_seat, w) >= w[by.BOMB]
    total = list_bombs(row[at.HAND + seat], plays, 0)
    plan_of(row, seat, w, plans, room)
    for place in range(total):
        play = plays[place]
        if not beats(
            play[1], play[2], play[3], row[at.TOP_KIND], row[at.TOP_SIZE], row[at.TOP_KEY]
        ):
            continue
        going = not partner_may_make_it(row, seat) and _losers(row, seat, w, plans, play[0]) <= 1
        if urgent or going:
            _set(chosen, play[0], play[1], play[2], play[3])
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
