"""Content of a result card, which is sent to the drawing process as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.pictures.descriptions import Name, ScoreChart
from engine import Team


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Calls(_Frozen):
    """Calls of one kind of a team or player in the match."""

    grand: bool
    """True for Grand Tichu, false for Tichu."""
    made: int
    failed: int


class CardLine(_Frozen):
    """Team, or player with their own points."""

    names: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Names of its players."""
    team: Team | None
    """Team, if there are two."""
    total: str
    """Points of the match."""
    won: bool
    """True for winners."""
    calls: tuple[Calls, ...] = ()
    """Kinds of calls, if there were any."""
    bombs: int = 0
    """Number of bombs thrown."""


class PlayShown(_Frozen):
    """A play of the match."""

    cards: Annotated[tuple[str, ...], Field(min_length=1)]
    """Its cards, in notation without copies and in display order."""
    heading: str
    """Heading, such as “Play of the match”."""
    text: str
    """Name of the combination."""
    name: Name
    """Name of its player."""
    team: Team | None
    """Team of the player, if there are two."""


class ResultCard(_Frozen):
    """Result of a match with points."""

    kind: Literal["result"] = "result"
    heading: str
    """Game and number of rounds."""
    lines: Annotated[tuple[CardLine, ...], Field(min_length=1)]
    """Teams or players, winners first."""
    straight: PlayShown | None = None
    """Longest straight, unless it is the play."""
    play: PlayShown | None = None
    """Best play, shown with its cards."""
    chart: ScoreChart | None = None
    """Points after each round; `None` after a single one."""
