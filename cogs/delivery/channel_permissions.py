"""Permissions of the bot and of users in a table's channel.

Also decides who may look at a table that is over.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.history.matches import load_venue
from bot.ids import ChannelId, UserId
from bot.records import TableRecord
from bot.storage.ended_matches import Sight
from bot.table.state import TableState
from bot.text import Say
from cogs.delivery.failed_requests import thread_is_closed
from cogs.pages.table.blocked import Blocked, permission_names


def needed(*, in_thread: bool, new_thread: bool) -> list[str]:
    """Return the permissions that a table needs, by Discord's names.

    They are Discord's names.
    """
    names = ["view_channel"]
    names.append("send_messages_in_threads" if in_thread or new_thread else "send_messages")
    if new_thread:
        names.append("create_public_threads")
    return names


def missing_permissions(
    bot: TichuBot, interaction: discord.Interaction[Any], channel_id: ChannelId, *, thread: bool
) -> list[str]:
    """Return the needed permissions that the bot lacks here, in order.

    In a forum, tables are in its posts, which are threads.
    """
    guild = interaction.guild
    channel = guild.get_channel_or_thread(channel_id) if guild is not None else None
    if channel is not None and guild is not None:
        allowed = _own(channel)
    elif interaction.channel_id == channel_id:
        allowed = interaction.app_permissions
    else:
        return []
    threads = discord.Thread | discord.ForumChannel
    in_thread = isinstance(channel or interaction.channel, threads)
    return [
        name
        for name in needed(in_thread=in_thread, new_thread=thread)
        if not getattr(allowed, name)
    ]


def missing_for_thread(channel: discord.TextChannel) -> list[str]:
    """Return the permissions that the bot lacks to open a thread here."""
    allowed = _own(channel)
    names = needed(in_thread=False, new_thread=True)
    return [name for name in names if not getattr(allowed, name)]


def blocked_by(bot: TichuBot, state: TableState, error: Exception) -> Blocked:
    """Return why the bot cannot write at a table, after this error."""
    guild = bot.get_guild(state.guild_id)
    channel = guild.get_channel_or_thread(state.channel_id) if guild is not None else None
    if thread_is_closed(error):
        return Blocked(state.channel_id, closed=True)
    if guild is None or channel is None:
        return Blocked(state.channel_id)
    allowed = _own(channel)
    names = needed(in_thread=isinstance(channel, discord.Thread), new_thread=False)
    missing = (name for name in names if not getattr(allowed, name))
    return Blocked(state.channel_id, tuple(missing))


def may_write(bot: TichuBot, state: TableState) -> bool:
    """Return whether the bot may write in the channel of this table.

    True if the channel is not in the cache.
    """
    guild = bot.get_guild(state.guild_id)
    channel = guild.get_channel_or_thread(state.channel_id) if guild is not None else None
    if channel is None:
        return True
    allowed = _own(channel)
    names = needed(in_thread=isinstance(channel, discord.Thread), new_thread=False)
    return all(getattr(allowed, name) for name in names)


def may_mention(role: discord.Role, allowed: discord.Permissions) -> bool:
    """Return whether the bot may mention a role, given the permissions it has (`allowed`)."""
    return not role.is_default() and (role.mentionable or allowed.mention_everyone)


def check_may_open(interaction: discord.Interaction[Any], say: Say, *, thread: bool) -> None:
    """Raise `Refused` unless the user may write where their table would be played.

    With `thread` they must be allowed to create a thread in this channel. Their permissions come
    with the interaction.
    """
    in_thread = isinstance(interaction.channel, discord.Thread)
    missing = [
        name
        for name in needed(in_thread=in_thread, new_thread=thread)
        if not getattr(interaction.permissions, name)
    ]
    if missing:
        names = say.join(permission_names(say)[name] for name in missing)
        raise Refused(Reason.MAY_NOT_OPEN, permissions=names)


def check_has_threads(interaction: discord.Interaction[Any]) -> None:
    """Raise `Refused` unless threads for tables can be opened in this channel."""
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise Refused(Reason.NO_THREADS_HERE)


def check_may_write(interaction: discord.Interaction[Any]) -> None:
    """Raise `Refused` unless the user may write in the channel of the interaction."""
    allowed = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    if not (allowed.send_messages_in_threads if in_thread else allowed.send_messages):
        raise Refused(Reason.NO_POSTING_HERE)


def may_show_pictures(bot: TichuBot, state: TableState) -> bool:
    """Return whether pictures are shown at this table; nothing else decides this.

    Everything is also shown in words, so pictures are left out if the server does not want them or
    the bot may not attach files.
    """
    if not state.options.policy.pictures:
        return False
    guild = bot.get_guild(state.guild_id)
    channel = guild.get_channel_or_thread(state.channel_id) if guild is not None else None
    if channel is None and guild is not None and state.parent_channel_id is not None:
        channel = guild.get_channel(state.parent_channel_id)  # the parent of an archived thread
    return channel is not None and _own(channel).attach_files


def _own(channel: discord.abc.GuildChannel | discord.Thread) -> discord.Permissions:
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

    For the channel of the interaction, Discord sends the permissions along.

    The members of a private thread are not known here, so from outside only its moderators can
    look. An archived thread is not in the cache. Because the bot opens only public ones, everybody
    who sees the parent channel sees it. If the channel is gone, only those who sat at the table can
    look.
    """
    if interaction.channel_id == venue.channel_id:
        return interaction.permissions.view_channel
    guild, asker = interaction.guild, interaction.user
    if guild is None or not isinstance(asker, discord.Member):
        return False
    channel = guild.get_channel_or_thread(venue.channel_id)
    if channel is None and venue.parent_channel_id is not None:
        channel = guild.get_channel(venue.parent_channel_id)
    if channel is None:
        return venue.sat
    return _sees(asker, channel)


def sight_of(interaction: discord.Interaction[Any]) -> Sight:
    """Return the venues of the server that `may_look` allows the user."""
    here = ChannelId(interaction.channel_id or 0)
    guild, asker = interaction.guild, interaction.user
    if guild is None or not isinstance(asker, discord.Member):
        return Sight(UserId(0), frozenset({here}), frozenset({here}))
    places = (*guild.channels, *guild.threads)
    seen = {ChannelId(place.id) for place in places if _sees(asker, place)}
    return Sight(
        UserId(asker.id),
        frozenset({here, *seen}),
        frozenset(ChannelId(place.id) for place in places),
    )


def _sees(asker: discord.Member, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Return whether a member sees a channel or thread.

    A private thread is visible only to its moderators.
    """
    if not isinstance(channel, discord.Thread):
        return channel.permissions_for(asker).view_channel
    if channel.parent is None:
        return False
    allowed = channel.permissions_for(asker)
    return allowed.view_channel and (allowed.manage_threads or not channel.is_private())
