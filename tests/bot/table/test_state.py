"""A game as a value: what a seat sees is computed once, and is no part of what the game is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.table.state import Lobby, game_of
from engine import Match, View, after_quiet_window, view
from tests.bot.positions import TRICHU, position
from tests.bot.states import NAMES, chairs, state
from tests.engine.positions import after, table

WINDOW = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5"})
TURN = table("TURN B", trick="A S8")


@pytest.fixture
def viewed(monkeypatch: pytest.MonkeyPatch) -> Counter[int | None]:
    """How often the engine was asked for the view of each seat."""
    found: Counter[int | None] = Counter()

    def counting(match: Match, seat: int | None) -> View:
        found[seat] += 1
        return view(match, seat)

    monkeypatch.setattr("bot.table.state.view", counting)
    return found


def test_what_a_seat_sees_is_computed_once_for_each_state(viewed: Counter[int | None]) -> None:
    game = state(TURN)
    for _ in range(3):
        for seat in range(4):
            assert game.situation(seat) is game.situation(seat)
    assert viewed == {0: 1, 1: 1, 2: 1, 3: 1}
    other = replace(game, revision=1)
    assert other.situation(0) is not game.situation(0)
    assert viewed[0] == 2


def test_who_is_next_sees_the_moment_after_the_window_too(viewed: Counter[int | None]) -> None:
    game = state(WINDOW)
    for seat in (0, 1, 2, 3, 1, 1):
        now, live = game.situation(seat).now, game.situation(seat).live
        assert now == view(WINDOW, seat)
        assert live == view(after_quiet_window(WINDOW) if seat == 1 else WINDOW, seat)
        assert (live is now) == (seat != 1)
    assert viewed == {0: 1, 1: 2, 2: 1, 3: 1}


def test_while_somebody_is_asked_nobody_chooses_ahead() -> None:
    asked = after(table("WINDOW B", trick="D S8", dealer="A"), "A tichu", "C tichu:same")
    situation = state(asked).situation(1)
    assert situation.live is situation.now


def test_what_somebody_has_looked_at_makes_no_other_game() -> None:
    looked_at, fresh = state(WINDOW), state(WINDOW)
    looked_at.situation(1)
    assert looked_at == fresh
    assert replace(looked_at) == fresh


def test_who_is_shown_two_hands_has_two_situations(viewed: Counter[int | None]) -> None:
    game = state(position(TRICHU, "TURN 3", trick="2 S8"), chairs=chairs(NAMES[:3]))
    for seat in game.seats_of_chair(0):
        assert game.situation(seat).now.seat == seat
    assert viewed == {0: 1, 3: 1}


def test_what_is_over_is_a_game_without_anything_remembered() -> None:
    played = state(TURN, revision=9, desk={"away": (1,), "auto_pass": (2,)}, status="stopped")
    lobby = Lobby(**{name: getattr(played, name) for name in KNOWN})
    for known in (played, lobby):
        found = game_of(known, WINDOW)
        assert found == state(WINDOW, status="stopped")


KNOWN = (
    *("id", "guild_id", "channel_id", "parent_channel_id", "host_id"),
    *("status", "options", "chairs", "created_at"),
)
