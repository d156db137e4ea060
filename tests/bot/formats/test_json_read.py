"""Reading of JSON files: ours are read back unchanged, altered ones are refused by place."""

from __future__ import annotations

import dataclasses
import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bench.walks import random_options
from bot.formats.game import Game
from bot.formats.json_read import InconsistentDocument, InvalidDocument, is_document, read_document
from bot.formats.json_rounds import document, write_document
from engine import VARIANTS, IllegalAction, NotationError, Options
from tests.bot.formats.test_files import a_game, handed_over
from tests.campaign import CHARACTERS, examples, sample

GAMES = tuple(VARIANTS)


def walked_options(variant: str, seed: int) -> Options:
    """Return the options of the game with this seed."""
    return random_options(Random(seed), variant)


def read(told: object) -> Game:
    return read_document(json.dumps(told).encode())


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("seed", sample(range(30), 1))
def test_every_game_is_read_back(variant: str, seed: int) -> None:
    """With every option that the random games use; the whole match and each round alone."""
    game = a_game(variant, seed)
    assert write_document(read_document(write_document(game).encode())) == write_document(game)
    for played, names in zip(game.rounds, game.names, strict=True):
        alone = dataclasses.replace(game, rounds=(played,), names=(names,))
        text = write_document(alone)
        again = read_document(text.encode())
        assert write_document(again) == text
        assert [p.events for p in again.rounds[0].positions] == [p.events for p in played.positions]


def test_random_games_use_every_option() -> None:
    for variant in GAMES:
        drawn = (walked_options(variant, seed) for seed in range(30))
        seen = {option for options in drawn for option in options.non_defaults()}
        own = {*VARIANTS[variant].choices}
        assert seen >= {"direction", "dealing", "bombWindowMs"} | own - {"wish_policy"}
        assert ("wishPolicy" in seen) == ("wish_policy" not in own)


def test_changing_names_are_read_back() -> None:
    game = handed_over(a_game("nanjing", 0))
    assert read_document(write_document(game).encode()).names == game.names


def test_ignores_unknown_fields() -> None:
    told = document(a_game("nanjing", 0))
    told["comment"] = told["rounds"][0]["comment"] = told["rounds"][0]["result"]["comment"] = (
        "hello"
    )
    told["rounds"][0]["actions"][0]["comment"] = 7
    assert document(read(told)) == document(a_game("nanjing", 0))


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("seed", sample(range(4), 1))
def test_detects_a_removed_play_or_pass(variant: str, seed: int) -> None:
    chance = Random(seed)
    told = document(a_game(variant, seed))
    part = chance.choice(told["rounds"])
    actions = part["actions"]
    moves = [at for at, told in enumerate(actions) if told["action"].startswith(("play", "pass"))]
    del actions[chance.choice(moves)]
    with pytest.raises(InconsistentDocument) as raised:
        read(told)
    assert raised.value.place.startswith(f"round {part['number']}, ")


@pytest.mark.parametrize("variant", GAMES)
def test_names_the_faulty_action(variant: str) -> None:
    told = document(a_game(variant, 0))
    part = told["rounds"][-1]
    place = len(part["actions"]) // 2
    part["actions"][place] = {**part["actions"][place], "seat": 77, "action": "pass"}
    with pytest.raises(InconsistentDocument) as raised:
        read(told)
    assert raised.value.place == f"round {part['number']}, action {place + 1} (seat 77: pass)"
    assert isinstance(raised.value.reason, IllegalAction)


@pytest.mark.parametrize("text", ["fly", "play:", "play:S99", "deal:S2", "start:0", "give:x", ""])
def test_names_an_invalid_action(text: str) -> None:
    told = document(a_game("nanjing", 0))
    told["rounds"][0]["actions"][3] |= {"action": text, "seat": -1}
    with pytest.raises(InconsistentDocument) as raised:
        read(told)
    assert raised.value.place == f"round 1, action 4 (seat -1: {text})"
    assert isinstance(raised.value.reason, (IllegalAction, NotationError))


FOLLOWS: list[tuple[str, object]] = [
    ("dealer", 1),
    ("order", [3, 2, 1, 0]),
    ("teams", []),
    ("hands", []),
    ("leftOver", ["S2"]),
    ("seats", ["Ada"]),
    ("deal", "S2,S3"),
    ("result.out", [0, 0]),
    ("result.calls", None),
    ("result.cards", [1]),
    ("result.score", [1]),
    ("result.totals", [1, 2]),
    ("result.sweep", 7),
    ("result.penalty", 3),
]
"""Fields of a round that follow from its actions, each with another value."""


@pytest.mark.parametrize(
    "variant, field, value",
    [
        (variant, *follows)
        for number, variant in enumerate(GAMES)
        for follows in sample(FOLLOWS, len(FOLLOWS) // 3, number)
    ],
)
def test_compares_fields_that_follow_from_the_actions(
    variant: str, field: str, value: object
) -> None:
    for first in (0, -1):  # a match from its beginning, and one that begins with a later round
        told = document(a_game(variant, 1))
        told["rounds"] = told["rounds"][first:]
        holder, key = told["rounds"][0], field
        if "." in field:
            holder, key = holder["result"], field.partition(".")[2]
        if key == "dealer":
            value = (holder[key] + 1) % 3
        holder[key] = value
        with pytest.raises(InconsistentDocument) as raised:
            read(told)
        assert raised.value.place.startswith(f"round {told['rounds'][0]['number']}")


def test_requires_consecutive_rounds() -> None:
    games = (document(a_game("nanjing", seed)) for seed in range(30))
    told = next(told for told in games if len(told["rounds"]) == 3)
    del told["rounds"][1]
    with pytest.raises(InconsistentDocument, match="does not follow the round before"):
        read(told)


def test_refuses_missing_actions_and_actions_after_the_end() -> None:
    told = document(a_game("nanjing", 1))
    actions = told["rounds"][0]["actions"]
    actions.append(actions[-1])
    with pytest.raises(InconsistentDocument, match="The round is over before it"):
        read(told)
    del actions[-2:]
    with pytest.raises(InconsistentDocument, match="not over after it"):
        read(told)


@pytest.mark.parametrize(
    "change, problem",
    [
        ({"format": "chess"}, "format: "),
        ({"version": 2}, "version: "),
        ({"variant": 3}, "variant: "),
        ({"rounds": []}, "rounds: "),
        ({"rounds": [3]}, "rounds.0: "),
        ({"options": []}, "options: "),
        ({"table": "7"}, "table: "),
    ],
)
def test_refuses_a_document_of_another_kind(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidDocument) as raised:
        read(document(a_game("nanjing", 0)) | change)
    assert str(raised.value).startswith(problem)


@pytest.mark.parametrize("place", ["rounds", "actions", "score"])
def test_validates_a_list_up_to_its_first_fault(place: str) -> None:
    """A report of all faults of a file took gigabytes."""
    told = document(a_game("nanjing", 0))
    faults: list[object] = [{}] * 9
    if place == "rounds":
        told["rounds"] = faults
    elif place == "actions":
        told["rounds"][0]["actions"] = faults
    else:
        told["rounds"][0]["result"]["score"] = faults
    with pytest.raises(InvalidDocument) as raised:
        read(told)
    report = raised.value.__context__
    assert isinstance(report, ValidationError)
    found = [error["loc"] for error in report.errors()]
    assert {path[path.index(place) + 1] for path in found} == {0}


@pytest.mark.parametrize(
    "change", [{"variant": "chess"}, {"options": {"speed": 3}}, {"options": {"direction": [1]}}]
)
def test_refuses_impossible_options(change: dict[str, Any]) -> None:
    with pytest.raises(InconsistentDocument) as raised:
        read(document(a_game("nanjing", 0)) | change)
    assert raised.value.place == "options"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff{", b'{"a":' * 10**5, b"[" * 10**5, b"9" * 5000]
)
def test_refuses_invalid_json(content: bytes) -> None:
    with pytest.raises(InvalidDocument):
        read_document(content)


def test_recognises_a_document_by_its_brace() -> None:
    text = write_document(a_game("nanjing", 0)).encode()
    assert is_document(text)
    assert is_document(b"\xef\xbb\xbf \r\n" + text)
    assert not is_document(b"---Gr.Tichukarten---")
    assert read_document(b"\xef\xbb\xbf" + text).rounds


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(CHARACTERS, max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS, max_size=9), inner)
    ),
    max_leaves=5,
)


def paths(told: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to all values in a document."""
    found = [path] if path else []
    if isinstance(told, (dict, list)):
        for key, value in told.items() if isinstance(told, dict) else enumerate(told):
            found += paths(value, (*path, key))
    return found


@pytest.mark.slow
@examples(12)
@given(st.data())
def test_any_document_is_read_or_refused(data: st.DataObject) -> None:
    told = document(a_game(data.draw(st.sampled_from(GAMES)), 2))
    *path, last = data.draw(st.sampled_from(paths(told)))
    holder: Any = told
    for key in path:
        holder = holder[key]
    holder[last] = data.draw(JSON)
    with suppress(InconsistentDocument, InvalidDocument):
        assert document(read(told))["rounds"]
