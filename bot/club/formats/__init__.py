"""Formats of events, by name; a new format is one module of this package."""

from __future__ import annotations

from typing import Final

from bot.club.competition import Format
from bot.club.formats.duplicate import Duplicate
from bot.club.formats.knock_out import KnockOut
from bot.club.formats.league import League
from bot.club.formats.round_robin import RoundRobin
from bot.club.formats.swiss import Swiss
from bot.club.formats.teams import Teams
from bot.club.settings import FormatName

FORMATS: Final[dict[FormatName, Format]] = {
    "round-robin": RoundRobin(),
    "knock-out": KnockOut(),
    "swiss": Swiss(),
    "duplicate": Duplicate(),
    "teams": Teams(),
    "league": League(),
}
"""Formats of tournaments. A game night is drawn by lot or rating, without earlier results."""
