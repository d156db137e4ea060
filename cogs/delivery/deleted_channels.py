"""Closes tables whose channel was deleted or whose server removed the bot.

Usually Discord sends an event. If the connection was interrupted or the bot was not running, the
bot notices when it writes there or is ready again. It then fetches the channel from Discord, so
that no table is closed because of one wrong response.
"""

from __future__ import annotations

import logging

import discord

from bot.client import TichuBot
from bot.storage import StorageError
from bot.table.state import OpenTable
from cogs.delivery import table_threads
from cogs.delivery.failed_requests import REQUEST_FAILURES, log_text

log = logging.getLogger(__name__)


async def close(bot: TichuBot, table: OpenTable) -> None:
    """Close a table whose channel is gone, without a message.

    A failure of the database is logged; the table is closed when the next message to it fails.
    """
    try:
        await bot.tables.channels.close_table(table.id)
    except StorageError as error:
        log.log(error.level, "table %s: not closed: %s", table.id, error)
    else:
        log.info("table %s: closed, its channel was deleted", table.id)


async def close_if_gone(bot: TichuBot, table: OpenTable) -> None:
    """Close an open table if Discord confirms that its channel is gone."""
    if table.open and await _is_gone(bot, table):
        await close_or_pause(bot, table)


async def close_or_pause(bot: TichuBot, table: OpenTable) -> None:
    """Close a table whose thread or channel is gone, or pause it if it can get a new thread.

    That is possible for a turn-based match, unless the bot is no longer in the server.
    """
    if not table_threads.has_own_thread(table) or bot.get_guild(table.guild_id) is None:
        await close(bot, table)
        return
    try:
        await table_threads.pause(bot, table, "gone")
    except StorageError as error:
        log.log(error.level, "table %s: not paused: %s", table.id, error)


async def close_all_gone(bot: TichuBot) -> None:
    """Close each table whose channel is not in the cache, if Discord confirms that it is gone."""
    for table in list(bot.tables.all()):
        guild = bot.get_guild(table.guild_id)
        if guild is not None and guild.unavailable:
            continue
        if guild is None or guild.get_channel_or_thread(table.channel_id) is None:
            await close_if_gone(bot, table)


async def _is_gone(bot: TichuBot, table: OpenTable) -> bool:
    """Return whether the channel is gone or the bot left its server."""
    try:
        await bot.http.get_channel(table.channel_id)
    except discord.NotFound:
        return True
    except discord.Forbidden:
        return bot.get_guild(table.guild_id) is None
    except REQUEST_FAILURES as error:
        log.warning("table %s: channel lookup failed: %s", table.id, log_text(error))
    return False
