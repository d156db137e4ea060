"""Resumes a paused turn-based table that may have lost its thread.

A table whose thread is locked stays paused. A deleted thread is replaced in the same channel.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.table.state import Game, OpenTable
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import missing_for_thread
from cogs.delivery.table_threads import (
    fate_of_thread,
    has_own_thread,
    new_thread,
    remove_thread,
    show_in_channel,
)
from cogs.pages.table.blocked import permission_names

Interaction = discord.Interaction[Any]


def may_be_closed(table: OpenTable | None, user_id: UserId) -> TypeGuard[Game]:
    """Return whether this person can resume a table that may have lost its thread."""
    if table is None or not has_own_thread(table):
        return False
    return table.timers.paused and table.seat_of(user_id) is not None


async def is_gone(bot: TichuBot, table: Game) -> bool:
    """Return whether the thread of a paused table was deleted and must be replaced.

    Raises `Refused` if the thread is locked, and the request's errors.
    """
    fate = await fate_of_thread(bot, table)
    if fate == "locked":
        raise Refused(Reason.THREAD_LOCKED, channel=f"<#{table.channel_id}>")
    return fate == "gone"


async def move_table(announcer: Announcer, interaction: Interaction, table: Game) -> None:
    """Move the table to a new thread of its channel.

    Raises `Refused` if that is not possible, the requests' errors, and `StorageError`.
    """
    bot, parent_id = announcer.bot, table.parent_channel_id or 0
    channel = bot.get_channel(parent_id)
    if not isinstance(channel, discord.TextChannel):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    if missing := missing_for_thread(channel):
        say = announcer.private(interaction).say
        names = say.listed(permission_names(say)[name] for name in missing)
        raise Refused(Reason.PERMISSIONS, permissions=names, channel=channel.mention)
    name = announcer.public(table).say("Tichu with {name}", name=_host_name(table))
    thread = await new_thread(channel, name, turn_based=True)
    taken = False
    try:
        moved = await bot.tables.channels.move(table.id, table.channel_id, thread.id)
        taken = moved.channel_id == thread.id  # otherwise another click has moved it first
    finally:
        if taken:
            await show_in_channel(bot, thread)
        else:
            await remove_thread(thread)


def _host_name(table: Game) -> str:
    """Return the name of the host, or of the first person seated."""
    people = list(table.people())
    names = [chair.name for chair in people if chair.user_id == table.host_id]
    return (names or [chair.name for chair in people])[0]
