"""Playouts: the quick policy plays a round to its end, to evaluate a choice."""

from __future__ import annotations

from engine import Seat
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.leads import choose_lead, choose_partner
from players.expert.plays import CARDS, KEY, KIND, SIZE, in_bombs
from players.expert.policy import choose_answer, choose_bomb, choose_receiver, choose_wish
from players.expert.rules import close_window, give_trick, lay, lay_dog, pass_turn
from players.expert.weights import TeamWeights
from players.expert.workspace import Workspace, remove_from_plan


@compiled
def lay_chosen(row: Row, seat: Seat, work: Workspace) -> None:
    """Lay the play in `work.chosen`: a lead, an answer or a bomb."""
    chosen = work.chosen
    if chosen[KIND] == layout.DOG:
        lay_dog(row, seat, choose_partner(row, seat))
    else:
        wish = choose_wish(row, seat) if chosen[CARDS] & layout.MAHJONG else 0
        lay(row, seat, chosen[CARDS], chosen[KIND], chosen[SIZE], chosen[KEY], wish)
    remove_from_plan(work.plans, seat, chosen[CARDS])


@compiled
def play_on(row: Row, chooser: Seat, team_weights: TeamWeights, work: Workspace) -> None:
    """Play until the result of the seat `chooser` is known; until the round is over if it is -1.

    Each seat uses the weights of its team. Without points a result is known when the seat is out.
    """
    while row[layout.PHASE] != layout.OVER and (
        chooser < 0 or row[layout.HAND + chooser] or row[layout.SCORED]
    ):
        seat, phase = row[layout.ON_TURN], row[layout.PHASE]
        weights = team_weights[row[layout.TEAM + seat] & 1]
        if phase == layout.LEAD:
            choose_lead(row, weights, work)
            lay_chosen(row, seat, work)
        elif phase == layout.TURN:
            if choose_answer(row, weights, work):
                lay_chosen(row, seat, work)
            else:
                pass_turn(row)
        elif phase == layout.GIFT:
            give_trick(row, choose_receiver(row, seat))
        else:
            _pass_window(row, team_weights, work)


@compiled
def _pass_window(row: Row, team_weights: TeamWeights, work: Workspace) -> None:
    """Lay the first bomb that another seat wants to lay, in turn order, or close the window."""
    seat = row[layout.TOP_SEAT]
    for _ in range(row[layout.GAME_SEATS] - 1):
        seat = row[layout.NEXT + seat]
        hand = row[layout.HAND + seat]
        if count(hand) >= 4 and in_bombs(hand):
            weights = team_weights[row[layout.TEAM + seat] & 1]
            if choose_bomb(row, seat, weights, work):
                lay_chosen(row, seat, work)
                return
    close_window(row)
