"""What is to be drawn: frozen descriptions that go to the drawing process as JSON.

Whoever makes one gives words and numbers in the reader's language, and names as they are: what
the picture's letters cannot write is replaced when it is drawn.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from bot.charts.words import RatingWords, ScoreWords
from bot.text import Say


class Name(NamedTuple):
    """A name as somebody has chosen it, and what to write where there are no letters for it."""

    text: str
    instead: str


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Line(_Frozen):
    """One line: the names of those it stands for, a value after each round, whether it has won."""

    names: tuple[Name, ...]
    values: Annotated[tuple[int, ...], Field(min_length=1)]
    won: bool = False


class Bet(_Frozen):
    """A call in a round (from 1), made or failed, on the line of whoever called."""

    line: int
    round: int
    grand: bool
    made: bool


class Sweep(_Frozen):
    """A double or triple victory of a line in a round (from 1)."""

    line: int
    round: int


class ScoreChart(_Frozen):
    """The points of each line through the rounds; `target` where the match is played to one.

    `triple` says that a sweep takes three players.
    """

    kind: Literal["score"] = "score"
    language: str
    words: ScoreWords
    lines: Annotated[tuple[Line, ...], Field(min_length=1)]
    target: int | None = None
    bets: tuple[Bet, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    triple: bool = False


class PlacesChart(_Frozen):
    """The place of each line through the rounds, 1 for the best."""

    kind: Literal["places"] = "places"
    language: str
    words: ScoreWords
    lines: Annotated[tuple[Line, ...], Field(min_length=1)]


class RatingPoint(_Frozen):
    """A rating from some moment on; most likely it is off by no more than `spread`."""

    at: AwareDatetime
    rating: float
    spread: Annotated[float, Field(ge=0)]


class Season(_Frozen):
    """The moment in which a season begins, and its short name."""

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
_ANY: TypeAdapter[Chart] = TypeAdapter(Annotated[Chart, Field(discriminator="kind")])


def rating_chart(
    name: str,
    points: tuple[tuple[datetime, float, float], ...],
    seasons: tuple[tuple[datetime, str], ...],
    say: Say,
) -> RatingChart:
    """The picture of a person's rating for one reader.

    `points` are moments with the rating from then on and its spread, the oldest first, at least
    one; `seasons` are beginnings of seasons with their short names. Moments have a time zone.
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


def read(text: bytes) -> Chart:
    """A description out of its JSON; raises pydantic's `ValidationError`."""
    return _ANY.validate_json(text)
