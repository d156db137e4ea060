"""Where tables may be opened on a server, and who may open one, as its managers have chosen."""

from __future__ import annotations

from typing import Any

import discord

from bot.errors import Reason, Refused
from bot.ids import ChannelId
from bot.records import ServerSettings

_NAMED = 3
"""The largest number of channels named to somebody who cannot open a table where they are."""


def check_opening_rules(interaction: discord.Interaction[Any], settings: ServerSettings) -> None:
    """`Refused` unless whoever asks may open a table where they are (or in a thread there).

    A thread is where its channel is. Whoever may manage the server needs no role.
    """
    _check_channel(interaction, settings.channels)
    role_id = settings.opener_role_id
    if role_id is None or interaction.permissions.manage_guild:
        return
    guild, asker = interaction.guild, interaction.user
    if guild is not None and guild.get_role(role_id) is None:
        raise Refused(Reason.OPENERS_GONE)
    if not isinstance(asker, discord.Member) or asker.get_role(role_id) is None:
        raise Refused(Reason.OPENERS_ONLY, role=f"<@&{role_id}>")


def _check_channel(interaction: discord.Interaction[Any], allowed: tuple[ChannelId, ...]) -> None:
    """`Refused` unless this is one of the allowed channels; those that one can see are named."""
    channel, guild, asker = interaction.channel, interaction.guild, interaction.user
    here = {interaction.channel_id}
    if isinstance(channel, discord.Thread):
        here.add(channel.parent_id)
    if not allowed or here & set(allowed):
        return
    seen = list[str]()
    if guild is not None and isinstance(asker, discord.Member):
        found = (guild.get_channel(channel_id) for channel_id in allowed)
        seen = [
            each.mention
            for each in found
            if each is not None and each.permissions_for(asker).view_channel
        ]
    raise Refused(Reason.NO_TABLES_HERE, channels=seen[:_NAMED])
