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
from cogs.pages.controls import Controls, Page, Part, gallery, line, number, option, row, text
from cogs.pages.hand.card_order import in_order
from cogs.pages.hand.free_choice import card_select, made_buttons, refused_line
from cogs.pages.hand.play_choices import read_choice
from cogs.pages.hand.refused_plays import refusal_of
from cogs.pages.lessons.choices import Label, filled, labels
from cogs.pages.lessons.picture import LESSON_FILE
from cogs.pages.lessons.table import lesson_name, table_parts
from cogs.pages.verbs import Verb
from engine import PHOENIXES, CardSet, NotationError, Play, readings, view, with_key_on

_CONTROLS = Controls()
"""Controls without a table; lessons are never out of date."""
_ACCENT = discord.Colour(0x2F6F4F)
_PER_ROW = 5
_NEW = LessonProgress()
_PRESS_THIS = "👉"

Progress = Mapping[str, LessonProgress]
"""Progress of a person in each lesson that they have begun, by its name."""


def learn_page(
    shelf: Sequence[Lesson], progress: Progress, words: Speaker, renewed: str = ""
) -> Page:
    """Return the list of lessons, with progress and the next lesson.

    `renewed` ends the id of the select. As long as the id is the same, Discord keeps showing the
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
    parts = [text("\n".join(head))]
    for first, lessons in groupby(shelf, lambda lesson: lesson.game == shelf[0].game):
        heading = words.variant(shelf[0].game) if first else say("Other games")
        lines = [_lesson_line(lesson, progress.get(lesson.name, _NEW), words) for lesson in lessons]
        parts += [line(), text("\n".join([f"**{heading}**", *lines]))]
    options = [
        option(
            say.translate(lesson.title, {}),
            lesson.name,
            description=say.translate(lesson.about, {}),
            emoji="✅" if progress.get(lesson.name, _NEW).done else None,
        )
        for lesson in shelf
    ]
    following = _next_lesson(shelf, progress)
    buttons = [_table_button(shelf[0], words, best=following is None)]
    if following is not None:
        begun = progress.get(following.name, _NEW).step > 0
        title = say.translate(following.title, {})
        label = say("Continue: {title}", title=title) if begun else title
        buttons.insert(0, _lesson_button(following, label))
    choice = _CONTROLS.select(Verb.LESSON, say("Choose a lesson…"), options, renewed)
    return Page(*parts, line(), row(*buttons), choice, accent=_ACCENT)


def _next_lesson(
    shelf: Sequence[Lesson], progress: Progress, after: Lesson | None = None
) -> Lesson | None:
    """Return the next lesson not done, searching on from `after`."""
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
    """Return a line of the list: the lesson is done, or its current step."""
    title = words.say.translate(lesson.title, {})
    if progress.done:
        return f"✅ {title}"
    if progress.step:
        return f"▶️ **{title}** · {_place(lesson, progress.step, words)}"
    return f"▫️ {title}"


def _place(lesson: Lesson, step_number: int, words: Speaker) -> str:
    """Return the number of this step among all steps."""
    say = words.say
    return f"{say.number(step_number + 1)}/{say.number(len(lesson.steps))}"


# --- a step ------------------------------------------------------------------------------------


def step_page(place: Place, words: Speaker, renewed: str = "", *, drawn: str | None = None) -> Page:
    """Return the reader's step of a lesson, with the reply to their last choice.

    `renewed` ends the id of the select with the reader's cards, as in `learn_page`. With `drawn`,
    the alternative text of the table picture, `LESSON_FILE` must be attached.
    """
    lesson, step_number, pressed, chosen = place
    say, step = words.say, lesson.steps[step_number]
    title = say.translate(lesson.title, {})
    small = f"-# {title} · {_place(lesson, step_number, words)}"
    head = []
    if step.exam:
        head.append(say("**Now you:**"))
    head.append(f"### {filled(step.sentence, words)}")
    if step.cards:
        head.append(f"## {_shown(step.cards, words)}")
    named = labels(step, words)
    head += [label.above for label in named if label.above]
    back = step_number if chosen else step_number - 1
    ways = [] if back < 0 else [_step_button(lesson, back, say("Back"))]
    ways.append(_CONTROLS.button(Verb.LEARN, say("Lessons")))
    if not step.choices and not step.plays:
        ways.insert(0, _step_button(lesson, step_number + 1, say("Next"), marked=True))
    return Page(
        *_above(small, pressed, words),
        text("\n".join(head)),
        *(() if drawn is None else (gallery(LESSON_FILE, drawn),)),
        line(),
        *table_parts(step.scene, words),
        *(() if chosen else _choice_rows(lesson, step_number, named)),
        *(_free_rows(place, words, renewed) if step.plays else ()),
        row(*ways),
        accent=_ACCENT,
    )


def _above(small: str, pressed: Choice | None, words: Speaker) -> Iterator[Part]:
    """Return the small line on top, and the reply to the last choice."""
    if pressed is not None and pressed.reply:
        sign = "✅" if pressed.right else "💡"
        yield text(f"{small}\n{sign} {filled(pressed.reply, words)}")
    elif pressed is not None and pressed.refusal is not None:
        yield text(f"{small}\n💡 {sentence(words.say, pressed.refusal)}")
    else:
        yield text(small)
        return
    yield line()


def _shown(cards: CardSet, words: Speaker) -> str:
    """Return the cards in question, as a combination or as a hand."""
    found = readings(cards) if cards & PHOENIXES else []
    if found:
        return words.laid(with_key_on(found[0], None))
    return " ".join(words.card(card) for card in in_order(cards, "dog_first"))


def _choice_rows(lesson: Lesson, step_number: int, named: Sequence[Label]) -> Iterator[Part]:
    """Return a step's choices, the right one marked unless it is an exam."""
    step, colours = lesson.steps[step_number], discord.ButtonStyle
    buttons = []
    for index, (choice, label) in enumerate(zip(step.choices, named, strict=True)):
        marked = choice.right and not step.exam
        buttons.append(
            _CONTROLS.button(
                Verb.LESSON,
                label.button,
                f"{lesson.name}.{step_number}.{index}",
                style=colours.success if marked else colours.secondary,
                emoji=_PRESS_THIS if marked else label.emoji,
            )
        )
    for start in range(0, len(buttons), _PER_ROW):
        yield row(*buttons[start : start + _PER_ROW])


def _free_rows(place: Place, words: Speaker, renewed: str) -> Iterator[Part]:
    """Return the select of cards, and plays of the chosen ones.

    If these make no play, it returns the reason instead.
    """
    where, match = f"{place.lesson.name}.{place.step}", place.lesson.steps[place.step].scene.match
    assert match is not None
    seen, chosen = view(match, READER), place.chosen
    args = f"{where}.{renewed}" if renewed else where
    yield card_select(seen, chosen, _CONTROLS, words, Verb.LESSON_CARDS, args)
    if not chosen:
        return
    if made := made_buttons(seen, chosen, _CONTROLS, words, Verb.LESSON_PLAY, f"{where}>"):
        yield row(*made)
        return
    named = seen.top is not None and seen.top_seat != READER
    name = lesson_name(match, seen.top_seat, words) if named else ""
    reason = refusal_of(match, Play(READER, chosen), words, top=seen.top, name=name)
    yield refused_line(chosen, reason, words)


def _step_button(lesson: Lesson, step_number: int, label: str, *, marked: bool = False) -> Part:
    """Return the button that leads to a step, or to the end."""
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
    """Return the end of a lesson, with buttons for what comes next."""
    lesson, pressed = place.lesson, place.pressed
    say, following = words.say, _next_lesson(shelf, progress, after=lesson)
    head = [f"### ✅ {filled(lesson.ending, words)}"]
    buttons = [
        _table_button(lesson, words, best=following is None),
        _CONTROLS.button(Verb.LEARN, say("Lessons")),
        _step_button(lesson, 0, say("Again")),
    ]
    if following is not None:
        title = say.translate(following.title, {})
        buttons.insert(0, _lesson_button(following, say("Next: {title}", title=title)))
    else:
        head.append(say("That was the last lesson. Now play!"))
    return Page(
        *_above(f"-# {say.translate(lesson.title, {})}", pressed, words),
        text("\n".join(head)),
        line(),
        *(table_parts(lesson.last, words) if lesson.last.events else ()),
        row(*buttons),
        accent=_ACCENT,
    )


def _lesson_button(lesson: Lesson, label: str) -> Part:
    """Return the button that continues a lesson where the reader left it."""
    primary = discord.ButtonStyle.primary
    return _CONTROLS.button(Verb.LESSON, label, lesson.name, style=primary)


def _table_button(lesson: Lesson, words: Speaker, *, best: bool) -> Part:
    """Return the button to a table with computers for this lesson's game.

    It stands out if it is the `best` next choice.
    """
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        Verb.LESSON_TABLE,
        words.say("Play with computers"),
        lesson.game,
        style=colours.primary if best else colours.secondary,
        emoji=words.art.icon_emoji("computer"),
    )


def played_in(written: str) -> tuple[str, int, FreePlay]:
    """Parse the button of freely chosen cards: the lesson, the step, the play.

    Raises `NotationError` for a forged one.
    """
    where, _, play = written.partition(">")
    name, step, _ = pressed_in(where)
    if step is None:
        raise NotationError("not a step")
    return name, step, read_choice(play)


def pressed_in(written: str) -> tuple[str, int | None, int | None]:
    """Parse a lesson's control: lesson, step and choice; `None` if missing.

    Raises `NotationError` for a forged one.
    """
    name, *numbers = written.split(".")
    step, choice, *_ = (*map(number, numbers), None, None)
    return name, step, choice
