"""Accuracy of people, for clicks: their own, and compared on their server.

People who have not turned it on have none: nothing is read or computed. That of another person is
shown only if both allow comparisons.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from bot.coach.accuracy import FEWEST_ROUNDS, MOST_ROUNDS, accuracy, compare
from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.pictures.alt_texts import alt_text
from bot.pictures.descriptions import accuracy_chart
from bot.records import JudgedRound
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import FILE, PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.pages.controls import Page
from cogs.pages.profiles.accuracy import ACCURACY_FILE, accuracy_page, comparison_page
from cogs.pages.profiles.profile import ProfileQuery, read_profile_query
from cogs.pages.verbs import Verb
from engine import VARIANTS

T = TypeVar("T")
_Rounds: TypeAlias = Sequence[JudgedRound]
_FEWEST_POINTS = 2
"""Number of days that a chart needs, because one point makes no line."""


async def sees_accuracy(ctx: Context, user_id: UserId) -> bool:
    """Return whether the user may see the accuracy of this person."""
    if user_id == ctx.user_id:
        reading = ctx.bot.store.personal_settings.get(user_id, fresh=True)
        return (await ctx.reply.read(reading)).accuracy
    return await _compares(ctx, ctx.user_id) and await _compares(ctx, user_id)


@control(Verb.ACCURACY, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def show_accuracy(ctx: ClickContext) -> None:
    """Show the accuracy of a person, with a chart if there is enough for one."""
    query = _read_query(ctx)
    user_id, own = query.user_id, query.user_id == ctx.user_id
    if not await sees_accuracy(ctx, user_id):
        raise Refused(Reason.ACCURACY_OFF)
    shown = await _load(ctx, query, [user_id], accuracy)
    compares = own and await _compares(ctx, user_id)
    speaker = ctx.words

    def page(alt: str | None = None) -> Page:
        return accuracy_page(query, shown, speaker, own=own, compares=compares, alt=alt)

    message_id = await ctx.services.pictures.show(ctx.reply, page())
    # Like the chart of the rating, it has the last value of each day.
    points = tuple({at.date(): (at, cost.mean, cost.margin) for at, cost in shown.trend}.values())
    if len(points) >= _FEWEST_POINTS:
        names = await ctx.reply.read(ctx.bot.store.rankings.names(ctx.guild_id, [user_id]))
        name = names.get(user_id) or speaker.say("Player")
        chart = accuracy_chart(name, points, speaker.say)
        alt = alt_text(chart, speaker.say)
        ctx.services.pictures.begin(ctx.reply, message_id, chart, ACCURACY_FILE, alt, page)


@control(Verb.ACCURACY_LIST, who=Who.ANYBODY, where=Where.SERVER, cost=FILE)
async def compare_on_server(ctx: ClickContext) -> None:
    """Show the people of the server who compare their accuracy, to one of them."""
    query = _read_query(ctx)
    if query.user_id != ctx.user_id or not await _compares(ctx, ctx.user_id):
        raise Refused(Reason.ACCURACY_OFF)
    store, game = ctx.bot.store, query.variant or ""
    people = await ctx.reply.read(store.accuracy.comparing(ctx.guild_id, game, FEWEST_ROUNDS))
    standings = await _load(ctx, query, people, compare)
    listed = [each.user_id for each in standings]
    names = await ctx.reply.read(store.rankings.names(ctx.guild_id, listed))
    page = comparison_page(query, standings, names, ctx.words)
    await ctx.services.pictures.show(ctx.reply, page)


def _read_query(ctx: ClickContext) -> ProfileQuery:
    """Parse the query of a click; raise `Refused` without a game that is reviewed."""
    query = read_profile_query(ctx.click.args)
    if query.variant is None or not VARIANTS[query.variant].scored:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return query


async def _compares(ctx: Context, user_id: UserId) -> bool:
    """Return whether a person allows comparisons; nobody who is hidden does."""
    store = ctx.bot.store
    settings = await ctx.reply.read(store.personal_settings.get(user_id, fresh=True))
    if not (settings.accuracy and settings.accuracy_compared):
        return False
    return not (await ctx.reply.read(store.preferences.get(user_id))).hidden


async def _load(
    ctx: Context, query: ProfileQuery, people: Sequence[UserId], build: Callable[[_Rounds], T]
) -> T:
    """Return the result of `build` in a thread, given the reviewed rounds of people here."""
    game = query.variant or ""

    async def load() -> T:
        store = ctx.bot.store.accuracy
        rounds = await store.rounds_of(ctx.guild_id, game, people, MOST_ROUNDS)
        return await asyncio.to_thread(build, rounds)

    key = (build, ctx.guild_id, game, *people)
    return await ctx.reply.read(ctx.services.work.result(key, load))
