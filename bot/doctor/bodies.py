"""Bodies of messages in the format of Discord's API (components/reference.mdx)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.art.names import card_file

Part = Mapping[str, Any]

V2: Final = 1 << 15
EPHEMERAL: Final = 1 << 6
_ROW, _BUTTON, _TEXT, _GALLERY, _FRAME = 1, 2, 10, 12, 17
_BLUE: Final = 1


def page(*parts: Part) -> dict[str, Any]:
    """Return a message that consists of components."""
    return {"flags": V2, "components": list(parts)}


def text(content: str) -> Part:
    """Return a text on a page."""
    return {"type": _TEXT, "content": content}


def frame(*parts: Part) -> Part:
    """Return a frame (a container of Discord) around parts of a page."""
    return {"type": _FRAME, "components": list(parts)}


def gallery(name: str, alt: str = "A test picture of the doctor") -> Part:
    """Return a gallery with one picture, uploaded under this name."""
    media = {"url": f"attachment://{name}"}
    return {"type": _GALLERY, "items": [{"media": media, "description": alt}]}


def button(label: str, custom_id: str) -> Part:
    """Return a row with one button."""
    component = {"type": _BUTTON, "style": _BLUE, "label": label, "custom_id": custom_id}
    return {"type": _ROW, "components": [component]}


def select(kind: int, custom_id: str, default_id: int, default_kind: str) -> Part:
    """Return a row with a select of roles or channels, which has a default value."""
    default_values = [{"id": str(default_id), "type": default_kind}]
    component = {"type": kind, "custom_id": custom_id, "default_values": default_values}
    return {"type": _ROW, "components": [component]}


def upload_list(name: str) -> list[dict[str, Any]]:
    """Return the list of attachments for a message that uploads one file."""
    return [{"id": 0, "filename": name}]


def gallery_attachment_id(message: Mapping[str, Any]) -> str | None:
    """Return the id of the picture in the gallery of a message, or `None`."""
    for part in message.get("components", ()):
        for item in part.get("items", ()):
            if attachment_id := item["media"].get("attachment_id"):
                return str(attachment_id)
    return None


FIRST: Final = "first.png"
SECOND: Final = "second.png"
_CARDS: Final = {FIRST: "DRAGON", SECOND: "PHOENIX"}


def picture_of(name: str) -> bytes:
    """Return the PNG file of the test picture with this name."""
    return card_file(_CARDS[name]).read_bytes()


def picture_file(name: str | None) -> tuple[str, bytes] | None:
    """Return the name with its PNG file, or `None` without a name."""
    return None if name is None else (name, picture_of(name))
