"""Key-value state of the program itself."""

from __future__ import annotations

import pytest

from bot.storage import Store

pytestmark = pytest.mark.usefixtures("one_thread")


async def test_stores_a_value_under_its_key(store: Store) -> None:
    assert await store.app_state.value("commands") is None
    await store.app_state.keep("commands", "abc")
    await store.app_state.keep("commands", "def")
    assert await store.app_state.value("commands") == "def"
    assert await store.app_state.value("other") is None
