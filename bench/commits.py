"""Players of other commits: `expert@b095a39:480` is the Expert of that commit.

The commit is checked out once, into a git worktree in `.commits/`, which also keeps its compiled
code. It plays in a process of its own (`bench/commit_process.py`) with its own engine: a position
in notation goes in, an action in notation comes out. Every commit that has `bench/contestants.py`
and reads positions can play, as long as both sides understand its notation.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cached_property
from pathlib import Path

from bench.rounds import Decision
from engine import Match, Seat, read_action, write_position

ROOT = Path(__file__).parent.parent
WORKTREES = ROOT / ".commits"
PROCESS = Path(__file__).with_name("commit_process.py")


class CommitPlayer:
    """A player of another commit. Its process starts at the first decision."""

    def __init__(self, name: str, commit: str) -> None:
        """Resolve the commit; `name` is the name of the player in it, such as ``expert:480``.

        Raises `ValueError` if there is no such commit.
        """
        self.name = name
        try:
            self.commit = _git("rev-parse", "--verify", f"{commit}^{{commit}}")[:12]
        except subprocess.CalledProcessError as error:
            raise ValueError(f"there is no commit {commit!r}: {error.stderr.strip()}") from error

    def prepare(self) -> None:
        """Check out the commit and start its process, which compiles its code."""
        assert self._process.poll() is None

    def close(self) -> None:
        """End the process, which otherwise ends together with this one."""
        if process := self.__dict__.pop("_process", None):
            with process:
                pass

    def decide(self, match: Match, seat: Seat, rng: random.Random) -> Decision:
        """Return the decision of this seat, the same as of a player in this process.

        Players draw one number from `rng`. Raises `RuntimeError` if the process has stopped.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        question = {
            "seat": seat,
            "chance": rng.getstate(),
            "position": write_position(match),
        }
        rng.getrandbits(32)
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
        except (OSError, ValueError):
            process.wait()  # until it has printed its error
            raise RuntimeError(f"{self.name} of commit {self.commit} stopped, see above") from None
        text = answer["action"]
        return Decision(text and read_action(seat, text), answer["milliseconds"])

    @cached_property
    def _process(self) -> subprocess.Popen[str]:
        """The process, ready to answer. It ends when this one closes its input."""
        folder = worktree(self.commit)
        process = subprocess.Popen(
            [sys.executable, "-P", str(PROCESS), self.name],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            with process:
                raise RuntimeError(f"commit {self.commit} has no {self.name}: its error is above")
        return process


def worktree(commit: str) -> Path:
    """Return the folder with the files of a commit, checked out if necessary."""
    folder = WORKTREES / commit
    if not folder.exists():
        _git("worktree", "prune")
        _git("worktree", "add", "--detach", str(folder), commit)
    return folder


def _git(*arguments: str) -> str:
    """Return the output of a git command."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
