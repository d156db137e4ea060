"""Pages of Learn Tichu: the list of lessons, steps, and endings.

They are private and belong to no table. A button carries its lesson, step and choice, so none of
them is ever out of date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import discord

from bot.lessons import READER, Choice, FreePlay, Lesson, Place
from bot.records import LessonProgress
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.controls import (
    Controls,
    Page,
    Part,
    button_rows,
    gallery,
    line,
    option,
    read_number,
    row,
    text,
)
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.hand.free_choice import card_select, reading_buttons, refusal_line
from cogs.pages.hand.play_choices import read_choice
from cogs.pages.hand.refused_plays import refusal_text
from cogs.pages.lessons.choices import Label, choice_labels, lesson_text
from cogs.pages.lessons.picture import LESSON_FILE
from cogs.pages.lessons.table import lesson_name, table_blocks
from cogs.pages.verbs import Verb
from engine import PHOENIXES, CardSet, NotationError, Play, readings, view, with_key_on

_CONTROLS = Controls()
"""Controls without a table; lessons are never out of date."""
_ACCENT = discord.Colour(0x2F6F4F)
_NEW = LessonProgress()
_PRESS_THIS = "👉"

Progress = Mapping[str, LessonProgress]
"""Progress of a person in each lesson that they have begun, by its name."""


def learn_page(
    shelf: Sequence[Lesson], progress: Progress, words: Speaker, id_suffix: str = ""
) -> Page:
    """Return the list of lessons, with progress and the next lesson.

    `id_suffix` ends the id of the select. As long as the id is the same, Discord keeps showing the
    last choice, and nobody can choose it a second time.
    """
    say = words.say
    head = [
        "## " + say("Learn Tichu"),
        say(
            "Real cards, step by step, two minutes per lesson. Nothing counts: come and go as "
            "you like."
        ),
    ]
    items = [text("\n".join(head))]
    for is_main_game, lessons in groupby(shelf, lambda lesson: lesson.game == shelf[0].game):
        heading = words.variant(shelf[0].game) if is_main_game else say("Other games")
        lines = [_lesson_line(lesson, progress.get(lesson.name, _NEW), words) for lesson in lessons]
        items += [line(), text("\n".join([f"**{heading}**", *lines]))]
    options = [
        option(
            say.translate(lesson.title, {}),
            lesson.name,
            description=say.translate(lesson.about, {}),
            emoji="✅" if progress.get(lesson.name, _NEW).done else None,
        )
        for lesson in shelf
    ]
    next_lesson = _next_lesson(shelf, progress)
    buttons = [_table_button(shelf[0], words, best=next_lesson is None)]
    if next_lesson is not None:
        is_begun = progress.get(next_lesson.name, _NEW).step > 0
        title = say.translate(next_lesson.title, {})
        label = say("Continue: {title}", title=title) if is_begun else title
        buttons.insert(0, _lesson_button(next_lesson, label))
    lesson_select = _CONTROLS.select(Verb.LESSON, say("Choose a lesson…"), options, id_suffix)
    return Page(*items, line(), row(*buttons), lesson_select, accent=_ACCENT)


def _next_lesson(
    shelf: Sequence[Lesson], progress: Progress, after: Lesson | None = None
) -> Lesson | None:
    """Return the first lesson that is not done, beginning with the one behind `after`."""
    start = 0 if after is None else shelf.index(after) + 1
    return next(
        (
            lesson
            for lesson in (*shelf[start:], *shelf[:start])
            if lesson != after and not progress.get(lesson.name, _NEW).done
        ),
        None,
    )


def _lesson_line(lesson: Lesson, progress: LessonProgress, words: Speaker) -> str:
    """Return a lesson's line in the list, with a tick if done or the current step."""
    title = words.say.translate(lesson.title, {})
    if progress.done:
        return f"✅ {title}"
    if progress.step:
        return f"▶️ **{title}** · {_step_count_text(lesson, progress.step, words)}"
    return f"▫️ {title}"


def _step_count_text(lesson: Lesson, step_number: int, words: Speaker) -> str:
    """Return the number of a step and of all steps, such as “3/8”."""
    say = words.say
    return f"{say.number(step_number + 1)}/{say.number(len(lesson.steps))}"


# --- a step ------------------------------------------------------------------------------------


def step_page(place: Place, words: Speaker, id_suffix: str = "", *, alt: str | None = None) -> Page:
    """Return the page of a step, with the reply to the reader's last choice.

    `id_suffix` is appended to the custom_id of the card select, as in `learn_page`. `alt` is the
    alternative text of the table picture; if it is given, `LESSON_FILE` must be attached.
    """
    lesson, step_number, pressed, chosen = place
    say, step = words.say, lesson.steps[step_number]
    title = say.translate(lesson.title, {})
    top_line = f"-# {title} · {_step_count_text(lesson, step_number, words)}"
    head = []
    if step.exam:
        head.append(say("**Now you:**"))
    head.append(f"### {lesson_text(step.sentence, words)}")
    if step.cards:
        head.append(f"## {_cards_text(step.cards, words)}")
    step_labels = choice_labels(step, words)
    head += [label.above for label in step_labels if label.above]
    previous_step = step_number if chosen else step_number - 1
    buttons = [] if previous_step < 0 else [_step_button(lesson, previous_step, say("Back"))]
    buttons.append(_CONTROLS.button(Verb.LEARN, say("Lessons")))
    if not step.choices and not step.plays:
        buttons.insert(0, _step_button(lesson, step_number + 1, say("Next"), marked=True))
    return Page(
        *_top_blocks(top_line, pressed, words),
        text("\n".join(head)),
        *(() if alt is None else (gallery(LESSON_FILE, alt),)),
        line(),
        *table_blocks(step.scene, words),
        *(() if chosen else _choice_rows(lesson, step_number, step_labels)),
        *(_free_choice_rows(place, words, id_suffix) if step.plays else ()),
        row(*buttons),
        accent=_ACCENT,
    )


def _top_blocks(top_line: str, pressed: Choice | None, words: Speaker) -> Iterator[Part]:
    """Yield the blocks on top: the line of the step, and the reply to the last choice."""
    if pressed is not None and pressed.reply:
        emoji = "✅" if pressed.right else "💡"
        yield text(f"{top_line}\n{emoji} {lesson_text(pressed.reply, words)}")
    elif pressed is not None and pressed.refusal is not None:
        yield text(f"{top_line}\n💡 {sentence(words.say, pressed.refusal)}")
    else:
        yield text(top_line)
        return
    yield line()


def _cards_text(cards: CardSet, words: Speaker) -> str:
    """Return pictures of cards, ordered as a combination if the Phoenix replaces a card."""
    combinations = readings(cards) if cards & PHOENIXES else []
    if combinations:
        return words.combination_cards(with_key_on(combinations[0], None))
    return " ".join(words.card(card) for card in in_display_order(cards, "dog_first"))


def _choice_rows(lesson: Lesson, step_number: int, step_labels: Sequence[Label]) -> Iterator[Part]:
    """Yield rows with a button for each choice; the right one is marked unless in an exam."""
    step, colours = lesson.steps[step_number], discord.ButtonStyle
    buttons = []
    for index, (choice, label) in enumerate(zip(step.choices, step_labels, strict=True)):
        is_marked = choice.right and not step.exam
        buttons.append(
            _CONTROLS.button(
                Verb.LESSON,
                label.button,
                f"{lesson.name}.{step_number}.{index}",
                style=colours.success if is_marked else colours.secondary,
                emoji=_PRESS_THIS if is_marked else label.emoji,
            )
        )
    yield from button_rows(buttons)


def _free_choice_rows(place: Place, words: Speaker, id_suffix: str) -> Iterator[Part]:
    """Yield the select of cards, then a row with the plays of the chosen cards.

    If they make no play, yield a line with the reason instead of the row.
    """
    step_args = f"{place.lesson.name}.{place.step}"
    match = place.lesson.steps[place.step].scene.match
    assert match is not None
    reader_view, chosen = view(match, READER), place.chosen
    args = f"{step_args}.{id_suffix}" if id_suffix else step_args
    yield card_select(reader_view, chosen, _CONTROLS, words, Verb.LESSON_CARDS, args)
    if not chosen:
        return
    if buttons := reading_buttons(
        reader_view, chosen, _CONTROLS, words, Verb.LESSON_PLAY, f"{step_args}>"
    ):
        yield row(*buttons)
        return
    has_opponent_play = reader_view.top is not None and reader_view.top_seat != READER
    name = lesson_name(match, reader_view.top_seat, words) if has_opponent_play else ""
    reason = refusal_text(match, Play(READER, chosen), words, top=reader_view.top, name=name)
    yield refusal_line(chosen, reason, words)


def _step_button(lesson: Lesson, step_number: int, label: str, *, marked: bool = False) -> Part:
    """Return the button that opens a step, or the end of the lesson after the last one."""
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        Verb.LESSON,
        label,
        f"{lesson.name}.{step_number}",
        style=colours.success if marked else colours.secondary,
        emoji=_PRESS_THIS if marked else None,
    )


# --- the end -----------------------------------------------------------------------------------


def end_page(place: Place, shelf: Sequence[Lesson], progress: Progress, words: Speaker) -> Page:
    """Return the page after the last step, with buttons to the next lesson and a table."""
    lesson, pressed = place.lesson, place.pressed
    say, next_lesson = words.say, _next_lesson(shelf, progress, after=lesson)
    head = [f"### ✅ {lesson_text(lesson.ending, words)}"]
    buttons = [
        _table_button(lesson, words, best=next_lesson is None),
        _CONTROLS.button(Verb.LEARN, say("Lessons")),
        _step_button(lesson, 0, say("Again")),
    ]
    if next_lesson is not None:
        title = say.translate(next_lesson.title, {})
        buttons.insert(0, _lesson_button(next_lesson, say("Next: {title}", title=title)))
    else:
        head.append(say("That was the last lesson. Now play!"))
    return Page(
        *_top_blocks(f"-# {say.translate(lesson.title, {})}", pressed, words),
        text("\n".join(head)),
        line(),
        *(table_blocks(lesson.last, words) if lesson.last.events else ()),
        row(*buttons),
        accent=_ACCENT,
    )


def _lesson_button(lesson: Lesson, label: str) -> Part:
    """Return the button that continues a lesson where the reader left it."""
    primary = discord.ButtonStyle.primary
    return _CONTROLS.button(Verb.LESSON, label, lesson.name, style=primary)


def _table_button(lesson: Lesson, words: Speaker, *, best: bool) -> Part:
    """Return the button that opens a table with computers for this lesson's game.

    It is highlighted if it is the `best` next choice.
    """
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        Verb.LESSON_TABLE,
        words.say("Play with computers"),
        lesson.game,
        style=colours.primary if best else colours.secondary,
        emoji=words.art.icon_emoji("computer"),
    )


def read_free_play(args: str) -> tuple[str, int, FreePlay]:
    """Parse the arguments of a play of freely chosen cards: lesson, step, play.

    Raises `NotationError` for a forged one.
    """
    step_args, _, play = args.partition(">")
    name, step, _ = read_lesson_choice(step_args)
    if step is None:
        raise NotationError("not a step")
    return name, step, read_choice(play)


def read_lesson_choice(args: str) -> tuple[str, int | None, int | None]:
    """Parse the arguments of a lesson's button: lesson, step, choice; `None` if missing.

    Raises `NotationError` for a forged one.
    """
    name, *numbers = args.split(".")
    step, choice, *_ = (*map(read_number, numbers), None, None)  # `None` for missing numbers
    return name, step, choice
