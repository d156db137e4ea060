"""**Share**: a leaderboard, a profile or a position of a replay, posted for all in the channel.

The page is made again in the server's language, without what concerns its reader alone. It is the
answer to the click, so it needs no permission of the bot. The user must be allowed to write in the
channel, and may share once in `SHARE_PAUSE_S`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord

from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.history.matches import venue_of
from bot.rating.tallies import season_of
from bot.text.cards import Speaker
from cogs.clicks.context import ClickContext
from cogs.clicks.history import in_range, visible_table
from cogs.clicks.limits import POST, SHARE_PAUSE_S
from cogs.clicks.profiles import public_profile
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.replies import Interaction
from cogs.pages.controls import Page
from cogs.pages.history.replay import ReplayQuery, read_replay_query, replay_page
from cogs.pages.profiles.leaderboard import (
    PEOPLE_PER_PAGE,
    last_seasons,
    read_board_query,
    shared_leaderboard_page,
)
from cogs.pages.profiles.profile import read_profile_query
from cogs.pages.verbs import Verb


@control(Verb.SHARE_LEADERS, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_leaderboard(ctx: ClickContext) -> None:
    """Post a page of a leaderboard."""
    await _share(ctx, _leaderboard)


@control(Verb.SHARE_PROFILE, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_profile(ctx: ClickContext) -> None:
    """Post a profile."""
    await _share(ctx, _profile)


@control(Verb.SHARE_REPLAY, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_replay(ctx: ClickContext) -> None:
    """Post a position of a replay."""
    await _share(ctx, _replay)


async def _share(
    ctx: ClickContext, page_of: Callable[[ClickContext, Speaker], Awaitable[Page]]
) -> None:
    """Post the page for all, and notify nobody.

    The pause begins before anything is read, so that of two quick clicks one is refused. It does
    not begin if nothing can be shown.
    """
    shares, words = ctx.services.limits.shares, ctx.public_words()
    if not shares.spend(ctx.user_id, SHARE_PAUSE_S):
        raise Refused(Reason.SHARED_JUST_NOW, seconds=SHARE_PAUSE_S)
    try:
        page = await page_of(ctx, words)
    except Exception:
        shares.give_back(ctx.user_id, SHARE_PAUSE_S)
        raise
    await ctx.reply.send_to_all(page)


async def _leaderboard(ctx: ClickContext, words: Speaker) -> Page:
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    query = read_board_query(ctx.click.args, seasons)
    board, rankings = query.board(ctx.guild_id), ctx.bot.store.rankings
    reading = rankings.page(board, query.page, PEOPLE_PER_PAGE, ctx.user_id)
    found = await ctx.reply.read(reading)
    return shared_leaderboard_page(query, found, seasons, words, ctx.user_id)


async def _profile(ctx: ClickContext, words: Speaker) -> Page:
    return await public_profile(ctx, read_profile_query(ctx.click.args), words)


async def _replay(ctx: ClickContext, words: Speaker) -> Page:
    query = read_replay_query(ctx.click.args)
    record = await visible_table(ctx, ctx.click.table_id)
    venue = await ctx.reply.read(venue_of(ctx.bot.store, record, ctx.user_id))
    if not seen_by_all(ctx.interaction, venue):
        raise Refused(Reason.NOT_SHOWN_HERE)
    finding = ctx.services.replays.replay(record, in_range(query.number) or None)
    found = await ctx.reply.read(finding)
    query = ReplayQuery(found.played.number, query.place, query.opened)
    return replay_page(found, query, words, ctx.user_id)


def seen_by_all(interaction: Interaction, venue: Venue) -> bool:
    """Return whether all readers of the channel of a click may see what was played in another one.

    That is so in the channel itself and its threads, and if everybody on the server can see it.
    """
    here = interaction.channel
    parent = here.parent_id if isinstance(here, discord.Thread) else None
    if venue.channel_id in (interaction.channel_id, parent):
        return True
    guild = interaction.guild
    played = guild.get_channel_or_thread(venue.channel_id) if guild is not None else None
    if played is None and guild is not None and venue.parent_channel_id is not None:
        played = guild.get_channel(venue.parent_channel_id)
    if isinstance(played, discord.Thread):
        played = None if played.is_private() else played.parent
    if guild is None or played is None:
        return False
    return played.permissions_for(guild.default_role).view_channel
