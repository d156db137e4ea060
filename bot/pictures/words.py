"""The words that stand on the pictures, in the language of the reader."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict

from bot.text import Say


class ScoreWords(BaseModel):
    """The words on a picture of scores or places."""

    model_config = ConfigDict(frozen=True)

    score: str
    """The heading of a picture of scores."""
    places: str
    """The heading of a picture of places."""
    round: str
    """The name of the axis with the rounds."""
    target: str
    """The name of the line at the points to which the match is played."""
    tichu_made: str
    """The meaning of a disc with T."""
    tichu_failed: str
    """The meaning of a struck square with T."""
    grand_made: str
    """The meaning of a disc with G."""
    grand_failed: str
    """The meaning of a struck square with G."""
    double_victory: str
    """The meaning of a diamond where two partners make such a victory."""
    triple_victory: str
    """The meaning of a diamond where three partners make such a victory."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the words in one language."""
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
    """The words on a picture of a rating."""

    model_config = ConfigDict(frozen=True)

    title: str
    """The heading."""
    rating: str
    """The meaning of the line."""
    uncertainty: str
    """The meaning of the band around the line."""
    season: str
    """The meaning of a dotted line."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the words in one language."""
        return cls(
            title=say("The rating through time"),
            rating=say("Rating"),
            uncertainty=say("Range it most likely lies in"),
            season=say("A season begins"),
        )
