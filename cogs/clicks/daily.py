"""The deal of the day: its start page, playing it, its results, and **Share**.

All pages are private. Only the line that a person shares is public.
"""

from __future__ import annotations

from datetime import date, timedelta

from bot.board_records import SoloRound
from bot.boards.board import Board
from bot.boards.days import ends_at
from bot.boards.streaks import streak_of
from bot.errors import Reason, Refused
from bot.ids import MessageId
from bot.table.solo_game import SoloGame
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE, POST, SHARE_PAUSE_S
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.sharing import share_line, sharing_pause
from cogs.clicks.solo_results import show_daily_result, show_in_place
from cogs.clicks.table_actions import show_hand
from cogs.pages.controls import read_number
from cogs.pages.daily.fair_deal import daily_fair_deal_page
from cogs.pages.daily.result import members_page
from cogs.pages.daily.share import result_line
from cogs.pages.daily.start import Daily, OwnBoard, start_page
from cogs.pages.table.log import log_page
from cogs.pages.verbs import Verb
from players.boards import VERSION

_DAY = timedelta(days=1)
_NOT_NOW = (
    Reason.BUSY,
    Reason.COMPUTERS_NOT_READY,
    Reason.COMPUTERS_UPDATED,
    Reason.DAILY_OVER,
    Reason.NO_SOLO_ROUNDS,
    Reason.SOLO_ROUND_OVER,
)
"""Refusals that are shown on the start page."""


async def show_daily(ctx: Context, note: str = "") -> None:
    """Show the start page of the deal of the day; `note` is why something was refused."""
    boards = ctx.bot.boards
    if ctx.guild_id:
        await ctx.reply.read(boards.note_server(ctx.guild_id, ctx.user_id))
    board = await ctx.reply.read(boards.today())
    today = await _own(ctx, board)
    previous = await ctx.reply.read(boards.of_day(_day(board) - _DAY))
    yesterday = None if previous is None else await _own(ctx, previous)
    playable = board.version in (None, VERSION)
    streak = await ctx.reply.read(streak_of(ctx.bot.store, ctx.user_id, _day(board)))
    daily = Daily(today, yesterday, streak, ends_at(_day(board)), playable)
    await show_in_place(ctx, start_page(daily, ctx.words, note))


@control(Verb.DAILY, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def go_to_daily(ctx: ClickContext) -> None:
    """Show the start page, in place of a hand or a result."""
    await show_daily(ctx)


@control(Verb.DAILY_PLAY, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def play(ctx: ClickContext) -> None:
    """Begin the deal of the day, or go on with it."""
    await _play(ctx, practice=False)


@control(Verb.DAILY_PRACTICE, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def practise(ctx: ClickContext) -> None:
    """Play yesterday's deal, which counts for nobody."""
    await _play(ctx, practice=True)


@control(Verb.DAILY_RESULT, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_result(ctx: ClickContext) -> None:
    """Show the user's result of a day."""
    board, own = await _finished(ctx)
    await show_daily_result(ctx, board, own)


@control(Verb.DAILY_SERVER, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def show_members(ctx: ClickContext) -> None:
    """Show the results of the server's members to somebody who has finished, too."""
    board, _ = await _finished(ctx)
    reading = ctx.bot.store.boards.of_server(board.id, ctx.guild_id)
    members = await ctx.reply.read(reading)
    await show_in_place(ctx, members_page(board, members, ctx.user_id, ctx.words))


@control(Verb.DAILY_FAIR, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_fair_deal(ctx: ClickContext) -> None:
    """Show the commitments of the next days, and the secret of yesterday."""
    boards = ctx.bot.boards
    today = await ctx.reply.read(boards.today())
    yesterday = await ctx.reply.read(boards.of_day(_day(today) - _DAY))
    tomorrow = await ctx.reply.read(boards.of_day(_day(today) + _DAY))
    assert tomorrow is not None, "it is drawn with today's deal"
    await show_in_place(ctx, daily_fair_deal_page(yesterday, today, tomorrow, ctx.words))


@control(Verb.DAILY_SHARE, who=Who.ANYBODY, where=Where.ANYWHERE, cost=POST)
async def share(ctx: ClickContext) -> None:
    """Post the user's result in a line without spoilers, once."""
    board, own = await _finished(ctx)
    if own.practice:
        raise Refused(Reason.UNKNOWN_BUTTON)
    with sharing_pause(ctx, ctx.services.limits.shares, SHARE_PAUSE_S):
        if own.shared:
            raise Refused(Reason.SHARED_ALREADY)
        everyone = await ctx.reply.read(ctx.bot.store.boards.compare(own))
        expert = await ctx.reply.read(ctx.bot.boards.expert(board.id))
        game = await ctx.reply.read(ctx.bot.tables.solo_games.restored(own))
        result = game.match.results[-1]
        words = ctx.public_words()
        line = result_line(board.number, result, everyone, expert and expert.points, words)
        if await share_line(ctx, line):
            await ctx.bot.store.boards.mark_shared(own.id)


@control(Verb.SOLO_LOG, who=Who.SEATED, where=Where.ANYWHERE)
async def show_log(ctx: ClickContext) -> None:
    """Show all tricks of the round so far."""
    game = ctx.table
    if not isinstance(game, SoloGame):
        raise Refused(Reason.UNKNOWN_BUTTON)
    await show_in_place(ctx, log_page(game, ctx.words))


async def _play(ctx: ClickContext, *, practice: bool) -> None:
    """Begin or resume a round of the day that the button names, or show why that is impossible."""
    board = await _board(ctx)
    name = ctx.interaction.user.display_name
    begin = ctx.bot.boards.begin
    try:
        work = begin(board, ctx.user_id, name, ctx.guild_id, practice=practice)
        game = await ctx.reply.change(work)
    except Refused as refusal:
        if refusal.code not in _NOT_NOW:
            raise
        await show_daily(ctx, "⚠️ " + sentence(ctx.words.say, refusal))
        return
    if ctx.interaction.message is not None:
        ctx.services.pictures.cancel(MessageId(ctx.interaction.message.id))
    await show_hand(ctx, game)


async def _board(ctx: ClickContext) -> Board:
    """Return the board of the click. Raise `Refused` if there is none with its number so far."""
    number = read_number(ctx.click.args)
    today = await ctx.reply.read(ctx.bot.boards.today())
    board = None
    if 1 <= number <= today.number:
        day = _day(today) - (today.number - number) * _DAY
        board = await ctx.reply.read(ctx.bot.boards.of_day(day))
    if board is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return board


def _day(board: Board) -> date:
    """Return the day of a board that is the deal of a day."""
    assert board.day is not None
    return board.day


async def _own(ctx: Context, board: Board) -> OwnBoard:
    """Return the rounds of the user on a board, and the comparison of the one that counts."""
    rounds = ctx.bot.store.boards
    counted = await ctx.reply.read(rounds.own_round(board.id, ctx.user_id))
    practice = await ctx.reply.read(rounds.own_round(board.id, ctx.user_id, practice=True))
    comparison = None
    if counted is not None and counted.ended_at is not None:
        comparison = await ctx.reply.read(rounds.compare(counted))
    return OwnBoard(board, counted, practice, comparison)


async def _finished(ctx: ClickContext) -> tuple[Board, SoloRound]:
    """Return the board of the click, and the user's finished round. Raise `Refused` without one.

    If they have two, it is the one that counts.
    """
    own = await _own(ctx, await _board(ctx))
    for each in (own.counted, own.practice):
        if each is not None and each.ended_at is not None:
            return own.board, each
    raise Refused(Reason.UNKNOWN_BUTTON)
