"""Fixture for tests of the coach: the database answers in the thread of the test."""

from __future__ import annotations

import pytest

from tests.compiled_once import compile_once
from tests.migrated_once import migrate_once
from tests.same_thread import answer_in_this_thread


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database answer in the thread of the test, and compile statements once."""
    answer_in_this_thread(monkeypatch)
    compile_once(monkeypatch)
    migrate_once(monkeypatch)
