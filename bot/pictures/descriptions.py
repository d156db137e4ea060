"""Descriptions of pictures: what is to be drawn. They go to the drawing process as JSON.

A description has its words in the reader's language, and names of people as they are. Where the
letters of the pictures cannot write a name, the drawing process replaces it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bot.pictures.words import RatingWords, ScoreWords
from bot.records import RoundNumber
from bot.text import Say


class Name(NamedTuple):
    """A name to be written on a picture."""

    text: str
    """The name as somebody has chosen it."""
    replacement: str
    """What is written in its place if the font of the pictures has no letters for it."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Line(_Frozen):
    """One line of a picture: a team, or a player alone."""

    names: tuple[Name, ...]
    """The names of those the line stands for."""
    values: Annotated[tuple[int, ...], Field(min_length=1)]
    """The points in all, or the place, after each round."""
    won: bool = False


class Bet(_Frozen):
    """A call that was made or failed."""

    line: int
    """The index of the caller's line."""
    round: RoundNumber
    """The number of the round, from 1."""
    grand: bool
    """Whether it was a Grand Tichu; else a Tichu."""
    made: bool
    """Whether it was made; else it failed."""


class Sweep(_Frozen):
    """A double or triple victory."""

    line: int
    """The index of the winners' line."""
    round: RoundNumber
    """The number of the round, from 1."""


class ScoreChart(_Frozen):
    """A match for points: the points of each line through the rounds."""

    kind: Literal["score"] = "score"
    language: str
    words: ScoreWords
    lines: Annotated[tuple[Line, ...], Field(min_length=1)]
    target: int | None = None
    """The points to which the match is played, `None` if it has a number of rounds."""
    bets: tuple[Bet, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    sweep_size: int = 2
    """How many players make such a victory: 2 for a double, 3 for a triple one."""


class PlacesChart(_Frozen):
    """A match without points: the place of each line through the rounds, 1 for the best."""

    kind: Literal["places"] = "places"
    language: str
    words: ScoreWords
    lines: Annotated[tuple[Line, ...], Field(min_length=1)]


class RatingPoint(_Frozen):
    """A rating from a moment on. Its true value is most likely within `spread` of it."""

    at: AwareDatetime
    rating: float
    spread: Annotated[float, Field(ge=0)]


class Season(_Frozen):
    """The moment at which a season begins, and the short name of the season."""

    begins: AwareDatetime
    name: Name


class RatingChart(_Frozen):
    """One person's rating through time, the oldest point first."""

    kind: Literal["rating"] = "rating"
    language: str
    words: RatingWords
    name: Name
    points: Annotated[tuple[RatingPoint, ...], Field(min_length=1)]
    seasons: tuple[Season, ...] = ()


Chart = ScoreChart | PlacesChart | RatingChart


def rating_chart(
    name: str,
    points: tuple[tuple[datetime, float, float], ...],
    seasons: tuple[tuple[datetime, str], ...],
    say: Say,
) -> RatingChart:
    """Return the description of the picture of a person's rating, in the reader's language.

    `points` are triples of a moment, the rating from then on, and its spread: at least one, the
    oldest first. `seasons` are pairs of the moment at which a season begins and its short name.
    All moments have a time zone.
    """
    return RatingChart(
        language=say.language,
        words=RatingWords.of(say),
        name=Name(name, say("Player")),
        points=tuple(RatingPoint(at=at, rating=r, spread=s) for at, r, s in points),
        seasons=tuple(
            Season(begins=begins, name=Name(label, say.number(number)))
            for number, (begins, label) in enumerate(seasons, start=1)
        ),
    )
