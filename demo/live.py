"""Keeps a SimCord preview alive: its clock runs, its pages follow, and clicks land where aimed.

Used by `demo.serve`. It reaches into the preview of SimCord, which is pinned to one version.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from simcord import Env, SetupError

if TYPE_CHECKING:
    from simcord import Preview

log = logging.getLogger(__name__)

_TICK = 0.25  # seconds between two steps of the virtual clock
_KEPT_REQUESTS = 100  # requests of the bot that stay in SimCord's log

# Opening a select draws all messages anew. While its picture loads, an emoji has to keep its
# place, or the lines below it jump, and a select that leaves the screen for a moment is closed.
_STYLE = """
.custom-emoji:not([src]) { display: inline-block; overflow: hidden; color: transparent; }
"""


class Live:
    """Runs the clock of one preview and republishes a page when it asks and something changed.

    A page asks twice a second. It is published at that moment and not before, because SimCord
    refuses every action from a page whose last publication the browser has not fetched yet.
    Steps of the clock and actions of people take turns: SimCord refuses overlapping ones, and
    a browser whose action was refused that way accepts no more input.
    """

    def __init__(self, env: Env, preview: Preview, speed: float = 1.0) -> None:
        """Take hold of a preview that is not entered yet."""
        self._env = env
        self._preview = preview
        self._speed = speed
        self._turn = asyncio.Lock()
        self._forgotten = 0
        self._shown: dict[str, int] = {}  # page -> state of the world it was published from
        self._act, self._payload = preview._action, preview._page_payload
        self._publish, self._static = preview._publish, preview._server._static
        preview._action = self._action  # type: ignore[method-assign]
        preview._page_payload = self._page_payload  # type: ignore[method-assign]
        preview._publish = self._remember  # type: ignore[method-assign]
        preview._server._static = self._styled  # type: ignore[method-assign]

    async def run(self) -> None:
        """Let virtual time pass as real time does, times the speed, until cancelled."""
        loop = asyncio.get_running_loop()
        last, owed = loop.time(), 0.0
        while True:
            await asyncio.sleep(_TICK)
            async with self._turn:
                now = loop.time()
                owed, last = owed + (now - last) * self._speed, now
                try:
                    await self._env.advance_time(owed)
                except SetupError:  # SimCord is at work for somebody else: the next step catches up
                    continue
                except TimeoutError as error:
                    log.warning("The bot is still busy after a step of the clock: %s", error)
                owed = 0.0
            self._forget()

    @property
    def _world(self) -> int:
        """A number that rises with every request of the bot and every event of the server."""
        return self._forgotten + len(self._env.backend.transcript)

    def _forget(self) -> None:
        """Drop SimCord's records of the past, which would grow for as long as the demo runs."""
        backend = self._env.backend
        self._forgotten += len(backend.transcript)
        backend.transcript.clear()
        del backend.http_requests[:-_KEPT_REQUESTS]
        for gone in self._shown.keys() - self._preview._pages.keys():
            del self._shown[gone]

    def _remember(self, page: Any, **reason: Any) -> None:
        """Publish a page and note what it shows."""
        self._name_controls(page.channel_id)
        self._publish(page, **reason)
        self._shown[page.id] = self._world

    def _name_controls(self, channel_id: int) -> None:
        """Give each button and select an id made from its custom_id.

        Without it the page takes the place in the message for the control: a click would hit
        whatever stands there by now, and a new select would show what was chosen in the last.
        """
        for message in self._env.backend.messages.get(channel_id, {}).values():
            for control in _controls(message.components):
                control["id"] = zlib.crc32(str(control["custom_id"]).encode()) or 1

    async def _styled(self, request: Any) -> Any:
        """A file of the page; its style sheet with a few lines more."""
        response = await self._static(request)
        if request.path == "/preview.css":
            response.text += _STYLE
        return response

    def _page_payload(self, page: Any) -> dict[str, Any]:
        """What a page shows, published anew if the world moved on since."""
        if self._shown.get(page.id) != self._world and self._preview._action_page is not page:
            self._preview._advance_presentation_time()
            self._remember(page, reason="refresh")
        return self._payload(page)

    async def _action(self, context_id: str | None, body: Any) -> dict[str, Any]:
        """Do what somebody asks for on a page, after whatever is under way.

        What the page showed may be half a second old. As on Discord, the action counts if the
        control that was meant is still there, and is refused if it is gone.
        """
        async with self._turn:
            page = self._preview._pages.get(context_id or "")
            if page is not None and isinstance(body, Mapping):
                self._name_controls(page.channel_id)
                body = {**body, "published_revision": page.revision}
            return await self._act(context_id, body)


def _controls(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        if component.get("custom_id"):
            yield component
        yield from _controls(component.get("components") or ())
        if component.get("accessory"):
            yield from _controls((component["accessory"],))
