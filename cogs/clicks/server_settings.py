"""The pages of settings of a server, and what whoever manages it chooses there.

What they choose is in the log, for whoever runs the bot; nobody else is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, get_args

import discord
from pydantic import ValidationError

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import ChannelId, GuildId, RoleId
from bot.records import ServerSettings
from bot.runtime.settings import languages
from bot.table.server_options import as_defaults, usual_options
from bot.text.sentences import sentence
from cogs.clicks.click import Click
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import may_mention, missing_permissions
from cogs.delivery.message_languages import server_language
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import MOST_CHOSEN, Page, number
from cogs.pages.settings.sections import ServerSection
from cogs.pages.settings.server import (
    USUAL,
    HonoursChannel,
    ServerView,
    channel_pages,
    channels_on,
    digest,
    look_page,
    people_page,
    tables_page,
)
from cogs.pages.settings.server_defaults import defaults_page
from cogs.pages.table.blocked import permission_names
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
    "language": "look",
    "computers": "defaults",
    "threads": "defaults",
    "defaults": "defaults",
}
"""What is chosen with one value, and the page on which it stands."""
_ROLES = {"opener": "opener_role_id", "invitation": "invitation_role_id"}
"""The roles that are chosen, by the argument of their select."""
_NAMED = 3
"""The largest number of channels with trouble that are named."""

_Change = Callable[[ServerSettings], Mapping[str, Any]]
"""What changes of the settings that a server has had so far."""


class ServerClicks:
    """Handles the clicks on these pages; only whoever manages the server gets here."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.SERVER: self.page,
            Verb.SERVER_SET: self.set,
            Verb.SERVER_CHANNELS: self.channels,
            Verb.SERVER_ROLE: self.role,
            Verb.SERVER_DEFAULT: self.default,
            Verb.HONOURS: self.honours,
            Verb.NO_HONOURS: self.no_honours,
        }
        self._choosing = asyncio.Lock()

    # --- showing -------------------------------------------------------------------------------

    async def page(self, click: Click) -> None:
        """One of the pages; of the allowed channels perhaps a later page."""
        name, _, page = click.args.partition(".")
        section = next((each for each in get_args(ServerSection) if each == name), None)
        if section is None:
            raise Refused(Reason.UNKNOWN_BUTTON)
        await self._show(click.interaction, section, page=number(page) if page else 0)

    async def _show(
        self, interaction: Interaction, section: ServerSection, note: str = "", page: int = 0
    ) -> None:
        speaker = self.announcer.private(interaction)
        view = await self._view(interaction, section, page)
        shown: Page
        match section:
            case "tables":
                shown = tables_page(view, speaker, note, page)
            case "defaults":
                shown = defaults_page(view, speaker, note)
            case "people":
                shown = people_page(view, speaker, note)
            case "look":
                shown = look_page(view, speaker, note)
        await Reply(interaction).show(shown)

    async def _view(
        self, interaction: Interaction, section: ServerSection, page: int
    ) -> ServerView:
        """What a page shows of the server."""
        guild, guild_id = interaction.guild, _server(interaction)
        settings = self.bot.store.server_settings.get(guild_id)
        honours = await self._honours(interaction) if section == "look" else HonoursChannel()
        gone, troubles = set[int](), list[str]()
        if guild is not None:
            gone |= {each for each in settings.channels if guild.get_channel(each) is None}
            roles = (settings.opener_role_id, settings.invitation_role_id)
            gone |= {each for each in roles if each is not None and guild.get_role(each) is None}
        if section == "tables":
            shown = channels_on(settings.channels, min(page, channel_pages(settings.channels) - 1))
            here = [each for each in shown if each not in gone]
            troubles = self._not_allowed(interaction, here)
        invited = settings.invitation_role_id
        if section == "people" and invited is not None and invited not in gone:
            try:
                _check_mentionable(interaction, invited)
            except Refused as refused:
                troubles = [self._told(interaction, refused)]
        return ServerView(
            settings,
            usual_options(settings),
            self.bot.tables.limits.per_user,
            honours,
            frozenset(gone),
            tuple(troubles),
        )

    def _not_allowed(self, interaction: Interaction, channels: list[ChannelId]) -> list[str]:
        """Why the bot cannot write in some of these channels."""
        troubles = []
        for channel_id in channels:
            missing = missing_permissions(self.bot, interaction, channel_id, thread=False)
            if missing:
                refused = _cannot_write(self.announcer, interaction, channel_id, missing)
                troubles.append(self._told(interaction, refused))
        return troubles[:_NAMED]

    def _told(self, interaction: Interaction, refused: Refused | IllegalAction) -> str:
        """Why something is refused, as a line on a page."""
        return "⚠️ " + sentence(self.announcer.private(interaction).say, refused)

    # --- choosing ------------------------------------------------------------------------------

    async def set(self, click: Click) -> None:
        """Another value of a setting, given as its name, a dot and the value."""
        name, _, value = click.chosen.partition(".")
        section = _SECTIONS.get(name)
        if section is None or len(click.values) > 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        await self._choose(click.interaction, lambda _: {name: _read_value(name, value)})
        await self._show(click.interaction, section)

    async def channels(self, click: Click) -> None:
        """The channels of one page of those where tables may be opened.

        If other channels stand on that page by now, nothing changes: nobody takes away what they
        have not seen.
        """
        name, _, seen = click.args.partition(".")
        page, chosen = number(name), [number(value) for value in click.values]
        guild, note = click.interaction.guild, ""
        if guild is None or any(guild.get_channel(each) is None for each in chosen):
            raise Refused(Reason.NO_SUCH_CHANNEL)
        if len(chosen) > MOST_CHOSEN:
            raise Refused(Reason.UNKNOWN_BUTTON)

        def change(settings: ServerSettings) -> Mapping[str, Any]:
            channels = settings.channels
            if digest(channels_on(channels, page)) != seen:
                raise Refused(Reason.CHOSEN_MEANWHILE)
            before, after = channels[: page * MOST_CHOSEN], channels[(page + 1) * MOST_CHOSEN :]
            return {"channels": tuple(dict.fromkeys((*before, *chosen, *after)))}

        try:
            await self._choose(click.interaction, change)
        except Refused as refused:
            note = self._told(click.interaction, refused)
        await self._show(click.interaction, "tables", note, page)

    async def role(self, click: Click) -> None:
        """Another role that may open tables, or be invited; or none."""
        name = _ROLES.get(click.args)
        if name is None or len(click.values) > 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        role_id = number(click.values[0]) if click.values else None
        interaction, note = click.interaction, ""
        if name == "opener_role_id" and role_id == interaction.guild_id:
            role_id = None  # Discord's role of everyone
        try:
            if role_id is not None:
                _check_role(interaction, RoleId(role_id))
                if name == "invitation_role_id":
                    _check_mentionable(interaction, RoleId(role_id))
            await self._choose(interaction, lambda _: {name: role_id})
        except Refused as refused:
            note = self._told(interaction, refused)
        await self._show(interaction, "people", note)

    async def default(self, click: Click) -> None:
        """Another value of an option that `/tichu new` chooses where nothing is said."""
        name, _, value = click.chosen.partition(".")

        def change(settings: ServerSettings) -> Mapping[str, Any]:
            return {"defaults": as_defaults(usual_options(settings).changed(name, value))}

        note = ""
        try:
            await self._choose(click.interaction, change)
        except IllegalAction as refused:
            note = self._told(click.interaction, refused)
        await self._show(click.interaction, "defaults", note)

    async def _choose(self, interaction: Interaction, change: _Change) -> None:
        await Reply(interaction).changing(self._changed(_server(interaction), change))

    async def _changed(self, guild_id: GuildId, change: _Change) -> None:
        """One change after another: each keeps what the one before has chosen."""
        settings = self.bot.store.server_settings
        async with self._choosing:
            before, language = settings.get(guild_id), server_language(self.bot, guild_id)
            try:
                after = ServerSettings.model_validate({**dict(before), **change(before)})
            except ValidationError:
                raise Refused(Reason.UNKNOWN_BUTTON) from None
            if after == before:
                return
            await settings.choose(guild_id, after)
        if server_language(self.bot, guild_id) != language:
            self.announcer.language_changed(guild_id)
        for name, value in dict(after).items():
            _log_change(guild_id, name, getattr(before, name), value)

    # --- the table of honour -------------------------------------------------------------------

    async def honours(self, click: Click) -> None:
        """The channel of the server for the table of honour."""
        if len(click.values) != 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        await self._choose_honours(click, ChannelId(number(click.values[0])))

    async def no_honours(self, click: Click) -> None:
        """No table of honour in this server."""
        await self._choose_honours(click, None)

    async def _choose_honours(self, click: Click, channel_id: ChannelId | None) -> None:
        interaction, guild_id, note = click.interaction, _server(click.interaction), ""
        try:
            if channel_id is not None:
                _check_channel(self.announcer, interaction, channel_id)
            await Reply(interaction).changing(self._changed_honours(guild_id, channel_id))
        except Refused as refused:
            note = self._told(interaction, refused)
        await self._show(interaction, "look", note)

    async def _changed_honours(self, guild_id: GuildId, channel_id: ChannelId | None) -> None:
        async with self._choosing:
            before = await self.bot.store.honours.channel(guild_id)
            await self.bot.seasons.choose_channel(guild_id, channel_id)
        _log_change(guild_id, "honours_channel", before, channel_id)

    async def _honours(self, interaction: Interaction) -> HonoursChannel:
        """The channel of the table of honour, and what is wrong with it."""
        reading = self.bot.store.honours.channel(_server(interaction))
        channel_id = await Reply(interaction).reading(reading)
        if channel_id is None:
            return HonoursChannel()
        try:
            _check_channel(self.announcer, interaction, channel_id)
        except Refused as refused:
            return HonoursChannel(channel_id, self._told(interaction, refused))
        return HonoursChannel(channel_id)


def _log_change(guild_id: GuildId, name: str, before: object, after: object) -> None:
    """Tell whoever runs the bot of a setting, if it has changed."""
    if after != before:
        log.info("server %s: %s is now %s (before: %s)", guild_id, name, after, before)


def _server(interaction: Interaction) -> GuildId:
    assert interaction.guild_id is not None, "only whoever manages a server comes here"
    return GuildId(interaction.guild_id)


def _read_value(name: str, value: str) -> object:
    """A value of a setting from its text. Raises `NotationError` for one that is none."""
    if name == "channels":
        return () if value == "all" else value
    if name == "defaults":
        return {} if value == USUAL else value
    if value == USUAL:
        return None
    if name == "language":
        return value if value in languages() else ""
    return value if value in ("on", "off") else number(value)


def _check_role(interaction: Interaction, role_id: RoleId) -> None:
    """`Refused` unless this is a role of the server."""
    if interaction.guild is None or interaction.guild.get_role(role_id) is None:
        raise Refused(Reason.NO_SUCH_ROLE)


def _check_mentionable(interaction: Interaction, role_id: RoleId) -> None:
    """`Refused` unless this is a role of the server that the bot may mention."""
    guild = interaction.guild
    role = guild.get_role(role_id) if guild is not None else None
    if guild is None or role is None:
        raise Refused(Reason.NO_SUCH_ROLE)
    if not may_mention(role, guild.me.guild_permissions):
        raise Refused(Reason.ROLE_NOT_MENTIONABLE, role=role.mention)


def _check_channel(announcer: Announcer, interaction: Interaction, channel_id: ChannelId) -> None:
    """`Refused` unless this is a text channel of the server in which the bot can write."""
    guild = interaction.guild
    channel = guild.get_channel(channel_id) if guild is not None else None
    if not isinstance(channel, discord.TextChannel):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    missing = missing_permissions(announcer.bot, interaction, channel_id, thread=False)
    if missing:
        raise _cannot_write(announcer, interaction, channel_id, missing)


def _cannot_write(
    announcer: Announcer, interaction: Interaction, channel_id: ChannelId, missing: list[str]
) -> Refused:
    """That the bot cannot write in this channel, as it is missing these permissions."""
    say = announcer.private(interaction).say
    return Refused(
        Reason.CANNOT_WRITE,
        permissions=say.listed(permission_names(say)[name] for name in missing),
        channel=f"<#{channel_id}>",
    )
