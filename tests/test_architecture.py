"""Checks of the whole repository that no other tool makes: sizes, pronouns, docstrings of fields.

Import-linter checks imports (`make imports`), Ruff packages and docstrings (`make lint`), pip the
hashes of dependencies.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = ("engine", "players", "bot", "cogs", "tools", "demo", "bench", "tests")
MOST_LINES = 500
"""Lines of the longest file."""
FEW_FIELDS = 8
"""Number of fields up to which a class needs no docstrings of fields."""
PRONOUNS = re.compile(
    r"(?<![^\W_])(?:he|him|his|himself|she|hers?|herself)(?![^\W_]|\")", re.IGNORECASE
)
"""Gendered pronouns, also within names; in quotes, "he" is the language code of Hebrew."""


def code() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every Python file but this one."""
    for folder in CODE:
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__):
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def texts() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every file with text for people."""
    yield from code()
    for pattern in (
        "*.md",
        "*.toml",
        "*.yaml",
        "docs/**/*.md",
        "bot/locale/**/*.pot",
        ".github/**/*.*",
    ):
        for path in ROOT.glob(pattern):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_files_are_short() -> None:
    lengths = {path: len(text.splitlines()) for path, text in code()}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def test_contributing_names_existing_files() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    places = re.findall(r"`([\w/.-]+/[\w/.-]*)`", guide)
    assert len(places) > 10
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_map_of_the_code_is_complete() -> None:
    """Every entry of the map exists, and every package of `bot/` and `cogs/` is on it."""
    drawing = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("```")[3]
    named: set[str] = set()
    layer = ""
    for indent, names in re.findall(r"^( {0,2})(\S.*?)(?:  .*)?$", drawing, re.MULTILINE):
        for name in re.findall(r"[\w./-]+", names):
            layer = layer if indent else name
            named.add(layer + name if indent else name)
    assert len(named) > 25
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
    packages = {
        f"{top}/{path.parent.name}/" for top in ("bot", "cogs") for path in packages_of(top)
    }
    assert packages - named == set()


def packages_of(layer: str) -> list[Path]:
    """Return the `__init__.py` of each package directly below a layer."""
    return list((ROOT / layer).glob("*/__init__.py"))


def test_no_gendered_pronouns() -> None:
    found = [
        f"{path}:{number}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if PRONOUNS.search(line)
    ]
    assert found == []


def test_fields_of_large_classes_have_docstrings() -> None:
    missing = [
        f"{path}: {field}"
        for path, text in code()
        if len(re.findall(r"^ +\w+: ", text, re.MULTILINE)) > FEW_FIELDS
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
        for field in undescribed(node)
    ]
    assert missing == []


def undescribed(node: ast.ClassDef) -> list[str]:
    """Return the fields of a large class that neither it nor a docstring below describes."""
    described = ast.get_docstring(node) or ""
    fields = [number for number, part in enumerate(node.body) if isinstance(part, ast.AnnAssign)]
    return [
        f"{node.name}.{ast.unparse(node.body[field])}"
        for field in fields
        if len(fields) > FEW_FIELDS
        and f"- `{ast.unparse(node.body[field]).partition(':')[0]}`: " not in described
        and not any(
            isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            for below in node.body[field + 1 : field + 2]
        )
    ]


def test_no_package_index_is_named() -> None:
    for path in (*ROOT.glob("requirements*.txt"), ROOT / "pyproject.toml"):
        text = path.read_text("utf-8")
        assert re.findall(r"\w+://\S*|--?(?:extra-)?index-url\S*|--find-links\S*", text) == [], path
