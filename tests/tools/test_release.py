"""Notes of a release, read from CHANGELOG.md."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import release

CHANGELOG = """# Changelog

## [Unreleased]

## [1.1.0] - 2027-01-02

### Added

- A new button.

## [1.0.0] - 2026-12-01

- First release.
"""


@pytest.fixture(autouse=True)
def other_changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use another changelog than that of the repository."""
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["release"])


@pytest.mark.parametrize(
    "version, notes",
    [("1.1.0", "### Added\n\n- A new button.\n"), ("1.0.0", "- First release.\n")],
)
def test_prints_the_section_of_the_version(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    notes: str,
) -> None:
    monkeypatch.setattr(release, "__version__", version)
    release.main()
    assert capsys.readouterr().out == notes


def test_prints_the_version(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "__version__", "1.1.0")
    monkeypatch.setattr(sys, "argv", ["release", "--version"])
    release.main()
    assert capsys.readouterr().out == "1.1.0\n"


@pytest.mark.parametrize("version", ["1.0", "100", "2.0.0", "Unreleased"])
def test_refuses_a_version_without_notes(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(release, "__version__", version)
    with pytest.raises(SystemExit, match=rf"no notes in a section ## \[{version}\]"):
        release.main()
