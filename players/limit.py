"""How long a computer player may think about one decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Limit(NamedTuple):
    """The longest a player may think about one decision."""

    seconds: float
    """The time in seconds; it does not count where `playouts` is given.

    An Expert may take all of it for an exchange or for what it does after a call, and a part of it
    for a plain decision.
    """
    playouts: int | None = None
    """The number of rounds that are played on in thought about a play, over all choices together.

    An exchange or a call may take several times as many, and so may a play after a call.
    """
    stop: Callable[[], bool] | None = None
    """Called often; when it returns true, the player answers with what it knows so far."""
