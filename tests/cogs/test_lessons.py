"""Learn Tichu by clicks: through a lesson, away and back, and to a table at its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.errors import Reason
from bot.ids import GuildId, TableId, UserId
from bot.lessons import FreePlay, Lesson, lessons
from bot.pictures.table.scene import TableScene
from bot.records import Change, LessonProgress, ServerSettings
from bot.storage import StorageUnavailable
from bot.storage.personal_settings import LessonStore
from bot.storage.tables import TableStore
from bot.table.options import ServerPolicy, TableOptions
from bot.text.sentences import write_failed
from cogs.pages.hand.play_choices import write_choice
from cogs.pages.lessons.picture import LESSON_FILE
from cogs.pages.table.blocked import permission_names
from cogs.pages.verbs import Verb
from engine import Options, card_text, indices
from tests.bot.forgotten_people import traces
from tests.bot.pictures.painters import DOT, Slow
from tests.campaign import sample
from tests.cogs.conftest import ErrorRecords
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, pictures, press
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import Control, Person, controls, deny, find, has, messages, text

FIRST = lessons()[0]


async def progress(world: World, person: Person) -> LessonProgress:
    """Return a user's progress in the first lesson."""
    return (await world.bot.store.lessons.progress(UserId(person.id)))[FIRST.name]


def step_of(shown: ResponseMessage) -> int:
    """Return the number of the step that a page shows, from 0."""
    return int(text(shown).splitlines()[0].rpartition("· ")[2].partition("/")[0]) - 1


def select_of(shown: ResponseMessage) -> Control:
    """Return the select on the list of lessons."""
    return next(control for control in controls(shown) if control.is_select)


async def choose(person: Person, shown: ResponseMessage, name: str) -> ResponseMessage:
    """Choose a lesson in the list."""
    return page(await person.choose(Verb.LESSON, name, args=select_of(shown).args, on=shown))


async def go_on(person: Person, shown: ResponseMessage, lesson: Lesson) -> ResponseMessage:
    """Press all wrong choices of a step without effect, then the right one."""
    number = step_of(shown)
    step = lesson.steps[number]
    choices = step.choices
    for index, choice in enumerate(choices):
        if not choice.right:
            await press(person, shown, Verb.LESSON, f"{lesson.name}.{number}.{index}")
            assert step_of(shown) == number
    for free, choice in step.plays.items():
        if choice.right:
            return await play(person, shown, lesson, free)
    right = [f".{index}" for index, choice in enumerate(choices) if choice.right]
    args = f"{lesson.name}.{number}{right[0]}" if right else f"{lesson.name}.{number + 1}"
    return await press(person, shown, Verb.LESSON, args)


async def play(
    person: Person, shown: ResponseMessage, lesson: Lesson, play: FreePlay
) -> ResponseMessage:
    """Choose other cards and go back, if there are any; then play the right cards."""
    number = step_of(shown)
    every = {option.value for option in find(shown, Verb.LESSON_CARDS).options}
    cards = texts(play)
    if others := every - cards:
        await person.choose(Verb.LESSON_CARDS, *others, on=shown)
        playable = any(texts(other) == others for other in lesson.steps[number].plays)
        assert (step_of(shown), has(shown, Verb.LESSON_PLAY)) == (number, playable)
        assert ("⚠️" in text(shown)) != playable
        await press(person, shown, Verb.LESSON, f"{lesson.name}.{number}")
    await person.choose(Verb.LESSON_CARDS, *cards, on=shown)
    assert step_of(shown) == number
    return await press(person, shown, Verb.LESSON_PLAY, f">{write_choice(*play)}")


def texts(play: FreePlay) -> set[str]:
    """Return the cards of a play in the form of the lesson's select."""
    return {card_text(card) for card in indices(play[0])}


async def test_lesson_can_be_resumed_after_a_restart_and_finished(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    world.let_people_hurry()
    await ada.slash("tichu new")
    shown = page(await ada.press(Verb.LEARN))
    assert shown.id not in {message.id for message in ada.public()}
    chosen_in = select_of(shown).custom_id
    shown = await choose(ada, shown, FIRST.name)
    for _ in range(4):
        shown = await go_on(ada, shown, FIRST)
    assert await progress(world, ada) == LessonProgress(step=4)
    back = await press(ada, shown, Verb.LESSON, f"{FIRST.name}.3")
    assert await progress(world, ada) == LessonProgress(step=3)
    left = await press(ada, back, Verb.LEARN)
    assert select_of(left).custom_id != chosen_in, (
        "else the same lesson could not be chosen once more"
    )
    assert f" 4/{len(FIRST.steps)}" in text(left)
    await world.restart()
    world.let_people_hurry()
    shown = await press(ada, page(await ada.slash("tichu learn")), Verb.LESSON, FIRST.name)
    assert step_of(shown) == 3
    for _ in range(len(FIRST.steps) - 3):
        shown = await go_on(ada, shown, FIRST)
    assert has(shown, Verb.LESSON_TABLE)
    assert await progress(world, ada) == LessonProgress(done=True)
    assert await world.bot.store.lessons.progress(UserId(ben.id)) == {}
    assert [message.id for message in ada.public()] == [message.id for message in ben.public()]
    await press(ada, page(await ada.slash("tichu settings")), Verb.FORGET_ME)
    await ada.press(Verb.FORGET_ME_NOW)
    file = world.bot.settings.database_file
    assert file is not None
    assert traces(file, ada.id, "Ada") == []


async def test_lessons_can_be_clicked_through(world: World) -> None:
    """A sample; `tests/bot/text/test_lessons.py` covers every path of all lessons."""
    (ada,) = world.people("Ada")
    world.let_people_hurry()
    shown = page(await ada.slash("tichu learn"))
    chosen = sample(lessons(), 2)
    for lesson in chosen:
        shown = await choose(ada, shown, lesson.name)
        for number in range(len(lesson.steps)):
            assert step_of(shown) == number
            shown = await go_on(ada, shown, lesson)
        shown = await press(ada, shown, Verb.LEARN)
    progress = await world.bot.store.lessons.progress(UserId(ada.id))
    assert progress == {lesson.name: LessonProgress(done=True) for lesson in chosen}


async def test_picture_of_a_table_belongs_to_its_step(
    tmp_path: Path,
) -> None:
    painter = Slow()
    step = next(number for number, step in enumerate(FIRST.steps) if step.picture)
    async with a_world(tmp_path, tables=painter) as world:
        (ada,) = world.people("Ada")
        reached = LessonProgress(step=step)
        await world.bot.store.lessons.keep(UserId(ada.id), FIRST.name, reached)
        shown = page(await ada.slash("tichu learn"))
        await press(ada, shown, Verb.LESSON, FIRST.name)
        (scene,) = painter.asked
        assert isinstance(scene, TableScene)
        assert [seat.name.text for seat in scene.seats if seat.mark == "turn"] == ["Bao"]
        assert pictures(shown) == []
        painter.at_work[0].set_result(DOT)
        await world.env.settle()
        assert pictures(shown) == [LESSON_FILE]
        assert step_of(shown) == step
        await go_on(ada, shown, FIRST)
        assert pictures(shown) == []
        await press(ada, shown, Verb.LESSON, f"{FIRST.name}.{step}")
        await press(ada, shown, Verb.LEARN)
        assert painter.at_work[1].cancelled()
        assert pictures(shown) == []


async def test_one_tap_opens_a_table_with_computers(world: World) -> None:
    """In the channel, or in a thread of its own if the channel has a table."""
    ada, ben = world.people("Ada", "Ben")
    usual = {"computers": "novice", "turn_limit_s": "86400", "target": "500"}
    chosen = ServerSettings(defaults=usual, pictures=False)
    await world.bot.store.server_settings.choose(GuildId(world.guild.id), chosen)
    for person in (ada, ben):
        shown = page(await person.slash("tichu learn"))
        await person.press(Verb.LESSON_TABLE, on=shown)
        table = max(world.bot.tables.all(), key=lambda table: table.id)
        assert table.status == "playing"
        assert (table.host_id, len(table.user_ids())) == (person.id, 1)
        assert (table.channel_id == world.channel.id) == (person is ada)
        assert not table.options.rated
        assert table.options == TableOptions(
            rules=Options(target=500),
            computers="novice",
            hints=True,
            policy=ServerPolicy(pictures=False),
        )
    thread = world.env.backend.channels[table.channel_id]
    assert thread.parent_id == world.channel.id
    assert ada.sees(Verb.HAND)
    await world.bot.store.server_settings.choose(
        GuildId(world.guild.id), ServerSettings(threads=True)
    )
    there = Person(world.env, ben.member, world.guild.create_text_channel("there"))
    deny(world.env, there.channel, ben.id, "create_public_threads")
    await there.press(Verb.LESSON_TABLE, on=page(await there.slash("tichu learn")))
    assert world.game(there.channel).running
    assert permission_names(SAY)["create_public_threads"] in text(there.latest_private())


async def test_lobby_of_the_reader_alone_starts_instead(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    await ben.press(Verb.LESSON_TABLE, on=page(await ben.slash("tichu learn")))
    assert world.table().status == "lobby", "Ben's is another one"
    await ada.press(Verb.LESSON_TABLE, on=page(await ada.slash("tichu learn")))
    assert [chair.kind for chair in world.game().chairs] == ["person", *["computer"] * 3]
    assert not has(ada.public()[0], Verb.START)
    assert ada.sees(Verb.HAND)


async def test_failed_start_leaves_the_lobby_unchanged(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("database write error")
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    before, commit = world.lobby(), TableStore.commit

    async def fail(self: TableStore, table_id: TableId, change: Change) -> None:
        if change.actions:
            raise StorageUnavailable("Error while saving the game: the disk is full.")
        await commit(self, table_id, change)

    monkeypatch.setattr(TableStore, "commit", fail)
    answer = await ada.press(Verb.LESSON_TABLE, on=page(await ada.slash("tichu learn")))
    assert write_failed(SAY) in text(page(answer))
    assert world.lobby().chairs == before.chairs


async def test_forged_clicks_and_storage_failures_are_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = world.people("Ada")
    shown = page(await ada.slash("tichu learn"))
    gone = refusal(Reason.UNKNOWN_BUTTON)
    last = len(FIRST.steps)
    for written in ("none", f"{FIRST.name}.{last + 1}", f"{FIRST.name}.{last}.0", "x.y.z"):
        result = await forge(ada, shown, f"b:lesson:{written}")
        assert text(page(result)) == gone
    for forged in (
        "b:lesson-table:chess",
        f"b:lesson-play:{FIRST.name}.0>1",
        "b:lesson-play:none.0>1",
        f"s:lesson-cards:{FIRST.name}.0",
    ):
        assert text(page(await forge(ada, shown, forged))) == gone

    async def fail(*_: object) -> None:
        raise StorageUnavailable("locked")

    before = text(shown)
    monkeypatch.setattr(LessonStore, "keep", fail)
    assert text(page(await ada.press(Verb.LESSON, FIRST.name, on=shown))) == write_failed(SAY)
    assert text(shown) == before
    assert messages(world.env, world.channel) == []
