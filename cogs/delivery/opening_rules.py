"""A server's rules for opening tables: channels and roles."""

from __future__ import annotations

from typing import Any

import discord

from bot.errors import Reason, Refused
from bot.ids import ChannelId
from bot.records import ServerSettings

_NAMED = 3
"""Largest number of channels named in the refusal of a table."""


def check_opening_rules(interaction: discord.Interaction[Any], settings: ServerSettings) -> None:
    """Raise `Refused` unless the user may open a table in this channel.

    A thread counts as its channel. Users who may manage the server need no role.
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
    """Raise `Refused` outside of the allowed channels, naming the visible ones."""
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
