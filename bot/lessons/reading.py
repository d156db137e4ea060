"""Parser of lessons that also plays them on the engine; see docs/lessons.md.

So every right choice and every scripted action was accepted by the rules, in the position that the
page shows.
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
_STEPS = ("step", "exam")
_CHOICES = ("right", "wrong")
_HEAD = ("title", "about", "game", "end")
_WORDS = (*_HEAD, *_STEPS, *_CHOICES, "deal", "then", "show", "picture", "choose")
_CHOICE = re.compile(
    r'(?:"(?P<answer>[^"]+)"|(?:(?P<seat>\d+) )?(?P<action>[^"|]+?))\s*(?:\|\s*(?P<reply>.+))?'
)


class _Line(NamedTuple):
    """Line with content: its number, from 1, its first word, and the rest."""

    number: int
    word: str
    rest: str


def read_lesson(text: str, name: str) -> Lesson:
    """Parse a lesson. Raise `LessonError` if it cannot be parsed or played."""
    return _Reader(name).lesson(list(_lines(text)))


def sentences(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield everything in a lesson that has to be translated: line, sentence, kind.

    The kind is the first word of the line, or ``answer``.
    """
    for number, word, rest in _lines(text):
        if word in ("title", "about", "end", *_STEPS):
            found: tuple[tuple[str | None, str], ...] = ((rest, word),)
        elif word in _CHOICES and (choice := _CHOICE.fullmatch(rest)):
            found = (choice["answer"], "answer"), (choice["reply"], word)
        elif word == "choose":
            found = ((_behind_bar(rest), word),)
        else:
            continue
        yield from ((number, said, what) for said, what in found if said and _has_words(said))


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a text without empty ones and comments."""
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield _Line(number, word, rest.strip())


def cards_in(sentence: str) -> list[str]:
    """Return the cards in the braces of a sentence, in notation.

    “A pair: {J6 T6}” has ``J6 T6``.
    """
    return [cards for _, cards, _, _ in Formatter().parse(sentence) if cards is not None]


def _behind_bar(rest: str) -> str:
    """Return the sentence after the | of a line, or an empty string."""
    return rest.partition("|")[2].strip()


def _has_words(sentence: str) -> bool:
    """Return whether a text has a letter outside of its braces.

    Other texts, such as numbers, need no translation.
    """
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

    def lesson(self, lines: list[_Line]) -> Lesson:
        """Parse the lines of a lesson."""
        head = {line.word: line for line in lines if line.word in _HEAD}
        steps: list[Step] = []
        try:
            body = [line for line in lines if line.word not in _HEAD]
            for line in head.values():
                self._line_number = line.number
                if line.word != "game":
                    self._sentence(line.rest)
            game = head["game"].rest if "game" in head else "nanjing"
            self._require(game in VARIANTS, "there is no such game")
            while body:
                self._line_number = body[0].number
                if body[0].word == "deal":
                    self._deal(game, _split_off(body))
                elif body[0].word in _STEPS:
                    steps.append(self._step(_split_off(body)))
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

    def _deal(self, game: str, lines: list[_Line]) -> None:
        """Set up a new position, or none, and play the script up to the next step."""
        position = [f"{word} {rest}" for _, word, rest in lines[1:] if word != "then"]
        self._match = read_position("\n".join([f"variant {game}", *position])) if position else None
        self._events.clear()
        self._script(lines)

    def _step(self, lines: list[_Line]) -> Step:
        """Parse a step, and play its right choice and its script."""
        first = lines[0]
        self._sentence(first.rest)
        written = [line for line in lines if line.word in _CHOICES]
        self._before(written)
        scene = self._scene()
        choices = tuple(self._choice(line) for line in written)
        right = [choice for choice in choices if choice.right]
        free = [line for line in lines if line.word == "choose"]
        plays = self._free_plays(free[0], choices) if free else {}
        self._line_number = first.number
        self._require(len(right) == bool(choices or plays), "one choice has to be right")
        self._require(len(choices) <= MOST_CHOICES, f"more than {MOST_CHOICES} choices")
        exam = first.word == "exam"
        self._require(
            not exam or len(choices) > 1 or bool(plays), "an exam needs something to choose from"
        )
        shown = [line for line in lines if line.word == "show"]
        cards = read_cards(" ".join(line.rest for line in shown)) if shown else 0
        picture = any(line.word == "picture" for line in lines)
        self._require(not picture or self._match is not None, "there is no table to be shown")
        self._events.clear()
        if right and right[0].action is not None:
            self._play(right[0].action)
        self._script(lines)
        buttons = tuple(
            choice for choice in choices if not plays or not isinstance(choice.action, Play)
        )
        return Step(first.rest, cards, picture, exam, buttons, plays, scene)

    def _free_plays(self, line: _Line, choices: tuple[Choice, ...]) -> dict[FreePlay, Choice]:
        """Return the result of each play that the reader can make of their cards.

        A play that is not a choice of the step is wrong, and gets the sentence of the line.
        """
        self._line_number, reply = line.number, _behind_bar(line.rest)
        named: dict[FreePlay, Choice] = {}
        for choice in choices:
            if isinstance(choice.action, Play):
                play = choice.action
                simple = play.seat == READER and play.wish is None and play.partner is None
                self._require(simple, "freely chosen cards are the reader's own, without a wish")
                named[play.cards, play.phoenix or ()] = choice
        actions = () if self._match is None else view(self._match, READER).actions
        able = {(a.cards, a.phoenix or ()) for a in actions if isinstance(a, Play)}
        self._require(bool(able), "there is nothing to play")
        self._require(named.keys() <= able, "a choice here that the rules forbid")
        self._require(not reply or able > named.keys(), "nothing else can be played")
        self._require(bool(reply) or able == named.keys(), "say after a | what other plays get")
        if reply:
            self._sentence(reply)
        other = Choice(False, None, "", reply, None)
        return {play: named.get(play, other) for play in able}

    def _before(self, choices: list[_Line]) -> None:
        """Close a bomb window before a step, unless its right choice is one in that window."""
        for line in choices:
            self._line_number = line.number
            if line.word == "right" and isinstance(self._parts(line)[1], Bomb | Waive):
                return
        self._close_window()

    def _choice(self, line: _Line) -> Choice:
        """Return one choice, checked against the rules."""
        self._line_number, right = line.number, line.word == "right"
        answer, action, reply = self._parts(line)
        refusal = None
        if action is not None:
            self._require(self._match is not None, "there are no cards on the table")
            refusal = _refusal(self._match, action) if self._match is not None else None
        if right and refusal is not None:
            raise refusal
        self._require(right or bool(reply or refusal), "say after a | why this is not it")
        for sentence in filter(None, (answer, reply)):
            self._sentence(sentence)
        self._require(len(answer) <= LONGEST_ANSWER, "too long for a button")
        return Choice(right, action, answer, reply, refusal)

    def _parts(self, line: _Line) -> tuple[str, Action | None, str]:
        """Return the answer in words, or else the action of a choice, and the reply."""
        found = _CHOICE.fullmatch(line.rest)
        if found is None:
            raise LessonError("not a choice")
        seat = int(found["seat"] or READER)
        action = read_action(seat, found["action"]) if found["action"] else None
        if seat != READER and not self._decides_for(seat):
            raise LessonError(f"the reader does not decide for seat {seat}")
        return found["answer"] or "", action, found["reply"] or ""

    def _decides_for(self, seat: Seat) -> bool:
        """Return whether the reader decides for this seat: a dealer in Trichu, for the Table."""
        match = self._match
        if match is None or match.round is None or seat >= len(match.round.hands):
            return False
        return match.variant.actor(match.round, seat) == READER

    def _script(self, lines: list[_Line]) -> None:
        """Play the scripted actions of the other seats."""
        for line in lines:
            if line.word == "then":
                self._line_number = line.number
                seat, _, action = line.rest.partition(" ")
                try:
                    number = int(seat)
                except ValueError:
                    raise LessonError("first the seat, then its action") from None
                self._play(read_action(number, action))

    def _play(self, action: Action) -> None:
        """Apply an action; if a bomb window is in its way, close it first."""
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

    def _sentence(self, sentence: str) -> None:
        """Raise unless a sentence exists, is short, and has only cards in its braces."""
        self._require(bool(sentence), "a sentence is missing")
        self._require(len(sentence) <= LONGEST_SENTENCE, f"more than {LONGEST_SENTENCE} characters")
        try:
            found = cards_in(sentence)
        except ValueError:
            raise LessonError("braces that do not belong together") from None
        for cards in found:
            read_cards(cards)

    def _require(self, fits: bool, message: str) -> None:
        if not fits:
            raise LessonError(message)


def _split_off(body: list[_Line]) -> list[_Line]:
    """Remove the lines up to the next deal or step from `body`, and return them."""
    end = 1
    while end < len(body) and body[end].word not in ("deal", *_STEPS):
        end += 1
    block, body[:end] = body[:end], []
    if block[0].word in _STEPS:
        for line in block:
            if line.word not in _WORDS:
                raise LessonError(f"line {line.number}: {line.word!r} is no line of a step")
    return block


def _refusal(match: Match, action: Action) -> IllegalAction | None:
    """Return the engine's refusal of an action, if it is illegal."""
    try:
        verify(match, action)
    except IllegalAction as refusal:
        return refusal
    return None
