"""Dispatches clicks to their handlers, and answers those that are refused or fail."""

from __future__ import annotations

from bot.errors import Reason, Refused, Stale
from bot.runtime.metrics import UNKNOWN
from bot.table.solo_game import SOLO_IDS
from bot.text.sentences import sentence
from cogs.clicks import (  # noqa: F401 - they register their handlers
    accuracy,
    challenges,
    club,
    daily,
    daily_leaderboard,
    hand,
    history,
    inviting,
    league,
    lessons,
    lobby,
    opening,
    profiles,
    puzzles,
    replays,
    reviews,
    seats,
    server_settings,
    settings,
    sharing,
    stopping,
    table,
    tables,
    tournament,
)
from cogs.clicks.context import ClickContext
from cogs.clicks.errors import refuse
from cogs.clicks.limits import CLICK
from cogs.clicks.registry import CONTROLS, Who, check_complete
from cogs.clicks.rights import check_rights
from cogs.clicks.table_actions import show_hand
from cogs.delivery.message_languages import load_reader
from cogs.delivery.replies import Expired
from cogs.pages.controls import Page, text
from cogs.pages.hand.choices import Draft
from engine import IllegalAction

check_complete()

_NO_HAND = (Reason.TABLE_OVER, Reason.NOT_SEATED, Reason.ALREADY_STARTED)
"""Refusals that replace a private page with their sentence, not with the user's hand.

For the first two the user has no hand at the table. For the third the page was one of the lobby.
"""
_NOT_AT_A_TABLE = (Who.READER, Who.WRITER)
"""Users of controls on past matches and shared pages, which must not be replaced with a hand."""


async def answer_click(ctx: ClickContext) -> None:
    """Answer a click by its handler, or with the reason why it was refused or failed.

    The checks come in this order: age of the click, rate limit, rights of the user.
    """
    verb = ctx.click.verb
    registered = CONTROLS.get(verb)
    try:
        await ctx.reply.accept(verb if registered else UNKNOWN, ctx.click.table_id or None)
        ctx.services.limits.check_click(ctx.user_id, registered.cost if registered else CLICK)
        if ctx.click.table_id >= SOLO_IDS:
            await ctx.reply.read(ctx.bot.tables.solo_games.load(ctx.click.table_id, ctx.user_id))
        control = check_rights(ctx, registered)
    except Expired:
        ctx.bot.inflight.log_expired()
        return
    except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
        await _refuse(ctx, error)
        return
    ctx.bot.tables.clicked(ctx.click.table_id, ctx.user_id)
    try:
        await ctx.reply.read(load_reader(ctx.bot, ctx.interaction))
        await control.handler(ctx)
    except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
        if isinstance(error, Refused | IllegalAction) and control.who not in _NOT_AT_A_TABLE:
            await _show_current_hand(ctx, error)
        else:
            await refuse(ctx, error)


async def _show_current_hand(ctx: ClickContext, error: Refused | IllegalAction) -> None:
    """Answer a refused click on a private page, or on a stale button, with the user's hand.

    The hand shows the reason of the refusal. If the user has no hand there any more, the reason
    replaces the page. Other refusals are answered with a sentence.
    """
    ctx.bot.metrics.clicks_ahead += isinstance(error, Stale) and error.ahead
    try:
        on_page = ctx.reply.on_private_page
        game = ctx.own_game() if on_page or isinstance(error, Stale) else None
        if game is not None and error.code is not Reason.ALREADY_STARTED:
            note = "⚠️ " + sentence(ctx.words.say, error)
            await show_hand(ctx, game, Draft(note=note, seat=ctx.click.seat))
        elif error.code in _NO_HAND and on_page:
            await ctx.reply.show(Page(text(sentence(ctx.words.say, error))))
        else:
            raise error
    except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
        await _refuse(ctx, failure)


async def _refuse(ctx: ClickContext, error: Exception) -> None:
    """Answer a refused click with a sentence, and rewrite a clicked lobby that is over."""
    try:
        await ctx.reply.read(load_reader(ctx.bot, ctx.interaction))
        if isinstance(error, Refused) and error.code is Reason.TABLE_OVER:
            await lobby.show_closed(ctx)
    except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
        error = failure
    await refuse(ctx, error)
