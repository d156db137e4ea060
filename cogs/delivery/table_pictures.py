"""The picture of one table: its newest state is drawn, and shown if that is done in time.

A picture never delays the truth. A message waits for it for `PATIENCE_S`, then it goes out in words
alone; the picture comes with the next change, or when nothing has changed for `QUIET_S`. One
picture of a table is drawn at a time: states that are past when their turn comes are skipped.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta

from bot.pictures.process import TABLE_SUFFIX
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import TableScene
from bot.pictures.table.scene_text import scene_text
from bot.runtime.logs import kinds_and_frames
from bot.table.state import OpenTable
from cogs.delivery.channel_permissions import may_show_pictures
from cogs.delivery.table_place import TablePlace
from cogs.delivery.uploads import PATIENCE_S, Picture, Uploads, in_time

log = logging.getLogger(__name__)

QUIET_S = 2.0
"""If nothing changes for so long, a picture that was late is shown."""


class TablePictures:
    """Draws one table, lobby or game; `uploads` knows what Discord takes of it."""

    def __init__(self, place: TablePlace, uploads: Uploads) -> None:
        self.uploads = uploads
        self._place = place
        self._wanted: TableScene | None = None
        self._last: Picture | None = None
        self._newest: asyncio.Task[Picture | None] | None = None
        self._tasks: set[asyncio.Task[Picture | None]] = set()
        self._quiet: asyncio.Task[None] | None = None

    def allowed(self, state: OpenTable) -> bool:
        """Whether pictures of this table are shown now."""
        return not self.uploads.pause_s and may_show_pictures(self._place.bot, state)

    async def newest(
        self, shown: Picture | None = None, *, for_edit: bool = False
    ) -> tuple[OpenTable, Picture | None]:
        """The table as it is now, and its picture if that is ready in time.

        It is the picture that is `shown` already if that shows the same. `for_edit` is whether a
        new one would come with an edit.
        """
        clock, drawn = self._place.bot.clock, not for_edit or self.uploads.with_edits
        end = clock.now() + timedelta(seconds=PATIENCE_S)
        while True:
            state = self._place.now
            if not self.allowed(state):
                return state, None
            scene = table_scene(state, self._place.words)
            for ready in (shown, self._last):
                if ready is not None and ready.shows == scene and (drawn or ready is shown):
                    return state, ready
            left = (end - clock.now()).total_seconds()
            if not drawn or left <= 0:
                return state, None
            picture = await in_time(clock, self._begin(scene), left)
            if self._place.now is state:
                return state, picture

    def _begin(self, scene: TableScene) -> asyncio.Task[Picture | None]:
        """Have a scene drawn after what is being drawn, unless a newer one is wanted by then."""
        self._wanted = scene
        drawing = self._draw(scene, after=self._newest)
        self._newest = task = asyncio.create_task(drawing, name=f"picture-{self._place.table_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _draw(
        self, scene: TableScene, after: asyncio.Task[Picture | None] | None
    ) -> Picture | None:
        """The picture of a scene; `None` if it fails or is not wanted any more."""
        if after is not None and not after.done():
            await asyncio.wait({after})
        if scene != self._wanted:
            return None
        if self._last is not None and self._last.shows == scene:
            return self._last
        try:
            data = await self._place.bot.painter.draw(scene)
        except Exception as error:  # noqa: BLE001 - a table goes on without its picture
            trail = kinds_and_frames(error)
            log.error("table %s: no picture:\n%s", self._place.table_id, trail)
            return None
        if data is not None:
            self._last = _picture(scene, data, scene_text(scene, self._place.words))
        return self._last if data is not None else None

    # --- later ---------------------------------------------------------------------------------

    def changed(self) -> None:
        """Something is to be shown anew: with it comes the picture."""
        if self._quiet is not None:
            self._quiet.cancel()
            self._quiet = None

    def later(self, show: Callable[[], None], *, after: float = QUIET_S) -> None:
        """Call `show` when nothing has changed for so many seconds and the picture is ready.

        If Discord has just not taken a picture, that is not before the end of the pause.
        """
        self.changed()
        if may_show_pictures(self._place.bot, self._place.now):
            wait = max(after, self.uploads.pause_s)
            self._quiet = asyncio.create_task(self._when_quiet(show, wait))

    async def _when_quiet(self, show: Callable[[], None], after: float) -> None:
        await self._place.bot.clock.sleep(after)
        scene = table_scene(self._place.now, self._place.words)
        drawing = self._begin(scene)
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


def _picture(scene: TableScene, data: bytes, alt: str) -> Picture:
    """A picture whose file has a name of its own, so that nobody is shown an older one."""
    digest = hashlib.blake2b(data, digest_size=8).hexdigest()
    return Picture(scene, f"table-{digest}.{TABLE_SUFFIX}", alt, data)
