"""The picture of one table: its newest state is drawn, and shown if that is done in time.

A picture never delays the truth. A message waits for it for `PATIENCE_S`, then it goes out in words
alone; the picture comes with the next change, or when nothing has changed for `QUIET_S`. One
picture of a table is drawn at a time: states that are past when their turn comes are skipped.
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
from bot.runtime.logs import kinds_and_frames
from bot.table.state import OpenTable
from cogs.delivery.channel_permissions import may_show_pictures
from cogs.delivery.table_place import TablePlace
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
"""Seconds without a change after which a picture that was late is shown."""


class TablePictures:
    """Draws one table, lobby or game; `uploads` knows what Discord takes of it."""

    def __init__(self, place: TablePlace, uploads: Uploads) -> None:
        self.uploads = uploads
        self._place = place
        self._wanted: bytes | None = None
        """The fingerprint of the newest scene."""
        self._last: Picture | None = None
        """The picture that was drawn last, until Discord has it."""
        self._newest: asyncio.Task[Picture | None] | None = None
        self._tasks: set[asyncio.Task[Picture | None]] = set()
        self._quiet: asyncio.Task[None] | None = None

    def allowed(self, state: OpenTable) -> bool:
        """Whether pictures of this table are shown now."""
        return not self.uploads.pause_s and may_show_pictures(self._place.bot, state)

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
        """The table as it is now, and its picture if that is ready in time.

        It is the picture that is `shown` already if that shows the same. `edits` is the message
        that a new one would be brought to by an edit.
        """
        clock = self._place.bot.clock
        drawn = edits is None or self.uploads.with_edit_of(edits)
        end = clock.now() + timedelta(seconds=PATIENCE_S)
        while True:
            state = self._place.now
            if not self.allowed(state):
                return state, None
            scene = table_scene(state, self._place.words)
            wanted = fingerprint(scene)
            if shown is not None and shown.shows == wanted:
                return state, shown
            if drawn and self._last is not None and self._last.shows == wanted:
                return state, self._last
            left = (end - clock.now()).total_seconds()
            if not drawn or left <= 0:
                return state, None
            picture = await in_time(clock, self._begin(scene, wanted), left)
            if self._place.now is state:
                return state, picture

    async def send(
        self,
        picture: Picture | None,
        request: Callable[[Picture | None], Awaitable[T]],
        *,
        edits: MessageId | None,
        kind: PictureEdit = PictureEdit.UPLOAD,
    ) -> tuple[T, Picture | None]:
        """Make a request with its picture, as `Uploads.send`; once Discord has it, it is let go."""
        answer, taken = await self.uploads.send(picture, request, edits=edits, kind=kind)
        if taken is self._last:
            self._last = None
        return answer, taken

    def _begin(self, scene: TableScene, wanted: bytes) -> asyncio.Task[Picture | None]:
        """Have a scene drawn after what is being drawn, unless a newer one is wanted by then.

        `wanted` is its fingerprint.
        """
        self._wanted = wanted
        drawing = self._draw(scene, wanted, after=self._newest)
        self._newest = task = asyncio.create_task(drawing, name=f"picture-{self._place.table_id}")
        self._tasks.add(task)
        task.add_done_callback(self._drawn)
        return task

    def _drawn(self, task: asyncio.Task[Picture | None]) -> None:
        """Keep no task that is done: it has the picture."""
        self._tasks.discard(task)
        if self._newest is task:
            self._newest = None

    async def _draw(
        self, scene: TableScene, wanted: bytes, after: asyncio.Task[Picture | None] | None
    ) -> Picture | None:
        """The picture of a scene; `None` if it fails or is not wanted any more."""
        if after is not None and not after.done():
            await asyncio.wait({after})
        if wanted != self._wanted:
            return None
        if self._last is not None and self._last.shows == wanted:
            return self._last
        try:
            data = await self._place.bot.painter.draw(scene)
        except Exception as error:  # noqa: BLE001 - a table goes on without its picture
            trail = kinds_and_frames(error)
            log.error("table %s: no picture:\n%s", self._place.table_id, trail)
            return None
        if data is not None:
            self._last = _picture(wanted, data, scene_text(scene, self._place.words))
        return self._last if data is not None else None

    # --- later ---------------------------------------------------------------------------------

    def changed(self) -> None:
        """Show no late picture: something is to be shown anew, and the picture comes with it."""
        if self._quiet is not None:
            self._quiet.cancel()
            self._quiet = None

    def later(self, show: Callable[[], None], *, after: float = QUIET_S) -> None:
        """Call `show` when nothing has changed for `after` seconds and the picture is ready.

        If Discord has just not taken a picture, that is not before the end of the pause.
        """
        self.changed()
        if may_show_pictures(self._place.bot, self._place.now):
            wait = max(after, self.uploads.pause_s)
            self._quiet = asyncio.create_task(self._when_quiet(show, wait))

    async def _when_quiet(self, show: Callable[[], None], after: float) -> None:
        await self._place.bot.clock.sleep(after)
        scene = table_scene(self._place.now, self._place.words)
        drawing = self._begin(scene, fingerprint(scene))
        await asyncio.wait({drawing})
        self._quiet = None
        if not drawing.cancelled() and drawing.result() is not None:
            show()

    async def close(self) -> None:
        """Leave undone what is not drawn yet."""
        tasks = [*self._tasks, *([self._quiet] if self._quiet is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _picture(shows: bytes, data: bytes, alt: str) -> Picture:
    """A picture whose file has a name of its own, so that nobody is shown an older one."""
    digest = hashlib.blake2b(data, digest_size=8).hexdigest()
    return Picture(shows, f"table-{digest}.{TABLE_SUFFIX}", alt, data)
