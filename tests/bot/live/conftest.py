"""What the tests of open tables share."""

from __future__ import annotations

import pytest

from tests.same_thread import answer_in_this_thread


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database answer in the thread of the tests: theirs is not about threads."""
    answer_in_this_thread(monkeypatch)
