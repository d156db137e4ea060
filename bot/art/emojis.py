"""The pictures as application emojis. A picture that is not uploaded is replaced by plain text.

At its start the bot awaits `Emojis.load(client)` and runs `upload_missing()` as a task. Pages ask
`card` and `icon` for pictures in texts, `card_emoji` and `icon_emoji` for pictures on buttons and
in selects.
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


class Emojis:
    """The pictures that Discord has. For all others there is plain text.

    A failed request is logged and never raised: cards can be shown without pictures.
    """

    def __init__(self, client: discord.Client | None = None) -> None:
        self._client = client
        self._listed = False
        """Whether Discord has told which emojis it has."""
        self._uploaded: list[discord.Emoji] = []
        """Our pictures, in all versions that Discord has."""
        self._usable: dict[str, discord.PartialEmoji] = {}
        """Name without version -> the newest that Discord has."""
        self._uploading = asyncio.Lock()

    @classmethod
    def plain(cls) -> Emojis:
        """No pictures at all, for tests and before the bot has logged in."""
        return cls()

    @classmethod
    async def load(cls, client: discord.Client) -> Emojis:
        """The pictures that the application of this logged-in client has already."""
        emojis = cls(client)
        await emojis._list(client)
        return emojis

    def card(self, card: str) -> str:
        """A card (in notation) in a text: the markup of its emoji, or `8♠`."""
        emoji = self.card_emoji(card)
        return str(emoji) if emoji else names.card_plain(card)

    def card_emoji(self, card: str) -> discord.PartialEmoji | None:
        """A card (in notation) on a button or in a select; `None` while there is no picture."""
        return self._usable.get(names.card_name(card))

    def icon(self, icon: str) -> str:
        """A sign in a text: the markup of its emoji, or a Unicode emoji."""
        emoji = self.icon_emoji(icon)
        return str(emoji) if emoji else names.icon_plain(icon)

    def icon_emoji(self, icon: str) -> discord.PartialEmoji | None:
        """A sign on a button or in a select; `None` while there is no picture."""
        return self._usable.get(names.icon_name(icon))

    def missing(self) -> list[str]:
        """The names (without version) of pictures whose present version Discord does not have."""
        present = {emoji.name for emoji in self._uploaded}
        return [name for name, full in versions().items() if full not in present]

    async def upload_missing(self) -> None:
        """Upload the missing pictures, use them at once, then delete the versions they replace.

        Where that fails, the older picture or the text is used until the next call. All failures
        together are one warning in the log.
        """
        client = self._client
        if client is None:
            return
        async with self._uploading:
            if not self._listed and not await self._list(client):
                return
            slots = asyncio.Semaphore(MOST_AT_ONCE)
            problems = await asyncio.gather(
                *(self._upload(client, name, slots) for name in self.missing())
            )
            problems += await asyncio.gather(*(self._delete(old, slots) for old in self._stale()))
            failed = [problem for problem in problems if problem]
            if failed:
                log.warning("%d picture(s) not uploaded or deleted: %s", len(failed), failed[0])

    async def _list(self, client: discord.Client) -> bool:
        """Ask Discord for its emojis and note ours; returns whether Discord has answered."""
        try:
            listed = await client.fetch_application_emojis()
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

    async def _upload(
        self, client: discord.Client, name: str, slots: asyncio.Semaphore
    ) -> str | None:
        """Upload one picture; returns what went wrong, `None` for nothing."""
        image = names.pictures()[name].read_bytes()
        async with slots:
            try:
                emoji = await client.create_application_emoji(name=versions()[name], image=image)
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
