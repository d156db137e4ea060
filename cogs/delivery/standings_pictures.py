"""Pictures of standings in the public messages of tournaments.

An edit waits `_PATIENCE_S` for its picture. One that is late comes with the next edit, and a
picture that is still right is kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import discord

from bot.client import TichuBot
from bot.club.event import ClubEvent
from bot.ids import ClubEventId, MessageId
from bot.pictures.process_messages import fingerprint
from bot.pictures.standings.contents import standings_scene
from bot.pictures.standings.scene import Standings
from bot.pictures.standings.standings_text import standings_text
from bot.runtime.logs import kinds_and_frames
from bot.text import Say
from cogs.delivery.channel_permissions import may_attach
from cogs.delivery.uploads import (
    Files,
    Picture,
    PictureEdit,
    PictureSupport,
    SeenPicture,
    Uploads,
    result_in_time,
    shown_files,
    uploaded,
)

log = logging.getLogger(__name__)

_PATIENCE_S: Final = 3.0
"""Longest wait of an edit for its picture, in seconds."""

_NOTHING: Final[tuple[SeenPicture | None, Files]] = None, ()

Edit = Callable[[SeenPicture | None, Files], Awaitable[discord.Message]]
"""Edits a message so that it shows this picture and has these files."""


class StandingsPictures:
    """Edits the messages of tournaments with pictures of the newest standings."""

    def __init__(self, bot: TichuBot, support: PictureSupport) -> None:
        self._bot = bot
        self._support = support
        self._shown: dict[ClubEventId, tuple[SeenPicture, Files]] = {}
        """Picture in the message of each running tournament, since the start of the bot."""

    async def edit(self, event: ClubEvent, say: Say, message_id: MessageId, request: Edit) -> None:
        """Edit the message of an event with its picture, or without it if there is none."""
        scene = self._scene(event, say)
        uploads = Uploads(self._bot.clock, f"event {event.id}", self._support)
        shown, files = self._shown.pop(event.id, _NOTHING)
        is_same = scene is not None and shown is not None and shown.shows == fingerprint(scene)
        if is_same and self._support.allows(PictureEdit.KEEP, message_id):
            _, is_kept = await uploads.keep(
                message_id, lambda keep: request(shown, files) if keep else request(None, ())
            )
            if shown is not None and is_kept:
                self._shown[event.id] = shown, files
            return
        picture = await self._draw(event, scene, say) if scene is not None else None
        message, sent = await uploads.send(
            picture, lambda file: request(file, uploaded(file)), edited_id=message_id
        )
        if sent is not None and not event.is_over:
            self._shown[event.id] = sent.seen, shown_files(message)

    def _scene(self, event: ClubEvent, say: Say) -> Standings | None:
        """Return the picture to draw, `None` if there is none or pictures are turned off."""
        if not may_attach(self._bot, event.guild_id, event.channel_id):
            return None
        try:
            return standings_scene(event, say)
        except Exception as error:  # noqa: BLE001 - the page is shown without its picture
            _log_failure(event, error)
            return None

    async def _draw(self, event: ClubEvent, scene: Standings, say: Say) -> Picture | None:
        """Return the picture, or `None` if it is not drawn in time."""
        drawing = asyncio.create_task(self._bot.painter.draw(scene), name=f"picture-{event.id}")
        try:
            data = await result_in_time(self._bot.clock, drawing, _PATIENCE_S)
        except Exception as error:  # noqa: BLE001 - likewise
            _log_failure(event, error)
            return None
        if data is None:
            return None
        shows = fingerprint(scene)
        return Picture(shows, f"standings-{shows.hex()}.png", standings_text(scene, say), data)


def _log_failure(event: ClubEvent, error: Exception) -> None:
    trail = kinds_and_frames(error)
    log.error("event %s: unhandled exception while drawing:\n%s", event.id, trail)
