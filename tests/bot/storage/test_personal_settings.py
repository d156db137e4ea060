"""Stored personal settings of users."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from bot.ids import UserId
from bot.rating.ledger import LEDGER
from bot.records import PersonalSettings
from bot.score_records import Preferences
from bot.storage import StorageUnavailable, Store, personal_settings

pytestmark = pytest.mark.usefixtures("one_thread")

ALL_CHOSEN = PersonalSettings(
    cards="text",
    sorting="combination",
    auto_pass=True,
    more_time=True,
    nudge_way="direct",
    invitations=False,
    zone="Europe/Berlin",
    language="pt_BR",
    seen_language="es-419",
    quiet=(22 * 60, 7 * 60),
    accuracy=True,
    accuracy_compared=True,
    daily_reminder=18 * 60,
    reminder_refused=True,
)


async def test_stores_personal_settings(store: Store, url: str) -> None:
    assert await store.personal_settings.get(UserId(1)) == PersonalSettings()
    await store.personal_settings.choose(UserId(1), ALL_CHOSEN)
    await store.preferences.choose(UserId(1), Preferences(hidden=True))
    assert await store.personal_settings.get(UserId(1)) == ALL_CHOSEN
    again = await Store.open(url, LEDGER)
    assert again.personal_settings.cached(UserId(1)) == PersonalSettings(), "not read yet"
    assert (
        await again.personal_settings.get(UserId(1))
        == again.personal_settings.cached(UserId(1))
        == ALL_CHOSEN
    )
    assert await again.preferences.get(UserId(1)) == Preferences(hidden=True)
    assert await again.personal_settings.get(UserId(2)) == PersonalSettings()
    await again.close()


async def test_caches_only_recently_used_settings(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_settings, "MOST_CACHED", 2)
    for user_id in (1, 2):
        await store.personal_settings.choose(UserId(user_id), ALL_CHOSEN)
    await store.personal_settings.get(UserId(1))
    await store.personal_settings.get(UserId(3))
    found = [store.personal_settings.cached(UserId(user_id)) for user_id in (1, 2)]
    assert found == [ALL_CHOSEN, PersonalSettings()]
    assert await store.personal_settings.get(UserId(2)) == ALL_CHOSEN


async def test_failed_write_is_not_cached(store: Store, outside: sqlite3.Connection) -> None:
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        await store.personal_settings.choose(UserId(1), ALL_CHOSEN)
    outside.rollback()
    assert store.personal_settings.cached(UserId(1)) == PersonalSettings()
    assert await store.personal_settings.get(UserId(1)) == PersonalSettings()


async def test_falls_back_to_mentions_unless_the_user_chose_otherwise(
    store: Store, url: str
) -> None:
    settings, direct = (
        store.personal_settings,
        ALL_CHOSEN.model_copy(update={"nudge_way": "direct"}),
    )
    silent = direct.model_copy(update={"nudge_way": "none"})
    for user_id, chosen in ((1, direct), (2, silent), (3, direct)):
        await settings.choose(UserId(user_id), chosen)
    settings.forget(UserId(3))  # as if they were dropped from the cache
    for user_id in (1, 2, 3):
        await settings.switch_to_mentions(UserId(user_id))
    again = await Store.open(url, LEDGER)
    mentioned = direct.model_copy(update={"nudge_way": "mention", "seen_language": None})
    for kept in (settings, again.personal_settings):
        assert [await kept.get(UserId(user)) for user in (1, 2, 3)] == [
            mentioned,
            silent,
            mentioned,
        ]
    await again.close()


async def test_write_during_a_read_wins(store: Store) -> None:
    read, _ = await asyncio.gather(
        store.personal_settings.get(UserId(1)),
        store.personal_settings.choose(UserId(1), ALL_CHOSEN),
    )
    assert read in (PersonalSettings(), ALL_CHOSEN)
    assert store.personal_settings.cached(UserId(1)) == ALL_CHOSEN
