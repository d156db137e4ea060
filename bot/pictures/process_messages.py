"""The messages between the bot and the process that draws.

Both ways go four bytes with the length of the message, then the message. To the process that is a
drawing as JSON. Its answer begins with `DRAWN` and the picture, or with `FAILED` and the reason.
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
"""What is to be drawn."""

DRAWN, FAILED = b"+", b"-"
"""How an answer begins."""

LENGTH_BYTES = 4
"""The bytes of the length of a message."""

_ANY: TypeAdapter[Drawing] = TypeAdapter(Annotated[Drawing, Field(discriminator="kind")])


def read(text: bytes) -> Drawing:
    """The drawing that this JSON document describes; raises pydantic's `ValidationError`."""
    return _ANY.validate_json(text)


def written(drawing: Drawing) -> bytes:
    """The JSON document that describes a drawing."""
    return drawing.model_dump_json().encode()


def fingerprint(drawing: Drawing) -> bytes:
    """16 bytes that are the same for equal drawings only: small enough to be kept."""
    return hashlib.blake2b(written(drawing), digest_size=16).digest()


def framed(content: bytes) -> bytes:
    """A message with its length in front."""
    return len(content).to_bytes(LENGTH_BYTES) + content
