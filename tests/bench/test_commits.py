"""Players of other commits play in a process and a worktree of their own."""

from __future__ import annotations

import random
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from bench import commits
from bench.commits import CommitPlayer, worktree
from bench.contestants import contestant
from bench.rounds import Contestant, play_round, shuffled
from engine import Match, Options, new_match


@pytest.fixture
def commit(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a commit whose worktree is this checkout."""
    monkeypatch.setattr("bench.commits._git", lambda *_: "today")
    monkeypatch.setattr("bench.commits.worktree", lambda commit: commits.ROOT)
    return "today"


def played(player: Contestant, options: Options) -> Match:
    """Return the match after a round of this player against a random one."""
    match, rng = new_match(options), random.Random(3)
    chairs = [player, contestant("random")] * 4
    return play_round(match, chairs, shuffled(match, rng), rng)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["trichu", "grandseigneur"])
def test_a_player_in_its_process_decides_as_here(commit: str, variant: str) -> None:
    """It draws the same numbers and sees the same views."""
    options = Options(variant)
    with closing(CommitPlayer("novice", commit)) as novice:
        assert played(novice, options) == played(contestant("novice"), options)


@pytest.mark.slow
def test_what_goes_wrong_there_is_said(commit: str, capfd: pytest.CaptureFixture[str]) -> None:
    with closing(CommitPlayer("nobody", commit)) as nobody:
        with pytest.raises(RuntimeError, match="commit today has no nobody"):
            nobody.prepare()
        assert "there is no player 'nobody'" in capfd.readouterr().err
    with closing(CommitPlayer("novice", commit)) as novice:
        with pytest.raises(RuntimeError, match="novice of commit today stopped"):
            novice.decide(new_match(Options()), 0, random.Random(1))
        assert "nothing is dealt yet" in capfd.readouterr().err


def test_a_commit_is_checked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True)

    file = tmp_path / "file.txt"
    git("init", "--quiet")
    for text in ("old", "new"):
        file.write_text(text)
        git("add", ".")
        git("commit", "--quiet", "--message", text)
    monkeypatch.setattr("bench.commits.ROOT", tmp_path)
    monkeypatch.setattr("bench.commits.WORKTREES", tmp_path / ".commits")
    commit = CommitPlayer("novice", "HEAD~1").commit
    folder = worktree(commit)
    assert (folder / file.name).read_text() == "old"
    (folder / "compiled").touch()
    assert (worktree(commit) / "compiled").exists()
    with pytest.raises(ValueError, match="there is no commit 'nowhere'"):
        CommitPlayer("novice", "nowhere")
