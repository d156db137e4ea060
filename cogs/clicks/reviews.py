"""Reviews of rounds: making them with progress, their pages, other tries, and consent.

All pages are private. A review is shown to the person it is for, and to all who may see the replay
once everyone who sat at the table agrees; each click checks that again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.errors import Reason, Refused
from bot.history.matches import load_people
from bot.history.replay_cache import outline_or_refuse
from bot.history.solo_replays import solo_round_id
from bot.ids import MessageId, TableId
from bot.pictures.alt_texts import alt_text
from bot.pictures.replay.replay_text import replay_text
from bot.records import RoundNumber, TableRecord
from bot.runtime.logs import kinds_and_frames
from bot.table.private_game import Attempt
from bot.text.sentences import apology, sentence
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.history import check_knows_deal, check_range, own_solo_replay, visible_table
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.replays import begin_private_game, end_private_game, show_drawn
from cogs.delivery.uploads import result_in_time
from cogs.pages.controls import Page, read_number
from cogs.pages.history.replay import REPLAY_FILE
from cogs.pages.history.review import (
    NOBODY_AGREES,
    REVIEW_FILE,
    Consent,
    OpenReview,
    chances_chart,
    choice_page,
    place_of,
    progress_page,
    review_page,
    unmade_page,
)
from cogs.pages.history.review_mark import mark_page, mark_picture
from cogs.pages.replay_query import ReplayQuery
from cogs.pages.review_query import ReviewQuery, read_review_query
from cogs.pages.verbs import Verb
from engine import Seat
from players.boards import PERSON
from players.coach.review import Progress, Review

log = logging.getLogger(__name__)

PROGRESS_S = 1.5
"""Minimum time between two edits of a page with progress, in seconds."""
_MOST_EDITS = 300
"""Times that the progress is looked at before a review is given up: half the life of a token."""


@control(Verb.REVIEW, who=Who.READER, where=Where.PAST, cost=PAGE)
async def open_review(ctx: ClickContext) -> None:
    """Show the review of a round, after making it if nobody has asked for it yet."""
    await show_review(ctx, ctx.click.table_id, read_review_query(ctx.click.args))


@control(Verb.REVIEW_OF, who=Who.READER, where=Where.PAST, cost=PAGE)
async def choose_review(ctx: ClickContext) -> None:
    """Show the review of the chosen person."""
    query = read_review_query(ctx.click.args)
    await show_review(ctx, ctx.click.table_id, replace(query, seat=read_number(ctx.click.chosen)))


@control(Verb.REVIEW_MARK, who=Who.READER, where=Where.PAST, cost=PAGE)
async def show_mark(ctx: ClickContext) -> None:
    """Show a decision that could have been better."""
    await _show_mark(ctx, read_review_query(ctx.click.args))


@control(Verb.REVIEW_BACK, who=Who.READER, where=Where.PAST, cost=PAGE)
async def go_back_to_review(ctx: ClickContext) -> None:
    """End the user's private game, and show the decision again that they tried."""
    query = read_review_query(ctx.click.args)
    end_private_game(ctx)
    await _show_mark(ctx, query)


@control(Verb.TRY_AGAIN, who=Who.READER, where=Where.PAST, cost=PAGE)
async def try_again(ctx: ClickContext) -> None:
    """Begin a private game from the position of a decision."""
    query = read_review_query(ctx.click.args)
    opened, review = await _stored_review(ctx, query)
    replay = opened.replay
    check_knows_deal(ctx, replay)
    place = place_of(replay, review.marks[query.mark])
    position = ReplayQuery(replay.played_round.number, place).to_args("play")
    mark = replace(opened.query, mark=query.mark).to_args("try")
    attempt = Attempt(mark, replay.played_round.result)
    await begin_private_game(ctx, replay.at(place), opened.seat, position, attempt)


@control(Verb.REVIEW_CONSENT, who=Who.READER, where=Where.PAST, cost=PAGE)
async def change_consent(ctx: ClickContext) -> None:
    """Agree that everyone may see the reviews of the match, or withdraw that."""
    query, reviews = read_review_query(ctx.click.args), ctx.bot.reviews
    record = await visible_table(ctx, ctx.click.table_id)
    if ctx.user_id not in (await ctx.reply.read(_load_consent(ctx, record))).people:
        raise Refused(Reason.REVIEW_FOR_PLAYERS)
    agrees = ctx.click.args.endswith(".on")
    change = reviews.agree if agrees else reviews.withdraw
    await ctx.reply.change(change(record.id, ctx.user_id))
    await show_review(ctx, ctx.click.table_id, query)


# --- access --------------------------------------------------------------------------------------


async def _load_consent(ctx: Context, record: TableRecord) -> Consent:
    """Load who sat at the table of the click, and who of them agrees."""
    people = await load_people(ctx.bot.store, outline_or_refuse(record))
    return Consent(people, await ctx.bot.reviews.agreements(record.id))


async def _open(ctx: Context, table: TableId, query: ReviewQuery) -> OpenReview | Page:
    """Return the round of a review that the user may see; without a seat a page to choose one.

    A solo round is shown to its person at once, because a review has no hidden cards. Raise
    `Refused` if they may not see it.
    """
    if solo_round_id(table) is not None:
        replay = await own_solo_replay(ctx, table)
        return OpenReview(replay, PERSON, True, ctx.user_id, NOBODY_AGREES)
    record = await visible_table(ctx, table)
    loading = ctx.services.replays.replay(record, check_range(query.number) or None)
    replay = await ctx.reply.read(loading)
    consent = await ctx.reply.read(_load_consent(ctx, record))
    own, people = await ctx.reply.read(_load_seats(ctx, record, replay.played_round.number))
    seat = own if query.seat is None else query.seat
    if not consent.complete and (seat is None or seat != own):
        seated = own is None and replay.table.seat_of(ctx.user_id) is not None
        raise Refused(Reason.NOT_YOUR_REVIEW if seated else Reason.REVIEW_FOR_PLAYERS)
    others: list[Seat] = []
    if consent.complete:
        number, stored = replay.played_round.number, ctx.bot.reviews.stored
        others = [
            each
            for each in sorted(people - {seat})
            if await ctx.reply.read(stored(record.id, number, each)) is not None
        ]
    if seat is None:
        if not others:
            raise Refused(Reason.NO_REVIEW_YET)
        return choice_page(replay, others, ctx.words)
    if seat not in people:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return OpenReview(replay, seat, seat == own, ctx.user_id, consent, tuple(others))


async def _load_seats(
    ctx: Context, record: TableRecord, number: RoundNumber
) -> tuple[Seat | None, frozenset[Seat]]:
    """Load for which seat a round counts for the user, and all seats for which it counts."""
    rounds = await ctx.bot.store.history.rounds(record.id)
    seats = next((each.seats for each in rounds if each.number == number), ())
    people = {each.seat: each.counts_for for each in seats if each.counts_for is not None}
    own = next((seat for seat, user in people.items() if user == ctx.user_id), None)
    return own, frozenset(people)


async def _stored_review(ctx: ClickContext, query: ReviewQuery) -> tuple[OpenReview, Review]:
    """Return a review that was made before; raise `Refused` unless it has the mark of the query."""
    opened = await _open(ctx, ctx.click.table_id, query)
    if isinstance(opened, Page):
        raise Refused(Reason.UNKNOWN_BUTTON)
    review = await ctx.reply.read(ctx.bot.reviews.stored(*opened.key))
    if review is None or query.mark >= len(review.marks):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return opened, review


# --- pages ---------------------------------------------------------------------------------------


async def _show_mark(ctx: ClickContext, query: ReviewQuery) -> None:
    """Show a mark with the picture of its position."""
    opened, review = await _stored_review(ctx, query)
    scene = mark_picture(opened, review, query.mark, ctx.words)
    page = partial(mark_page, opened, review, query.mark, ctx.words)
    alt = replay_text(scene, ctx.words)
    await show_drawn(ctx, opened.replay, scene, REPLAY_FILE, alt, page)


async def show_review(ctx: Context, table: TableId, query: ReviewQuery) -> None:
    """Show a stored review, or make it."""
    opened = await _open(ctx, table, query)
    if isinstance(opened, Page):
        await ctx.services.pictures.show(ctx.reply, opened)
        return
    if ctx.interaction.message is not None:  # the page may show the progress of this review
        ctx.services.reviewing.cancel(MessageId(ctx.interaction.message.id))
    latest = _Latest()
    requesting = asyncio.create_task(_request(ctx, opened, latest), name="review-request")
    try:
        review = await ctx.reply.read(result_in_time(ctx.bot.clock, requesting))
        if review is not None:
            chart = chances_chart(opened, review, ctx.words)
            page = partial(review_page, opened, review, ctx.words)
            alt = alt_text(chart, ctx.words.say)
            await show_drawn(ctx, opened.replay, chart, REVIEW_FILE, alt, page)
            return
        page_so_far = progress_page(opened, latest.progress, ctx.words)
        message_id = await ctx.services.pictures.show(ctx.reply, page_so_far)
    except BaseException:
        requesting.cancel()
        raise
    ctx.services.reviewing.begin(message_id, _follow(ctx, message_id, opened, requesting, latest))


async def _request(ctx: Context, opened: OpenReview, latest: _Latest) -> Review:
    """Return the review, which is made if it is the user's own; else raise `Refused`."""
    if opened.own:
        request = ctx.bot.reviews.request
        return await request(opened.replay, opened.seat, ctx.user_id, latest.note)
    review = await ctx.bot.reviews.stored(*opened.key)
    if review is None:
        raise Refused(Reason.NO_REVIEW_YET)
    return review


class _Latest:
    """Newest progress of a review that is being made."""

    def __init__(self) -> None:
        self.progress: Progress | None = None

    def note(self, progress: Progress) -> None:
        """Note the newest progress."""
        self.progress = progress


async def _follow(
    ctx: Context,
    message_id: MessageId,
    opened: OpenReview,
    requesting: asyncio.Task[Review],
    latest: _Latest,
) -> None:
    """Show the progress of a review on this page, and then the review, or why there is none."""
    words, reply = ctx.words, ctx.reply

    async def send(page: Page, files: Sequence[discord.File] = ()) -> MessageId:
        await reply.rewrite(message_id, page, files)
        return message_id

    try:
        try:
            review = await _with_progress(ctx, opened, requesting, latest, send)
        except Refused as refusal:
            await send(unmade_page(opened, sentence(words.say, refusal), words))
            return
        except Exception as error:  # noqa: BLE001 - the page must not keep its progress
            log.error("unhandled exception while making a review:\n%s", kinds_and_frames(error))
            await send(unmade_page(opened, apology(words.say), words))
            return
        page = partial(review_page, opened, review, words)
        if ctx.reads_text or not opened.replay.table.options.policy.pictures:
            await send(page(None))
            return
        chart = chances_chart(opened, review, words)
        alt = alt_text(chart, words.say)
        await ctx.services.pictures.answer(
            reply, chart, REVIEW_FILE, alt, page, send, edited_id=message_id
        )
    except discord.HTTPException as error:
        log.warning("review not delivered: %s", error)
    finally:
        requesting.cancel()


async def _with_progress(
    ctx: Context,
    opened: OpenReview,
    requesting: asyncio.Task[Review],
    latest: _Latest,
    send: Callable[[Page], Awaitable[object]],
) -> Review:
    """Return the review, and meanwhile `send` its progress; raise `Refused` if it takes long."""
    shown = latest.progress
    for _ in range(_MOST_EDITS):
        review = await result_in_time(ctx.bot.clock, requesting, PROGRESS_S)
        if review is not None:
            return review
        if latest.progress != shown:
            shown = latest.progress
            await send(progress_page(opened, shown, ctx.words))
    raise Refused(Reason.BUSY)
