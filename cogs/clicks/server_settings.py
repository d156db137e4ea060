"""Controls of a server's settings, for its managers.

Changes are logged for the operator; nobody else is notified.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, get_args

import discord
from pydantic import ValidationError

from bot.errors import Reason, Refused
from bot.ids import ChannelId, GuildId, RoleId
from bot.records import ServerSettings
from bot.runtime.settings import languages
from bot.table.server_options import changed_defaults, usual_options
from bot.text.people import channel_mention, role_mention
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.channel_permissions import may_mention, missing_permissions
from cogs.delivery.message_languages import server_language
from cogs.delivery.replies import Interaction
from cogs.pages.controls import MOST_CHOSEN, Page, read_number
from cogs.pages.settings.sections import ServerSection
from cogs.pages.settings.server import (
    BOT_DEFAULT,
    RankingChannel,
    ServerView,
    channel_pages,
    channels_digest,
    channels_on_page,
    look_page,
    people_page,
    tables_page,
)
from cogs.pages.settings.server_defaults import defaults_form, defaults_page
from cogs.pages.table.blocked import permission_names
from cogs.pages.table.lobby_options import read_choices
from cogs.pages.verbs import Verb
from engine import IllegalAction

log = logging.getLogger(__name__)

_SECTIONS: Mapping[str, ServerSection] = {
    "channels": "tables",
    "hints": "tables",
    "tables_each": "people",
    "turn_based_each": "people",
    "invitation_cooldown_s": "people",
    "nudge_s": "people",
    "pictures": "look",
    "cards": "look",
    "language": "look",
    "computers": "defaults",
    "threads": "defaults",
    "defaults": "defaults",
}
"""The page of each setting that has a single value."""
_ROLES = {"opener": "opener_role_id", "invitation": "invitation_role_id"}
"""Settings that are roles, by the argument of their select."""
_MOST_WARNINGS = 3
"""Largest number of channels with a warning on a page."""

_Change = Callable[[ServerSettings], Mapping[str, Any]]
"""Function that returns the new values of some settings, given the current ones."""


# --- showing -------------------------------------------------------------------------------


@control(Verb.SERVER, who=Who.MANAGER, where=Where.SERVER)
async def server_page(ctx: ClickContext) -> None:
    """Show a page of the server's settings: a section, and a page number for allowed channels."""
    name, _, page = ctx.click.args.partition(".")
    section = next((each for each in get_args(ServerSection) if each == name), None)
    if section is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await _show(ctx, section, page=read_number(page) if page else 0)


async def _show(ctx: Context, section: ServerSection, note: str = "", page: int = 0) -> None:
    speaker = ctx.words
    view = await _server_view(ctx, section, page)
    new_page: Page
    match section:
        case "tables":
            new_page = tables_page(view, speaker, note, page)
        case "defaults":
            new_page = defaults_page(view, speaker, note)
        case "people":
            new_page = people_page(view, speaker, note)
        case "look":
            new_page = look_page(view, speaker, note)
    await ctx.reply.show(new_page)


async def _server_view(ctx: Context, section: ServerSection, page: int) -> ServerView:
    """Return the settings of the server, with warnings about channels and roles of this page."""
    guild = ctx.interaction.guild
    settings = ctx.bot.store.server_settings.get(ctx.guild_id)
    ranking = await _ranking_channel(ctx) if section == "look" else RankingChannel()
    deleted_ids, warnings = set[int](), list[str]()
    if guild is not None:
        deleted_ids |= {id_ for id_ in settings.channels if guild.get_channel(id_) is None}
        roles = (settings.opener_role_id, settings.invitation_role_id)
        deleted_ids |= {id_ for id_ in roles if id_ is not None and guild.get_role(id_) is None}
    if section == "tables":
        page = min(page, channel_pages(settings.channels) - 1)
        listed = channels_on_page(settings.channels, page)
        warnings = _channel_warnings(ctx, [id_ for id_ in listed if id_ not in deleted_ids])
    role_id = settings.invitation_role_id
    if section == "people" and role_id is not None and role_id not in deleted_ids:
        try:
            _check_mentionable(ctx.interaction, role_id)
        except Refused as refused:
            warnings = [_warning(ctx, refused)]
    return ServerView(
        settings,
        usual_options(settings),
        ctx.bot.tables.limits.per_user,
        ranking,
        frozenset(deleted_ids),
        tuple(warnings),
    )


def _channel_warnings(ctx: Context, channels: list[ChannelId]) -> list[str]:
    """Return lines which say in which of these channels the bot cannot write, and why."""
    warnings = []
    for channel_id in channels:
        missing = missing_permissions(ctx.bot, ctx.interaction, channel_id, thread=False)
        if missing:
            warnings.append(_warning(ctx, _cannot_write(ctx, channel_id, missing)))
    return warnings[:_MOST_WARNINGS]


def _warning(ctx: Context, refused: Refused | IllegalAction) -> str:
    """Return the reason of a refusal as a line on a page."""
    return "⚠️ " + sentence(ctx.words.say, refused)


# --- choosing ------------------------------------------------------------------------------


@control(Verb.SERVER_SET, who=Who.MANAGER, where=Where.SERVER)
async def server_set(ctx: ClickContext) -> None:
    """Change a setting, given as its name, a dot and the value."""
    name, _, value = ctx.click.chosen.partition(".")
    section = _SECTIONS.get(name)
    if section is None or len(ctx.click.values) > 1:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await _change_settings(ctx, lambda _: {name: _read_value(name, value)})
    await _show(ctx, section)


@control(Verb.SERVER_CHANNELS, who=Who.MANAGER, where=Where.SERVER)
async def server_channels(ctx: ClickContext) -> None:
    """Store one page of the list of channels where tables may be opened.

    The arguments are the page and a digest of the channels on it. If another manager has changed
    them since, nothing is stored, so that nobody removes channels that they have not seen.
    """
    page_number, _, seen_digest = ctx.click.args.partition(".")
    page, chosen = read_number(page_number), [read_number(value) for value in ctx.click.values]
    guild, note = ctx.interaction.guild, ""
    if guild is None or any(guild.get_channel(each) is None for each in chosen):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    if len(chosen) > MOST_CHOSEN:
        raise Refused(Reason.UNKNOWN_BUTTON)

    def change(settings: ServerSettings) -> Mapping[str, Any]:
        channels = settings.channels
        if channels_digest(channels_on_page(channels, page)) != seen_digest:
            raise Refused(Reason.CHOSEN_MEANWHILE)
        before, after = channels[: page * MOST_CHOSEN], channels[(page + 1) * MOST_CHOSEN :]
        return {"channels": tuple(dict.fromkeys((*before, *chosen, *after)))}

    try:
        await _change_settings(ctx, change)
    except Refused as refused:
        note = _warning(ctx, refused)
    await _show(ctx, "tables", note, page)


@control(Verb.SERVER_ROLE, who=Who.MANAGER, where=Where.SERVER)
async def server_role(ctx: ClickContext) -> None:
    """Choose the role that may open tables, or the role that can be invited; perhaps none."""
    name = _ROLES.get(ctx.click.args)
    if name is None or len(ctx.click.values) > 1:
        raise Refused(Reason.UNKNOWN_BUTTON)
    role_id = read_number(ctx.click.values[0]) if ctx.click.values else None
    interaction, note = ctx.interaction, ""
    if name == "opener_role_id" and role_id == interaction.guild_id:
        role_id = None  # this is the role of everyone, which has the id of the server
    try:
        if role_id is not None:
            _check_role(interaction, RoleId(role_id))
            if name == "invitation_role_id":
                _check_mentionable(interaction, RoleId(role_id))
        await _change_settings(ctx, lambda _: {name: role_id})
    except Refused as refused:
        note = _warning(ctx, refused)
    await _show(ctx, "people", note)


@control(Verb.SERVER_DEFAULT, who=Who.MANAGER, where=Where.SERVER)
async def server_default(ctx: ClickContext) -> None:
    """Change the default of an option of `/tichu new`."""
    name, _, value = ctx.click.chosen.partition(".")

    def change(settings: ServerSettings) -> Mapping[str, Any]:
        return {"defaults": changed_defaults(usual_options(settings).changed(name, value))}

    note = ""
    try:
        await _change_settings(ctx, change)
    except IllegalAction as refused:
        note = _warning(ctx, refused)
    await _show(ctx, "defaults", note)


@control(Verb.USUAL_DEFAULTS, who=Who.MANAGER, where=Where.SERVER)
async def usual_defaults(ctx: ClickContext) -> None:
    """Open the form of the usual options of `/tichu new`."""
    options = usual_options(ctx.bot.store.server_settings.get(ctx.guild_id))
    if not await ctx.reply.show_form(defaults_form(options, ctx.words)):
        await _show(ctx, "defaults")


@control(Verb.SET_DEFAULTS, who=Who.MANAGER, where=Where.SERVER)
async def set_defaults(ctx: ClickContext) -> None:
    """Change the defaults to those of the submitted form, unless they have changed since."""
    click, words, note = ctx.click, ctx.words, ""
    if not click.values:
        raise Refused(Reason.UNKNOWN_BUTTON)

    def change(settings: ServerSettings) -> Mapping[str, Any]:
        options = usual_options(settings)
        choices = read_choices(click.values, options, words)
        return {"defaults": changed_defaults(options.all_changed(choices, click.args))}

    try:
        await _change_settings(ctx, change)
    except (Refused, IllegalAction) as refused:
        note = _warning(ctx, refused)
    await _show(ctx, "defaults", note)


async def _change_settings(ctx: Context, change: _Change) -> None:
    await ctx.reply.change(_store_settings(ctx, change))


async def _store_settings(ctx: Context, change: _Change) -> None:
    """Store and log the changed settings; rewrite the open tables in a new language.

    Raises `Refused` if the changed settings are invalid.
    """
    settings, guild_id = ctx.bot.store.server_settings, ctx.guild_id
    async with ctx.services.server_lock:
        before, language = settings.get(guild_id), server_language(ctx.bot, guild_id)
        try:
            after = ServerSettings.model_validate({**dict(before), **change(before)})
        except ValidationError:
            raise Refused(Reason.UNKNOWN_BUTTON) from None
        if after == before:
            return
        await settings.choose(guild_id, after)
    if server_language(ctx.bot, guild_id) != language:
        ctx.announcer.rewrite_server(guild_id)
    for name, value in dict(after).items():
        _log_change(guild_id, name, getattr(before, name), value)


# --- the monthly ranking -------------------------------------------------------------------


@control(Verb.RANKING_CHANNEL, who=Who.MANAGER, where=Where.SERVER)
async def ranking_channel(ctx: ClickContext) -> None:
    """Choose the channel of the monthly ranking."""
    if len(ctx.click.values) != 1:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await _choose_ranking_channel(ctx, ChannelId(read_number(ctx.click.values[0])))


@control(Verb.NO_RANKING_CHANNEL, who=Who.MANAGER, where=Where.SERVER)
async def no_ranking_channel(ctx: ClickContext) -> None:
    """Post no monthly ranking in this server."""
    await _choose_ranking_channel(ctx, None)


async def _choose_ranking_channel(ctx: ClickContext, channel_id: ChannelId | None) -> None:
    note = ""
    try:
        if channel_id is not None:
            _check_channel(ctx, channel_id)
        await ctx.reply.change(_store_ranking_channel(ctx, channel_id))
    except Refused as refused:
        note = _warning(ctx, refused)
    await _show(ctx, "look", note)


async def _store_ranking_channel(ctx: ClickContext, channel_id: ChannelId | None) -> None:
    async with ctx.services.server_lock:
        before = await ctx.bot.store.monthly_rankings.channel(ctx.guild_id)
        await ctx.bot.seasons.choose_channel(ctx.guild_id, channel_id)
    _log_change(ctx.guild_id, "honours_channel", before, channel_id)


async def _ranking_channel(ctx: Context) -> RankingChannel:
    """Return the channel of the monthly ranking, and what is wrong with it."""
    channel_id = await ctx.reply.read(ctx.bot.store.monthly_rankings.channel(ctx.guild_id))
    if channel_id is None:
        return RankingChannel()
    try:
        _check_channel(ctx, channel_id)
    except Refused as refused:
        return RankingChannel(channel_id, _warning(ctx, refused))
    return RankingChannel(channel_id)


def _log_change(guild_id: GuildId, name: str, before: object, after: object) -> None:
    """Log a setting, if it has changed."""
    if after != before:
        log.info("server %s: %s changed to %s (was %s)", guild_id, name, after, before)


def _read_value(name: str, value: str) -> object:
    """Parse the text of a setting's value. Raise `NotationError`."""
    if name == "channels":
        return () if value == "all" else value
    if name == "defaults":
        return {} if value == BOT_DEFAULT else value
    if value == BOT_DEFAULT:
        return None
    if name == "cards":
        return value
    if name == "language":
        return value if value in languages() else ""
    return value if value in ("on", "off") else read_number(value)


def _check_role(interaction: Interaction, role_id: RoleId) -> None:
    """Raise `Refused` unless this is a role of the server."""
    if interaction.guild is None or interaction.guild.get_role(role_id) is None:
        raise Refused(Reason.NO_SUCH_ROLE)


def _check_mentionable(interaction: Interaction, role_id: RoleId) -> None:
    """Raise `Refused` unless this is a role of the server that the bot may mention."""
    guild = interaction.guild
    role = guild.get_role(role_id) if guild is not None else None
    if guild is None or role is None:
        raise Refused(Reason.NO_SUCH_ROLE)
    if not may_mention(role, guild.me.guild_permissions):
        raise Refused(Reason.ROLE_NOT_MENTIONABLE, role=role_mention(role.id))


def _check_channel(ctx: Context, channel_id: ChannelId) -> None:
    """Raise `Refused` unless this is a text channel of the server in which the bot can write."""
    guild = ctx.interaction.guild
    channel = guild.get_channel(channel_id) if guild is not None else None
    if not isinstance(channel, discord.TextChannel):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    missing = missing_permissions(ctx.bot, ctx.interaction, channel_id, thread=False)
    if missing:
        raise _cannot_write(ctx, channel_id, missing)


def _cannot_write(ctx: Context, channel_id: ChannelId, missing: list[str]) -> Refused:
    """Return the refusal of a channel in which the bot lacks these permissions."""
    say = ctx.words.say
    return Refused(
        Reason.CANNOT_WRITE,
        permissions=say.join(permission_names(say)[name] for name in missing),
        channel=channel_mention(channel_id),
    )
