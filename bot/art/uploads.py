"""Brings the pictures to Discord as emojis of the application, and replaces those that changed.

At its start the bot awaits `UploadedEmojis.load(client)` and runs `upload_missing()` as a task.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from functools import cache
from typing import Self

import aiohttp
import discord

from bot.art import names
from bot.art.emojis import Emojis

log = logging.getLogger(__name__)

MOST_AT_ONCE = 3
"""The largest number of uploads and deletions that run at the same time."""
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What a request to Discord may raise."""
_VERSIONED = re.compile(r"(?P<name>tichu_\w+)_[0-9a-f]{4}", re.ASCII)


@cache
def versions() -> dict[str, str]:
    """Name -> name with the version of the present picture: `tichu_s8` -> `tichu_s8_a1b2`.

    The version is made from the content of the file, so that a changed picture is uploaded anew.
    """
    return {
        name: f"{name}_{hashlib.sha256(file.read_bytes()).hexdigest()[:4]}"
        for name, file in names.pictures().items()
    }


class UploadedEmojis(Emojis):
    """The pictures that the application of a client has; more, while they are uploaded.

    A failed request is logged and never raised: cards can be shown without pictures.
    """

    def __init__(self, client: discord.Client) -> None:
        super().__init__()
        self._client = client
        self._listed = False
        """Whether Discord has told which emojis it has."""
        self._uploaded: list[discord.Emoji] = []
        """Our pictures, in all versions that Discord has."""
        self._uploading = asyncio.Lock()

    @classmethod
    async def load(cls, client: discord.Client) -> Self:
        """The pictures that the application of this logged-in client has already."""
        emojis = cls(client)
        await emojis._list()
        return emojis

    def missing(self) -> list[str]:
        """The names (without version) of pictures whose present version Discord does not have."""
        present = {emoji.name for emoji in self._uploaded}
        return [name for name, full in versions().items() if full not in present]

    async def upload_missing(self) -> None:
        """Upload the missing pictures, use them at once, then delete the versions they replace.

        Where that fails, the older picture or the text is used until the next call. All failures
        together are one warning in the log.
        """
        async with self._uploading:
            if not self._listed and not await self._list():
                return
            slots = asyncio.Semaphore(MOST_AT_ONCE)
            problems = await asyncio.gather(*(self._upload(name, slots) for name in self.missing()))
            problems += await asyncio.gather(*(self._delete(old, slots) for old in self._stale()))
            failed = [problem for problem in problems if problem]
            if failed:
                log.warning("%d picture(s) not uploaded or deleted: %s", len(failed), failed[0])

    async def _list(self) -> bool:
        """Ask Discord for its emojis and note ours; returns whether Discord has answered."""
        try:
            listed = await self._client.fetch_application_emojis()
        except FAILURES as problem:
            log.warning("pictures not available, cards are shown as text: %s", problem)
            return False
        self._listed = True
        # Today's pictures last: they take the place of older ones with the same name.
        for emoji in sorted(listed, key=lambda emoji: emoji.name in versions().values()):
            self._add(emoji)
        return True

    def _add(self, emoji: discord.Emoji) -> None:
        """Note an emoji and use it, if it is one of our pictures in any version."""
        match = _VERSIONED.fullmatch(emoji.name)
        if match and match["name"] in versions():
            self._uploaded.append(emoji)
            self._usable[match["name"]] = discord.PartialEmoji(name=emoji.name, id=emoji.id)

    def _stale(self) -> list[discord.Emoji]:
        """Our emojis that are not used: older versions and second copies."""
        used = {emoji.id for emoji in self._usable.values()}
        return [emoji for emoji in self._uploaded if emoji.id not in used]

    async def _upload(self, name: str, slots: asyncio.Semaphore) -> str | None:
        """Upload one picture; returns what went wrong, `None` for nothing."""
        image = names.pictures()[name].read_bytes()
        async with slots:
            try:
                emoji = await self._client.create_application_emoji(
                    name=versions()[name], image=image
                )
            except FAILURES as problem:
                return f"{name}: {problem}"
        self._add(emoji)
        return None

    async def _delete(self, emoji: discord.Emoji, slots: asyncio.Semaphore) -> str | None:
        """Delete one emoji; returns what went wrong, `None` for nothing."""
        async with slots:
            try:
                await emoji.delete()
            except discord.NotFound:
                pass
            except FAILURES as problem:
                return f"{emoji.name}: {problem}"
        self._uploaded.remove(emoji)
        return None
