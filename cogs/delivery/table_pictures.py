"""Pictures of one table: the newest state, shown if ready in time.

A picture never delays a message. A message waits for it for `PATIENCE_S` and is then sent in words
alone. The picture is shown with the next change, or when nothing has changed for `QUIET_S`. One
picture of a table is drawn at a time, and outdated states are skipped.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar, overload

from bot.ids import MessageId
from bot.pictures.process import TABLE_SUFFIX
from bot.pictures.process_messages import fingerprint
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import TableScene
from bot.pictures.table.scene_text import scene_text
from bot.runtime.background import log_failure
from bot.runtime.logs import kinds_and_frames
from bot.table.state import OpenTable
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.channel_permissions import may_show_pictures
from cogs.delivery.uploads import (
    PATIENCE_S,
    Picture,
    PictureEdit,
    SeenPicture,
    Uploads,
    in_time,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

QUIET_S = 2.0
"""Seconds without a change after which a late picture is shown."""


class TablePictures:
    """Draws one table, lobby or game; `uploads` records which uploads Discord accepts."""

    def __init__(self, context: ChannelContext, uploads: Uploads) -> None:
        self.uploads = uploads
        self._context = context
        self._wanted: bytes | None = None
        """The fingerprint of the newest scene."""
        self._last: Picture | None = None
        """The last picture drawn, until Discord has it."""
        self._newest: asyncio.Task[Picture | None] | None = None
        self._tasks: set[asyncio.Task[Picture | None]] = set()
        self._quiet: asyncio.Task[None] | None = None

    def allowed(self, state: OpenTable) -> bool:
        """Return whether pictures of this table are shown now."""
        return not self.uploads.pause_s and may_show_pictures(self._context.bot, state)

    @overload
    async def newest(
        self, shown: None = None, *, edits: MessageId | None = None
    ) -> tuple[OpenTable, Picture | None]: ...

    @overload
    async def newest(
        self, shown: SeenPicture | None, *, edits: MessageId | None
    ) -> tuple[OpenTable, Picture | SeenPicture | None]: ...

    async def newest(
        self, shown: SeenPicture | None = None, *, edits: MessageId | None = None
    ) -> tuple[OpenTable, Picture | SeenPicture | None]:
        """Return the newest state, and its picture if that is ready in time.

        It is the picture that is `shown` already if that shows the same. `edits` is the message
        that would be edited to show a new one.
        """
        clock = self._context.bot.clock
        drawn = edits is None or self.uploads.with_edit_of(edits)
        end = clock.now() + timedelta(seconds=PATIENCE_S)
        while True:
            state = self._context.now
            if not self.allowed(state):
                return state, None
            scene = table_scene(state, self._context.words)
            wanted = fingerprint(scene)
            if shown is not None and shown.shows == wanted:
                return state, shown
            if drawn and self._last is not None and self._last.shows == wanted:
                return state, self._last
            left = (end - clock.now()).total_seconds()
            if not drawn or left <= 0:
                return state, None
            picture = await in_time(clock, self._begin(scene, wanted), left)
            if self._context.now is state:
                return state, picture

    async def send(
        self,
        picture: Picture | None,
        request: Callable[[Picture | None], Awaitable[T]],
        *,
        edits: MessageId | None,
        kind: PictureEdit = PictureEdit.UPLOAD,
    ) -> tuple[T, Picture | None]:
        """Make a request as `Uploads.send` does, and drop the picture once it is uploaded."""
        answer, taken = await self.uploads.send(picture, request, edits=edits, kind=kind)
        if taken is self._last:
            self._last = None
        return answer, taken

    def _begin(self, scene: TableScene, wanted: bytes) -> asyncio.Task[Picture | None]:
        """Draw a scene after the current one, unless it is outdated then.

        `wanted` is its fingerprint.
        """
        self._wanted = wanted
        drawing = self._draw(scene, wanted, after=self._newest)
        self._newest = task = asyncio.create_task(drawing, name=f"picture-{self._context.table_id}")
        self._tasks.add(task)
        task.add_done_callback(self._drawn)
        return task

    def _drawn(self, task: asyncio.Task[Picture | None]) -> None:
        """Drop a task that is done, because it holds its picture."""
        self._tasks.discard(task)
        if self._newest is task:
            self._newest = None

    async def _draw(
        self, scene: TableScene, wanted: bytes, after: asyncio.Task[Picture | None] | None
    ) -> Picture | None:
        """Return the picture of a scene; `None` if it fails or is outdated."""
        if after is not None and not after.done():
            await asyncio.wait({after})
        if wanted != self._wanted:
            return None
        if self._last is not None and self._last.shows == wanted:
            return self._last
        try:
            data = await self._context.bot.painter.draw(scene)
        except Exception as error:  # noqa: BLE001 - a table goes on without its picture
            trail = kinds_and_frames(error)
            log.error(
                "table %s: unhandled exception while drawing:\n%s", self._context.table_id, trail
            )
            return None
        if data is not None:
            self._last = _picture(wanted, data, scene_text(scene, self._context.words))
        return self._last if data is not None else None

    # --- late pictures -------------------------------------------------------------------------

    def changed(self) -> None:
        """Cancel the late picture, because the next write includes it."""
        if self._quiet is not None:
            self._quiet.cancel()
            self._quiet = None

    def later(self, show: Callable[[], None], *, after: float = QUIET_S) -> None:
        """Call `show` when nothing has changed for `after` seconds and the picture is ready.

        If Discord has just refused a picture, that is not before the end of the pause.
        """
        self.changed()
        if may_show_pictures(self._context.bot, self._context.now):
            wait = max(after, self.uploads.pause_s)
            self._quiet = asyncio.create_task(self._when_quiet(show, wait), name="late picture")
            self._quiet.add_done_callback(log_failure)

    async def _when_quiet(self, show: Callable[[], None], after: float) -> None:
        await self._context.bot.clock.sleep(after)
        scene = table_scene(self._context.now, self._context.words)
        drawing = self._begin(scene, fingerprint(scene))
        await asyncio.wait({drawing})
        self._quiet = None
        if not drawing.cancelled() and drawing.result() is not None:
            show()

    async def close(self) -> None:
        """Cancel all drawing."""
        tasks = [*self._tasks, *([self._quiet] if self._quiet is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _picture(shows: bytes, data: bytes, alt: str) -> Picture:
    """Return a picture with a unique file name, against outdated caches."""
    digest = hashlib.blake2b(data, digest_size=8).hexdigest()
    return Picture(shows, f"table-{digest}.{TABLE_SUFFIX}", alt, data)
