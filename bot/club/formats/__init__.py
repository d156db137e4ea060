"""Formats of events, by name; a new format is one module of this package."""

from __future__ import annotations

from typing import Final

from bot.club.competition import Format
from bot.club.settings import FormatName

FORMATS: Final[dict[FormatName, Format]] = {}
"""All formats."""
