"""Pictures on their way to Discord: what is uploaded, in time, and what Discord takes.

Whether Discord takes a new picture with an edit of a message is not certain: when such pages were
new it refused that (400), while it took the same picture with a new message. So the first refusal
is remembered as long as the program runs, and from then on pictures come with new messages only.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

import discord

from bot.runtime.clock import Clock
from cogs.delivery.failed_requests import (
    REQUEST_FAILURES,
    is_not_allowed,
    is_temporary,
    is_too_old,
    log_text,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_S = 0.3
"""The longest a message waits for its picture, in seconds; then it goes out without."""
PAUSE = timedelta(minutes=1)
"""How long a table does without pictures after Discord did not take one."""
_INVALID = 400


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """What is remembered of a picture that Discord has."""

    shows: bytes
    """What it was drawn from: its `bot.pictures.process_messages.fingerprint`."""
    name: str
    """The name of its file; two pictures that differ have two names."""
    alt: str
    """What is seen on it, in words."""


@dataclass(frozen=True, slots=True)
class Picture(SeenPicture):
    """A picture that is drawn. Its file is large: nobody keeps it once Discord has it."""

    data: bytes = field(repr=False)
    """The file."""

    @property
    def seen(self) -> SeenPicture:
        """What is remembered of it."""
        return SeenPicture(self.shows, self.name, self.alt)

    def file(self) -> discord.File:
        """The file to be uploaded, which can be sent once."""
        return discord.File(io.BytesIO(self.data), self.name)


def uploaded(picture: Picture | None) -> list[discord.File]:
    """The files that are sent with a picture, if any: they can be sent once."""
    return [] if picture is None else [picture.file()]


class EditedPictures:
    """Whether Discord takes pictures that come with an edit; one object for the whole program."""

    def __init__(self) -> None:
        self.allowed = True

    def refuse(self, error: Exception) -> None:
        """Remember that Discord has refused one, and tell the operator; once."""
        if self.allowed:
            self.allowed = False
            log.warning(
                "Discord refuses pictures that come with an edit (%s): until the next start they "
                "come with new messages only",
                log_text(error),
            )


class Uploads:
    """The pictures of one table on their way to Discord."""

    def __init__(self, clock: Clock, name: str, edited: EditedPictures) -> None:
        self._clock = clock
        self._name = name
        self._edited = edited
        self._pause_end: datetime | None = None

    @property
    def pause_s(self) -> float:
        """Seconds until pictures are tried again: 0, or more after Discord did not take one."""
        if self._pause_end is None:
            return 0.0
        return max(0.0, (self._pause_end - self._clock.now()).total_seconds())

    @property
    def with_edits(self) -> bool:
        """Whether a picture may come with an edit, and not only with a new message."""
        return self._edited.allowed

    async def send(
        self,
        picture: Picture | None,
        request: Callable[[Picture | None], Awaitable[T]],
        *,
        edit: bool,
    ) -> tuple[T, Picture | None]:
        """Make a request with its picture, or without it if Discord does not take that.

        The answer to the request, and the picture if it came along. Raises what the request does:
        also in trouble that may pass. Then the next try has no picture, for what is wrong may be
        the upload alone, and words must not wait for it.
        """
        if picture is None or self.pause_s:
            return await request(None), None
        try:
            return await request(picture), picture
        except discord.NotFound:
            raise
        except REQUEST_FAILURES as error:
            self._pause_end = self._clock.now() + PAUSE
            log.info("%s: a picture was not taken (%s)", self._name, log_text(error))
            if is_temporary(error) or is_not_allowed(error) or is_too_old(error):
                raise
            answer = await request(None)  # fails, too, unless it was because of the picture
            if edit and isinstance(error, discord.HTTPException) and error.status == _INVALID:
                self._edited.refuse(error)
                self._pause_end = None
            return answer, None


async def in_time(clock: Clock, work: asyncio.Task[T], seconds: float = PATIENCE_S) -> T | None:
    """What the task gives, or `None` if it takes longer or is cancelled. If late, it goes on."""
    late = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({work, late}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        late.cancel()
    return work.result() if work.done() and not work.cancelled() else None
