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
AT_THE_TOP = (
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
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}

HE = re.compile(
    r"(?<![^\W_])(?:he|him|his|himself|she|her|hers|herself)(?![^\W_]|\")", re.IGNORECASE
)
"""Words for one person, within names, too; in quotes, "he" is the language Hebrew."""
SQLITES_OWN = re.compile(
    r"""\b(?: sqlite_(?!statements\b)\w+
    | sqlite3 | aiosqlite | dialects | DDL | PRAGMA | exec_driver_sql
    | BEGIN | IMMEDIATE | VACUUM | ATTACH | TRIGGER | RAISE | (?:OR|INSERT|ON)\ (?:REPLACE|CONFLICT)
    | on_conflict\w* | prefix_with | excluded | rowid | with_rowid | autoincrement
    | json_(?:valid|extract|each)\w* | func\.json\w* | isolation_level
    )\b""",
    re.VERBOSE,
)
"""Words of SQLite, and of SQLAlchemy for one database alone."""
KNOWS_SQLITE = {
    "bot/cli/report.py": "tells the versions of what the bot stands on",
    "bot/runtime/logs.py": "keeps the packages below from logging what they are given",
    "bot/runtime/settings.py": "knows how a URL of a database begins",
    "bot/storage/statements.py": "writes what both understand, and calls each for the rest",
}
"""Files outside the folder that may use these words, and why."""
MAYBE_FIELD = re.compile(r"^ +\w+: ", re.MULTILINE)
"""What a file has more than `FEW_FIELDS` of in which a class has that many fields."""
FEW_FIELDS = 8
"""So many fields may speak for themselves."""


def code(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from (ROOT / folder).rglob("*.py")


def texts() -> Iterator[Path]:
    """Everything that people read: code, docs, message catalogues, settings."""
    yield from code(*CODE)
    for pattern in ("*.md", "*.toml", "*.yaml", "Makefile", "Dockerfile", ".env.example"):
        yield from ROOT.glob(pattern)
    for pattern in ("docs/**/*.md", "bot/locale/**/*.pot", ".github/**/*.*"):
        yield from ROOT.glob(pattern)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_files_at_the_top_exist() -> None:
    assert [name for name in AT_THE_TOP if not (ROOT / name).is_file()] == []


def test_layers_are_packages() -> None:
    assert [name for name in LAYERS if not (ROOT / name / "__init__.py").is_file()] == []


def test_no_file_is_two_ideas() -> None:
    lines = {short(path): len(path.read_text("utf-8").splitlines()) for path in code(*CODE)}
    assert {name: count for name, count in lines.items() if count > 500} == {}


def test_names_say_what_lives_inside() -> None:
    def parts(path: Path) -> set[str]:
        return set(path.relative_to(ROOT).with_suffix("").parts)

    assert [short(path) for path in code(*CODE) if parts(path) & NAMELESS] == []


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


def test_people_are_they() -> None:
    """No he, him or his in code, docs and texts: nobody knows who reads or plays."""
    found = [
        f"{short(path)}:{number}"
        for path in texts()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if HE.search(line)
    ]
    assert found == []


def undescribed(source: str) -> list[str]:
    """Fields without a sentence below them, in classes with many, as ``Class.field``."""
    if len(MAYBE_FIELD.findall(source)) <= FEW_FIELDS:
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
            if not below or not is_sentence(below[0]):
                found.append(f"{node.name}.{ast.unparse(node.body[field]).split(':')[0]}")
    return found


def is_sentence(part: ast.stmt) -> bool:
    """Whether this is a text alone, as docstrings are."""
    value = part.value if isinstance(part, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def test_many_fields_are_each_described() -> None:
    """Who reads a class with more than a few fields finds below each what it means."""
    found = {
        short(path): fields
        for path in code(*CODE)
        if (fields := undescribed(path.read_text("utf-8")))
    }
    assert found == {}


def test_pages_hold_nothing_that_sends() -> None:
    """A page never sees the interaction that asks for it: whoever answers is in `clicks/`."""
    assert [
        short(path) for path in code("cogs/pages") if "Interaction" in path.read_text("utf-8")
    ] == []


def test_what_is_sqlites_own_stands_in_a_folder_of_its_name() -> None:
    """Storage speaks SQLAlchemy; dialect, pragmas, locks and threads are in `sqlite/`.

    So are those of PostgreSQL in `postgres/`; import-linter knows who may import either. Migrations
    are left out: they say how the database came to be, in the words of then.
    """
    storage = ROOT / "bot" / "storage"
    own = {storage / folder for folder in ("sqlite", "postgres", "migrations")}
    found = {
        short(path): words
        for path in code("bot", "cogs")
        if not own & set(path.parents)
        and (words := set(SQLITES_OWN.findall(path.read_text("utf-8"))))
    }
    assert {name for name in found if name not in KNOWS_SQLITE} == set()
    assert KNOWS_SQLITE.keys() - found.keys() == set(), "these need not be named any more"
    inside = "".join(path.read_text("utf-8") for path in (storage / "sqlite").glob("*.py"))
    assert len(set(map(str.lower, SQLITES_OWN.findall(inside)))) > 10


def test_nobody_asks_which_database_it_is() -> None:
    """One function finds the kind for a connection, and each kind says what it does its own way."""
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


def test_the_bot_needs_nothing_that_only_developers_have() -> None:
    def names(file: str) -> set[str]:
        lines = (ROOT / file).read_text("utf-8").splitlines()
        return {line.split(" \\")[0] for line in lines if "==" in line}

    assert names("requirements.txt") < names("requirements-postgres.txt")
    assert names("requirements-postgres.txt") < names("requirements-dev.txt")


@pytest.mark.parametrize("module", ["engine.match", "bot", "tests.bot.test_client"])
def test_a_warning_of_our_own_code_is_an_error(module: str) -> None:
    with pytest.raises(DeprecationWarning):
        warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module)


@pytest.mark.parametrize("module", ["discord.player", "botocore", "pip"])
def test_a_warning_of_a_library_fails_no_test(module: str) -> None:
    with warnings.catch_warnings(record=True):
        warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module)
