"""Updates of a SimCord preview: runs its clock and republishes changed pages.

Used by `demo.serve`. It replaces private methods of the preview, so SimCord is pinned to one
version.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web
from simcord import Env, SetupError
from simcord.backend.access import can_access_message
from simcord.backend.cdn import CDN_BASE

from bot.art.names import icon_file
from bot.ids import ChannelId
from demo.channels import PageChannels

if TYPE_CHECKING:
    from simcord import Preview

log = logging.getLogger(__name__)

_TICK = 0.25
"""Time between two steps of the virtual clock, in seconds."""
_KEPT_REQUESTS = 100
"""Number of the bot's requests to keep in SimCord's log."""
KEPT_PICTURES = 50
"""Number of the newest uploads to keep even if an edit has replaced them."""

_ADDED = {
    "/preview.css": Path(__file__).with_name("page.css"),
    "/app.js": Path(__file__).with_name("page.js"),
}
"""Path on SimCord's page -> file to append to it."""
_ICON = "/favicon.ico"
"""Path that browsers ask for on their own, and SimCord lacks."""
_TRIES, _RETRY_SECONDS = 6, 0.25
"""Number of tries of a click on a control that is being replaced, and the time between two."""


class PreviewUpdater:
    """Runs the clock of one preview, and republishes pages after a change.

    A page polls twice a second. It is published then and not earlier, because SimCord refuses every
    action on a page whose last publication the browser has not fetched yet. Steps of the clock and
    actions of people take turns, because SimCord refuses concurrent ones, and a browser whose
    action was refused for that reason takes no more input.
    """

    def __init__(
        self,
        env: Env,
        preview: Preview,
        speed: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Patch a preview that has not been entered yet."""
        self._env = env
        self._preview = preview
        self._speed = speed
        self._sleep = sleep
        self._turn = asyncio.Lock()
        """Lock of one step of the clock or one action of a person."""
        self._channels = PageChannels(env, preview)
        self._dropped = 0
        """Number of records that `_drop_records` has dropped."""
        self._shown: dict[str, int] = {}
        """Page id -> `_version` of the server that the page shows."""
        self._act, self._payload = preview._action, preview._page_payload
        self._publish, self._static = preview._publish, preview._server._static
        preview._action = self._action  # type: ignore[method-assign]
        preview._page_payload = self._page_payload  # type: ignore[method-assign]
        preview._publish = self._publish_page  # type: ignore[method-assign]
        preview._server._static = self._with_more  # type: ignore[method-assign]
        routes = {**preview._server._STATIC_FILES, _ICON: _ICON}
        preview._server._STATIC_FILES = routes  # type: ignore[misc]
        self._prepare = preview._prepare_asset
        preview._prepare_asset = self._picture  # type: ignore[method-assign]
        self._may_fetch = preview._authorize_attachment_source
        preview._authorize_attachment_source = self._may_fetch_old  # type: ignore[method-assign]

    async def run(self) -> None:
        """Advance the virtual clock at `speed` times real time until cancelled."""
        loop = asyncio.get_running_loop()
        last, missing = loop.time(), 0.0  # seconds that the virtual clock is behind
        while True:
            await self._sleep(_TICK)
            async with self._turn:
                await self._wait_for_real_timer()
                now = loop.time()
                missing, last = missing + (now - last) * self._speed, now
                try:
                    await self._env.advance_time(missing)
                except SetupError:  # SimCord is busy; the next step catches up
                    continue
                except TimeoutError as error:
                    log.warning("The bot is still busy after a step of the clock: %s", error)
                missing = 0.0
            self._drop_records()

    async def _wait_for_real_timer(self) -> None:
        """Wait until SimCord has advanced its clock for a timer of real time.

        Otherwise that advance and ours would wait for each other until the timeout.
        """
        task = self._env._real_advance_task
        if task is not None and not task.done():
            await asyncio.wait((task,))

    @property
    def _version(self) -> int:
        """Number that rises with every request of the bot and every event of the server."""
        return self._dropped + len(self._env.backend.transcript)

    def _drop_records(self) -> None:
        """Drop SimCord's records of old requests, which would otherwise grow without limit."""
        backend = self._env.backend
        self._dropped += len(backend.transcript)
        backend.transcript.clear()
        del backend.http_requests[:-_KEPT_REQUESTS]
        drop_old_uploads(self._env)
        for gone in self._shown.keys() - self._preview._pages.keys():
            del self._shown[gone]

    def _publish_page(self, page: Any, **reason: Any) -> None:
        """Publish a page, and record which version of the server it shows."""
        self._preview._advance_presentation_time()
        self._name_controls(page.channel_id)
        self._publish(page, **reason)
        self._shown[page.id] = self._version

    def _name_controls(self, channel_id: ChannelId) -> None:
        """Give each button and select an id derived from its custom_id.

        Without an id the page identifies a control by its position in the message. A click would
        then hit the current control of that position, and a new select would show the choice of the
        previous one.
        """
        for message in self._env.backend.messages.get(channel_id, {}).values():
            for control in _controls(message.components):
                control["id"] = zlib.crc32(str(control["custom_id"]).encode()) or 1

    async def _with_more(self, request: Any) -> Any:
        """Return a file of the page, with the file of `_ADDED` appended, or the icon."""
        if request.path == _ICON:
            return web.Response(body=_icon(), content_type="image/png")
        response = await self._static(request)
        if request.path in _ADDED:
            response.text += _ADDED[request.path].read_text(encoding="utf-8")
        return response

    async def _picture(
        self, context_id: str | None, asset_id: str, **_: Any
    ) -> tuple[str, bytes, str]:
        """Return the type, content and name of a picture for a page, as the bot sent it.

        SimCord would process each picture in a new process, one after another, because files may
        come from anybody. Here all come from the bot, and a page would wait a second for every
        picture.
        """
        return await self._prepare(context_id, asset_id, download=True)

    def _may_fetch_old(self, page: Any, source: tuple[Any, ...], digest: str | None) -> None:
        """Let a page fetch a picture that an edit has replaced since the page was published.

        A table gets a new picture with each play, and the page would show it as missing. Viewers
        without access to the message are still refused.
        """
        try:
            self._may_fetch(page, source, digest)
        except SetupError:
            _, channel_id, message_id, *_ = source
            message = self._env.backend.messages.get(channel_id, {}).get(message_id)
            if message is None or not can_access_message(
                self._env, channel_id, message, page.viewer, history=True
            ):
                raise

    def _page_payload(self, page: Any) -> dict[str, Any]:
        """Return the content of a page, and republish it first after a change."""
        if self._preview._action_page is not page:
            gone = self._channels.leave_deleted(page)
            if gone or self._shown.get(page.id) != self._version:
                self._publish_page(page, reason="refresh")
        return {**self._payload(page), "demo": self._channels.listing(page)}

    async def _action(self, context_id: str | None, body: Any) -> dict[str, Any]:
        """Carry out a person's action on a page after the current step or action.

        The page may be half a second old. As on Discord, an action counts if its control still
        exists. While a message is being updated, its control may be missing for a moment, so a
        click is retried before it is refused.
        """
        answer = await self._act_once(context_id, body)
        for _ in range(_TRIES - 1):
            if not answer["rejected"] or body.get("kind") not in ("click", "select"):
                break
            await self._sleep(_RETRY_SECONDS)
            answer = await self._act_once(context_id, body)
        return answer

    async def _act_once(self, context_id: str | None, body: Any) -> dict[str, Any]:
        """Carry out an action in the channel of its page, or in the one that it chooses."""
        async with self._turn:
            page = self._preview._pages.get(context_id or "")
            if page is None or not isinstance(body, Mapping):
                return await self._act(context_id, body)
            body = dict(body)
            if (chosen := body.pop("channel_id", None)) is not None:
                self._channels.switch(page, chosen)
            self._name_controls(ChannelId(page.channel_id))
            body["published_revision"] = page.revision
            threads = self._channels.enter(page)
            try:
                return await self._act(context_id, body)
            finally:
                if self._channels.leave(page, threads):
                    self._shown.pop(page.id, None)


def _icon() -> bytes:
    """Return the picture for the tab of the browser."""
    return icon_file("cardback").read_bytes()


def drop_old_uploads(env: Env) -> None:
    """Drop all but the newest files that no message shows any more.

    Each play brings a new picture of the table, and SimCord keeps all of them. A page that is
    slightly behind may still fetch a replaced one.
    """
    files = env.backend.cdn._blobs
    uploads = [url for url in files if url.startswith(f"{CDN_BASE}/attachments/")]
    if len(uploads) <= KEPT_PICTURES:
        return
    shown = {
        upload["url"]
        for messages in env.backend.messages.values()
        for message in messages.values()
        for upload in message.attachments
    }
    for url in uploads[:-KEPT_PICTURES]:
        if url not in shown:
            del files[url]


def _controls(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all buttons and selects among these components and their children."""
    for component in components:
        if component.get("custom_id"):
            yield component
        yield from _controls(component.get("components") or ())
        if component.get("accessory"):
            yield from _controls((component["accessory"],))
