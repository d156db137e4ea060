"""Page for the first evening: it covers every step of the doctor."""

from __future__ import annotations

import re
from pathlib import Path

from bot.doctor.operator import COMMAND
from bot.doctor.steps import STEPS

PAGE = (Path(__file__).parent.parent / "docs" / "first-evening.md").read_text(encoding="utf-8")


def test_every_step_of_the_doctor_has_a_row() -> None:
    named = list[int]()
    for cell in re.findall(r"^\| ([\d–, ]+) \|", PAGE, re.MULTILINE):
        for part in cell.split(","):
            first, _, last = part.strip().partition("–")
            named += range(int(first), int(last or first) + 1)
    assert sorted(named) == [step.number for step in STEPS]


def test_page_names_the_buttons_to_press() -> None:
    assert f"`/{COMMAND}`" in PAGE
    for number in (14, 15, 16, 17, 18, 19, 20):
        assert f"**Test {number}**" in PAGE
