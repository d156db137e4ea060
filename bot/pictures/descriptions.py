"""Descriptions of charts, which are sent to the drawing process as JSON.

Texts are in the reader's language, names of people unchanged. The drawing process replaces a name
that its fonts cannot write.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bot.pictures.words import AccuracyWords, ChancesWords, RatingWords, ScoreWords
from bot.records import RoundNumber
from bot.text import Say


class Name(NamedTuple):
    """Name to be written on a picture."""

    text: str
    """Name as chosen by the user."""
    replacement: str
    """Text to write instead if the fonts of the pictures lack its letters."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Line(_Frozen):
    """Line of a chart: a team, or a single player."""

    names: tuple[Name, ...]
    """Names of the players of the line."""
    values: Annotated[tuple[int, ...], Field(min_length=1)]
    """Total points, or place, after each round."""
    won: bool = False


class Bet(_Frozen):
    """Call of a player in a round, with its outcome."""

    line: int
    """Index of the caller's line."""
    round: RoundNumber
    """Number of the round, from 1."""
    grand: bool
    """True for a Grand Tichu, false for a Tichu."""
    made: bool
    """True if it was made, false if it failed."""


class Sweep(_Frozen):
    """Double or triple victory."""

    line: int
    """Index of the winners' line."""
    round: RoundNumber
    """Number of the round, from 1."""


class ScoreChart(_Frozen):
    """Chart of a match for points: the total points of each line after each round."""

    kind: Literal["score"] = "score"
    language: str
    words: ScoreWords
    lines: Annotated[tuple[Line, ...], Field(min_length=1)]
    target: int | None = None
    """Target of the match in points; `None` if it has a fixed number of rounds."""
    bets: tuple[Bet, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    sweep_size: int = 2
    """Number of players in a sweep: 2 for a double victory, 3 for a triple one."""


class PlacesChart(_Frozen):
    """Chart of a match without points: the place of each line after each round, 1 is best."""

    kind: Literal["places"] = "places"
    language: str
    words: ScoreWords
    lines: Annotated[tuple[Line, ...], Field(min_length=1)]


class TrendPoint(_Frozen):
    """Value from a time on. The true value is most likely within `spread` of it."""

    at: AwareDatetime
    value: float
    spread: Annotated[float, Field(ge=0)]


class Season(_Frozen):
    """Start of a season, and its short name."""

    begins: AwareDatetime
    name: Name


class RatingChart(_Frozen):
    """Chart of a player's rating, the oldest point first."""

    kind: Literal["rating"] = "rating"
    language: str
    words: RatingWords
    name: Name
    points: Annotated[tuple[TrendPoint, ...], Field(min_length=1)]
    seasons: tuple[Season, ...] = ()


class AccuracyChart(_Frozen):
    """Chart of the mean cost of a player's decisions, the oldest point first."""

    kind: Literal["accuracy"] = "accuracy"
    language: str
    words: AccuracyWords
    name: Name
    points: Annotated[tuple[TrendPoint, ...], Field(min_length=1)]


class ChancesPoint(_Frozen):
    """Chances of a team, from 0 to 1, at the begin of a trick."""

    trick: int
    """Number of the trick, from 1; at the end of the round the number after the last one."""
    round: float
    """Chance to win the round."""
    match: float
    """Chance to win the match."""


class ChancesChart(_Frozen):
    """Chart of the chances of a team in a round."""

    kind: Literal["chances"] = "chances"
    language: str
    words: ChancesWords
    points: Annotated[tuple[ChancesPoint, ...], Field(min_length=2)]
    turning_points: tuple[int, ...] = ()
    """Indices of points before which the chances changed most."""


TrendChart = RatingChart | AccuracyChart
Chart = ScoreChart | PlacesChart | ChancesChart | TrendChart


def rating_chart(
    name: str,
    points: tuple[tuple[datetime, float, float], ...],
    seasons: tuple[tuple[datetime, str], ...],
    say: Say,
) -> RatingChart:
    """Return the description of a rating chart, in the reader's language.

    `points` are triples of a time, the rating from then on, and its spread: at least one, the
    oldest first. `seasons` are pairs of the start of a season and its short name. All times are
    aware of their time zone.
    """
    return RatingChart(
        language=say.language,
        words=RatingWords.of(say),
        name=Name(name, say("Player")),
        points=_trend_points(points),
        seasons=tuple(
            Season(begins=begins, name=Name(label, say.number(number)))
            for number, (begins, label) in enumerate(seasons, start=1)
        ),
    )


def accuracy_chart(
    name: str, points: tuple[tuple[datetime, float, float], ...], say: Say
) -> AccuracyChart:
    """Return the description of a chart of accuracy, in the reader's language.

    `points` are triples of an aware time, the mean cost until then, and half the width of its
    interval: at least one, the oldest first.
    """
    return AccuracyChart(
        language=say.language,
        words=AccuracyWords.of(say),
        name=Name(name, say("Player")),
        points=_trend_points(points),
    )


def _trend_points(points: tuple[tuple[datetime, float, float], ...]) -> tuple[TrendPoint, ...]:
    return tuple(TrendPoint(at=at, value=value, spread=spread) for at, value, spread in points)
