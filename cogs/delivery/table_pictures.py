"""Pictures of one table in its newest state.

A message waits for its picture for at most `PATIENCE_S` and is then sent in words alone. The late
picture is shown with the next change, or when nothing has changed for `QUIET_S`. One picture of a
table is drawn at a time, and outdated states are skipped.
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
    result_in_time,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

QUIET_S = 2.0
"""Seconds without a change after which a late picture is shown."""


class TablePictures:
    """Draws one table, as a lobby and as a match; `uploads` sends its pictures."""

    def __init__(self, context: ChannelContext, uploads: Uploads) -> None:
        self.uploads = uploads
        self._context = context
        self._newest_fingerprint: bytes | None = None
        """Fingerprint of the newest scene to be drawn."""
        self._last: Picture | None = None
        """Last picture drawn, until Discord has it."""
        self._newest_task: asyncio.Task[Picture | None] | None = None
        """Task that draws the newest scene, after the previous task."""
        self._tasks: set[asyncio.Task[Picture | None]] = set()
        self._late_picture: asyncio.Task[None] | None = None
        """Task of `call_when_ready`."""

    def allowed(self, state: OpenTable) -> bool:
        """Return whether pictures of this table are shown now."""
        return not self.uploads.pause_s and may_show_pictures(self._context.bot, state)

    @overload
    async def newest(
        self, shown: None = None, *, edited_id: MessageId | None = None
    ) -> tuple[OpenTable, Picture | None]: ...

    @overload
    async def newest(
        self, shown: SeenPicture | None, *, edited_id: MessageId | None
    ) -> tuple[OpenTable, Picture | SeenPicture | None]: ...

    async def newest(
        self, shown: SeenPicture | None = None, *, edited_id: MessageId | None = None
    ) -> tuple[OpenTable, Picture | SeenPicture | None]:
        """Return the newest state of the table, and its picture if that is ready in time.

        If the message already shows a picture of the same scene (`shown`), return that.
        `edited_id` is the message to be edited; if Discord accepts no picture with its edit, none
        is drawn.
        """
        clock = self._context.bot.clock
        may_draw = edited_id is None or self.uploads.allows_edit_of(edited_id)
        end = clock.now() + timedelta(seconds=PATIENCE_S)
        while True:
            state = self._context.state
            if not self.allowed(state):
                return state, None
            scene = table_scene(state, self._context.words)
            scene_fingerprint = fingerprint(scene)
            if shown is not None and shown.shows == scene_fingerprint:
                return state, shown
            if may_draw and self._last is not None and self._last.shows == scene_fingerprint:
                return state, self._last
            remaining_s = (end - clock.now()).total_seconds()
            if not may_draw or remaining_s <= 0:
                return state, None
            drawing = self._start_drawing(scene, scene_fingerprint)
            picture = await result_in_time(clock, drawing, remaining_s)
            if self._context.state is state:  # otherwise the picture is outdated
                return state, picture

    async def send(
        self,
        picture: Picture | None,
        request: Callable[[Picture | None], Awaitable[T]],
        *,
        edited_id: MessageId | None,
        kind: PictureEdit = PictureEdit.UPLOAD,
    ) -> tuple[T, Picture | None]:
        """Make a request as `Uploads.send` does, and drop the picture once it is uploaded."""
        answer, accepted = await self.uploads.send(picture, request, edited_id=edited_id, kind=kind)
        if accepted is self._last:
            self._last = None
        return answer, accepted

    def _start_drawing(
        self, scene: TableScene, scene_fingerprint: bytes
    ) -> asyncio.Task[Picture | None]:
        """Draw a scene once the current drawing is done, unless a newer one is needed by then."""
        self._newest_fingerprint = scene_fingerprint
        drawing = self._draw(scene, scene_fingerprint, after=self._newest_task)
        self._newest_task = task = asyncio.create_task(
            drawing, name=f"picture-{self._context.table_id}"
        )
        self._tasks.add(task)
        task.add_done_callback(self._on_drawn)
        return task

    def _on_drawn(self, task: asyncio.Task[Picture | None]) -> None:
        """Drop a finished task, because its result, the picture, is large."""
        self._tasks.discard(task)
        if self._newest_task is task:
            self._newest_task = None

    async def _draw(
        self,
        scene: TableScene,
        scene_fingerprint: bytes,
        after: asyncio.Task[Picture | None] | None,
    ) -> Picture | None:
        """Draw a scene once the task `after` is done; `None` if that fails or it is outdated."""
        if after is not None and not after.done():
            await asyncio.wait({after})
        if scene_fingerprint != self._newest_fingerprint:
            return None
        if self._last is not None and self._last.shows == scene_fingerprint:
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
            alt = scene_text(scene, self._context.words)
            self._last = _picture(scene_fingerprint, data, alt)
        return self._last if data is not None else None

    # --- late pictures -------------------------------------------------------------------------

    def cancel_late_picture(self) -> None:
        """Cancel `call_when_ready`, because the table is written again anyway."""
        if self._late_picture is not None:
            self._late_picture.cancel()
            self._late_picture = None

    def call_when_ready(self, show: Callable[[], None], *, delay_s: float = QUIET_S) -> None:
        """Call `show` when nothing has changed for `delay_s` and the picture is ready.

        If Discord has just rejected a picture, wait at least until the end of the pause.
        """
        self.cancel_late_picture()
        if may_show_pictures(self._context.bot, self._context.state):
            waiting = self._wait_and_call(show, max(delay_s, self.uploads.pause_s))
            self._late_picture = asyncio.create_task(waiting, name="late picture")
            self._late_picture.add_done_callback(log_failure)

    async def _wait_and_call(self, show: Callable[[], None], delay_s: float) -> None:
        await self._context.bot.clock.sleep(delay_s)
        scene = table_scene(self._context.state, self._context.words)
        drawing = self._start_drawing(scene, fingerprint(scene))
        await asyncio.wait({drawing})
        self._late_picture = None
        if not drawing.cancelled() and drawing.result() is not None:
            show()

    async def close(self) -> None:
        """Cancel all drawing."""
        late = [] if self._late_picture is None else [self._late_picture]
        tasks = [*self._tasks, *late]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _picture(shows: bytes, data: bytes, alt: str) -> Picture:
    """Return a picture whose file name depends on its content, so that no cache is outdated."""
    digest = hashlib.blake2b(data, digest_size=8).hexdigest()
    return Picture(shows, f"table-{digest}.{TABLE_SUFFIX}", alt, data)
