"""A round played on to its end by the quick policy: one sample of what a choice may bring."""

from __future__ import annotations

from typing import Any

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert.compiled import compiled, count
from bench.frozen.expert_2026_11.expert.plays import in_bombs
from bench.frozen.expert_2026_11.expert.policy import (
    Plans,
    choose_answer,
    choose_bomb,
    choose_lead,
    choose_partner,
    choose_receiver,
    choose_wish,
    keep_plan,
)
from bench.frozen.expert_2026_11.expert.rules import close_window, give_trick, lay, lay_dog, pass_turn


@compiled
def lay_chosen(row: Any, seat: int, chosen: Any, plans: Plans) -> None:
    """Carry out a lead or an answer."""
    if chosen[1] == at.DOG:
        lay_dog(row, seat, choose_partner(row, seat))
    else:
        wish = choose_wish(row, seat) if chosen[0] & at.MAHJONG else 0
        lay(row, seat, chosen[0], chosen[1], chosen[2], chosen[3], wish)
    keep_plan(plans, seat, chosen[0])


@compiled
def play_on(row: Any, w: Any, plans: Plans, plays: Any, room: Any, chosen: Any) -> None:
    """Play until the round is over; `w[team]` are the weights of the seats of a team."""
    while row[at.PHASE] != at.OVER:
        seat, phase = row[at.ON_TURN], row[at.PHASE]
        weights = w[row[at.TEAM + seat] & 1]
        if phase == at.LEAD:
            choose_lead(row, weights, plans, room, chosen)
            lay_chosen(row, seat, chosen, plans)
        elif phase == at.TURN:
            if choose_answer(row, weights, plans, plays, room, chosen):
                lay_chosen(row, seat, chosen, plans)
            else:
                pass_turn(row)
        elif phase == at.GIFT:
            give_trick(row, choose_receiver(row, seat))
        else:
            _window(row, w, plans, plays, room, chosen)


@compiled
def _window(row: Any, w: Any, plans: Plans, plays: Any, room: Any, chosen: Any) -> None:
    seat = row[at.TOP_SEAT]
    for _ in range(row[at.GAME_SEATS] - 1):
        seat = row[at.NEXT + seat]
        hand = row[at.HAND + seat]
        if count(hand) >= 4 and in_bombs(hand):
            weights = w[row[at.TEAM + seat] & 1]
            if choose_bomb(row, seat, weights, plans, plays, room, chosen):
                lay(row, seat, chosen[0], chosen[1], chosen[2], chosen[3], 0)
                keep_plan(plans, seat, chosen[0])
                return
    close_window(row)
