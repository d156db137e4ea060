"""How long a computer player may think about one decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Limit(NamedTuple):
    """So many playouts if that is said, else so many seconds.

    When `stop` says so, it is over at once, with what is known by then.
    """

    seconds: float
    playouts: int | None = None
    stop: Callable[[], bool] | None = None
