"""Stored versions of emojis, with database failures logged instead of raised."""

from __future__ import annotations

import logging

import pytest

from bot.storage import Store
from bot.storage.app_state import EmojiVersions

pytestmark = pytest.mark.usefixtures("one_thread")

IDS = "1400000000000000001", "sword_8"


async def test_stores_versions(store: Store) -> None:
    versions = EmojiVersions(store.app_state)
    assert await versions.recall() == {}
    await versions.remember({IDS[0]: "a1b2"})
    await versions.remember({IDS[0]: "a1b2", IDS[1]: "0000"})
    assert await EmojiVersions(store.app_state).recall() == {IDS[0]: "a1b2", IDS[1]: "0000"}


async def test_failures_are_logged_and_not_raised(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="bot.storage.app_state")
    versions = EmojiVersions(store.app_state)
    await store.close()
    await versions.remember({IDS[0]: "a1b2"})
    assert await versions.recall() is None
    assert len(caplog.records) == 2
