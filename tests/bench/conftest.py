"""Fixtures of bench tests: databases from a template, answering in the test's thread."""

from __future__ import annotations

import pytest

from tests.compiled_once import compile_once
from tests.migrated_once import migrate_once
from tests.same_thread import answer_in_this_thread


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run database calls in this thread."""
    answer_in_this_thread(monkeypatch)
    compile_once(monkeypatch)
    migrate_once(monkeypatch)
