"""Stored club events: optimistic changes, outdated messages, erasure."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.challenge_records import Challenge
from bot.club.settings import EventSettings, FormatName
from bot.club_records import ClubEventRecord, EventPerson, EventStatus, PersonNumber, StoredAction
from bot.ids import ChallengeId, ChannelId, ClubEventId, GuildId, MessageId, UserId, is_pseudonym
from bot.storage import StorageError, Store
from bot.storage.club_events import StoredEvent
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.forgotten_people import traces
from tests.bot.storage.samples import BIG_ID, NOON
from tests.bot.storage.test_forgetting import Rewriting

pytestmark = pytest.mark.usefixtures("one_thread")

ANN, BEN, CAI = UserId(BIG_ID), UserId(BIG_ID - 1), UserId(BIG_ID - 2)
SERVER, CHANNEL = GuildId(5), ChannelId(6)
NEW = ClubEventRecord(ClubEventId(0), SERVER, CHANNEL, ANN, NOON, '{"title": "Friday"}')
ONE, TWO = PersonNumber(1), PersonNumber(2)
BEN_IN = EventPerson(ONE, BEN, "Benedikta", 1500)
CAI_IN = EventPerson(TWO, CAI, "Cai", 1400)


def action(seq: int, actor_id: UserId | None = None) -> StoredAction:
    """Return an action with this number."""
    return StoredAction(seq, NOON + timedelta(seconds=seq), actor_id, f'{{"n": {seq}}}')


async def read(store: Store, event_id: ClubEventId) -> StoredEvent:
    """Return a stored event."""
    stored = await store.club_events.get(event_id)
    assert stored is not None
    return stored


async def joined(store: Store, new: ClubEventRecord = NEW) -> ClubEventRecord:
    """Store an event that Ben and Cai have joined, with a current message."""
    event = await store.club_events.create(new)
    actions = [action(1, BEN), action(2, CAI)]
    assert await store.club_events.append(
        event.id, 0, actions, people=[BEN_IN, CAI_IN], status="open"
    )
    await store.club_events.note_shown(event.id, MessageId(7), 2)
    return (await read(store, event.id)).record


async def test_an_event_is_read_as_it_was_stored(store: Store) -> None:
    event = await store.club_events.create(NEW)
    assert await read(store, event.id) == StoredEvent(NEW._replace(id=event.id), (), ())
    assert await store.club_events.append(
        event.id, 0, [action(1, BEN), action(2)], people=[BEN_IN], status="running"
    )
    await store.club_events.note_scheduled(event.id, BIG_ID)
    record = NEW._replace(id=event.id, status="running", seq=2, scheduled_id=BIG_ID)
    assert await read(store, event.id) == StoredEvent(
        record, (BEN_IN,), (action(1, BEN), action(2))
    )
    assert await store.club_events.get(ClubEventId(event.id + 1)) is None


async def test_one_of_two_appends_wins(file: Path) -> None:
    stores = [await open_store(file, busy_ms=PATIENT_MS) for _ in range(2)]
    event = await stores[0].club_events.create(NEW)
    people = BEN_IN, CAI_IN._replace(number=ONE)
    won = await asyncio.gather(
        *(
            store.club_events.append(
                event.id, 0, [action(1, who.user_id)], people=[who], status="open"
            )
            for store, who in zip(stores, people, strict=True)
        )
    )
    assert sorted(won) == [False, True]
    winner = people[won.index(True)]
    stored = await read(stores[0], event.id)
    assert (stored.people, stored.actions) == ((winner,), (action(1, winner.user_id),))
    for store in stores:
        await store.close()


async def test_a_failed_append_changes_nothing(file: Path) -> None:
    store = await open_store(file)
    event = await joined(store)
    before = await read(store, event.id)
    broken = StoredAction(4, NOON, None, "no JSON")
    with pytest.raises(StorageError):
        await store.club_events.append(
            event.id, 2, [action(3), broken], people=[BEN_IN._replace(name="Bee")], status="over"
        )
    await store.close()
    store = await open_store(file)
    assert await read(store, event.id) == before
    await store.close()


@pytest.mark.parametrize("organiser, events", [(ANN, 2), (UserId(-5), 1)])
async def test_next_event_is_stored_with_the_end_unless_its_organiser_was_erased(
    store: Store, organiser: UserId, events: int
) -> None:
    event = await joined(store, NEW._replace(organiser_id=organiser))
    for _ in range(2):  # the second attempt comes too late
        await store.club_events.append(
            event.id, 2, [action(3)], status="over", next_settings='{"title": "Next"}'
        )
    assert len(await store.club_events.ids()) == events
    stored = await store.club_events.get(ClubEventId(event.id + 1))
    if stored is not None:
        settings = '{"title": "Next"}'
        later = NEW._replace(id=stored.record.id, created_at=action(3).at, settings=settings)
        assert stored == StoredEvent(later, (), ())


async def test_people_keep_their_reminders(store: Store) -> None:
    event = await joined(store)
    assert await store.club_events.note_reminded(event.id, [ONE], 1) == {ONE}
    assert await store.club_events.note_reminded(event.id, [ONE, TWO], 1) == {TWO}
    assert await store.club_events.note_reminded(event.id, [ONE], 4) == {ONE}
    assert await store.club_events.note_reminded(event.id, [ONE], 1) == set()
    renamed = BEN_IN._replace(name="Bee", rating=1600)
    assert await store.club_events.append(
        event.id, 2, [action(3, BEN)], people=[renamed], status="open"
    )
    people = (await read(store, event.id)).people
    assert people == (renamed._replace(reminded=5), CAI_IN._replace(reminded=1))


async def test_pending_are_open_ones_and_outdated_messages(store: Store) -> None:
    event, over, quiet = (
        await joined(store),
        await joined(store),
        await store.club_events.create(NEW),
    )
    for each, seq in ((over, 2), (quiet, 0)):
        assert await store.club_events.append(each.id, seq, [action(seq + 1)], status="over")
    outdated = over._replace(status="over", seq=3)
    assert await store.club_events.pending() == [event, outdated]
    await store.club_events.note_shown(over.id, MessageId(7), 3)
    assert await store.club_events.pending() == [event]


async def test_events_of_a_server(store: Store) -> None:
    oldest, cancelled, newest = [await joined(store) for _ in range(3)]
    await joined(store, NEW._replace(guild_id=GuildId(9)))
    assert await store.club_events.append(cancelled.id, 2, [action(3)], status="cancelled")
    found = await store.club_events.of_guild(SERVER, most=5)
    assert [each.record.id for each in found] == [newest.id, oldest.id, cancelled.id]
    assert [len(each.people) for each in found] == [2, 2, 2]
    assert [len(each.actions) for each in found] == [2, 2, 3]
    assert len(await store.club_events.of_guild(SERVER, most=2)) == 2


async def test_finished_tournaments_are_those_that_were_played(store: Store) -> None:
    def settings(format_: FormatName) -> str:
        title = '"format":"game-night" 100%'
        return EventSettings(
            title=title, format=format_, dates=(NOON,), zone="UTC"
        ).model_dump_json()

    swiss, season, night = settings("swiss"), settings("league"), settings("game-night")
    for body, server in ((swiss, SERVER), (night, SERVER), (season, SERVER), (swiss, GuildId(9))):
        record = NEW._replace(settings=body, guild_id=server)
        await end(store, await store.club_events.create(record), "over")
    cancelled = await store.club_events.create(NEW._replace(settings=swiss))
    await end(store, cancelled, "cancelled")
    await store.club_events.create(NEW._replace(settings=swiss))
    for most, bodies in ((9, [season, swiss]), (1, [season])):
        found = await store.club_events.finished(SERVER, most=most)
        assert [each.record.settings for each in found] == bodies


async def end(store: Store, record: ClubEventRecord, status: EventStatus) -> None:
    """Store an action that ends an event."""
    assert await store.club_events.append(record.id, 0, [action(1)], status=status)


async def test_an_erased_person_leaves_a_pseudonym(store: Store, file: Path) -> None:
    event = await joined(store, NEW._replace(organiser_id=BEN))
    other = await joined(store, NEW._replace(organiser_id=CAI))
    known = await store.people.known(BEN)
    assert known is not None
    assert known.others == 5, "two sign-ups, two answers, and an event"
    assert await store.people.forget(BEN, Rewriting()) is not None
    assert await store.people.known(BEN) is None
    stored = await read(store, event.id)
    pseudonym = stored.record.organiser_id
    assert is_pseudonym(pseudonym)
    assert stored.people == (EventPerson(ONE, pseudonym, "", 1500), CAI_IN)
    assert [each.actor_id for each in stored.actions] == [pseudonym, CAI]
    assert stored.record.shown < 0, "the message still has the name"
    assert [each.shown for each in await store.club_events.pending()] == [-1, -1]
    assert (await read(store, other.id)).record.organiser_id == CAI
    await store.people.sweep()
    assert traces(file, BEN, BEN_IN.name) == []


async def test_an_event_elsewhere_keeps_people_of_an_erased_server(store: Store) -> None:
    played = Challenge(ChallengeId(0), ANN, BEN, SERVER, CHANNEL, "offered", NOON)
    await store.challenges.add(played, ["00"])
    await store.challenges.add(played._replace(challenged=UserId(4)), ["00"])
    await joined(store, NEW._replace(guild_id=GuildId(9)))
    await store.people.forget_server(SERVER)
    assert await store.people.users_of_erased_servers(9) == [4], "Ann announced it, Ben joined it"


async def test_an_erased_server_is_deleted_with_its_events(store: Store, file: Path) -> None:
    event = await joined(store)
    elsewhere = await joined(store, NEW._replace(guild_id=GuildId(9)))
    assert (await store.people.servers()).keys() == {SERVER, GuildId(9)}
    await store.club_events.draw_deals(event.id, 1, 1, lambda: b"gone" * 8)
    kept = await store.club_events.draw_deals(elsewhere.id, 1, 1, lambda: b"kept" * 8)
    await store.people.forget_server(SERVER)
    assert await store.club_events.get(event.id) is None
    assert (await read(store, elsewhere.id)).record == elsewhere
    drawn = await store.club_events.draw_deals(elsewhere.id, 1, 1, lambda: b"else" * 8)
    assert drawn == kept
    assert (await store.people.servers()).keys() == {GuildId(9)}
    again = await store.club_events.create(NEW)
    assert again.id > elsewhere.id
