"""Profiles with their charts, and leaderboards, for commands and for clicks on their buttons.

A profile that its user has hidden is shown to nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
from bot.score_records import WORLD, PlayerStatistics, Preferences
from bot.text import Say
from bot.text.cards import Speaker
from cogs.clicks.accuracy import sees_accuracy
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
    empty_profile_page,
    profile_page,
    read_profile_query,
)
from cogs.pages.verbs import Verb
from engine import VARIANTS

_FEWEST_DAYS = 2
"""Number of days with a rating that a chart needs, because one point makes no line."""
_MOST_MONTHS = 12
"""Largest number of month lines on a chart; with more months it has none."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""Day 0 of `PlayerStatistics.ratings`."""
_DAY = timedelta(days=1)


@control(Verb.PROFILE, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def turn_profile(ctx: ClickContext) -> None:
    """Show a profile for another game, or return to it from the achievements."""
    await show_profile(ctx, read_profile_query(ctx.click.args))


@control(Verb.ACHIEVEMENTS, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_achievements(ctx: ClickContext) -> None:
    """Show the achievements of a user."""
    query = read_profile_query(ctx.click.args)
    _check_own_elsewhere(ctx, query)
    await _read_preferences(ctx, query.user_id)
    statistics = await _read_statistics(ctx, query)
    if statistics is None or not statistics.table_totals:
        await _show_empty(ctx, query, statistics)
        return
    earned = achievements(statistics)
    everywhere = not ctx.guild_id
    page = achievements_page(
        query.user_id, statistics.variant, earned, ctx.words, everywhere=everywhere
    )
    await ctx.services.pictures.show(ctx.reply, page)


async def show_profile(ctx: Context, query: ProfileQuery) -> None:
    """Show the requested profile privately; outside servers with the bot that of all servers."""
    user_id, everywhere = query.user_id, not ctx.guild_id
    _check_own_elsewhere(ctx, query)
    preferences = await _read_preferences(ctx, user_id)
    statistics = await _read_statistics(ctx, query)
    user_career = career(statistics) if statistics is not None else None
    if statistics is None or user_career is None:
        await _show_empty(ctx, query, statistics)
        return
    names = await _read_names(ctx, user_career)
    scored = VARIANTS[user_career.variant].scored
    has_accuracy = scored and not everywhere and await sees_accuracy(ctx, user_id)
    puzzles = await ctx.reply.read(ctx.bot.store.puzzles.player(user_id))
    speaker, earned = ctx.words, achievements(statistics)

    def page(alt: str | None = None) -> Page:
        games = tuple(statistics.games)
        return profile_page(
            *(user_career, earned, games, names, preferences, speaker),
            puzzles=puzzles,
            alt=alt,
            accuracy=has_accuracy,
            everywhere=everywhere,
        )

    message_id = await ctx.services.pictures.show(ctx.reply, page())
    chart = _chart(statistics, names.get(user_id) or speaker.say("Player"), speaker.say)
    if chart is not None:
        alt = alt_text(chart, speaker.say)
        ctx.services.pictures.begin(ctx.reply, message_id, chart, RATING_FILE, alt, page)


def _check_own_elsewhere(ctx: Context, query: ProfileQuery) -> None:
    """Raise `Refused` for the profile of somebody else outside servers with the bot.

    It would show their games on servers that the user may not know.
    """
    if not ctx.guild_id and query.user_id != ctx.user_id:
        raise Refused(Reason.SERVERS_ONLY)


async def public_profile(ctx: Context, query: ProfileQuery, words: Speaker) -> Page:
    """Return the requested profile as a page for everybody in the channel."""
    preferences = await _read_preferences(ctx, query.user_id)
    statistics = await _read_statistics(ctx, query)
    user_career = career(statistics) if statistics is not None else None
    if preferences.hidden or statistics is None or user_career is None:
        raise Refused(Reason.PROFILE_HIDDEN)
    names, games = await _read_names(ctx, user_career), tuple(statistics.games)
    puzzles = await ctx.reply.read(ctx.bot.store.puzzles.player(query.user_id))
    earned, by = achievements(statistics), ctx.user_id
    return profile_page(
        user_career, earned, games, names, preferences, words, puzzles=puzzles, by=by
    )


async def _read_names(ctx: Context, user_career: Career) -> Mapping[UserId, str]:
    """Return the names of everybody on a profile."""
    reading = ctx.bot.store.rankings.names(ctx.guild_id or WORLD, _people_named(user_career))
    return await ctx.reply.read(reading)


async def _read_preferences(ctx: Context, user_id: UserId) -> Preferences:
    """Return the preferences of a user; raise `Refused` if they hide their profile from others."""
    preferences = await ctx.reply.read(ctx.bot.store.preferences.get(user_id))
    if preferences.hidden and user_id != ctx.user_id:
        raise Refused(Reason.PROFILE_HIDDEN)
    return preferences


async def _read_statistics(ctx: Context, query: ProfileQuery) -> PlayerStatistics | None:
    """Return a user's statistics here, or on all servers; concurrent readers share the work."""
    key = (ctx.guild_id or WORLD, query.user_id, query.variant)
    read = partial(ctx.bot.store.history.played, *key)
    return await ctx.reply.read(ctx.services.work.result(("played", *key), read))


async def _show_empty(
    ctx: Context, query: ProfileQuery, statistics: PlayerStatistics | None
) -> None:
    """Show the page of a user without finished rounds of this game."""
    games = () if statistics is None else tuple(statistics.games)
    speaker, own = ctx.words, query.user_id == ctx.user_id
    puzzles = await ctx.reply.read(ctx.bot.store.puzzles.player(query.user_id))
    page = empty_profile_page(
        *(query.user_id, games, speaker),
        own=own,
        variant=query.variant,
        puzzles=puzzles,
        everywhere=not ctx.guild_id,
    )
    await ctx.services.pictures.show(ctx.reply, page)


def _people_named(career: Career) -> set[UserId]:
    """Return everybody who is named on the profile."""
    others = (career.favourite, career.best_partner, career.nemesis)
    return {career.user_id} | {other.user_id for other in others if other is not None}


def _chart(statistics: PlayerStatistics, name: str, say: Say) -> RatingChart | None:
    """Return the chart of a rating, or `None` if it is known for fewer than `_FEWEST_DAYS` days.

    Each point has the end of a day, the likeliest rating, and how much lower the displayed rating
    is. The displayed rating is the lower edge of the band around the line.
    """
    if len(statistics.ratings) < _FEWEST_DAYS:
        return None
    points = tuple(
        (_EPOCH + day * _DAY, rating.mu, rating.mu - rating.shown)
        for day, rating in statistics.ratings
    )
    first, last = points[0][0], points[-1][0]
    return rating_chart(name, points, _month_lines(first, last, say), say)


def _month_lines(first: datetime, last: datetime, say: Say) -> tuple[tuple[datetime, str], ...]:
    """Return the beginnings of the months after the first day, with their names.

    Return none if there are more than `_MOST_MONTHS`.
    """
    lines, month = [], first.replace(day=1)
    # 31 days after the first of a month is always in the next month.
    while (month := (month + 31 * _DAY).replace(day=1)) <= last:
        lines.append((month, str(format_skeleton("yMMM", month, locale=say.language))))
    return tuple(lines) if len(lines) <= _MOST_MONTHS else ()


# --- leaderboards --------------------------------------------------------------------------------


@control(Verb.LEADERS, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def turn_leaderboard(ctx: ClickContext) -> None:
    """Show another page of the leaderboard, or another leaderboard."""
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    await show_leaderboard(ctx, read_board_query(ctx.click.chosen, seasons))


@control(Verb.LEADERS_PAGE, who=Who.NOBODY, where=Where.SERVER)
async def leaderboard_page_number(ctx: ClickContext) -> None:
    """Refuse the click, because this button only shows the page number and is never enabled."""
    raise Refused(Reason.UNKNOWN_BUTTON)


async def open_leaderboard(ctx: Context, query: BoardQuery) -> None:
    """Show this leaderboard, or that of another game if nobody is on it.

    The user has chosen no game, so an empty leaderboard would be of no use to them.
    """
    boards = [replace(query, variant=name) for name in (query.variant, *VARIANTS)]
    for each in boards:
        board = each.board(ctx.guild_id)
        reading = ctx.bot.store.rankings.page(board, 0, PEOPLE_PER_PAGE, ctx.user_id)
        if (await ctx.reply.read(reading)).leaders.size:
            await show_leaderboard(ctx, each)
            return
    await show_leaderboard(ctx, query)


async def show_leaderboard(ctx: Context, query: BoardQuery) -> None:
    """Show the requested page, or the last one if the leaderboard has become shorter."""
    board = query.board(ctx.guild_id)
    reading = ctx.bot.store.rankings.page(board, query.page, PEOPLE_PER_PAGE, ctx.user_id)
    board_page = await ctx.reply.read(reading)
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    await ctx.reply.show(leaderboard_page(query, board_page, seasons, ctx.words))
