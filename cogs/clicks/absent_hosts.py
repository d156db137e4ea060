"""Replaces hosts of lobbies who have left the server.

Discord reports that only to bots that may read all members, so it is checked when somebody else
needs the host.
"""

from __future__ import annotations

from typing import Final

import discord

from bot.ids import ChannelId, UserId
from bot.table.commands import ReplaceHost
from bot.table.state import Lobby, OpenTable
from cogs.clicks.context import Context

_UNKNOWN_MEMBER: Final = 10007
"""Discord's error code for a user who is not on the server."""


async def yield_channel(ctx: Context, channel_id: ChannelId) -> None:
    """Replace the host of the lobby in a channel, if that host has left the server.

    Without another person the lobby closes, and its channel is free.
    """
    table = ctx.bot.tables.in_channel(channel_id)
    if isinstance(table, Lobby) and table.host_id != ctx.user_id:
        await replace_host(ctx, table)


async def replace_host(ctx: Context, table: OpenTable) -> bool:
    """Replace a host who has left the server; return whether that was so."""
    if not await ctx.reply.read(_has_left_server(ctx, table.host_id)):
        return False
    replacing = ctx.bot.tables.execute(table.id, ctx.user_id, ReplaceHost(table.host_id))
    ctx.announcer.rewrite_lobby(await ctx.reply.read(replacing))
    return True


async def _has_left_server(ctx: Context, user_id: UserId) -> bool:
    """Return whether a user is no member of the server any more."""
    guild = ctx.interaction.guild
    if guild is None:
        return False
    try:
        await guild.fetch_member(user_id)
    except discord.NotFound as error:
        return error.code == _UNKNOWN_MEMBER
    return False
