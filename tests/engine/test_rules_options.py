"""Table options: ranges, names, and that a match keeps them (rules section 13)."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.walks import random_options
from engine import VARIANTS, IllegalAction, NotationError, Options, new_match, view
from tests.campaign import examples
from tests.cases import each
from tests.engine.positions import dealt

OWN: dict[str, dict[str, int | None]] = {
    "nanjing": {"target": 1000, "rounds": None, "players": None, "decks": None},
    "trichu": {"target": None, "rounds": 9, "players": None, "decks": None},
    "tientsin": {"target": 1000, "rounds": None, "players": None, "decks": None},
    "grandseigneur": {"target": None, "rounds": 0, "players": 6, "decks": 0},
}
"""The options that only some games have, with their defaults; `None` for no such option."""
RULES = {"target": "O4", "rounds": "O5", "players": "O7", "decks": "O7"}


def test_the_first_game_is_nanjing() -> None:
    """O1."""
    assert Options().variant == "nanjing"
    assert set(OWN) == set(VARIANTS)


@each("variant", OWN)
def test_defaults(variant: str) -> None:
    """O1, O2, O3, O4, O5, O6, O7, O8."""
    options = Options(variant)
    assert options.variant == variant
    assert options.direction == "anticlockwise"
    assert not options.clockwise
    assert options.dealing == "dealt"
    assert {name: getattr(options, name) for name in OWN[variant]} == OWN[variant]
    assert options.wish_policy == "enforced"
    assert not options.wish_penalty
    assert options.bomb_window_ms == 2000
    assert options.non_defaults() == {}
    assert Options.from_values(variant, {}) == options
    assert new_match(options).options is options


GAMES = {
    ("nanjing", "target"): (100, 1050, 5000),
    ("tientsin", "target"): (100, 1050, 5000),
    ("trichu", "rounds"): (3, 6, 9, 30),
    ("grandseigneur", "rounds"): (0, 1, 2, 50, 99),
    ("grandseigneur", "players"): tuple(range(5, 13)),
    ("grandseigneur", "decks"): (0, 2),
    ("grandseigneur", "wishPolicy"): ("enforced",),
    ("trichu", "wishPolicy"): ("enforced", "penalty"),
    ("tientsin", "wishPolicy"): ("enforced", "penalty"),
}


@each("variant, name", GAMES)
def test_allowed_values_by_game(variant: str, name: str) -> None:
    """O4, O5, O6, O7."""
    for value in GAMES[variant, name]:
        options = Options.from_values(variant, {name: value})
        assert options.non_defaults() in ({}, {name: value})
        assert Options.from_values(variant, options.non_defaults()) == options


WRONG: dict[tuple[str, str, str], tuple[object, ...]] = {
    ("tientsin", "target", "O4"): (0, 50, 120, 5050, "1000", True),
    ("trichu", "rounds", "O5"): (0, -3, 1, 2, 4, 10, 33, 99, "9", 9.0, True),
    ("trichu", "wishPolicy", "O6"): ("ignored", 1),
    ("grandseigneur", "wishPolicy", "O6"): ("penalty", ""),
    ("grandseigneur", "rounds", "O7"): (-1, 100, 1000, "3", False, 10**40),
    ("grandseigneur", "decks", "O7"): (-1, 1, 3, "2", True),
    ("grandseigneur", "players", "G1"): (-5, 0, 4, 13, "6", 6.0),
    ("tientsin", "direction", "O2"): ("up", 0),
    ("trichu", "dealing", "O3"): ("cut", 8),
    ("grandseigneur", "bombWindowMs", "O8"): (999, 10001, "2000"),
}


@each("variant, name, rule", WRONG)
def test_other_values_by_game(variant: str, name: str, rule: str) -> None:
    """O2, O3, O4, O5, O6, O7, O8, G1: out of range, in every game."""
    for value in WRONG[variant, name, rule]:
        with pytest.raises(IllegalAction) as error:
            Options.from_values(variant, {name: value})
        assert (error.value.code, error.value.rule) == ("option", rule)
        assert error.value.details["value"] == value


@each("variant", OWN)
@each("name", RULES)
def test_options_of_another_game(variant: str, name: str) -> None:
    """O4, O5, O7: no target in rounds, no rounds to a target, no decks but in Grand Seigneur."""
    if OWN[variant][name] is not None:
        return
    for value in (0, 3, 6, 1000):
        with pytest.raises(IllegalAction) as error:
            Options.from_values(variant, {name: value})
        assert (error.value.code, error.value.rule) == ("option-of-other-game", RULES[name])
        assert error.value.details == {"option": name, "variant": variant}


@given(st.integers(0, 2**32), st.sampled_from(tuple(OWN)))
@examples(30)
def test_options_go_round(seed: int, variant: str) -> None:
    """O1, O2, O3, O4, O5, O6, O7, O8: what differs from the defaults is enough to make them."""
    options = random_options(Random(seed), variant)
    changed = options.non_defaults()
    assert Options.from_values(variant, changed) == options
    assert json.loads(json.dumps(changed)) == changed
    assert Options.from_values(variant, changed).non_defaults() == changed
    assert "variant" not in changed
    defaults = Options(variant)
    assert (changed == {}) == (options == defaults)
    assert new_match(options).options == options


@each(
    "name, value",
    [
        ("direction", "clockwise"),
        ("direction", "anticlockwise"),
        ("dealing", "drawn"),
        ("dealing", "dealt"),
        ("target", 100),
        ("target", 150),
        ("target", 5000),
        ("wishPolicy", "penalty"),
        ("wishPolicy", "enforced"),
        ("bombWindowMs", 1000),
        ("bombWindowMs", 1001),
        ("bombWindowMs", 10000),
    ],
)
def test_allowed_values(name: str, value: object) -> None:
    """O2, O3, O4, O6, O8."""
    options = Options.from_values("nanjing", {name: value})
    assert options.non_defaults() in ({}, {name: value})
    assert Options.from_values("nanjing", options.non_defaults()) == options


@each(
    "name, value, rule",
    [
        ("direction", "left", "O2"),
        ("direction", "", "O2"),
        ("direction", None, "O2"),
        ("direction", 1, "O2"),
        ("dealing", "cut", "O3"),
        ("dealing", ["dealt"], "O3"),
        ("target", 50, "O4"),
        ("target", 120, "O4"),
        ("target", 5050, "O4"),
        ("target", 0, "O4"),
        ("target", -100, "O4"),
        ("target", "1000", "O4"),
        ("target", 1000.0, "O4"),
        ("target", True, "O4"),
        ("target", 10**40, "O4"),
        ("wishPolicy", "ignored", "O6"),
        ("wishPolicy", {}, "O6"),
        ("bombWindowMs", 999, "O8"),
        ("bombWindowMs", 10001, "O8"),
        ("bombWindowMs", 0, "O8"),
        ("bombWindowMs", 2000.5, "O8"),
    ],
)
def test_other_values(name: str, value: object, rule: str) -> None:
    """O2, O3, O4, O6, O8."""
    with pytest.raises(IllegalAction) as error:
        Options.from_values("nanjing", {name: value})
    assert (error.value.code, error.value.rule) == ("option", rule)
    assert error.value.details["value"] == value


@each("name", ["speed", "variant", "wish_policy", "", "Target"])
def test_names_that_are_no_option(name: str) -> None:
    """O1."""
    with pytest.raises(NotationError):
        Options.from_values("nanjing", {name: "nanjing"})


@each("variant", ["bridge", "", "NANJING", "tichu"])
def test_unknown_games(variant: str) -> None:
    """O1."""
    with pytest.raises(IllegalAction) as error:
        new_match(Options(variant=variant))
    assert (error.value.code, error.value.rule) == ("option", "O1")


def test_another_game_with_what_was_chosen() -> None:
    """O1: as far as the other game has it; what was not chosen is the other game's default."""
    chosen = Options.from_values(
        "nanjing", {"target": 500, "wishPolicy": "penalty", "bombWindowMs": 9000}
    )
    assert chosen.for_variant("tientsin").non_defaults() == chosen.non_defaults()
    assert chosen.for_variant("trichu").non_defaults() == {
        "wishPolicy": "penalty",
        "bombWindowMs": 9000,
    }
    assert chosen.for_variant("grandseigneur").non_defaults() == {"bombWindowMs": 9000}
    assert Options("trichu").for_variant("grandseigneur") == Options("grandseigneur")
    rounds = Options.from_values("trichu", {"rounds": 12})
    assert rounds.for_variant("grandseigneur").rounds == 12
    assert Options.from_values("grandseigneur", {"rounds": 10}).for_variant("trichu") == Options(
        "trichu"
    )
    with pytest.raises(IllegalAction) as error:
        chosen.for_variant("bridge")
    assert (error.value.code, error.value.rule) == ("option", "O1")


def test_options_are_fixed_and_open() -> None:
    """O4, O6: fixed with the match, seen by everybody."""
    match = dealt(options={"target": 500, "wishPolicy": "penalty"})
    for variant in OWN:
        for seat in (0, 1, 2, 3, None):
            other = dealt(variant=variant, options={"direction": "clockwise"})
            assert view(other, seat).options == other.options
    with pytest.raises(FrozenInstanceError):
        match.options.target = 1000  # type: ignore[misc]
