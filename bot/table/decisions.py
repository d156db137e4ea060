"""What computer players have to decide at a table now, and what they see when they do.

Used by `bot.computers.thinking`, which asks, and by `bot.table.batch`, which carries the answers
out. A question stays the same as long as its answer does: nothing that a seat
cannot know makes it another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from bot.table.state import Game, OpenTable, seats_waited_for
from engine import (
    WINDOWS,
    Action,
    AnswerGrand,
    Call,
    CallTichu,
    Phase,
    Play,
    View,
    Waive,
    can,
    possible_bombs,
)

ON_TURN = (Phase.LEAD, Phase.TURN, Phase.GIFT)

Subject = Literal["answer", "move", "bomb"]


class Question(NamedTuple):
    """What one seat has to decide: an `answer` that others owe too, its `move`, a sealed `bomb`.

    The move is asked for while the bomb window before it is still open. Equal questions have equal
    answers: `revision` stands for what lies on the table, `calls` and `asked` may change beside it.
    """

    seat: int
    subject: Subject
    revision: int
    calls: tuple[Call | None, ...]
    asked: int


def questions(table: OpenTable) -> tuple[Question, ...]:
    """All that computer players have to decide at this table now."""
    if not isinstance(table, Game) or not table.running:
        return ()
    seats = (seat for seat in range(len(table.round.hands)) if table.computer(seat))
    return tuple(question for seat in seats for question in _of_seat(table, seat))


def question_to(table: OpenTable, seat: int) -> Question | None:
    """What this seat has to decide now, whoever decides for it; bombs aside."""
    if not isinstance(table, Game) or not table.running:
        return None
    owed = (question for question in _of_seat(table, seat) if question.subject != "bomb")
    return next(owed, None)


def _of_seat(game: Game, seat: int) -> Iterator[Question]:
    match, round_ = game.match, game.round

    def ask(subject: Subject) -> Question:
        return Question(seat, subject, game.revision, round_.calls, round_.asked)

    if seat in seats_waited_for(match):
        on_turn = round_.phase in ON_TURN and not round_.asked
        yield ask("move" if on_turn else "answer")
    elif round_.phase in WINDOWS and not round_.asked:
        if next_on_turn(game) == seat:
            yield ask("move")
        if possible_bombs(round_, seat) and can(match, Waive(seat)):
            yield ask("bomb")


def next_on_turn(game: Game) -> int | None:
    """The seat that is on turn when the open bomb window has closed quietly, if any is then.

    Not always the one that leads next: whoever goes out with a Dragon gives the trick away first.
    """
    quiet = game.views.after_window.match
    return quiet.round.turn if quiet.round is not None and quiet.phase in ON_TURN else None


def what_is_seen(game: Game, question: Question, *, advice: bool = False) -> View:
    """The view of the seat that decides.

    In a person's place without the calls it could make, unless they only want `advice`.
    """
    views = game.views.after_window if question.subject == "move" else game.views
    seen = views.of(question.seat)
    if game.stands_in(question.seat) and not advice:
        allowed = (action for action in seen.actions if not isinstance(action, CallTichu))
        seen = replace(seen, actions=tuple(allowed))
    return seen


def in_place_of_a_person(action: Action) -> Action | None:
    """What is left of a decision made for somebody who is away: no bet, and no wish (C8)."""
    if isinstance(action, CallTichu):
        return None
    if isinstance(action, AnswerGrand):
        return action._replace(call=False)
    if isinstance(action, Play):
        return action._replace(wish=None)
    return action
