"""Views of a match: computed once, and shared by all states with the same match."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from dataclasses import replace

import pytest

from bot.table.decisions import deciding_view, questions
from bot.table.interruptions import vote_to_stop
from engine import Match, View, after_quiet_window, view
from tests.bot.positions import TRICHU, position
from tests.bot.states import HOST, NAMES, chairs, state
from tests.engine.positions import after, table

WINDOW = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5"})
TURN = table("TURN B", trick="A S8")


@pytest.fixture
def viewed(monkeypatch: pytest.MonkeyPatch) -> Counter[int | None]:
    """Count the calls of the engine's view by seat."""
    found: Counter[int | None] = Counter()

    def counting(match: Match, seat: int | None) -> View:
        found[seat] += 1
        return view(match, seat)

    monkeypatch.setattr("bot.table.views.view", counting)
    return found


def test_views_are_computed_once(viewed: Counter[int | None]) -> None:
    game = state(TURN)
    for _ in range(3):
        assert game.views.public is game.views.of(None)
        for seat in range(4):
            assert game.situation(seat).current is game.views.of(seat)
    assert viewed == {None: 1, 0: 1, 1: 1, 2: 1, 3: 1}


def test_change_beside_the_match_keeps_views(viewed: Counter[int | None]) -> None:
    game = state(TURN)
    seen = game.views.of(0)
    voted, _ = vote_to_stop(game, HOST, moderator=False)
    assert voted.views.of(0) is seen
    assert voted.views.of(1) is game.views.of(1), "whichever of them is asked first"
    assert viewed == {0: 1, 1: 1}


def test_another_match_has_new_views(viewed: Counter[int | None]) -> None:
    game = state(TURN)
    game.situation(2)
    other = replace(game, match=after(TURN, "B pass"))
    assert other.situation(2).current.turn == 2
    assert game.situation(2).current.turn == 1
    assert viewed == {2: 2}


def test_next_player_has_a_view_of_the_moment_after_the_window(viewed: Counter[int | None]) -> None:
    game = state(WINDOW)
    for seat in (0, 1, 2, 3, 1, 1):
        now, live = game.situation(seat).current, game.situation(seat).upcoming
        assert now == view(WINDOW, seat)
        assert live == view(after_quiet_window(WINDOW) if seat == 1 else WINDOW, seat)
        assert (live is now) == (seat != 1)
    assert viewed == {0: 1, 1: 2, 2: 1, 3: 1}


def test_computer_player_uses_the_cached_view(
    viewed: Counter[int | None],
) -> None:
    game = state(WINDOW, chairs=chairs(computers=(1,)))
    (question,) = questions(game)
    assert question.subject == "move"
    assert deciding_view(game, question) is game.situation(1).upcoming
    assert viewed == {1: 2}


def test_without_a_window_both_views_are_the_same() -> None:
    game = state(TURN)
    assert game.views.after_window is game.views
    assert game.situation(1).upcoming is game.situation(1).current


def test_no_premoves_during_a_withdrawal_question() -> None:
    asked = after(table("WINDOW B", trick="D S8", dealer="A"), "A tichu", "C tichu:same")
    situation = state(asked).situation(1)
    assert situation.upcoming is situation.current


def test_cached_views_do_not_affect_equality() -> None:
    looked_at, fresh = state(WINDOW), state(WINDOW)
    looked_at.situation(1)
    assert looked_at == fresh
    assert replace(looked_at) == fresh


def test_player_of_two_hands_has_two_situations(viewed: Counter[int | None]) -> None:
    game = state(position(TRICHU, "TURN 3", trick="2 S8"), chairs=chairs(NAMES[:3]))
    for seat in game.seats_of_chair(0):
        assert game.situation(seat).current.seat == seat
    assert viewed == {0: 1, 3: 1}


def test_repr_contains_no_hand() -> None:
    game = state(WINDOW)
    game.situation(1)
    game.views.after_window.public  # noqa: B018 - it is computed now
    for told in (repr(game), repr(game.views), repr(game.situation(1))):
        assert "S9" not in told
        assert "Hand" not in told


@pytest.mark.parametrize("match", [TURN, WINDOW])
def test_views_are_freed_with_the_table(match: Match) -> None:
    game = state(match)
    game.situation(1)
    game.views.after_window.public  # noqa: B018 - it is computed now
    seen = weakref.ref(game.views)
    gc.disable()
    try:
        del game
        assert seen() is None, "nothing waits for the garbage collector"
    finally:
        gc.enable()
