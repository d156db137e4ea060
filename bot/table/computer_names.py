"""Short names for computer players: at one table they differ, from each other and from people's."""

from __future__ import annotations

import random

from bot.table.state import TableState

COMPUTER_NAMES = (
    *("Lin", "Bao", "Mei", "Jun", "Wei", "Hua", "Tao", "Min"),
    *("Yun", "Fei", "Kai", "Nan", "Ping", "Lan", "Shan", "Ling"),
    *("Hong", "Xiu", "Bo", "Zhen", "Rui", "Qing", "Yan", "Ning"),
)
"""More than twice as many as can sit at one table, so there is always one that nobody has."""


def computer_name(table: TableState) -> str:
    """A name that nobody at this table has.

    The names come in an order that is drawn for each table from what is stored of it, so it is the
    same after a restart.
    """
    order = list(COMPUTER_NAMES)
    random.Random(f"{table.channel_id} {table.created_at.timestamp()}").shuffle(order)
    taken = {chair.name.casefold() for chair in table.chairs}
    return next(name for name in order if name.casefold() not in taken)
