"""The cache folder of compiled code, and the removal of old files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from players.expert import compiled


def test_only_the_last_folders_of_other_sources_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    _, new, newer = caches = [f"tichu-{digit * 16}" for digit in "abc"]
    for age, name in enumerate(caches):
        (tmp_path / name).mkdir()
        (tmp_path / name / compiled.MARKER).touch()
        os.utime(tmp_path / name, (1e9 + age, 1e9 + age))
    mine = Path(compiled.cache_folder())
    assert (mine / compiled.MARKER).is_file()
    assert {folder.name for folder in tmp_path.iterdir()} == {mine.name, new, newer}
    assert Path(compiled.cache_folder()) == mine


def test_folders_of_others_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the name of a cache nor its marker alone makes a folder one of ours."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    marked = ["tichu-backups", "tichu-demo-abc", f"tichu-{'a' * 17}", f"my-tichu-{'a' * 16}"]
    unmarked = [f"tichu-{digit * 16}" for digit in "0123"]
    for name in (*marked, *unmarked):
        (tmp_path / name).mkdir()
        (tmp_path / name / "monday.db").touch()
    for name in marked:
        (tmp_path / name / compiled.MARKER).touch()
    mine = Path(compiled.cache_folder())
    assert {folder.name for folder in tmp_path.iterdir()} == {mine.name, *marked, *unmarked}
    assert len(list(tmp_path.glob("*/monday.db"))) == len(marked) + len(unmarked)


def test_code_of_somebody_else_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiled, "_is_own", lambda folder: False)
    assert compiled.cache_folder() == ""


def test_code_that_was_compiled_ahead_is_copied_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead, kept = tmp_path / "ahead", tmp_path / "kept"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(ahead))
    made = Path(compiled.cache_folder())
    (made / "code").write_bytes(b"ahead")
    monkeypatch.setenv("COMPILED_AHEAD", str(ahead))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kept))
    mine = Path(compiled.cache_folder())
    assert mine.parent == kept
    assert (mine / "code").read_bytes() == b"ahead"
    (mine / "code").write_bytes(b"newer")
    assert Path(compiled.cache_folder()) == mine
    assert (mine / "code").read_bytes() == b"newer"
    assert [folder.name for folder in kept.iterdir()] == [mine.name]
