"""Dispatches clicks to their handlers, and answers those that are refused or fail."""

from __future__ import annotations

from bot.errors import Reason, Refused, Stale
from bot.runtime.metrics import UNKNOWN
from bot.text.sentences import sentence
from cogs.clicks import (  # noqa: F401 - they register their handlers
    hand,
    history,
    inviting,
    lessons,
    lobby,
    opening,
    profiles,
    seats,
    server_settings,
    settings,
    sharing,
    stopping,
    table,
    tables,
)
from cogs.clicks.context import ClickContext
from cogs.clicks.errors import refuse
from cogs.clicks.limits import CLICK
from cogs.clicks.registry import CONTROLS, Who, check_complete
from cogs.clicks.rights import check_rights
from cogs.clicks.table_actions import show_hand
from cogs.delivery.message_languages import load_reader
from cogs.pages.controls import Page, text
from cogs.pages.hand.choices import Draft
from engine import IllegalAction

check_complete()

_NO_HAND = (Reason.TABLE_OVER, Reason.NOT_SEATED)
"""Reasons for which there is no hand where a private page still offers one."""
_ABOUT_THE_PAST = (Who.READER, Who.WRITER)
"""Users of controls about past matches and shared pages: a hand does not belong in their place."""


async def answer_click(ctx: ClickContext) -> None:
    """Answer a click, also when it is refused or fails.

    A click that comes too late, much too fast or from the wrong place is refused with a sentence.
    """
    verb = ctx.click.verb
    known = CONTROLS.get(verb)
    try:
        ctx.reply.accept(verb if known else UNKNOWN, ctx.click.table_id or None)
        ctx.services.limits.check_click(ctx.user_id, known.cost if known else CLICK)
        control = check_rights(ctx, known)
    except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
        await _refuse(ctx, error)
        return
    ctx.bot.tables.clicked(ctx.click.table_id, ctx.user_id)
    try:
        await ctx.reply.read(load_reader(ctx.bot, ctx.interaction))
        await control.handler(ctx)
    except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
        if isinstance(error, Refused | IllegalAction) and control.who not in _ABOUT_THE_PAST:
            await _show_current_hand(ctx, error)
        else:
            await refuse(ctx, error)


async def _show_current_hand(ctx: ClickContext, error: Refused | IllegalAction) -> None:
    """Answer a refused click on a hand, or with a stale button: the hand now and the reason.

    If there is no such hand any more, the reason is shown in its place.
    """
    try:
        on_page = ctx.reply.on_private_page
        game = ctx.own_game() if on_page or isinstance(error, Stale) else None
        if game is not None:
            note = "⚠️ " + sentence(ctx.words.say, error)
            await show_hand(ctx, game, Draft(note=note, seat=ctx.click.seat))
        elif error.code in _NO_HAND and on_page:
            await ctx.reply.show(Page(text(sentence(ctx.words.say, error))))
        else:
            raise error
    except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
        await _refuse(ctx, failure)


async def _refuse(ctx: ClickContext, error: Exception) -> None:
    """Answer a click that is refused; the message of a lobby that is over shows that, too."""
    try:
        await ctx.reply.read(load_reader(ctx.bot, ctx.interaction))
        if isinstance(error, Refused) and error.code is Reason.TABLE_OVER:
            await lobby.show_closed(ctx)
    except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
        error = failure
    await refuse(ctx, error)
