"""Short names for computer players: at one table they differ, from each other and from people's.

With the name comes the manner in which a computer player plays (`players.manners`).
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
"""The names by manner: whoever has met Tao knows how Tao plays."""
COMPUTER_NAMES = tuple(name for names in NAMES.values() for name in names)
"""More than twice as many as can sit at one table, so there is always one that nobody has."""
_MANNERS: Mapping[str, Manner] = {name: manner for manner in NAMES for name in NAMES[manner]}


def computer_name(table: TableState) -> str:
    """A name that nobody at this table has, of a manner that is rare among its computer players.

    The names come in an order that is drawn for each table from what is stored of it, so it is the
    same after a restart.
    """
    order = list(COMPUTER_NAMES)
    random.Random(f"{table.channel_id} {table.created_at.timestamp()}").shuffle(order)
    taken = {chair.name.casefold() for chair in table.chairs}
    manners = Counter(manner_of(chair.name) for chair in table.chairs if chair.kind == "computer")
    free = [name for name in order if name.casefold() not in taken]
    return min(free, key=lambda name: manners[manner_of(name)])


def manner_at(game: Game, seat: Seat) -> Manner:
    """How a computer player plays for this seat; in a person's place it is steady."""
    return "steady" if game.stands_in(seat) else manner_of(game.chairs[game.decider(seat)].name)


def manner_of(name: str) -> Manner:
    """The manner of the computer player with this name; an unknown one is steady."""
    return _MANNERS.get(name, "steady")
