"""Settings of an event, which its organiser chooses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bot.table.options import TableOptions

FormatName = Literal["game-night", "round-robin", "knock-out", "swiss"]
"""Formats of events."""
DrawBy = Literal["rating", "lot"]
"""Way of making tables, and pairs of people who signed up alone.

``rating`` puts people of similar ratings at a table, and the strongest there with the weakest.
"""
NoShow = Literal["computer", "forfeit"]
"""What happens after the grace time to the seat of a person who has not come."""

LONGEST_TITLE = 80
MOST_DATES = 5
"""Largest number of dates to choose from."""


class EventSettings(BaseModel):
    """Settings of an event, stored as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    title: Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
    """Title that people see."""
    format: FormatName
    """Format of the event."""
    dates: Annotated[tuple[AwareDatetime, ...], Field(min_length=1, max_length=MOST_DATES)]
    """Times at which it may begin, ascending; people choose if there are several."""
    zone: str
    """Time zone of the organiser, in which `dates` were given and a weekly event keeps its hour."""
    weekly: bool = False
    """True if the next event is announced a week later when this one is over.

    It is not if this one was cancelled.
    """
    options: TableOptions = TableOptions()
    """Options of its tables."""
    match_rounds: Annotated[int, Field(ge=1, le=99)] | None = None
    """Number of rounds of a match; `None`: to the score in `options`."""
    draw_by: DrawBy = "rating"
    """Way of making tables and pairs."""
    rounds: Annotated[int, Field(ge=1, le=20)] | None = None
    """Number of rounds; `None`: as the format suggests."""
    third_place: bool = True
    """True if the losers of the semi-finals play for the third place (knock-out)."""
    round_hours: Annotated[int, Field(ge=1, le=24 * 28)] | None = None
    """Hours for each round of a turn-based event; `None`: rounds follow each other at once."""
    no_show: NoShow = "computer"
    """What happens to the seats of people who have not come."""
    grace_minutes: Annotated[int, Field(ge=1, le=60)] = 5
    """Minutes from the begin of a round until people count as not come."""

    @property
    def of_pairs(self) -> bool:
        """True if entrants are pairs, False if they are single people (game night)."""
        return self.format != "game-night"

    @property
    def begins_at(self) -> datetime:
        """The first of its dates."""
        return self.dates[0]
