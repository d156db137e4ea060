"""Computer players written by tests."""

from __future__ import annotations

from collections.abc import Callable

from engine import Action, View

Brain = Callable[[View], Action | None]
"""Function that answers at once and ignores manners; `None` waives or answers nothing."""
