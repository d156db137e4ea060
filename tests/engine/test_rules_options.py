"""Table options: ranges, names, and that a match keeps them (rules section 13)."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from engine.errors import IllegalAction, NotationError
from engine.match import new_match
from engine.options import Options
from engine.view import view
from tests.engine.positions import dealt


def test_defaults() -> None:
    """O2, O3, O4, O6, O8."""
    options = Options()
    assert options.variant == "nanjing"
    assert options.direction == "anticlockwise"
    assert not options.clockwise
    assert options.dealing == "dealt"
    assert options.target == 1000
    assert options.wish_policy == "enforced"
    assert not options.wish_penalty
    assert options.bomb_window_ms == 2000
    assert options.changed() == {}
    assert Options.of("nanjing", {}) == options


@pytest.mark.parametrize(
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
    options = Options.of("nanjing", {name: value})
    assert options.changed() in ({}, {name: value})
    assert Options.of("nanjing", options.changed()) == options


@pytest.mark.parametrize(
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
        Options.of("nanjing", {name: value})
    assert (error.value.code, error.value.rule) == ("option", rule)
    assert error.value.details["value"] == value


@pytest.mark.parametrize("name", ["speed", "variant", "wish_policy", "", "Target"])
def test_names_that_are_no_option(name: str) -> None:
    """O1."""
    with pytest.raises(NotationError):
        Options.of("nanjing", {name: "nanjing"})


@pytest.mark.parametrize("variant", ["bridge", "", "NANJING", "tichu"])
def test_unknown_games(variant: str) -> None:
    """O1."""
    with pytest.raises(IllegalAction) as error:
        new_match(Options(variant=variant))
    assert (error.value.code, error.value.rule) == ("option", "O1")


def test_options_are_fixed_and_open() -> None:
    """O4, O6: fixed with the match, seen by everybody."""
    match = dealt(options={"target": 500, "wishPolicy": "penalty"})
    for seat in (0, 1, 2, 3, None):
        assert view(match, seat).options == match.options
    with pytest.raises(FrozenInstanceError):
        match.options.target = 1000  # type: ignore[misc]
