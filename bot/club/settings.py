"""Settings of an event, which its organiser chooses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bot.ids import ClubEventId
from bot.table.options import TableOptions

FormatName = Literal[
    "game-night", "round-robin", "knock-out", "swiss", "duplicate", "teams", "league"
]
"""Formats of events; all but the game night are tournaments of pairs."""
DrawBy = Literal["rating", "lot"]
"""Way of making tables, and pairs of people who signed up alone.

``rating`` puts people of similar ratings at a table, and the strongest there with the weakest.
"""
NoShow = Literal["computer", "forfeit"]
"""Consequence if nobody of a pair has come: computers play for it, or it loses the match."""

LONGEST_TITLE = 80
MOST_DATES = 5
"""Largest number of dates to choose from."""
MOST_ROUNDS = 20
"""Largest number of rounds of a tournament."""
MOST_DIVISIONS = 8
"""Largest number of divisions of a league."""
MOST_EXCHANGED = 4
"""Largest number of pairs that change places between two divisions."""
LONGEST_ROUND_HOURS = 28 * 24
"""Largest number of hours for a round of a turn-based tournament."""


class EventSettings(BaseModel):
    """Settings of an event, stored as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    title: Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
    """Title that people see."""
    format: FormatName = "game-night"
    """Format of the event."""
    dates: Annotated[tuple[AwareDatetime, ...], Field(min_length=1, max_length=MOST_DATES)]
    """Times at which it may begin, ascending; people choose if there are several."""
    zone: str
    """Time zone of the organiser, in which `dates` were given and a weekly event keeps its hour."""
    weekly: bool = False
    """True if the next event is announced a week later when this one is over.

    It is not if this one was cancelled.
    """
    minute: Annotated[int, Field(ge=0, lt=24 * 60)] | None = None
    """Minute of the day at which repetitions begin; `None` in the first event of a series."""
    options: TableOptions = TableOptions()
    """Options of its tables."""
    draw_by: DrawBy = "rating"
    """Way of making tables and pairs."""
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    """Number of rounds of a tournament; `None`: as the format suggests."""
    third_place: bool = True
    """True if the losers of the semi-finals play for the third place (knock-out)."""
    match_rounds: Annotated[int, Field(ge=1, le=99)] | None = None
    """Number of rounds of a match; `None`: to the score in `options`."""
    round_hours: Annotated[int, Field(ge=1, le=LONGEST_ROUND_HOURS)] | None = None
    """Hours for each round of a turn-based tournament; `None`: all rounds in one evening."""
    no_show: NoShow = "computer"
    """Consequence for a pair that has not come."""
    divisions: Annotated[int, Field(ge=1, le=MOST_DIVISIONS)] = 1
    """Number of divisions of a league."""
    twice: bool = False
    """True if everybody meets twice in a season of a league."""
    exchanged: Annotated[int, Field(ge=0, le=MOST_EXCHANGED)] = 1
    """Number of pairs that change places between two divisions after a season."""
    follows: ClubEventId | None = None
    """The season before this one, whose results make the divisions."""

    @property
    def same_deals(self) -> bool:
        """True if all tables of a round play the same deals."""
        return self.format in ("duplicate", "teams")

    @property
    def is_tournament(self) -> bool:
        """True if pairs play rounds for a place in the standings."""
        return self.format != "game-night"
