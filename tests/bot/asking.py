"""Shortcuts for commands of people at a table, for their own seat by default."""

from __future__ import annotations

from collections.abc import Callable

from bot.ids import Revision, TableId, UserId
from bot.live.service import Tables
from bot.table.commands import Act, PassTrick, TakeBack, ThrowBomb
from bot.table.permission import OWN_SEAT
from bot.table.state import Game
from engine import Action


async def act(
    tables: Tables,
    table_id: TableId,
    user_id: UserId,
    revision: Revision | None,
    make: Callable[[int], Action],
    seat: int = OWN_SEAT,
) -> Game:
    """Execute the action that `make` returns for the seat."""
    return played(await tables.execute(table_id, user_id, Act(make(seat), revision)))


async def bomb(
    tables: Tables,
    table_id: TableId,
    user_id: UserId,
    target: str,
    cards: int,
    seat: int = OWN_SEAT,
) -> Game:
    """Bomb this play."""
    command = ThrowBomb(seat, cards, target)
    return played(await tables.execute(table_id, user_id, command))


async def pass_this_trick(
    tables: Tables, table_id: TableId, user_id: UserId, trick: str, on: bool, seat: int = OWN_SEAT
) -> Game:
    """Pass the rest of this trick, or stop doing so."""
    command = PassTrick(seat, on, trick)
    return played(await tables.execute(table_id, user_id, command))


async def take_back(
    tables: Tables, table_id: TableId, user_id: UserId, revision: Revision, seat: int = OWN_SEAT
) -> Game:
    """Take back a pre-move."""
    command = TakeBack(seat, revision)
    return played(await tables.execute(table_id, user_id, command))


def played(table: object) -> Game:
    """Return the table as a running game; fail if it is a lobby."""
    assert isinstance(table, Game)
    return table
