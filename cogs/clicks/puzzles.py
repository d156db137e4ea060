"""Puzzles: the next one, its answer, and playing it out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial

from bot.errors import Reason, Refused
from bot.pictures.hand.hand_text import hand_text
from bot.puzzles.choosing import next_puzzle
from bot.puzzles.puzzle import Puzzle, load_puzzles
from bot.rating.puzzle_ratings import PUZZLE_BEGINNER, initial_rating, rate_answer
from bot.score_records import PuzzlePlayer, Rating
from bot.table.state import Game
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.replays import begin_private_game, end_private_game, show_with_picture
from cogs.pages.controls import Page
from cogs.pages.puzzles.page import (
    PUZZLE_FILE,
    answer_page,
    puzzle_game,
    puzzle_scene,
    question_page,
)
from cogs.pages.verbs import Verb
from engine import write_action

_rng = random.SystemRandom()


async def show_puzzle(ctx: Context) -> None:
    """Show the puzzle that the user has begun, or else a new one."""
    player = await ctx.reply.change(_begin(ctx))
    puzzle = load_puzzles()[player.puzzle or ""]
    reading = ctx.bot.store.puzzles.answer_to(ctx.user_id, puzzle.name)
    repeats = await ctx.reply.read(reading) is not None
    game = _game(ctx, puzzle)
    page = partial(question_page, puzzle, game, player, ctx.words, repeats=repeats)
    await _show(ctx, puzzle, game, lambda alt: page(alt=alt))


@control(Verb.PUZZLE, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def show_next_puzzle(ctx: ClickContext) -> None:
    """Show the next puzzle."""
    await show_puzzle(ctx)


@control(Verb.PUZZLE_ANSWER, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def answer_puzzle(ctx: ClickContext) -> None:
    """Store the answer to a puzzle, and show the best choice.

    If the puzzle was answered before, show that answer. If the user has begun another one, or an
    update has removed this one, show theirs.
    """
    puzzle = load_puzzles().get(ctx.click.args)
    if puzzle is None:
        await show_puzzle(ctx)
        return
    choices = {write_action(advice.action) for advice in puzzle.advice}
    if ctx.click.chosen not in choices:
        raise Refused(Reason.UNKNOWN_BUTTON)
    changed = await ctx.reply.change(_store_answer(ctx, puzzle, ctx.click.chosen))
    if changed is not None:
        await _show_answer(ctx, puzzle, before=changed[0].rating)
    elif await ctx.reply.read(ctx.bot.store.puzzles.answer_to(ctx.user_id, puzzle.name)):
        await _show_answer(ctx, puzzle)
    else:
        await show_puzzle(ctx)


@control(Verb.PUZZLE_PLAY, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def play_out(ctx: ClickContext) -> None:
    """Begin a private game of the user from an answered puzzle."""
    puzzle = await _answered(ctx)
    await begin_private_game(ctx, _game(ctx, puzzle), puzzle.seat, puzzle.name)


@control(Verb.PUZZLE_BACK, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def go_back(ctx: ClickContext) -> None:
    """End the user's private game, and show the answered puzzle again."""
    puzzle = await _answered(ctx)
    end_private_game(ctx)
    await _show_answer(ctx, puzzle)


async def _begin(ctx: Context) -> PuzzlePlayer:
    """Return the user with the puzzle that they have begun, or else with a new one."""
    puzzles = load_puzzles()

    def choose(person: Rating, stored: Mapping[str, Rating], answered: Mapping[str, int]) -> str:
        ratings = {
            name: stored.get(name) or initial_rating(puzzle.difficulty)
            for name, puzzle in puzzles.items()
        }
        return next_puzzle(person, ratings, answered, _rng)

    async with ctx.bot.tables.forgetting.delay_erasure(ctx.user_id):
        return await ctx.bot.store.puzzles.begin(
            ctx.user_id, PUZZLE_BEGINNER, puzzles.__contains__, choose
        )


async def _store_answer(
    ctx: Context, puzzle: Puzzle, choice: str
) -> tuple[PuzzlePlayer, PuzzlePlayer] | None:
    """Store an answer if the user has begun this puzzle; return them before and after it."""
    best = max(puzzle.advice, key=lambda advice: advice.points)
    async with ctx.bot.tables.forgetting.delay_erasure(ctx.user_id):
        return await ctx.bot.store.puzzles.answer(
            ctx.user_id,
            puzzle.name,
            initial_rating(puzzle.difficulty),
            choice,
            solved=choice == write_action(best.action),
            at=ctx.bot.clock.now(),
            rate=rate_answer,
        )


async def _answered(ctx: ClickContext) -> Puzzle:
    """Return the puzzle of the click. Raise `Refused` unless the user has answered it."""
    puzzle = load_puzzles().get(ctx.click.args)
    if puzzle is not None:
        reading = ctx.bot.store.puzzles.answer_to(ctx.user_id, puzzle.name)
        if await ctx.reply.read(reading) is not None:
            return puzzle
    raise Refused(Reason.UNKNOWN_BUTTON)


async def _show_answer(ctx: Context, puzzle: Puzzle, before: Rating | None = None) -> None:
    """Show the user's answer to a puzzle; `before` is their rating before it, if it is new."""
    store = ctx.bot.store.puzzles
    answer = await ctx.reply.read(store.answer_to(ctx.user_id, puzzle.name))
    player = await ctx.reply.read(store.player(ctx.user_id))
    if answer is None or player is None:  # they were erased meanwhile
        raise Refused(Reason.UNKNOWN_BUTTON)
    game = _game(ctx, puzzle)
    page = partial(answer_page, puzzle, game, answer, player, ctx.words, before=before)
    await _show(ctx, puzzle, game, lambda alt: page(alt=alt))


async def _show(
    ctx: Context, puzzle: Puzzle, game: Game, page: Callable[[str | None], Page]
) -> None:
    """Show a page with the picture of the position, or in words if there are to be no pictures."""
    if not ctx.bot.store.server_settings.get(ctx.guild_id).pictures:
        await ctx.reply.show(page(None))
        return
    words = ctx.words
    scene = puzzle_scene(puzzle, game, words)
    await show_with_picture(ctx, scene, PUZZLE_FILE, hand_text(scene, words), page)


def _game(ctx: Context, puzzle: Puzzle) -> Game:
    """Return the position of a puzzle with the user on its seat."""
    return puzzle_game(puzzle, ctx.user_id, ctx.interaction.user.display_name, ctx.guild_id)
