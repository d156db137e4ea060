"""Uploads the pictures as application emojis, and replaces those that changed.

At startup the bot awaits `UploadedEmojis.load(client, memory)` and runs `bring_up_to_date()` in a
task until nothing is missing. Card faces are uploaded first. They are used once all of them exist,
so no hand is half pictures and half text.

No emoji is ever deleted, because old messages refer to it and keep their picture. The image of an
emoji cannot be changed, but its name can. So when the file of a picture has changed, the emoji with
its name is renamed to name and version, and the new picture is uploaded under the name. Versions
are hashes of the file content, so they are the same on every machine.

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
"""Minimum wait of the uploads that is logged, in seconds."""
_LOGGED_EACH = 10
"""Number of uploads between two such log lines."""
_LONGEST_REASON = 200
_FACES = frozenset(map(names.card_name, names.CARDS))
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

    A failed request is logged and never raised: cards can be shown without pictures, or with older
    ones, and the next attempt does the rest.
    """

    def __init__(self, client: discord.Client, memory: Memory) -> None:
        super().__init__()
        self._client = client
        self._memory = memory
        self._ours: dict[str, list[discord.Emoji]] = {name: [] for name in versions()}
        """Name -> emojis that show this picture in any version, under any name."""
        self._shown: dict[int, str] = {}
        """Emoji id -> version that it shows."""
        self._remembered: dict[str, str] = {}
        """Content of `memory`."""
        self._working = asyncio.Lock()
        self.wait_s = 0.0
        """Wait in seconds that the latest response demanded."""
        self._logged = -_LOGGED_EACH
        """Number of uploads when a wait was last logged."""

    @classmethod
    async def load(cls, client: discord.Client, memory: Memory) -> Self:
        """Return the pictures that the application of this logged-in client already has."""
        emojis = cls(client, memory)
        await emojis._list()
        return emojis

    def missing(self) -> list[str]:
        """Return the names whose current pictures Discord lacks."""
        return [name for name in versions() if not self._is_done(name)]

    def _is_done(self, name: str) -> bool:
        """Return whether the current picture has this name."""
        holder = self._holder(name)
        return holder is not None and self._is_todays(name, holder)

    async def bring_up_to_date(self) -> None:
        """Rename emojis that show current pictures and upload the others, one by one.

        A picture that Discord rejects is skipped until the next call. Any other failure ends this
        call.
        """
        async with self._working:
            if not await self._list():
                return
            missing = self.missing()
            if not missing:
                return
            await self._remember({name: versions()[name] for name in missing})
            failed: list[str] = []
            for name in missing:
                self.wait_s = 0.0
                try:
                    await self._update(name)
                except FAILURES as problem:
                    failed.append(f"{name}: {problem}"[:_LONGEST_REASON])
                    if not _is_refusal(problem):
                        break
            done, total = len(versions()) - len(self.missing()), len(versions())
            if failed:
                log.warning("emojis: %d of %d uploaded, failed: %s", done, total, failed[0])
            else:
                log.info("emojis: all %d uploaded", total)

    async def refresh(self) -> None:
        """Use the pictures that another process has uploaded since."""
        if not self._working.locked():
            await self._list()

    def limited(self, wait_s: float, accepted: bool) -> None:
        """Note that Discord's latest response demands a wait, and log a long one.

        `accepted` is true if that response is that of an upload, which is not counted yet.
        """
        self.wait_s = wait_s
        done, total = len(versions()) - len(self.missing()) + accepted, len(versions())
        if wait_s >= _LONG_WAIT_S and done >= self._logged + _LOGGED_EACH:
            self._logged = done
            log.info("emojis: %d of %d uploaded, next in %.0f s", done, total, wait_s)

    # --- what there is -------------------------------------------------------------------------

    async def _list(self) -> bool:
        """Fetch the application's emojis and note ours; return whether it succeeded."""
        try:
            listed = await self._client.fetch_application_emojis()
        except FAILURES as problem:
            log.warning("emojis unavailable: %s", problem)
            return False
        remembered = await self._memory.recall()
        if remembered is None:
            return False
        self._remembered = remembered
        self._ours = {name: [] for name in versions()}
        for emoji in listed:
            self._note(emoji)
        self._choose()
        await self._remember({str(emoji): version for emoji, version in self._shown.items()})
        return True

    async def _remember(self, more: Mapping[str, str]) -> None:
        """Store additional versions, unless they are stored already."""
        if not self._remembered.items() >= more.items():
            self._remembered = {**self._remembered, **more}
            await self._memory.remember(self._remembered)

    def _note(self, emoji: discord.Emoji) -> None:
        """Note an emoji with its version, if it is one of our pictures."""
        name, version = _parse(emoji.name)
        if name is None:
            return
        known = self._shown.get(emoji.id) or self._remembered.get(str(emoji.id))
        coming = self._remembered.get(name) if emoji.name == name else None
        self._shown[emoji.id] = known or version or coming or versions()[name]
        self._ours[name].append(emoji)

    def _choose(self) -> None:
        """Use the best emoji of each picture; faces of cards only if all of them are there."""
        best = {name: self._best(name) for name, ours in self._ours.items() if ours}
        hidden = frozenset() if best.keys() >= _FACES else _FACES
        self._usable = {name: emoji for name, emoji in best.items() if name not in hidden}

    def _best(self, name: str) -> discord.PartialEmoji:
        """Return the best emoji of a picture: current ones first, then the newest."""
        holder = self._holder(name)
        best = max(
            self._ours[name],
            key=lambda emoji: (self._is_todays(name, emoji), emoji is holder, emoji.id),
        )
        return discord.PartialEmoji(name=best.name, id=best.id)

    def _holder(self, name: str) -> discord.Emoji | None:
        """Return the emoji with this name; names are unique in an application."""
        return next((emoji for emoji in self._ours[name] if emoji.name == name), None)

    def _is_todays(self, name: str, emoji: discord.Emoji) -> bool:
        """Return whether an emoji shows the current picture."""
        return self._shown[emoji.id] == versions()[name]

    # --- requests to Discord -------------------------------------------------------------------

    async def _update(self, name: str) -> None:
        """Give the current picture its name."""
        holder = self._holder(name)
        if holder is not None:
            await self._rename(name, holder, f"{name}_{self._shown[holder.id]}")
        todays = (emoji for emoji in self._ours[name] if self._is_todays(name, emoji))
        emoji = next(todays, None)
        if emoji is not None:
            await self._rename(name, emoji, name)
        else:
            await self._upload(name)

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
        self._choose()


def _is_refusal(problem: Exception) -> bool:
    """Return whether Discord rejected this picture only, so that others may be accepted."""
    return isinstance(problem, discord.HTTPException) and problem.status in (400, 403, 404)


def _parse(called: str) -> tuple[str | None, str | None]:
    """Return the picture of an emoji with this name, and the version in the name if any."""
    if called in versions():
        return called, None
    match = _VERSIONED.fullmatch(called)
    if match is None:
        return None, None
    name = names.older_names().get(match["name"], match["name"])
    return (name, match["version"]) if name in versions() else (None, None)
