"""Controls of Learn Tichu: lessons, their steps, and the first table with computers."""

from __future__ import annotations

import contextlib

from bot.errors import Reason, Refused
from bot.ids import ChannelId
from bot.lessons import (
    Lesson,
    Place,
    lesson_named,
    lessons,
    place_after_button,
    place_after_play,
    place_on_resume,
    place_with_cards,
)
from bot.pictures.table.scene_text import scene_text
from bot.records import LessonProgress
from bot.storage import StorageError
from bot.table.commands import Start
from bot.table.options import TableOptions
from bot.table.server_options import chosen_options, usual_options
from bot.table.state import Lobby
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE, POST
from cogs.clicks.opening import explain_place, open_lobby, why_no_thread
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.table_actions import execute
from cogs.pages.controls import Page
from cogs.pages.lessons.page import (
    end_page,
    learn_page,
    read_free_play,
    read_lesson_choice,
    step_page,
)
from cogs.pages.lessons.picture import LESSON_FILE, lesson_scene
from cogs.pages.verbs import Verb
from engine import VARIANTS, read_cards


async def list_of_lessons(ctx: Context) -> Page:
    """Return the list of lessons, with the progress of the user."""
    progress = await ctx.reply.read(ctx.bot.store.lessons.progress(ctx.user_id))
    select_suffix = str(ctx.interaction.id % 1000)  # with a new id, Discord shows it unselected
    return learn_page(lessons(), progress, ctx.words, select_suffix)


@control(Verb.LEARN, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def learn(ctx: ClickContext) -> None:
    """Show the list of lessons."""
    await ctx.services.pictures.show(ctx.reply, await list_of_lessons(ctx))


@control(Verb.LESSON, who=Who.ANYBODY, where=Where.ANYWHERE)
async def show_lesson(ctx: ClickContext) -> None:
    """Continue a lesson, show one of its steps, or show the consequence of a choice."""
    name, step, choice = read_lesson_choice(ctx.click.chosen)
    lesson = _require_lesson(name)
    if step is None:
        reading = ctx.bot.store.lessons.progress(ctx.user_id)
        progress = await ctx.reply.read(reading)
        place = place_on_resume(lesson, progress.get(name, LessonProgress()).step)
    else:
        place = _require_offered(place_after_button(lesson, step, choice))
    await _store_and_show(ctx, place)


@control(Verb.LESSON_PLAY, who=Who.ANYBODY, where=Where.ANYWHERE)
async def play_in_lesson(ctx: ClickContext) -> None:
    """Play the cards that were chosen one by one."""
    name, step, play = read_free_play(ctx.click.args)
    place = _require_offered(place_after_play(_require_lesson(name), step, play))
    await _store_and_show(ctx, place)


@control(Verb.LESSON_CARDS, who=Who.ANYBODY, where=Where.ANYWHERE)
async def choose_lesson_cards(ctx: ClickContext) -> None:
    """Show the same step with the chosen cards and the name of their combination."""
    name, step, _ = read_lesson_choice(ctx.click.args)
    cards = read_cards(" ".join(ctx.click.values))
    await _show(ctx, _require_offered(place_with_cards(_require_lesson(name), step or 0, cards)))


async def _store_and_show(ctx: ClickContext, place: Place) -> None:
    """Show a page of a lesson; store that it was reached, unless the user's choice was wrong."""
    if not place.is_wrong:
        await ctx.reply.change(_store_progress(ctx, place))
    await _show(ctx, place)


async def _show(ctx: ClickContext, place: Place) -> None:
    """Show the page of a place in a lesson, with empty selects."""
    words = ctx.words
    if place.over:
        reading = ctx.bot.store.lessons.progress(ctx.user_id)
        progress = await ctx.reply.read(reading)
        await ctx.services.pictures.show(ctx.reply, end_page(place, lessons(), progress, words))
        return

    def page(alt: str | None = None) -> Page:
        return step_page(place, words, str(ctx.interaction.id % 1000), alt=alt)

    message_id = await ctx.services.pictures.show(ctx.reply, page())
    step = place.lesson.steps[place.step]
    if step.picture and step.scene.match is not None:
        scene = lesson_scene(step.scene.match, words)
        alt = scene_text(scene, words)
        ctx.services.pictures.begin(ctx.reply, message_id, scene, LESSON_FILE, alt, page)


async def _store_progress(ctx: ClickContext, place: Place) -> None:
    """Store the progress in a lesson."""
    progress = LessonProgress(step=0 if place.over else place.step, done=place.over)
    async with ctx.bot.tables.forgetting.delay_erasure(ctx.user_id):
        await ctx.bot.store.lessons.keep(ctx.user_id, place.lesson.name, progress)


@control(Verb.LESSON_TABLE, who=Who.ANYBODY, where=Where.SERVER, cost=POST)
async def open_lesson_table(ctx: ClickContext) -> None:
    """Start a match with computers in the user's own lobby of this channel, else at a new table.

    The new table has the server's defaults, but live pace, and hints if the server allows them,
    because a beginner needs them. It gets a thread if the channel has another table.
    """
    game = VARIANTS.get(ctx.click.args)
    if game is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    existing = ctx.bot.tables.in_channel(ChannelId(ctx.interaction.channel_id or 0), ctx.user_id)
    if isinstance(existing, Lobby) and _is_own_lobby(ctx, existing):
        await _start(ctx, existing)
        return
    settings = ctx.bot.store.server_settings.get(ctx.guild_id)
    no_thread = why_no_thread(ctx)
    await open_lobby(
        ctx,
        _options(usual_options(settings), ctx.click.args),
        computers=game.people.start - 1,
        thread=no_thread is None and (settings.threads or existing is not None),
    )
    opened = ctx.reply.stored_table
    assert opened is not None
    with contextlib.suppress(Refused, StorageError):  # then the user can click on **Start**
        await ctx.bot.tables.execute(opened.id, ctx.user_id, Start())
    if no_thread is not None and settings.threads:
        await explain_place(ctx, no_thread, live=False)


async def _start(ctx: ClickContext, lobby: Lobby) -> None:
    """Fill a lobby with computers and start its match."""
    ctx.check_channel(lobby.channel_id)
    await execute(ctx, lobby.id, Start(fill=True))
    await ctx.reply.send_text(ctx.words.say("Game on – see the table below."))


def _options(usual: TableOptions, variant: str) -> TableOptions:
    """Return the options of a table for a user who has learned this game.

    They are the `usual` ones, but with live pace, and with hints if the server allows them.
    """
    # `chosen_options` keeps the usual value for None; the default turn limit is that of live pace.
    live_limit_s = TableOptions().turn_limit_s if usual.turn_based else None
    hints = usual.policy.hints or None
    return chosen_options(usual, variant, {}, {"turn_limit_s": live_limit_s, "hints": hints})


def _require_lesson(name: str) -> Lesson:
    """Return the lesson of this name. Raise `Refused` for a forged one."""
    lesson = lesson_named(name)
    if lesson is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return lesson


def _require_offered(place: Place | None) -> Place:
    """Return the place to which a click leads. Raise `Refused` if no page offers it."""
    if place is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return place


def _is_own_lobby(ctx: ClickContext, lobby: Lobby) -> bool:
    """Return whether the user sits alone in their own lobby, for the learned game."""
    alone = lobby.host_id == ctx.user_id and set(lobby.user_ids()) == {ctx.user_id}
    return alone and lobby.options.game is VARIANTS.get(ctx.click.args)
