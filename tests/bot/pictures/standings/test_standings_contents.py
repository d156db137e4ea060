"""Standings of tournaments as scenes and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.club import actions as a
from bot.club.competition import EntrantNumber, Result
from bot.club.event import ClubEvent, apply
from bot.club.formats import FORMATS, league
from bot.club.settings import FormatName
from bot.pictures.alt_texts import LONGEST
from bot.pictures.process_messages import parse_drawing, to_json
from bot.pictures.standings.contents import MOST_ROWS, standings_scenes
from bot.pictures.standings.scene import Bracket, Slot, StandingsTable
from bot.pictures.standings.standings_text import standings_text
from bot.text import Say
from tests.bot.pictures.samples import SAY
from tests.bot.pictures.tournaments import (
    NOW,
    PEOPLE,
    PLAIN,
    TOURNAMENTS,
    drawn,
    next_round,
    played,
    with_result,
)
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in


def bracket(event: ClubEvent) -> Bracket:
    (scene,) = standings_scenes(event, SAY)
    assert isinstance(scene, Bracket)
    return scene


def table(event: ClubEvent) -> StandingsTable:
    (scene,) = standings_scenes(event, SAY)
    assert isinstance(scene, StandingsTable)
    return scene


def first_names(slots: tuple[Slot | None, ...]) -> list[str | None]:
    """Return the first name of each slot, empty for one that is not known."""
    return [None if slot is None else slot.names[0].text if slot.names else "" for slot in slots]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_scenes_survive_serialisation_and_have_a_short_text(name: str) -> None:
    for scene in standings_scenes(TOURNAMENTS[name], SAY):
        assert parse_drawing(to_json(scene)) == scene
        assert len(standings_text(scene, SAY)) <= LONGEST


# --- brackets ------------------------------------------------------------------------------------


def test_bracket_is_shown_from_the_draw_on() -> None:
    tree = bracket(drawn("knock-out", PLAIN)).tree
    assert list(map(first_names, tree)) == [["Ada", "Gus", "Cai", "Eva"], ["", ""], [""]]


def test_winners_go_on_with_the_points_of_their_matches() -> None:
    event = with_result(drawn("knock-out", PLAIN), 0, Result("played", 1, (35, 1100)))
    two, semi = bracket(event).tree[0][:2], bracket(event).tree[1]
    sides = event.rounds[0].matches[0].sides
    higher = sides.index(min(sides))
    assert [slot and (slot.total, slot.outcome) for slot in two] == [
        *[("35", "lost"), ("1,100", "won")][:: 1 if higher == 0 else -1]
    ]
    assert first_names(semi)[0] in first_names(two)
    assert first_names(semi)[1] == ""


@pytest.mark.parametrize("format_", ["swiss", "knock-out"])
def test_nobody_has_a_crown_if_nobody_came(format_: FormatName) -> None:
    event = drawn(format_, PLAIN, planned=1)
    while event.status != "over":
        for match in range(len(event.rounds[-1].matches)):
            event = with_result(event, match, Result("forfeit"))
        event = next_round(event)
    (scene,) = standings_scenes(event, SAY)
    if isinstance(scene, StandingsTable):
        assert not any(row.won for row in scene.rows)
    else:
        assert isinstance(scene, Bracket)
        assert [each and each.outcome for each in scene.tree[-1]] == ["open"]


def test_bye_has_no_opponent() -> None:
    tree = bracket(drawn("knock-out", PEOPLE[:10])).tree
    names = first_names(tree[0])
    assert names.count(None) == 3
    seeds = [name for name, opponent in zip(names[::2], names[1::2], strict=True) if not opponent]
    assert seeds == [name for name in first_names(tree[1]) if name]


@pytest.mark.parametrize("pairs, parts", [(17, 2), (32, 2), (33, 4), (64, 4)])
def test_large_bracket_has_parts_before_the_last_sixteen(pairs: int, parts: int) -> None:
    event = drawn("knock-out", PEOPLE[: 2 * pairs])
    while len(found := list(standings_scenes(event, SAY))) > 1:
        assert [numbers_in(each.round)[:2] for each in found] == [
            [part, parts] for part in range(1, parts + 1)
        ]
        trees = [each.tree for each in found if isinstance(each, Bracket)]
        assert [list(map(len, tree)) for tree in trees] == parts * [[16, 8, 4, 2, 1]]
        first = [first_names(tree[0]) for tree in trees]
        people = {event.people[each.people[0]].name for each in event.entrants}
        assert {name for names in first for name in names if name} == people
        for tree in trees:
            for place, name in enumerate(first_names(tree[1])):
                assert name in ("", *first_names(tree[0])[2 * place : 2 * place + 2])
        event = played(event, 1)
    assert list(map(len, bracket(event).tree)) == [16, 8, 4, 2, 1]
    assert len(event.rounds) == parts.bit_length()


def test_match_for_the_third_place_is_apart() -> None:
    assert bracket(played(drawn("knock-out", PLAIN), 1)).third is not None
    event = played(drawn("knock-out", PLAIN))
    scene = bracket(event)
    assert scene.third is not None
    places = {
        line.place: line.entrant for line in FORMATS["knock-out"].standings(event.competition)
    }
    for tree, place in ((scene.tree, 1), (scene.third, 3)):
        person = event.people[event.entrants[places[place] - 1].people[0]]
        assert first_names(tree[-1]) == [person.name]


def test_exchanged_entrants_keep_their_way_through_the_bracket() -> None:
    event = played(drawn("knock-out", PEOPLE[:16]), 1)
    first, second = (match.sides for match in event.rounds[-1].matches)
    pairings = ((second[0], first[1]), (first[0], second[1]))
    event = apply(event, a.Drawn(round=2, pairings=pairings), NOW)
    tree = bracket(event).tree
    for place, name in enumerate(first_names(tree[1])):
        assert name in first_names(tree[0][2 * place : 2 * place + 2])
    people = event.people
    for place, pairing in enumerate(pairings):
        names = {people[event.entrants[side[0] - 1].people[0]].name for side in pairing}
        assert {*first_names(tree[1][2 * place : 2 * place + 2])} == names


def test_who_withdraws_after_a_win_has_lost_the_next_match() -> None:
    event = drawn("knock-out", PLAIN)
    for position in (0, 1):
        event = with_result(event, position, Result("played", 0, (1000, 0)))
    gone = event.rounds[0].matches[0].sides[0][0]
    event = next_round(apply(event, a.Withdrew(entrant=EntrantNumber(gone)), NOW))
    final = bracket(event).tree[1]
    assert [slot and slot.outcome for slot in final] == ["lost", "won"]


# --- tables --------------------------------------------------------------------------------------


def test_no_table_before_the_first_result() -> None:
    event = drawn("swiss", PLAIN)
    assert list(standings_scenes(event, SAY)) == []
    assert list(standings_scenes(with_result(event, 0, Result("played", 0, (1, 0))), SAY)) != []


def test_single_division_has_a_picture_of_its_week() -> None:
    event = replace(TOURNAMENTS["league of 8"], week=2)
    assert numbers_in(table(event).round) == [2, len(event.rounds)]


def test_each_division_has_its_table() -> None:
    event = TOURNAMENTS["league of 3 divisions"]
    scenes = list(standings_scenes(event, SAY))
    tables = league.tables(event.competition)
    assert [numbers_in(each.round)[0] for each in scenes] == [1, 2, 3]
    for scene, lines in zip(scenes, tables, strict=True):
        assert isinstance(scene, StandingsTable)
        people = [event.entrants[line.entrant - 1].people[0] for line in lines]
        assert [row.names[0].text for row in scene.rows] == [event.people[n].name for n in people]
        assert [row.place for row in scene.rows] == [str(line.place) for line in lines]
        for number, row in enumerate(scene.rows):
            assert len(row.cells) == len(lines)
            assert row.cells[number] == ""
            assert sum(cell != "" for cell in row.cells) == lines[number].played


def numbers_in(text: str) -> list[int]:
    """Return the words of a text that are numbers."""
    return [int(word) for word in text.split() if word.isdigit()]


def test_rows_are_the_standings() -> None:
    event = TOURNAMENTS["swiss of 14"]
    lines = FORMATS["swiss"].standings(event.competition)
    rows = table(event).rows
    assert [row.place for row in rows] == [str(line.place) for line in lines]
    assert [row.won for row in rows] == [line.place == 1 for line in lines]
    for row, line in zip(rows, lines, strict=True):
        people = event.entrants[line.entrant - 1].people
        assert [name.text for name in row.names] == [event.people[each].name for each in people]
        score, buchholz, *_ = (float(value.replace("½", ".5")) for value in row.values[:2])
        assert [score, buchholz] == [float(line.score), float(line.tie_breaks[0])]
        assert row.values[-1] == SAY.signed(int(line.tie_breaks[-1]))
        assert row.cells == ()


def test_nobody_has_a_crown_after_a_draw_of_all() -> None:
    event = drawn("teams", PLAIN)
    for match in range(2):
        event = with_result(event, match, Result("played", 0, boards=((100, 0),)))
    assert not any(row.won for row in table(next_round(event)).rows)


def test_victory_points_have_two_decimals() -> None:
    event = drawn("teams", PLAIN)
    for match, points in enumerate((300, 0)):
        event = with_result(event, match, Result("played", 0, boards=((points, 0),)))
    assert [row.values for row in table(event).rows] == [("16.42",)] * 2 + [("3.58",)] * 2


def test_long_tables_are_cut() -> None:
    scene = table(TOURNAMENTS["swiss of 64 long names"])
    assert len(scene.rows) == MOST_ROWS
    assert scene.more == "48 others"


@pytest.mark.parametrize("name, has_cells", [("4", True), ("10 long names", True), ("11", False)])
def test_small_round_robins_have_a_cross_table(name: str, has_cells: bool) -> None:
    rows = table(TOURNAMENTS[f"round robin of {name}"]).rows
    assert {bool(row.cells) for row in rows} == {has_cells}


def test_cells_of_a_cross_table_add_up_to_the_scores() -> None:
    rows = table(TOURNAMENTS["double round robin"]).rows

    def value(text: str) -> float:
        return float(text.replace("½", ".5") or 0)

    for number, row in enumerate(rows):
        assert row.cells[number] == ""
        assert sum(map(value, row.cells)) == value(row.values[0])
        for other, cell in enumerate(row.cells):
            if other != number:
                assert value(cell) + value(rows[other].cells[number]) == 4


def test_withdrawn_pairs_are_marked() -> None:
    event = apply(played(drawn("swiss", PLAIN), 1), a.Withdrew(entrant=EntrantNumber(2)), NOW)
    assert [row.names[0].text for row in table(event).rows if row.withdrawn] == ["Cai"]
    assert standings_text(table(event), SAY).count("withdrawn") == 1


# --- words ---------------------------------------------------------------------------------------


def test_describes_a_table() -> None:
    event = drawn("swiss", PLAIN)
    for position, points in ((0, 300), (1, 100)):
        event = with_result(event, position, Result("played", 0, (points, 0)))
    best, second = (event.rounds[0].matches[position].sides[0][0] for position in (0, 1))
    names = [
        " & ".join(event.people[each].name for each in event.entrants[number - 1].people)
        for number in (best, second)
    ]
    text = standings_text(table(event), SAY)
    assert text.startswith(f"Cup. Round 1 of 3. 1 {names[0]}: 1. 2 {names[1]}: 1. ")


def test_describes_a_bracket() -> None:
    event = drawn("knock-out", PLAIN)
    text = standings_text(bracket(event), SAY)
    assert text == "Cup. Round 1 of 2. Ada & Ben – Gus & Hal. Cai & Dee – Eva & Fay."
    text = standings_text(bracket(played(event)), SAY)
    assert text.startswith("Cup. Round 2 of 2. Won by ")
    assert text.count("✓") == 4


def test_every_word_comes_from_the_catalogue() -> None:
    pseudo = Pseudo()
    say = Say("en", pseudo)
    withdrawn = apply(TOURNAMENTS["round robin of 4"], a.Withdrew(entrant=EntrantNumber(1)), NOW)
    plain = withdrawn, *(event for name, event in TOURNAMENTS.items() if "names" not in name)
    for event in (*plain, TOURNAMENTS["swiss of 64 long names"]):
        for scene in standings_scenes(event, say):
            standings_text(scene, say)
            words = [scene.round]
            if isinstance(scene, Bracket):
                words.append(scene.third_place)
            else:
                words += [scene.more, *(column.word for column in scene.columns)]
            assert [each for word in words for each in bare(word)] == []
    assert asked_in("test_standings_contents") - pseudo.asked == set()
