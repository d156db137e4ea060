"""Creation of threads for tables, and pauses of turn-based tables that have lost their thread.

A turn-based table pauses if its thread is locked or deleted. Its players are notified
(`cogs.delivery.lost_thread_notices`), and can continue (`cogs.clicks.table_actions`).
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

ThreadStatus = Literal["there"] | LostThread
"""Status of a thread on Discord."""
LONGEST_ARCHIVE_MINUTES: Final = 7 * 24 * 60
"""Longest time that Discord keeps a thread open without a new message, in minutes."""


def has_own_thread(table: OpenTable) -> TypeGuard[Game]:
    """Return whether this is a turn-based match in its own thread, which can be replaced."""
    in_thread = table.options.turn_based and table.parent_channel_id is not None
    return isinstance(table, Game) and table.running and in_thread


async def thread_status(bot: TichuBot, table: OpenTable) -> ThreadStatus:
    """Fetch the status of a table's thread from Discord. Raises the request's errors."""
    try:
        thread = await bot.http.get_channel(table.channel_id)
    except discord.NotFound:
        return "gone"
    fields: Any = dict(thread)
    return "locked" if fields.get("thread_metadata", {}).get("locked") else "there"


async def pause_if_lost(bot: TichuBot, table: OpenTable) -> None:
    """Pause a table if its thread turns out to be locked or deleted."""
    if not has_own_thread(table) or table.timers.lost_thread is not None:
        return
    try:
        status = await thread_status(bot, table)
        if status != "there":
            await pause(bot, table, status)
    except REQUEST_FAILURES as error:  # the next message there fails again and repeats this
        log.warning("table %s: thread lookup failed: %s", table.id, log_text(error))


async def pause(bot: TichuBot, table: Game, lost: LostThread) -> None:
    """Pause a table that has lost its thread; notify its people once. Raises `StorageError`."""
    if await bot.tables.channels.halt(table.id, table.channel_id, lost):
        log.info("table %s: paused, its thread is %s", table.id, lost)


async def new_thread(
    channel: discord.TextChannel, name: str, *, turn_based: bool
) -> discord.Thread:
    """Create a thread for a table.

    The thread of a turn-based table is archived as late as possible, to stay open between turns.
    """
    minutes = LONGEST_ARCHIVE_MINUTES if turn_based else channel.default_auto_archive_duration
    public = discord.ChannelType.public_thread
    return await channel.create_thread(name=name[:100], type=public, auto_archive_duration=minutes)


async def show_in_channel(bot: TichuBot, thread: discord.Thread) -> None:
    """Post a link to a table's thread in its channel, unless Discord does so itself."""
    if bot.discord_behaviour.announces_threads:
        return
    try:
        await bot.get_partial_messageable(thread.parent_id).send(thread.mention)
    except REQUEST_FAILURES as error:
        log.info("thread not linked in its channel: %s", log_text(error))


async def remove_thread(thread: discord.Thread) -> None:
    """Delete a thread without a table; archive it if the bot may not delete it."""
    try:
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)
    except REQUEST_FAILURES as error:
        log.warning("empty thread not deleted: %s", log_text(error))
