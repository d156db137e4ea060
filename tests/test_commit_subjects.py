"""The git hook that checks the subjects of commits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

CONFIG = Path(__file__).parents[1] / ".pre-commit-config.yaml"


def is_refused(message: str) -> bool:
    """Return whether the hook refuses a message, searched as pre-commit's pygrep does."""
    (repo,) = yaml.safe_load(CONFIG.read_text("utf-8"))["repos"]
    (hook,) = [hook for hook in repo["hooks"] if hook["id"] == "subject"]
    assert (hook["language"], hook["args"]) == ("pygrep", ["--multiline"])
    return re.search(hook["entry"], message, re.MULTILINE | re.DOTALL) is not None


@pytest.mark.parametrize(
    "message",
    [
        "Keep gallery attachments by their id\n",
        "Drop the WAL check\n\nthe reason. " + "x" * 100 + ".\n",
        "A" * 72,
        "Read Python 3.14's warnings\n",
        "Merge branch 'main' into a-branch-with-a-very-long-name-that-git-wrote-into-it-itself\n",
        "fixup! Drop the WAL check\n",
    ],
)
def test_accepts_a_subject(message: str) -> None:
    assert not is_refused(message)


@pytest.mark.parametrize(
    "message",
    [
        "drop the WAL check\n",
        "Drop the WAL check.\n",
        "Drop the WAL check. \n\nWhy.\n",
        "Drop the WAL check.",
        "A" * 73,
        "fix: the WAL check\n",
    ],
)
def test_refuses_a_subject(message: str) -> None:
    assert is_refused(message)
