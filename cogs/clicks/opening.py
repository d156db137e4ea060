"""Opening a lobby: from the command, as a rematch, or in a thread of its own."""

from __future__ import annotations

from typing import Any, Literal

import discord

from bot.errors import Refused
from bot.table.lobby import free_again
from bot.table.rematch import new_partners
from bot.table.restore import restored
from bot.table.state import Chair, TableOptions, TableState
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
) -> TableState:
    """Open a lobby where the interaction came from (or in a new thread there) and post it."""
    channel_id, guild_id = interaction.channel_id, interaction.guild_id
    if channel_id is None or guild_id is None:
        raise Refused("no-table-here")
    if thread and isinstance(interaction.channel, discord.Thread):
        raise Refused("thread-in-thread")
    options.rules()
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
    await surface.bot.tables.remember(state.id, lobby_message_id=message_id)
    return state


def _parent(surface: Surface, interaction: Interaction) -> int | None:
    """The channel of the thread that one is in, if the bot has opened it for a table before."""
    channel, own = interaction.channel, surface.bot.user
    if isinstance(channel, discord.Thread) and own is not None and channel.owner_id == own.id:
        return channel.parent_id
    return None


async def _in_thread(
    surface: Surface, interaction: Interaction, options: TableOptions, computers: int
) -> TableState:
    say = surface.private(interaction).say
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise Refused("thread-in-thread")
    surface.bot.tables.check_room(channel.guild.id)  # before there is an empty thread
    await interaction.response.defer(ephemeral=True, thinking=True)
    name = say("Tichu with {name}", name=interaction.user.display_name)
    thread = await channel.create_thread(name=name[:100], type=discord.ChannelType.public_thread)
    state = await _create(
        surface, interaction, thread.id, options, computers, None, parent=channel.id
    )
    page = lobby_page(state, surface.public(state))
    message = await thread.send(view=page, allowed_mentions=NOBODY)
    await surface.bot.tables.remember(state.id, lobby_message_id=message.id)
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
) -> TableState:
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
    for _ in range(min(computers, options.chairs - 1)):
        state = await tables.add_computer(state.id, user.id, name)
    return state


async def open_rematch(
    surface: Surface,
    interaction: Interaction,
    table_id: int,
    seats: Literal["same", "new-partners", "empty"],
) -> None:
    """A new lobby with the options of a finished match, and with these seats."""
    record = await surface.bot.store.tables.get(table_id)
    if record is None or record.channel_id != interaction.channel_id:
        raise Refused("table-over")
    old = restored(record, ())
    if old.seat_of(interaction.user.id) is None:
        raise Refused("not-seated")
    if old.status in ("lobby", "playing"):
        raise Refused("already-started")
    options, chairs = free_again(old)
    if seats == "new-partners":
        chairs = await new_partners(surface.bot.store, old, surface.bot.chance)
    await open_lobby(surface, interaction, options, chairs=None if seats == "empty" else chairs)
