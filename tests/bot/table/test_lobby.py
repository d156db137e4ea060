"""Lobbies: joining, leaving, swapping, computer players, options and the start."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.errors import Refused
from bot.ids import UserId
from bot.table import lobby
from bot.table.computer_names import COMPUTER_NAMES, manner_of
from bot.table.options import TableOptions
from bot.table.state import Chair, Lobby
from engine import VARIANTS, IllegalAction, Options
from tests.bot.states import CHANNEL, GUILD, HOST, NOON, PEOPLE, chairs, state


def opened(**given: Any) -> Lobby:
    """Return a new lobby with these rules."""
    options = TableOptions(rules=Options(**given))
    found = lobby.empty_chairs(options.lobby_chairs)
    return lobby.new_lobby(lobby.LobbyPlan(GUILD, CHANNEL, HOST, options, found), NOON)


def refusal(function: object, *arguments: object) -> str:
    assert callable(function)
    with pytest.raises(Refused) as refused:
        function(*arguments)
    return refused.value.code


def seats(table: Lobby) -> str:
    """Return kinds and names of the chairs in one line: ``Ada . bot:Computer 1 .``."""
    words = {"person": "", "computer": "bot:", "empty": "."}
    return " ".join(words[chair.kind] + chair.name for chair in table.chairs)


def test_new_lobby_is_empty_and_ends_after_half_an_hour() -> None:
    table = opened()
    assert (table.status, table.host_id, table.revision) == ("lobby", HOST, 0)
    assert table.chairs == tuple(Chair(seat=seat) for seat in range(4))
    assert table.timers.deadlines == {"lobby": NOON + timedelta(minutes=30)}
    assert table.created_at == NOON
    record = lobby.new_record(table)
    assert (record.guild_id, record.channel_id, record.host_id) == (GUILD, CHANNEL, HOST)
    assert record.seats == ()


def test_refuses_options_out_of_range() -> None:
    wrong: dict[str, Any]
    for wrong in ({"target": 120}, {"target": 50}, {"bomb_window_ms": 999}, {"direction": "up"}):
        with pytest.raises(IllegalAction) as refused:
            opened(**wrong)
        assert refused.value.code == "option", wrong


def test_people_take_the_first_free_chair() -> None:
    table = lobby.join(opened(), HOST, "Ada")
    table = lobby.join(table, UserId(7), "Ben")
    assert seats(table) == "Ada Ben . ."
    assert table.seat_of(UserId(7)) == 1
    assert seats(lobby.join(lobby.leave(table, HOST), UserId(8), "Cleo")) == "Cleo Ben . ."
    assert refusal(lobby.join, table, 7, "Ben") == "already-seated"
    assert refusal(lobby.join, state(), 7, "Eve") == "table-full"


def test_next_person_becomes_host() -> None:
    table = lobby.leave(state(chairs=chairs(computers=(1,))), HOST)
    assert seats(table) == ". bot:Ben Cleo Dan"
    assert table.host_id == HOST + 2
    assert lobby.leave(table, UserId(HOST + 3)).host_id == HOST + 2
    assert refusal(lobby.leave, table, HOST) == "not-seated"


def test_lobby_without_people_is_closed() -> None:
    table = state(chairs=chairs(computers=(1, 2), empty=(3,)))
    later = NOON + timedelta(minutes=5)
    touched = lobby.renew(table, later)
    assert (touched.status, touched.revision) == ("lobby", 1)
    assert touched.timers.deadlines == {"lobby": later + timedelta(minutes=30)}
    alone = lobby.renew(lobby.leave(table, HOST), later)
    assert (alone.status, alone.revision, alone.timers.deadlines) == ("expired", 1, {})


def test_people_choose_their_team_by_joining() -> None:
    table = lobby.join(opened(), HOST, "Ada")
    table = lobby.join(table, UserId(7), "Ben", 0)
    assert seats(table) == "Ada . Ben ."
    table = lobby.join(table, UserId(8), "Cleo", 1)
    assert seats(table) == "Ada Cleo Ben ."
    assert refusal(lobby.join, table, 9, "Dan", 0) == "team-full"
    assert refusal(lobby.join, table, 7, "Ben", 0) == "already-seated"
    changed = lobby.join(table, UserId(7), "Ben", 1)
    assert seats(changed) == "Ada Cleo . Ben"
    assert refusal(lobby.join, changed, HOST, "Ada", 1) == "team-full"
    assert seats(lobby.join(changed, UserId(9), "Dan", 0)) == "Ada Cleo Dan Ben"


def test_computer_players_give_way_to_people() -> None:
    """Only where no chair is free; a person who changes sides swaps seats with one."""
    table = state(chairs=chairs(computers=(1, 2), empty=(3,)))
    assert seats(lobby.join(table, UserId(7), "Eve")) == "Ada bot:Ben bot:Cleo Eve"
    assert seats(lobby.join(table, UserId(7), "Eve", 0)) == "Ada bot:Ben Eve ."
    full = lobby.join(table, UserId(7), "Eve")
    assert (full.full, full.room) == (True, 2)
    assert seats(lobby.join(full, UserId(8), "Finn")) == "Ada Finn bot:Cleo Eve"
    assert seats(lobby.join(full, UserId(7), "Eve", 0)) == "Ada bot:Ben Eve bot:Cleo"
    assert refusal(lobby.join, full, 7, "Eve") == "already-seated"
    ben = state(chairs=chairs(computers=(1,)))
    named = lobby.join(ben, UserId(7), "Eve").chairs[1]
    assert (named.kind, named.name) == ("person", "Eve")


def test_refuses_a_team_of_another_game() -> None:
    """The button may be on a lobby message that is just being rewritten."""
    table = lobby.join(opened(variant="trichu"), HOST, "Ada")
    assert seats(lobby.join(table, UserId(7), "Ben", 1)) == "Ada Ben ."
    assert refusal(lobby.join, table, HOST, "Ada", 0) == "already-seated"
    assert (
        seats(lobby.join(lobby.join(opened(), HOST, "Ada"), UserId(7), "Ben", 9)) == "Ada Ben . ."
    )


def test_computer_players_fill_the_needed_seats() -> None:
    table = lobby.join(opened(), HOST, "Ada")
    filled = lobby.fill(table, HOST)
    names = [chair.name for chair in filled.chairs]
    assert [chair.kind for chair in filled.chairs] == ["person", *["computer"] * 3]
    assert len(set(names)) == 4
    assert set(names[1:]) <= set(COMPUTER_NAMES)
    assert len({manner_of(name) for name in names[1:]}) == 3, "no two are alike"
    assert lobby.fill(table, HOST) == filled, "the same again, after a restart for instance"
    assert lobby.fill(filled, HOST) == filled
    assert refusal(lobby.fill, table, 7) == "host-only"
    for taken, players in (("P", 5), ("PP.P", 5), ("PPPPP", 5), ("PPPPPPP", 7)):
        assert lobby.players(lobby.fill(lords(taken), HOST)) == players


def test_tables_have_different_computer_players() -> None:
    tables = [state(chairs=chairs(empty=(1, 2, 3)), channel_id=channel) for channel in range(20)]
    assert len({lobby.fill(table, HOST).chairs[1].name for table in tables}) > 5


def test_a_computer_player_never_has_the_name_of_somebody_at_the_table() -> None:
    table = lobby.fill(lobby.join(opened(), HOST, "Ada"), HOST)
    table = lobby.remove(table, HOST, 3)
    first, second = (table.chairs[seat].name for seat in (1, 2))
    joined = lobby.join(table, UserId(7), first.upper())
    names = [chair.name for chair in joined.chairs]
    assert names[0] == "Ada"
    assert (names[2], names[3]) == (second, first.upper())
    assert names[1] in COMPUTER_NAMES
    assert names[1] not in (first, second)


def test_adds_one_computer_player_and_removes_one_player() -> None:
    table = lobby.join(lobby.join(opened(), HOST, "Ada"), UserId(7), "Ben")
    table = lobby.add_computer(table, HOST, 3)
    assert [chair.kind for chair in table.chairs] == ["person", "person", "empty", "computer"]
    assert seats(lobby.remove(table, HOST, 3)) == "Ada Ben . ."
    without_ben = lobby.remove(table, HOST, 1)
    assert without_ben.seat_of(UserId(7)) is None
    assert lobby.players(without_ben) == 2
    assert refusal(lobby.add_computer, table, HOST, 1) == "seat-taken"
    assert refusal(lobby.add_computer, table, 7, 2) == "host-only"
    assert refusal(lobby.remove, table, 7, 3) == "host-only"
    for seat in (0, 2, 4, -1):  # the host, nobody, no chair
        assert refusal(lobby.remove, table, HOST, seat) == "no-such-seat"


def test_swaps_occupied_chairs() -> None:
    table = state(chairs=chairs(computers=(2,), empty=(3,)))
    swapped = lobby.swap(table, HOST, 2, 3)
    assert seats(swapped) == "Ada Ben . bot:Cleo"
    assert [chair.seat for chair in swapped.chairs] == [0, 1, 2, 3]
    assert lobby.swap(swapped, HOST, 3, 2) == table
    for other in (HOST + 1, 999):
        assert refusal(lobby.swap, table, other, 1, 3) == "host-only"
    for one, other in ((0, 4), (-1, 0), (2, 2), (0, 10**20)):
        assert refusal(lobby.swap, table, HOST, one, other) == "no-such-seat"


def test_the_host_changes_options_and_everybody_stays() -> None:
    table = state(chairs=chairs(computers=(2,), empty=(3,)))
    changed = lobby.change_option(table, HOST, "target", "500")
    assert (changed.options.rules.target, changed.chairs) == (500, table.chairs)
    assert lobby.change_option(changed, HOST, "target", "1000") == table
    assert refusal(lobby.change_option, table, HOST + 1, "target", "500") == "host-only"


@pytest.mark.parametrize(
    "before, taken, after, left",
    [
        ("nanjing", "PPP.", "trichu", "PPP"),
        ("nanjing", "P.PP", "trichu", "PPP"),
        ("nanjing", "PCCC", "trichu", "PCC"),
        ("nanjing", "PC.P", "trichu", "PPC"),
        ("nanjing", "PCCP", "trichu", "PPC"),
        ("trichu", "PC.", "nanjing", "PC.."),
        ("tientsin", "P.C.PC", "nanjing", "PPCC"),
        ("nanjing", "PPPP", "grandseigneur", "PPPP........"),
        ("grandseigneur", "P..C...C...P", "trichu", "PPC"),
    ],
)
def test_another_game_keeps_players_as_chairs_allow(
    before: str, taken: str, after: str, left: str
) -> None:
    """People before computer players, and everybody on their own chair if it exists."""
    table = of_game(before, taken)
    changed = lobby.change_option(table, HOST, "variant", after)
    assert changed.options.variant == after
    kinds = {"person": "P", "computer": "C", "empty": "."}
    assert "".join(kinds[chair.kind] for chair in changed.chairs) == left
    assert [chair.seat for chair in changed.chairs] == list(range(len(left)))
    assert sorted(changed.user_ids()) == table.user_ids()
    kept = {chair.name for chair in changed.chairs} & {chair.name for chair in table.chairs}
    assert len(kept - {""}) == len(left.replace(".", ""))


def test_refuses_a_game_with_too_few_chairs() -> None:
    table = of_game("nanjing", "PPPP")
    with pytest.raises(Refused) as refused:
        lobby.change_option(table, HOST, "variant", "trichu")
    assert refused.value.code == "too-many-people"
    assert refused.value.details == {"people": 4, "most": 3}


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
    """Return a lobby of Grand Seigneur: ``P.C`` is a person, a free chair, a computer player."""
    return with_options(LORDS, taken)


def of_game(variant: str, taken: str) -> Lobby:
    """Return a lobby of another game in the same notation."""
    return with_options(TableOptions(rules=Options(variant=variant)), taken)


def with_options(options: TableOptions, taken: str) -> Lobby:
    number = options.lobby_chairs
    empty = [seat for seat in range(number) if taken.ljust(number, ".")[seat] == "."]
    computers = [seat for seat, kind in enumerate(taken) if kind == "C"]
    return state(options=options, chairs=chairs(PEOPLE[:number], empty=empty, computers=computers))


def test_has_a_chair_for_every_player() -> None:
    counts = {"nanjing": 4, "trichu": 3, "tientsin": 6, "grandseigneur": 12}
    assert {name: len(opened(variant=name).chairs) for name in VARIANTS} == counts


def test_refuses_options_of_other_games() -> None:
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


def test_grand_seigneur_starts_with_those_seated() -> None:
    for players in range(5, 13):
        table = lords("P" + "C" * (players - 1))
        lobby.check_start(table, HOST)
        started = lobby.without_empty_chairs(table)
        assert [chair.seat for chair in started.chairs] == list(range(players))
        rules = started.options.rules
        assert (rules.players, rules.rounds) == (players, 2)
        assert started.options.game.chair_count(rules) == len(started.chairs)


def test_free_chairs_are_removed_at_the_start() -> None:
    started = lobby.without_empty_chairs(lords(".PC..P.P...C"))
    assert seats(started) == "Ben bot:Cleo Finn Hugo bot:Leo"
    assert [chair.seat for chair in started.chairs] == [0, 1, 2, 3, 4]
    assert started.seat_of(UserId(HOST + 7)) == 3
    assert started.host_id == HOST


@pytest.mark.parametrize("variant", ["nanjing", "trichu", "tientsin"])
def test_other_games_start_with_unchanged_seats(variant: str) -> None:
    table = state(options=TableOptions(rules=Options(variant=variant)))
    assert lobby.without_empty_chairs(table) == table


def test_refuses_too_few_players_for_grand_seigneur() -> None:
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


def test_fills_and_frees_twelve_chairs() -> None:
    table = lobby.with_computers(lords("P"), 20)
    assert len({chair.name for chair in table.chairs}) == 12
    assert lobby.join(table, UserId(7), "Eve").seat_of(UserId(7)) == 1, (
        "a computer player gives way"
    )
    table = lobby.swap(table, HOST, 0, 11)
    assert table.seat_of(HOST) == 11
    assert lobby.remove(table, HOST, 10).chairs[10].kind == "empty"
    assert refusal(lobby.swap, table, HOST, 0, 12) == "no-such-seat"


@pytest.mark.parametrize("players", [5, 7, 12])
def test_a_rematch_has_the_same_people_and_room_for_more(players: int) -> None:
    over = lobby.without_empty_chairs(lords("P" + "C" * (players - 1)))
    options, found = lobby.rematch_setup(over)
    assert (options, options.lobby_chairs) == (LORDS, 12)
    assert found[:players] == over.chairs
    assert found[players:] == tuple(Chair(seat=seat) for seat in range(players, 12))
    again = lobby.new_lobby(lobby.LobbyPlan(GUILD, CHANNEL, HOST, options, found), NOON)
    assert lobby.without_empty_chairs(again).chairs == over.chairs


@pytest.mark.parametrize("variant", ["nanjing", "trichu", "tientsin"])
def test_a_rematch_of_the_other_games_has_all_chairs_taken(variant: str) -> None:
    over = state(options=TableOptions(rules=Options(variant=variant)))
    assert lobby.rematch_setup(over) == (over.options, over.chairs)


def test_sides_are_absent_until_one_of_them_comes() -> None:
    table = state(details={"invitations": {"here": (HOST + 1, UserId(777))}})
    assert lobby.absent_sides(table) == (True, False)
    assert lobby.absent_sides(lobby.leave(table, UserId(HOST + 1))) == (True, True)
    assert lobby.absent_sides(opened(variant="trichu")) == (False, False), "there are no sides"
