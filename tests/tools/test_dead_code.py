"""Search for dead code: unused names, and names used only by tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import dead_code

LAYER = """
def called():
    return tested_too()

def tested_too():
    return 1

def only_tested():
    return 2

def forgotten():
    return 3

def on_ready():
    return called()
"""
TEST = """
def test_all():
    assert only_tested() + tested_too()
    forgotten_local = 4
"""


def test_reports_unused_and_test_only_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name on the settings' ignore list is in neither report."""
    for file, text in (("layer/rules.py", LAYER), ("tests/test_rules.py", TEST)):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(text, "utf-8")
    assert dead_code.main([str(tmp_path / "layer"), str(tmp_path / "tests")]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [line.partition("unused ")[2].partition(" (")[0] for line in lines]
    assert told == ["function 'forgotten'", "variable 'forgotten_local'", "function 'only_tested'"]
    assert [line.endswith("but by tests") for line in lines] == [False, False, True]


def test_does_not_report_called_names(tmp_path: Path) -> None:
    (tmp_path / "called.py").write_text("def called():\n    return called\n", "utf-8")
    assert dead_code.main([str(tmp_path)]) == 0
