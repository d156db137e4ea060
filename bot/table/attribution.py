"""Credit of a round to one of the people who played its seat.

It goes to the person who took at least half of the seat's turns. `bot.table.batch` counts turns
during a round, `bot.table.results` records the outcome; `docs/absent-players.md` explains it to
players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.ids import UserId
from bot.table.details import Turns
from engine import Action, Bomb, GiveTrick, Pass, Play, Seat

COMPUTER: Final = UserId(0)
"""User id that represents every computer player in counts of turns."""

_STORED_TURNS = frozenset({"play", "pass", "bomb", "give"})
"""First words of the stored texts of turns."""


class SeatCredit(NamedTuple):
    """Person credited with a round of a seat, and their share of its turns."""

    counts_for: UserId | None
    """User who is credited, or `None` if nobody is."""
    turns: int
    """Number of turns of the seat."""
    own_turns: int
    """Number of turns taken by the person who took most of them."""


def is_turn(action: Action) -> bool:
    """Return whether an action is a turn: play, pass, bomb or gift.

    Answers and the exchange are not, because they can be changed and would be counted twice.
    """
    return isinstance(action, Play | Pass | Bomb | GiveTrick)


def is_stored_turn(text: str) -> bool:
    """Return whether a stored action is a turn."""
    return text.partition(":")[0] in _STORED_TURNS


def add_count(turns: Turns, chair: Seat, actor_id: UserId | None) -> Turns:
    """Return the counts with one more turn or round of this chair.

    `actor_id` is the person it is counted for, or `None` for a computer player.
    """
    user = COMPUTER if actor_id is None else actor_id
    of_chair = turns.get(chair, {})
    return turns | {chair: of_chair | {user: of_chair.get(user, 0) + 1}}


def seat_credit(turns_by_user: Mapping[UserId, int], seated: UserId | None) -> SeatCredit:
    """Return the person credited with a round of a seat.

    `turns_by_user` counts the turns of the seat, and `seated` is the person in the seat at the end
    of the round. If two people took half of the turns each, or if there were no turns, `seated` is
    credited.
    """
    people = {user_id: turns for user_id, turns in turns_by_user.items() if user_id != COMPUTER}
    if seated is not None:
        people.setdefault(seated, 0)
    turns = sum(turns_by_user.values())
    candidate = max(people, key=lambda user_id: (people[user_id], user_id == seated), default=None)
    own_turns = people[candidate] if candidate is not None else 0
    credited = candidate if 2 * own_turns >= turns else None  # at least half of the turns
    return SeatCredit(credited, turns, own_turns)
