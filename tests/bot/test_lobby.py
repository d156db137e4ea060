"""Before the first deal: sitting down, standing up, swapping, computer players, who may start."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot import lobby
from bot.refusals import Refused
from bot.table import Chair, TableOptions, TableState
from engine.errors import IllegalAction
from tests.bot.states import CHANNEL, GUILD, HOST, NOON, chairs, state


def opened(**given: object) -> TableState:
    options = TableOptions.model_validate(given)
    return lobby.open_lobby(GUILD, CHANNEL, None, HOST, options, NOON)


def refusal(function: object, *arguments: object) -> str:
    assert callable(function)
    with pytest.raises(Refused) as refused:
        function(*arguments)
    return refused.value.code


def seats(table: TableState) -> str:
    """Kinds and names of the chairs in one line: ``Ada . bot:Computer 1 .``."""
    words = {"person": "", "computer": "bot:", "empty": "."}
    return " ".join(words[chair.kind] + chair.name for chair in table.chairs)


def test_a_new_lobby_is_empty_and_ends_after_half_an_hour() -> None:
    table = opened()
    assert (table.status, table.host_id, table.seq, table.stamp) == ("lobby", HOST, 0, 0)
    assert table.chairs == tuple(Chair(seat=seat) for seat in range(4))
    assert table.desk.deadlines == {"lobby": NOON + timedelta(minutes=30)}
    assert table.created_at == NOON
    record = lobby.new_record(table)
    assert (record.guild_id, record.channel_id, record.host_id) == (GUILD, CHANNEL, HOST)
    assert record.seats == ()


@pytest.mark.parametrize(
    "option",
    [{"target": 120}, {"target": 50}, {"bomb_window_ms": 999}, {"direction": "up"}],
)
def test_options_out_of_range_open_nothing(option: dict[str, object]) -> None:
    with pytest.raises(IllegalAction) as refused:
        opened(**option)
    assert refused.value.code == "option"


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
    assert (touched.status, touched.stamp) == ("lobby", 1)
    assert touched.desk.deadlines == {"lobby": later + timedelta(minutes=30)}
    alone = lobby.touched(lobby.leave(table, HOST), later)
    assert (alone.status, alone.stamp, alone.desk.deadlines) == ("expired", 1, {})


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


@pytest.mark.parametrize(
    "status, code",
    [("playing", "already-started"), ("finished", "table-over"), ("expired", "table-over")],
)
def test_afterwards_the_chairs_stay_as_they_are(status: str, code: str) -> None:
    table = state(status=status, chairs=chairs(computers=(1,), empty=(3,)))
    assert refusal(lobby.join, table, 7, "Eve") == code
    assert refusal(lobby.leave, table, HOST) == code
    assert refusal(lobby.add_computer, table, "Robot") == code
    assert refusal(lobby.remove_computer, table) == code
    assert refusal(lobby.swap, table, HOST, 0, 1) == code
    assert refusal(lobby.check_start, table, HOST) == code
