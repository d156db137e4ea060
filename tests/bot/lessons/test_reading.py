"""Lessons as files: read and played through on the engine; mistakes are named by line."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.lessons import Lesson, LessonError, Step, lesson_named, lessons, read_lesson, sentences
from engine import VARIANTS, Pass, Phase, Play, Played, Reason, cards_text, write_action

HEAD = "title T\nabout A\nend E\n"
LEAD = """deal
  phase LEAD 0
  hand 0 J4 T4 S9
  hand 1 J7 P7 S7 T7
  hand 2 SK
  hand 3 P8 S8
"""
WINDOW = """deal
  phase TURN 3
  trick 2 PK
  hand 0 J4 S4 P4 T4 S9
  hand 1 J7 P7
  hand 2 SK JK
  hand 3 PA P8
then 3 play:PA
"""


def test_every_lesson_can_be_played() -> None:
    names = [lesson.name for lesson in lessons()]
    assert names
    assert len(names) == len(set(names))
    for lesson in lessons():
        assert lesson_named(lesson.name) is lesson
        assert any(step.exam for step in lesson.steps), lesson.name
    assert {lesson.game for lesson in lessons()} == set(VARIANTS)
    assert lesson_named("no-such-lesson") is None


def read(*parts: str) -> Lesson:
    return read_lesson(HEAD + "".join(parts), "example")


def acts(step: Step) -> bool:
    """Return whether the reader does something in a step instead of pressing **Next**."""
    return bool(step.choices or step.plays)


def test_first_lesson_begins_with_a_card_to_play() -> None:
    steps = lessons()[0].steps
    number = next(number for number, step in enumerate(steps) if acts(step))
    assert number <= 1
    actions = [choice.action for choice in steps[number].choices if choice.right]
    assert [type(action) for action in actions] == [Play]


def test_no_lesson_has_two_pages_of_next_in_a_row() -> None:
    for lesson in lessons():
        for number, (step, following) in enumerate(pairwise(lesson.steps), start=1):
            assert acts(step) or acts(following), (lesson.name, number)


def test_the_engine_goes_from_step_to_step() -> None:
    lesson = read(
        LEAD,
        "step Lead.\nright play:J4,T4\nwrong play:S9 | No.\nwrong play:J4,S9\n"
        "then 1 play:J7,P7\nthen 2 pass\n",
        "step Well?\nthen 3 play:P8,S8\n",
        "step Pass.\nright pass | Good.\n",
        'deal\nexam Which?\nwrong "1" | No.\nright "{S8 P8}"\n',
    )
    lead, well, answer, exam = lesson.steps
    right, wrong, refused = lead.choices
    assert (right.right, wrong.right, wrong.reply, wrong.refusal) == (True, False, "No.", None)
    assert refused.refusal is not None
    assert refused.refusal.code is Reason.NO_COMBINATION
    assert [type(event).__name__ for event in well.scene.events] == ["Played", "Played", "Passed"]
    assert answer.scene.match is not None
    assert answer.scene.match.round is not None
    assert answer.scene.match.round.top_seat == 3
    assert [choice.action and write_action(choice.action) for choice in answer.choices] == ["pass"]
    assert exam.scene.match is None
    assert [choice.answer for choice in exam.choices] == ["1", "{S8 P8}"]
    assert lesson.last.match is None


def test_bomb_window_stays_open_only_for_the_right_bomb() -> None:
    bomb = "bomb:J4,S4,P4,T4"
    for choices, phase in (
        (f"right {bomb}\nwrong waive | No.", Phase.WINDOW),
        (f"right waive\nwrong {bomb} | No.", Phase.WINDOW),
        (f"right play:J4,S4,P4,T4\nwrong {bomb}", Phase.TURN),
        (f'right "9"\nwrong {bomb}', Phase.TURN),
        ("", Phase.TURN),
    ):
        lesson = read(WINDOW, f"step Now?\n{choices}\n")
        (step,) = lesson.steps
        assert step.scene.match is not None
        assert step.scene.match.phase is phase
    bombed = read(WINDOW, f"step Now?\nright {bomb}\n").last
    assert [event.seat for event in bombed.events if isinstance(event, Played)] == [0]


def test_step_may_allow_a_free_choice_of_cards() -> None:
    lesson = read(LEAD, "step Lead.\nchoose | No.\nright play:J4,T4 | Yes.\nwrong play:S9 | Why?\n")
    (step,) = lesson.steps
    assert step.choices == ()
    said = {cards_text(cards): choice.reply for (cards, _), choice in step.plays.items()}
    assert said == {"J4 T4": "Yes.", "S9": "Why?", "J4": "No.", "T4": "No."}
    assert [choice.right for choice in step.plays.values()].count(True) == 1
    passing = read(
        LEAD.replace("LEAD 0", "TURN 0") + "trick 3 T2\n",
        "exam Well?\nchoose | No.\nright play:S9\nwrong pass | No.\n",
    ).steps[0]
    assert [choice.action for choice in passing.choices] == [Pass(0)]


MISTAKES = (
    ("", "there is no step"),
    ("step Hi.\nfoo", "line 5: 'foo' is no line of a step"),
    ("say Hi.", "line 4: expected deal, step or exam"),
    ("step Hi.\npicture", "line 4: there is no table"),
    ("step", "line 4: a sentence is missing"),
    ("step Hi {J4 T4.", "line 4: braces"),
    ("step Hi {J44}.", "line 4: 'J44'"),
    (f"step {'long ' * 40}", "line 4: more than 160 characters"),
    ("step Hi.\nright pass", "line 5: there are no cards"),
    (LEAD + "step Hi.\nright pass", "line 11: must-lead"),
    (LEAD + "step Hi.\nright play:SA", "line 11: not-held"),
    (LEAD + "step Hi.\nwrong play:S9 | No.", "line 10: one choice has to be right"),
    (LEAD + "step Hi.\nright play:S9\nwrong play:J4", "line 12: say after a |"),
    (LEAD + "exam Hi.\nright play:S9", "line 10: an exam needs"),
    (LEAD + "step Hi.\nright play:S9\nthen 2 pass", "line 12: not-your-turn"),
    (LEAD + "step Hi.\nright play:S9\nthen pass", "line 12: first the seat"),
    (LEAD.replace("SK", "S9") + "step Hi.", "line 4: twice in this position"),
    ('step Hi.\nright "x" y', "line 5: not a choice"),
    (f'step Hi.\nright "{"long " * 20}"', "line 5: too long for a button"),
    ("step Hi.\n" + 'right "a"\n' + 'wrong "b" | No.\n' * 10, "line 4: more than 10 choices"),
    (
        LEAD.replace("LEAD 0", "LEAD 1") + "step Hi.\nchoose | No.",
        "line 11: there is nothing to play",
    ),
    (LEAD + "step Hi.\nchoose\nright play:S9", "line 11: say after a |"),
    (LEAD + "step Hi.\nchoose | No.\nright play:S9\nwrong play:J7", "line 11: a choice here that"),
    ("game chess\nstep Hi.", "no such game"),
)


def test_names_a_mistake_by_its_line(subtests: pytest.Subtests) -> None:
    for text, message in MISTAKES:
        with subtests.test(message=message), pytest.raises(LessonError) as caught:
            read(text)
        assert message in str(caught.value)
    for word in ("title", "about", "end"):
        with pytest.raises(LessonError, match=f"{word}' is missing"):
            read_lesson(HEAD.replace(word, "#") + "step Hi.", "example")


def test_extracts_all_texts_for_translators() -> None:
    text = HEAD + 'step Hi {J4}.\nright "Yes {J4}" | Good.\nwrong "20" | Bad.\nwrong pass | Ugly.\n'
    assert list(sentences(text)) == [
        (1, "T", "title"),
        (2, "A", "about"),
        (3, "E", "end"),
        (4, "Hi {J4}.", "step"),
        (5, "Yes {J4}", "answer"),
        (5, "Good.", "right"),
        (6, "Bad.", "wrong"),
        (7, "Ugly.", "wrong"),
    ]
