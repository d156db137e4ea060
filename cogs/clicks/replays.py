"""Replays of finished rounds: private pages, pages shared in the channel, animations of tricks.

Whether the user may see the match is checked for each click, and for a shared page also whether
everybody in the channel may.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.boards.board import Board
from bot.boards.challenge import MOST_OPEN
from bot.challenge_records import DEALS
from bot.errors import Reason, Refused
from bot.history.matches import load_venue
from bot.history.replay import Replay
from bot.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.pictures.process_messages import Drawing
from bot.pictures.replay.replay_text import replay_text
from bot.table.private_game import Attempt, new_private_game
from bot.table.solo_game import SOLO_IDS
from bot.table.state import Chair, Game
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.history import check_range, replay_of, visible_table
from cogs.clicks.limits import ANIMATION_PAUSE_S, PAGE, POST, SHARE_PAUSE_S
from cogs.clicks.page_pictures import Send
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.sharing import is_public_here, sharing_pause
from cogs.clicks.table_actions import show_hand
from cogs.pages.controls import Page, read_number
from cogs.pages.history.replay import (
    REPLAY_FILE,
    TRICK_FILE,
    animation_page,
    replay_page,
    replay_picture,
    seat_to_play_on,
    solo_rounds_page,
    trick_pictures,
    within,
)
from cogs.pages.replay_query import (
    ReplayQuery,
    read_replay_query,
    read_shared_query,
    read_view,
)
from cogs.pages.verbs import Verb
from engine import Seat

_MOST_SOLO_ROUNDS = 5
"""Number of solo rounds that `/tichu replay` offers, the newest ones."""
_MOST_CLOSED = 1 + DEALS * MOST_OPEN
"""Largest number of a person's newer rounds whose hands they may not see yet."""


async def open_replay(ctx: Context, table: TableId | None, number: int | None) -> None:
    """Show a replay; if nothing was played here, offer the user's last solo rounds."""
    try:
        await show_replay(ctx, table, ReplayQuery(number or 0))
    except Refused as refusal:
        rounds: dict[TableId, Board] = {}
        if refusal.code in (Reason.NOTHING_PLAYED, Reason.NOTHING_PLAYED_HERE):
            rounds = await ctx.reply.read(_open_solo_rounds(ctx))
        if not rounds:
            raise
        await ctx.reply.show(solo_rounds_page(rounds, sentence(ctx.words.say, refusal), ctx.words))


async def _open_solo_rounds(ctx: Context) -> dict[TableId, Board]:
    """Return the boards of the user's last finished rounds whose deal they may know."""
    rounds: dict[TableId, Board] = {}
    most = _MOST_SOLO_ROUNDS + _MOST_CLOSED
    for each in await ctx.bot.store.boards.rounds_of(ctx.user_id, most):
        if len(rounds) == _MOST_SOLO_ROUNDS:
            break
        board = await ctx.bot.boards.board(each.board_id)
        if each.ended_at and board is not None and ctx.bot.boards.is_over(board):
            rounds[TableId(SOLO_IDS + each.id)] = board
    return rounds


async def show_replay(ctx: Context, table: TableId | None, query: ReplayQuery) -> None:
    """Show a position of a round privately; round 0 is the last finished one."""
    replay = await replay_of(ctx, table, query.number)
    query = within(replay, replace(query, number=replay.played_round.number))
    page = partial(_page, replay, query, ctx.words, ctx.user_id)
    scene = replay_picture(replay, query, ctx.words)
    await show_drawn(ctx, replay, scene, REPLAY_FILE, replay_text(scene, ctx.words), page)


async def show_drawn(
    ctx: Context,
    replay: Replay,
    drawing: Drawing,
    name: str,
    alt: str,
    page: Callable[[str | None], Page],
) -> None:
    """Show a private page about a round with its picture, or in words for who reads text.

    `name` and `alt` are those of the file; `page` is called with `alt`, or with `None` without it.
    """
    if replay.table.options.policy.pictures:
        await show_with_picture(ctx, drawing, name, alt, page)
    else:
        await ctx.reply.show(page(None))


async def show_with_picture(
    ctx: Context, drawing: Drawing, name: str, alt: str, page: Callable[[str | None], Page]
) -> None:
    """Show a private page with a picture, or in words for who reads text; see `show_drawn`."""
    if ctx.reads_text:
        await ctx.reply.show(page(None))
        return
    clicked = ctx.interaction.message if ctx.reply.on_private_page else None
    edited_id = None if clicked is None else MessageId(clicked.id)
    send = ctx.reply.show_beside if clicked is None else ctx.reply.replace
    await ctx.services.pictures.answer(
        ctx.reply, drawing, name, alt, page, send, edited_id=edited_id
    )


def _page(
    replay: Replay, query: ReplayQuery, words: Speaker, reader: UserId, alt: str | None = None
) -> Page:
    return replay_page(replay, query, words, alt=alt, reader=reader)


@control(Verb.REPLAY, who=Who.READER, where=Where.PAST)
async def turn_replay(ctx: ClickContext) -> None:
    """Show another position."""
    await show_replay(ctx, ctx.click.table_id, read_replay_query(ctx.click.args))


@control(Verb.REPLAY_VIEW, who=Who.READER, where=Where.PAST)
async def turn_view(ctx: ClickContext) -> None:
    """Show the same position with the chosen hands open."""
    if not ctx.click.values:
        raise Refused(Reason.UNKNOWN_BUTTON)
    query = replace(read_replay_query(ctx.click.args), view=read_view(ctx.click.values[0]))
    await show_replay(ctx, ctx.click.table_id, query)


@control(Verb.REPLAY_ROUND, who=Who.READER, where=Where.PAST, cost=PAGE)
async def turn_to_round(ctx: ClickContext) -> None:
    """Show another round."""
    if not ctx.click.values:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await show_replay(ctx, ctx.click.table_id, ReplayQuery(read_number(ctx.click.values[0])))


# --- playing on ----------------------------------------------------------------------------------


@control(Verb.REPLAY_PLAY, who=Who.READER, where=Where.PAST, cost=PAGE)
async def play_on(ctx: ClickContext) -> None:
    """Begin a private game of the user from a position; it replaces their previous one."""
    query = read_replay_query(ctx.click.args)
    replay = await replay_of(ctx, ctx.click.table_id, query.number)
    query = within(replay, query)
    seat = seat_to_play_on(replay, query, ctx.user_id)
    if seat is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    await begin_private_game(ctx, replay.at(query.place), seat, query.to_args("play"))


async def begin_private_game(
    ctx: ClickContext, past: Game, seat: Seat, position: str, attempt: Attempt | None = None
) -> None:
    """Begin a private game of the user on this seat, and show their hand."""
    interaction = ctx.interaction
    name = interaction.user.display_name
    person = Chair(seat=seat, kind="person", user_id=ctx.user_id, name=name)
    channel_id = ChannelId(interaction.channel_id or 0)
    # The process that has the click plays on, also if another one serves the server of the match.
    guild_id = ctx.bot.leases.answered_as(GuildId(interaction.guild_id or 0))
    past = replace(past, guild_id=guild_id)
    game = new_private_game(past, person, channel_id, position, attempt)
    if interaction.message is not None:
        ctx.services.pictures.cancel(MessageId(interaction.message.id))
        ctx.announcer.hands.release_message(MessageId(interaction.message.id))
    await show_hand(ctx, await ctx.reply.read(ctx.bot.tables.play_on(game)))


def end_private_game(ctx: ClickContext) -> None:
    """End the user's private game, whose hand the clicked page shows."""
    if ctx.interaction.message is not None:
        ctx.announcer.hands.release_message(MessageId(ctx.interaction.message.id))
    ctx.bot.tables.private_games.end(ctx.user_id)


@control(Verb.REPLAY_BACK, who=Who.READER, where=Where.PAST)
async def go_back(ctx: ClickContext) -> None:
    """End the user's private game, and show the replay again."""
    end_private_game(ctx)
    await show_replay(ctx, ctx.click.table_id, read_replay_query(ctx.click.args))


# --- in the channel ------------------------------------------------------------------------------


@control(Verb.SHARE_REPLAY, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_replay(ctx: ClickContext) -> None:
    """Post a position; its buttons are for the user who shared it."""
    with sharing_pause(ctx, ctx.services.limits.shares, SHARE_PAUSE_S):
        replay, query = await _shareable(ctx, read_replay_query(ctx.click.args))
        await _show_to_all(ctx, replay, query, ctx.reply.send_to_all, edited_id=None)


@control(Verb.SHARED_REPLAY, who=Who.WRITER, where=Where.SERVER, cost=PAGE)
async def turn_shared_replay(ctx: ClickContext) -> None:
    """Show another position to everybody, for the user who shared the replay."""
    query, opener = read_shared_query(ctx.click.args)
    message = ctx.interaction.message
    if opener != ctx.user_id or message is None:
        raise Refused(Reason.NOT_YOUR_REPLAY)
    replay, query = await _shareable(ctx, query)
    await _show_to_all(ctx, replay, query, ctx.reply.replace, edited_id=MessageId(message.id))


@control(Verb.ANIMATE, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_trick(ctx: ClickContext) -> None:
    """Post an animation of the trick at a position."""
    await _post_animation(ctx, read_replay_query(ctx.click.args))


@control(Verb.SHARE_MOMENT, who=Who.WRITER, where=Where.SERVER, cost=POST)
async def share_moment(ctx: ClickContext) -> None:
    """Post an animation of the trick that a result message offers to share."""
    number, _, trick = ctx.click.args.partition(".")
    await _post_animation(ctx, ReplayQuery(read_number(number)), read_number(trick))


async def _post_animation(ctx: ClickContext, query: ReplayQuery, trick: int | None = None) -> None:
    """Post an animation of the trick with this index, by default of the trick at the position.

    Where the bot may not attach files, post the position in words.
    """
    words = ctx.public_words()
    with sharing_pause(ctx, ctx.services.limits.animations, ANIMATION_PAUSE_S):
        replay, query = await _shareable(ctx, query)
        if trick is not None:
            query = replace(query, place=replay.played_round.trick_end(trick))
        if not _may_attach(ctx, replay):
            await _show_to_all(ctx, replay, query, ctx.reply.send_to_all, edited_id=None)
            return
        animation = trick_pictures(replay, query, words)
        data = await ctx.reply.read(ctx.bot.painter.draw(animation))
        if data is None:
            raise Refused(Reason.BUSY)
        alt = replay_text(animation.scenes[-1], words)
        page = animation_page(replay, query, words, ctx.user_id, alt)
        file = discord.File(io.BytesIO(data), TRICK_FILE, description=alt)
        await ctx.reply.send_to_all(page, [file])


async def _shareable(ctx: ClickContext, query: ReplayQuery) -> tuple[Replay, ReplayQuery]:
    """Return a replay and its position. Raise `Refused` unless all of the channel may see them."""
    record = await visible_table(ctx, ctx.click.table_id)
    venue = await ctx.reply.read(load_venue(ctx.bot.store, record, ctx.user_id))
    if not is_public_here(ctx.interaction, venue):
        raise Refused(Reason.NOT_SHOWN_HERE)
    loading = ctx.services.replays.replay(record, check_range(query.number) or None)
    replay = await ctx.reply.read(loading)
    return replay, within(replay, replace(query, number=replay.played_round.number))


async def _show_to_all(
    ctx: ClickContext,
    replay: Replay,
    query: ReplayQuery,
    send: Send,
    *,
    edited_id: MessageId | None,
) -> None:
    """Show a position in the channel, as a picture if the bot may attach files there.

    `send` sends the page; `edited_id` is the message that it edits.
    """
    words = ctx.public_words()

    def page(alt: str | None = None) -> Page:
        return replay_page(replay, query, words, ctx.user_id, alt=alt)

    if not _may_attach(ctx, replay):
        no_files: Sequence[discord.File] = ()
        await send(page(), no_files)
        return
    scene = replay_picture(replay, query, words)
    alt = replay_text(scene, words)
    await ctx.services.pictures.answer(
        ctx.reply, scene, REPLAY_FILE, alt, page, send, edited_id=edited_id
    )


def _may_attach(ctx: ClickContext, replay: Replay) -> bool:
    """Return whether pictures of this table may be posted in the channel of the click."""
    return replay.table.options.policy.pictures and ctx.interaction.app_permissions.attach_files
