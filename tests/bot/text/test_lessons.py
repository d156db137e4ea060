"""Learn Tichu without Discord: every lesson can be finished from any page.

A lesson page depends only on the pressed control, so the test visits all reachable pages instead of
a sample.
"""

from __future__ import annotations

import gettext
from collections import deque
from collections.abc import Iterator
from itertools import chain, combinations

import discord
import pytest

from bot.art.emojis import Emojis
from bot.lessons import (
    Place,
    lessons,
    place_after_button,
    place_after_play,
    place_on_resume,
    place_with_cards,
)
from bot.records import LessonProgress
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Page, read_id
from cogs.pages.lessons.page import (
    end_page,
    learn_page,
    read_free_play,
    read_lesson_choice,
    step_page,
)
from cogs.pages.verbs import Verb
from engine import NotationError, read_cards
from tests.bot.text.lessons import EXAMPLES
from tests.bot.text.pages import BUTTON, SELECT, parts, words

SHELF = (*lessons(), *EXAMPLES)
BY_NAME = {lesson.name: lesson for lesson in SHELF}
TO = Speaker(Say("en", gettext.NullTranslations()), Emojis.plain())
MARKED = discord.ButtonStyle.success.value
Press = tuple[str, str, tuple[str, ...]]
"""A verb, its arguments, and the values chosen in a select."""


def offered(page: Page) -> Iterator[Press]:
    """Yield everything that can be pressed or chosen on a page."""
    for part in parts(page):
        if part["type"] in (BUTTON, SELECT):
            control = read_id(part["custom_id"])
            assert control is not None
            values = [option["value"] for option in part.get("options", ())]
            chosen = chain.from_iterable(
                combinations(values, size) for size in range(1, part.get("max_values", 0) + 1)
            )
            for picked in chosen if values else ((),):
                yield control["verb"], control["args"], picked


def page_after(press: Press) -> tuple[Page, Place | None]:
    """Return the page after a press, and its place in a lesson."""
    verb, args, picked = press
    if verb == Verb.LESSON_PLAY:
        name, step, play = read_free_play(args)
        place = place_after_play(BY_NAME[name], step, play)
    elif verb == Verb.LESSON_CARDS:
        name, number, _ = read_lesson_choice(args)
        place = place_with_cards(BY_NAME[name], number or 0, read_cards(" ".join(picked)))
    elif verb == Verb.LESSON:
        name, where, choice = read_lesson_choice(picked[0] if picked else args)
        lesson = BY_NAME[name]
        place = (
            place_on_resume(lesson, 0)
            if where is None
            else place_after_button(lesson, where, choice)
        )
    else:
        return learn_page(SHELF, {}, TO), None
    assert place is not None
    return (end_page(place, SHELF, {}, TO) if place.over else step_page(place, TO)), place


def everything_pressed() -> tuple[dict[Press, list[Press]], dict[Press, Place | None]]:
    """Return the possible presses after each press, and the place each leads to."""
    ways: dict[Press, list[Press]] = {}
    leads: dict[Press, Place | None] = {}
    waiting = deque[Press]([(Verb.LEARN, "", ())])
    while waiting:
        press = waiting.popleft()
        if press in ways or press[0] == Verb.LESSON_TABLE:
            continue
        page, leads[press] = page_after(press)
        ways[press] = list(offered(page))
        waiting += ways[press]
    return ways, leads


def test_every_lesson_can_be_finished_from_any_page() -> None:
    ways, leads = everything_pressed()
    back: dict[Press, set[Press]] = {}
    for press, following in ways.items():
        for then in following:
            back.setdefault(then, set()).add(press)
    for lesson in SHELF:
        here = {press: place for press, place in leads.items() if place and place.lesson is lesson}
        able = {press for press, place in here.items() if place.over}
        waiting = list(able)
        while waiting:
            new = back.get(waiting.pop(), set()) - able
            able |= new
            waiting += new
        assert set(ways) <= able, lesson.name
        assert {place.step for place in here.values()} == set(range(len(lesson.steps) + 1))


def test_right_choice_is_marked_except_in_exams(subtests: pytest.Subtests) -> None:
    for lesson in SHELF:
        with subtests.test(lesson=lesson.name):
            for number, step in enumerate(lesson.steps):
                page = step_page(Place(lesson, number), TO)
                buttons = [part for part in parts(page) if part["type"] == BUTTON]
                marked = [button["custom_id"] for button in buttons if button["style"] == MARKED]
                assert len(marked) == (not step.exam and not step.plays)
                for custom_id in marked:
                    control = read_id(custom_id)
                    assert control is not None
                    place = page_after((control["verb"], control["args"], ()))[1]
                    assert place is not None
                    assert place.step == number + 1


def test_wrong_choices_are_explained_and_do_not_advance() -> None:
    for lesson in SHELF:
        for number, step in enumerate(lesson.steps):
            before = words(step_page(Place(lesson, number), TO))
            led = [
                place_after_button(lesson, number, choice) for choice in range(len(step.choices))
            ]
            led += [place_after_play(lesson, number, play) for play in step.plays]
            for place, pressed in zip(led, (*step.choices, *step.plays.values()), strict=True):
                assert place is not None
                assert place.is_wrong is not pressed.right
                assert place.step == number + pressed.right
                if place.is_wrong:
                    after = words(step_page(place, TO))
                    assert after[1:] == before[1:]
                    assert len(after[0].splitlines()) > len(before[0].splitlines())


def test_ignores_presses_that_were_not_offered() -> None:
    lesson = EXAMPLES[0]
    last = len(lesson.steps)
    assert place_after_button(lesson, last + 1) is None
    assert place_after_button(lesson, 0, 2) is None
    assert place_after_button(lesson, last, 0) is None
    assert place_with_cards(lesson, 0, 1) is None
    assert place_with_cards(lesson, last, 1) is None
    assert place_after_play(lesson, last, (1, ())) is None
    (free, *_) = (number for number, step in enumerate(lesson.steps) if step.plays)
    not_held = read_cards("T2")
    assert place_with_cards(lesson, free, not_held) is None
    assert place_after_play(lesson, free, (not_held, ())) is None
    for forged in ("four", "four>1", "four.1>", "four.1>x"):
        with pytest.raises(NotationError):
            read_free_play(forged)
    for forged in ("four.", "four.-1", "four.1.x", "four.1.-1"):
        with pytest.raises(NotationError):
            read_lesson_choice(forged)
    assert place_on_resume(lesson, last).step == 0
    assert place_on_resume(lesson, 3).step == 3


def test_list_and_end_lead_to_the_next_lesson(
    subtests: pytest.Subtests,
) -> None:
    first, second, third = (lesson.name for lesson in EXAMPLES)
    done = LessonProgress(done=True)
    for progress, listed, at_the_end in (
        ({}, first, third),
        ({third: LessonProgress(step=1)}, first, third),
        ({first: done, second: done}, third, third),
        ({third: done}, first, first),
        ({first: done, third: done}, second, None),
        (dict.fromkeys((first, second, third), done), None, None),
    ):
        with subtests.test(progress=progress):
            assert next_in(learn_page(EXAMPLES, progress, TO)) == listed
            end = Place(EXAMPLES[1], len(EXAMPLES[1].steps))
            assert next_in(end_page(end, EXAMPLES, progress, TO)) == at_the_end


def next_in(page: Page) -> str | None:
    """Return the lesson that the page offers first; `None` if that is a table."""
    primary = discord.ButtonStyle.primary.value
    (best,) = (part["custom_id"] for part in parts(page) if part.get("style") == primary)
    control = read_id(best)
    assert control is not None
    return control["args"] if control["verb"] == Verb.LESSON else None
