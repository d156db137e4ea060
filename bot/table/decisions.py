"""What computer players have to decide at a table, what they see then, and what is done of it.

`bot.computers.thinking` asks the questions, `bot.table.batch` carries the decisions out. A question
stays the same as long as its answer does: nothing that a seat cannot know makes it another one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from bot.ids import Revision
from bot.table.state import ON_TURN, Game, OpenTable, seats_waited_for
from engine import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    Call,
    CallTichu,
    Play,
    Seat,
    SeatSet,
    View,
    Waive,
    can,
    legal,
    possible_bombs,
)

log = logging.getLogger(__name__)

Subject = Literal["answer", "move", "bomb"]
"""What is decided: an answer that others may owe too, a move in turn, or a bomb out of turn.

A move is asked for while the bomb window before it is still open.
"""


class Question(NamedTuple):
    """What one seat has to decide. Equal questions have equal answers."""

    seat: Seat
    """The seat that it is decided for."""
    subject: Subject
    """What is to be decided."""
    revision: Revision
    """The revision of the table: it stands for what lies there."""
    calls: tuple[Call | None, ...]
    """The calls by seat, for they may change while the revision does not."""
    asked: SeatSet
    """Who is asked to withdraw a call, which may change likewise."""


Decisions = Mapping[Question, Action | None]
"""Decisions by question. `None`: take any legal action that is not a call."""


def questions(table: OpenTable) -> tuple[Question, ...]:
    """All that computer players have to decide at this table now."""
    if not isinstance(table, Game) or not table.running or table.timers.paused:
        return ()
    seats = (seat for seat in range(len(table.round.hands)) if table.computer(seat))
    return tuple(question for seat in seats for question in _of_seat(table, seat))


def question_to(table: OpenTable, seat: Seat) -> Question | None:
    """What this seat has to decide now, whoever decides for it; bombs aside."""
    if not isinstance(table, Game) or not table.running:
        return None
    owed = (question for question in _of_seat(table, seat) if question.subject != "bomb")
    return next(owed, None)


def hint_question(table: OpenTable, seat: Seat) -> Question | None:
    """What a hint for this seat would be about: what it has to decide, or whether it bombs."""
    if (owed := question_to(table, seat)) is not None:
        return owed
    if not isinstance(table, Game) or not table.running:
        return None
    return next(_of_seat(table, seat), None)


def _of_seat(game: Game, seat: Seat) -> Iterator[Question]:
    match, round_ = game.match, game.round

    def ask(subject: Subject) -> Question:
        return Question(seat, subject, game.revision, round_.calls, round_.asked)

    if seat in seats_waited_for(match):
        on_turn = round_.phase in ON_TURN and not round_.asked
        yield ask("move" if on_turn else "answer")
    elif game.window_open:
        if game.next_on_turn == seat:
            yield ask("move")
        if possible_bombs(round_, seat) and can(match, Waive(seat)):
            yield ask("bomb")


def what_is_seen(game: Game, question: Question, *, advice: bool = False) -> View:
    """The view of the seat that decides.

    In a person's place without the calls it could make, unless they only want `advice`.
    """
    views = game.views.after_window if question.subject == "move" else game.views
    seen = views.of(question.seat)
    if game.stands_in(question.seat) and not advice:
        allowed = (action for action in seen.actions if not isinstance(action, CallTichu))
        seen = seen.with_actions(tuple(allowed))
    return seen


def still_asked(game: Game, question: Question) -> bool:
    """Whether nothing has happened since this question was put that could change its answer."""
    round_ = game.round
    asked = game.revision, round_.calls, round_.asked
    return asked == (question.revision, question.calls, question.asked)


def carried_out(game: Game, question: Question, decision: Action | None) -> Action | None:
    """The action that a decision leads to, `None` for none.

    A wrong decision must neither stop the table nor bet: instead of one that is not legal any legal
    action is taken that is not a call. Only a bomb need not be thrown at all.
    """
    if decision is not None and game.stands_in(question.seat):
        decision = _in_place_of_a_person(decision)
    if question.subject == "bomb":
        return decision if isinstance(decision, Bomb) and can(game.match, decision) else None
    if decision is not None:
        if can(game.match, decision):
            return decision
        log.error("table %s: a computer player chose what is not legal", game.id)
    return next((act for act in legal(game.match, question.seat) if not _is_bet(act)), None)


def _is_bet(action: Action) -> bool:
    """Whether this is a call, or the end of one: nothing that is done for want of a decision."""
    return (
        isinstance(action, CallTichu)
        or (isinstance(action, AnswerGrand) and action.call)
        or (isinstance(action, AnswerWithdraw) and action.withdraw)
    )


def _in_place_of_a_person(action: Action) -> Action | None:
    """What is left of a decision made for somebody who is away: no bet, and no wish (C8)."""
    if isinstance(action, CallTichu):
        return None
    if isinstance(action, AnswerGrand):
        return action._replace(call=False)
    if isinstance(action, Play):
        return action._replace(wish=None)
    return action
