"""Learn Tichu: the list of lessons, their steps, and the table with computers at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.lessons import (
    Lesson,
    Place,
    choosing,
    led_to,
    lesson_named,
    lessons,
    played,
    resumed,
)
from bot.pictures.table.scene_text import scene_text
from bot.records import LessonProgress
from bot.storage import StorageError
from bot.table.commands import Start
from bot.table.options import TableOptions
from bot.table.server_options import chosen_options, usual_options
from bot.table.state import Lobby
from cogs.clicks.click import Click
from cogs.clicks.opening import open_lobby, tell_otherwise, why_no_thread
from cogs.clicks.page_pictures import PagePictures
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import Page
from cogs.pages.lessons.page import end_page, learn_page, played_in, pressed_in, step_page
from cogs.pages.lessons.picture import LESSON_FILE, lesson_scene
from cogs.pages.verbs import Verb
from engine import VARIANTS, read_cards


async def list_of_lessons(announcer: Announcer, interaction: Interaction) -> Page:
    """The list of lessons, with how far the person is who asks."""
    reading = announcer.bot.store.lessons.progress(UserId(interaction.user.id))
    progress = await Reply(interaction).reading(reading)
    return learn_page(
        lessons(), progress, announcer.private(interaction), str(interaction.id % 1000)
    )


class LessonClicks:
    """Shows these pages; refusals are raised. A step counts as reached when that is stored."""

    def __init__(self, bot: TichuBot, announcer: Announcer, pictures: PagePictures) -> None:
        self.bot = bot
        self.announcer = announcer
        self._pictures = pictures
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.LEARN: self._learn,
            Verb.LESSON: self._lesson,
            Verb.LESSON_CARDS: self._choose_cards,
            Verb.LESSON_PLAY: self._play,
            Verb.LESSON_TABLE: self._table,
        }

    async def _learn(self, click: Click) -> None:
        page = await list_of_lessons(self.announcer, click.interaction)
        await self._pictures.show(click.interaction, page)

    async def _lesson(self, click: Click) -> None:
        """A lesson where it was left, one of its steps, or what is said to a choice."""
        name, step, choice = pressed_in(click.chosen)
        lesson = _named(name)
        if step is None:
            reading = self.bot.store.lessons.progress(click.user_id)
            progress = await Reply(click.interaction).reading(reading)
            place = resumed(lesson, progress.get(name, LessonProgress()).step)
        else:
            place = _offered(led_to(lesson, step, choice))
        await self._go(click, place)

    async def _play(self, click: Click) -> None:
        """A play of freely chosen cards."""
        name, step, play = played_in(click.args)
        await self._go(click, _offered(played(_named(name), step, play)))

    async def _choose_cards(self, click: Click) -> None:
        """Cards were chosen in the hand; the page names what they are. The step stays."""
        name, step, _ = pressed_in(click.args)
        cards = read_cards(" ".join(click.values))
        await self._show(click, _offered(choosing(_named(name), step or 0, cards)))

    async def _go(self, click: Click, place: Place) -> None:
        """Show a page and keep that it was reached, unless somebody is where they were."""
        reply = Reply(click.interaction)
        if not place.missed:
            await reply.changing(self._keep(click.user_id, place))
        await self._show(click, place)

    async def _show(self, click: Click, place: Place) -> None:
        """The page of a place; its selects have forgotten what was chosen in them before."""
        interaction, words = click.interaction, self.announcer.private(click.interaction)
        if place.over:
            reading = self.bot.store.lessons.progress(click.user_id)
            progress = await Reply(interaction).reading(reading)
            await self._pictures.show(interaction, end_page(place, lessons(), progress, words))
            return

        def page(drawn: str | None = None) -> Page:
            return step_page(place, words, str(interaction.id % 1000), drawn=drawn)

        message_id = await self._pictures.show(interaction, page())
        step = place.lesson.steps[place.step]
        if step.picture and step.scene.match is not None:
            scene = lesson_scene(step.scene.match, words)
            alt = scene_text(scene, words)
            self._pictures.begin(interaction, message_id, scene, LESSON_FILE, alt, page)

    async def _keep(self, user_id: UserId, place: Place) -> None:
        """Keep where somebody is in a lesson."""
        progress = LessonProgress(step=0 if place.over else place.step, done=place.over)
        async with self.bot.tables.forgetting.keeping(user_id):
            await self.bot.store.lessons.keep(user_id, place.lesson.name, progress)

    async def _table(self, click: Click) -> None:
        """Start a match with computers: at the reader's own lobby here, else at a new table.

        That one is as the server usually has it, but live. It is in a thread if the channel has
        another table. Hints are allowed at it where the server allows any, as nobody knows
        everything after a few lessons.
        """
        game = VARIANTS.get(click.args)
        if game is None:
            raise Refused(Reason.UNKNOWN_BUTTON)
        interaction, announcer = click.interaction, self.announcer
        here = self.bot.tables.in_channel(ChannelId(interaction.channel_id or 0), click.user_id)
        if isinstance(here, Lobby) and _waits_for(here, click):
            await self._start(click, here)
            return
        settings = self.bot.store.server_settings.get(GuildId(interaction.guild_id or 0))
        without = await why_no_thread(announcer, interaction)
        await open_lobby(
            announcer,
            interaction,
            _options(usual_options(settings), click.args),
            computers=game.people.start - 1,
            thread=without is None and (settings.threads or here is not None),
        )
        opened = Reply(interaction).stored_table
        assert opened is not None
        with contextlib.suppress(Refused, StorageError):  # then its button **Start** is there
            await self.bot.tables.execute(opened.id, click.user_id, Start())
        if without is not None and settings.threads:
            await tell_otherwise(announcer, interaction, without, live=False)

    async def _start(self, click: Click, lobby: Lobby) -> None:
        """Start the match of a lobby in which its host sits alone, with computers."""
        reply, tables = Reply(click.interaction), self.bot.tables
        await self.announcer.check_channel(click.interaction, lobby.channel_id)
        await reply.changing(tables.execute(lobby.id, click.user_id, Start(fill=True)))
        say = self.announcer.private(click.interaction).say
        await reply.tell(say("Game on – see the table below."))


def _options(usual: TableOptions, variant: str) -> TableOptions:
    """The options of a table on which somebody plays this game after a few lessons."""
    live = TableOptions().turn_limit_s if usual.turn_based else None
    hints = usual.house.hints or None
    return chosen_options(usual, variant, {}, {"turn_limit_s": live, "hints": hints})


def _named(name: str) -> Lesson:
    """The lesson of this name. `Refused` for a forged one."""
    lesson = lesson_named(name)
    if lesson is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return lesson


def _offered(place: Place | None) -> Place:
    """The place that a click leads to. `Refused` if no page offers that."""
    if place is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return place


def _waits_for(lobby: Lobby, click: Click) -> bool:
    """Whether somebody sits alone in their own lobby, for the game that they have learned."""
    alone = lobby.host_id == click.user_id and set(lobby.user_ids()) == {click.user_id}
    return alone and lobby.options.game is VARIANTS.get(click.args)
