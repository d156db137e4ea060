"""Every rule is written down in docs/rules.md and named by a test; no number means nothing."""

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
    assert set(NUMBER.findall(RULES)) <= written(), "cross-references"


def test_every_rule_is_named_by_a_test() -> None:
    """The docstring of a test function names the rules that it proves."""
    tested = {
        number
        for path in HERE.glob("test_*.py")
        for name, text in docstrings(path)
        if name.startswith("test_") and not name.endswith(".py")
        for number in NUMBER.findall(text)
    }
    assert ALL - tested == set()


def test_cited_rules_and_sections_exist() -> None:
    sections = set(re.findall(r"^## (\d+)", RULES, re.MULTILINE))
    for path in (*(ROOT / "engine").rglob("*.py"), *HERE.rglob("*.py")):
        text = "\n".join(text for _, text in docstrings(path))
        assert set(re.findall(r"\b[Ss]ections? (\d+)", text)) <= sections, path.name
        if path.is_relative_to(ROOT / "engine"):
            codes = re.findall(r'"([NCOGST][0-9]+)"', path.read_text("utf-8"))
            assert numbers(text) | set(codes) <= written(), path.name
