"""Checks of the whole repository: required files, sizes, names, words, pinned packages.

Imports are checked by import-linter (`make imports`), docstrings by Ruff (`make lint`).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("engine", "players", "bot", "cogs")
CODE = (*LAYERS, "tools", "demo", "bench", "tests")
REQUIRED_FILES = (
    ".ci/run",
    ".dockerignore",
    ".editorconfig",
    ".env.example",
    ".github/workflows/test.yml",
    ".gitignore",
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Dockerfile",
    "LICENSE",
    "Makefile",
    "README.md",
    "compose.cluster.yaml",
    "compose.yaml",
    "pyproject.toml",
    "requirements-dev.txt",
    "requirements-postgres.txt",
    "requirements.txt",
)
MEANINGLESS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}

PRONOUNS = re.compile(
    r"(?<![^\W_])(?:he|him|his|himself|she|her|hers|herself)(?![^\W_]|\")", re.IGNORECASE
)
"""Gendered pronouns, also within names; in quotes, "he" is the language code of Hebrew."""
DIALECT_WORDS = re.compile(
    r"""\b(?: sqlite_(?!statements\b)\w+
    | sqlite3 | aiosqlite | dialects | DDL | PRAGMA | exec_driver_sql
    | BEGIN | IMMEDIATE | VACUUM | ATTACH | TRIGGER | RAISE | (?:OR|INSERT|ON)\ (?:REPLACE|CONFLICT)
    | on_conflict\w* | prefix_with | excluded | rowid | with_rowid | autoincrement
    | json_(?:valid|extract|each)\w* | func\.json\w* | isolation_level
    )\b""",
    re.VERBOSE,
)
"""Words of SQLite, and of SQLAlchemy for one dialect."""
MAY_NAME_SQLITE = {
    "bot/cli/report.py": "prints the versions of libraries",
    "bot/runtime/logs.py": "mutes loggers that would log parameters",
    "bot/runtime/settings.py": "validates database URLs",
    "bot/storage/statements.py": "dispatches to the dialects",
}
"""Files outside the folder that may use these words, with the reason."""
FIELD_LINE = re.compile(r"^ +\w+: ", re.MULTILINE)
"""Line that may be a field of a class."""
FEW_FIELDS = 8
"""Number of fields up to which a class needs no docstrings of fields."""


def code(*folders: str) -> Iterator[Path]:
    """Return the Python files of these folders."""
    for folder in folders:
        yield from (ROOT / folder).rglob("*.py")


def texts() -> Iterator[Path]:
    """Return the files with text for people: code, docs, message catalogues, settings."""
    yield from code(*CODE)
    for pattern in ("*.md", "*.toml", "*.yaml", "Makefile", "Dockerfile", ".env.example"):
        yield from ROOT.glob(pattern)
    for pattern in ("docs/**/*.md", "bot/locale/**/*.pot", ".github/**/*.*"):
        yield from ROOT.glob(pattern)


def short(path: Path) -> str:
    """Return the path below the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def test_required_files_exist() -> None:
    assert [name for name in REQUIRED_FILES if not (ROOT / name).is_file()] == []


def test_layers_are_packages() -> None:
    assert [name for name in LAYERS if not (ROOT / name / "__init__.py").is_file()] == []


def test_files_are_short() -> None:
    lines = {short(path): len(path.read_text("utf-8").splitlines()) for path in code(*CODE)}
    assert {name: count for name, count in lines.items() if count > 500} == {}


def test_refuses_names_without_meaning() -> None:
    def parts(path: Path) -> set[str]:
        return set(path.relative_to(ROOT).with_suffix("").parts)

    assert [short(path) for path in code(*CODE) if parts(path) & MEANINGLESS] == []


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
    """Code, docs and texts have no he, him or his."""
    found = [
        f"{short(path)}:{number}"
        for path in texts()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if PRONOUNS.search(line)
    ]
    assert found == []


def undescribed(source: str) -> list[str]:
    """Return the fields without a docstring in classes with many, as ``Class.field``."""
    if len(FIELD_LINE.findall(source)) <= FEW_FIELDS:
        return []
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef):
            continue
        fields = [place for place, part in enumerate(node.body) if isinstance(part, ast.AnnAssign)]
        if len(fields) <= FEW_FIELDS:
            continue
        for field in fields:
            below = node.body[field + 1 : field + 2]
            if not below or not is_docstring(below[0]):
                found.append(f"{node.name}.{ast.unparse(node.body[field]).split(':')[0]}")
    return found


def is_docstring(part: ast.stmt) -> bool:
    """Return whether this is a docstring."""
    value = part.value if isinstance(part, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def test_fields_of_large_classes_have_docstrings() -> None:
    found = {
        short(path): fields
        for path in code(*CODE)
        if (fields := undescribed(path.read_text("utf-8")))
    }
    assert found == {}


def test_pages_do_not_use_interactions() -> None:
    """Interactions are answered in `cogs/clicks/`."""
    assert [
        short(path) for path in code("cogs/pages") if "Interaction" in path.read_text("utf-8")
    ] == []


def test_dialect_words_are_in_their_folders() -> None:
    """SQL of one dialect is in `sqlite/` or `postgres/`, whose imports import-linter checks.

    Migrations are exempt.
    """
    storage = ROOT / "bot" / "storage"
    own = {storage / folder for folder in ("sqlite", "postgres", "migrations")}
    found = {
        short(path): words
        for path in code("bot", "cogs")
        if not own & set(path.parents)
        and (words := set(DIALECT_WORDS.findall(path.read_text("utf-8"))))
    }
    assert {name for name in found if name not in MAY_NAME_SQLITE} == set()
    assert MAY_NAME_SQLITE.keys() - found.keys() == set(), "these exceptions are obsolete"
    inside = "".join(path.read_text("utf-8") for path in (storage / "sqlite").glob("*.py"))
    assert len(set(map(str.lower, DIALECT_WORDS.findall(inside)))) > 10


def test_dialect_is_compared_in_one_place() -> None:
    """One function selects the implementation for a connection."""
    asked = [
        f"{short(path)}:{number}"
        for path in code("bot", "cogs")
        if "migrations" not in path.parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if "dialect.name" in line
    ]
    assert [place.split(":")[0] for place in asked] == ["bot/storage/statements.py"], asked


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "requirements-postgres.txt"]
)
def test_every_package_is_pinned_with_hashes(name: str) -> None:
    entries = (ROOT / name).read_text("utf-8").replace("\\\n", " ").splitlines()
    assert entries
    pinned = re.compile(r"[a-z0-9-]+==\S+ (; [^#]*? )?( *--hash=sha256:[0-9a-f]{64})+\s*")
    assert [entry for entry in entries if not pinned.fullmatch(entry)] == []


@pytest.mark.parametrize(
    "name",
    ["requirements.txt", "requirements-dev.txt", "requirements-postgres.txt", "pyproject.toml"],
)
def test_no_package_index_is_named(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert re.findall(r"\w+://\S*|--?(?:extra-)?index-url\S*|--find-links\S*", text) == []


def test_no_lock_file_names_package_hosts() -> None:
    assert not (ROOT / "uv.lock").exists()


def test_requirements_are_subsets() -> None:
    def names(file: str) -> set[str]:
        lines = (ROOT / file).read_text("utf-8").splitlines()
        return {line.split(" \\")[0] for line in lines if "==" in line}

    assert names("requirements.txt") < names("requirements-postgres.txt")
    assert names("requirements-postgres.txt") < names("requirements-dev.txt")


@pytest.mark.parametrize("module", ["engine.match", "bot", "tests.bot.test_client"])
def test_warnings_of_our_code_are_errors(module: str) -> None:
    with pytest.raises(DeprecationWarning):
        warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module)


@pytest.mark.parametrize("module", ["discord.player", "botocore", "pip"])
def test_warnings_of_libraries_are_not_errors(module: str) -> None:
    with warnings.catch_warnings(record=True):
        warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module)
