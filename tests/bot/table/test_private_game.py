"""Private games: who plays in them, when they end, and where a choice is ahead."""

from __future__ import annotations

from bot.ids import UserId
from bot.table.batch import Batch
from bot.table.forgetting import contains_person
from bot.table.options import TableOptions
from bot.table.private_game import PrivateGame, has_choice_ahead, new_private_game
from bot.table.state import Chair, Game
from engine import Match, Phase, Play, read_cards
from tests.bot.positions import TRICHU, position
from tests.bot.states import CHANNEL, NOON, PEOPLE, chairs, state
from tests.engine.positions import table

EVE = Chair(seat=2, kind="person", user_id=UserId(900), name="Eve")
TURN = table("TURN B", trick="A S8")


def private(match: Match, past: Game | None = None) -> PrivateGame:
    """Return the game in which Eve plays on from a position."""
    return new_private_game(past or state(match), EVE, CHANNEL, "1.0.open.trick.play")


def test_computers_replace_the_other_people() -> None:
    past = state(TURN, chairs=chairs(computers=[1]), options=TableOptions(turn_limit_s=24 * 3600))
    game = private(TURN, past)
    assert (game.match, game.status, game.seq) == (TURN, "playing", 0)
    assert game.user_ids() == [900]
    assert not {chair.name for chair in game.chairs} & {PEOPLE[0], PEOPLE[3]}
    assert game.chairs[1] == past.chairs[1], "a computer of the match stays"
    assert len({chair.name for chair in game.chairs}) == 4
    assert not game.options.turn_based
    assert [game.level(seat) for seat in (0, 1, 3)] == ["expert"] * 3


def test_contains_no_other_person_of_the_match() -> None:
    past = state(TURN)
    game = private(TURN, past)
    assert contains_person(game, UserId(900))
    assert not any(contains_person(game, user_id) for user_id in past.user_ids())


def test_never_yields_its_channel() -> None:
    assert not private(TURN).with_timers(paused=True).yields


def test_ends_with_its_round_and_not_before() -> None:
    for held, phase in (("S9 S10", Phase.WINDOW), ("S9", Phase.ROUND_END)):
        match = table("TURN C", trick="A S8", hands={"A": "", "C": held}, out="A")
        batch = Batch(private(match), NOON)
        batch.take(Play(2, read_cards("S9")))
        after = batch.finish().after
        assert isinstance(after, PrivateGame)
        game = after.ended_with_round()
        assert (game.phase, game.running) == (phase, phase is Phase.WINDOW)
        assert bool(game.timers.deadlines) is game.running


def test_choice_is_ahead_of_a_seat_with_cards_until_the_end() -> None:
    assert has_choice_ahead(state(TURN), 2)
    out = state(table("TURN B", trick="C S8", out="D", hands={"D": ""}))
    assert [has_choice_ahead(out, seat) for seat in range(4)] == [True, True, True, False]


def test_player_who_is_out_may_still_give_the_dragon_trick() -> None:
    game = state(table("TURN B", trick="A DRAGON", out="A", hands={"A": ""}))
    assert has_choice_ahead(game, 0)


def test_choice_of_the_dealer_includes_the_tables_hand() -> None:
    """The dealer of Trichu decides for the Table, also when their own cards are gone (T8)."""
    match = position(TRICHU, "TURN 1", trick="2 S8", out=(0,))
    game = state(match)
    assert game.decider(3) == 0
    assert has_choice_ahead(game, 0)
