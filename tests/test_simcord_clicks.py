"""The values that tests read from a page, and the verbs by which they find controls."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import SetupError

from tests.simcord_clicks import Control, line_with, numbers, quicken, rows, shown

PAGE = """**Leaderboard**
1. Benno: 1,234 (+12.5)
2. Ben: 987 <:tichu_sk:1465073742643200000> −40
```
      Ada+Cai  Ben+Dan
1         100      -25
```
"""


def test_values_are_whole_words_in_reading_order() -> None:
    assert shown(PAGE, "Ben", "Ada", "Eve") == ["Ben", "Ada", "Ben"]
    assert shown(PAGE, "Benno") == ["Benno"]
    assert shown(PAGE, "Ben+Dan", "Ben", "Dan") == ["Ben", "Ben+Dan"]
    assert shown(PAGE) == []


def test_numbers_are_those_that_people_read() -> None:
    assert numbers(line_with(PAGE, "Benno")) == [1, 1234, 12.5]
    assert numbers(line_with(PAGE, "Ben", "987")) == [2, 987, -40]
    assert numbers("0.5, 7.") == [0.5, 7]


def test_a_line_that_is_not_the_only_one_is_none() -> None:
    with pytest.raises(SetupError, match="0 lines"):
        line_with(PAGE, "Eve")
    with pytest.raises(SetupError, match="2 lines"):
        line_with(PAGE, "Ben")


def test_a_table_is_read_row_by_row() -> None:
    assert rows(PAGE) == [["Ada+Cai", "Ben+Dan"], ["1", "100", "-25"]]
    with pytest.raises(SetupError, match="2 blocks"):
        rows(PAGE + PAGE)


def test_a_control_tells_its_verb() -> None:
    ids = {
        "b:12:7:play:2c,pair": ("play", "2c,pair"),
        "s:12:7@3:cards:": ("cards", ""),
        "b:rules:nanjing.scoring": ("rules", "nanjing.scoring"),
        "b:0:0:rules:nanjing.scoring": ("rules", "nanjing.scoring"),
        "": ("", ""),
    }
    for custom_id, found in ids.items():
        control = Control("Label", custom_id, enabled=True)
        assert (control.verb, control.args) == found, custom_id


async def test_a_start_may_take_as_long_as_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """SimCord gives it five seconds; its world has its own limit for what has none."""
    monkeypatch.setattr("tests.simcord_clicks.do_what_is_due", lambda *_: None)
    monkeypatch.setattr("tests.simcord_clicks.all_is_settled", lambda *_: False)

    class Recorder:
        def __init__(self) -> None:
            self.asked: list[dict[str, Any]] = []

        async def _settle_internal(self, **options: Any) -> None:
            self.asked.append(options)

    world: Any = (recorder := Recorder())
    quicken(world)
    await world._settle_internal(timeout=5.0)  # noqa: SLF001 - that is what it replaces
    assert recorder.asked == [{"idle": 0.001}]
