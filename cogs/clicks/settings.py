"""The pages of one's own settings, and the clicks on them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar, get_args

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.records import Minute, NudgeWay, PersonalSettings, Sorting
from bot.runtime.settings import languages
from bot.runtime.zones import zone_named
from bot.score_records import Preferences
from bot.storage import NotRead, StorageError
from bot.table.commands import FollowSettings
from bot.table.state import Game
from cogs.clicks.click import Click
from cogs.clicks.rights import manages_server
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import number
from cogs.pages.settings.calls import NO_QUIET, calls_page
from cogs.pages.settings.languages import AS_DISCORD
from cogs.pages.settings.page import forget_page, forgotten_page, settings_page
from cogs.pages.verbs import Verb

log = logging.getLogger(__name__)

_USUAL_END = 7 * 60
"""When quiet hours end where nobody has said it, in minutes of the day."""
_EIGHT_HOURS, _DAY = 8 * 60, 24 * 60
"""Minutes."""


async def show_settings(announcer: Announcer, interaction: Interaction) -> None:
    """The page as it is now for the person who asks."""
    store, user_id = announcer.bot.store, UserId(interaction.user.id)
    reading = store.personal_settings.get(user_id, anew=True)
    personal = await Reply(interaction).reading(reading)
    preferences = await Reply(interaction).reading(store.preferences.get(user_id))
    page = settings_page(
        personal, preferences, announcer.private(interaction), manages=manages_server(interaction)
    )
    await Reply(interaction).show(page)


async def show_calls(announcer: Announcer, interaction: Interaction) -> None:
    """The page about calls and invitations for the person who asks."""
    bot = announcer.bot
    chosen = bot.store.personal_settings.get(UserId(interaction.user.id), anew=True)
    personal = await Reply(interaction).reading(chosen)
    page = calls_page(
        personal,
        bot.clock.now(),
        announcer.private(interaction),
        manages=manages_server(interaction),
    )
    await Reply(interaction).show(page)


_Change = Callable[[Preferences], Preferences]
_PersonalChange = Callable[[PersonalSettings], Mapping[str, object]]
"""What changes of the settings that somebody has had so far."""
_T = TypeVar("_T")


class SettingsClicks:
    """Handles the clicks on the page; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.CARDS_AS_TEXT: self.cards_as_text,
            Verb.SORTING: self.sorting,
            Verb.LANGUAGE: self.language,
            Verb.ALWAYS_PASS: self.always_pass,
            Verb.MORE_TIME: self.more_time,
            Verb.LISTED: self.listed,
            Verb.WORLDWIDE: self.worldwide,
            Verb.NUDGES: self.calls,
            Verb.NUDGE_WAY: self.turn_call,
            Verb.INVITATIONS: self.invitations,
            Verb.QUIET: self.quiet,
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

    async def language(self, click: Click) -> None:
        """Read what is for oneself alone in this language, or in that of one's Discord."""
        if len(click.values) != 1 or click.values[0] not in (AS_DISCORD, *languages()):
            raise Refused(Reason.UNKNOWN_BUTTON)
        chosen = None if click.values[0] == AS_DISCORD else click.values[0]
        await self._choose_personal(click, language=chosen)

    async def always_pass(self, click: Click) -> None:
        """Pass by oneself when there is nothing to play, or not."""
        await self._choose_personal(click, auto_pass=_on(click))

    async def more_time(self, click: Click) -> None:
        """Have longer limits for one's turns, or not."""
        await self._choose_personal(click, more_time=_on(click))

    async def _choose_personal(self, click: Click, **change: object) -> None:
        await self._change_personal(click.interaction, lambda _: change)
        self.announcer.hands.reread(click.user_id)
        await show_settings(self.announcer, click.interaction)

    async def _change_personal(self, interaction: Interaction, change: _PersonalChange) -> None:
        await Reply(interaction).changing(
            self._personal_changed(UserId(interaction.user.id), change)
        )

    async def _personal_changed(self, user_id: UserId, change: _PersonalChange) -> None:
        """One change after another; the matches that this person plays follow it.

        Raises `NotRead` if what they have chosen before cannot be read.
        """
        tables, settings = self.bot.tables, self.bot.store.personal_settings
        async with self._choosing:
            before = await _read(settings.get(user_id, anew=True))
            chosen = before.model_copy(update=change(before))
            if chosen != before:
                await settings.choose(user_id, chosen)
            for table in list(tables.all()):
                if isinstance(table, Game) and table.seat_of(user_id) is not None:
                    await self._follow(table, user_id, chosen)

    async def _follow(self, table: Game, user_id: UserId, chosen: PersonalSettings) -> None:
        """Let a match follow what somebody has chosen: that is stored, whatever happens here."""
        try:
            after = await self.bot.tables.execute(table.id, user_id, FollowSettings(chosen))
        except Refused:  # over by now, or they have left
            return
        except StorageError as error:
            log.log(error.level, "table %s does not follow a setting: %s", table.id, error)
            return
        self.announcer.catch_up(after, user_id)

    # --- being nudged --------------------------------------------------------------------------

    async def calls(self, click: Click) -> None:
        """The page about calls and invitations."""
        await show_calls(self.announcer, click.interaction)

    async def turn_call(self, click: Click) -> None:
        """Be mentioned, written to, or not nudged at all when a table waits."""
        if len(click.values) != 1 or click.values[0] not in get_args(NudgeWay):
            raise Refused(Reason.UNKNOWN_BUTTON)
        way = click.values[0]
        seen = click.interaction.locale.value if way == "direct" else None
        await self._choose_call(click, lambda _: {"nudge_way": way, "seen_language": seen})

    async def invitations(self, click: Click) -> None:
        """Get invitations to tables, or none."""
        on = _on(click)
        await self._choose_call(click, lambda _: {"invitations": on})

    async def quiet(self, click: Click) -> None:
        """Have quiet hours that begin or end then, or none."""
        if click.args not in ("from", "until") or len(click.values) != 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        (value,) = click.values
        minute = None if value == NO_QUIET else number(value)
        if minute is not None and minute >= _DAY:
            raise Refused(Reason.UNKNOWN_BUTTON)
        which = click.args
        await self._choose_call(click, lambda own: {"quiet": _quiet_with(own, which, minute)})

    async def choose_zone(self, interaction: Interaction, zone: str) -> None:
        """Have this time zone; `Refused` if there is none of that name (``no-such-zone``)."""
        name = await zone_named(zone)
        if name is None:
            raise Refused(Reason.NO_SUCH_ZONE)
        await self._change_personal(interaction, lambda _: {"zone": name})
        await show_calls(self.announcer, interaction)

    async def _choose_call(self, click: Click, change: _PersonalChange) -> None:
        await self._change_personal(click.interaction, change)
        await show_calls(self.announcer, click.interaction)

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
            preferences = self.bot.store.preferences
            before = await _read(preferences.get(UserId(user.id)))
            await preferences.choose(UserId(user.id), change(before), user.global_name or user.name)

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


def _quiet_with(
    settings: PersonalSettings, edge: str, minute: Minute | None
) -> tuple[Minute, Minute] | None:
    """Quiet hours with another begin (`from`) or end (`until`); `None` for none.

    They are never without a length: then they are of eight hours.
    """
    if minute is None:
        return None
    begin, end = settings.quiet or (_USUAL_END - _EIGHT_HOURS + _DAY, _USUAL_END)
    if edge == "from":
        return minute, (minute + _EIGHT_HOURS) % _DAY if end == minute else end
    return (minute - _EIGHT_HOURS) % _DAY if begin == minute else begin, minute
