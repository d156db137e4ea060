"""The person credited with a round when several played its seat.

It is whoever took at least half of the seat's turns. `bot.table.batch` counts turns while a round
is played, `bot.table.results` writes the outcome down; `docs/absent-players.md` tells players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.ids import UserId
from bot.table.details import Turns
from engine import Action, Bomb, GiveTrick, Pass, Play, Seat

COMPUTER: Final = UserId(0)
"""Stands for every computer player where turns are counted by user."""

_STORED_TURNS = frozenset({"play", "pass", "bomb", "give"})
"""The words with which the texts of turns begin."""


class Share(NamedTuple):
    """Who is credited with a round of a seat, and who played how much of it."""

    counts_for: UserId | None
    """The user who is credited, `None` for nobody."""
    turns: int
    """The number of turns of the seat."""
    own_turns: int
    """How many of them were taken by the person who took most."""


def is_turn(action: Action) -> bool:
    """Whether an action is a turn: a play, a pass, a bomb, a Dragon's trick given away.

    Answers and the exchange are none: they can be changed, and would be counted again.
    """
    return isinstance(action, Play | Pass | Bomb | GiveTrick)


def is_stored_turn(text: str) -> bool:
    """Whether the action that is stored as this text is a turn."""
    return text.partition(":")[0] in _STORED_TURNS


def counted(turns: Turns, chair: Seat, actor_id: UserId | None) -> Turns:
    """The turns with one more, taken on this chair by a person or (`None`) a computer player."""
    user = COMPUTER if actor_id is None else actor_id
    own = turns.get(chair, {})
    return turns | {chair: own | {user: own.get(user, 0) + 1}}


def share(taken: Mapping[UserId, int], seated: UserId | None) -> Share:
    """Who is credited with a round.

    `taken` are the turns of the seat by user, `seated` the person who sits there at its end. When
    two took half each, or there was no turn to take, it is whoever sits there.
    """
    people = {user_id: turns for user_id, turns in taken.items() if user_id != COMPUTER}
    if seated is not None:
        people.setdefault(seated, 0)
    turns = sum(taken.values())
    most = max(people, key=lambda user_id: (people[user_id], user_id == seated), default=None)
    own = people[most] if most is not None else 0
    return Share(most if 2 * own >= turns else None, turns, own)
