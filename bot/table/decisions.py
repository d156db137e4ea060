"""Decisions of computer players: questions, the views they see, and resulting actions.

`bot.computers.decision_scheduler` submits the questions, `bot.table.batch` applies the decisions. A
question stays equal until something changes that may change its answer. It never contains
information that is hidden from its seat.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from bot.ids import Revision
from bot.table.state import ON_TURN, Game, OpenTable, seats_to_act
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
    legal_actions,
    possible_bombs,
)

log = logging.getLogger(__name__)

Subject = Literal["answer", "move", "bomb"]
"""Kind of a decision: an answer about a call or the exchange, a move on turn, or a bomb.

Several seats may owe an answer at the same time. A computer player is asked for its move while the
bomb window before that move is still open.
"""


class Question(NamedTuple):
    """A decision that a seat has to make.

    Equal questions of a table have the same answer, so an answer is used as long as the question
    stays equal.
    """

    seat: Seat
    """Seat that the decision is for."""
    subject: Subject
    """Kind of the decision."""
    revision: Revision
    """Revision of the table, which identifies the cards on it."""
    calls: tuple[Call | None, ...]
    """Calls by seat, which may change without the revision."""
    asked: SeatSet
    """Seats asked to withdraw a call, which may change without the revision."""


Decisions = Mapping[Question, Action | None]
"""Decisions by question; `None` means any legal action that is not a call."""


def questions(table: OpenTable) -> tuple[Question, ...]:
    """Return all questions to computer players at this table now."""
    if not isinstance(table, Game) or not table.running or table.timers.paused:
        return ()
    seats = (seat for seat in range(len(table.round.hands)) if table.computer(seat))
    return tuple(question for seat in seats for question in _questions_to_seat(table, seat))


def question_to(table: OpenTable, seat: Seat) -> Question | None:
    """Return the current question to this seat, apart from bombs, if there is one.

    The seat may be a person's or a computer player's.
    """
    if not isinstance(table, Game) or not table.running:
        return None
    owed = (question for question in _questions_to_seat(table, seat) if question.subject != "bomb")
    return next(owed, None)


def hint_question(table: OpenTable, seat: Seat) -> Question | None:
    """Return the question for a hint to this seat, including bombs."""
    if (owed := question_to(table, seat)) is not None:
        return owed
    if not isinstance(table, Game) or not table.running:
        return None
    return next(_questions_to_seat(table, seat), None)


def _questions_to_seat(game: Game, seat: Seat) -> Iterator[Question]:
    match, round_ = game.match, game.round

    def ask(subject: Subject) -> Question:
        return Question(seat, subject, game.revision, round_.calls, round_.asked)

    if seat in seats_to_act(match):
        on_turn = round_.phase in ON_TURN and not round_.asked
        yield ask("move" if on_turn else "answer")
    elif game.window_open:
        if game.next_on_turn == seat:
            yield ask("move")
        if possible_bombs(round_, seat) and can(match, Waive(seat)):
            yield ask("bomb")


def deciding_view(game: Game, question: Question, *, advice: bool = False) -> View:
    """Return the view of the seat that decides.

    A substitute must not call Tichu for a person, so its view lacks these calls. With `advice` the
    view is for advice to the person, and has them.
    """
    views = game.views.after_window if question.subject == "move" else game.views
    view = views.of(question.seat)
    if game.is_persons_seat(question.seat) and not advice:
        allowed = (action for action in view.actions if not isinstance(action, CallTichu))
        view = view.with_actions(tuple(allowed))
    return view


def still_asked(game: Game, question: Question) -> bool:
    """Return whether the cards and calls are still those of the question."""
    round_ = game.round
    position = game.revision, round_.calls, round_.asked
    return position == (question.revision, question.calls, question.asked)


def resulting_action(game: Game, question: Question, decision: Action | None) -> Action | None:
    """Return the action that a decision leads to, or `None` for no action.

    A decision for an absent person never makes a call or a wish. An illegal decision must not stop
    the table. It is replaced by any legal action that is not a call, or by no action if the
    question was about a bomb.
    """
    if decision is not None and game.is_persons_seat(question.seat):
        decision = _without_calls_and_wishes(decision)
    if question.subject == "bomb":
        return decision if isinstance(decision, Bomb) and can(game.match, decision) else None
    if decision is not None:
        if can(game.match, decision):
            return decision
        log.error("table %s: computer player chose an illegal action", game.id)
    return next(
        (act for act in legal_actions(game.match, question.seat) if not _changes_call(act)), None
    )


def _changes_call(action: Action) -> bool:
    """Return whether this action makes or withdraws a call."""
    return (
        isinstance(action, CallTichu)
        or (isinstance(action, AnswerGrand) and action.call)
        or (isinstance(action, AnswerWithdraw) and action.withdraw)
    )


def _without_calls_and_wishes(action: Action) -> Action | None:
    """Return a decision for an absent person without calls and wishes (C8)."""
    if isinstance(action, CallTichu):
        return None
    if isinstance(action, AnswerGrand):
        return action._replace(call=False)
    if isinstance(action, Play):
        return action._replace(wish=None)
    return action
