"""Store of reminders: people whose reminder is due, and marks of sent ones."""

from __future__ import annotations

from datetime import date

import pytest

from bot.boards.board import Board
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.storage import Store
from bot.storage.reminders import ReminderTime
from tests.bot.solo_rounds import stored_round
from tests.bot.states import NOON

pytestmark = pytest.mark.usefixtures("one_thread")

SIX = ReminderTime("Europe/Berlin", 18 * 60)
TODAY, TOMORROW = date(2031, 11, 12), date(2031, 11, 13)


async def wants(store: Store, user_id: int, minute: int | None = SIX.minute) -> None:
    """Store that a person wants a reminder at this time in Berlin, or none."""
    chosen = PersonalSettings(zone=SIX.zone, daily_reminder=minute)
    await store.personal_settings.choose(UserId(user_id), chosen)


async def test_each_time_is_returned_once(store: Store) -> None:
    for user_id, minute in ((1, SIX.minute), (2, SIX.minute), (3, None), (4, 60)):
        await wants(store, user_id, minute)
    assert set(await store.reminders.times()) == {SIX, ReminderTime(SIX.zone, 60)}
    assert len(await store.reminders.times()) == 2


async def test_one_person_is_marked_once_for_each_deal(store: Store) -> None:
    await wants(store, 1)
    await wants(store, 2)
    assert await store.reminders.people(SIX, TODAY) == [1, 2]
    assert await store.reminders.mark(UserId(1), SIX, TODAY)
    assert not await store.reminders.mark(UserId(1), SIX, TODAY)
    assert await store.reminders.people(SIX, TODAY) == [2]
    assert await store.reminders.people(SIX, TOMORROW) == [1, 2]
    assert await store.reminders.mark(UserId(1), SIX, TOMORROW)
    assert not await store.reminders.mark(UserId(1), SIX, TODAY), "nor for an earlier one"


async def test_mark_needs_the_same_choice(store: Store) -> None:
    await wants(store, 1, 60)
    assert not await store.reminders.mark(UserId(1), SIX, TODAY)
    await wants(store, 1, None)
    assert not await store.reminders.mark(UserId(1), ReminderTime(SIX.zone, 60), TODAY)


async def test_later_choices_keep_the_mark(store: Store) -> None:
    await wants(store, 1)
    await store.reminders.mark(UserId(1), SIX, TODAY)
    await wants(store, 1, None)
    await wants(store, 1)
    assert await store.reminders.people(SIX, TODAY) == []
    await store.reminders.unmark(UserId(1), TOMORROW)
    assert await store.reminders.people(SIX, TODAY) == [], "that of another day"
    await store.reminders.unmark(UserId(1), TODAY)
    assert await store.reminders.people(SIX, TODAY) == [1]


async def test_who_has_begun_the_deal_is_not_reminded(store: Store) -> None:
    await wants(store, 1)
    await store.boards.draw_days([TODAY, TOMORROW], lambda: "00" * 32)
    for record in await store.boards.days(TODAY, TOMORROW):
        await stored_round(store, Board.of(record), UserId(2), NOON)
    yesterdays, todays = map(Board.of, await store.boards.days(TODAY, TOMORROW))
    await stored_round(store, todays, UserId(1), NOON, practice=True)
    await stored_round(store, yesterdays, UserId(1), NOON, over=False)
    assert await store.reminders.people(SIX, TODAY) == []
    assert not await store.reminders.mark(UserId(1), SIX, TODAY)
    assert await store.reminders.people(SIX, TOMORROW) == [1]
    assert await store.reminders.mark(UserId(1), SIX, TOMORROW)


async def test_refusal_turns_the_reminder_off_until_the_next_choice(store: Store) -> None:
    await wants(store, 1)
    await store.personal_settings.refuse_reminder(UserId(1))
    refused = PersonalSettings(zone=SIX.zone, reminder_refused=True)
    assert await store.personal_settings.get(UserId(1)) == refused
    assert await store.personal_settings.get(UserId(1), fresh=True) == refused
    assert await store.reminders.times() == []
    await store.personal_settings.refuse_reminder(UserId(2))
    assert await store.personal_settings.get(UserId(2)) == PersonalSettings()


@pytest.mark.parametrize("nudge_way", ["direct", "mention"])
async def test_language_is_kept_only_for_direct_messages(store: Store, nudge_way: str) -> None:
    chosen = PersonalSettings(nudge_way=nudge_way, daily_reminder=60)  # type: ignore[arg-type]
    await store.personal_settings.choose(UserId(1), chosen)
    await store.personal_settings.note_language(UserId(1), "de")
    for fresh in (False, True):
        assert (await store.personal_settings.get(UserId(1), fresh=fresh)).seen_language == "de"
    await store.personal_settings.refuse_reminder(UserId(1))
    seen = (await store.personal_settings.get(UserId(1))).seen_language
    assert seen == ("de" if nudge_way == "direct" else None)
