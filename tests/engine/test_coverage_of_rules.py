"""Every rule is written down in docs/rules.md and named by a test; no number means nothing.

The acceptance scenarios are counted, too.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
NUMBER = re.compile(r"\b[NCOGST][1-9][0-9]?\b")
LAST = {"N": 83, "T": 18, "S": 13, "G": 30, "O": 8}
"""The last number of each game's rules and of the options."""
ALL = {f"{letter}{number}" for letter, last in LAST.items() for number in range(1, last + 1)}
DECISIONS = {f"C{number}" for number in range(1, 32)}
SCENARIOS = """
    01 02 03 04 06 08 09 10 11 12 13 15 16 17 19 20 21 22 23 24 25 26 28 30 36 39 40 41 42 45 46 47
    48 49 53 54 55 59 60 61 62 63 67 70 71 72 73 75 77 78 79 81 82 83 84 85 86 87 89 90 93 94 95 96
    98 99 100 101 102 104 105 106
"""
"""The acceptance scenarios; their numbers are not consecutive."""


def written() -> set[str]:
    """Return the rule numbers in docs/rules.md."""
    return set(re.findall(r"^(?:- \*\*|\| )([NCOGST][1-9][0-9]?)(?:\*\*| \|)", RULES, re.MULTILINE))


@cache
def docstrings(path: Path) -> list[tuple[str, str]]:
    """Yield the names and docstrings of a file and of everything in it."""
    tree = ast.parse(path.read_bytes())
    return [
        (getattr(node, "name", path.name), ast.get_docstring(node) or "")
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]


def numbers(text: str) -> set[str]:
    """Return the rule numbers in a text, with ranges such as N13-N17 spelled out."""
    found = set(NUMBER.findall(text))
    for first, last in re.findall(r"\bN(\d+)-N(\d+)\b", text):
        found |= {f"N{number}" for number in range(int(first), int(last) + 1)}
    return found


def test_every_rule_is_written_down() -> None:
    assert written() == ALL | DECISIONS


def test_every_number_that_the_rules_refer_to_is_written_down() -> None:
    assert set(NUMBER.findall(RULES)) - written() == set()


def test_every_rule_is_named_by_a_test() -> None:
    """The docstring of a test function names the rules it proves."""
    tested: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for name, text in docstrings(path):
            if name.startswith("test_") and not name.endswith(".py"):
                tested |= set(NUMBER.findall(text))
    assert ALL - tested == set()


def test_every_scenario_is_tested_under_its_number() -> None:
    """A77 is about a bot without private messages; here: no action carries words (N79)."""
    tested = {
        name.removeprefix("test_A").partition("_")[0]
        for path in HERE.glob("test_acceptance_*.py")
        for name, _ in docstrings(path)
        if name.startswith("test_A")
    }
    assert tested == set(SCENARIOS.split())


def test_every_number_that_the_engine_cites_is_written_down() -> None:
    cited: set[str] = set()
    for path in (ROOT / "engine").rglob("*.py"):
        for _, text in docstrings(path):
            cited |= numbers(text)
        cited |= set(re.findall(r'"([NCOGST][0-9]+)"', path.read_text("utf-8")))
    assert cited - written() == set()


def test_every_section_that_is_cited_exists() -> None:
    sections = set(re.findall(r"^## (\d+)", RULES, re.MULTILINE))
    for folder in (ROOT / "engine", HERE):
        for path in folder.rglob("*.py"):
            for _, text in docstrings(path):
                assert set(re.findall(r"\b[Ss]ections? (\d+)", text)) <= sections, path.name
