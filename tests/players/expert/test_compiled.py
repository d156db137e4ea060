"""The cache folder of compiled code, and the removal of old files."""

from __future__ import annotations

import os
import subprocess
import sys
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


_PLAY_ON = """
import random, sys
from bench.rounds import play_round, shuffled
from engine import Options, new_match
from players.levels import advise, choose, prepare

class Computer:
    def choose(self, view, rng):
        level = rng.choice(("expert", "regular"))
        if rng.random() < 0.1:
            advise(view, 1, 0.0, 8)
        return choose(level, view, rng.getrandbits(32), 0.0, 8)

def signatures():
    return {
        f"{name}.{function.__name__}{types}"
        for name, module in list(sys.modules.items())
        if name.startswith("players.expert")
        for function in vars(module).values()
        for types in getattr(function, "signatures", ())
    }

prepare("expert")
prepared = signatures()
assert prepared
for game in ("nanjing", "trichu", "tientsin", "grandseigneur"):
    for players in (5, 7) if game == "grandseigneur" else (None,):
        match, rng = new_match(Options(variant=game, players=players)), random.Random(1)
        chairs = match.variant.chair_count(match.options)
        play_round(match, [Computer()] * chairs, shuffled(match, rng), rng)
print(*sorted(signatures() - prepared), sep="\\n")
"""


def test_play_compiles_nothing_after_preparation() -> None:
    """A decision that compiles would take seconds at a table; so would a hint."""
    command = [sys.executable, "-c", _PLAY_ON]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert process.stdout.split() == []
