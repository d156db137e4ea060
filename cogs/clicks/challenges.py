"""Challenges: two people play the same four deals, each alone, and compare at the end.

The offer is the only message that notifies somebody: it mentions the person who is challenged, once
and only if they want invitations. All other pages are private.
"""

from __future__ import annotations

import discord

from bot.boards.challenge import OpenChallenge
from bot.errors import Reason, Refused
from bot.ids import ChallengeId, ChannelId, UserId
from bot.records import LARGEST_NUMBER
from bot.table.inviting import wants_invitations
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.solo_results import show_in_place
from cogs.clicks.table_actions import show_hand
from cogs.pages.challenges.page import comparison_page, deals_page, leave_page, list_page
from cogs.pages.controls import read_number
from cogs.pages.names import name_or_mention
from cogs.pages.verbs import Verb


async def open_challenges(ctx: Context, player: discord.User | discord.Member | None) -> None:
    """Challenge somebody, if a player is given, and show the user's challenges."""
    if player is not None:
        await _offer(ctx, player)
    await _show(ctx)


async def _offer(ctx: Context, player: discord.User | discord.Member) -> None:
    """Challenge somebody in this channel.

    As with invitations to a table, the refusal is the same for a person who wants none and for one
    who has had many.
    """
    if not ctx.guild_id:
        raise Refused(Reason.NO_CHALLENGE_HERE)
    challenged, channel_id = UserId(player.id), ChannelId(ctx.interaction.channel_id or 0)
    name = name_or_mention(player.display_name, challenged)
    if challenged == ctx.user_id:
        raise Refused(Reason.CHALLENGE_YOURSELF)
    if player.bot:
        raise Refused(Reason.MEMBER_IS_BOT, name=name)
    if not _sees_channel(player):
        raise Refused(Reason.SEES_NO_CHANNEL, name=name)
    ctx.check_channel(channel_id)
    challenges, limits = ctx.bot.tables.challenges, ctx.services.limits
    await ctx.reply.read(challenges.check_offer(ctx.user_id, challenged))
    settings = await ctx.reply.read(ctx.bot.store.personal_settings.get(challenged))
    if not limits.invitations_sent.spend(ctx.user_id, 1):
        raise Refused(Reason.INVITED_MANY)
    is_wanted = wants_invitations(settings, ctx.bot.clock.now())
    if not is_wanted or not limits.invitations_received.spend(challenged, 1):
        raise Refused(Reason.NOT_TO_BE_INVITED, name=name)
    await ctx.reply.change(challenges.offer(ctx.user_id, challenged, ctx.guild_id, channel_id))


def _sees_channel(player: discord.User | discord.Member) -> bool:
    """Return whether a person is on the server and sees the channel of the command."""
    if not isinstance(player, discord.Member):
        return False
    allowed = player.resolved_permissions
    return allowed is None or allowed.view_channel


async def _show(ctx: Context, page: int = 0) -> None:
    """Show a page of the user's challenges."""
    challenges = await ctx.reply.read(ctx.bot.tables.challenges.of(ctx.user_id))
    await show_in_place(ctx, list_page(challenges, page, ctx.user_id, ctx.words))


@control(Verb.CHALLENGES, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_list(ctx: ClickContext) -> None:
    """Show a page of the user's challenges."""
    await _show(ctx, read_number(ctx.click.args or "0"))


@control(Verb.CHALLENGE_ACCEPT, who=Who.CHALLENGED, where=Where.ANYWHERE, cost=PAGE)
async def accept(ctx: ClickContext) -> None:
    """Accept a challenge."""
    await ctx.reply.change(ctx.bot.tables.challenges.accept(_challenge_id(ctx), ctx.user_id))
    await _show(ctx)


@control(Verb.CHALLENGE_DECLINE, who=Who.CHALLENGED, where=Where.ANYWHERE, cost=PAGE)
async def decline(ctx: ClickContext) -> None:
    """Decline a challenge."""
    await ctx.reply.change(ctx.bot.tables.challenges.decline(_challenge_id(ctx), ctx.user_id))
    await _show(ctx)


@control(Verb.CHALLENGE_LEAVE, who=Who.CHALLENGED, where=Where.ANYWHERE)
async def ask_to_leave(ctx: ClickContext) -> None:
    """Ask whether to leave a challenge, or to withdraw an offer."""
    getting = ctx.bot.tables.challenges.get(_challenge_id(ctx), ctx.user_id)
    asked = await ctx.reply.read(getting)
    if not asked.is_open:
        raise Refused(Reason.CHALLENGE_OVER)
    await ctx.reply.show(leave_page(asked, ctx.user_id, ctx.words))


@control(Verb.CHALLENGE_LEAVE_NOW, who=Who.CHALLENGED, where=Where.ANYWHERE, cost=PAGE)
async def leave(ctx: ClickContext) -> None:
    """Leave a challenge, or withdraw an offer."""
    await ctx.reply.change(ctx.bot.tables.challenges.leave(_challenge_id(ctx), ctx.user_id))
    await _show(ctx)


@control(Verb.CHALLENGE_PLAY, who=Who.CHALLENGED, where=Where.ANYWHERE, cost=PAGE)
async def play(ctx: ClickContext) -> None:
    """Begin the user's next deal of a challenge, or go on with it."""
    getting = ctx.bot.tables.challenges.next_board(_challenge_id(ctx), ctx.user_id)
    board = await ctx.reply.read(getting)
    name = ctx.interaction.user.display_name
    beginning = ctx.bot.boards.begin(board, ctx.user_id, name, ctx.guild_id)
    await show_hand(ctx, await ctx.reply.change(beginning))


@control(Verb.CHALLENGE_COMPARE, who=Who.CHALLENGED, where=Where.ANYWHERE, cost=PAGE)
async def show_comparison(ctx: ClickContext) -> None:
    """Show the results of both people, deal by deal. Raise `Refused` while they are secret."""
    challenges = ctx.bot.tables.challenges
    shown = await ctx.reply.read(challenges.get(_challenge_id(ctx), ctx.user_id))
    seen = await ctx.reply.read(challenges.see(shown, ctx.user_id))
    if isinstance(seen, OpenChallenge):
        raise Refused(Reason.CHALLENGE_OPEN)
    await show_in_place(ctx, comparison_page(seen, ctx.user_id, ctx.words))


@control(Verb.CHALLENGE_DEALS, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_deals(ctx: ClickContext) -> None:
    """Show the commitments of a challenge, and its secrets once it is over."""
    challenges = ctx.bot.tables.challenges
    deals = await ctx.reply.read(challenges.fair_deals(_challenge_id(ctx)))
    await ctx.reply.show(deals_page(deals, ctx.words))


def _challenge_id(ctx: ClickContext) -> ChallengeId:
    number = read_number(ctx.click.args)
    if number > LARGEST_NUMBER:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return ChallengeId(number)
