"""Stored settings of guilds, and the time of the last role invitation."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from bot.ids import ChannelId, GuildId, RoleId
from bot.rating.ledger import LEDGER
from bot.records import ServerSettings
from bot.storage import StorageUnavailable, Store

pytestmark = pytest.mark.usefixtures("one_thread")

IN_NOVEMBER = datetime(2031, 11, 12, 12, tzinfo=UTC)
A_SERVER = ServerSettings(
    channels=(ChannelId(2**62), ChannelId(5)),
    defaults={"variant": "trichu", "turn_limit_s": "60"},
    computers=2,
    threads=True,
    pictures=False,
    hints=False,
    opener_role_id=RoleId(2**62 + 1),
    tables_each=1,
    turn_based_each=3,
    invitation_role_id=RoleId(7),
    invitation_cooldown_s=60,
    nudge_s=20,
    language="de",
)


async def test_stores_settings_until_the_guild_is_erased(
    store: Store, url: str, outside: sqlite3.Connection
) -> None:
    """They are read synchronously at any moment, also after a start."""
    assert store.server_settings.get(GuildId(10)) == ServerSettings()
    await store.server_settings.choose(GuildId(10), ServerSettings(nudge_s=600))
    await store.server_settings.choose(GuildId(10), A_SERVER)
    assert store.server_settings.get(GuildId(10)) == A_SERVER
    again = await Store.open(url, LEDGER)
    assert again.server_settings.get(GuildId(10)) == A_SERVER
    assert again.server_settings.get(GuildId(11)) == ServerSettings()
    await again.close()
    assert await store.people.servers() == {10: None}
    await store.people.forget_server(GuildId(10))
    store.server_settings.forget(GuildId(10))
    assert store.server_settings.get(GuildId(10)) == ServerSettings()
    assert outside.execute("SELECT * FROM server_settings").fetchall() == []
    assert await store.people.servers() == {}


async def test_cooldown_of_a_role_survives_a_restart_and_other_changes(
    store: Store, url: str, outside: sqlite3.Connection
) -> None:
    settings = store.server_settings
    await settings.choose(GuildId(10), A_SERVER)
    assert settings.role_free_at(GuildId(10), IN_NOVEMBER) is None
    await settings.note_role_invited(GuildId(10), IN_NOVEMBER)
    await settings.choose(GuildId(10), ServerSettings(invitation_cooldown_s=90))
    free = IN_NOVEMBER + timedelta(seconds=90)
    assert settings.role_free_at(GuildId(10), IN_NOVEMBER) == free
    assert settings.role_free_at(GuildId(10), free) is None
    again = await Store.open(url, LEDGER)
    assert again.server_settings.role_free_at(GuildId(10), IN_NOVEMBER) == free
    await again.close()
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        await settings.note_role_invited(GuildId(10), IN_NOVEMBER + timedelta(days=1))
    outside.rollback()
    assert settings.role_free_at(GuildId(10), IN_NOVEMBER) == free, (
        "what is not stored has not begun"
    )
    await settings.note_role_invited(GuildId(10), None)
    assert settings.role_free_at(GuildId(10), IN_NOVEMBER) is None, (
        "what is taken back has not begun"
    )
    await settings.note_role_invited(GuildId(10), IN_NOVEMBER)
    settings.forget(GuildId(10))
    assert settings.role_free_at(GuildId(10), IN_NOVEMBER) is None


async def test_failed_write_changes_nothing(store: Store, outside: sqlite3.Connection) -> None:
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        await store.server_settings.choose(GuildId(10), A_SERVER)
    outside.rollback()
    assert store.server_settings.get(GuildId(10)) == ServerSettings()
