"""Thread of a turn-based table: the table pauses if it is locked or deleted.

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
"""State of a thread."""
ARCHIVED_LATE: Final = 7 * 24 * 60
"""Minutes without a message before a thread is archived: Discord's maximum."""


def has_own_thread(table: OpenTable) -> TypeGuard[Game]:
    """Return whether this match could go on in another thread."""
    own = table.options.turn_based and table.parent_channel_id is not None
    return isinstance(table, Game) and table.running and own


async def fate_of_thread(bot: TichuBot, table: OpenTable) -> Fate:
    """Ask Discord for the state of a table's thread. Raises the request's errors."""
    try:
        thread = await bot.http.get_channel(table.channel_id)
    except discord.NotFound:
        return "gone"
    about: Any = dict(thread)
    return "locked" if about.get("thread_metadata", {}).get("locked") else "there"


async def look_after(bot: TichuBot, table: OpenTable) -> None:
    """Pause a table if its thread turns out to be locked or deleted."""
    if not has_own_thread(table) or table.timers.lost_thread is not None:
        return
    try:
        fate = await fate_of_thread(bot, table)
        if fate != "there":
            await pause(bot, table, fate)
    except REQUEST_FAILURES as error:  # the next message there fails again and repeats this
        log.warning("table %s: thread lookup failed: %s", table.id, log_text(error))


async def pause(bot: TichuBot, table: Game, lost: LostThread) -> None:
    """Pause a table that has lost its thread; notify its people once. Raises `StorageError`."""
    if await bot.tables.channels.halt(table.id, table.channel_id, lost):
        log.info("table %s: paused, its thread is %s", table.id, lost)


async def new_thread(
    channel: discord.TextChannel, name: str, *, turn_based: bool
) -> discord.Thread:
    """Create a thread for a table; a turn-based one is archived late.

    Such a thread stays open during the match, because each turn posts a message.
    """
    minutes = ARCHIVED_LATE if turn_based else channel.default_auto_archive_duration
    public = discord.ChannelType.public_thread
    return await channel.create_thread(name=name[:100], type=public, auto_archive_duration=minutes)


async def show_in_channel(bot: TichuBot, thread: discord.Thread) -> None:
    """Post a link to a table's thread, unless Discord shows it itself."""
    if bot.discord_behaviour.announces_threads:
        return
    try:
        await bot.get_partial_messageable(thread.parent_id).send(thread.mention)
    except REQUEST_FAILURES as error:
        log.info("thread not linked in its channel: %s", log_text(error))


async def remove_thread(thread: discord.Thread) -> None:
    """Delete a thread without a table, or archive it if that is not allowed."""
    try:
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)
    except REQUEST_FAILURES as error:
        log.warning("empty thread not deleted: %s", log_text(error))
