"""The deal of the day: its start page, playing it, its results, and **Share**.

All pages are private. Only the line that a person shares is public.
"""

from __future__ import annotations

from bot.boards.board import Board
from bot.errors import Reason, Refused
from bot.ids import ChannelId, MessageId
from bot.table.solo_game import SoloGame
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE, POST, SHARE_PAUSE_S
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.sharing import share_line, sharing_pause
from cogs.clicks.solo_results import show_daily_result
from cogs.clicks.table_actions import show_hand
from cogs.pages.controls import Page, read_number
from cogs.pages.daily.fair_deal import daily_fair_deal_page
from cogs.pages.daily.start import Daily, OwnBoard, start_page
from cogs.pages.verbs import Verb

_NOT_NOW = (Reason.DAILY_OVER, Reason.COMPUTERS_UPDATED, Reason.SOLO_ROUND_OVER, Reason.NO_EXPERTS)
"""Refusals that are shown on the start page."""


async def show_daily(ctx: Context, note: str = "") -> None:
    """Show the start page of the deal of the day; `note` is why something was refused."""
    boards = ctx.bot.boards
    today = await ctx.reply.read(boards.today())
    ...


@control(Verb.DAILY, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def go_to_daily(ctx: ClickContext) -> None:
    """Show the start page, in place of a hand or a result."""
    _leave_page(ctx)
    await show_daily(ctx)
