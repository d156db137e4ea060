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
    for age, name in enumerate(("tichu-new", "tichu-newer", "tichu-old", "other")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").write_bytes(b"x")
        os.utime(tmp_path / name, (1e9, 1e9 - age if "old" in name else 1e9 + age))
    mine = Path(compiled.cache_folder())
    left = {folder.name for folder in tmp_path.iterdir()}
    assert left == {mine.name, "tichu-new", "tichu-newer", "other"}
    assert Path(compiled.cache_folder()) == mine


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
