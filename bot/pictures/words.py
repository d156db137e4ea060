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
    """Label of the axis of rounds."""
    target: str
    """Label of the target line."""
    tichu_made: str
    """Label in the key for a disc with T."""
    tichu_failed: str
    """Label in the key for a square with T that is crossed out."""
    grand_made: str
    """Label in the key for a disc with G."""
    grand_failed: str
    """Label in the key for a square with G that is crossed out."""
    double_victory: str
    """Label in the key for the diamond of a double victory."""
    triple_victory: str
    """Label in the key for the diamond of a triple victory."""

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
    """Heading of a rating chart."""
    line: str
    """Label in the key for the line."""
    uncertainty: str
    """Label in the key for the band around the line."""
    season: str
    """Label in the key for a dotted line."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the texts in one language."""
        return cls(
            title=say("The rating over time"),
            line=say("Estimated rating"),
            uncertainty=say("Most likely range"),
            season=say("A season begins"),
        )


class AccuracyWords(BaseModel):
    """Texts on a chart of accuracy."""

    model_config = ConfigDict(frozen=True)

    title: str
    """Heading of the chart."""
    line: str
    """Label in the key for the line."""
    uncertainty: str
    """Label in the key for the band around the line."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the texts in one language."""
        return cls(
            title=say("Points lost per decision"),
            line=say("Mean of 20 rounds"),
            uncertainty=say("Most likely range"),
        )


class ChancesWords(BaseModel):
    """Texts on a chart of chances."""

    model_config = ConfigDict(frozen=True)

    title: str
    """Heading of a chart of chances."""
    round: str
    """Label in the key for the line of the round."""
    match: str
    """Label in the key for the line of the match."""
    trick: str
    """Label of the axis of tricks."""
    turning_point: str
    """Label in the key for a dotted line."""

    @classmethod
    def of(cls, say: Say) -> Self:
        """Return the texts in one language."""
        return cls(
            title=say("The team's chances, trick by trick"),
            round=say("To win the round"),
            match=say("To win the match"),
            trick=say("Trick"),
            turning_point=say("Turning point"),
        )
