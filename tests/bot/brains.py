"""Computer players as tests write them."""

from __future__ import annotations

from collections.abc import Callable

from engine import Action, View

Brain = Callable[[View], Action | None]
"""A player that answers at once and knows no manners. `None`: nothing is asked of the seat, or it
waives."""
