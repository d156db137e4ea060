"""Opening a lobby: from the command, as a rematch, or in a thread of its own."""

from __future__ import annotations

from typing import Any, Literal

import discord

from bot.errors import Reason, Refused
from bot.table.commands import AddComputer
from bot.table.lobby import free_again
from bot.table.options import TableOptions
from bot.table.rematch import new_partners
from bot.table.restore import outline
from bot.table.state import Chair, OpenTable
from cogs.delivery.announcer import NOBODY, Surface
from cogs.delivery.replies import in_time
from cogs.pages.lobby import lobby_page

Interaction = discord.Interaction[Any]


async def open_lobby(
    surface: Surface,
    interaction: Interaction,
    options: TableOptions,
    *,
    computers: int = 0,
    thread: bool = False,
    chairs: tuple[Chair, ...] | None = None,
) -> OpenTable:
    """Open a lobby where the interaction came from (or in a new thread there) and post it."""
    channel_id, guild_id = interaction.channel_id, interaction.guild_id
    if channel_id is None or guild_id is None:
        raise Refused(Reason.NO_TABLE_HERE)
    if thread and isinstance(interaction.channel, discord.Thread):
        raise Refused(Reason.THREAD_IN_THREAD)
    await surface.check_channel(interaction, channel_id, thread=thread)
    if thread:
        return await _in_thread(surface, interaction, options, computers)
    state = await in_time(
        interaction,
        _create(
            surface,
            interaction,
            channel_id,
            options,
            computers,
            chairs,
            parent=_parent(surface, interaction),
        ),
    )
    page = lobby_page(state, surface.public(state))
    if interaction.response.is_done() and interaction.type is discord.InteractionType.component:
        message = await interaction.followup.send(view=page, allowed_mentions=NOBODY, wait=True)
        message_id = message.id
    elif interaction.response.is_done():  # deferred privately, but the lobby is for everybody
        channel = surface.bot.get_partial_messageable(channel_id, guild_id=guild_id)
        message_id = (await channel.send(view=page, allowed_mentions=NOBODY)).id
        await _say_where(surface, interaction, channel_id)
    else:
        callback = await interaction.response.send_message(view=page, allowed_mentions=NOBODY)
        message_id = callback.message_id or (await interaction.original_response()).id
    await surface.bot.tables.remember(state.id, lobby=message_id)
    return state


def _parent(surface: Surface, interaction: Interaction) -> int | None:
    """The channel of the thread that one is in, if the bot has opened it for a table before."""
    channel, own = interaction.channel, surface.bot.user
    if isinstance(channel, discord.Thread) and own is not None and channel.owner_id == own.id:
        return channel.parent_id
    return None


async def _in_thread(
    surface: Surface, interaction: Interaction, options: TableOptions, computers: int
) -> OpenTable:
    say = surface.private(interaction).say
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise Refused(Reason.THREAD_IN_THREAD)
    surface.bot.tables.check_room(channel.guild.id)  # before there is an empty thread
    await interaction.response.defer(ephemeral=True, thinking=True)
    name = say("Tichu with {name}", name=interaction.user.display_name)
    thread = await channel.create_thread(name=name[:100], type=discord.ChannelType.public_thread)
    state = await _create(
        surface, interaction, thread.id, options, computers, None, parent=channel.id
    )
    page = lobby_page(state, surface.public(state))
    message = await thread.send(view=page, allowed_mentions=NOBODY)
    await surface.bot.tables.remember(state.id, lobby=message.id)
    await _say_where(surface, interaction, thread.id)
    return state


async def _say_where(surface: Surface, interaction: Interaction, channel_id: int) -> None:
    say = surface.private(interaction).say
    await interaction.followup.send(
        say("The table is open: {thread}", thread=f"<#{channel_id}>"), ephemeral=True
    )


async def _create(
    surface: Surface,
    interaction: Interaction,
    channel_id: int,
    options: TableOptions,
    computers: int,
    chairs: tuple[Chair, ...] | None,
    *,
    parent: int | None = None,
) -> OpenTable:
    tables = surface.bot.tables
    user = interaction.user
    assert interaction.guild_id is not None
    state = await tables.create(
        interaction.guild_id,
        channel_id,
        user.id,
        user.display_name,
        options,
        parent_channel_id=parent,
        chairs=chairs,
    )
    name = surface.public(state).say("Computer")
    table: OpenTable = state
    for _ in range(min(computers, options.lobby_chairs - 1)):
        table = await tables.execute(state.id, user.id, AddComputer(name))
    return table


async def open_rematch(
    surface: Surface,
    interaction: Interaction,
    table_id: int,
    seats: Literal["same", "new-partners", "empty"],
) -> None:
    """A new lobby with the options of a finished match, and with these seats."""
    record = await surface.bot.store.table(table_id)
    if record is None or record.channel_id != interaction.channel_id:
        raise Refused(Reason.TABLE_OVER)
    old = outline(record)
    if old.seat_of(interaction.user.id) is None:
        raise Refused(Reason.NOT_SEATED)
    if old.status in ("lobby", "playing"):
        raise Refused(Reason.ALREADY_STARTED)
    options, chairs = free_again(old)
    if seats == "new-partners":
        ratings = await surface.bot.store.ratings(old.guild_id, old.options.variant, old.user_ids())
        chairs = new_partners(old, ratings, surface.bot.chance)
    await open_lobby(surface, interaction, options, chairs=None if seats == "empty" else chairs)
