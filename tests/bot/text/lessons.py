"""Pages of Learn Tichu: all lessons, and examples with every kind of step."""

from __future__ import annotations

from bot.lessons import (
    NAMES,
    READER,
    Lesson,
    Place,
    lessons,
    place_after_button,
    place_after_play,
    place_with_cards,
    read_lesson,
)
from bot.pictures.table.scene_text import scene_text
from bot.records import LessonProgress
from bot.text.cards import Speaker
from cogs.pages.lessons.choices import CIRCLED_NUMBERS
from cogs.pages.lessons.page import end_page, learn_page, step_page
from cogs.pages.lessons.picture import lesson_scene
from tests.bot.text.pages import Named

NOT_SAID = {*NAMES, *CIRCLED_NUMBERS}
"""Texts of these pages that are the same in every language."""

_HEAD = """
title 1
about 2
end 3
"""
_FOUR = """
deal
  phase GRAND 0
  hand 0 J2 J3 J4 J5 J6 J7 J8 J9
  hand 1 S2 S3 S4 S5 S6 S7 S8 S9
  hand 2 P2 P3 P4 P5 P6 P7 P8 P9
  hand 3 T2 T3 T4 T5 T6 T7 T8 T9
  stock 0 J10 JJ JQ JK JA DOG
  stock 1 S10 SJ SQ SK SA MAHJONG
  stock 2 P10 PJ PQ PK PA PHOENIX
  stock 3 T10 TJ TQ TK TA DRAGON
  answers - - - -
step 4
  wrong grand:yes | 5
  right grand:no
  then 1 grand:no
  then 2 grand:no
  then 3 grand:yes
step 6
  right tichu
  then 1 tichu
step 7
  wrong pass-cards:J2>1,J3>2,J4>3 | 8
  right pass-cards:J2>1,JA>2,J3>3 | 9
  then 1 pass-cards:S2>0,S3>2,S4>3
  then 2 pass-cards:P2>0,P3>1,P4>3
  then 3 pass-cards:T2>0,T3>1,T4>2
step 10
  show S2 P2 T2
  then 1 play:MAHJONG wish=8
step 11
deal
  phase LEAD 0
  hand 0 J4 S4 P4 T4 MAHJONG PHOENIX DRAGON JK
  hand 1 S9 SA
  hand 2 P9 P10
  hand 3 T9
step 12
  show PHOENIX JK
  right play:MAHJONG wish=9
  wrong play:MAHJONG | 13
  wrong play:J4,JK
  wrong play:J4,S4 | 14
  wrong play:P4,T4 | 14
step 15
  right bomb:J4,S4,P4,T4
  wrong waive | 16
  then 1 pass
  then 2 pass
  then 3 pass
step 17
  right play:JK
  wrong play:PHOENIX | 18
  then 1 play:SA
  then 2 pass
  then 3 pass
step 19
  right play:DRAGON
  wrong pass | 20
  then 1 pass
  then 2 pass
  then 3 pass
step 21
  right give:3
  wrong give:2
step 22
  right play:PHOENIX
  then 1 play:S9
  then 2 play:P10
  then 3 pass
deal
  phase LEAD 1
  hand 0 J4
  hand 1 DRAGON SK
  hand 2 DOG P9 P10
  hand 3 T9
  then 1 play:DRAGON
  then 2 pass
  then 3 pass
  then 0 pass
  then 1 give:0
  then 1 play:SK
step 23
deal
  phase LEAD 0
  calls tichu - tichu -
  asked 0
  hand 0 J4 DOG
  hand 1 DRAGON S4
  hand 2 P9 P10
  hand 3 T9
step 24
  right withdraw:no
  wrong withdraw:yes | 25
step 26
  right play:DOG
deal
  phase LEAD 0
  hand 0 S8
  hand 3 TK
  out 1 2
  pile 1 P10 JK
step 35
  right play:S8
deal
  phase LEAD 2
  hand 0 S8
  hand 1 S9
  hand 2 DOG TK
  hand 3 T9
  then 2 play:DOG
step 36
deal
  phase TURN 0
  trick 3 S8,T8
  hand 0 S3 J10 T10 PHOENIX
  hand 1 J5
  hand 2 J6
  hand 3 TK
step 38
  choose | 39
  right play:J10,T10
  wrong pass | 40
  then 1 pass
  then 2 pass
  then 3 pass
exam 41
  choose
  right play:PHOENIX=3,S3
  wrong play:S3 | 42
  wrong play:PHOENIX | 42
exam 27
  right "28 {J2 J3}"
  wrong "29" | 30
"""
_SIX = """
game tientsin
deal
  phase LEAD 0
  hand 0 DOG J4
  hand 1 S4
  hand 2 P4
  hand 3 T4
  hand 4 J5
  hand 5 S5
step 31
  right play:DOG to=2
  wrong play:DOG to=4 | 32
"""
_THREE = """
game trichu
deal
  phase LEAD 3
  round 1 dealer 0
  hand 0 J4
  hand 1 S4
  hand 2 P4
  hand 3 T4 DRAGON
step 33
  right 3 play:T4
  wrong 3 play:DRAGON | 34
  then 2 pass
  then 0 pass
  then 1 pass
  then 3 play:DRAGON
step 37
"""
EXAMPLES = tuple(
    read_lesson(_HEAD + body, name)
    for name, body in (("four", _FOUR), ("six", _SIX), ("three", _THREE))
)
"""Lessons whose own texts are numbers, so all words on their pages come from the pages."""


def lesson_pages(to: Speaker) -> Named:
    """Yield all lessons step by step, with the answer to each choice."""
    every = (*lessons(), *EXAMPLES)
    begun = {lesson.name: LessonProgress(step=1) for lesson in every[:1]}
    done = {lesson.name: LessonProgress(done=True) for lesson in every}
    for name, progress in (("new", {}), ("begun", begun), ("done", done)):
        yield f"lessons: {name}", learn_page(every, progress, to)
    for lesson in every:
        for place in places(lesson):
            said = "" if place.pressed is None else f", {place.pressed.reply or 'pressed'}"
            chosen = f", chosen {place.chosen:x}" if place.chosen else ""
            name = f"lesson: {lesson.name} {place.step}{said}{chosen}"
            if not place.over:
                yield name, step_page(place, to)
                step = lesson.steps[place.step]
                if step.picture and step.scene.match is not None:
                    alt = scene_text(lesson_scene(step.scene.match, to), to)
                    yield f"{name}, drawn", step_page(place, to, alt=alt)
                continue
            for progress in ({}, done):
                yield name, end_page(place, every, progress, to)


def places(lesson: Lesson) -> list[Place]:
    """Return the pages of a lesson: its steps, its end, and the result of each choice.

    Where cards are chosen freely: those of one play of each kind, all cards, and the results of
    plays.
    """
    found = [Place(lesson, step) for step in range(len(lesson.steps) + 1)]
    for number, step in enumerate(lesson.steps):
        led = [place_after_button(lesson, number, choice) for choice in range(len(step.choices))]
        one_of_each = {id(choice): play for play, choice in step.plays.items()}
        for play in one_of_each.values():
            led += [
                place_with_cards(lesson, number, play[0]),
                place_after_play(lesson, number, play),
            ]
        if step.plays:
            assert step.scene.match is not None
            assert step.scene.match.round is not None
            led.append(place_with_cards(lesson, number, step.scene.match.round.hands[READER].cards))
        for place in led:
            assert place is not None
            found.append(place)
    return found
