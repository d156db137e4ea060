"""Tournaments that their organiser and their entrants change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.club import tournament
from bot.club.competition import Result
from bot.club.tournament import BREAK
from bot.club_records import COMPUTER, PersonNumber
from bot.errors import Reason, Refused
from bot.ids import ClubEventId, TableId, UserId
from bot.live.event_tables import EventTables
from bot.live.events import EventPlaceDue
from bot.table.commands import Join, Leave, LeaveToComputer, OfferSeat, TakeOver
from bot.table.deadlines import CHECK_IN_TIME
from bot.table.state import Game
from tests.bot.live.club_nights import BEGIN, ORGANISER, ClubWorld
from tests.bot.live.kills import until_finished
from tests.bot.live.test_tournaments import announced, begun, finish, manage, results
from tests.bot.states import GUILD

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[ClubWorld]:
    world = ClubWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def test_paused_tournament_waits(world: ClubWorld) -> None:
    await begun(world)
    await manage(world, lambda event, now: tournament.pause(event, True, now))
    await finish(world)
    event = await world.event()
    assert len(event.rounds) == 1, "matches end, and no round follows"
    assert all(results(event))
    await manage(world, lambda event, now: tournament.pause(event, False, now))
    await world.quiet()
    assert len((await world.event()).rounds) == 2


async def test_tables_wait_while_it_is_paused(world: ClubWorld) -> None:
    await announced(world)
    await world.until(BEGIN)
    await manage(world, lambda event, now: tournament.pause(event, True, now))
    await world.until(BEGIN + 3 * BREAK)
    assert world.of_event() == []
    await manage(world, lambda event, now: tournament.pause(event, False, now))
    await world.quiet()
    assert len(world.of_event()) == 2


@pytest.mark.parametrize("hours", [None, 24])
async def test_nobody_loses_a_match_whose_lobby_closes_during_a_pause(
    world: ClubWorld, hours: int | None
) -> None:
    before = await begun(world, round_hours=hours)
    await manage(world, lambda event, now: tournament.pause(event, True, now))
    await world.run(4 * 24 * 3600)
    assert world.of_event() == [], "lobbies do not wait for ever"
    assert results(await world.event()) == [None, None]
    await manage(world, lambda event, now: tournament.pause(event, False, now))
    await world.quiet()
    assert len(world.of_event()) == len(before)
    assert results(await world.event()) == [None, None]


async def test_nobody_loses_a_match_because_the_grace_time_ends_in_a_pause(
    world: ClubWorld,
) -> None:
    table, _ = await begun(world, no_show="forfeit")
    await world.come(table, table.user_ids()[:1])
    await manage(world, lambda event, now: tournament.pause(event, True, now))
    await world.run(CHECK_IN_TIME.total_seconds() + 60)
    await manage(world, lambda event, now: tournament.pause(event, False, now))
    await world.quiet()
    assert results(await world.event()) == [None, None]
    assert len(world.of_event()) == 2
    await world.run(CHECK_IN_TIME.total_seconds())
    assert results(await world.event()) == [Result("forfeit")] * 2


async def test_withdrawn_pair_loses_its_match_and_plays_no_more(world: ClubWorld) -> None:
    await begun(world)
    event = await world.event()
    entrant = event.entrant_of(event.number_of(UserId(101)))
    assert entrant is not None
    club = world.tables.club_events
    with pytest.raises(Refused) as refused:
        await club.withdraw(event.id, GUILD, UserId(105), entrant.number, True, may_manage=False)
    assert refused.value.code == Reason.ORGANISER_ONLY
    await club.withdraw(event.id, GUILD, UserId(102), entrant.number, True, may_manage=False)
    await world.quiet()
    assert len(world.of_event()) == 1, "its lobby is closed"
    await finish(world)
    drawn = (await world.event()).rounds[1].matches
    assert entrant.number not in {
        number for match in drawn for side in match.sides for number in side
    }


async def test_match_that_has_begun_goes_on_without_a_withdrawn_pair(world: ClubWorld) -> None:
    table, _ = await begun(world)
    await world.come(table)
    event = await world.event()
    entrant = event.entrant_of(event.number_of(table.user_ids()[0]))
    assert entrant is not None
    await world.tables.club_events.withdraw(
        event.id, GUILD, ORGANISER, entrant.number, True, may_manage=False
    )
    assert results(await world.event())[0] is None


async def test_match_that_begins_during_a_withdrawal_goes_on_and_counts(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, other = await begun(world)
    await world.come(other)
    await until_finished(world, other.id)
    await world.quiet()
    event = await world.event()
    entrant = event.entrant_of(event.number_of(table.user_ids()[0]))
    assert entrant is not None
    world.come_meanwhile(table, monkeypatch)
    await world.tables.club_events.withdraw(
        event.id, GUILD, ORGANISER, entrant.number, True, may_manage=False
    )
    await world.quiet()
    event = await world.event()
    assert isinstance(world.tables.find(table.id), Game)
    assert (len(event.rounds), results(event)[0]) == (1, None)
    await until_finished(world, table.id)
    await world.quiet()
    event = await world.event()
    result = results(event)[0]
    assert result is not None
    assert (len(event.rounds), result.ending) == (2, "played")


async def test_substitute_gets_a_seat_in_a_new_lobby(world: ClubWorld) -> None:
    table, other = await begun(world)
    event = await world.event()
    await world.answer(event, "substitute", 8)
    old = event.number_of(table.user_ids()[1])
    assert old is not None
    await world.tables.club_events.substitute(
        event.id, GUILD, ORGANISER, old, PersonNumber(9), may_manage=False
    )
    await world.quiet()
    assert {each.id for each in world.of_event()} > {other.id}
    (new,) = (each for each in world.of_event() if each.id != other.id)
    assert new.id != table.id
    assert set(new.user_ids()) == {*table.user_ids(), UserId(109)} - {table.user_ids()[1]}
    assert len(world.threads) == 3, "the surface uses the empty thread again"


async def test_substitute_of_a_running_match_keeps_its_table(world: ClubWorld) -> None:
    table, _ = await begun(world)
    await world.come(table)
    event = await world.event()
    await world.answer(event, "substitute", 8)
    old = event.number_of(table.user_ids()[1])
    assert old is not None
    await world.tables.club_events.substitute(
        event.id, GUILD, ORGANISER, old, PersonNumber(9), may_manage=False
    )
    await world.quiet()
    assert (await world.event()).rounds[0].matches[0].table_id == table.id
    assert isinstance(world.tables.find(table.id), Game)


async def test_match_that_begins_during_a_substitution_keeps_its_table(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = await begun(world)
    await world.answer(await world.event(), "substitute", 8)
    old = (await world.event()).number_of(table.user_ids()[1])
    assert old is not None
    await world.come(table)
    monkeypatch.setattr(EventTables, "has_begun", lambda *_: False)  # it has just begun
    await world.tables.club_events.substitute(
        ClubEventId(1), GUILD, ORGANISER, old, PersonNumber(9), may_manage=False
    )
    await world.quiet()
    assert (await world.event()).rounds[0].matches[0].table_id == table.id
    assert len(world.of_event()) == 2, "nobody is to play at two tables"


async def test_substitute_who_offers_late_can_sit_down_in_a_running_match(
    world: ClubWorld,
) -> None:
    table, _ = await begun(world)
    await world.come(table)
    event, late = await world.event(), UserId(109)
    await world.answer(event, "substitute", 8)
    seat = 2
    old = table.chairs[seat].user_id
    assert old is not None
    number = event.number_of(old)
    assert number is not None
    await world.tables.execute(table.id, old, LeaveToComputer())
    with pytest.raises(Refused):
        await world.tables.execute(table.id, late, TakeOver("Late"))
    await world.tables.club_events.substitute(
        event.id, GUILD, ORGANISER, number, PersonNumber(9), may_manage=False
    )
    await world.quiet()
    after = await world.tables.execute(table.id, late, TakeOver("Late"))
    assert isinstance(after, Game)
    assert {seat: who.user_id for seat, who in after.notes.coming.items()} == {seat: late}
    with pytest.raises(Refused):
        await world.tables.execute(table.id, old, TakeOver("Old"))


async def test_substitute_takes_the_seat_of_a_computer_in_a_running_match(
    world: ClubWorld,
) -> None:
    event, alone, late = await announced(world, range(6)), UserId(107), UserId(109)
    await world.answer(event, "yes", 6)
    await world.until(BEGIN + BREAK)
    (table,) = (each for each in world.of_event() if alone in each.user_ids())
    await world.come(table)
    await world.answer(event, "substitute", 8)
    await world.tables.club_events.substitute(
        event.id, GUILD, ORGANISER, COMPUTER, PersonNumber(8), may_manage=False
    )
    await world.quiet()
    after = await world.tables.execute(table.id, late, TakeOver("Late"))
    assert isinstance(after, Game)
    own = table.seat_of(alone)
    assert own is not None
    assert {seat: who.user_id for seat, who in after.notes.coming.items()} == {(own + 2) % 4: late}


async def test_people_sit_in_the_seats_of_their_side_only(world: ClubWorld) -> None:
    lobby, running = await begun(world)
    first, second = (lobby.chairs[seat].user_id for seat in (0, 1))
    assert first is not None
    assert second is not None
    for user_id in (second, first):
        await world.tables.execute(lobby.id, user_id, Leave())
    with pytest.raises(Refused) as refused:
        await world.tables.execute(lobby.id, second, Join("Ben", 0))
    assert refused.value.code == Reason.TEAM_FULL
    after = await world.tables.execute(lobby.id, second, Join("Ben"))
    assert after.seat_of(second) == 1, "the points of the other side would be theirs"

    await world.come(running)
    first, second = (running.chairs[seat].user_id for seat in (0, 1))
    assert first is not None
    assert second is not None
    for user_id in (first, second):
        await world.tables.execute(running.id, user_id, LeaveToComputer())
    with pytest.raises(Refused):
        await world.tables.execute(running.id, second, TakeOver("Ben", 0))
    third = running.chairs[2].user_id
    assert third is not None
    with pytest.raises(Refused):
        await world.tables.execute(running.id, third, OfferSeat(second, "Ben"))
    game = await world.tables.execute(running.id, second, TakeOver("Ben"))
    assert isinstance(game, Game)
    assert list(game.notes.coming) == [1]


async def test_swapped_entrants_sit_at_the_other_tables(world: ClubWorld) -> None:
    await announced(world)
    await world.until(BEGIN)
    before = (await world.event()).rounds[0].matches
    one, other = before[0].sides[0][0], before[1].sides[0][0]
    await manage(world, lambda event, now: tournament.swap(event, one, other, now))
    await world.until(BEGIN + BREAK)
    first, _ = world.of_event()
    event = await world.event()
    people = event.entrants[other - 1].people
    assert {event.people[each].user_id for each in people} <= set(first.user_ids())


async def test_void_match_closes_its_lobby_and_does_not_count(world: ClubWorld) -> None:
    table, other = await begun(world)
    await world.come(other)
    for match in (0, 1):
        await manage(world, lambda event, _, match=match: tournament.void(event, 1, match))
    await world.quiet()
    assert results(await world.event()) == [Result("void")] * 2
    assert world.tables.find(table.id) is None
    await until_finished(world, other.id)
    assert results(await world.event())[1] == Result("void")


@pytest.mark.parametrize(
    "change, tables",
    [
        (lambda event, _: tournament.void(event, 1, 0), 1),
        (lambda event, now: tournament.pause(event, True, now), 0),
    ],
)
async def test_change_while_a_thread_opens_keeps_its_table_closed(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch, change: Any, tables: int
) -> None:
    await announced(world)
    await world.until(BEGIN)
    open_thread, changing = ClubWorld.open_thread, list[asyncio.Task[None]]()

    async def change_first(due: EventPlaceDue) -> None:
        await manage(world, change)
        open_thread(world, due)

    def slowly(_: ClubWorld, due: EventPlaceDue) -> None:
        changing.append(asyncio.create_task(change_first(due), name="club-event-change"))

    monkeypatch.setattr(ClubWorld, "open_thread", slowly)
    await world.reopen()
    await world.until(BEGIN + BREAK)
    await asyncio.gather(*changing)
    await world.quiet()
    assert len(world.of_event()) == tables
    assert await world.store.tables.get(TableId(tables + 1)) is None
