"""Messages between the bot and the process that draws.

Each message follows its length in four bytes. A request is a drawing as JSON. A response begins
with `DRAWN` and the picture, or with `FAILED` and the reason.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from pydantic import Field, TypeAdapter

from bot.pictures.descriptions import Chart
from bot.pictures.hand.scene import HandScene
from bot.pictures.replay.scene import ReplayScene, TrickAnimation
from bot.pictures.result.scene import ResultCard
from bot.pictures.table.scene import TableScene

Drawing = TableScene | HandScene | ReplayScene | TrickAnimation | ResultCard | Chart
"""Content of a picture."""

DRAWN, FAILED = b"+", b"-"
"""First byte of a response."""

LENGTH_BYTES = 4
"""Number of bytes of the length."""

_ANY: TypeAdapter[Drawing] = TypeAdapter(Annotated[Drawing, Field(discriminator="kind")])


def read(text: bytes) -> Drawing:
    """Return the drawing in a JSON document. Raise pydantic's `ValidationError`."""
    return _ANY.validate_json(text)


def written(drawing: Drawing) -> bytes:
    """Return a drawing as a JSON document."""
    return drawing.model_dump_json().encode()


def fingerprint(drawing: Drawing) -> bytes:
    """Return 16 bytes that are equal for equal drawings only."""
    return hashlib.blake2b(written(drawing), digest_size=16).digest()


def frame(content: bytes) -> bytes:
    """Return a message with its length in front."""
    return len(content).to_bytes(LENGTH_BYTES) + content
