"""Controls with which players of a running match leave it, and others take their seats."""

from __future__ import annotations

from collections.abc import Callable

from bot.errors import Reason, Refused
from bot.ids import MessageId
from bot.table.commands import (
    AcceptSeat,
    Command,
    DeclineSeat,
    KeepSeat,
    LeaveToComputer,
    OfferSeat,
    StayOut,
    TakeOver,
)
from bot.table.permission import acting_seat
from bot.table.seats import free_seats
from bot.table.state import Game
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import POST
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.table_actions import change_game, change_hand, show_hand
from cogs.pages.controls import Page, read_number, text
from cogs.pages.names import name_or_mention
from cogs.pages.table.seats import answered_offer_page, leave_page, left_page, watching_page
from cogs.pages.verbs import Verb

# --- leaving -------------------------------------------------------------------------------------


@control(Verb.LEAVE_MATCH, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def ask_who_plays_on(ctx: ClickContext) -> None:
    """Ask the leaving user who is to get their seat."""
    game, _ = acting_seat(ctx.table, ctx.user_id)
    await ctx.reply.show(leave_page(game, ctx.words))


@control(Verb.TO_COMPUTER, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def leave_to_computer(ctx: ClickContext) -> None:
    """Leave the match; a computer takes the seat."""
    if await _hand_over(ctx, LeaveToComputer) is not None:
        await ctx.reply.show(left_page(ctx.words))


@control(Verb.TO_MEMBER, who=Who.SEATED, where=Where.TABLE_CHANNEL, cost=POST)
async def offer_seat(ctx: ClickContext) -> None:
    """Offer the seat to the chosen member, and show the same page for another choice."""
    game = await _hand_over(ctx, lambda: _offer(ctx))
    if game is not None:
        (member,) = ctx.click.users
        name = name_or_mention(member.display_name, member.id)
        note = ctx.words.say("Asked {name}. Keep playing until they accept.", name=name)
        await ctx.reply.show(leave_page(game, ctx.words, note))


@control(Verb.STAY, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def stay(ctx: ClickContext) -> None:
    """Keep the seat, and withdraw an offer of it."""
    await change_game(ctx, KeepSeat())
    await ctx.reply.show(Page(text(ctx.words.say("You're staying."))))


def _offer(ctx: ClickContext) -> Command:
    if len(ctx.click.users) != 1:
        raise Refused(Reason.UNKNOWN_BUTTON)
    (member,) = ctx.click.users
    return OfferSeat(member.id, name_or_mention(member.display_name, member.id), member.bot)


async def _hand_over(ctx: ClickContext, make_command: Callable[[], Command]) -> Game | None:
    """Execute a command that gives the seat to another player; return the game afterwards.

    If it is refused, show the page again with the reason, and return `None`.
    """
    try:
        return await change_game(ctx, make_command())
    except Refused as refused:
        game = ctx.own_game()
        if game is None:
            raise
        note = "⚠️ " + sentence(ctx.words.say, refused)
        await ctx.reply.show(leave_page(game, ctx.words, note))
        return None


# --- taking a seat -------------------------------------------------------------------------------


@control(Verb.TAKE_SEAT, who=Who.OFFERED, where=Where.TABLE_SERVER)
async def take_seat(ctx: ClickContext) -> None:
    """Accept an offered seat, show the hand, and rewrite the offer as accepted."""
    command = AcceptSeat(ctx.interaction.user.display_name, read_number(ctx.click.args))
    game = await change_game(ctx, command)
    if ctx.interaction.message is not None and ctx.on_public_message(game):
        page = answered_offer_page(ctx.user_id, ctx.public_words(game.guild_id), taken=True)
        ctx.announcer.rewrite(game, MessageId(ctx.interaction.message.id), page)
    await show_hand(ctx, game)


@control(Verb.NO_SEAT, who=Who.OFFERED, where=Where.TABLE_CHANNEL)
async def decline_seat(ctx: ClickContext) -> None:
    """Decline an offered seat, and rewrite the offer as declined."""
    game = await change_game(ctx, DeclineSeat(read_number(ctx.click.args)))
    page = answered_offer_page(ctx.user_id, ctx.public_words(game.guild_id), taken=False)
    await ctx.reply.replace(page)


@control(Verb.SIT, who=Who.ANYBODY, where=Where.TABLE_SERVER)
async def sit(ctx: ClickContext) -> None:
    """Take the seat of a computer; if there are several, first let the user choose one.

    If another user was faster, show the spectator's page again with the reason.
    """
    game, note, user_id = ctx.table, "", ctx.user_id
    if not isinstance(game, Game) or game.seat_of(user_id) is not None:
        await _take_over(ctx)  # raises `Refused`
        return
    if ctx.click.chosen or len(free_seats(game, user_id)) < 2:
        try:
            await _take_over(ctx)
            return
        except Refused as refused:
            current = ctx.bot.tables.find(ctx.click.table_id)
            if not ctx.reply.on_private_page or not isinstance(current, Game):
                raise
            game, note = current, "⚠️ " + sentence(ctx.words.say, refused)
    await ctx.reply.show(watching_page(game, user_id, ctx.words, note))


async def _take_over(ctx: ClickContext) -> None:
    seat = read_number(ctx.click.chosen) if ctx.click.chosen else None
    await change_hand(ctx, TakeOver(ctx.interaction.user.display_name, seat))


@control(Verb.STAY_OUT, who=Who.ANYBODY, where=Where.TABLE_SERVER)
async def stay_out(ctx: ClickContext) -> None:
    """Cancel the user's reservation of a seat for the next round."""
    await change_hand(ctx, StayOut())
