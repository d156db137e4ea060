"""Nanjing: four players, two teams, partners opposite (rules section 1)."""

from __future__ import annotations

from .base import Variant


class Nanjing(Variant):
    """The game of four, with all defaults of `Variant` in `base.py`. Columns are the teams (N3)."""

    name = "nanjing"
    people = range(4, 5)
    classic = True
