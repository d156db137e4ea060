"""Opens lobbies, by the command or as a rematch, in the channel or in a new thread."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any, NamedTuple

import discord

from bot.errors import Reason, Refused
from bot.ids import ChannelId, MessageId, UserId, optional
from bot.records import ServerSettings
from bot.table.forgetting import without_former_players
from bot.table.lobby import LobbyPlan, new_chairs, rematch_setup
from bot.table.options import TableOptions
from bot.table.rematch import Seats, check_rematch, new_partners
from bot.table.restore import restore_outline
from bot.table.server_options import changed_defaults, chosen_options, server_policy, usual_options
from bot.table.state import Chair, Lobby
from bot.text.people import channel_mention, isolated, role_mention, visible_name
from bot.text.sentences import sentence
from cogs.clicks.absent_hosts import yield_channel
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import POST
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.channel_permissions import check_has_threads, check_may_open
from cogs.delivery.failed_requests import REQUEST_FAILURES
from cogs.delivery.replies import Interaction
from cogs.delivery.table_threads import new_thread, remove_thread, show_in_channel
from cogs.pages.controls import Page, read_number
from cogs.pages.table.lobby import taken_page
from cogs.pages.verbs import Verb

log = logging.getLogger(__name__)

_MOST_ARGUMENT_CHARACTERS = 60
"""Largest length of a button's arguments."""
_MOST_CHANNELS = 3
"""Largest number of channels named to a user who cannot open a table in the current one."""


class NewTable(NamedTuple):
    """Arguments of ``/tichu new``, except for the rules; `None` means the server's default."""

    variant: str | None
    computers: int | None
    pace: int | None
    """0 for live, or the limit of a turn in seconds."""
    turn_limit_s: int | None
    two_decks: bool | None
    thread: bool | None


async def open_new(
    ctx: Context, new: NewTable, rules: dict[str, Any], settings: dict[str, Any]
) -> None:
    """Open a lobby; `None` in `rules` and `settings` means the server's default."""
    server = ctx.bot.store.server_settings.get(ctx.guild_id)
    usual, no_thread = usual_options(server), why_no_thread(ctx)
    rules["decks"] = _decks(usual, new)
    settings["turn_limit_s"] = _turn_limit_s(usual, new, threads=no_thread is None)
    options = chosen_options(usual, new.variant, rules, settings)
    wants_thread = new.thread
    if wants_thread is None:
        wants_thread = server.threads and no_thread is None
    await open_lobby(
        ctx,
        options,
        computers=server.computers if new.computers is None else new.computers,
        thread=options.turn_based or wants_thread,
    )
    live_instead = usual.turn_based and new.pace is None and new.turn_limit_s is None
    in_channel_instead = server.threads and new.thread is None
    if no_thread is not None and (live_instead or in_channel_instead):
        await explain_place(ctx, no_thread, live=live_instead)


def _decks(usual: TableOptions, new: NewTable) -> int | None:
    """Return the chosen number of decks, 0 for as many as the game needs; `None` for the default.

    Only games with a choice of decks accept the option, so 0 is left out where it is the default.
    """
    if new.two_decks is None:
        return None
    if new.two_decks:
        return 2
    return 0 if usual.rules.decks else None


def _turn_limit_s(usual: TableOptions, new: NewTable, *, threads: bool) -> int | None:
    """Return the chosen limit of a turn in seconds; `None` for the server's default.

    Without `threads` a turn-based default is replaced by the limit of live tables, because
    turn-based tables need a thread.
    """
    if new.pace:
        return new.pace
    if new.turn_limit_s is not None:
        return new.turn_limit_s
    is_live = new.pace == 0 or not threads
    return TableOptions().turn_limit_s if is_live and usual.turn_based else None


async def open_lobby(
    ctx: Context,
    options: TableOptions,
    *,
    computers: int = 0,
    thread: bool = False,
    chairs: tuple[Chair, ...] | None = None,
    since: int | None = None,
) -> None:
    """Open a lobby in the channel of the interaction, or in a new `thread` there, and show it.

    Unless `chairs` are given, only the user and `computers` computer players sit there. The
    server's settings decide where and by whom tables may be opened. A place within the limits is
    reserved before the thread is created. Once the lobby is stored, its message is sent as the
    answer, or posted in the new thread. `since` is the number of erasures when the `chairs` were
    read (see `Tables.create`).
    """
    interaction = ctx.interaction
    channel_id = optional(ChannelId, interaction.channel_id)
    guild_id = ctx.guild_id
    if channel_id is None or not guild_id:
        raise Refused(Reason.SERVERS_ONLY)
    settings = ctx.bot.store.server_settings.get(guild_id)
    check_opening_rules(interaction, settings)
    options = options.with_policy(server_policy(settings))
    check_place(ctx, thread=thread)
    if not thread:
        await yield_channel(ctx, channel_id)
    tables, user = ctx.bot.tables, interaction.user
    with tables.limits.reserve(
        guild_id, UserId(user.id), turn_based=options.turn_based
    ) as reservation:
        thread_opened, parent_id = None, _parent_channel_id(ctx)
        if thread:
            thread_opened, parent_id = await _new_thread(ctx, options), channel_id
            channel_id = ChannelId(thread_opened.id)
        plan = LobbyPlan(
            guild_id,
            channel_id,
            UserId(user.id),
            options,
            chairs or new_chairs(options, UserId(user.id), user.display_name),
            computers=computers,
            parent_channel_id=parent_id,
        )
        creating = tables.create(plan, reservation=reservation, since=since)
        try:
            is_answer = await _store_and_show(ctx, creating, thread_opened)
        except Refused as refused:
            args = _options_to_args(options, computers)
            fits = len(args) <= _MOST_ARGUMENT_CHARACTERS
            may_open_thread = chairs is None and fits and why_no_thread(ctx) is None
            if refused.code is not Reason.CHANNEL_TAKEN or not may_open_thread:
                raise
            # Offer to open it in a thread instead.
            await ctx.reply.show(taken_page(sentence(ctx.words.say, refused), args, ctx.words))
            return
    if not is_answer:
        say = ctx.words.say
        await ctx.reply.send_text(say("Table opened: {thread}", thread=channel_mention(channel_id)))


def _options_to_args(options: TableOptions, computers: int) -> str:
    """Return a table's changed options and number of computers as arguments of a button."""
    changed = changed_defaults(options).items()
    chosen = sorted(changed, key=lambda item: item[0] != "variant")  # the game comes first
    return ",".join((str(computers), *(f"{name}.{value}" for name, value in chosen)))


@control(Verb.IN_THREAD, who=Who.ANYBODY, where=Where.SERVER, cost=POST)
async def open_in_thread(ctx: ClickContext) -> None:
    """Open a table in a thread, after it was refused because the channel has one already."""
    computers, *chosen = ctx.click.args.split(",")
    options = TableOptions()
    for each in chosen:  # the game comes first
        name, _, value = each.partition(".")
        options = options.changed(name, value)
    await open_lobby(ctx, options, computers=read_number(computers), thread=True)


def why_no_thread(ctx: Context) -> Refused | None:
    """Return the refusal of a new thread for a table here; `None` if one can be opened."""
    try:
        check_place(ctx, thread=True)
    except Refused as refused:
        return refused
    return None


async def explain_place(ctx: Context, why: Refused, *, live: bool) -> None:
    """Explain why a new table is not in a thread, although tables of this server usually are.

    `why` is the refusal of a thread. With `live`, also explain that the table is live because
    turn-based tables, the default of this server, need a thread.
    """
    say, words = ctx.words.say, list[str]()
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
        await ctx.reply.send_text(" ".join(words))


def check_place(ctx: Context, *, thread: bool) -> None:
    """Raise `Refused` unless a table can be opened here, or in a new `thread` here."""
    if thread:
        check_has_threads(ctx.interaction)
    check_may_open(ctx.interaction, ctx.words.say, thread=thread)
    ctx.check_channel(ChannelId(ctx.interaction.channel_id or 0), thread=thread)


async def _store_and_show(
    ctx: Context,
    creating: Coroutine[Any, Any, Lobby],
    thread: discord.Thread | None,
) -> bool:
    """Store a lobby and show it; return whether its message was sent as the answer.

    If the lobby has its own `thread`, its message is posted there. If storing fails, the thread is
    removed.
    """
    reply = ctx.reply
    try:
        state = await reply.change(creating)
        return False if thread else await _answer_with_lobby(ctx, state)
    finally:  # even if the answer was lost
        if (stored := reply.stored_table) is not None:
            ctx.announcer.show_opened(stored)
            if thread is not None:
                await show_in_channel(ctx.bot, thread)
        elif thread is not None:
            await remove_thread(thread)


async def _answer_with_lobby(ctx: Context, state: Lobby) -> bool:
    """Send the lobby as the answer to the command or click; return whether that succeeded."""

    async def answer(page: Page, files: list[discord.File]) -> MessageId | None:
        try:
            return await ctx.reply.send_to_all(page, files)
        except REQUEST_FAILURES as error:
            log.warning("table %s: lobby not sent as the response, posting it: %s", state.id, error)
            return None

    return await ctx.announcer.answer_with_new_lobby(state, answer)


def _parent_channel_id(ctx: Context) -> ChannelId | None:
    """Return the channel of the current thread, if the bot has created it for an earlier table."""
    channel, own = ctx.interaction.channel, ctx.bot.user
    if isinstance(channel, discord.Thread) and own is not None and channel.owner_id == own.id:
        return ChannelId(channel.parent_id)
    return None


async def _new_thread(ctx: Context, options: TableOptions) -> discord.Thread:
    """Create a thread in the current channel, after deferring the answer."""
    say = ctx.public_words().say
    channel = ctx.interaction.channel
    assert isinstance(channel, discord.TextChannel), "it has threads"
    await ctx.reply.defer()
    host = visible_name(say, ctx.interaction.user.display_name, 0)
    name = say("Tichu with {name}", name=isolated(host))
    return await new_thread(channel, name, turn_based=options.turn_based)


# --- where tables may be opened, and by whom ------------------------------------------------------


def check_opening_rules(interaction: Interaction, settings: ServerSettings) -> None:
    """Raise `Refused` unless the user may open a table in this channel (or in a thread of it).

    Users who may manage the server need no role.
    """
    _check_allowed_channel(interaction, settings.channels)
    role_id = settings.opener_role_id
    if role_id is None or interaction.permissions.manage_guild:
        return
    guild, member = interaction.guild, interaction.user
    if guild is not None and guild.get_role(role_id) is None:
        raise Refused(Reason.OPENERS_GONE)
    if not isinstance(member, discord.Member) or member.get_role(role_id) is None:
        raise Refused(Reason.OPENERS_ONLY, role=role_mention(role_id))


def _check_allowed_channel(interaction: Interaction, allowed: tuple[ChannelId, ...]) -> None:
    """Raise `Refused` unless this is an `allowed` channel; if none are set, all are allowed.

    The refusal names some allowed channels that the user can see.
    """
    channel, guild, member = interaction.channel, interaction.guild, interaction.user
    here = {interaction.channel_id}
    if isinstance(channel, discord.Thread):
        here.add(channel.parent_id)
    if not allowed or here & set(allowed):
        return
    visible = list[str]()
    if guild is not None and isinstance(member, discord.Member):
        channels = (guild.get_channel(channel_id) for channel_id in allowed)
        visible = [
            channel_mention(each.id)
            for each in channels
            if each is not None and each.permissions_for(member).view_channel
        ]
    raise Refused(Reason.NO_TABLES_HERE, channels=visible[:_MOST_CHANNELS])


# --- rematches ------------------------------------------------------------------------------------


@control(Verb.REMATCH, who=Who.PLAYED, where=Where.TABLE_CHANNEL, cost=POST)
async def rematch(ctx: ClickContext) -> None:
    """Open a lobby with the options and seats of a finished match."""
    await _open_rematch(ctx, "same")


@control(Verb.NEW_PARTNERS, who=Who.PLAYED, where=Where.TABLE_CHANNEL, cost=POST)
async def new_partners_rematch(ctx: ClickContext) -> None:
    """Open a lobby with the options of a finished match, and other partners."""
    await _open_rematch(ctx, "new-partners")


@control(Verb.NEW_LOBBY, who=Who.PLAYED, where=Where.TABLE_CHANNEL, cost=POST)
async def empty_rematch(ctx: ClickContext) -> None:
    """Open a lobby with the options of a finished match, and free seats."""
    await _open_rematch(ctx, "empty")


async def _open_rematch(ctx: ClickContext, seats: Seats) -> None:
    """Open a lobby with the options of a finished match, if the user played it."""
    reply, store = ctx.reply, ctx.bot.store
    since = ctx.bot.tables.forgetting.erasure_count  # before the names are read
    record = await reply.read(store.tables.get(ctx.click.table_id))
    if record is None:
        raise Refused(Reason.TABLE_OVER)
    old = restore_outline(record)
    check_rematch(old, ctx.user_id, optional(ChannelId, ctx.interaction.channel_id))
    old = without_former_players(old)
    options, chairs = rematch_setup(old)
    if seats == "new-partners":
        ratings = await reply.read(
            store.rankings.ratings(old.guild_id, old.options.variant, old.user_ids())
        )
        chairs = new_partners(old, ratings, ctx.bot.rng)
    if seats == "empty":
        await open_lobby(ctx, options)
    else:
        await open_lobby(ctx, options, chairs=chairs, since=since)
