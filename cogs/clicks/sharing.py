"""**Share**: a leaderboard or a profile, posted for all in the channel.

The page is made again in the server's language, without what concerns its reader alone. It is the
answer to the click, so it needs no permission of the bot. The user must be allowed to write in the
channel, and may share once in `SHARE_PAUSE_S`.
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


async def _share(
    ctx: ClickContext, page_of: Callable[[ClickContext, Speaker], Awaitable[Page]]
) -> None:
    """Post the page for all, and notify nobody."""
    with one_in(ctx, ctx.services.limits.shares, SHARE_PAUSE_S):
        page = await page_of(ctx, ctx.public_words())
    await ctx.reply.send_to_all(page)


@contextmanager
def one_in(ctx: ClickContext, pauses: Cooldowns, seconds: int) -> Iterator[None]:
    """Begin the user's pause; if the block fails, it does not count.

    The pause begins before anything is read, so that of two quick clicks one is refused.
    """
    if not pauses.spend(ctx.user_id, seconds):
        raise Refused(Reason.SHARED_JUST_NOW, seconds=seconds)
    try:
        yield
    except Exception:
        pauses.give_back(ctx.user_id, seconds)
        raise


async def _leaderboard(ctx: ClickContext, words: Speaker) -> Page:
    seasons = last_seasons(season_of(ctx.bot.clock.now()))
    query = read_board_query(ctx.click.args, seasons)
    board, rankings = query.board(ctx.guild_id), ctx.bot.store.rankings
    reading = rankings.page(board, query.page, PEOPLE_PER_PAGE, ctx.user_id)
    found = await ctx.reply.reading(reading)
    return shared_leaderboard_page(query, found, seasons, words, ctx.user_id)


async def _profile(ctx: ClickContext, words: Speaker) -> Page:
    return await public_profile(ctx, read_profile_query(ctx.click.args), words)


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
