"""Commands of people at a table, for their own seat where no other is given."""

from __future__ import annotations

from collections.abc import Callable

from bot.live.service import Tables
from bot.table.commands import Act, PassTrick, TakeBack, ThrowBomb
from bot.table.state import Game
from engine import Action

NOWHERE = 99
"""The seat of who sits nowhere: whoever acts for it is refused for another reason."""


def own(tables: Tables, table_id: int, user_id: int, seat: int | None) -> int:
    """The seat that a person acts for."""
    if seat is not None:
        return seat
    found = tables.get(table_id).seat_of(user_id)
    return NOWHERE if found is None else found


async def act(
    tables: Tables,
    table_id: int,
    user_id: int,
    revision: int | None,
    make: Callable[[int], Action],
    seat: int | None = None,
) -> Game:
    """An action; `make` is given the seat."""
    action = make(own(tables, table_id, user_id, seat))
    return played(await tables.execute(table_id, user_id, Act(action, revision)))


async def bomb(
    tables: Tables, table_id: int, user_id: int, target: str, cards: int, seat: int | None = None
) -> Game:
    """A bomb on this play."""
    command = ThrowBomb(own(tables, table_id, user_id, seat), cards, target)
    return played(await tables.execute(table_id, user_id, command))


async def pass_this_trick(
    tables: Tables, table_id: int, user_id: int, trick: str, on: bool, seat: int | None = None
) -> Game:
    """Passing in this trick, or no longer."""
    command = PassTrick(own(tables, table_id, user_id, seat), on, trick)
    return played(await tables.execute(table_id, user_id, command))


async def take_back(
    tables: Tables, table_id: int, user_id: int, revision: int, seat: int | None = None
) -> Game:
    """Taking a pre-move back."""
    command = TakeBack(own(tables, table_id, user_id, seat), revision)
    return played(await tables.execute(table_id, user_id, command))


def played(table: object) -> Game:
    """The table, which has a match on it."""
    assert isinstance(table, Game)
    return table
