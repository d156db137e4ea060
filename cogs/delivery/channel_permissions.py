"""Permissions of the bot and of users in a table's channel.

They also decide who may look at a past match.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.history.matches import load_venue
from bot.ids import ChannelId, GuildId, UserId
from bot.records import TableRecord
from bot.storage.ended_matches import Sight
from bot.table.solo_game import SoloGame
from bot.table.state import TableState
from bot.text import Say
from cogs.delivery.failed_requests import thread_is_closed
from cogs.pages.table.blocked import Blocked, permission_names


def needed_permissions(*, in_thread: bool, new_thread: bool) -> list[str]:
    """Return Discord's names of the permissions needed to write at a table.

    The table is in a thread (`in_thread`), in a thread that is still to be created (`new_thread`),
    or in a channel.
    """
    names = ["view_channel"]
    names.append("send_messages_in_threads" if in_thread or new_thread else "send_messages")
    if new_thread:
        names.append("create_public_threads")
    return names


def missing_permissions(
    bot: TichuBot, interaction: discord.Interaction[Any], channel_id: ChannelId, *, thread: bool
) -> list[str]:
    """Return the permissions that the bot lacks for a table in this channel of the server.

    With `thread` the table gets a new thread there. In a forum, tables are in its posts, which are
    threads. If the channel is not in the cache, the permissions are known only from an interaction
    there; without one, none count as missing.
    """
    guild = interaction.guild
    channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
    if channel is not None:
        allowed = _bot_permissions(channel)
    elif interaction.channel_id == channel_id:
        allowed = interaction.app_permissions
    else:
        return []
    in_thread = isinstance(channel or interaction.channel, discord.Thread | discord.ForumChannel)
    return _lacking(allowed, in_thread=in_thread, new_thread=thread)


def _lacking(allowed: discord.Permissions, *, in_thread: bool, new_thread: bool) -> list[str]:
    """Return the needed permissions that are not among those `allowed`."""
    names = needed_permissions(in_thread=in_thread, new_thread=new_thread)
    return [name for name in names if not getattr(allowed, name)]


def missing_for_thread(channel: discord.TextChannel) -> list[str]:
    """Return the permissions that the bot lacks to open a thread here."""
    return _lacking(_bot_permissions(channel), in_thread=False, new_thread=True)


def blocked_by(bot: TichuBot, state: TableState, error: Exception) -> Blocked:
    """Return the reason why the bot cannot write at a table, after this error."""
    if thread_is_closed(error):
        return Blocked(state.channel_id, closed=True)
    return Blocked(state.channel_id, tuple(_lacking_at(bot, state)))


def may_write(bot: TichuBot, state: TableState) -> bool:
    """Return whether the bot may write in the channel of this table, as far as it knows."""
    return not _lacking_at(bot, state)


def _lacking_at(bot: TichuBot, state: TableState) -> list[str]:
    """Return the permissions that the bot lacks at this table; none if the channel is unknown."""
    channel = _channel_of(bot, state)
    if channel is None:
        return []
    in_thread = isinstance(channel, discord.Thread)
    return _lacking(_bot_permissions(channel), in_thread=in_thread, new_thread=False)


def _channel_of(
    bot: TichuBot, state: TableState
) -> discord.abc.GuildChannel | discord.Thread | None:
    """Return the channel or thread of a table, if it is in the cache."""
    guild = bot.get_guild(state.guild_id)
    return guild.get_channel_or_thread(state.channel_id) if guild is not None else None


def may_mention(role: discord.Role, allowed: discord.Permissions) -> bool:
    """Return whether the bot may mention a role, given the permissions it has (`allowed`)."""
    return not role.is_default() and (role.mentionable or allowed.mention_everyone)


def check_may_open(interaction: discord.Interaction[Any], say: Say, *, thread: bool) -> None:
    """Raise `Refused` unless the user may write where their table would be played.

    With `thread` they must be allowed to create a thread in this channel. Their permissions come
    with the interaction.
    """
    in_thread = isinstance(interaction.channel, discord.Thread)
    missing = _lacking(interaction.permissions, in_thread=in_thread, new_thread=thread)
    if missing:
        names = say.join(permission_names(say)[name] for name in missing)
        raise Refused(Reason.MAY_NOT_OPEN, permissions=names)


def check_has_threads(interaction: discord.Interaction[Any]) -> None:
    """Raise `Refused` unless threads for tables can be opened in this channel."""
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise Refused(Reason.NO_THREADS_HERE)


def may_write_here(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the user may write in the channel of the interaction, which is on a server."""
    allowed = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return allowed.send_messages_in_threads if in_thread else allowed.send_messages


def check_may_write(interaction: discord.Interaction[Any]) -> None:
    """Raise `Refused` unless the user may write in the channel of the interaction."""
    if not may_write_here(interaction):
        raise Refused(Reason.NO_POSTING_HERE)


def may_show_pictures(bot: TichuBot, state: TableState) -> bool:
    """Return whether the server wants pictures and the bot may attach files at this table.

    The private answers of a solo game, which has no channel, need no permission.
    """
    if isinstance(state, SoloGame):
        return bot.store.server_settings.get(state.guild_id).pictures
    if not state.options.policy.pictures:
        return False
    guild, channel = bot.get_guild(state.guild_id), _channel_of(bot, state)
    if channel is None and guild is not None and state.parent_channel_id is not None:
        channel = guild.get_channel(state.parent_channel_id)  # the thread is archived
    return channel is not None and _bot_permissions(channel).attach_files


def may_attach(bot: TichuBot, guild_id: GuildId, channel_id: ChannelId) -> bool:
    """Return whether the server wants pictures and the bot may attach files in this channel."""
    guild = bot.get_guild(guild_id)
    channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
    may_attach = channel is not None and _bot_permissions(channel).attach_files
    return may_attach and bot.store.server_settings.get(guild_id).pictures


def _bot_permissions(channel: discord.abc.GuildChannel | discord.Thread) -> discord.Permissions:
    """Return the bot's permissions: none in a thread whose channel is gone."""
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return discord.Permissions.none()
    return channel.permissions_for(channel.guild.me)


async def check_may_look(
    bot: TichuBot, interaction: discord.Interaction[Any], record: TableRecord
) -> None:
    """Raise `Refused`, as for an unknown table, unless the user may look at it."""
    if not may_look(interaction, await load_venue(bot.store, record, UserId(interaction.user.id))):
        raise Refused(Reason.NO_SUCH_TABLE, number=record.id)


def may_look(interaction: discord.Interaction[Any], venue: Venue) -> bool:
    """Return whether the user can see this channel of their server.

    For the channel of the interaction, Discord sends the user's permissions along. An archived
    thread is not in the cache, but the bot creates only public ones, so everybody who sees the
    parent channel sees it. If the channel is gone, only those who sat at the table may look.
    """
    if interaction.channel_id == venue.channel_id:
        return interaction.permissions.view_channel
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    channel = guild.get_channel_or_thread(venue.channel_id)
    if channel is None and venue.parent_channel_id is not None:
        channel = guild.get_channel(venue.parent_channel_id)
    if channel is None:
        return venue.sat
    return _sees(member, channel)


def sight_of(interaction: discord.Interaction[Any]) -> Sight:
    """Return which channels of the server the user can see, by the rules of `may_look`."""
    here = ChannelId(interaction.channel_id or 0)
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return Sight(UserId(0), frozenset({here}), frozenset({here}))
    channels = (*guild.channels, *guild.threads)
    visible = {ChannelId(channel.id) for channel in channels if _sees(member, channel)}
    return Sight(
        UserId(member.id),
        frozenset({here, *visible}),
        frozenset(ChannelId(channel.id) for channel in channels),
    )


def _sees(member: discord.Member, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Return whether a member sees a channel or thread.

    Private threads count as visible only to moderators, because their members are not known here.
    """
    if not isinstance(channel, discord.Thread):
        return channel.permissions_for(member).view_channel
    if channel.parent is None:
        return False
    allowed = channel.permissions_for(member)
    return allowed.view_channel and (allowed.manage_threads or not channel.is_private())
