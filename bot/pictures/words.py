"""Texts on the charts, in the reader's language."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict

from bot.text import Say


class ScoreWords(BaseModel):
    """Texts on a chart of scores or places."""

    model_config = ConfigDict(frozen=True)

    score: str
    """Heading of a score chart."""
    places: str
    """Heading of a places chart."""
    round: str
    """Name of the axis of rounds."""
    target: str
    """Name of the line of the target."""
    tichu_made: str
    """Meaning of a disc with T."""
    tichu_failed: str
    """Meaning of a struck square with T."""
    grand_made: str
    """Meaning of a disc with G."""
    grand_failed: str
    """Meaning of a struck square with G."""
    double_victory: str
    """Meaning of a diamond for a victory of two partners."""
    triple_victory: str
    """Meaning of a diamond for a victory of three partners."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the texts in one language."""
        return cls(
            score=say("The score, round by round"),
            places=say("The places, round by round"),
            round=say("Round"),
            target=say("Target"),
            tichu_made=say("Tichu made"),
            tichu_failed=say("Tichu failed"),
            grand_made=say("Grand Tichu made"),
            grand_failed=say("Grand Tichu failed"),
            double_victory=say("Double victory"),
            triple_victory=say("Triple victory"),
        )


class RatingWords(BaseModel):
    """Texts on a rating chart."""

    model_config = ConfigDict(frozen=True)

    title: str
    """Heading."""
    rating: str
    """Meaning of the line."""
    uncertainty: str
    """Meaning of the band around the line."""
    season: str
    """Meaning of a dotted line."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the texts in one language."""
        return cls(
            title=say("The rating over time"),
            rating=say("Estimated rating"),
            uncertainty=say("Most likely range"),
            season=say("A season begins"),
        )
