"""Uploads the pictures as application emojis, and replaces those that changed.

At its start the bot awaits `UploadedEmojis.load(client, memory)` and runs `bring_up_to_date()` in a
task until nothing is missing. Faces of cards go first. They are used once all of them are there, so
no hand is half pictures and half text.

No emoji is ever deleted: old messages point at it and keep their picture. The image of an emoji
cannot be changed, but its name can. So where the file of a picture has changed, the emoji that has
its name is renamed to name and version, and the new picture is uploaded under the name. Versions
are made from the content of the file, so they are the same on every machine.

Which emojis there are is taken from Discord's list before each try. Which versions they show is in
`memory`; before the first upload of a try it also has the versions of what is to be uploaded, by
name. So a bot that is killed between an upload and its answer knows later what was uploaded. An
emoji with the right name that the memory does not know, for example after a new start with an empty
database, is taken for today's picture.

discord.py waits inside a request as long as Discord's headers and 429s ask for. The quota of these
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
"""What a request to Discord may raise."""
_LONG_WAIT_S = 10.0
"""The log names a wait of the uploads that is at least as long, in seconds."""
_LOGGED_EACH = 10
"""The number of uploads after which the log names such a wait again."""
_LONGEST_REASON = 200
_FACES = frozenset(map(names.card_name, names.CARDS))
_VERSIONED = re.compile(r"(?P<name>\w+)_(?P<version>[0-9a-f]{4})", re.ASCII)


class Memory(Protocol):
    """Versions by the id of an emoji, or by the name of one to be uploaded. Raises nothing."""

    async def recall(self) -> dict[str, str] | None:
        """Return the stored versions; `None` if they cannot be read."""

    async def remember(self, versions: Mapping[str, str]) -> None:
        """Replace the stored versions."""


@cache
def versions() -> dict[str, str]:
    """Name -> version of the present picture, four hexadecimal digits."""
    return {
        name: hashlib.sha256(file.read_bytes()).hexdigest()[:4]
        for name, file in names.pictures().items()
    }


class UploadedEmojis(Emojis):
    """The pictures that the application of a client has; more, while they are uploaded.

    A failed request is logged and never raised: cards can be shown without pictures, or with older
    ones, and the rest is done at the next try.
    """

    def __init__(self, client: discord.Client, memory: Memory) -> None:
        super().__init__()
        self._client = client
        self._memory = memory
        self._ours: dict[str, list[discord.Emoji]] = {name: [] for name in versions()}
        """Name -> the emojis that show this picture in any version, under any name."""
        self._shown: dict[int, str] = {}
        """Id of an emoji -> the version that it shows."""
        self._remembered: dict[str, str] = {}
        """What `memory` has."""
        self._working = asyncio.Lock()
        self.wait_s = 0.0
        """The seconds to wait that the answer to the latest request asked for."""
        self._logged = -_LOGGED_EACH
        """How many were uploaded when the log named a wait last."""

    @classmethod
    async def load(cls, client: discord.Client, memory: Memory) -> Self:
        """Return the pictures that the application of this logged-in client has already."""
        emojis = cls(client, memory)
        await emojis._list()
        return emojis

    def missing(self) -> list[str]:
        """Return the names under which Discord does not have today's picture."""
        return [name for name in versions() if not self._is_done(name)]

    def _is_done(self, name: str) -> bool:
        """Return whether today's picture has this name."""
        holder = self._holder(name)
        return holder is not None and self._is_todays(name, holder)

    async def bring_up_to_date(self) -> None:
        """Rename emojis that show today's pictures and upload the others, one after another.

        What Discord refuses is left out until the next call. All else that fails ends this one.
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
                log.warning("pictures: %d of %d uploaded, failed: %s", done, total, failed[0])
            else:
                log.info("pictures: all %d uploaded", total)

    async def refresh(self) -> None:
        """Use what another process has uploaded meanwhile."""
        if not self._working.locked():
            await self._list()

    def limited(self, wait_s: float, accepted: bool) -> None:
        """Note that Discord's latest answer asks for a wait, and log a long one.

        `accepted` says whether that answer was that of an upload, which is not counted yet.
        """
        self.wait_s = wait_s
        done, total = len(versions()) - len(self.missing()) + accepted, len(versions())
        if wait_s >= _LONG_WAIT_S and done >= self._logged + _LOGGED_EACH:
            self._logged = done
            log.info("pictures: %d of %d uploaded, the next in %.0f s", done, total, wait_s)

    # --- what there is -------------------------------------------------------------------------

    async def _list(self) -> bool:
        """Fetch the application's emojis and note ours; return whether that worked."""
        try:
            listed = await self._client.fetch_application_emojis()
        except FAILURES as problem:
            log.warning("pictures not available: %s", problem)
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
        """Add these versions to the stored ones, unless they are there already."""
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
        """Return of all emojis of a picture one of today, if there is any, and the newest."""
        holder = self._holder(name)
        best = max(
            self._ours[name],
            key=lambda emoji: (self._is_todays(name, emoji), emoji is holder, emoji.id),
        )
        return discord.PartialEmoji(name=best.name, id=best.id)

    def _holder(self, name: str) -> discord.Emoji | None:
        """Return the emoji that is called so; names are unique in an application."""
        return next((emoji for emoji in self._ours[name] if emoji.name == name), None)

    def _is_todays(self, name: str, emoji: discord.Emoji) -> bool:
        """Return whether an emoji shows the present picture."""
        return self._shown[emoji.id] == versions()[name]

    # --- requests to Discord -------------------------------------------------------------------

    async def _update(self, name: str) -> None:
        """Let today's picture have its name."""
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
    """Return whether Discord has refused one picture, so that others may still be taken."""
    return isinstance(problem, discord.HTTPException) and problem.status in (400, 403, 404)


def _parse(called: str) -> tuple[str | None, str | None]:
    """Return the picture that an emoji with this name shows, and its version if in the name."""
    if called in versions():
        return called, None
    match = _VERSIONED.fullmatch(called)
    if match is None:
        return None, None
    name = names.older_names().get(match["name"], match["name"])
    return (name, match["version"]) if name in versions() else (None, None)
