"""**Share**: posts a leaderboard or a profile for everybody in the channel.

The page is rendered in the server's language and without parts that concern only its reader. It is
the public answer to the click, so the bot needs no permission. The user must be allowed to write in
the channel, and may share once in `SHARE_PAUSE_S`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import discord

from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.rating.tallies import season_of
from bot.runtime.cooldowns import Cooldowns
from bot.text.cards import Speaker
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import POST, SHARE_PAUSE_S
from cogs.clicks.profiles import public_profile
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.replies import Interaction
from cogs.pages.controls import Page
from cogs.pages.names import copy_offer, safe
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


async def _share(
    ctx: ClickContext, page_of: Callable[[ClickContext, Speaker], Awaitable[Page]]
) -> None:
    """Post the page in the channel, and notify nobody."""
    with sharing_pause(ctx, ctx.services.limits.shares, SHARE_PAUSE_S):
        page = await page_of(ctx, ctx.public_words())
    await ctx.reply.send_to_all(page)


async def share_line(ctx: ClickContext, line: str) -> bool:
    """Post a line for everybody, after the user's name; return whether it was posted.

    Where others would not see it, offer it to copy instead.
    """
    name = safe(ctx.interaction.user.display_name)
    if await ctx.reply.send_to_all(f"**{name}** · {line}", shared=True) is not None:
        return True
    await ctx.reply.send_text(copy_offer(line, ctx.words.say))
    return False


@contextmanager
def sharing_pause(ctx: ClickContext, pauses: Cooldowns, seconds: int) -> Iterator[None]:
    """Begin the pause until the user may share again; cancel it if the block fails.

    Raise `Refused` during a pause. The pause begins before anything is read, so that the second of
    two quick clicks is refused.
    """
    if not pauses.spend(ctx.user_id, seconds):
        raise Refused(Reason.SHARED_JUST_NOW, seconds=seconds)
    try:
        yield
    except Exception:
        pauses.give_back(ctx.user_id, seconds)
        raise


async def _leaderboard_page(ctx: ClickContext, words: Speaker) -> Page:
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    query = read_board_query(ctx.click.args, seasons)
    board, rankings = query.board(ctx.guild_id), ctx.bot.store.rankings
    reading = rankings.page(board, query.page, PEOPLE_PER_PAGE, ctx.user_id)
    board_page = await ctx.reply.read(reading)
    return shared_leaderboard_page(query, board_page, seasons, words, ctx.user_id)


async def _profile_page(ctx: ClickContext, words: Speaker) -> Page:
    return await public_profile(ctx, read_profile_query(ctx.click.args), words)


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
