"""Before the first deal: sitting down, standing up, swapping, computer players, who may start."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.errors import Refused
from bot.table import lobby
from bot.table.options import TableOptions
from bot.table.state import Chair, Lobby
from engine import VARIANTS, IllegalAction, Options
from tests.bot.states import CHANNEL, GUILD, HOST, NOON, PEOPLE, chairs, state


def opened(**given: Any) -> Lobby:
    """A new lobby with these rules."""
    options = TableOptions(rules=Options(**given))
    return lobby.new_lobby(
        GUILD, CHANNEL, None, HOST, options, NOON, lobby.empty_chairs(options.lobby_chairs)
    )


def refusal(function: object, *arguments: object) -> str:
    assert callable(function)
    with pytest.raises(Refused) as refused:
        function(*arguments)
    return refused.value.code


def seats(table: Lobby) -> str:
    """Kinds and names of the chairs in one line: ``Ada . bot:Computer 1 .``."""
    words = {"person": "", "computer": "bot:", "empty": "."}
    return " ".join(words[chair.kind] + chair.name for chair in table.chairs)


def test_a_new_lobby_is_empty_and_ends_after_half_an_hour() -> None:
    table = opened()
    assert (table.status, table.host_id, table.revision) == ("lobby", HOST, 0)
    assert table.chairs == tuple(Chair(seat=seat) for seat in range(4))
    assert table.timers.deadlines == {"lobby": NOON + timedelta(minutes=30)}
    assert table.created_at == NOON
    record = lobby.new_record(table)
    assert (record.guild_id, record.channel_id, record.host_id) == (GUILD, CHANNEL, HOST)
    assert record.seats == ()


def test_options_out_of_range_open_nothing() -> None:
    wrong: dict[str, Any]
    for wrong in ({"target": 120}, {"target": 50}, {"bomb_window_ms": 999}, {"direction": "up"}):
        with pytest.raises(IllegalAction) as refused:
            opened(**wrong)
        assert refused.value.code == "option", wrong


def test_people_take_the_first_free_chair() -> None:
    table = lobby.join(opened(), HOST, "Ada")
    table = lobby.join(table, 7, "Ben")
    assert seats(table) == "Ada Ben . ."
    assert table.seat_of(7) == 1
    assert seats(lobby.join(lobby.leave(table, HOST), 8, "Cleo")) == "Cleo Ben . ."
    assert refusal(lobby.join, table, 7, "Ben") == "already-seated"
    assert refusal(lobby.join, state(), 7, "Eve") == "table-full"


def test_the_host_goes_and_the_next_person_is_host() -> None:
    table = lobby.leave(state(chairs=chairs(computers=(1,))), HOST)
    assert seats(table) == ". bot:Ben Cleo Dan"
    assert table.host_id == HOST + 2
    assert lobby.leave(table, HOST + 3).host_id == HOST + 2
    assert refusal(lobby.leave, table, HOST) == "not-seated"


def test_a_lobby_without_people_is_over() -> None:
    table = state(chairs=chairs(computers=(1, 2), empty=(3,)))
    later = NOON + timedelta(minutes=5)
    touched = lobby.touched(table, later)
    assert (touched.status, touched.revision) == ("lobby", 1)
    assert touched.timers.deadlines == {"lobby": later + timedelta(minutes=30)}
    alone = lobby.touched(lobby.leave(table, HOST), later)
    assert (alone.status, alone.revision, alone.timers.deadlines) == ("expired", 1, {})


def test_computer_players_are_numbered() -> None:
    table = lobby.join(opened(), HOST, "Ada")
    for _ in range(3):
        table = lobby.add_computer(table, "Robot")
    assert seats(table) == "Ada bot:Robot 1 bot:Robot 2 bot:Robot 3"
    assert refusal(lobby.add_computer, table, "Robot") == "table-full"
    table = lobby.swap(table, HOST, 1, 3)
    table = lobby.remove_computer(table)
    assert seats(table) == "Ada bot:Robot 3 bot:Robot 2 ."
    assert seats(lobby.add_computer(table, "Robot")) == "Ada bot:Robot 3 bot:Robot 2 bot:Robot 1"
    assert refusal(lobby.remove_computer, state()) == "no-computer"


def test_a_computer_player_finds_a_number_beside_people_of_that_name() -> None:
    table = state(chairs=chairs(["Robot 1", "Robot 2", "Robot 3", "-"], empty=(3,)))
    assert lobby.add_computer(table, "Robot").chairs[3].name == "Robot 4"


def test_chairs_are_swapped_with_whoever_sits_there() -> None:
    table = state(chairs=chairs(computers=(2,), empty=(3,)))
    swapped = lobby.swap(table, HOST, 2, 3)
    assert seats(swapped) == "Ada Ben . bot:Cleo"
    assert [chair.seat for chair in swapped.chairs] == [0, 1, 2, 3]
    assert lobby.swap(swapped, HOST, 3, 2) == table
    assert seats(lobby.swap(table, HOST + 1, 1, 3)) == "Ada . bot:Cleo Ben"
    assert refusal(lobby.swap, table, HOST + 1, 0, 2) == "host-only"
    assert refusal(lobby.swap, table, 999, 0, 1) == "host-only"
    for one, other in ((0, 4), (-1, 0), (2, 2), (0, 10**20)):
        assert refusal(lobby.swap, table, HOST, one, other) == "no-such-seat"


def test_the_host_starts_a_full_table() -> None:
    lobby.check_start(state(), HOST)
    lobby.check_start(state(chairs=chairs(computers=(1, 2, 3))), HOST)
    assert refusal(lobby.check_start, state(), HOST + 1) == "host-only"
    assert refusal(lobby.check_start, state(chairs=chairs(empty=(3,))), HOST) == "seats-empty"
    assert refusal(lobby.check_start, state(chairs=chairs(computers=range(4))), HOST) == (
        "nobody-plays"
    )


LORDS = TableOptions(rules=Options(variant="grandseigneur", rounds=2))


def lords(taken: str) -> Lobby:
    """A lobby of Grand Seigneur: ``P.C`` for a person, a free chair, a computer player."""
    seats = range(12)
    empty = [seat for seat in seats if taken.ljust(12, ".")[seat] == "."]
    computers = [seat for seat, kind in enumerate(taken) if kind == "C"]
    return state(options=LORDS, chairs=chairs(PEOPLE, empty=empty, computers=computers))


def test_as_many_chairs_as_people_can_play() -> None:
    counts = {"nanjing": 4, "trichu": 3, "tientsin": 6, "grandseigneur": 12}
    assert {name: len(opened(variant=name).chairs) for name in VARIANTS} == counts


def test_options_of_other_games_open_nothing() -> None:
    wrong: dict[str, Any]
    for variant, wrong in (
        ("trichu", {"target": 1000}),
        ("trichu", {"rounds": 4}),
        ("tientsin", {"rounds": 3}),
        ("nanjing", {"decks": 2}),
        ("nanjing", {"players": 4}),
        ("grandseigneur", {"target": 1000}),
        ("grandseigneur", {"wish_policy": "penalty"}),
        ("grandseigneur", {"players": 13}),
    ):
        with pytest.raises(IllegalAction) as refused:
            opened(variant=variant, **wrong)
        assert refused.value.code in ("option", "option-of-other-game"), (variant, wrong)


def test_grand_seigneur_starts_with_those_who_sit_there() -> None:
    for players in range(5, 13):
        table = lords("P" + "C" * (players - 1))
        lobby.check_start(table, HOST)
        started = lobby.without_empty_chairs(table)
        assert [chair.seat for chair in started.chairs] == list(range(players))
        rules = started.options.rules
        assert (rules.players, rules.rounds) == (players, 2)
        assert started.options.game.chairs(rules) == len(started.chairs)


def test_chairs_move_together_where_nobody_sits() -> None:
    started = lobby.without_empty_chairs(lords(".PC..P.P...C"))
    assert seats(started) == "Ben bot:Cleo Finn Hugo bot:Leo"
    assert [chair.seat for chair in started.chairs] == [0, 1, 2, 3, 4]
    assert started.seat_of(HOST + 7) == 3
    assert started.host_id == HOST


@pytest.mark.parametrize("variant", ["nanjing", "trichu", "tientsin"])
def test_other_games_start_as_they_sit(variant: str) -> None:
    table = state(options=TableOptions(rules=Options(variant=variant)))
    assert lobby.without_empty_chairs(table) == table


def test_too_few_for_grand_seigneur() -> None:
    for taken in ("P", "PPCC", "P..P...P..P"):
        assert not lobby.enough_players(lords(taken))
        with pytest.raises(Refused) as refused:
            lobby.check_start(lords(taken), HOST)
        assert (refused.value.code, refused.value.details) == ("too-few-players", {"least": 5})
    assert refusal(lobby.check_start, lords("PPCC"), HOST + 1) == "host-only"
    assert refusal(lobby.check_start, lords("CCCCC"), HOST) == "nobody-plays"
    for variant, missing in (("trichu", 2), ("tientsin", 5)):
        count = VARIANTS[variant].people.start
        there = state(
            options=TableOptions(rules=Options(variant=variant)),
            chairs=chairs(PEOPLE[:count], empty=(missing,)),
        )
        assert refusal(lobby.check_start, there, HOST) == "seats-empty"


def test_twelve_chairs_are_filled_and_freed() -> None:
    table = lords("P")
    for number in range(1, 12):
        table = lobby.add_computer(table, "Robot")
        assert table.chairs[number].name == f"Robot {number}"
    assert refusal(lobby.add_computer, table, "Robot") == "table-full"
    assert refusal(lobby.join, table, 7, "Eve") == "table-full"
    table = lobby.swap(table, HOST, 0, 11)
    assert table.seat_of(HOST) == 11
    assert lobby.remove_computer(table).chairs[10].kind == "empty"
    assert refusal(lobby.swap, table, HOST, 0, 12) == "no-such-seat"


@pytest.mark.parametrize("players", [5, 7, 12])
def test_a_rematch_has_the_same_people_and_room_for_more(players: int) -> None:
    over = lobby.without_empty_chairs(lords("P" + "C" * (players - 1)))
    options, found = lobby.free_again(over)
    assert (options, options.lobby_chairs) == (LORDS, 12)
    assert found[:players] == over.chairs
    assert found[players:] == tuple(Chair(seat=seat) for seat in range(players, 12))
    again = lobby.new_lobby(GUILD, CHANNEL, None, HOST, options, NOON, found)
    assert lobby.without_empty_chairs(again).chairs == over.chairs


@pytest.mark.parametrize("variant", ["nanjing", "trichu", "tientsin"])
def test_a_rematch_of_the_other_games_has_all_chairs_taken(variant: str) -> None:
    over = state(options=TableOptions(rules=Options(variant=variant)))
    assert lobby.free_again(over) == (over.options, over.chairs)
