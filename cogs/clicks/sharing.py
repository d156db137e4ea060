"""**Share**: posts a leaderboard, a profile or a position of a replay in the channel.

The page is rendered in the server's language and without parts that concern only its reader. It is
the public answer to the click, so the bot needs no permission. The user must be allowed to write in
the channel, and may share once in `SHARE_PAUSE_S`.
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
from cogs.clicks.history import check_range, visible_table
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
    await _share(ctx, _leaderboard_page)


@control(Verb.SHARE_PROFILE, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_profile(ctx: ClickContext) -> None:
    """Post a profile."""
    await _share(ctx, _profile_page)


@control(Verb.SHARE_REPLAY, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_replay(ctx: ClickContext) -> None:
    """Post a position of a replay."""
    await _share(ctx, _replay_page)


async def _share(
    ctx: ClickContext, page_of: Callable[[ClickContext, Speaker], Awaitable[Page]]
) -> None:
    """Post the page in the channel, and notify nobody.

    The pause begins before anything is read, so that the second of two quick clicks is refused. If
    the page cannot be shown, the pause is cancelled.
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


async def _leaderboard_page(ctx: ClickContext, words: Speaker) -> Page:
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    query = read_board_query(ctx.click.args, seasons)
    board, rankings = query.board(ctx.guild_id), ctx.bot.store.rankings
    reading = rankings.page(board, query.page, PEOPLE_PER_PAGE, ctx.user_id)
    board_page = await ctx.reply.read(reading)
    return shared_leaderboard_page(query, board_page, seasons, words, ctx.user_id)


async def _profile_page(ctx: ClickContext, words: Speaker) -> Page:
    return await public_profile(ctx, read_profile_query(ctx.click.args), words)


async def _replay_page(ctx: ClickContext, words: Speaker) -> Page:
    query = read_replay_query(ctx.click.args)
    record = await visible_table(ctx, ctx.click.table_id)
    venue = await ctx.reply.read(venue_of(ctx.bot.store, record, ctx.user_id))
    if not is_public_here(ctx.interaction, venue):
        raise Refused(Reason.NOT_SHOWN_HERE)
    reading = ctx.services.replays.replay(record, check_range(query.number) or None)
    replay = await ctx.reply.read(reading)
    query = ReplayQuery(replay.played.number, query.place, query.opened)
    return replay_page(replay, query, words, ctx.user_id)


def is_public_here(interaction: Interaction, venue: Venue) -> bool:
    """Return whether all readers of the interaction's channel can see where a match was played.

    They can if it was played in this channel, or in its parent if this is a thread, or in a channel
    that everybody on the server can see.
    """
    here = interaction.channel
    parent_id = here.parent_id if isinstance(here, discord.Thread) else None
    if venue.channel_id in (interaction.channel_id, parent_id):
        return True
    guild = interaction.guild
    channel = guild.get_channel_or_thread(venue.channel_id) if guild is not None else None
    if channel is None and guild is not None and venue.parent_channel_id is not None:
        channel = guild.get_channel(venue.parent_channel_id)
    if isinstance(channel, discord.Thread):
        channel = None if channel.is_private() else channel.parent
    if guild is None or channel is None:
        return False
    return channel.permissions_for(guild.default_role).view_channel
