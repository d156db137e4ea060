"""Uploads the pictures as application emojis, and replaces those that changed.

At startup the bot awaits `UploadedEmojis.load(client, memory)` and runs `bring_up_to_date()` in a
task until nothing is missing. Card faces are uploaded first. They are used once all of them exist,
so no hand is half pictures and half text.

No emoji is ever deleted, because old messages refer to it and keep their picture. The image of an
emoji cannot be changed, but its name can. So when the file of a picture has changed, its version is
appended to the name of the old emoji, and the new picture is uploaded under the plain name.
Versions are hashes of the file content, so they are the same on every machine.

The existing emojis are taken from Discord's list before each attempt. `memory` stores the version
of each emoji. Before the first upload of an attempt it also stores the versions to be uploaded, by
name. So if the bot is killed between an upload and its response, it later knows what was uploaded.
An emoji that has the right name but is not in memory, for example with a new database, is assumed
to be current.

discord.py waits inside a request as long as Discord's headers and 429s demand. The quota of these
routes "may be inaccurate" (discord-api-docs, resources/emoji.mdx), so one request runs at a time.
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

FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""Exceptions that a request to Discord may raise."""
_LONG_WAIT_S = 10.0
"""Shortest wait between uploads that is logged, in seconds."""
_UPLOADS_PER_LOG_LINE = 10
"""Number of uploads between two log lines about waits."""
_LONGEST_REASON = 200
_CARD_NAMES = frozenset(map(names.card_name, names.CARDS))
_VERSIONED = re.compile(r"(?P<name>\w+)_(?P<version>[0-9a-f]{4})", re.ASCII)


class Memory(Protocol):
    """Storage of versions by emoji id, or by name before an upload. It raises nothing."""

    async def recall(self) -> dict[str, str] | None:
        """Return the stored versions, or `None` if they cannot be read."""

    async def remember(self, versions: Mapping[str, str]) -> None:
        """Replace the stored versions."""


@cache
def versions() -> dict[str, str]:
    """Return name -> version of the current picture, four hexadecimal digits."""
    return {
        name: hashlib.sha256(file.read_bytes()).hexdigest()[:4]
        for name, file in names.pictures().items()
    }


class UploadedEmojis(Emojis):
    """Pictures that an application has, including those uploaded while it runs.

    A failed request is logged and never raised, because cards can be shown without pictures, or
    with older pictures, and the next attempt does the rest.
    """

    def __init__(self, client: discord.Client, memory: Memory) -> None:
        super().__init__()
        self._client = client
        self._memory = memory
        self._emojis: dict[str, list[discord.Emoji]] = {name: [] for name in versions()}
        """Name of a picture -> emojis that show it in any version, under any name."""
        self._versions: dict[int, str] = {}
        """Emoji id -> version that it shows."""
        self._remembered: dict[str, str] = {}
        """Content of `memory`."""
        self._lock = asyncio.Lock()
        self.wait_s = 0.0
        """Wait in seconds that the latest response demanded."""
        self._uploads_at_log = -_UPLOADS_PER_LOG_LINE
        """Number of uploads when a wait was last logged."""

    @classmethod
    async def load(cls, client: discord.Client, memory: Memory) -> Self:
        """Return the pictures that the application of this logged-in client already has."""
        emojis = cls(client, memory)
        await emojis._fetch_emojis()
        return emojis

    def missing(self) -> list[str]:
        """Return the names of pictures whose current version Discord lacks."""
        return [name for name in versions() if not self._is_done(name)]

    def _is_done(self, name: str) -> bool:
        """Return whether the emoji with this name shows the current picture."""
        named = self._emoji_named(name)
        return named is not None and self._is_current(name, named)

    async def bring_up_to_date(self) -> None:
        """Give each picture an emoji, by renaming one that shows it, or else by uploading it.

        A picture that Discord rejects is skipped until the next call. Any other failure ends this
        call.
        """
        async with self._lock:
            if not await self._fetch_emojis():
                return
            missing = self.missing()
            if not missing:
                return
            await self._remember({name: versions()[name] for name in missing})
            failed: list[str] = []
            for name in missing:
                self.wait_s = 0.0
                try:
                    await self._make_current(name)
                except FAILURES as problem:
                    failed.append(f"{name}: {problem}"[:_LONGEST_REASON])
                    if not _is_refusal(problem):
                        break
            uploaded, total = len(versions()) - len(self.missing()), len(versions())
            if failed:
                log.warning("emojis: %d of %d uploaded, failed: %s", uploaded, total, failed[0])
            else:
                log.info("emojis: all %d uploaded", total)

    async def refresh(self) -> None:
        """Load pictures that another process has uploaded, unless uploads run here."""
        if not self._lock.locked():
            await self._fetch_emojis()

    def on_rate_limit(self, wait_s: float, accepted: bool) -> None:
        """Store the wait that Discord's latest response demands, and log a long wait.

        `accepted` is true if the response accepts an upload, which is not counted yet.
        """
        self.wait_s = wait_s
        uploaded, total = len(versions()) - len(self.missing()) + accepted, len(versions())
        if wait_s >= _LONG_WAIT_S and uploaded >= self._uploads_at_log + _UPLOADS_PER_LOG_LINE:
            self._uploads_at_log = uploaded
            log.info("emojis: %d of %d uploaded, next in %.0f s", uploaded, total, wait_s)

    # --- existing emojis -------------------------------------------------------------------------

    async def _fetch_emojis(self) -> bool:
        """Fetch the application's emojis and record our pictures; return whether it succeeded."""
        try:
            emojis = await self._client.fetch_application_emojis()
        except FAILURES as problem:
            log.warning("emojis unavailable: %s", problem)
            return False
        remembered = await self._memory.recall()
        if remembered is None:
            return False
        self._remembered = remembered
        self._emojis = {name: [] for name in versions()}
        for emoji in emojis:
            self._record(emoji)
        self._choose_usable()
        await self._remember({str(emoji): version for emoji, version in self._versions.items()})
        return True

    async def _remember(self, more: Mapping[str, str]) -> None:
        """Store additional versions, unless they are stored already."""
        if not self._remembered.items() >= more.items():
            self._remembered = {**self._remembered, **more}
            await self._memory.remember(self._remembered)

    def _record(self, emoji: discord.Emoji) -> None:
        """Record an emoji and its version, if it shows one of our pictures.

        The version is the first of these that is known: the one recorded for this emoji, the one in
        its name, the one stored before its upload. Otherwise it is the current version.
        """
        name, version = _read_name(emoji.name)
        if name is None:
            return
        stored = self._versions.get(emoji.id) or self._remembered.get(str(emoji.id))
        uploading = self._remembered.get(name) if emoji.name == name else None
        self._versions[emoji.id] = stored or version or uploading or versions()[name]
        self._emojis[name].append(emoji)

    def _choose_usable(self) -> None:
        """Choose the best emoji of each picture; use card faces only if all of them exist."""
        best = {name: self._best(name) for name, emojis in self._emojis.items() if emojis}
        unused = frozenset() if best.keys() >= _CARD_NAMES else _CARD_NAMES
        self._usable = {name: emoji for name, emoji in best.items() if name not in unused}

    def _best(self, name: str) -> discord.PartialEmoji:
        """Return the best emoji of a picture: one with the current version, else the newest."""
        named = self._emoji_named(name)
        best = max(
            self._emojis[name],
            key=lambda emoji: (self._is_current(name, emoji), emoji is named, emoji.id),
        )
        return discord.PartialEmoji(name=best.name, id=best.id)

    def _emoji_named(self, name: str) -> discord.Emoji | None:
        """Return the emoji with this name; names are unique in an application."""
        return next((emoji for emoji in self._emojis[name] if emoji.name == name), None)

    def _is_current(self, name: str, emoji: discord.Emoji) -> bool:
        """Return whether an emoji shows the current picture."""
        return self._versions[emoji.id] == versions()[name]

    # --- requests to Discord -------------------------------------------------------------------

    async def _make_current(self, name: str) -> None:
        """Make the emoji with this name show the current picture, by a renaming or an upload."""
        outdated = self._emoji_named(name)
        if outdated is not None:
            await self._rename(name, outdated, f"{name}_{self._versions[outdated.id]}")
        current = (emoji for emoji in self._emojis[name] if self._is_current(name, emoji))
        emoji = next(current, None)
        if emoji is not None:
            await self._rename(name, emoji, name)
        else:
            await self._upload(name)

    async def _rename(self, name: str, emoji: discord.Emoji, emoji_name: str) -> None:
        renamed = await emoji.edit(name=emoji_name)
        self._emojis[name] = [each for each in self._emojis[name] if each.id != emoji.id]
        self._add(name, renamed)

    async def _upload(self, name: str) -> None:
        image = names.pictures()[name].read_bytes()
        uploaded = await self._client.create_application_emoji(name=name, image=image)
        self._versions[uploaded.id] = versions()[name]
        self._add(name, uploaded)

    def _add(self, name: str, emoji: discord.Emoji) -> None:
        self._emojis[name].append(emoji)
        self._choose_usable()


def _is_refusal(problem: Exception) -> bool:
    """Return whether Discord rejected this picture only, so that others may be accepted."""
    return isinstance(problem, discord.HTTPException) and problem.status in (400, 403, 404)


def _read_name(emoji_name: str) -> tuple[str | None, str | None]:
    """Parse the name of an emoji: name of its picture, and version.

    Both are `None` for an emoji of something else. The version is `None` if the name has none.
    """
    if emoji_name in versions():
        return emoji_name, None
    match = _VERSIONED.fullmatch(emoji_name)
    if match is None:
        return None, None
    name, version = match["name"], match["version"]
    return (name, version) if name in versions() else (None, None)
