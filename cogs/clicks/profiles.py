"""Profiles with their charts, and leaderboards: for commands, and on clicks on their buttons.

Hidden users see their own profile, and nobody else does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from babel.dates import format_skeleton

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.pictures.alt_texts import alt_text
from bot.pictures.descriptions import RatingChart, rating_chart
from bot.profiles.achievements import achievements
from bot.profiles.careers import Career, career
from bot.rating.tallies import season_of
from bot.score_records import PlayerStatistics, Preferences
from bot.text import Say
from bot.text.cards import Speaker
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.pages.controls import Page
from cogs.pages.profiles.leaderboard import (
    PEOPLE_PER_PAGE,
    BoardQuery,
    last_seasons,
    leaderboard_page,
    read_board_query,
)
from cogs.pages.profiles.profile import (
    RATING_FILE,
    ProfileQuery,
    achievements_page,
    nothing_page,
    profile_page,
    read_profile_query,
)
from cogs.pages.verbs import Verb

_FEWEST_DAYS = 2
"""One day makes no line."""
_MOST_SEASONS = 12
"""Number of months above which the chart shows no month lines."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


@control(Verb.PROFILE, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def turn_profile(ctx: ClickContext) -> None:
    """Show the profile of another game, or a profile again."""
    await show_profile(ctx, read_profile_query(ctx.click.args))


@control(Verb.ACHIEVEMENTS, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def show_achievements(ctx: ClickContext) -> None:
    """Show the achievements of a user."""
    query = read_profile_query(ctx.click.args)
    await _preferences(ctx, query.user_id)
    played = await _played(ctx, query)
    if played is None or not played.table_totals:
        await _show_nothing(ctx, query, played)
        return
    page = achievements_page(query.user_id, played.variant, achievements(played), ctx.words)
    await ctx.services.pictures.show(ctx.reply, page)


async def show_profile(ctx: Context, query: ProfileQuery) -> None:
    """Show the requested profile privately."""
    user_id = query.user_id
    preferences = await _preferences(ctx, user_id)
    played = await _played(ctx, query)
    found = career(played) if played is not None else None
    if played is None or found is None:
        await _show_nothing(ctx, query, played)
        return
    names = await _names(ctx, found)
    speaker, earned = ctx.words, achievements(played)

    def page(drawn: str | None = None) -> Page:
        games = tuple(played.games)
        return profile_page(found, earned, games, names, preferences, speaker, drawn=drawn)

    message_id = await ctx.services.pictures.show(ctx.reply, page())
    chart = _chart(played, names.get(user_id) or speaker.say("Player"), speaker.say)
    if chart is not None:
        alt = alt_text(chart, speaker.say)
        ctx.services.pictures.begin(ctx.reply, message_id, chart, RATING_FILE, alt, page)


async def public_profile(ctx: Context, query: ProfileQuery, words: Speaker) -> Page:
    """Return the requested profile as a page for everybody in the channel."""
    preferences = await _preferences(ctx, query.user_id)
    played = await _played(ctx, query)
    found = career(played) if played is not None else None
    if preferences.hidden or played is None or found is None:
        raise Refused(Reason.PROFILE_HIDDEN)
    names, games = await _names(ctx, found), tuple(played.games)
    earned, by = achievements(played), ctx.user_id
    return profile_page(found, earned, games, names, preferences, words, by=by)


async def _names(ctx: Context, shown: Career) -> Mapping[UserId, str]:
    """Return the names of everybody on a profile."""
    asking = ctx.bot.store.rankings.names(ctx.guild_id, _people_named(shown))
    return await ctx.reply.read(asking)


async def _preferences(ctx: Context, user_id: UserId) -> Preferences:
    """Return the preferences of a user; `Refused` if they hide their profile from the reader."""
    preferences = await ctx.reply.read(ctx.bot.store.preferences.get(user_id))
    if preferences.hidden and user_id != ctx.user_id:
        raise Refused(Reason.PROFILE_HIDDEN)
    return preferences


async def _played(ctx: Context, query: ProfileQuery) -> PlayerStatistics | None:
    wanted = (ctx.guild_id, query.user_id, query.variant)
    looking = partial(ctx.bot.store.history.played, *wanted)
    return await ctx.reply.read(ctx.services.work.result(("played", *wanted), looking))


async def _show_nothing(ctx: Context, query: ProfileQuery, played: PlayerStatistics | None) -> None:
    games = () if played is None else tuple(played.games)
    speaker, own = ctx.words, query.user_id == ctx.user_id
    page = nothing_page(query.user_id, games, speaker, own=own, variant=query.variant)
    await ctx.services.pictures.show(ctx.reply, page)


def _people_named(career: Career) -> set[UserId]:
    """Return everybody who is named on the profile."""
    others = (career.favourite, career.best_partner, career.nemesis)
    return {career.user_id} | {who.user_id for who in others if who is not None}


def _chart(played: PlayerStatistics, name: str, say: Say) -> RatingChart | None:
    """Return the chart of a rating: a band around the likeliest value at the end of each day.

    Its lower edge is the rating that people read. `None` for fewer than `_FEWEST_DAYS`.
    """
    if len(played.ratings) < _FEWEST_DAYS:
        return None
    points = tuple(
        (_EPOCH + day * _DAY, rating.mu, rating.mu - rating.shown) for day, rating in played.ratings
    )
    first, last = points[0][0], points[-1][0]
    return rating_chart(name, points, _seasons(first, last, say), say)


def _seasons(first: datetime, last: datetime, say: Say) -> tuple[tuple[datetime, str], ...]:
    """Return the beginnings of months after the first day, with their names; none of too many."""
    found, month = [], first.replace(day=1)
    while (month := (month + 31 * _DAY).replace(day=1)) <= last:
        found.append((month, str(format_skeleton("yMMM", month, locale=say.language))))
    return tuple(found) if len(found) <= _MOST_SEASONS else ()


# --- leaderboards --------------------------------------------------------------------------------


@control(Verb.LEADERS, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def turn_leaderboard(ctx: ClickContext) -> None:
    """Show another part of this leaderboard, or another one."""
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    await show_leaderboard(ctx, read_board_query(ctx.click.chosen, seasons))


@control(Verb.LEADERS_PAGE, who=Who.NOBODY, where=Where.SERVER)
async def leaderboard_page_number(ctx: ClickContext) -> None:
    """Refuse: this button only shows the number of the page and is never enabled."""
    raise Refused(Reason.UNKNOWN_BUTTON)


async def show_leaderboard(ctx: Context, query: BoardQuery) -> None:
    """Show the requested page, or the last one if the board has become shorter."""
    board = query.board(ctx.guild_id)
    reading = ctx.bot.store.rankings.page(board, query.page, PEOPLE_PER_PAGE, ctx.user_id)
    found = await ctx.reply.read(reading)
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    await ctx.reply.show(leaderboard_page(query, found, seasons, ctx.words))
