"""Game nights: answers, reminders, draws, tables and results, also over restarts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.club import rules
from bot.club.actions import Action
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.rules import LATEST, REMIND_BEFORE
from bot.errors import Reason, Refused
from bot.ids import ClubEventId, GuildId, UserId
from bot.live.club_events import LOOK_EVERY, MOST_OPEN, RETRY
from bot.live.events import EventPlaceDue
from bot.records import PersonalSettings
from bot.runtime.shards import Shards
from bot.storage import StorageUnavailable
from bot.storage.club_events import ClubEventStore
from bot.table.options import TableOptions
from bot.table.state import Game
from tests.bot.live.club_nights import BEGIN, MINUTE, ORGANISER, WEEK, ClubWorld
from tests.bot.live.kills import until_finished
from tests.bot.states import CHANNEL, GUILD

pytestmark = pytest.mark.usefixtures("one_thread")


def _cancel(event: ClubEvent, _: datetime) -> list[Action]:
    return rules.cancel(event)


ADA, BEN, CLEO, DAN = (UserId(101 + number) for number in range(4))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[ClubWorld]:
    world = ClubWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


# --- announcement and answers ----------------------------------------------------------------


async def test_stores_an_event_and_its_answers(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1)
    await world.answer(event, "maybe", 1)
    stored = await world.event()
    assert [stored.people[each].user_id for each in stored.answered("yes")] == [ADA]
    assert [stored.people[each].name for each in stored.answered("maybe")] == ["Ben"]
    assert (stored.guild_id, stored.channel_id, stored.organiser_id) == (GUILD, CHANNEL, ORGANISER)
    assert world.changed == [event.id] * 4


async def test_knows_only_events_of_the_same_server(world: ClubWorld) -> None:
    event = await world.announced()
    for event_id, guild_id in ((event.id, GuildId(1)), (ClubEventId(99), GUILD)):
        with pytest.raises(Refused) as refused:
            await world.tables.club_events.get(event_id, guild_id)
        assert refused.value.code == Reason.NO_SUCH_EVENT


async def test_server_may_have_so_many_open_events(world: ClubWorld) -> None:
    events = [await world.announced() for _ in range(MOST_OPEN)]
    with pytest.raises(Refused) as refused:
        await world.announced()
    assert refused.value.code == Reason.MANY_EVENTS
    await world.tables.club_events.manage(events[0].id, GUILD, ORGANISER, _cancel, may_manage=False)
    await world.announced()


async def test_people_meet_live_for_a_game_night(world: ClubWorld) -> None:
    event = await world.announced(options=TableOptions(turn_limit_s=8 * 3600))
    assert not event.settings.options.turn_based


async def test_only_the_organiser_and_moderators_manage_an_event(world: ClubWorld) -> None:
    event, club = await world.announced(), world.tables.club_events
    await world.answer(event, "yes", 0)
    with pytest.raises(Refused) as refused:
        await club.manage(event.id, GUILD, ADA, _cancel, may_manage=False)
    assert refused.value.code == Reason.ORGANISER_ONLY
    assert (await club.manage(event.id, GUILD, ADA, _cancel, may_manage=True)).status == "cancelled"


async def test_answers_at_the_same_time_are_all_stored_at_once(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, attempts, append = await world.announced(), list[int](), ClubEventStore.append

    async def counted(self: ClubEventStore, *args: Any, **given: Any) -> bool:
        attempts.append(1)
        return await append(self, *args, **given)

    monkeypatch.setattr(ClubEventStore, "append", counted)
    await asyncio.gather(*(world.answer(event, "yes", number) for number in range(8)))
    assert len((await world.event()).answered("yes")) == 8
    assert len(attempts) == 8


# --- reminders ---------------------------------------------------------------------------------


async def test_reminds_everybody_once_in_their_way(world: ClubWorld) -> None:
    quiet = PersonalSettings(zone="UTC", quiet=(17 * 60, 19 * 60))
    for user_id, settings in (
        (BEN, PersonalSettings(nudge_way="direct")),
        (CLEO, PersonalSettings(nudge_way="none")),
        (DAN, quiet),
    ):
        await world.store.personal_settings.choose(user_id, settings)
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2, 3)
    await world.answer(event, "maybe", 4)
    await world.answer(event, "substitute", 5)
    await world.answer(event, "no", 6)
    await world.until(BEGIN - REMIND_BEFORE - MINUTE)
    assert world.reminders == []
    await world.until(BEGIN - REMIND_BEFORE)
    eve, finn = UserId(105), UserId(106)
    assert world.reminders == [((ADA, eve, finn), (BEN,))]
    await world.answer(event, "yes", 7)
    await world.reopen()
    await world.until(BEGIN - MINUTE)
    assert len(world.reminders) == 1, "nobody twice, and nobody who has just answered"


async def test_chooses_the_date_with_most_people_and_reminds_then(world: ClubWorld) -> None:
    event = await world.announced(BEGIN, BEGIN + timedelta(days=1))
    await world.answer(event, "yes", 0, 1)
    await world.answer(event, "yes", 1, 2, 3, date=1)
    await world.until(BEGIN - REMIND_BEFORE)
    assert (await world.event()).date == 1
    assert world.reminders == []
    await world.until(BEGIN + timedelta(days=1) - REMIND_BEFORE)
    assert world.reminders == [((BEN, CLEO, DAN), ())]
    await world.until(BEGIN + timedelta(days=1))
    (table,) = world.of_event()
    assert set(table.user_ids()) == {BEN, CLEO, DAN}


async def test_reminds_of_each_date_once(world: ClubWorld) -> None:
    later = BEGIN + timedelta(minutes=10)
    event = await world.announced(BEGIN, later)
    for date in (0, 1):
        await world.answer(event, "yes", 0, date=date)

    async def choose(date: int) -> None:
        await world.tables.club_events.manage(
            event.id,
            GUILD,
            ORGANISER,
            lambda event, now: rules.choose_date(event, date, now),
            may_manage=False,
        )
        await world.quiet()

    await choose(0)
    await world.until(BEGIN - MINUTE)
    assert len(world.reminders) == 1
    await choose(1)
    assert len(world.reminders) == 2, "that begins soon, too"
    await choose(0)
    await choose(1)
    await world.until(later)
    assert len(world.reminders) == 2


# --- draw and tables ---------------------------------------------------------------------------


async def test_opens_a_table_for_four_people_each_at_the_time(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", *range(6))
    await world.answer(event, "substitute", 6)
    await world.until(BEGIN - MINUTE)
    assert world.of_event() == []
    await world.until(BEGIN)
    first, second = world.of_event()
    assert (len(first.user_ids()), len(second.user_ids())) == (4, 3)
    assert {*first.user_ids(), *second.user_ids()} == {UserId(101 + each) for each in range(7)}
    assert [table.channel_id for table in (first, second)] == [
        place.channel_id for place in world.threads
    ]
    assert {first.parent_channel_id, second.parent_channel_id} == {CHANNEL}
    event = await world.event()
    assert event.round is not None
    assert [match.table_id for match in event.round.matches] == [first.id, second.id]
    for match, table in zip(event.round.matches, (first, second), strict=True):
        for side, team in zip(match.sides, table.options.teams, strict=True):
            people = [event.people[event.entrants[number - 1].people[0]] for number in side]
            seated = [table.chairs[seat].user_id for seat in team[: len(people)]]
            assert seated == [person.user_id for person in people]


async def test_plays_a_night_to_its_results(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", *range(5))
    await world.until(BEGIN)
    first, second = world.of_event()
    await world.come(first)
    await world.come(second)
    assert all(isinstance(world.tables.get(each.id), Game) for each in (first, second))
    await until_finished(world, first.id)
    await world.quiet()
    event = await world.event()
    assert event.round is not None
    match = event.round.matches[0]
    record = await world.store.history.match(first.id)
    assert record is not None
    winners = {seat.user_id for seat in record.seats if seat.won}
    assert match.result is not None
    assert match.result.ending == "played"
    assert match.result.totals == tuple(score.total for score in record.scores)
    assert match.result.winner is not None
    side = match.sides[match.result.winner]
    won = {event.people[event.entrants[number - 1].people[0]].user_id for number in side}
    assert won <= winners
    assert event.status == "running"
    await world.stop(second.id)
    event = await world.event()
    assert event.round is not None
    result = event.round.matches[1].result
    assert result is not None
    assert (result.ending, result.winner, event.status) == ("void", None, "over")
    assert world.changed[-1] == event.id


async def test_nobody_in_cancels_the_night(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "maybe", 0)
    await world.until(BEGIN)
    assert ((await world.event()).status, world.threads) == ("cancelled", [])


async def test_people_who_do_not_come_end_the_night(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1)
    await world.until(BEGIN + 6 * MINUTE)
    event = await world.event()
    assert event.round is not None
    assert (event.status, event.round.matches[0].result) == ("over", Result("void"))


async def test_organiser_begins_before_the_time(world: ClubWorld) -> None:
    event = await world.announced(BEGIN, BEGIN + WEEK)
    await world.answer(event, "yes", 0, 1, 2, 3, date=1)
    await world.tables.club_events.begin_now(event.id, GUILD, ORGANISER, may_manage=False)
    await world.quiet()
    assert len(world.of_event()) == 1
    with pytest.raises(Refused) as refused:
        await world.tables.club_events.begin_now(event.id, GUILD, ORGANISER, may_manage=False)
    assert refused.value.code == Reason.EVENT_DRAWN


async def test_draws_again_until_a_match_has_begun(world: ClubWorld) -> None:
    event, club = await world.announced(), world.tables.club_events
    await world.answer(event, "yes", *range(8))
    await world.until(BEGIN)
    before = [table.id for table in world.of_event()]
    await club.draw_again(event.id, GUILD, ORGANISER, may_manage=False)
    await world.quiet()
    after = world.of_event()
    assert len(after) == 2
    assert not {table.id for table in after} & set(before)
    for table_id in before:
        record = await world.store.tables.get(table_id)
        assert record is not None
        assert record.status == "stopped"
    event = await world.event()
    assert event.round is not None
    assert all(match.result is None for match in event.round.matches), "the old ones do not count"
    await world.come(after[0])
    with pytest.raises(Refused) as refused:
        await club.draw_again(event.id, GUILD, ORGANISER, may_manage=False)
    assert refused.value.code == Reason.EVENT_BEGUN


async def test_match_that_begins_during_another_draw_counts(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, club = await world.announced(), world.tables.club_events
    await world.answer(event, "yes", *range(8))
    await world.until(BEGIN)
    before = await world.event()
    tables = world.of_event()
    world.come_meanwhile(tables[1], monkeypatch)
    await club.draw_again(event.id, GUILD, ORGANISER, may_manage=False)
    await world.quiet()
    event = await world.event()
    assert [each.people for each in event.entrants] == [each.people for each in before.entrants]
    first, second = event.rounds[0].matches
    assert (first.sides, second.sides) == tuple(each.sides for each in before.rounds[0].matches)
    assert second.table_id == tables[1].id
    assert {each.id for each in world.of_event()} == {first.table_id, second.table_id}
    await world.stop(tables[1].id)
    assert (await world.event()).rounds[0].matches[1].result is not None


async def test_cancelled_night_closes_its_lobbies_and_lets_matches_go_on(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", *range(8))
    await world.until(BEGIN)
    first, second = world.of_event()
    await world.come(first)
    await world.tables.club_events.manage(event.id, GUILD, ORGANISER, _cancel, may_manage=False)
    await world.quiet()
    assert [table.id for table in world.of_event()] == [first.id]
    await world.stop(first.id)
    event = await world.event()
    assert event.round is not None
    assert [match.result for match in event.round.matches] == [None, None]
    assert second.id != first.id


async def test_lobbies_of_a_cancelled_night_are_closed_after_a_kill(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2, 3)
    await world.until(BEGIN)
    await world.tables.club_events.manage(event.id, GUILD, ORGANISER, _cancel, may_manage=False)
    await world.close()
    await world.open()
    assert world.of_event() == []


async def test_failing_threads_are_opened_again_and_given_up_after_an_hour(
    world: ClubWorld, caplog: pytest.LogCaptureFixture
) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2, 3)
    world.failure = Refused(Reason.PERMISSIONS)
    await world.until(BEGIN)
    assert "event 1: not done yet: permissions" in caplog.text
    world.failure = None
    await world.run(RETRY.total_seconds())
    assert len(world.of_event()) == 1
    later = BEGIN + timedelta(hours=3)
    again = await world.announced(later)
    await world.answer(again, "yes", 0)
    world.failure = Refused(Reason.PERMISSIONS)
    await world.until(later + LATEST + 2 * RETRY)
    assert (await world.event(again.id)).status == "over"


async def test_a_table_that_cannot_be_opened_does_not_delay_the_others(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", *range(5))
    world.failure, world.failing = Refused(Reason.PERMISSIONS), range(1)
    await world.until(BEGIN)
    assert [match.table_id for match in (await world.event()).rounds[0].matches] == [None, 1]
    world.failure = None
    await world.run(RETRY.total_seconds())
    assert len(world.of_event()) == 2


async def test_lobby_of_a_deleted_thread_opens_again(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2, 3)
    await world.until(BEGIN)
    (lobby,) = world.of_event()
    await world.tables.channels.close_table(lobby.id)
    await world.quiet()
    (again,) = world.of_event()
    assert again.channel_id != lobby.channel_id
    assert again.user_ids() == lobby.user_ids()


async def test_unused_thread_is_reported(world: ClubWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2, 3)

    async def unavailable(*_: object) -> None:
        raise StorageUnavailable("locked")

    with monkeypatch.context() as patch:
        patch.setattr(type(world.store.tables), "create", unavailable)
        await world.until(BEGIN)
    assert world.unused == world.threads
    await world.run(RETRY.total_seconds())
    assert len(world.of_event()) == 1


# --- restarts ----------------------------------------------------------------------------------


async def test_table_is_not_opened_twice(world: ClubWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill between opening a table and storing that leaves one table."""
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2, 3)
    append = ClubEventStore.append

    async def killed(store: ClubEventStore, *args: object, **given: object) -> bool:
        if world.of_event():
            raise StorageUnavailable("killed")
        return await append(store, *args, **given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(ClubEventStore, "append", killed)
        await world.until(BEGIN)
        (table,) = world.of_event()
        await world.reopen()
    await world.run(LOOK_EVERY.total_seconds() / 5)
    await world.reopen()
    assert [each.id for each in world.of_event()] == [table.id]
    event = await world.event()
    assert event.round is not None
    assert event.round.matches[0].table_id == table.id


async def test_due_events_begin_after_a_restart_unless_it_is_too_late(world: ClubWorld) -> None:
    for _ in range(2):
        event = await world.announced()
        await world.answer(event, "yes", 0, 1)
    await world.close()
    world.time.jump(BEGIN + LATEST - MINUTE)
    await world.open()
    assert len(world.of_event()) == 2
    late = await world.announced(BEGIN + WEEK)
    await world.answer(late, "yes", 0, 1)
    await world.close()
    world.time.jump(BEGIN + WEEK + LATEST + MINUTE)
    await world.open()
    assert (await world.event(late.id)).status == "over"
    assert (await world.event(late.id)).rounds == ()


async def test_ends_during_a_restart_are_noted(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1)
    await world.until(BEGIN)
    (table,) = world.of_event()
    await world.come(table)
    world.tables.club_events.close()
    await world.tables.channels.close_table(table.id)
    assert (await world.event()).status == "running", "nothing was dispatched"
    await world.reopen()
    assert (await world.event()).status == "over"


# --- several processes and erasure -------------------------------------------------------------


async def test_leaves_servers_of_other_processes_alone(tmp_path: Path) -> None:
    own = Shards((0,), 2).of(GUILD)
    world = ClubWorld(tmp_path, shards=Shards((own,), 2))
    world.lease_s = 3600.0  # thousands of renewals until the event begins would take seconds
    await world.open()
    event = await world.announced()
    await world.answer(event, "yes", 0, 1)
    await world.close()
    world.shards = Shards((1 - own,), 2)
    await world.open()
    world.changed.clear()
    await world.until(BEGIN + MINUTE)
    assert (world.reminders, world.threads, world.changed) == ([], [], [])
    await world.close()
    world.shards = Shards((own,), 2)
    await world.open()
    await world.run(1)
    assert len(world.of_event()) == 1
    await world.close()


async def test_erased_people_get_no_seat_and_no_reminder(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2)
    world.changed.clear()
    await world.tables.forgetting.forget(BEN)
    await world.quiet()
    assert world.changed == [event.id], "the message had their name"
    await world.until(BEGIN)
    assert world.reminders == [((ADA, CLEO), ())]
    (table,) = world.of_event()
    assert set(table.user_ids()) == {ADA, CLEO}


async def test_person_erased_while_a_thread_opens_gets_no_seat(world: ClubWorld) -> None:
    event = await world.announced()
    await world.answer(event, "yes", 0, 1, 2)
    erasing = set[asyncio.Task[bool]]()

    def erase(_: EventPlaceDue) -> None:
        erasing.add(asyncio.create_task(world.tables.forgetting.forget(BEN)))

    world.events.subscribe(EventPlaceDue, erase)
    await world.until(BEGIN)
    await asyncio.gather(*erasing)
    await world.run(RETRY.total_seconds())
    (table,) = world.of_event()
    assert set(table.user_ids()) == {ADA, CLEO}
