"""A turn-based table and its thread: if that is locked or deleted, the table pauses.

Its players are notified (`cogs.delivery.lost_thread_notices`), and can continue
(`cogs.clicks.table_actions`).
"""

from __future__ import annotations

import logging
from typing import Any, Final, Literal, TypeGuard

import discord

from bot.client import TichuBot
from bot.table.details import LostThread
from bot.table.state import Game, OpenTable
from cogs.delivery.failed_requests import REQUEST_FAILURES, log_text

log = logging.getLogger(__name__)

Fate = Literal["there"] | LostThread
"""What has become of a thread."""
ARCHIVED_LATE: Final = 7 * 24 * 60
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
    """Pause a table whose thread is closed to its people, if it is and that is not known."""
    if not has_own_thread(table) or table.timers.lost_thread is not None:
        return
    try:
        fate = await fate_of_thread(bot, table)
        if fate != "there":
            await pause(bot, table, fate)
    except REQUEST_FAILURES as error:  # it is noticed again with the next message there
        log.warning("table %s: nothing is known of its thread (%s)", table.id, log_text(error))


async def pause(bot: TichuBot, table: Game, lost: LostThread) -> None:
    """Pause a table that has lost its thread; its people hear of it once. Raises `StorageError`."""
    if await bot.tables.channels.halt(table.id, table.channel_id, lost):
        log.info("table %s is paused: its thread is %s", table.id, lost)


async def new_thread(
    channel: discord.TextChannel, name: str, *, turn_based: bool
) -> discord.Thread:
    """A new thread for a table; that of a turn-based one is not archived as long as it is played.

    Discord counts new messages: there is one with each turn.
    """
    minutes = ARCHIVED_LATE if turn_based else channel.default_auto_archive_duration
    public = discord.ChannelType.public_thread
    return await channel.create_thread(name=name[:100], type=public, auto_archive_duration=minutes)


async def show_in_channel(bot: TichuBot, thread: discord.Thread) -> None:
    """Post a link to the thread of a table in its channel, unless Discord shows it by itself."""
    if bot.discord_behaviour.announces_threads:
        return
    try:
        await bot.get_partial_messageable(thread.parent_id).send(thread.mention)
    except REQUEST_FAILURES as error:
        log.info("a new thread is not shown in its channel: %s", log_text(error))


async def remove_thread(thread: discord.Thread) -> None:
    """Delete a thread in which there is no table; if that is not allowed, archive it."""
    try:
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)
    except REQUEST_FAILURES as error:
        log.warning("an empty thread stays where it is: %s", log_text(error))
