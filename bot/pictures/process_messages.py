"""Messages between the bot and the drawing process.

Each message is preceded by its length in four bytes. A request is a drawing as JSON. A response is
`DRAWN` followed by the picture, or `FAILED` followed by the reason.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from pydantic import Field, TypeAdapter

from bot.pictures.descriptions import Chart
from bot.pictures.hand.scene import HandScene
from bot.pictures.replay.scene import ReplayScene, TrickAnimation
from bot.pictures.result.scene import ResultCard
from bot.pictures.standings.scene import Standings
from bot.pictures.table.scene import TableScene

Drawing = TableScene | HandScene | ReplayScene | TrickAnimation | ResultCard | Standings | Chart
"""Content of a picture."""

DRAWN, FAILED = b"+", b"-"
"""First byte of a response."""

LENGTH_BYTES = 4
"""Size of the length prefix of a message, in bytes."""

_DRAWING: TypeAdapter[Drawing] = TypeAdapter(Annotated[Drawing, Field(discriminator="kind")])


def parse_drawing(text: bytes) -> Drawing:
    """Parse a drawing from JSON. Raise pydantic's `ValidationError` if it is invalid."""
    return _DRAWING.validate_json(text)


def to_json(drawing: Drawing) -> bytes:
    """Encode a drawing as JSON."""
    return drawing.model_dump_json().encode()


def fingerprint(drawing: Drawing) -> bytes:
    """Return a 16-byte hash of a drawing; equal drawings have equal hashes."""
    return hashlib.blake2b(to_json(drawing), digest_size=16).digest()


def frame(content: bytes) -> bytes:
    """Return a message with its length prefix."""
    return len(content).to_bytes(LENGTH_BYTES) + content
