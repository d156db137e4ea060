"""Results of rounds that people play alone on boards."""

from __future__ import annotations

from bot.board_records import SoloRound
from bot.boards.board import Board
from bot.boards.days import day_of, ends_at
from bot.boards.streaks import streak_of
from bot.errors import Reason, Refused
from bot.ids import ChallengeId, MessageId
from bot.table.solo_game import SoloGame
from cogs.clicks.context import Context
from cogs.pages.challenges.page import deal_page
from cogs.pages.controls import Page
from cogs.pages.daily.result import DailyResult, result_page


async def show_solo_result(ctx: Context, game: SoloGame) -> None:
    """Show the result of a round that has just ended."""
    board = await ctx.reply.read(ctx.bot.boards.board(game.board_id))
    own = await ctx.reply.read(ctx.bot.store.boards.round(game.round_id))
    if board is None or own is None:  # the person was erased meanwhile
        raise Refused(Reason.UNKNOWN_BUTTON)
    if board.challenge_id is None:
        await show_daily_result(ctx, board, own)
        return
    challenges = ctx.bot.tables.challenges
    challenge = await ctx.reply.read(challenges.get(ChallengeId(board.challenge_id), ctx.user_id))
    seen = await ctx.reply.read(challenges.see(challenge, ctx.user_id))
    await show_in_place(ctx, deal_page(seen, game, ctx.words))


async def show_daily_result(ctx: Context, board: Board, own: SoloRound) -> None:
    """Show the result of a finished round of a daily deal."""
    bot, results = ctx.bot, ctx.bot.store.boards
    everyone = await ctx.reply.read(results.compare(own))
    server = None
    if ctx.guild_id:
        server = await ctx.reply.read(results.compare(own, ctx.guild_id))
    expert = await ctx.reply.read(bot.boards.expert(board.id))
    assert board.day is not None, "the deal of a day"
    day_ends_at, over = ends_at(board.day), bot.boards.is_over(board)
    streak = await ctx.reply.read(streak_of(bot.store, ctx.user_id, day_of(bot.clock.now())))
    game = await ctx.reply.read(bot.tables.solo_games.restored(own))
    shown = DailyResult(board, own, everyone, server, expert, streak, day_ends_at, over)
    await show_in_place(ctx, result_page(shown, game, ctx.words))


async def show_in_place(ctx: Context, page: Page) -> None:
    """Show a private page, in place of the clicked one, which is no hand any more."""
    message = ctx.interaction.message
    if message is not None and ctx.reply.on_private_page:
        ctx.announcer.hands.release_message(MessageId(message.id))
    await ctx.services.pictures.show(ctx.reply, page)
