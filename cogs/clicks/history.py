"""Pages about past matches: their list, their rounds, proofs of deals, and files.

All pages are private. For each click the data are read again, and the user's rights checked.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Sequence
from dataclasses import replace

import discord

from bot.errors import Reason, Refused
from bot.formats.bsw_write import can_be_written, write_log
from bot.formats.game import Game
from bot.formats.json_rounds import write_document
from bot.formats.plain_text import write_plain
from bot.history.listing import HistoryQuery
from bot.history.matches import (
    load_listing,
    load_own_table,
    load_table,
    matches_for_reader,
    rounds_for_reader,
    seated_rounds,
)
from bot.history.replay import Replay, SeatedPlay
from bot.history.replay_cache import outline_or_refuse
from bot.history.solo_replays import solo_round_id
from bot.history.verify import load_table_to_check
from bot.ids import ChannelId, TableId, optional
from bot.records import LARGEST_NUMBER, TableRecord
from bot.text.cards import Speaker
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import FILE, PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.channel_permissions import check_may_look, sight_of
from cogs.pages.controls import read_number
from cogs.pages.history.page import (
    history_page,
    match_page,
    read_history_query,
    read_rounds_query,
)
from cogs.pages.history.replay import read_file_choice
from cogs.pages.history.verify import verify_page
from cogs.pages.names import plain_name
from cogs.pages.verbs import Verb

LARGEST_FILE = 8_000_000
"""Largest file that is sent, in bytes; Discord's limit is somewhat higher."""


def check_range(value: int) -> int:
    """Return the number of a table, a round or a page; raise `Refused` for a forged one."""
    if value > LARGEST_NUMBER:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return value


async def visible_table(ctx: Context, table_id: TableId | None) -> TableRecord:
    """Return the table with this number, by default the last one of the channel.

    Raise `Refused` unless the user may look at it. Outside servers with the bot that is a table
    at which they sat, by default the last one.
    """

    async def find() -> TableRecord:
        interaction = ctx.interaction
        number = None if table_id is None else TableId(check_range(table_id))
        if not ctx.guild_id:
            return await load_own_table(ctx.bot.store, ctx.user_id, number)
        channel_id = optional(ChannelId, interaction.channel_id)
        record = await load_table(ctx.bot.store, ctx.guild_id, channel_id, number)
        await check_may_look(ctx.bot, interaction, record)
        return record

    return await ctx.reply.read(find())


# --- matches -------------------------------------------------------------------------------------


@control(Verb.HISTORY, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def turn_history(ctx: ClickContext) -> None:
    """Show another page of the list of matches."""
    await show_history(ctx, read_history_query(ctx.click.args))


async def show_history(ctx: Context, query: HistoryQuery) -> None:
    """Show a page of the matches of this server that the user may see."""
    reading = load_listing(ctx.bot.store, ctx.guild_id, query, sight_of(ctx.interaction))
    await ctx.reply.show(history_page(await ctx.reply.read(reading), ctx.words))


@control(Verb.MATCH, who=Who.READER, where=Where.PAST, cost=PAGE)
async def show_match(ctx: ClickContext) -> None:
    """Show the rounds of the chosen match, or another page of them.

    The arguments contain the query of the list from which the match was chosen, for the way back.
    """
    table_id = read_number(ctx.click.values[0]) if ctx.click.values else ctx.click.table_id
    page, history_query = read_rounds_query(ctx.click.args)
    check_range(page)
    store, reader = ctx.bot.store, ctx.user_id
    record = await visible_table(ctx, TableId(table_id))
    table = outline_or_refuse(record)
    reading = ctx.services.work.result(("rounds", record.id), lambda: seated_rounds(store, table))
    all_rounds = await ctx.reply.read(reading)
    match = await ctx.reply.read(store.history.match(record.id))
    matches = [] if match is None else [match]
    rounds = await ctx.reply.read(rounds_for_reader(store, all_rounds, reader))
    ended_match = next(iter(await ctx.reply.read(matches_for_reader(store, matches, reader))), None)
    await ctx.reply.show(match_page(table, ended_match, rounds, page, ctx.words, history_query))


# --- proofs and files -----------------------------------------------------------------------------


async def replay_of(ctx: Context, table: TableId | None, round_: int) -> Replay:
    """Return the replay of a round that the user may see with all hands; round 0 is the last one.

    Raise `Refused` for a solo round whose deal the user may not know yet (``hands-not-yet``).
    """
    if table is not None and solo_round_id(table) is not None:
        replay = await own_solo_replay(ctx, table)
        check_knows_deal(ctx, replay)
        return replay
    record = await visible_table(ctx, table)
    return await ctx.reply.read(ctx.services.replays.replay(record, check_range(round_) or None))


async def own_solo_replay(ctx: Context, table: TableId) -> Replay:
    """Return the replay of the user's own solo round, whose hands they may not know yet."""
    return await ctx.reply.read(ctx.bot.solo_replays.replay(table, ctx.user_id))


def check_knows_deal(ctx: Context, replay: Replay) -> None:
    """Raise `Refused` if the user may not know the deal of their solo round yet."""
    board = replay.board
    if board is not None and not ctx.bot.boards.is_over(board):
        raise Refused(Reason.HANDS_NOT_YET)


@control(Verb.PROOF, who=Who.READER, where=Where.PAST, cost=PAGE)
async def show_proof(ctx: ClickContext) -> None:
    """Show the proof of the deal in a new message, with the same page as ``/tichu verify``."""
    replay = await replay_of(ctx, ctx.click.table_id, read_number(ctx.click.args))
    await ctx.reply.show_beside(verify_page(replay.proof, None, ctx.words))


async def show_verification(ctx: Context, table_id: TableId | None, round_: int | None) -> None:
    """Show the commitment, secret, words and deck of a finished round."""
    interaction, store = ctx.interaction, ctx.bot.store
    finding = load_table_to_check(
        store,
        ctx.guild_id,
        optional(ChannelId, interaction.channel_id),
        table_id,
    )
    record = await ctx.reply.read(finding)
    await ctx.reply.read(check_may_look(ctx.bot, interaction, record))
    proof = await ctx.reply.read(ctx.services.replays.proof(record, round_))
    await ctx.reply.show(verify_page(proof, ctx.bot.tables.find(record.id), ctx.words))


@control(Verb.SAVE, who=Who.READER, where=Where.PAST, cost=FILE)
async def save(ctx: ClickContext) -> None:
    """Send a file with the round, or with all finished rounds of its match."""
    choice = read_file_choice(ctx.click.values[0] if ctx.click.values else "")
    round_ = read_number(ctx.click.args)
    words, form = ctx.words, choice.form

    def write_match(rounds: Sequence[SeatedPlay]) -> bytes:
        if not rounds:
            raise Refused(Reason.NO_ROUND_OVER)
        return _write_file(_game_of_rounds(rounds, words), form)

    writing: Awaitable[bytes]
    if choice.whole_match:
        record = await visible_table(ctx, ctx.click.table_id)
        purpose = (form, words.say.language)
        writing = ctx.services.replays.build_for_all_rounds(record, purpose, write_match)
        name = f"tichu-table-{record.id}.{form}"
    else:
        replay = await replay_of(ctx, ctx.click.table_id, round_)
        # The file of a solo round has the number of its deal, from which the deck follows.
        table = replace(replay.table, id=replay.proof.table.id)
        rounds = ((table, replay.played_round),)
        writing = ctx.services.work.result(object(), lambda: asyncio.to_thread(write_match, rounds))
        name = f"tichu-{_file_name(replay)}.{form}"
    content = await ctx.reply.read(writing)
    await ctx.reply.send_file(discord.File(io.BytesIO(content), name))


def _file_name(replay: Replay) -> str:
    """Return the name of a file with a round, without its beginning and ending."""
    number, table = replay.played_round.number, replay.proof.table.id
    if replay.board is None:
        return f"table-{table}-round-{number}"
    return f"daily-{table}" if replay.board.day else f"challenge-{table}-deal-{number}"


def _game_of_rounds(rounds: Sequence[SeatedPlay], words: Speaker) -> Game:
    """Return the game of these rounds (at least one) of a table, as it is written to files."""
    table, _ = rounds[0]
    options, event = table.options.rules, table.options.event
    match_rounds = None if event is None else event.rounds
    seats = range(table.options.game.seat_count(options))
    names = tuple(tuple(plain_name(seated, seat, words) for seat in seats) for seated, _ in rounds)
    played_rounds = tuple(played for _, played in rounds)
    return Game(table.id, options, names, played_rounds, match_rounds)


def _write_file(game: Game, form: str) -> bytes:
    """Return the content of a file in this format.

    Raises `Refused` if the format cannot represent the game, or if the file is too large.
    """
    if form == "txt":
        text = write_plain(game)
    elif form == "json":
        text = write_document(game)
    elif can_be_written(game.options, game.rounds):
        text = write_log(game.options, game.rounds, game.names)
    else:
        raise Refused(Reason.NOT_IN_THIS_FORMAT)
    content = text.encode("utf-8")
    if len(content) > LARGEST_FILE:
        raise Refused(Reason.FILE_TOO_LARGE)
    return content
