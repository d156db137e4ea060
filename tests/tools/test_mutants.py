"""Mutation sampler: changed code, unchanged code, and the comparison of two suites."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.campaign import sample
from tools.mutants.__main__ import main
from tools.mutants.drawing import Mutant, draw, mutants_of, of_source
from tools.mutants.running import ABSENT, Copy, suite_of

ROOT = Path(__file__).parents[2]

CODE = '''
"""A module with 1 number in its docstring."""
from typing import TypeAlias
Number: TypeAlias = int | float

def rank(age: int | None, limit: int = 18) -> str | None:
    """At least 18."""
    assert age != 7
    if age is None or age < limit:
        raise ValueError("under 18")
    found = [year for year in range(3) if not year]
    found += [age - 1]
    print(f"{age + 2}")
    return "adult" if age < 65 else None
'''


def changes(source: str) -> set[tuple[str, str, str]]:
    return {(found.kind, found.before, found.after) for found in of_source(source.encode(), "m.py")}


def test_generates_every_kind_of_change() -> None:
    found = changes(CODE)
    assert {
        ("comparison", "age is None", "(age is not None)"),
        ("comparison", "age < limit", "(age <= limit)"),
        ("and/or", "age is None or age < limit", "(age is None and age < limit)"),
        ("condition negated", "age is None or age < limit", "(not (age is None or age < limit))"),
        ("condition negated", "not year", "(year)"),
        ("constant", "18", "(19)"),
        ("constant", "18", "(17)"),
        ("operator", "age - 1", "(age + 1)"),
        ("operator", "found += [age - 1]", "found -= [age - 1]"),
        ("statement removed", 'raise ValueError("under 18")', "pass"),
        ("statement removed", "found += [age - 1]", "pass"),
        ("result lost", 'return "adult" if age < 65 else None', "return None"),
    } <= found


def test_does_not_change_types_texts_and_assertions() -> None:
    before = {text for _, text, _ in changes(CODE)}
    assert not {text for text in before if "assert" in text or "int" in text.split()}
    assert not before & {"age != 7", "int | float", "int | None", "age + 2", "2", "7"}
    assert not {text for text in before if "docstring" in text or "At least" in text}


def test_every_mutant_is_valid_and_different() -> None:
    for path in sample(sorted((ROOT / "engine").rglob("*.py")), 3):
        source = path.read_bytes()
        program = ast.dump(ast.parse(source))
        for mutant in sample(of_source(source, path.name), 15):
            assert ast.dump(ast.parse(mutant.applied(source))) != program, mutant


def test_numbers_equal_changes_in_one_function() -> None:
    found = of_source(b"def f(a: int) -> bool:\n    return a < 1 or a < 1\n", "m.py")
    both = [mutant for mutant in found if mutant.kind == "comparison"]
    assert [mutant.number for mutant in both] == [0, 1]
    assert both[0].key != both[1].key


def test_seed_alone_decides() -> None:
    everything = mutants_of(ROOT, ["engine/hand.py"])
    assert draw(everything, 10, 1) == draw(everything, 10, 1) != draw(everything, 10, 2)
    assert len(draw(everything, 10**6, 1)) == len(everything)


# --- under a suite -------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout whose tests notice everything but the limit; others notice all."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # slow to import
    files = {
        "people/adult.py": "def adult(age: int) -> bool:\n    return age >= 18\n",
        "tests/people/test_adult.py": "from people.adult import adult\n\n"
        "def test_adult():\n    assert adult(40) and not adult(4)\n",
        "stronger/people/test_adult.py": "from people.adult import adult\n\n"
        "def test_limit():\n    assert adult(18) and not adult(17)\n",
        "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n"
        "addopts = ['--import-mode=importlib']\n",
        "people/__init__.py": "",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.mark.slow
def test_compares_two_suites(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suites = [f"--suite=old={tree}", f"--suite=new={tree},{tree}/stronger"]
    file = tmp_path / "verdicts.json"
    few = ["people", "--workers", "1", "--number", "2", "--seed", "2", "--json", str(file)]
    assert main([*few, *suites]) == 1
    told = capsys.readouterr().out
    assert "2 of 4 mutants, seed 2" in told
    assert "old: 1 of 2 killed" in told
    assert "new: 2 of 2 killed" in told
    assert told.count("noticed by some suites only: people/adult.py:2 adult") == 1
    verdicts = json.loads(file.read_text())
    assert len(verdicts) == 4
    assert {verdict["killer"] for verdict in verdicts if verdict["suite"] == "new"} == {
        "tests/people/test_adult.py::test_limit"
    }
    assert (tree / "people/adult.py").read_text().endswith("age >= 18\n")


def test_failing_suite_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "people/adult.py").write_text("def adult(age: int) -> bool:\n    return age > 18\n")
    suite = f"--suite=new={tree},{tree}/stronger"
    assert main(["people", "--workers", "1", "--number", "1", suite]) == 2
    assert (
        "fails without a mutant: tests/people/test_adult.py::test_limit" in capsys.readouterr().err
    )


def test_missing_place_is_not_counted(tree: Path) -> None:
    (mutant, *_) = of_source(b"def old(a: int) -> int:\n    return a + 1\n", "people/adult.py")
    copy = Copy(suite_of(f"tests={tree}"), tree / "scratch")
    verdict = copy.tried(mutant, 60)
    assert (verdict.killer, verdict.killed) == (ABSENT, False)
    assert isinstance(verdict.mutant, Mutant)


@pytest.mark.parametrize("text", ["", "tests", "tests=/nowhere/at/all", "=."])
def test_suite_needs_a_name_and_a_folder(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not NAME=TREE|there is no folder"):
        suite_of(text)


def test_copies_data_of_the_tests_only(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for folder in ("data", "tests/data"):
        (tree / folder).mkdir(parents=True)
        (tree / folder / "file.txt").write_text("some", encoding="utf-8")
    copy = Copy(suite_of(f"some={tree}"), tmp_path / "copies")
    found = [path.relative_to(copy.root).as_posix() for path in copy.root.rglob("*.txt")]
    assert found == ["tests/data/file.txt"]
