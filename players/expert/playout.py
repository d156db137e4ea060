"""A round played on to its end by the quick policy: one sample of what a choice may bring."""

from __future__ import annotations

from typing import Any

from players.expert import layout as at
from players.expert.compiled import compiled, count
from players.expert.plays import CARDS, KEY, KIND, SIZE, in_bombs
from players.expert.policy import (
    choose_answer,
    choose_bomb,
    choose_lead,
    choose_partner,
    choose_receiver,
    choose_wish,
)
from players.expert.room import Room, keep_plan
from players.expert.rules import close_window, give_trick, lay, lay_dog, pass_turn


@compiled
def lay_chosen(row: Any, seat: int, room: Room) -> None:
    """Lay the play in `room.chosen`: a lead, an answer or a bomb."""
    chosen = room.chosen
    if chosen[KIND] == at.DOG:
        lay_dog(row, seat, choose_partner(row, seat))
    else:
        wish = choose_wish(row, seat) if chosen[CARDS] & at.MAHJONG else 0
        lay(row, seat, chosen[CARDS], chosen[KIND], chosen[SIZE], chosen[KEY], wish)
    keep_plan(room.plans, seat, chosen[CARDS])


@compiled
def play_on(row: Any, team_weights: Any, room: Room) -> None:
    """Play until the round is over; each seat by `team_weights` of its team."""
    while row[at.PHASE] != at.OVER:
        seat, phase = row[at.ON_TURN], row[at.PHASE]
        weights = team_weights[row[at.TEAM + seat] & 1]
        if phase == at.LEAD:
            choose_lead(row, weights, room)
            lay_chosen(row, seat, room)
        elif phase == at.TURN:
            if choose_answer(row, weights, room):
                lay_chosen(row, seat, room)
            else:
                pass_turn(row)
        elif phase == at.GIFT:
            give_trick(row, choose_receiver(row, seat))
        else:
            _pass_window(row, team_weights, room)


@compiled
def _pass_window(row: Any, team_weights: Any, room: Room) -> None:
    """Let the seats after the top play bomb in turn; the first bomb, or none, ends the window."""
    seat = row[at.TOP_SEAT]
    for _ in range(row[at.GAME_SEATS] - 1):
        seat = row[at.NEXT + seat]
        hand = row[at.HAND + seat]
        if count(hand) >= 4 and in_bombs(hand):
            weights = team_weights[row[at.TEAM + seat] & 1]
            if choose_bomb(row, seat, weights, room):
                lay_chosen(row, seat, room)
                return
    close_window(row)
