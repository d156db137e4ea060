"""Opening a lobby: from the command, as a rematch, or in a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any

import discord

from bot.errors import Reason, Refused
from bot.ids import ChannelId, MessageId, TableId
from bot.table.forgetting import without_former_players
from bot.table.lobby import LobbyPlan, free_again, new_chairs
from bot.table.options import TableOptions
from bot.table.rematch import Seats, check_rematch, new_partners
from bot.table.restore import outline
from bot.table.server_options import house_of
from bot.table.state import Chair, Lobby
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import check_has_threads, check_may_open
from cogs.delivery.failed_requests import REQUEST_FAILURES
from cogs.delivery.message_languages import public_words
from cogs.delivery.opening_rules import check_opening_rules
from cogs.delivery.replies import Reply
from cogs.delivery.table_threads import new_thread, remove_thread, show_in_channel
from cogs.pages.controls import Page

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]


async def open_lobby(
    announcer: Announcer,
    interaction: Interaction,
    options: TableOptions,
    *,
    computers: int = 0,
    thread: bool = False,
    chairs: tuple[Chair, ...] | None = None,
    since: int | None = None,
) -> None:
    """Open a lobby where the interaction came from (or in a new thread there) and show it.

    By default whoever asks sits there, with `computers` computer players. The server decides where,
    by whom and how (`ServerSettings`). The place is reserved before a thread is made. Once the
    lobby is stored, its message comes: as the answer, or by itself in its channel. `since` says
    when the `chairs` were read (see `Tables.create`).
    """
    channel_id, guild_id = interaction.channel_id, interaction.guild_id
    if channel_id is None or guild_id is None:
        raise Refused(Reason.NO_TABLE_HERE)
    settings = announcer.bot.store.server_settings.get(guild_id)
    check_opening_rules(interaction, settings)
    options = options.in_house(house_of(settings))
    await _check_place(announcer, interaction, thread=thread)
    tables, user = announcer.bot.tables, interaction.user
    with tables.limits.reserve(guild_id, user.id, turn_based=options.turn_based) as reservation:
        opened, parent = None, _parent(announcer, interaction)
        if thread:
            opened, parent = await _new_thread(announcer, interaction, options), channel_id
            channel_id = opened.id
        plan = LobbyPlan(
            guild_id,
            channel_id,
            user.id,
            options,
            chairs or new_chairs(options, user.id, user.display_name),
            computers=computers,
            parent_channel_id=parent,
        )
        creating = tables.create(plan, reservation=reservation, since=since)
        shown = await _opened(announcer, interaction, creating, opened)
    if not shown:
        say = announcer.private(interaction).say
        await Reply(interaction).tell(say("Table opened: {thread}", thread=f"<#{channel_id}>"))


async def why_no_thread(announcer: Announcer, interaction: Interaction) -> Refused | None:
    """Why no thread for a table can be opened where somebody is; `None` if one can."""
    try:
        await _check_place(announcer, interaction, thread=True)
    except Refused as refused:
        return refused
    return None


async def tell_otherwise(
    announcer: Announcer, interaction: Interaction, why: Refused, *, live: bool
) -> None:
    """Tell that a table is not as the server usually has it: no thread can be opened, for `why`.

    It is in the channel itself, and `live` if it would have been turn-based.
    """
    say, words = announcer.private(interaction).say, list[str]()
    permissions = why.details.get("permissions")
    if why.code is Reason.MAY_NOT_OPEN:
        words.append(
            say(
                "Tables usually have their own thread here. You're missing {permissions} for that, "
                "so this one is in the channel.",
                permissions=permissions,
            )
        )
    elif why.code is Reason.PERMISSIONS:
        words.append(
            say(
                "Tables usually have their own thread here. I'm missing {permissions} for that, so "
                "this one is in the channel.",
                permissions=permissions,
            )
        )
    if live:
        words.append(say("This table is live: a turn-based one needs a thread of its own."))
    if words:
        await Reply(interaction).tell(" ".join(words))


async def _check_place(announcer: Announcer, interaction: Interaction, *, thread: bool) -> None:
    """`Refused` unless a table can be opened where somebody is, or in a new `thread` there."""
    if thread:
        check_has_threads(interaction)
    check_may_open(interaction, announcer.private(interaction).say, thread=thread)
    await announcer.check_channel(interaction, interaction.channel_id or 0, thread=thread)


async def _opened(
    announcer: Announcer,
    interaction: Interaction,
    creating: Coroutine[Any, Any, Lobby],
    thread: discord.Thread | None,
) -> bool:
    """Whether the lobby that is being created stands there as the answer.

    If it has a `thread` of its own, its message comes there; if it cannot be stored, that goes.
    """
    reply = Reply(interaction)
    try:
        state = await reply.changing(creating)
        return False if thread else await _shown_in_answer(announcer, reply, state)
    finally:  # whatever has happened to the answer
        if (stored := reply.stored_table) is not None:
            announcer.show_opened(stored)
            if thread is not None:
                await show_in_channel(announcer.bot, thread)
        elif thread is not None:
            await remove_thread(thread)


async def _shown_in_answer(announcer: Announcer, reply: Reply, state: Lobby) -> bool:
    """Whether the lobby stands there as the answer to the command or the click."""

    async def answer(page: Page, files: list[discord.File]) -> MessageId | None:
        try:
            return await reply.send_to_all(page, files)
        except REQUEST_FAILURES as error:
            log.warning("table %s: its lobby is no answer, but posted (%s)", state.id, error)
            return None

    return await announcer.lobby_in_answer(state, answer)


async def post_lobby_again(announcer: Announcer, interaction: Interaction, state: Lobby) -> None:
    """A new lobby message at the bottom of the channel, in place of the old one."""
    await announcer.post_lobby_again(state, Reply(interaction).send_to_all)


def _parent(announcer: Announcer, interaction: Interaction) -> ChannelId | None:
    """The channel of the thread that one is in, if the bot has opened it for a table before."""
    channel, own = interaction.channel, announcer.bot.user
    if isinstance(channel, discord.Thread) and own is not None and channel.owner_id == own.id:
        return channel.parent_id
    return None


async def _new_thread(
    announcer: Announcer, interaction: Interaction, options: TableOptions
) -> discord.Thread:
    """A new thread in the channel that one is in."""
    say = public_words(announcer.bot, interaction.guild_id or 0).say
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel), "it has threads"
    await Reply(interaction).defer()
    name = say("Tichu with {name}", name=interaction.user.display_name)
    return await new_thread(channel, name, turn_based=options.turn_based)


async def open_rematch(
    announcer: Announcer, interaction: Interaction, table_id: TableId, seats: Seats
) -> None:
    """A new lobby with the options of a finished match, and with these seats."""
    reply, store = Reply(interaction), announcer.bot.store
    since = announcer.bot.tables.forgetting.times
    record = await reply.reading(store.tables.get(table_id))
    if record is None:
        raise Refused(Reason.TABLE_OVER)
    old = outline(record)
    check_rematch(old, interaction.user.id, interaction.channel_id)
    old = without_former_players(old)
    options, chairs = free_again(old)
    if seats == "new-partners":
        ratings = await reply.reading(
            store.rankings.ratings(old.guild_id, old.options.variant, old.user_ids())
        )
        chairs = new_partners(old, ratings, announcer.bot.rng)
    if seats == "empty":
        await open_lobby(announcer, interaction, options)
    else:
        await open_lobby(announcer, interaction, options, chairs=chairs, since=since)
