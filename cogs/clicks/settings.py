"""Personal settings: their pages, and the controls on them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Container, Mapping
from typing import TypeVar, get_args

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.records import CardStyle, Minute, NudgeWay, PersonalSettings, Sorting
from bot.runtime.settings import languages
from bot.runtime.zones import zone_named
from bot.score_records import Preferences
from bot.storage import NotRead, StorageError
from bot.table.commands import FollowSettings
from bot.table.state import Game
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import FILE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.rights import manages_server
from cogs.pages.controls import read_number
from cogs.pages.settings.card_styles import AS_SERVER
from cogs.pages.settings.languages import AS_DISCORD
from cogs.pages.settings.nudges import NO_QUIET_HOURS, NO_REMINDER, nudges_page
from cogs.pages.settings.page import forget_page, forgotten_page, settings_page
from cogs.pages.verbs import Verb

log = logging.getLogger(__name__)

_USUAL_END = 7 * 60
"""The default end of quiet hours, in minutes after midnight."""
_EIGHT_HOURS, _DAY = 8 * 60, 24 * 60
"""Lengths of time in minutes."""

_PreferenceChange = Callable[[Preferences], Preferences]
"""Function that returns the new preferences, given the current ones."""
_PersonalChange = Callable[[PersonalSettings], Mapping[str, object]]
"""Function that returns the new values of some settings, given the current ones."""
_T = TypeVar("_T")


async def show_settings(ctx: Context) -> None:
    """Show the settings of the user as they are now."""
    store, manages = ctx.bot.store, manages_server(ctx.interaction)
    personal = await ctx.reply.read(store.personal_settings.get(ctx.user_id, fresh=True))
    preferences = await ctx.reply.read(store.preferences.get(ctx.user_id))
    await ctx.reply.show(settings_page(personal, preferences, ctx.words, manages=manages))


async def show_nudges(ctx: Context) -> None:
    """Show the page about nudges and invitations."""
    bot, manages = ctx.bot, manages_server(ctx.interaction)
    chosen = await ctx.reply.read(bot.store.personal_settings.get(ctx.user_id, fresh=True))
    await ctx.reply.show(nudges_page(chosen, bot.clock.now(), ctx.words, manages=manages))


@control(Verb.SETTINGS, who=Who.ANYBODY, where=Where.ANYWHERE)
async def settings(ctx: ClickContext) -> None:
    """Show the settings, from a page with a button back to them."""
    await show_settings(ctx)


# --- the game ------------------------------------------------------------------------------


@control(Verb.CARD_STYLE, who=Who.ANYBODY, where=Where.ANYWHERE)
async def card_style(ctx: ClickContext) -> None:
    """Choose how the own hand is shown, or follow the server."""
    chosen = _single_value(ctx, (AS_SERVER, *get_args(CardStyle)))
    await _choose_personal(ctx, cards=None if chosen == AS_SERVER else chosen)


@control(Verb.SORTING, who=Who.ANYBODY, where=Where.ANYWHERE)
async def sorting(ctx: ClickContext) -> None:
    """Choose how the hand is sorted."""
    await _choose_personal(ctx, sorting=_single_value(ctx, get_args(Sorting)))


@control(Verb.LANGUAGE, who=Who.ANYBODY, where=Where.ANYWHERE)
async def language(ctx: ClickContext) -> None:
    """Choose a language for private texts, or that of the user's Discord client."""
    choice = _single_value(ctx, (AS_DISCORD, *languages()))
    await _choose_personal(ctx, language=None if choice == AS_DISCORD else choice)


@control(Verb.ALWAYS_PASS, who=Who.ANYBODY, where=Where.ANYWHERE)
async def always_pass(ctx: ClickContext) -> None:
    """Switch automatic passing without a playable combination on or off."""
    await _choose_personal(ctx, auto_pass=_turns_on(ctx))


@control(Verb.MORE_TIME, who=Who.ANYBODY, where=Where.ANYWHERE)
async def more_time(ctx: ClickContext) -> None:
    """Switch longer time limits for the user's turns on or off."""
    await _choose_personal(ctx, more_time=_turns_on(ctx))


async def _choose_personal(ctx: ClickContext, **change: object) -> None:
    await _change_personal(ctx, lambda _: change)
    ctx.announcer.hands.refresh_all_of(ctx.user_id)
    await show_settings(ctx)


async def _change_personal(ctx: Context, change: _PersonalChange) -> None:
    """Change personal settings, and apply them to the matches that the user plays.

    Raises `NotRead` if the previous settings cannot be read.
    """
    await ctx.reply.change(_store_personal(ctx, change))


async def _store_personal(ctx: Context, change: _PersonalChange) -> None:
    settings, user_id = ctx.bot.store.personal_settings, ctx.user_id
    async with ctx.services.personal_lock:
        before = await _read(settings.get(user_id, fresh=True))
        after = before.model_copy(update=change(before))
        if after != before:
            await settings.choose(user_id, after)
        for table in list(ctx.bot.tables.all()):
            if isinstance(table, Game) and table.seat_of(user_id) is not None:
                await _apply_to_match(ctx, table, after)


async def _apply_to_match(ctx: Context, table: Game, settings: PersonalSettings) -> None:
    """Apply settings, which are stored already, to a match of the user; log a failure."""
    try:
        after = await ctx.bot.tables.execute(table.id, ctx.user_id, FollowSettings(settings))
    except Refused:  # the match is over by now, or the user has left it
        return
    except StorageError as error:
        log.log(error.level, "table %s: personal setting not applied: %s", table.id, error)
        return
    ctx.announcer.refresh_hand(after, ctx.user_id)


# --- nudges --------------------------------------------------------------------------------


@control(Verb.NUDGES, who=Who.ANYBODY, where=Where.ANYWHERE)
async def nudges(ctx: ClickContext) -> None:
    """Show the page about nudges and invitations."""
    await show_nudges(ctx)


@control(Verb.NUDGE_WAY, who=Who.ANYBODY, where=Where.ANYWHERE)
async def nudge_way(ctx: ClickContext) -> None:
    """Choose to be nudged by a mention, by a direct message, or not at all.

    The language of the user's Discord client is stored for direct messages.
    """
    way, client_language = _single_value(ctx, get_args(NudgeWay)), ctx.interaction.locale.value

    def change(before: PersonalSettings) -> Mapping[str, object]:
        own = before.model_copy(update={"nudge_way": way})
        return {"nudge_way": way, "seen_language": client_language if own.direct_messages else None}

    await _choose_nudges(ctx, change)


@control(Verb.INVITATIONS, who=Who.ANYBODY, where=Where.ANYWHERE)
async def invitations(ctx: ClickContext) -> None:
    """Switch invitations to tables on or off."""
    on = _turns_on(ctx)
    await _choose_nudges(ctx, lambda _: {"invitations": on})


@control(Verb.QUIET, who=Who.ANYBODY, where=Where.ANYWHERE)
async def quiet(ctx: ClickContext) -> None:
    """Choose when quiet hours begin or end, or choose none."""
    if ctx.click.args not in ("from", "until"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    minute, edge = _chosen_time(ctx, NO_QUIET_HOURS), ctx.click.args
    await _choose_nudges(ctx, lambda before: {"quiet": _quiet_hours(before, edge, minute)})


@control(Verb.DAILY_REMINDER, who=Who.ANYBODY, where=Where.ANYWHERE)
async def daily_reminder(ctx: ClickContext) -> None:
    """Choose the time of the reminder of the deal of the day, or none.

    The language of the user's Discord client is stored for it.
    """
    minute, client_language = _chosen_time(ctx, NO_REMINDER), ctx.interaction.locale.value

    def change(before: PersonalSettings) -> Mapping[str, object]:
        own = before.model_copy(update={"daily_reminder": minute})
        language = client_language if own.direct_messages else None
        return {"daily_reminder": minute, "reminder_refused": False, "seen_language": language}

    await _choose_nudges(ctx, change)


async def choose_zone(ctx: Context, zone: str) -> None:
    """Choose a time zone by its name. Raise `Refused` if there is none."""
    name = await zone_named(zone)
    if name is None:
        raise Refused(Reason.NO_SUCH_ZONE)
    await _change_personal(ctx, lambda _: {"zone": name})
    await show_nudges(ctx)


async def _choose_nudges(ctx: ClickContext, change: _PersonalChange) -> None:
    await _change_personal(ctx, change)
    await show_nudges(ctx)


# --- leaderboards and profile --------------------------------------------------------------


@control(Verb.LISTED, who=Who.ANYBODY, where=Where.ANYWHERE)
async def listed(ctx: ClickContext) -> None:
    """Switch the user's entry on leaderboards and the public view of their profile on or off."""
    on = _turns_on(ctx)
    await _choose_preferences(ctx, lambda preferences: preferences._replace(hidden=not on))


@control(Verb.WORLDWIDE, who=Who.ANYBODY, where=Where.ANYWHERE)
async def worldwide(ctx: ClickContext) -> None:
    """Switch the user's entry on the leaderboard of all servers on or off."""
    on = _turns_on(ctx)
    await _choose_preferences(ctx, lambda preferences: preferences._replace(worldwide=on))


async def _choose_preferences(ctx: ClickContext, change: _PreferenceChange) -> None:
    """Change the preferences, and show the page.

    Raises `NotRead` if the previous preferences cannot be read.
    """
    await ctx.reply.change(_store_preferences(ctx, change))
    await show_settings(ctx)


async def _store_preferences(ctx: ClickContext, change: _PreferenceChange) -> None:
    user = ctx.interaction.user
    async with ctx.services.personal_lock:
        preferences = ctx.bot.store.preferences
        before = await _read(preferences.get(UserId(user.id)))
        name = user.global_name or user.name  # the leaderboard of all servers shows this name
        await preferences.choose(UserId(user.id), change(before), name)


# --- accuracy ------------------------------------------------------------------------------


@control(Verb.SHOW_ACCURACY, who=Who.ANYBODY, where=Where.ANYWHERE)
async def show_accuracy(ctx: ClickContext) -> None:
    """Switch the user's accuracy on their profile on or off; its comparison is off after both."""
    await _choose_personal(ctx, accuracy=_turns_on(ctx), accuracy_compared=False)


@control(Verb.COMPARE_ACCURACY, who=Who.ANYBODY, where=Where.ANYWHERE)
async def compare_accuracy(ctx: ClickContext) -> None:
    """Switch the comparison of the user's accuracy with that of others on or off."""
    await _choose_personal(ctx, accuracy_compared=_turns_on(ctx))


# --- erasure -------------------------------------------------------------------------------


@control(Verb.FORGET_ME, who=Who.ANYBODY, where=Where.ANYWHERE)
async def forget_me(ctx: ClickContext) -> None:
    """Show what would be erased and what would stay, and ask for a confirmation."""
    table_count = sum(table.seat_of(ctx.user_id) is not None for table in ctx.bot.tables.all())
    await ctx.reply.show(forget_page(table_count, ctx.words))


@control(Verb.FORGET_ME_NOW, who=Who.ANYBODY, where=Where.ANYWHERE, cost=FILE)
async def forget_me_now(ctx: ClickContext) -> None:
    """Erase the user, who has confirmed it, once their changes in flight are stored."""
    words = ctx.words  # in their chosen language, which is erased too
    had_data = await ctx.reply.change(_erase(ctx))
    await ctx.reply.show(forgotten_page(words, had_data=had_data))


async def _erase(ctx: ClickContext) -> bool:
    async with ctx.services.personal_lock:
        return await ctx.bot.tables.forgetting.forget(ctx.user_id)


async def _read(reading: Awaitable[_T]) -> _T:
    """Return the result of a read; raise `NotRead` if it fails."""
    try:
        return await reading
    except StorageError as error:
        raise NotRead(str(error)) from error


def _turns_on(ctx: ClickContext) -> bool:
    """Return whether the clicked switch turns its setting on."""
    if ctx.click.args not in ("on", "off"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return ctx.click.args == "on"


def _chosen_time(ctx: ClickContext, nothing: str) -> Minute | None:
    """Return the chosen minute of the day, `None` for `nothing`. Raise `Refused` if forged."""
    values = ctx.click.values
    if values == (nothing,):
        return None
    minute = read_number(values[0]) if len(values) == 1 else _DAY
    if minute >= _DAY:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return minute


def _single_value(ctx: ClickContext, allowed: Container[str]) -> str:
    """Return the one chosen value. Raise `Refused` for a forged choice."""
    if len(ctx.click.values) != 1 or ctx.click.values[0] not in allowed:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return ctx.click.values[0]


def _quiet_hours(
    settings: PersonalSettings, edge: str, minute: Minute | None
) -> tuple[Minute, Minute] | None:
    """Return the quiet hours with a new begin (`edge` "from") or end ("until").

    Return `None` without a `minute`. If begin and end would be the same, the other edge is moved so
    that the quiet hours last eight hours.
    """
    if minute is None:
        return None
    usual_begin = (_USUAL_END - _EIGHT_HOURS) % _DAY
    begin, end = settings.quiet or (usual_begin, _USUAL_END)
    if edge == "from":
        new_end = (minute + _EIGHT_HOURS) % _DAY if end == minute else end
        return minute, new_end
    new_begin = (minute - _EIGHT_HOURS) % _DAY if begin == minute else begin
    return new_begin, minute
