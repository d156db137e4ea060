"""Brings the pictures to Discord as emojis of the application, and replaces those that changed.

At its start the bot awaits `UploadedEmojis.load(client, memory)` and runs `bring_up_to_date()` as a
task. No emoji is ever deleted: old messages point at it and keep their picture. The image of an
emoji cannot be changed, but its name can. So where the file of a picture has changed, the emoji
that has its name is renamed to name and version, and the new picture is uploaded under the name.
Versions are made from the content of the file, so they are the same on every machine.

Which emoji shows which version is in `memory`. An emoji with the right name that it does not know,
for example after a new start with an empty database, is taken for today's picture.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import Protocol, Self

import aiohttp
import discord

from bot.art import names
from bot.art.emojis import Emojis

log = logging.getLogger(__name__)

MOST_AT_ONCE = 3
"""The largest number of requests that run at the same time."""
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What a request to Discord may raise."""
_VERSIONED = re.compile(r"(?P<name>\w+)_(?P<version>[0-9a-f]{4})", re.ASCII)


class Memory(Protocol):
    """Which version each emoji shows, by its id, kept over a restart. Nothing is ever raised."""

    async def recall(self) -> dict[int, str]:
        """What was kept; empty if it is not known."""

    async def remember(self, versions: Mapping[int, str]) -> None:
        """Keep these in place of the ones before."""


@cache
def versions() -> dict[str, str]:
    """Name -> version of the present picture, four hexadecimal digits."""
    return {
        name: hashlib.sha256(file.read_bytes()).hexdigest()[:4]
        for name, file in names.pictures().items()
    }


class UploadedEmojis(Emojis):
    """The pictures that the application of a client has; more, while they are uploaded.

    A failed request is logged and never raised: cards can be shown without pictures, or with those
    of before, and the rest is done at the next try.
    """

    def __init__(self, client: discord.Client, memory: Memory) -> None:
        super().__init__()
        self._client = client
        self._memory = memory
        self._listed = False
        """Whether Discord has told which emojis it has."""
        self._ours: dict[str, list[discord.Emoji]] = {name: [] for name in versions()}
        """Name -> the emojis that show this picture in any version, under any name."""
        self._shown: dict[int, str] = {}
        """Id of an emoji -> the version that it shows."""
        self._working = asyncio.Lock()

    @classmethod
    async def load(cls, client: discord.Client, memory: Memory) -> Self:
        """The pictures that the application of this logged-in client has already."""
        emojis = cls(client, memory)
        await emojis._list()
        return emojis

    def missing(self) -> list[str]:
        """The names under which Discord does not have today's picture."""
        return [name for name in versions() if not self._is_done(name)]

    def _is_done(self, name: str) -> bool:
        """Whether today's picture has this name."""
        holder = self._holder(name)
        return holder is not None and self._is_todays(name, holder)

    async def bring_up_to_date(self) -> None:
        """Rename emojis that show today's pictures, upload the others, and use them at once.

        Where that fails, the older picture or the text is used until the next call. All failures
        together are one warning in the log.
        """
        async with self._working:
            if not self._listed and not await self._list():
                return
            missing = self.missing()
            if not missing:
                return
            slots = asyncio.Semaphore(MOST_AT_ONCE)
            problems = await asyncio.gather(*(self._mend(name, slots) for name in missing))
            failed = [problem for problem in problems if problem]
            if failed:
                log.warning("%d picture(s) not uploaded or renamed: %s", len(failed), failed[0])
            await self._memory.remember(self._shown)

    # --- what there is -------------------------------------------------------------------------

    async def _list(self) -> bool:
        """Ask Discord for its emojis and note ours; returns whether Discord has answered."""
        try:
            listed = await self._client.fetch_application_emojis()
        except FAILURES as problem:
            log.warning("pictures not available, cards are shown as text: %s", problem)
            return False
        remembered = await self._memory.recall()
        self._listed = True
        for emoji in listed:
            self._note(emoji, remembered)
        if self._shown != remembered:
            await self._memory.remember(self._shown)
        return True

    def _note(self, emoji: discord.Emoji, remembered: dict[int, str]) -> None:
        """Note an emoji with its version, if it is one of our pictures, and use the best one."""
        name, version = _told_by(emoji.name)
        if name is not None:
            self._shown[emoji.id] = remembered.get(emoji.id) or version or versions()[name]
            self._ours[name].append(emoji)
            self._choose(name)

    def _choose(self, name: str) -> None:
        """Use of all emojis of a picture one of today, if there is any, and the newest."""
        holder = self._holder(name)
        best = max(
            self._ours[name],
            key=lambda emoji: (self._is_todays(name, emoji), emoji is holder, emoji.id),
        )
        self._usable[name] = discord.PartialEmoji(name=best.name, id=best.id)

    def _holder(self, name: str) -> discord.Emoji | None:
        """The emoji that is called so; names are unique in an application."""
        return next((emoji for emoji in self._ours[name] if emoji.name == name), None)

    def _is_todays(self, name: str, emoji: discord.Emoji) -> bool:
        """Whether an emoji shows the present picture."""
        return self._shown[emoji.id] == versions()[name]

    # --- requests to Discord -------------------------------------------------------------------

    async def _mend(self, name: str, slots: asyncio.Semaphore) -> str | None:
        """Let today's picture have its name; returns what went wrong, `None` for nothing."""
        async with slots:
            try:
                await self._free(name)
                todays = (emoji for emoji in self._ours[name] if self._is_todays(name, emoji))
                emoji = next(todays, None)
                if emoji is not None:
                    await self._rename(name, emoji, name)
                else:
                    await self._upload(name)
            except FAILURES as problem:
                return f"{name}: {problem}"
        return None

    async def _free(self, name: str) -> None:
        """Take the name from an emoji that shows an older picture."""
        holder = self._holder(name)
        if holder is not None:
            await self._rename(name, holder, f"{name}_{self._shown[holder.id]}")

    async def _rename(self, name: str, emoji: discord.Emoji, called: str) -> None:
        renamed = await emoji.edit(name=called)
        self._ours[name] = [each for each in self._ours[name] if each.id != emoji.id]
        self._add(name, renamed)

    async def _upload(self, name: str) -> None:
        image = names.pictures()[name].read_bytes()
        uploaded = await self._client.create_application_emoji(name=name, image=image)
        self._shown[uploaded.id] = versions()[name]
        self._add(name, uploaded)

    def _add(self, name: str, emoji: discord.Emoji) -> None:
        self._ours[name].append(emoji)
        self._choose(name)


def _told_by(called: str) -> tuple[str | None, str | None]:
    """The picture that an emoji with this name shows, and its version if the name tells it."""
    if called in versions():
        return called, None
    match = _VERSIONED.fullmatch(called)
    if match is None:
        return None, None
    name = names.older_names().get(match["name"], match["name"])
    return (name, match["version"]) if name in versions() else (None, None)
