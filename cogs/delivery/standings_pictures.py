"""Pictures of standings in the public messages of tournaments.

An edit waits `_PATIENCE_S` for each of its pictures. Late ones come with the next edit, and those
that are still right are kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import discord

from bot.client import TichuBot
from bot.club.event import ClubEvent
from bot.ids import ClubEventId, MessageId
from bot.pictures.process_messages import fingerprint
from bot.pictures.standings.contents import standings_scenes
from bot.pictures.standings.scene import Standings
from bot.pictures.standings.standings_text import standings_text
from bot.runtime.logs import kinds_and_frames
from bot.text import Say
from cogs.delivery.channel_permissions import may_attach
from cogs.delivery.uploads import (
    Files,
    KeptFile,
    Picture,
    PictureEdit,
    PictureSupport,
    SeenPicture,
    Uploads,
    result_in_time,
    shown_files,
)

log = logging.getLogger(__name__)

_PATIENCE_S: Final = 3.0
"""Longest wait of an edit for each of its pictures, in seconds."""

Edit = Callable[[Sequence[SeenPicture], Files], Awaitable[discord.Message]]
"""Edits a message so that it shows these pictures and has these files."""


class StandingsPictures:
    """Edits the messages of tournaments with pictures of the newest standings."""

    def __init__(self, bot: TichuBot, support: PictureSupport) -> None:
        self._bot = bot
        self._support = support
        self._shown: dict[ClubEventId, dict[bytes, KeptFile]] = {}
        """Files in the message of each running tournament by fingerprint, since the start."""

    async def edit(self, event: ClubEvent, say: Say, message_id: MessageId, request: Edit) -> None:
        """Edit the message of an event with its pictures, or without if there are none.

        Those that it has already are kept.
        """
        scenes = {fingerprint(each): each for each in self._scenes(event, say)}
        seen = [
            SeenPicture(shows, f"standings-{shows.hex()}.png", standings_text(scene, say))
            for shows, scene in scenes.items()
        ]
        uploads = Uploads(self._bot.clock, f"event {event.id}", self._support)
        kept = self._shown.pop(event.id, {})
        if not self._support.allows(PictureEdit.KEEP, message_id):
            kept = {}
        if scenes and scenes.keys() <= kept.keys():
            kept = {shows: kept[shows] for shows in scenes}
            _, is_kept = await uploads.keep(
                message_id,
                lambda keep: request(seen, [*kept.values()]) if keep else request((), ()),
            )
            if is_kept:
                self._shown[event.id] = kept
            return
        drawn = await self._draw(event, {each: scenes[each] for each in scenes.keys() - kept})
        files: Files | None = None
        if drawn:
            files = [
                kept.get(each.shows)
                or Picture(each.shows, each.name, each.alt, drawn[each.shows]).file()
                for each in seen
            ]
        message, sent = await uploads.send(
            files, lambda given: request(seen if given else (), given or ()), edited_id=message_id
        )
        if sent is not None and not event.is_over:
            self._shown[event.id] = dict(zip(scenes, shown_files(message), strict=False))

    def _scenes(self, event: ClubEvent, say: Say) -> Sequence[Standings]:
        """Return the pictures to draw, none if pictures are turned off."""
        if not may_attach(self._bot, event.guild_id, event.channel_id):
            return ()
        try:
            return tuple(standings_scenes(event, say))
        except Exception as error:  # noqa: BLE001 - the page is shown without its pictures
            _log_failure(event, error)
            return ()

    async def _draw(
        self, event: ClubEvent, scenes: Mapping[bytes, Standings]
    ) -> Mapping[bytes, bytes] | None:
        """Return the files of pictures, or `None` if they are not drawn in time."""

        async def draw_all() -> Mapping[bytes, bytes] | None:
            drawn = dict[bytes, bytes]()
            for shows, scene in scenes.items():
                data = await self._bot.painter.draw(scene)
                if data is None:
                    return None
                drawn[shows] = data
            return drawn

        drawing = asyncio.create_task(draw_all(), name=f"picture-{event.id}")
        try:
            return await result_in_time(self._bot.clock, drawing, _PATIENCE_S * len(scenes))
        except Exception as error:  # noqa: BLE001 - likewise
            _log_failure(event, error)
            return None


def _log_failure(event: ClubEvent, error: Exception) -> None:
    trail = kinds_and_frames(error)
    log.error("event %s: unhandled exception while drawing:\n%s", event.id, trail)
