"""Pictures in messages: uploaded, kept by an edit, or rejected by Discord.

A message's `attachments` list only files that no component shows; the id of a picture is in its
gallery item (discord-api-docs, resources/message.mdx and components/reference.mdx, "Unfurled Media
Item"). An edit lists every file of the message afterwards: kept ones by their id alone.

Discord may reject (400) edits that it does not document: one that keeps a file in a gallery, and
one that uploads a new file into a gallery (issue 7529 there), as a request of its own or as the
response to a click. The rejected message gets text instead, and `PictureSupport` decides when to
stop trying this kind.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, TypeAlias, TypeVar

import discord

from bot.doctor.behaviour import DiscordBehaviour
from bot.ids import MessageId
from bot.runtime.clock import Clock
from cogs.delivery.failed_requests import (
    REQUEST_FAILURES,
    is_not_allowed,
    is_too_old,
    log_text,
    thread_is_closed,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_S = 0.3
"""Maximum wait of a message for its picture, in seconds."""
PAUSE = timedelta(minutes=1)
"""Pause of pictures at a table after Discord has rejected one."""
MOST_REFUSED = 3
"""Number of messages with a rejected edit after which its kind is not tried again."""
_INVALID = 400


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """Picture that Discord has."""

    shows: bytes
    """Fingerprint of its scene (`bot.pictures.process_messages.fingerprint`)."""
    name: str
    """File name; different pictures have different names."""
    alt: str
    """Alternative text."""


@dataclass(frozen=True, slots=True)
class Picture(SeenPicture):
    """Drawn picture. Its file is large, so it is dropped once Discord has it."""

    data: bytes = field(repr=False)
    """Content of the file."""

    @property
    def seen(self) -> SeenPicture:
        """Record to keep once Discord has it."""
        return SeenPicture(self.shows, self.name, self.alt)

    def file(self) -> discord.File:
        """Return the file for an upload, which can be sent once."""
        return discord.File(io.BytesIO(self.data), self.name, description=self.alt)


def uploaded(picture: Picture | None) -> list[discord.File]:
    """Return the files to upload with a picture; usable once."""
    return [] if picture is None else [picture.file()]


@dataclass(frozen=True, slots=True)
class KeptFile:
    """File that an edit keeps; discord.py accepts it as an attachment."""

    id: int

    def to_dict(self) -> dict[str, str]:
        """Return the entry in the edit's list of attachments."""
        return {"id": str(self.id)}


Files: TypeAlias = Sequence[discord.File | KeptFile]
"""All files that a message has after a request: new ones and kept ones."""


def rewound(files: Files) -> list[Any]:
    """Return the same files, whose new ones can be sent again, in the form for discord.py."""
    for file in files:
        if isinstance(file, discord.File):
            file.reset()
    return list(files)


def shown_files(message: discord.Message) -> tuple[KeptFile, ...]:
    """Return the files of a message, in galleries or below a notice."""
    listed = (file.id for file in message.attachments)
    ids = dict.fromkeys((*listed, *_attachment_ids(message.components)))
    return tuple(map(KeptFile, ids))


def _attachment_ids(components: Iterable[Any]) -> Iterator[int]:
    for component in components:
        if isinstance(component, discord.MediaGalleryComponent):
            ids = (item.media.attachment_id for item in component.items)
            yield from (found for found in ids if found is not None)
        yield from _attachment_ids(getattr(component, "children", ()))


class PictureEdit(Enum):
    """Kinds of edits with pictures that Discord may refuse."""

    KEEP = "keep a picture", "pictures are uploaded with each edit"
    UPLOAD = "upload a new picture", "pictures come with new messages only"
    ANSWER = "answer a click with a new picture", "pictures come after the answer"
    KEEP_IN_ANSWER = "answer a click and keep a picture", "each answer uploads its picture"


class PictureSupport:
    """Record of the edits with pictures that Discord accepts; one for the whole program.

    A kind that Discord does not support, as far as `known`, is never tried. A message on which a
    kind was rejected is not edited that way again. A kind that was rejected on `MOST_REFUSED`
    messages and never accepted is not tried again until the next start.
    """

    def __init__(self, known: DiscordBehaviour) -> None:
        self._known = {
            PictureEdit.KEEP: known.keeps_pictures_by_id,
            PictureEdit.KEEP_IN_ANSWER: known.keeps_pictures_by_id,
            PictureEdit.UPLOAD: known.edits_bring_uploads,
            PictureEdit.ANSWER: known.edits_bring_uploads,
        }
        self._accepted = set[PictureEdit]()
        self._refused: dict[PictureEdit, set[MessageId]] = defaultdict(set)

    def allows(self, kind: PictureEdit, message_id: MessageId | None) -> bool:
        """Return whether a message (or any, if `None`) may be edited in this way."""
        refused = self._refused[kind]
        stopped = len(refused) >= MOST_REFUSED and kind not in self._accepted
        return self._known[kind] and not stopped and message_id not in refused

    def accept(self, kind: PictureEdit) -> None:
        """Record that Discord has accepted such an edit."""
        self._accepted.add(kind)

    def refuse(self, kind: PictureEdit, message_id: MessageId, error: Exception) -> None:
        """Record that Discord has rejected such an edit; log the last rejection."""
        allowed = self.allows(kind, None)
        self._refused[kind].add(message_id)
        if allowed and not self.allows(kind, None):
            what, instead = kind.value
            log.warning(
                "Discord rejects edits that %s (%s); until the next start %s",
                what,
                log_text(error),
                instead,
            )


def is_refused(error: Exception) -> bool:
    """Return whether Discord has found a request invalid, perhaps for its picture."""
    invalid = isinstance(error, discord.HTTPException) and error.status == _INVALID
    return invalid and not thread_is_closed(error)


class Uploads:
    """Uploads the pictures of one table or page."""

    def __init__(self, clock: Clock, name: str, support: PictureSupport) -> None:
        self._clock = clock
        self._name = name
        self.support = support
        self._pause_end: datetime | None = None

    @property
    def pause_s(self) -> float:
        """Seconds until pictures are tried again, or 0."""
        if self._pause_end is None:
            return 0.0
        return max(0.0, (self._pause_end - self._clock.now()).total_seconds())

    def with_edit_of(self, message_id: MessageId | None) -> bool:
        """Return whether a picture may come with an edit of this message."""
        return self.support.allows(PictureEdit.UPLOAD, message_id)

    async def send(
        self,
        picture: Picture | None,
        request: Callable[[Picture | None], Awaitable[T]],
        *,
        edits: MessageId | None,
        kind: PictureEdit = PictureEdit.UPLOAD,
    ) -> tuple[T, Picture | None]:
        """Make a request with its picture, or without it if that is rejected.

        `edits` is the message that is edited by this `kind` of edit; `None` for a new message. The
        request returns `False` if that message is gone. Return its result, and the picture if it
        was uploaded. Raise the request's errors.
        """
        refused = edits is not None and not self.support.allows(kind, edits)
        if picture is None or self.pause_s or refused:
            return await request(None), None
        try:
            answer = await request(picture)
            if edits is not None and answer is not False:
                self.support.accept(kind)
            return answer, picture
        except discord.NotFound:
            raise
        except REQUEST_FAILURES as error:
            self._pause_end = self._clock.now() + PAUSE
            log.info("%s: picture rejected: %s", self._name, log_text(error))
            if is_not_allowed(error) or is_too_old(error):
                raise
            answer = await request(None)  # a second failure is not the picture's fault
            if edits is not None and is_refused(error):
                self.support.refuse(kind, edits, error)
                self._pause_end = None
            return answer, None

    async def keep(
        self,
        message_id: MessageId,
        request: Callable[[bool], Awaitable[T]],
        kind: PictureEdit = PictureEdit.KEEP,
    ) -> tuple[T, bool]:
        """Edit a message that keeps its picture, or shows text if Discord rejects that.

        `request` takes whether the picture is kept, and returns `False` if the message is gone.
        Return its result, and whether the picture is kept.
        """
        try:
            answer = await request(True)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            answer = await request(False)  # a second failure is not the picture's fault
            self.support.refuse(kind, message_id, error)
            return answer, False
        if answer is not False:
            self.support.accept(kind)
        return answer, True


async def in_time(clock: Clock, work: asyncio.Task[T], seconds: float = PATIENCE_S) -> T | None:
    """Return the task's result, or `None` if it is late or cancelled.

    A late task continues.
    """
    late = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({work, late}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        late.cancel()
    return work.result() if work.done() and not work.cancelled() else None
