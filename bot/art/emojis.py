"""The pictures as application emojis: finds them, uploads what is missing, else says it in text.

Start-up awaits `Emojis.load(bot)` and runs `upload_missing()` as a task; everything that renders
cards asks `card`, `icon` (text) or `card_emoji`, `icon_emoji` (buttons, selects).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from functools import cache

import aiohttp
import discord

from bot.art import names

log = logging.getLogger(__name__)

AT_ONCE = 3  # uploads and deletions running at the same time
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
_VERSIONED = re.compile(r"(?P<name>tichu_\w+)_[0-9a-f]{4}", re.ASCII)


@cache
def versions() -> dict[str, str]:
    """Name -> name with the version of today's picture: `tichu_s8` -> `tichu_s8_a1b2`."""
    return {
        name: f"{name}_{hashlib.sha256(file.read_bytes()).hexdigest()[:4]}"
        for name, file in names.pictures().items()
    }


class Emojis:
    """The pictures that exist on Discord; for all others the plain text. Never raises for HTTP."""

    def __init__(self, client: discord.Client | None = None) -> None:
        self._client = client
        self._listed = False
        self._found: list[discord.Emoji] = []  # all versions of our pictures on Discord
        self._usable: dict[str, discord.PartialEmoji] = {}  # by name without version
        self._uploading = asyncio.Lock()

    @classmethod
    def plain(cls) -> Emojis:
        """Text only, for tests and before start-up."""
        return cls()

    @classmethod
    async def load(cls, client: discord.Client) -> Emojis:
        """The pictures already uploaded for the application of this logged-in client."""
        emojis = cls(client)
        await emojis._list(client)
        return emojis

    def card(self, card: str) -> str:
        """A card in a message: emoji markup, or `8♠`."""
        emoji = self.card_emoji(card)
        return str(emoji) if emoji else names.card_plain(card)

    def card_emoji(self, card: str) -> discord.PartialEmoji | None:
        """A card for a button or an option, None while there is no picture."""
        return self._usable.get(names.card_name(card))

    def icon(self, icon: str) -> str:
        """A sign in a message: emoji markup, or a unicode emoji."""
        emoji = self.icon_emoji(icon)
        return str(emoji) if emoji else names.icon_plain(icon)

    def icon_emoji(self, icon: str) -> discord.PartialEmoji | None:
        """A sign for a button or an option, None while there is no picture."""
        return self._usable.get(names.icon_name(icon))

    def missing(self) -> list[str]:
        """Names (without version) of the pictures whose present version is not uploaded."""
        present = {emoji.name for emoji in self._found}
        return [name for name, full in versions().items() if full not in present]

    async def upload_missing(self) -> None:
        """Upload what is missing and use it at once; then delete replaced versions.

        What fails stays as it was (an older picture, or text) until the next call; the log has one
        warning for all of it.
        """
        client = self._client
        if client is None:
            return
        async with self._uploading:
            if not self._listed and not await self._list(client):
                return
            gate = asyncio.Semaphore(AT_ONCE)
            problems = await asyncio.gather(
                *(self._upload(client, name, gate) for name in self.missing())
            )
            problems += await asyncio.gather(*(self._delete(old, gate) for old in self._stale()))
            failed = [problem for problem in problems if problem]
            if failed:
                log.warning("%d picture(s) not uploaded or deleted: %s", len(failed), failed[0])

    async def _list(self, client: discord.Client) -> bool:
        """Take stock of what Discord has; False (and a warning) if it does not say."""
        try:
            found = await client.fetch_application_emojis()
        except FAILURES as problem:
            log.warning("pictures not available, cards are shown as text: %s", problem)
            return False
        self._listed = True
        # Today's pictures last: they take the place of older ones with the same name.
        for emoji in sorted(found, key=lambda emoji: emoji.name in versions().values()):
            self._add(emoji)
        return True

    def _add(self, emoji: discord.Emoji) -> None:
        """Use an emoji from Discord if it is one of our pictures, of any version."""
        match = _VERSIONED.fullmatch(emoji.name)
        if match and match["name"] in versions():
            self._found.append(emoji)
            self._usable[match["name"]] = discord.PartialEmoji(name=emoji.name, id=emoji.id)

    def _stale(self) -> list[discord.Emoji]:
        """Our emojis that are not in use: an older version, or a second copy."""
        used = {emoji.id for emoji in self._usable.values()}
        return [emoji for emoji in self._found if emoji.id not in used]

    async def _upload(
        self, client: discord.Client, name: str, gate: asyncio.Semaphore
    ) -> str | None:
        """Upload one picture; returns what went wrong."""
        image = names.pictures()[name].read_bytes()
        async with gate:
            try:
                emoji = await client.create_application_emoji(name=versions()[name], image=image)
            except FAILURES as problem:
                return f"{name}: {problem}"
        self._add(emoji)
        return None

    async def _delete(self, emoji: discord.Emoji, gate: asyncio.Semaphore) -> str | None:
        """Delete one emoji; returns what went wrong."""
        async with gate:
            try:
                await emoji.delete()
            except discord.NotFound:
                pass
            except FAILURES as problem:
                return f"{emoji.name}: {problem}"
        self._found.remove(emoji)
        return None
