"""Leaderboards of the deal of the day, and their files."""

from __future__ import annotations

import asyncio
import io

import discord

from bot.boards.days import day_of
from bot.formats.daily_standings import standings_csv, standings_json
from bot.score_records import WORLD, Scope
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import FILE, PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.solo_results import show_in_place
from cogs.pages.daily.leaderboard import (
    PEOPLE_PER_PAGE,
    DailyQuery,
    daily_leaderboard_page,
    read_daily_query,
    read_export,
)
from cogs.pages.verbs import Verb


@control(Verb.DAILY_BOARD, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_daily_leaderboard(ctx: ClickContext) -> None:
    """Show a page of a leaderboard, or the last one if it has become shorter."""
    query = read_daily_query(ctx.click.chosen)
    today, scope = day_of(ctx.bot.clock.now()), _scope(ctx, query)
    reading = ctx.bot.store.daily_standings.page(
        scope, query.stored_period(today), query.page, PEOPLE_PER_PAGE, ctx.user_id
    )
    leaders = await ctx.reply.read(reading)
    query = DailyQuery(query.period, scope == WORLD, leaders.number)
    in_server = bool(ctx.guild_id)
    page = daily_leaderboard_page(query, today, leaders, ctx.words, in_server=in_server)
    await show_in_place(ctx, page)


@control(Verb.DAILY_EXPORT, who=Who.ANYBODY, where=Where.ANYWHERE, cost=FILE)
async def export(ctx: ClickContext) -> None:
    """Send a file with all lines of a leaderboard."""
    query, form = read_export(ctx.click.args)
    period, scope = query.stored_period(day_of(ctx.bot.clock.now())), _scope(ctx, query)

    async def write() -> bytes:
        lines = await ctx.bot.store.daily_standings.lines(scope, period)
        if form == "csv":
            return await asyncio.to_thread(standings_csv, lines)
        return await asyncio.to_thread(standings_json, lines, period, everywhere=scope == WORLD)

    content = await ctx.reply.read(write())
    await ctx.reply.send_file(discord.File(io.BytesIO(content), f"tichu-daily-{period}.{form}"))


def _scope(ctx: ClickContext, query: DailyQuery) -> Scope:
    """Return the server of the click, or all servers; outside of servers always the latter."""
    return WORLD if query.everywhere else ctx.guild_id
