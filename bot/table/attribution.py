"""For whom a round counts when not one person alone played a seat: who took half of its turns.

`bot.table.batch` counts turns on the desk while a round is played, `bot.table.results` writes the
outcome down. `docs/absent-players.md` tells players about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

COMPUTER = 0
"""Stands for every computer player where turns are counted by user."""

Turns = dict[int, dict[int, int]]
"""Turns of a round, by chair and by the user who took them."""

_TURNS = frozenset({"play", "pass", "bomb", "give"})


class Share(NamedTuple):
    """For whom a round of a seat counts (`None`: for nobody), and who played how much of it.

    `own_turns` of the `turns` were taken by the person who took most of them.
    """

    counts_for: int | None
    turns: int
    own_turns: int


def is_turn(text: str) -> bool:
    """Whether a stored action is a turn: a play, a pass, a bomb, a Dragon's trick given away.

    Answers and the exchange are none: they can be changed, and would be counted again.
    """
    return text.partition(":")[0] in _TURNS


def counted(turns: Turns, chair: int, actor_id: int | None) -> Turns:
    """The turns with one more, taken on this chair by a person or (`None`) a computer player."""
    who = COMPUTER if actor_id is None else actor_id
    own = turns.get(chair, {})
    return turns | {chair: own | {who: own.get(who, 0) + 1}}


def share(taken: Mapping[int, int], seated: int | None) -> Share:
    """Whom a round counts for: the turns of its seat by user, and who sits there at its end.

    Of two who took half each, and where there was no turn to take, it is whoever sits there.
    """
    people = {user_id: turns for user_id, turns in taken.items() if user_id != COMPUTER}
    if seated is not None:
        people.setdefault(seated, 0)
    turns = sum(taken.values())
    most = max(people, key=lambda user_id: (people[user_id], user_id == seated), default=None)
    own = people[most] if most is not None else 0
    return Share(most if 2 * own >= turns else None, turns, own)
