"""Erasure of users: deleted data, kept data, and unchanged figures of everybody else."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.club.settings import EventSettings
from bot.errors import Reason, Refused
from bot.history.rebuild import rebuild
from bot.ids import ChannelId, ClubEventId, UserId, is_pseudonym
from bot.live.events import ClubEventChanged, PersonForgotten
from bot.records import PersonalSettings
from bot.score_records import Preferences
from bot.storage import StorageUnavailable
from bot.table.commands import AcceptSeat, Join, OfferSeat, Shuffle, TakeOver, VoteToStop
from bot.table.forgetting import contains_person, without_former_players
from bot.table.lobby import LobbyPlan, new_chairs, rematch_setup
from bot.table.permission import require_lobby
from bot.table.posts import LinesPost, NewOwnerLine, read_post
from bot.table.restore import restore_outline
from bot.table.state import Lobby, OpenTable
from tests.bot.club.test_event import record
from tests.bot.forgotten_people import (
    CALLED,
    DERIVED,
    all_rows,
    begin,
    of_others,
    person,
    play_on,
    play_to_the_end,
    rows,
    shuffled,
    some_leave,
    traces,
)
from tests.bot.states import GUILD
from tests.bot.table_world import QUICK, TableWorld, quick
from tests.campaign import sample

pytestmark = pytest.mark.usefixtures("one_thread")
LONG = quick("nanjing", target=5000)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    made = TableWorld(tmp_path)
    await made.open()
    yield made
    await made.close()


async def forget(world: TableWorld, number: int) -> bool:
    """Erase one of these people."""
    return await world.tables.forgetting.forget(UserId(person(number)))


async def careers(world: TableWorld, number: int) -> list[object]:
    """Return a person's profile data, with the people they played with anonymised."""
    found: list[object] = []
    for game in ("nanjing", "trichu", "grandseigneur"):
        played = await world.store.history.played(GUILD, UserId(person(number)), game)
        shared_rounds = (
            sorted(each._replace(user_id=UserId(0)) for each in played.shared_rounds)
            if played
            else []
        )
        found.append((played and played._replace(shared_rounds=()), shared_rounds))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2))]
)
async def test_figures_of_others_stay_the_same(world: TableWorld, seed: int) -> None:
    """Random people, games and moments; one person is erased while a round is played."""
    chance = random.Random(seed)
    people = range(5)
    played = ("nanjing", "trichu", "grandseigneur", "nanjing") if seed else ("nanjing",)
    for channel, variant in enumerate(played, 1):
        options = quick(variant)
        places = {"nanjing": 4, "trichu": 3, "grandseigneur": 5}[variant]
        sitting = tuple(chance.sample(people, chance.randint(2, min(4, places))))
        at = await begin(world, ChannelId(channel), sitting, options, places - len(sitting))
        await shuffled(world, at.id, sitting[0], f"word {seed}")
        await play_on(world, at.id, chance.randint(0, 60))
        if chance.random() < 0.5:
            await some_leave(world, at.id, chance)
        await play_to_the_end(world, at.id)
    last = tuple(chance.sample(people, 3))
    running = await begin(world, ChannelId(9), last, LONG, 1)
    while not world.game(running.id).match.results:
        await play_on(world, running.id, 10)
    await play_on(world, running.id, chance.randint(0, 40))
    gone = chance.choice(last)
    await world.store.preferences.choose(
        UserId(person(gone)), Preferences(worldwide=True), CALLED[gone]
    )
    others = [number for number in people if number != gone]
    before = of_others(world.file, person(gone)), rows(world.file, *DERIVED)
    profiles = [await careers(world, number) for number in others]

    assert await forget(world, gone)
    assert (of_others(world.file, person(gone)), rows(world.file, *DERIVED)) == before
    assert [await careers(world, number) for number in others] == profiles
    assert str(person(gone)) not in all_rows(world.file)
    assert CALLED[gone] not in all_rows(world.file)
    assert traces(world.file, person(gone), CALLED[gone]) == []
    await world.check_stored(running.id)

    while len(world.game(running.id).match.results) < 2:
        await play_on(world, running.id, 10)
    first = next(iter(world.game(running.id).user_ids()))
    await world.tables.execute(running.id, first, VoteToStop(moderator=True))
    before = of_others(world.file, person(gone)), rows(world.file, *DERIVED)
    rebuilt = await rebuild(world.store, world.time.now())
    assert rebuilt.skipped == ()
    assert (of_others(world.file, person(gone)), rows(world.file, *DERIVED)) == before
    assert str(person(gone)) not in all_rows(world.file)
    assert not any(user < 0 for _, _, user, *_ in rows(world.file, "ratings")["ratings"])
    await world.reopen()
    assert await world.store.people.known(UserId(person(gone))) is None


# --- places of a user ----------------------------------------------------------------------------


async def lobby(world: TableWorld, channel: ChannelId, *people: int) -> Lobby:
    """Open a lobby with these people; the first is the host."""
    host = people[0]
    chairs = new_chairs(QUICK, UserId(person(host)), CALLED[host])
    at: OpenTable = await world.tables.create(
        LobbyPlan(GUILD, channel, UserId(person(host)), QUICK, chairs)
    )
    for number in people[1:]:
        at = await world.tables.execute(at.id, UserId(person(number)), Join(CALLED[number]))
    return require_lobby(at)


async def test_lobby_gets_another_host_or_closes(world: TableWorld) -> None:
    shared, alone = await lobby(world, ChannelId(1), 0, 1), await lobby(world, ChannelId(2), 0)
    assert await forget(world, 0)
    at = world.tables.get(shared.id)
    assert (at.host_id, at.user_ids()) == (person(1), [person(1)])
    assert world.tables.find(alone.id) is None
    record = await world.store.tables.get(alone.id)
    assert record is not None
    assert (record.status, is_pseudonym(record.host_id)) == ("expired", True)
    await world.check_stored(shared.id)
    assert traces(world.file, person(0), CALLED[0]) == []


async def test_match_of_one_person_ends(world: TableWorld) -> None:
    at = await begin(world, ChannelId(1), (0,), LONG, 3)
    await play_on(world, at.id, 10)
    assert await forget(world, 0)
    assert world.tables.find(at.id) is None
    assert traces(world.file, person(0), CALLED[0]) == []


async def test_others_read_who_has_left(world: TableWorld) -> None:
    """It is the usual line for somebody who leaves."""
    at = await begin(world, ChannelId(1), (0, 1), LONG, 2)
    seat = at.seat_of(UserId(person(0)))
    assert await forget(world, 0)
    lines = [
        line
        for news in world.heard.news
        for entry in news.outbox
        if isinstance(post := read_post(entry), LinesPost)
        for line in post.lines
    ]
    assert NewOwnerLine(seat=seat or 0, before=CALLED[0]) in lines
    assert world.game(at.id).chairs[seat or 0].kind == "computer"
    assert world.game(at.id).host_id == person(1)
    told = [event for event in world.heard.others if isinstance(event, PersonForgotten)]
    assert [(event.user_id, event.names) for event in told] == [(person(0), frozenset({CALLED[0]}))]


async def test_pending_requests_to_the_user_are_removed(world: TableWorld) -> None:
    """Seat offers, votes, shuffle words, and a seat reserved for a newcomer."""
    at = await begin(world, ChannelId(1), (0, 1), LONG, 2)
    seat = at.seat_of(UserId(person(1))) or 0
    await world.tables.execute(at.id, UserId(person(1)), OfferSeat(UserId(person(2)), CALLED[2]))
    await world.tables.execute(at.id, UserId(person(3)), TakeOver(CALLED[3]))
    assert await forget(world, 2)
    assert await forget(world, 3)
    notes = world.game(at.id).notes
    assert (notes.offers, notes.asked, notes.coming) == ({}, (), {})
    with pytest.raises(Refused) as refused:
        await world.tables.execute(at.id, UserId(person(2)), AcceptSeat(CALLED[2], seat))
    assert refused.value.code is Reason.NO_OFFER
    await shuffled(world, at.id, 0, "abracadabra")
    await world.tables.execute(at.id, UserId(person(0)), VoteToStop())
    assert await forget(world, 0)
    now = world.game(at.id)
    assert (now.deal.words, now.notes.votes, now.notes.left) == ({}, (), ())
    await world.check_stored(at.id)
    for number in (0, 2, 3):
        assert traces(world.file, person(number), CALLED[number]) == []


async def test_returns_false_for_an_unknown_user(world: TableWorld) -> None:
    await begin(world, ChannelId(1), (0, 1), LONG, 2)
    before = all_rows(world.file)
    assert not await forget(world, 2)
    assert all_rows(world.file) == before


async def test_erases_a_user_who_has_only_settings(world: TableWorld) -> None:
    await world.store.personal_settings.choose(UserId(person(0)), PersonalSettings(more_time=True))
    await world.store.preferences.choose(UserId(person(0)), Preferences(worldwide=True), CALLED[0])
    assert await forget(world, 0)
    assert await world.store.personal_settings.get(UserId(person(0))) == PersonalSettings()
    assert await world.store.preferences.get(UserId(person(0))) == Preferences()
    assert traces(world.file, person(0), CALLED[0]) == []


async def test_signs_off_from_events_and_shows_them_again(world: TableWorld) -> None:
    events, shown = world.tables.club_events, list[ClubEventId]()
    begins = world.time.now() + timedelta(days=1)
    settings = EventSettings.model_validate_json(record((begins,)).settings)
    ann, ben = UserId(person(0)), UserId(person(1))
    event = await events.announce(ann, GUILD, ChannelId(1), settings)
    for user_id in (ann, ben):
        event = await events.answer(event.id, GUILD, user_id, CALLED[user_id == ben], 0, "yes")
    world.events.subscribe(ClubEventChanged, lambda each: shown.append(each.event_id))
    in_flight = events.answer(event.id, GUILD, ann, CALLED[0], 0, "maybe")
    assert (await asyncio.gather(forget(world, 0), in_flight))[0]
    await world.run(0)
    after = await events.get(event.id, GUILD)
    assert is_pseudonym(after.organiser_id)
    assert [after.people[number].user_id for number in after.answered("yes", 0)] == [ben]
    assert after.answered("maybe") == []
    assert shown == [event.id] * 2, "after the answer and the erasure"
    assert traces(world.file, person(0), CALLED[0]) == []


async def test_returning_user_starts_from_scratch(world: TableWorld) -> None:
    first = await begin(world, ChannelId(1), (0, 1), QUICK, 2)
    await play_to_the_end(world, first.id)
    assert await world.store.history.played(GUILD, UserId(person(0))) is not None
    assert await forget(world, 0)
    assert await world.store.history.played(GUILD, UserId(person(0))) is None
    again = await begin(world, ChannelId(1), (0, 1), QUICK, 2)
    await play_to_the_end(world, again.id)
    played = await world.store.history.played(GUILD, UserId(person(0)))
    assert played is not None
    assert [totals.table_id for totals in played.table_totals] == [again.id]
    await rebuild(world.store, world.time.now())
    assert await world.store.history.played(GUILD, UserId(person(0))) == played


# --- races ---------------------------------------------------------------------------------------


async def test_two_concurrent_erasures(world: TableWorld) -> None:
    at = await begin(world, ChannelId(1), (0, 1, 2), LONG, 1)
    done = await asyncio.gather(forget(world, 0), forget(world, 0), forget(world, 1))
    assert sorted(done) == [False, True, True]
    assert world.game(at.id).user_ids() == [person(2)]
    await world.check_stored(at.id)


async def test_erasure_while_clicks_of_the_user_are_in_flight(world: TableWorld) -> None:
    """Earlier clicks are completed first; clicks during the erasure are refused."""
    at, other = (
        await begin(world, ChannelId(1), (0, 1, 2), LONG, 1),
        await lobby(world, ChannelId(2), 1),
    )
    asked: list[Awaitable[object]] = [
        world.tables.execute(other.id, UserId(person(0)), Join(CALLED[0])),
        world.tables.execute(at.id, UserId(person(0)), Shuffle("before")),
        forget(world, 0),
        world.tables.execute(at.id, UserId(person(1)), OfferSeat(UserId(person(0)), CALLED[0])),
        lobby(world, ChannelId(3), 0),
    ]
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert not isinstance(done[0], BaseException)
    assert done[2] is True
    assert person(0) not in world.tables.get(other.id).user_ids()
    refused = [each.code for each in done if isinstance(each, Refused)]
    assert set(refused) <= {Reason.BEING_FORGOTTEN, Reason.MEMBER_SEATED}
    for table in world.tables.all():
        await world.check_stored(table.id)
        assert not contains_person(table, UserId(person(0))) or table.host_id == person(0)


async def test_erasure_while_a_round_ends(world: TableWorld) -> None:
    """In either order the stored data can be rebuilt."""
    for channel, ahead in enumerate(sample(range(0, 60, 4), 2), 1):
        at = await begin(world, ChannelId(channel), (0, 1), QUICK, 2)
        for _ in range(ahead):
            await play_on(world, at.id, 1)
        everybody = [play_on(world, at.id, 60), forget(world, 0)]
        await asyncio.gather(*everybody, return_exceptions=True)
        if world.tables.find(at.id) is not None:
            await world.tables.execute(at.id, UserId(person(1)), VoteToStop(moderator=True))
    before = of_others(world.file, person(0)), rows(world.file, *DERIVED)
    assert (await rebuild(world.store, world.time.now())).skipped == ()
    assert (of_others(world.file, person(0)), rows(world.file, *DERIVED)) == before


async def test_full_disk_erases_nothing(world: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    at = await begin(world, ChannelId(1), (0, 1), LONG, 2)

    async def full(*_: object) -> None:
        raise StorageUnavailable("the disk with the database is full")

    with monkeypatch.context() as patched:
        patched.setattr(world.store.people, "forget", full)
        with pytest.raises(StorageUnavailable):
            await forget(world, 0)
    assert world.game(at.id).user_ids() == [person(1)], "they have left, and that is stored"
    await world.check_stored(at.id)
    await world.tables.execute(at.id, UserId(person(1)), OfferSeat(UserId(person(0)), CALLED[0]))
    assert await forget(world, 0)


async def test_rematch_does_not_bring_an_erased_user_back(world: TableWorld) -> None:
    """Chairs that were read before the erasure do not make a lobby."""
    at = await begin(world, ChannelId(1), (0, 1), QUICK, 2)
    await play_to_the_end(world, at.id)
    since = world.tables.forgetting.erasure_count
    record = await world.store.tables.get(at.id)
    assert record is not None
    _, chairs = rematch_setup(restore_outline(record))
    assert await forget(world, 0)
    with pytest.raises(Refused) as refused:
        await world.tables.create(
            LobbyPlan(GUILD, ChannelId(1), UserId(person(1)), QUICK, chairs), since=since
        )
    assert refused.value.code is Reason.BEING_FORGOTTEN
    record = await world.store.tables.get(at.id)
    assert record is not None
    old = restore_outline(record)
    (former,) = (chair for chair in old.chairs if is_pseudonym(chair.user_id))
    free = without_former_players(old).chairs[former.seat]
    assert (free.kind, free.user_id, former.name) == ("empty", None, "")
