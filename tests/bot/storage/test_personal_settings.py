"""What people chose about their own game; which servers are to be honoured for which season."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from bot.rating.ledger import LEDGER
from bot.rating.tallies import last_season, season_of, span_of
from bot.records import PersonalSettings, ServerSettings
from bot.score_records import Amount, Preferences
from bot.storage import StorageUnavailable, Store
from bot.storage import personal_settings as storage_settings
from tests.bot.won_matches import play

pytestmark = pytest.mark.usefixtures("one_thread")

OCTOBER, NOVEMBER = "2031-10", "2031-11"
IN_NOVEMBER = datetime(2031, 11, 12, 12, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


ALL_CHOSEN = PersonalSettings(
    cards_as_text=True,
    sorting="combination",
    auto_pass=True,
    more_time=True,
    call="direct",
    invitations=False,
    zone="Europe/Berlin",
    language="pt_BR",
    seen_language="es-419",
    quiet=(22 * 60, 7 * 60),
)
A_SERVER = ServerSettings(
    channels=(2**62, 5),
    defaults={"variant": "trichu", "turn_limit_s": "60"},
    computers=2,
    threads=True,
    pictures=False,
    hints=False,
    opener_role_id=2**62 + 1,
    tables_each=1,
    turn_based_each=3,
    invitation_role_id=7,
    invitation_cooldown_s=60,
    nudge_s=20,
    language="de",
)


async def test_what_somebody_chose_about_their_game_is_kept(store: Store, url: str) -> None:
    assert await store.settings.personal(1) == PersonalSettings()
    await store.settings.choose_personal(1, ALL_CHOSEN)
    await store.settings.choose(1, Preferences(hidden=True))
    assert await store.settings.personal(1) == ALL_CHOSEN
    again = await Store.open(url, LEDGER)
    assert again.settings.remembered(1) == PersonalSettings(), "not read yet"
    assert await again.settings.personal(1) == again.settings.remembered(1) == ALL_CHOSEN
    assert await again.settings.preferences(1) == Preferences(hidden=True)
    assert await again.settings.personal(2) == PersonalSettings()
    await again.close()


async def test_what_a_server_chose_is_kept_until_it_is_forgotten(
    store: Store, url: str, outside: sqlite3.Connection
) -> None:
    """It can be asked at any moment without waiting, also after a start."""
    assert store.settings.server(10) == ServerSettings()
    await store.settings.choose_server(10, ServerSettings(nudge_s=600))
    await store.settings.choose_server(10, A_SERVER)
    assert store.settings.server(10) == A_SERVER
    again = await Store.open(url, LEDGER)
    assert again.settings.server(10) == A_SERVER
    assert again.settings.server(11) == ServerSettings()
    await again.close()
    assert await store.people.servers() == {10: None}
    await store.people.forget_server(10)
    store.settings.forget_server(10)
    assert store.settings.server(10) == ServerSettings()
    assert outside.execute("SELECT * FROM server_settings").fetchall() == []
    assert await store.people.servers() == {}


async def test_the_cooldown_of_a_role_outlives_a_start_and_other_settings(
    store: Store, url: str, outside: sqlite3.Connection
) -> None:
    await store.settings.choose_server(10, A_SERVER)
    assert store.settings.role_free_at(10, IN_NOVEMBER) is None
    await store.settings.note_role_invited(10, IN_NOVEMBER)
    await store.settings.choose_server(10, ServerSettings(invitation_cooldown_s=90))
    free = IN_NOVEMBER + timedelta(seconds=90)
    assert store.settings.role_free_at(10, IN_NOVEMBER) == free
    assert store.settings.role_free_at(10, free) is None
    again = await Store.open(url, LEDGER)
    assert again.settings.role_free_at(10, IN_NOVEMBER) == free
    await again.close()
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        await store.settings.note_role_invited(10, IN_NOVEMBER + timedelta(days=1))
    outside.rollback()
    assert store.settings.role_free_at(10, IN_NOVEMBER) == free, "what is not stored has not begun"
    await store.settings.note_role_invited(10, None)
    assert store.settings.role_free_at(10, IN_NOVEMBER) is None, "what is taken back has not begun"
    await store.settings.note_role_invited(10, IN_NOVEMBER)
    store.settings.forget_server(10)
    assert store.settings.role_free_at(10, IN_NOVEMBER) is None


async def test_only_the_last_ones_asked_for_stay_in_memory(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_settings, "MOST_REMEMBERED", 2)
    for user_id in (1, 2):
        await store.settings.choose_personal(user_id, ALL_CHOSEN)
    await store.settings.personal(1)
    await store.settings.personal(3)
    found = [store.settings.remembered(user_id) for user_id in (1, 2)]
    assert found == [ALL_CHOSEN, PersonalSettings()]
    assert await store.settings.personal(2) == ALL_CHOSEN


async def test_what_could_not_be_stored_is_not_remembered(
    store: Store, outside: sqlite3.Connection
) -> None:
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        await store.settings.choose_personal(1, ALL_CHOSEN)
    with pytest.raises(StorageUnavailable):
        await store.settings.choose_server(10, A_SERVER)
    outside.rollback()
    assert store.settings.server(10) == ServerSettings()
    assert store.settings.remembered(1) == PersonalSettings()
    assert await store.settings.personal(1) == PersonalSettings()


async def test_who_cannot_be_written_to_is_mentioned_unless_they_chose_otherwise(
    store: Store, url: str
) -> None:
    settings, direct = store.settings, ALL_CHOSEN.model_copy(update={"call": "direct"})
    silent = direct.model_copy(update={"call": "none"})
    for user_id, chosen in ((1, direct), (2, silent), (3, direct)):
        await settings.choose_personal(user_id, chosen)
    settings.forget(3)  # as if they had not been asked for lately
    for user_id in (1, 2, 3):
        await settings.mention_from_now_on(user_id)
    again = await Store.open(url, LEDGER)
    mentioned = direct.model_copy(update={"call": "mention", "seen_language": None})
    for kept in (settings, again.settings):
        assert [await kept.personal(user) for user in (1, 2, 3)] == [mentioned, silent, mentioned]
    await again.close()


async def test_a_choice_made_while_the_old_one_is_read_wins(store: Store) -> None:
    read, _ = await asyncio.gather(
        store.settings.personal(1), store.settings.choose_personal(1, ALL_CHOSEN)
    )
    assert read in (PersonalSettings(), ALL_CHOSEN)
    assert store.settings.remembered(1) == ALL_CHOSEN


@pytest.mark.parametrize("season", ["2026-11", "2026-12", "2027-01", "2028-02"])
def test_a_season_is_a_calendar_month(season: str) -> None:
    begin, end = span_of(season)
    assert season_of(begin) == season_of(end - MOMENT) == season
    assert season_of(begin - MOMENT) < season < season_of(end)
    assert (begin.day, begin.hour, end.day, end.hour) == (1, 0, 1, 0)
    assert last_season(end) == season
    assert last_season(end - MOMENT) == season_of(begin - MOMENT)


async def test_a_server_is_honoured_once_for_each_season(store: Store) -> None:
    await store.settings.choose_honours_channel(10, 77, last_season(IN_NOVEMBER))
    assert await store.settings.honours_channel(10) == 77
    assert await store.settings.servers_to_honour(NOVEMBER) == {10: 77}
    assert await store.settings.mark_honoured(10, NOVEMBER)
    assert not await store.settings.mark_honoured(10, NOVEMBER)
    assert not await store.settings.mark_honoured(10, OCTOBER)
    assert await store.settings.servers_to_honour(NOVEMBER) == {}
    assert await store.settings.servers_to_honour("2031-12") == {10: 77}


async def test_a_season_that_was_over_before_the_choice_is_not_honoured(store: Store) -> None:
    await store.settings.choose_honours_channel(10, 77, last_season(IN_NOVEMBER))
    assert await store.settings.servers_to_honour(OCTOBER) == {}
    await store.settings.choose_honours_channel(10, None, last_season(IN_NOVEMBER))
    assert await store.settings.honours_channel(10) is None
    assert await store.settings.servers_to_honour(NOVEMBER) == {}
    later = IN_NOVEMBER + timedelta(days=30)
    await store.settings.choose_honours_channel(10, 78, last_season(later))
    assert await store.settings.servers_to_honour(NOVEMBER) == {}
    assert await store.settings.servers_to_honour("2031-12") == {10: 78}


async def test_another_channel_can_still_get_what_the_first_one_did_not_take(store: Store) -> None:
    await store.settings.choose_honours_channel(10, 77, last_season(IN_NOVEMBER))
    await store.settings.choose_honours_channel(11, 80, last_season(IN_NOVEMBER))
    for guild_id in (10, 11):
        assert await store.settings.mark_honoured(guild_id, NOVEMBER)
    await store.settings.unmark_honoured(10, NOVEMBER)
    assert await store.settings.servers_to_honour(NOVEMBER) == {10: 77}
    await store.settings.choose_honours_channel(
        10, 78, last_season(IN_NOVEMBER + timedelta(days=30))
    )
    assert await store.settings.servers_to_honour(NOVEMBER) == {10: 78}
    assert await store.settings.mark_honoured(10, NOVEMBER)


async def test_nobody_has_chosen_anything(store: Store) -> None:
    assert await store.settings.honours_channel(10) is None
    assert await store.settings.servers_to_honour(NOVEMBER) == {}
    assert not await store.settings.mark_honoured(10, NOVEMBER)
    assert await store.history.amounts(10, *span_of(NOVEMBER)) == {}


async def test_what_was_played_is_counted_by_game_server_and_month(store: Store) -> None:
    begin, end = span_of(NOVEMBER)
    await play(store, 10, begin, [1, 2], [3, 4], rounds=3)
    await play(store, 10, end - MOMENT, [1, None], [None, None], rounds=2)
    await play(store, 10, IN_NOVEMBER, [1, 2, 3], [4, 5, 6], variant="tientsin", rounds=1)
    await play(store, 10, begin - MOMENT, [1, 2], [3, 4], rounds=5)
    await play(store, 10, end, [1, 2], [3, 4], rounds=7)
    await play(store, 11, IN_NOVEMBER, [1, 2], [3, 4], rounds=9)
    await play(store, 10, IN_NOVEMBER, [1, 2], [3, 4], rounds=4, stopped=True)
    assert await store.history.amounts(10, *span_of(NOVEMBER)) == {
        "nanjing": Amount(rounds=9, matches=2),
        "tientsin": Amount(rounds=1, matches=1),
    }
    assert await store.history.amounts(10, *span_of(OCTOBER)) == {
        "nanjing": Amount(rounds=5, matches=1)
    }
