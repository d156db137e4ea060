"""Limits of a computer player's thinking time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Limit(NamedTuple):
    """Limit of the thinking time for one decision."""

    seconds: float
    """Time in seconds; ignored if `playouts` is given.

    An Expert may take all of it for an exchange or for what it does after a call, and a part of it
    for a plain decision.
    """
    playouts: int | None = None
    """Number of playouts for a play, over all choices together.

    An exchange or a call may take several times as many, and so may a play after a call.
    """
    stop: Callable[[], bool] | None = None
    """Polled often; when it returns true, the player answers with its best choice so far."""
