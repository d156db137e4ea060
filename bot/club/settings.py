"""Settings of an event, which its organiser chooses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bot.table.options import TableOptions

DrawBy = Literal["rating", "lot"]
"""Way of making tables.

``rating`` puts people of similar ratings at a table, and the strongest there with the weakest.
"""

LONGEST_TITLE = 80
MOST_DATES = 5
"""Largest number of dates to choose from."""


class EventSettings(BaseModel):
    """Settings of an event, stored as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    title: Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
    """Title that people see."""
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
    draw_by: DrawBy = "rating"
    """Way of making tables."""
