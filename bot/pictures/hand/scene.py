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
    """Value that neither an error nor a `repr` shows."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class HandCard(_Secret):
    """Card of a hand."""

    card: Annotated[str, Field(repr=False)]
    """Card in notation without its copy (`S8`)."""
    quiet: Annotated[bool, Field(repr=False)] = False
    """True if something is asked, and this card is part of no legal answer."""
    received: Annotated[bool, Field(repr=False)] = False
    """True for a card from the exchange, until the seat has played."""


class HandShown(_Secret):
    """Hand of a seat."""

    seat: Seat
    """Number of the seat."""
    own: bool = True
    """False for the hand of a seat that the reader decides for besides their own."""
    name: Name | None = None
    """Name to be written above it, unless it is the only hand or below the own plate."""
    team: Team | None = None
    """Team of that name, if there are two."""
    cards: Annotated[tuple[HandCard, ...], Field(min_length=1, repr=False)]
    """Cards in the reader's order."""
    acts: bool = True
    """False for a hand beside one that must act now: it is drawn smaller."""


class HandScene(_Secret):
    """Picture of the hands of one player, for that player only.

    Equal scenes have equal fingerprints. A fingerprint is a plain hash of the cards, so anybody
    could compute it from a guessed hand: it must not be used in a file name, a log or anything else
    that others may read. Name the file by a random token.
    """

    kind: Literal["hand"] = "hand"
    language: str
    """Language of all texts."""
    hands: Annotated[tuple[HandShown, ...], Field(min_length=1, max_length=2)]
    """The reader's own hand, then the other one that they decide for."""
    table: TableScene | None = None
    """Table as its public view shows it, the own seat first; `None` while nothing is asked."""
