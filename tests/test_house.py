"""The house as a whole: files that must be there, sizes, names, docstrings, pinned packages.

Who may import whom is checked by import-linter (`make house`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STOREYS = ("engine", "players", "bot", "cogs")
CODE = (*STOREYS, "tools", "demo", "bench", "tests")
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}


def code(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from (ROOT / folder).rglob("*.py")


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    "name",
    [
        ".ci/run",
        ".dockerignore",
        ".editorconfig",
        ".env.example",
        ".gitignore",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Dockerfile",
        "LICENSE",
        "Makefile",
        "README.md",
        "compose.yaml",
        "pyproject.toml",
        "requirements-dev.txt",
        "requirements.txt",
    ],
)
def test_file_at_the_top_exists(name: str) -> None:
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("storey", STOREYS)
def test_storey_is_a_package(storey: str) -> None:
    assert (ROOT / storey / "__init__.py").is_file()


def test_no_file_is_two_ideas() -> None:
    lines = {short(path): len(path.read_text("utf-8").splitlines()) for path in code(*STOREYS)}
    assert {name: count for name, count in lines.items() if count > 500} == {}


def test_names_say_what_lives_inside() -> None:
    def parts(path: Path) -> set[str]:
        return set(path.relative_to(ROOT).with_suffix("").parts)

    assert [short(path) for path in code(*CODE) if parts(path) & NAMELESS] == []


def test_every_file_begins_with_a_docstring() -> None:
    bare = [
        short(path) for path in code(*CODE) if not ast.get_docstring(ast.parse(path.read_bytes()))
    ]
    assert bare == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_is_pinned_with_hashes(name: str) -> None:
    entries = (ROOT / name).read_text("utf-8").replace("\\\n", " ").splitlines()
    assert entries
    pinned = re.compile(r"[a-z0-9-]+==\S+ (; [^#]*? )?( *--hash=sha256:[0-9a-f]{64})+\s*")
    assert [entry for entry in entries if not pinned.fullmatch(entry)] == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "pyproject.toml"])
def test_no_package_index_is_named(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert re.findall(r"\w+://\S*|--?(?:extra-)?index-url\S*|--find-links\S*", text) == []


def test_no_lock_file_names_package_hosts() -> None:
    assert not (ROOT / "uv.lock").exists()


def test_the_bot_needs_nothing_that_only_developers_have() -> None:
    def names(file: str) -> set[str]:
        lines = (ROOT / file).read_text("utf-8").splitlines()
        return {line.split(" \\")[0] for line in lines if "==" in line}

    assert names("requirements.txt") < names("requirements-dev.txt")
