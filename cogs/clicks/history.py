"""Past matches: their list, their rounds, replays, proofs of deals, and files. All private.

Everything is read again for each click, and whether the user may see it is checked each time.
"""

from __future__ import annotations

import io
from collections.abc import Awaitable, Sequence

import discord

from bot.errors import Reason, Refused
from bot.formats.bsw_write import can_be_written, write_log
from bot.formats.game import Game
from bot.formats.json_rounds import write_document
from bot.formats.plain_text import write_plain
from bot.history.listing import HistoryQuery
from bot.history.matches import listed_matches, seated_rounds, shown_matches, shown_rounds, table_of
from bot.history.replay import Replay, SeatedPlay
from bot.history.replay_cache import bare_table
from bot.history.verify import table_to_check
from bot.ids import ChannelId, GuildId, TableId, optional
from bot.records import LARGEST_NUMBER, TableRecord
from bot.text.cards import Speaker
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import FILE, PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.delivery.channel_permissions import check_may_look, sight_of
from cogs.pages.controls import number
from cogs.pages.history.page import (
    history_page,
    match_page,
    read_history_query,
    read_rounds_query,
)
from cogs.pages.history.replay import ReplayQuery, read_file_choice, read_replay_query, replay_page
from cogs.pages.history.verify import verify_page
from cogs.pages.names import plain_name
from cogs.pages.verbs import Verb

LARGEST_FILE = 8_000_000
"""Bytes of a file that can be sent; Discord takes somewhat more."""


def in_range(value: int) -> int:
    """Return the number of a table, a round or a page; `Refused` for a forged one."""
    if value > LARGEST_NUMBER:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return value


async def visible_table(ctx: Context, table_id: TableId | None) -> TableRecord:
    """Return the table with this number (by default the last of the channel).

    Raise `Refused` unless the user may look at it.
    """

    async def find() -> TableRecord:
        known = None if table_id is None else TableId(in_range(table_id))
        interaction = ctx.interaction
        record = await table_of(
            ctx.bot.store,
            optional(GuildId, interaction.guild_id),
            optional(ChannelId, interaction.channel_id),
            known,
        )
        await check_may_look(ctx.bot, interaction, record)
        return record

    return await ctx.reply.read(find())


# --- matches -------------------------------------------------------------------------------------


@control(Verb.HISTORY, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def turn_history(ctx: ClickContext) -> None:
    """Show another page of the list."""
    await show_history(ctx, read_history_query(ctx.click.args))


async def show_history(ctx: Context, query: HistoryQuery) -> None:
    """Show a page of the matches of this server that the user may see."""
    listing = listed_matches(ctx.bot.store, ctx.guild_id, query, sight_of(ctx.interaction))
    found = await ctx.reply.read(listing)
    await ctx.reply.show(history_page(found, ctx.words))


@control(Verb.MATCH, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_match(ctx: ClickContext) -> None:
    """Show the rounds of the chosen match, or another page of the same."""
    chosen = number(ctx.click.values[0]) if ctx.click.values else ctx.click.table_id
    page, listed = read_rounds_query(ctx.click.args)
    in_range(page)
    store = ctx.bot.store
    record = await visible_table(ctx, TableId(chosen))
    table = bare_table(record)
    looking = ctx.services.work.result(("rounds", record.id), lambda: seated_rounds(store, table))
    rounds = await ctx.reply.read(looking)
    match = await ctx.reply.read(store.history.match(record.id))
    reader, ended = ctx.user_id, [match] if match is not None else []
    rounds = await ctx.reply.read(shown_rounds(store, rounds, reader))
    shown = await ctx.reply.read(shown_matches(store, ended, reader))
    over = next(iter(shown), None)
    await ctx.reply.show(match_page(table, over, rounds, page, ctx.words, listed))


# --- replays -------------------------------------------------------------------------------------


async def show_replay(ctx: Context, table: TableId | None, query: ReplayQuery) -> None:
    """Show a position of a round; round 0 is the last finished one."""
    replay = await _replay_of(ctx, table, query.number)
    query = ReplayQuery(replay.played.number, query.place, query.opened)
    await ctx.reply.show(replay_page(replay, query, ctx.words))


async def _replay_of(ctx: Context, table: TableId | None, round_: int) -> Replay:
    record = await visible_table(ctx, table)
    return await ctx.reply.read(ctx.services.replays.replay(record, in_range(round_) or None))


@control(Verb.REPLAY, who=Who.READER, where=Where.SERVER)
async def turn_replay(ctx: ClickContext) -> None:
    """Show another position."""
    await show_replay(ctx, ctx.click.table_id, read_replay_query(ctx.click.args))


@control(Verb.REPLAY_ROUND, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def turn_to_round(ctx: ClickContext) -> None:
    """Show another round."""
    if not ctx.click.values:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await show_replay(ctx, ctx.click.table_id, ReplayQuery(number(ctx.click.values[0])))


@control(Verb.PROOF, who=Who.READER, where=Where.SERVER, cost=PAGE)
async def show_proof(ctx: ClickContext) -> None:
    """Show the proof of the deal, as ``/tichu verify`` does, on a page of its own."""
    replay = await _replay_of(ctx, ctx.click.table_id, number(ctx.click.args))
    await ctx.reply.show_beside(verify_page(replay.proof, None, ctx.words))


async def show_verification(ctx: Context, table_id: TableId | None, round_: int | None) -> None:
    """Show the commitment, secret, words and deck of a finished round."""
    interaction, store = ctx.interaction, ctx.bot.store
    looking = table_to_check(
        store,
        optional(GuildId, interaction.guild_id),
        optional(ChannelId, interaction.channel_id),
        table_id,
    )
    record = await ctx.reply.read(looking)
    await ctx.reply.read(check_may_look(ctx.bot, interaction, record))
    found = await ctx.reply.read(ctx.services.replays.proof(record, round_))
    await ctx.reply.show(verify_page(found, ctx.bot.tables.find(record.id), ctx.words))


@control(Verb.SAVE, who=Who.READER, where=Where.SERVER, cost=FILE)
async def save(ctx: ClickContext) -> None:
    """Send a file with the round, or with all finished rounds of its match."""
    choice = read_file_choice(ctx.click.values[0] if ctx.click.values else "")
    round_ = number(ctx.click.args)
    record = await visible_table(ctx, ctx.click.table_id)
    words, form = ctx.words, choice.form

    def of_match(rounds: Sequence[SeatedPlay]) -> bytes:
        if not rounds:
            raise Refused(Reason.NO_ROUND_OVER)
        return _written(_game(rounds, words), form)

    def of_round(replay: Replay) -> bytes:
        return of_match(((replay.table, replay.played),))

    making: Awaitable[bytes]
    if choice.whole_match:
        purpose = (form, words.say.language)
        making = ctx.services.replays.of_all_rounds(record, purpose, of_match)
    else:
        making = ctx.services.replays.of_round(record, in_range(round_), of_round)
    content = await ctx.reply.read(making)
    name = f"tichu-table-{record.id}"
    name += f".{form}" if choice.whole_match else f"-round-{round_}.{form}"
    await ctx.reply.send_file(discord.File(io.BytesIO(content), name))


def _game(rounds: Sequence[SeatedPlay], words: Speaker) -> Game:
    """Return the content of a file: at least one round of a table."""
    table, _ = rounds[0]
    options = table.options.rules
    hands = range(table.options.game.seat_count(options))
    names = tuple(tuple(plain_name(at, seat, words) for seat in hands) for at, _ in rounds)
    return Game(table.id, options, names, tuple(played for _, played in rounds))


def _written(game: Game, form: str) -> bytes:
    """Return the text of a file; `Refused` if this form cannot hold it, or if it is too large."""
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
