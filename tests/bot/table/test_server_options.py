"""Default options of a guild: stored as text, read back, and overridden."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from bot.errors import Reason, Refused
from bot.records import ServerSettings
from bot.table.options import ServerPolicy, TableOptions
from bot.table.server_options import changed_defaults, chosen_options, server_policy, usual_options
from engine import VARIANTS, IllegalAction, Options

CHANGES = (
    *("target.500", "rounds.6", "decks.2", "direction.clockwise", "dealing.drawn"),
    *("wish_policy.penalty", "bomb_window_ms.4000", "turn_limit_s.86400", "computers.novice"),
    *("pace.quick", "hints.on"),
)
"""An unusual value of every option."""


def every_change(options: TableOptions) -> Iterator[TableOptions]:
    """Yield these options with each change that this game allows."""
    for change in CHANGES:
        with suppress(IllegalAction):
            yield options.changed(*change.split("."))


@pytest.mark.parametrize("variant", VARIANTS)
def test_defaults_are_read_back(variant: str) -> None:
    base = TableOptions(rules=Options(variant))
    assert len(list(every_change(base))) >= 8
    for first in (base, *every_change(base)):
        for options in (first, *every_change(first)):
            kept = ServerSettings(defaults=changed_defaults(options))
            assert usual_options(kept) == options
    assert changed_defaults(TableOptions()) == {}


def test_ignores_impossible_defaults() -> None:
    odd = {"variant": "trichu", "target": "500", "turn_limit_s": "5", "hints": "on", "mood": "good"}
    settings = ServerSettings(defaults=odd, hints=False, pictures=False, nudge_s=20)
    policy = ServerPolicy(pictures=False, hints=False, nudge_s=20)
    assert server_policy(settings) == policy
    assert usual_options(settings) == TableOptions(
        rules=Options("trichu"), nudge_s=20, policy=policy
    )
    assert usual_options(ServerSettings(defaults={"variant": "bridge"})) == TableOptions()


def test_host_overrides_defaults_except_hints() -> None:
    defaults = {"variant": "trichu", "rounds": "6", "direction": "clockwise", "pace": "quick"}
    usual = usual_options(ServerSettings(defaults=defaults, hints=False, nudge_s=60))
    assert chosen_options(usual, None, {"rounds": None}, {"pace": None}) == usual
    other = chosen_options(usual, "nanjing", {"target": 500}, {"turn_limit_s": 20, "hints": False})
    assert other.rules == Options("nanjing", target=500, direction="clockwise")
    assert (other.pace, other.turn_limit_s, other.nudge_s) == ("quick", 20, 10)
    with pytest.raises(IllegalAction):
        chosen_options(usual, None, {"target": 500}, {})
    with pytest.raises(Refused) as refused:
        chosen_options(usual, None, {}, {"hints": True})
    assert refused.value.code is Reason.NO_HINTS_ALLOWED


def test_rematch_uses_current_guild_settings() -> None:
    old = TableOptions(hints=True, turn_limit_s=60)
    assert old.with_policy(ServerPolicy(hints=False, nudge_s=300)) == TableOptions(
        turn_limit_s=60, nudge_s=50, policy=ServerPolicy(hints=False, nudge_s=300)
    )
    with pytest.raises(Refused) as refused:
        old.with_policy(ServerPolicy(hints=False)).changed("hints", "on")
    assert refused.value.code is Reason.NO_HINTS_ALLOWED
