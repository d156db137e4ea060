"""Version of the computers of boards, and the seat of the person, for code that loads no player."""

from __future__ import annotations

from typing import Final

from engine import Seat

VERSION: Final = 2
"""Version of all choices of these computers (`players.solo`)."""
PERSON: Final[Seat] = 0
"""Seat of the person."""
