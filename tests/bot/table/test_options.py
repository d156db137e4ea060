"""Options of `/tichu new` beside the rules, and their changes in the lobby."""

from __future__ import annotations

import pytest

from bot.errors import Refused
from bot.table.options import CHANGEABLE, TURN_BASED_S, TableOptions, nudge_after
from engine import IllegalAction, Options


def test_nudge_comes_after_half_the_limit() -> None:
    """At least 10 and at most 30 seconds."""
    assert [nudge_after(limit) for limit in (20, 45, 60, 90, 900)] == [10, 22, 30, 30, 30]
    assert nudge_after(15) == 10


def test_turn_limit_is_in_seconds_or_days() -> None:
    stored = TableOptions.model_validate_json('{"turn_limit_s": 900, "pace": "quick"}')
    assert (stored.turn_based, stored.turn_limit_s, stored.pace) == (False, 900, "quick")
    for limit in TURN_BASED_S:
        slow = stored.changed("turn_limit_s", str(limit))
        assert (slow.turn_based, slow.turn_limit_s) == (True, limit)
        assert TableOptions.model_validate_json(slow.model_dump_json()) == slow
    assert not slow.changed("turn_limit_s", "60").turn_based
    for wrong in ("19", "901", "86401", "-86400"):
        with pytest.raises(Refused):
            stored.changed("turn_limit_s", wrong)


def test_each_option_is_changed_by_its_name() -> None:
    changed = TableOptions()
    for name, value in (
        ("target", "500"),
        ("direction", "clockwise"),
        ("dealing", "drawn"),
        ("wish_policy", "penalty"),
        ("bomb_window_ms", "4000"),
        ("turn_limit_s", "40"),
        ("computers", "novice"),
        ("pace", "quick"),
        ("hints", "on"),
    ):
        changed = changed.changed(name, value)
    assert changed == TableOptions(
        rules=Options(
            target=500,
            direction="clockwise",
            dealing="drawn",
            wish_policy="penalty",
            bomb_window_ms=4000,
        ),
        turn_limit_s=40,
        nudge_s=20,
        computers="novice",
        pace="quick",
        hints=True,
    )
    lords = changed.changed("variant", "grandseigneur").changed("decks", "2").changed("rounds", "5")
    assert (lords.rules.decks, lords.rules.rounds, lords.computers) == (2, 5, "novice")


def test_another_game_keeps_common_options() -> None:
    chosen = Options(target=500, wish_policy="penalty", direction="clockwise", bomb_window_ms=1000)
    before = TableOptions(rules=chosen, first_dealer=3)
    six = before.changed("variant", "tientsin")
    assert six.rules == Options(
        "tientsin", "clockwise", "dealt", 500, None, None, None, "penalty", 1000
    )
    assert six.first_dealer is None
    three = six.changed("variant", "trichu")
    assert (three.rules.target, three.rules.rounds, three.rules.wish_policy) == (None, 9, "penalty")
    lords = three.changed("rounds", "12").changed("variant", "grandseigneur")
    assert (lords.rules.rounds, lords.rules.wish_policy, lords.rules.clockwise) == (
        12,
        "enforced",
        True,
    )
    assert lords.changed("variant", "nanjing").rules.target == 1000


@pytest.mark.parametrize(
    "name, value",
    [
        ("target", "1001"),
        ("target", "x"),
        ("direction", "7"),
        ("wish_policy", "never"),
        ("rounds", "3"),
        ("decks", "2"),
        ("variant", ""),
        ("bomb_window_ms", "99999999999999999999999"),
    ],
)
def test_a_rule_has_only_its_values(name: str, value: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        TableOptions().changed(name, value)
    assert refused.value.code in ("option", "option-of-other-game")


@pytest.mark.parametrize(
    "name, value",
    [
        ("turn_limit_s", "19"),
        ("turn_limit_s", "-1"),
        ("turn_limit_s", ""),
        ("turn_limit_s", "soon"),
        ("computers", "genius"),
        ("pace", "slow"),
        ("hints", "maybe"),
        ("players", "5"),
        ("nudge_s", "10"),
        ("first_dealer", "1"),
        ("rules", "{}"),
        ("", ""),
    ],
)
def test_refuses_invalid_options(name: str, value: str) -> None:
    with pytest.raises(Refused) as refused:
        TableOptions().changed(name, value)
    assert refused.value.code == "unknown-button"


def test_option_names_are_field_names() -> None:
    known = {*TableOptions.model_fields, *Options.__dataclass_fields__}
    assert known >= CHANGEABLE


def test_games_have_two_teams_or_none() -> None:
    teams = {
        variant: TableOptions(rules=Options(variant)).teams
        for variant in ("nanjing", "trichu", "tientsin", "grandseigneur")
    }
    assert teams == {
        "nanjing": ((0, 2), (1, 3)),
        "trichu": (),
        "tientsin": ((0, 2, 4), (1, 3, 5)),
        "grandseigneur": (),
    }
