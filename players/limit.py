"""Limits of a computer player's thinking time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Limit(NamedTuple):
    """Limit of the thinking time for one decision."""

    seconds: float
    """Time in seconds; ignored if `playouts` is given.

    An Expert takes a part of it for an ordinary decision, and may take all of it for an important
    one, such as an exchange or a play after a call.
    """
    playouts: int | None = None
    """Number of playouts for an ordinary decision, for all choices together.

    An exchange, a call or a play after a call may take several times as many.
    """
    stop: Callable[[], bool] | None = None
    """Function that is called often; once it returns true, the best choice so far is used."""
