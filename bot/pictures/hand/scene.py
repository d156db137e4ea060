"""Content of the picture of a hand, which is sent to the drawing process as JSON.

`contents` computes scenes, `picture` draws them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.pictures.descriptions import Name
from bot.pictures.table.scene import TableScene
from engine import Seat, Team


class _Secret(BaseModel):
    """Base of models whose secret fields appear in neither errors nor `repr`."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class HandCard(_Secret):
    """Card of a hand."""

    card: Annotated[str, Field(repr=False)]
    """Card in notation without its copy (`S8`)."""
    quiet: Annotated[bool, Field(repr=False)] = False
    """True if the seat is asked something and this card cannot be used for that."""
    received: Annotated[bool, Field(repr=False)] = False
    """True for a card from the exchange, until the seat has played."""


class SceneHand(_Secret):
    """Hand of a seat."""

    seat: Seat
    """Number of the seat."""
    own: bool = True
    """False for the hand of another seat that the reader decides for."""
    name: Name | None = None
    """Name to write above the hand; `None` for an only hand, and for one below its own plate."""
    team: Team | None = None
    """Team of the player with that name, if there are two teams."""
    cards: Annotated[tuple[HandCard, ...], Field(min_length=1, repr=False)]
    """Cards in the reader's order."""
    acts: bool = True
    """False for a hand that is drawn smaller, because the other hand must act now."""


class HandScene(_Secret):
    """Picture of the hands of one player, for that player only.

    Equal scenes have equal fingerprints. A fingerprint is a plain hash of the cards, so anybody
    could compute it from a guessed hand: it must not be used in a file name, a log or anything else
    that others may read. Name the file by a random token.
    """

    kind: Literal["hand"] = "hand"
    language: str
    """Language of all texts."""
    hands: Annotated[tuple[SceneHand, ...], Field(min_length=1, max_length=2)]
    """The reader's own hand, then the one of another seat that they decide for, if any."""
    table: TableScene | None = None
    """Table as its public view shows it, the own seat first; `None` while nothing is asked."""
