"""How long a computer player may think about one decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Limit(NamedTuple):
    """The longest a player may think about one decision."""

    seconds: float
    """Seconds; they do not count where `playouts` is given."""
    playouts: int | None = None
    """Rounds played on, over all choices together."""
    stop: Callable[[], bool] | None = None
    """Called often; when it returns true, the player answers with what it knows by then."""
