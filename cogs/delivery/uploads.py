"""Uploads of pictures with messages and edits, some of which Discord may reject.

An edit lists every file that the message has afterwards; a file that stays is listed by its id.
The id of a picture in a gallery is found in the gallery's item, because a message's `attachments`
contain only files that no component shows (discord-api-docs, resources/message.mdx and
components/reference.mdx, "Unfurled Media Item").

Discord may reject (400) edits that it does not document: an edit that keeps a file in a gallery, or
that uploads a new file into a gallery (issue 7529 there), as a separate request or as the response
to a click. Then the message is edited without the picture, and `PictureSupport` decides when to
stop trying this kind of edit.
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
"""Number of messages with a rejected edit after which this kind of edit is not tried again."""
_BAD_REQUEST = 400


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """Description of a picture that Discord has, without its data."""

    shows: bytes
    """Fingerprint of its scene (`bot.pictures.process_messages.fingerprint`)."""
    name: str
    """File name; different pictures have different names."""
    alt: str
    """Alternative text."""


@dataclass(frozen=True, slots=True)
class Picture(SeenPicture):
    """Drawn picture with its data, which are large, so they are dropped once Discord has them."""

    data: bytes = field(repr=False)
    """Content of the file."""

    @property
    def seen(self) -> SeenPicture:
        """Description to keep once Discord has the picture."""
        return SeenPicture(self.shows, self.name, self.alt)

    def file(self) -> discord.File:
        """Return the file for one upload."""
        return discord.File(io.BytesIO(self.data), self.name, description=self.alt)


def uploaded(picture: Picture | None) -> list[discord.File]:
    """Return the file of the picture, if any, for one upload."""
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

P = TypeVar("P", Picture, Files)
"""Upload: a picture, or all files of a message with several."""


def rewound(files: Files) -> list[Any]:
    """Return the files for discord.py, after resetting new ones so that they can be sent again."""
    for file in files:
        if isinstance(file, discord.File):
            file.reset()
    return list(files)


def shown_files(message: discord.Message) -> tuple[KeptFile, ...]:
    """Return the files of a message, in galleries or below a notice."""
    attachment_ids = (file.id for file in message.attachments)
    ids = dict.fromkeys((*attachment_ids, *_gallery_ids(message.components)))
    return tuple(map(KeptFile, ids))


def _gallery_ids(components: Iterable[Any]) -> Iterator[int]:
    """Yield the attachment ids in all galleries of these nested components."""
    for component in components:
        if isinstance(component, discord.MediaGalleryComponent):
            ids = (item.media.attachment_id for item in component.items)
            yield from (id_ for id_ in ids if id_ is not None)
        yield from _gallery_ids(getattr(component, "children", ()))


class PictureEdit(Enum):
    """Kinds of edits with pictures that Discord may reject.

    Each value is the kind and the consequence of its rejection, in words for the log.
    """

    KEEP = "keep a picture", "pictures are uploaded with each edit"
    UPLOAD = "upload a new picture", "pictures come with new messages only"
    ANSWER = "answer a click with a new picture", "pictures come after the answer"
    KEEP_IN_ANSWER = "answer a click and keep a picture", "each answer uploads its picture"


class PictureSupport:
    """Record of the kinds of edits with pictures that Discord accepts; one for the whole bot.

    A kind that Discord does not support according to the doctor (`behaviour`) is never tried. A
    message on which a kind was rejected is not edited that way again. A kind that was rejected on
    `MOST_REFUSED` messages and never accepted is not tried again until the next start.
    """

    def __init__(self, behaviour: DiscordBehaviour) -> None:
        self._supported = {
            PictureEdit.KEEP: behaviour.keeps_pictures_by_id,
            PictureEdit.KEEP_IN_ANSWER: behaviour.keeps_pictures_by_id,
            PictureEdit.UPLOAD: behaviour.edits_bring_uploads,
            PictureEdit.ANSWER: behaviour.edits_bring_uploads,
        }
        self._accepted = set[PictureEdit]()
        self._refused: dict[PictureEdit, set[MessageId]] = defaultdict(set)

    def allows(self, kind: PictureEdit, message_id: MessageId | None) -> bool:
        """Return whether a message (or any, if `None`) may be edited in this way."""
        refused = self._refused[kind]
        stopped = len(refused) >= MOST_REFUSED and kind not in self._accepted
        return self._supported[kind] and not stopped and message_id not in refused

    def accept(self, kind: PictureEdit) -> None:
        """Record that Discord has accepted such an edit."""
        self._accepted.add(kind)

    def refuse(self, kind: PictureEdit, message_id: MessageId, error: Exception) -> None:
        """Record that Discord has rejected such an edit; log it if the kind is given up now."""
        allowed_before = self.allows(kind, None)
        self._refused[kind].add(message_id)
        if allowed_before and not self.allows(kind, None):
            what, instead = kind.value
            log.warning(
                "Discord rejects edits that %s (%s); until the next start %s",
                what,
                log_text(error),
                instead,
            )


def may_be_the_picture(error: Exception) -> bool:
    """Return whether Discord has found a request invalid, perhaps because of its picture."""
    invalid = isinstance(error, discord.HTTPException) and error.status == _BAD_REQUEST
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
        """Seconds until pictures are tried again, 0 if they are tried now."""
        if self._pause_end is None:
            return 0.0
        return max(0.0, (self._pause_end - self._clock.now()).total_seconds())

    def allows_edit_of(self, message_id: MessageId | None) -> bool:
        """Return whether an edit of this message may upload a picture."""
        return self.support.allows(PictureEdit.UPLOAD, message_id)

    async def send(
        self,
        picture: P | None,
        request: Callable[[P | None], Awaitable[T]],
        *,
        edited_id: MessageId | None,
        kind: PictureEdit = PictureEdit.UPLOAD,
    ) -> tuple[T, P | None]:
        """Make a request with its picture or pictures, and again without if it is rejected.

        `edited_id` is the message that is edited by this `kind` of edit; `None` for a new message.
        The request returns `False` if that message is gone. Return the request's result, and the
        picture if it was uploaded. Raise the request's errors.
        """
        refused = edited_id is not None and not self.support.allows(kind, edited_id)
        if picture is None or self.pause_s or refused:
            return await request(None), None
        try:
            answer = await request(picture)
            if edited_id is not None and answer is not False:
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
            if edited_id is not None and may_be_the_picture(error):
                self.support.refuse(kind, edited_id, error)
                self._pause_end = None
            return answer, None

    async def keep(
        self,
        message_id: MessageId,
        request: Callable[[bool], Awaitable[T]],
        kind: PictureEdit = PictureEdit.KEEP,
    ) -> tuple[T, bool]:
        """Edit a message so that it keeps its picture, or without it if Discord rejects that.

        The argument of `request` is whether to keep the picture. The request returns `False` if the
        message is gone. Return the request's result, and whether the picture was kept.
        """
        try:
            answer = await request(True)
        except discord.HTTPException as error:
            if not may_be_the_picture(error):
                raise
            answer = await request(False)  # a second failure is not the picture's fault
            self.support.refuse(kind, message_id, error)
            return answer, False
        if answer is not False:
            self.support.accept(kind)
        return answer, True


async def result_in_time(
    clock: Clock, work: asyncio.Task[T], seconds: float = PATIENCE_S
) -> T | None:
    """Return the task's result, or `None` if it takes longer than this or is cancelled.

    A late task continues.
    """
    timeout = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({work, timeout}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        timeout.cancel()
    return work.result() if work.done() and not work.cancelled() else None
