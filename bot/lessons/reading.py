"""Parser of lessons that also plays them on the engine; see docs/lessons.md.

Playing a lesson proves that every right choice and every scripted action is legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import NamedTuple

from bot.lessons.lesson import READER, Choice, FreePlay, Lesson, LessonError, Scene, Step
from engine import (
    CLOCK,
    VARIANTS,
    WINDOW_PHASES,
    Action,
    Bomb,
    CloseWindow,
    Event,
    IllegalAction,
    Match,
    Play,
    Seat,
    TichuError,
    Waive,
    apply,
    can,
    read_action,
    read_cards,
    read_position,
    verify,
    view,
)

MOST_CHOICES = 10
"""Maximum number of choices: two rows of buttons."""
LONGEST_SENTENCE = 160
"""Maximum length of a sentence in the file, in characters, for a page on a phone."""
LONGEST_ANSWER = 60
"""Maximum length of an answer in words, in characters, for a button."""
_STEP_WORDS = ("step", "exam")
_CHOICE_WORDS = ("right", "wrong")
_HEAD_WORDS = ("title", "about", "game", "end")
_KNOWN_WORDS = (
    *_HEAD_WORDS,
    *_STEP_WORDS,
    *_CHOICE_WORDS,
    "deal",
    "then",
    "show",
    "picture",
    "choose",
)
_CHOICE_LINE = re.compile(
    r'(?:"(?P<answer>[^"]+)"|(?:(?P<seat>\d+) )?(?P<action>[^"|]+?))\s*(?:\|\s*(?P<reply>.+))?'
)


class _Line(NamedTuple):
    """Line of a lesson that is neither empty nor a comment."""

    number: int
    """Number of the line in the file, from 1."""
    word: str
    """First word, which decides the meaning of the line."""
    rest: str
    """Text after the first word."""


def read_lesson(text: str, name: str) -> Lesson:
    """Parse a lesson. Raise `LessonError` if it cannot be parsed or played."""
    return _Reader(name).read(list(_lines(text)))


def sentences(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield all texts of a lesson that need a translation: line number, text, kind.

    The kind is the first word of the line, or ``answer``.
    """
    for number, word, rest in _lines(text):
        if word in ("title", "about", "end", *_STEP_WORDS):
            texts: tuple[tuple[str | None, str], ...] = ((rest, word),)
        elif word in _CHOICE_WORDS and (choice := _CHOICE_LINE.fullmatch(rest)):
            texts = (choice["answer"], "answer"), (choice["reply"], word)
        elif word == "choose":
            texts = ((_after_bar(rest), word),)
        else:
            continue
        yield from (
            (number, sentence, kind)
            for sentence, kind in texts
            if sentence and _has_words(sentence)
        )


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a text, except empty ones and comments."""
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield _Line(number, word, rest.strip())


def cards_in(sentence: str) -> list[str]:
    """Return the cards in the braces of a sentence, in notation.

    For “A pair: {J6 T6}” it is ``["J6 T6"]``.
    """
    return [cards for _, cards, _, _ in Formatter().parse(sentence) if cards is not None]


def _after_bar(rest: str) -> str:
    """Return the sentence after the | of a line, or an empty string."""
    return rest.partition("|")[2].strip()


def _has_words(sentence: str) -> bool:
    """Return whether a text has a letter outside of braces and so needs a translation."""
    return any(letter.isalpha() for text, *_ in Formatter().parse(sentence) for letter in text)


class _Reader:
    """Parser of one lesson, which also plays it on the engine."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line_number = 0
        """Number of the current line."""
        self._match: Match | None = None
        self._events: list[Event] = []
        """Events since the reader's last choice."""

    def read(self, lines: list[_Line]) -> Lesson:
        """Parse the lines of a lesson."""
        head = {line.word: line for line in lines if line.word in _HEAD_WORDS}
        steps: list[Step] = []
        try:
            body = [line for line in lines if line.word not in _HEAD_WORDS]
            for line in head.values():
                self._line_number = line.number
                if line.word != "game":
                    self._check_sentence(line.rest)
            game = head["game"].rest if "game" in head else "nanjing"
            self._require(game in VARIANTS, "there is no such game")
            while body:
                self._line_number = body[0].number
                if body[0].word == "deal":
                    self._read_deal(game, _split_off(body))
                elif body[0].word in _STEP_WORDS:
                    steps.append(self._read_step(_split_off(body)))
                else:
                    raise LessonError("expected deal, step or exam")
            for word in ("title", "about", "end"):
                self._require(word in head, f"the line {word!r} is missing")
            self._require(bool(steps), "there is no step")
            self._close_window()
        except (LessonError, TichuError) as error:
            raise LessonError(f"{self._name}, line {self._line_number}: {error}") from error
        return Lesson(
            self._name,
            game,
            head["title"].rest,
            head["about"].rest,
            tuple(steps),
            head["end"].rest,
            self._scene(),
        )

    def _read_deal(self, game: str, lines: list[_Line]) -> None:
        """Set up the position of a deal, which may be without cards, and play its script."""
        position = [f"{word} {rest}" for _, word, rest in lines[1:] if word != "then"]
        self._match = read_position("\n".join([f"variant {game}", *position])) if position else None
        self._events.clear()
        self._play_script(lines)

    def _read_step(self, lines: list[_Line]) -> Step:
        """Parse a step, and play its right choice and its script."""
        head_line = lines[0]
        self._check_sentence(head_line.rest)
        choice_lines = [line for line in lines if line.word in _CHOICE_WORDS]
        self._close_window_before(choice_lines)
        scene = self._scene()
        choices = tuple(self._read_choice(line) for line in choice_lines)
        right = [choice for choice in choices if choice.right]
        choose_lines = [line for line in lines if line.word == "choose"]
        plays = self._free_plays(choose_lines[0], choices) if choose_lines else {}

        self._line_number = head_line.number
        self._require(len(right) == bool(choices or plays), "one choice has to be right")
        self._require(len(choices) <= MOST_CHOICES, f"more than {MOST_CHOICES} choices")
        is_exam = head_line.word == "exam"
        self._require(
            not is_exam or len(choices) > 1 or bool(plays), "an exam needs something to choose from"
        )
        show_lines = [line for line in lines if line.word == "show"]
        cards = read_cards(" ".join(line.rest for line in show_lines)) if show_lines else 0
        has_picture = any(line.word == "picture" for line in lines)
        self._require(not has_picture or self._match is not None, "there is no table to be shown")

        self._events.clear()
        if right and right[0].action is not None:
            self._play(right[0].action)
        self._play_script(lines)
        # plays need no button if cards can be chosen in the hand
        buttons = tuple(
            choice for choice in choices if not plays or not isinstance(choice.action, Play)
        )
        return Step(head_line.rest, cards, has_picture, is_exam, buttons, plays, scene)

    def _free_plays(self, line: _Line, choices: tuple[Choice, ...]) -> dict[FreePlay, Choice]:
        """Return the result of each legal play of the reader; `line` is the line with `choose`.

        A play that is not a choice of the step is wrong, and its reply is the sentence in `line`.
        """
        self._line_number, reply = line.number, _after_bar(line.rest)
        choice_by_play: dict[FreePlay, Choice] = {}
        for choice in choices:
            if isinstance(choice.action, Play):
                play = choice.action
                is_simple = play.seat == READER and play.wish is None and play.partner is None
                self._require(is_simple, "freely chosen cards are the reader's own, without a wish")
                choice_by_play[play.cards, play.phoenix or ()] = choice

        actions = () if self._match is None else view(self._match, READER).actions
        legal_plays = {(a.cards, a.phoenix or ()) for a in actions if isinstance(a, Play)}
        self._require(bool(legal_plays), "there is nothing to play")
        self._require(choice_by_play.keys() <= legal_plays, "a choice here that the rules forbid")
        self._require(
            not reply or legal_plays > choice_by_play.keys(), "nothing else can be played"
        )
        self._require(
            bool(reply) or legal_plays == choice_by_play.keys(),
            "say after a | what other plays get",
        )
        if reply:
            self._check_sentence(reply)
        other_choice = Choice(False, None, "", reply, None)
        return {play: choice_by_play.get(play, other_choice) for play in legal_plays}

    def _close_window_before(self, choices: list[_Line]) -> None:
        """Close an open bomb window before a step, unless its right choice needs the window."""
        for line in choices:
            self._line_number = line.number
            if line.word == "right" and isinstance(self._choice_parts(line)[1], Bomb | Waive):
                return
        self._close_window()

    def _read_choice(self, line: _Line) -> Choice:
        """Parse a choice, and check its action against the rules."""
        self._line_number, is_right = line.number, line.word == "right"
        answer, action, reply = self._choice_parts(line)
        refusal = None
        if action is not None:
            self._require(self._match is not None, "there are no cards on the table")
            refusal = _refusal(self._match, action) if self._match is not None else None
        if is_right and refusal is not None:
            raise refusal
        self._require(is_right or bool(reply or refusal), "say after a | why this is not it")
        for sentence in filter(None, (answer, reply)):
            self._check_sentence(sentence)
        self._require(len(answer) <= LONGEST_ANSWER, "too long for a button")
        return Choice(is_right, action, answer, reply, refusal)

    def _choice_parts(self, line: _Line) -> tuple[str, Action | None, str]:
        """Parse a choice line: answer in words (or empty), action (or `None`), and reply."""
        match = _CHOICE_LINE.fullmatch(line.rest)
        if match is None:
            raise LessonError("not a choice")
        seat = int(match["seat"] or READER)
        action = read_action(seat, match["action"]) if match["action"] else None
        if seat != READER and not self._decides_for(seat):
            raise LessonError(f"the reader does not decide for seat {seat}")
        return match["answer"] or "", action, match["reply"] or ""

    def _decides_for(self, seat: Seat) -> bool:
        """Return whether the reader decides for this seat, as a Trichu dealer for the Table."""
        match = self._match
        if match is None or match.round is None or seat >= len(match.round.hands):
            return False
        return match.variant.actor(match.round, seat) == READER

    def _play_script(self, lines: list[_Line]) -> None:
        """Play the scripted actions of the other seats."""
        for line in lines:
            if line.word == "then":
                self._line_number = line.number
                seat, _, action = line.rest.partition(" ")
                try:
                    seat_number = int(seat)
                except ValueError:
                    raise LessonError("first the seat, then its action") from None
                self._play(read_action(seat_number, action))

    def _play(self, action: Action) -> None:
        """Apply an action; if an open bomb window forbids it, close the window first."""
        if self._match is None:
            raise LessonError("there are no cards on the table")
        if not can(self._match, action) and action.seat != CLOCK:
            self._close_window()
        self._match, events = apply(self._match, action)
        self._events += events

    def _close_window(self) -> None:
        """Close the bomb window, if one is open."""
        if self._match is not None and self._match.phase in WINDOW_PHASES:
            self._match, events = apply(self._match, CloseWindow())
            self._events += events

    def _scene(self) -> Scene:
        return Scene(self._match, tuple(self._events))

    def _check_sentence(self, sentence: str) -> None:
        """Raise unless a sentence exists, is short, and has only cards in its braces."""
        self._require(bool(sentence), "a sentence is missing")
        self._require(len(sentence) <= LONGEST_SENTENCE, f"more than {LONGEST_SENTENCE} characters")
        try:
            card_sets = cards_in(sentence)
        except ValueError:
            raise LessonError("braces that do not belong together") from None
        for cards in card_sets:
            read_cards(cards)

    def _require(self, condition: bool, message: str) -> None:
        """Raise `LessonError` with this message unless the condition is true."""
        if not condition:
            raise LessonError(message)


def _split_off(body: list[_Line]) -> list[_Line]:
    """Remove the lines up to the next deal or step from `body`, and return them."""
    end = 1
    while end < len(body) and body[end].word not in ("deal", *_STEP_WORDS):
        end += 1
    block, body[:end] = body[:end], []
    if block[0].word in _STEP_WORDS:
        for line in block:
            if line.word not in _KNOWN_WORDS:
                raise LessonError(f"line {line.number}: {line.word!r} is no line of a step")
    return block


def _refusal(match: Match, action: Action) -> IllegalAction | None:
    """Return the engine's refusal of an action, if it is illegal."""
    try:
        verify(match, action)
    except IllegalAction as refusal:
        return refusal
    return None
