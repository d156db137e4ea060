"""The words that stand on the pictures, translated where the reader is known."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict

from bot.text import Say


class ScoreWords(BaseModel):
    """What stands on a picture of scores or places."""

    model_config = ConfigDict(frozen=True)

    score: str
    places: str
    round: str
    target: str
    tichu_made: str
    tichu_failed: str
    grand_made: str
    grand_failed: str
    double_victory: str
    triple_victory: str

    @classmethod
    def of(cls, say: Say) -> Self:
        """The words in one language."""
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
    """What stands on a picture of a rating."""

    model_config = ConfigDict(frozen=True)

    title: str
    rating: str
    uncertainty: str
    season: str

    @classmethod
    def of(cls, say: Say) -> Self:
        """The words in one language."""
        return cls(
            title=say("The rating through time"),
            rating=say("Rating"),
            uncertainty=say("Range it most likely lies in"),
            season=say("A season begins"),
        )
