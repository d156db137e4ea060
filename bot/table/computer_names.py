"""Short names for computer players, unique at their table.

The name determines the manner of a computer player (`players.manners`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from bot.table.state import Game, TableState
from engine import Seat
from players.manners import Manner

NAMES: Mapping[Manner, tuple[str, ...]] = {
    "steady": ("Lin", "Bao", "Mei", "Jun", "Wei", "Hua"),
    "bold": ("Tao", "Min", "Yun", "Fei", "Kai", "Nan"),
    "careful": ("Ping", "Lan", "Shan", "Ling", "Hong", "Xiu"),
    "helpful": ("Bo", "Zhen", "Rui", "Qing", "Yan", "Ning"),
}
"""Names by manner; a name always has the same manner."""
COMPUTER_NAMES = tuple(name for names in NAMES.values() for name in names)
"""All names, more than twice as many as seats at a table."""
_MANNERS: Mapping[str, Manner] = {name: manner for manner in NAMES for name in NAMES[manner]}


def computer_name(table: TableState) -> str:
    """Return a free name for a computer player, of the playing style that is rarest at this table.

    The random choice depends only on stored data of the table, so it is the same after a restart.
    """
    order = list(COMPUTER_NAMES)
    random.Random(f"{table.channel_id} {table.created_at.timestamp()}").shuffle(order)
    taken = {chair.name.casefold() for chair in table.chairs}
    manners = Counter(manner_of(chair.name) for chair in table.chairs if chair.kind == "computer")
    free = [name for name in order if name.casefold() not in taken]
    return min(free, key=lambda name: manners[manner_of(name)])


def manner_at(game: Game, seat: Seat) -> Manner:
    """Return the manner of the computer player for this seat; substitutes are steady."""
    return (
        "steady" if game.is_persons_seat(seat) else manner_of(game.chairs[game.decider(seat)].name)
    )


def manner_of(name: str) -> Manner:
    """Return the manner of the computer player with this name.

    It is steady for an unknown name.
    """
    return _MANNERS.get(name, "steady")
