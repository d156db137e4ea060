"""Reviewed rounds by person, server and game, and the people who compare them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.ids import TableId, UserId
from bot.records import PersonalSettings, ReviewRecord
from bot.score_records import Preferences
from bot.storage import Store
from tests.bot.played import ADA, BEN, CAI, DAN, EVENING, GUILD, Evening, Sketch
from tests.bot.storage.test_forgetting import Rewriting

pytestmark = pytest.mark.usefixtures("one_thread")

COMPARES = PersonalSettings(accuracy=True, accuracy_compared=True)


async def reviewed(
    store: Store, rounds: int, *people: UserId, day: int = 0, variant: str = "nanjing"
) -> None:
    """Store a match and reviews of its rounds for these people, the last round reviewed first."""
    evening = Evening(
        [Sketch((60, 40))] * rounds, at=EVENING + timedelta(days=day), variant=variant
    )
    table_id = TableId(await evening.store(store))
    for user_id in people:
        for number in range(rounds, 0, -1):
            record = ReviewRecord(
                table_id=table_id,
                number=number,
                seat=evening.people.index(user_id),
                user_id=user_id,
                version=1,
                made_at=EVENING,
                body=f'{{"judged": [], "day": {day}, "number": {number}}}',
            )
            await store.coach.keep(record)


async def test_returns_the_last_rounds_of_each_person(store: Store) -> None:
    await reviewed(store, 3, ADA, BEN, day=1)
    await reviewed(store, 2, ADA)
    await reviewed(store, 1, ADA, day=2, variant="trichu")
    found = await store.accuracy.rounds_of(GUILD, "nanjing", [ADA, BEN, CAI], 4)
    assert [each.user_id for each in found] == [ADA] * 4 + [BEN] * 3
    ended = [each.ended_at for each in found[:4]]
    assert ended == sorted(ended, reverse=True)
    assert '"day": 0, "number": 2' in found[3].body
    assert "judged" not in repr(found[0])
    assert await store.accuracy.rounds_of(GUILD, "nanjing", [], 4) == []

    await store.people.forget(ADA, Rewriting())
    assert await store.accuracy.rounds_of(GUILD, "nanjing", [ADA], 4) == []


async def test_people_compare_only_with_consent_and_enough_rounds(store: Store) -> None:
    await reviewed(store, 2, ADA, BEN, CAI, DAN)
    await reviewed(store, 1, ADA, BEN, day=1)
    chosen = {
        ADA: COMPARES,
        BEN: COMPARES,
        CAI: COMPARES,
        DAN: PersonalSettings(accuracy=True),
    }
    for user_id, settings in chosen.items():
        await store.personal_settings.choose(user_id, settings)
    assert await store.accuracy.comparing(GUILD, "nanjing", 2) == [ADA, BEN, CAI]
    assert await store.accuracy.comparing(GUILD, "nanjing", 3) == [ADA, BEN]
    await store.preferences.choose(BEN, Preferences(hidden=True))
    await store.preferences.choose(ADA, Preferences(worldwide=True), "Ada")
    assert await store.accuracy.comparing(GUILD, "nanjing", 3) == [ADA]
    assert await store.accuracy.comparing(GUILD, "trichu", 1) == []
