"""Uploads to Discord, recorded and optionally refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from simcord import ResponseMessage
from simcord.backend.errors import BackendError
from simcord.http import router

from cogs.delivery.uploads import PictureSupport
from cogs.pages.controls import Page
from tests.cogs.worlds import World, announcer_of

TEXT, GALLERY = 10, 12


class Upload(NamedTuple):
    """A request with a file."""

    method: str
    path: str
    name: str
    """Name of the file."""


class WatchedUploads:
    """Records requests with a file; refuses those whose methods are in `refused`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[Upload] = []
        self.refused: dict[str, tuple[int, int]] = {}
        """Status and code of refused uploads, by method."""
        dispatch = router.dispatch

        def watched(backend: Any, method: str, path: str, **given: Any) -> Any:
            for file in given["files"]:
                self.made.append(Upload(method, path, file.filename))
                if method in self.refused:
                    status, code = self.refused[method]
                    raise BackendError(status, code, "this upload is refused")
            return dispatch(backend, method, path, **given)

        monkeypatch.setattr(router, "dispatch", watched)

    def take(self) -> list[Upload]:
        """Return the uploads since the last call."""
        taken, self.made = self.made, []
        return taken


def picture_support(world: World) -> PictureSupport:
    """Return the bot's record of edits with pictures."""
    return announcer_of(world).picture_support


def gallery_items(message: ResponseMessage) -> list[dict[str, Any]]:
    """Return the pictures of a message as Discord shows them."""
    (frame,) = message._message.components
    return [
        item for part in frame["components"] if part["type"] == GALLERY for item in part["items"]
    ]


def files_of(message: ResponseMessage) -> list[tuple[str, bytes | None]]:
    """Return the names and contents of a message's files."""
    cdn = message._env.backend.cdn
    return [(file["filename"], cdn.get(file["url"])) for file in message._message.attachments]


def attachment_urls(message: ResponseMessage) -> list[str]:
    """Return the URLs of a message's files, which change with every upload."""
    return [file["url"] for file in message._message.attachments]


def same_text(message: ResponseMessage, page: Page) -> bool:
    """Return whether a message has the same texts as a page."""
    (shown,), (made,) = message._message.components, page.to_components()
    return _texts(shown) == _texts(made)


def _texts(frame: Mapping[str, Any]) -> list[str]:
    return [part["content"] for part in frame["components"] if part["type"] == TEXT]
