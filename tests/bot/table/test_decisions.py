"""Questions to computer players: their conditions and their identity."""

from __future__ import annotations

from dataclasses import replace

from bot.ids import Revision, UserId
from bot.table.decisions import question_to, questions, still_asked
from tests.bot.states import chairs, state
from tests.engine.positions import after, table

TURN = table("TURN B", trick="A S8")
COMPUTER = chairs(computers=(1,))


def test_asks_the_player_on_turn_for_a_move() -> None:
    game = state(TURN, chairs=COMPUTER)
    (question,) = questions(game)
    assert (question.seat, question.subject) == (1, "move")
    assert question_to(game, 1) == question
    assert question_to(game, 2) is None


def test_asks_nothing_where_nothing_is_played() -> None:
    for quiet in (state(TURN, chairs=COMPUTER, status="stopped"), state(chairs=COMPUTER)):
        assert questions(quiet) == ()
        assert question_to(quiet, 1) is None


def test_question_changes_with_the_table_a_call_or_a_withdrawal() -> None:
    game = state(TURN, chairs=COMPUTER)
    (question,) = questions(game)
    assert still_asked(game.with_notes(votes=(UserId(101),)), question)
    assert not still_asked(replace(game, revision=Revision(1)), question)
    called = after(TURN, "D tichu")
    assert not still_asked(replace(game, match=called), question)
    (next_question,) = questions(replace(game, match=called))
    together = after(called, "B tichu:same")
    assert not still_asked(replace(game, match=together), next_question)
