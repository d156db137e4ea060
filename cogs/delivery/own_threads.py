"""A turn-based table and its thread: if that is locked or deleted, the table pauses.

Its people are told once, in the channel to which the thread belongs or by a direct message, as each
is called to their turn. From there they go on (`cogs.delivery.reopening`).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, Literal, TypeGuard, TypeVar

import discord

from bot.client import TichuBot
from bot.ids import UserId
from bot.storage import StorageError
from bot.table.posts import new_nonce
from bot.table.state import Game, OpenTable
from cogs.delivery.direct_messages import is_quiet, sent_directly
from cogs.delivery.speakers import public_words, words_of_stranger
from cogs.delivery.trouble import TROUBLE, is_temporary, log_text, pause_s
from cogs.pages.nudge import lost_thread_page

log = logging.getLogger(__name__)

T = TypeVar("T")
Fate = Literal["there", "locked", "gone"]
"""What has become of a thread."""
_TRIES = 5
_ARCHIVED_LATE: Final = 7 * 24 * 60
"""Minutes without a message after which a thread is archived: the most that Discord knows."""


def has_own_thread(table: OpenTable) -> TypeGuard[Game]:
    """Whether it is a match that goes on in another thread if it loses the one that it has."""
    own = table.options.turn_based and table.parent_channel_id is not None
    return isinstance(table, Game) and table.running and own


async def fate_of_thread(bot: TichuBot, table: OpenTable) -> Fate:
    """What has become of the thread of a table, as Discord says; raises what requests raise."""
    try:
        thread = await bot.http.get_channel(table.channel_id)
    except discord.NotFound:
        return "gone"
    about: Any = dict(thread)
    return "locked" if about.get("thread_metadata", {}).get("locked") else "there"


async def look_after(bot: TichuBot, table: OpenTable) -> None:
    """Pause a table whose thread is closed to its people, if it is."""
    if not has_own_thread(table) or table.timers.paused:
        return
    try:
        fate = await fate_of_thread(bot, table)
        if fate != "there":
            await pause(bot, table, fate)
    except TROUBLE as error:  # it is noticed again with the next message there
        log.warning("table %s: nothing is known of its thread (%s)", table.id, log_text(error))


async def pause(bot: TichuBot, table: Game, fate: Fate, *, event: bool = False) -> None:
    """Pause a table that has lost its thread, and tell its people.

    They are told when it pauses for that; if it was paused before, when Discord tells of it with an
    `event`. If the channel is gone, too, it is closed. Raises `StorageError`.
    """
    paused = table.timers.paused
    if not await bot.tables.halt(table.id) and not (paused and event):
        return
    log.info("table %s is paused: its thread is %s", table.id, fate)
    mentioned: list[UserId] = []
    written: list[UserId] = []
    for user_id in table.user_ids():
        chosen = await bot.store.settings.personal(user_id)
        if chosen.call != "none" and not is_quiet(bot, chosen):
            (mentioned if chosen.call == "mention" else written).append(user_id)
    nonce = new_nonce()  # one for all tries: nobody reads it twice
    for user_id in written:
        await _persisting(bot, partial(_write_to, bot, table, user_id, fate, nonce))
    await _persisting(bot, partial(_post, bot, table, mentioned, fate, nonce))


async def _write_to(bot: TichuBot, table: Game, user_id: UserId, fate: Fate, nonce: str) -> None:
    words = words_of_stranger(bot, user_id, table.guild_id)
    page = lost_thread_page(table, (), words, locked=fate == "locked")
    await sent_directly(bot, user_id, page, nonce)


async def _post(
    bot: TichuBot, table: Game, mentioned: list[UserId], fate: Fate, nonce: str
) -> None:
    """Tell it in the channel; who is not mentioned there is named all the same."""
    assert table.parent_channel_id is not None, "it has a thread of its own"
    words = public_words(bot, table.guild_id)
    page = lost_thread_page(table, mentioned, words, locked=fate == "locked")
    channel = bot.get_partial_messageable(table.parent_channel_id, guild_id=table.guild_id)
    notified = discord.AllowedMentions(users=[discord.Object(user) for user in mentioned])
    try:
        await channel.send(view=page, allowed_mentions=notified, nonce=nonce)
    except discord.NotFound:
        await bot.tables.close_table(table.id)


async def new_thread(
    channel: discord.TextChannel, name: str, *, turn_based: bool
) -> discord.Thread:
    """A new thread for a table; that of a turn-based one is not archived as long as it is played.

    Discord counts new messages: there is one with each turn.
    """
    minutes = _ARCHIVED_LATE if turn_based else channel.default_auto_archive_duration
    public = discord.ChannelType.public_thread
    return await channel.create_thread(name=name[:100], type=public, auto_archive_duration=minutes)


async def remove_thread(thread: discord.Thread) -> None:
    """Delete a thread in which there is no table; if that is not allowed, archive it."""
    try:
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)
    except TROUBLE as error:
        log.warning("an empty thread stays where it is: %s", log_text(error))


async def _persisting(bot: TichuBot, request: Callable[[], Awaitable[T]]) -> None:
    """Make a request, a few times if Discord is in trouble; what it refuses is not made."""
    for failures in range(1, _TRIES + 1):
        try:
            await request()
        except TROUBLE as error:
            log.warning("that a thread is closed was not told (%s)", log_text(error))
            if not is_temporary(error) or isinstance(error, StorageError):
                return
            await bot.clock.sleep(pause_s(failures, error))
        else:
            return
