"""The page of settings and the clicks on it; only moderators come near those of a server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar, get_args

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import ChannelId, UserId
from bot.records import Sorting
from bot.score_records import Preferences
from bot.storage import NotRead, StorageError
from bot.table.commands import FollowSettings
from bot.table.state import Game
from bot.text.sentences import sentence
from cogs.clicks.rights import manages_server
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import missing_permissions
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.blocked import permission_names
from cogs.pages.controls import Click, number
from cogs.pages.settings import ServerSettings, forget_page, forgotten_page, settings_page
from cogs.pages.verbs import Verb


async def show_settings(announcer: Announcer, interaction: Interaction, note: str = "") -> None:
    """The page as it is now for the person who asks."""
    server = None
    if manages_server(interaction):
        server = await _server(announcer, interaction)
    settings, user_id = announcer.bot.store.settings, interaction.user.id
    personal = await Reply(interaction).reading(settings.personal(user_id))
    preferences = await Reply(interaction).reading(settings.preferences(user_id))
    words = announcer.private(interaction)
    await Reply(interaction).show(settings_page(personal, preferences, server, words, note))


async def _server(announcer: Announcer, interaction: Interaction) -> ServerSettings:
    assert interaction.guild_id is not None
    store = announcer.bot.store
    channel_id = await Reply(interaction).reading(
        store.settings.honours_channel(interaction.guild_id)
    )
    if channel_id is None:
        return ServerSettings()
    try:
        _check_channel(announcer, interaction, channel_id)
    except Refused as refused:
        say = announcer.private(interaction).say
        return ServerSettings(channel_id, "⚠️ " + sentence(say, refused))
    return ServerSettings(channel_id)


def _check_channel(announcer: Announcer, interaction: Interaction, channel_id: ChannelId) -> None:
    """`Refused` unless this is a text channel of the server in which the bot can write."""
    guild = interaction.guild
    channel = guild.get_channel(channel_id) if guild is not None else None
    if not isinstance(channel, discord.TextChannel):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    missing = missing_permissions(announcer.bot, interaction, channel_id, thread=False)
    if missing:
        names = permission_names(announcer.private(interaction).say)
        raise Refused(
            Reason.CANNOT_WRITE,
            permissions=", ".join(names[name] for name in missing),
            channel=f"<#{channel_id}>",
        )


_Change = Callable[[Preferences], Preferences]
_T = TypeVar("_T")


class SettingsClicks:
    """Handles the clicks on the page; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.CARDS_AS_TEXT: self.cards_as_text,
            Verb.SORTING: self.sorting,
            Verb.ALWAYS_PASS: self.always_pass,
            Verb.MORE_TIME: self.more_time,
            Verb.LISTED: self.listed,
            Verb.WORLDWIDE: self.worldwide,
            Verb.HONOURS: self.honours,
            Verb.NO_HONOURS: self.no_honours,
            Verb.SETTINGS: self.settings,
            Verb.FORGET_ME: self.forget_me,
            Verb.FORGET_ME_NOW: self.forget_me_now,
        }
        self._choosing = asyncio.Lock()

    async def settings(self, click: Click) -> None:
        """The page, from one that leads back to it."""
        await show_settings(self.announcer, click.interaction)

    # --- one's own game ------------------------------------------------------------------------

    async def cards_as_text(self, click: Click) -> None:
        """Read cards as text, or see pictures."""
        await self._choose_personal(click, cards_as_text=_on(click))

    async def sorting(self, click: Click) -> None:
        """Have the cards of the hand sorted in one of several ways."""
        if len(click.values) != 1 or click.values[0] not in get_args(Sorting):
            raise Refused(Reason.UNKNOWN_BUTTON)
        await self._choose_personal(click, sorting=click.values[0])

    async def always_pass(self, click: Click) -> None:
        """Pass by oneself when there is nothing to play, or not."""
        await self._choose_personal(click, auto_pass=_on(click))

    async def more_time(self, click: Click) -> None:
        """Have longer limits for one's turns, or not."""
        await self._choose_personal(click, more_time=_on(click))

    async def _choose_personal(self, click: Click, **change: object) -> None:
        await Reply(click.interaction).changing(self._personal_changed(click.user_id, change))
        self.announcer.hands.reread(click.user_id)
        await show_settings(self.announcer, click.interaction)

    async def _personal_changed(self, user_id: UserId, change: Mapping[str, object]) -> None:
        """One change after another; the matches that this person plays follow it.

        Raises `NotRead` if what they have chosen before cannot be read.
        """
        tables, settings = self.bot.tables, self.bot.store.settings
        async with self._choosing:
            before = await _read(settings.personal(user_id))
            chosen = before.model_copy(update=change)
            await settings.choose_personal(user_id, chosen)
            for table in list(tables.all()):
                if isinstance(table, Game) and table.seat_of(user_id) is not None:
                    with contextlib.suppress(Refused):  # over by now, or they have left
                        after = await tables.execute(table.id, user_id, FollowSettings(chosen))
                        self.announcer.catch_up(after, user_id)

    # --- leaderboards and profile --------------------------------------------------------------

    async def listed(self, click: Click) -> None:
        """Be on leaderboards and let others see the profile, or not."""
        on = _on(click)
        await self._choose(click, lambda preferences: preferences._replace(hidden=not on))

    async def worldwide(self, click: Click) -> None:
        """Be on the leaderboard of all servers, or not."""
        on = _on(click)
        await self._choose(click, lambda preferences: preferences._replace(worldwide=on))

    async def _choose(self, click: Click, change: _Change) -> None:
        await Reply(click.interaction).changing(self._changed(click.interaction.user, change))
        await show_settings(self.announcer, click.interaction)

    async def _changed(self, user: discord.abc.User, change: _Change) -> None:
        """One change after another: each keeps what the one before has chosen.

        On the leaderboard of all servers a person has no server's name, but their own. Raises
        `NotRead` if what they have chosen before cannot be read.
        """
        async with self._choosing:
            settings = self.bot.store.settings
            before = await _read(settings.preferences(user.id))
            await settings.choose(user.id, change(before), user.global_name or user.name)

    # --- being forgotten -----------------------------------------------------------------------

    async def forget_me(self, click: Click) -> None:
        """Say what goes and what stays, and ask once more."""
        at = sum(table.seat_of(click.user_id) is not None for table in self.bot.tables.all())
        speaker = self.announcer.private(click.interaction)
        await Reply(click.interaction).show(forget_page(at, speaker))

    async def forget_me_now(self, click: Click) -> None:
        """Forget whoever has confirmed it; a choice of theirs that is under way is done before."""
        reply, speaker = Reply(click.interaction), self.announcer.private(click.interaction)
        known = await reply.changing(self._forgotten(click.user_id))
        await reply.show(forgotten_page(speaker, known=known))

    async def _forgotten(self, user_id: UserId) -> bool:
        async with self._choosing:
            return await self.bot.tables.forgetting.forget(user_id)

    # --- the table of honour -------------------------------------------------------------------

    async def honours(self, click: Click) -> None:
        """The channel of the server for the table of honour."""
        if len(click.values) != 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        await self._choose_channel(click, number(click.values[0]))

    async def no_honours(self, click: Click) -> None:
        """No table of honour in this server."""
        await self._choose_channel(click, None)

    async def _choose_channel(self, click: Click, channel_id: ChannelId | None) -> None:
        interaction, guild_id = click.interaction, click.interaction.guild_id
        assert guild_id is not None, "only whoever manages a server comes here"
        note = ""
        try:
            if channel_id is not None:
                _check_channel(self.announcer, interaction, channel_id)
            await Reply(interaction).changing(self.bot.seasons.choose_channel(guild_id, channel_id))
        except Refused as refused:
            note = "⚠️ " + sentence(self.announcer.private(interaction).say, refused)
        await show_settings(self.announcer, interaction, note)


async def _read(reading: Awaitable[_T]) -> _T:
    """The result of reading something; `NotRead` if that is not possible."""
    try:
        return await reading
    except StorageError as error:
        raise NotRead(str(error)) from error


def _on(click: Click) -> bool:
    """What a switch asks for."""
    if click.args not in ("on", "off"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return click.args == "on"
