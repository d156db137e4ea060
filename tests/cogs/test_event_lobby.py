"""Lobbies of events: whom they mention, and what can be changed there."""

from __future__ import annotations

import pytest

from bot.ids import UserId
from bot.table.options import EventLink
from bot.table.state import Game, Lobby
from bot.text.people import mention
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.club_nights import (
    GRACE,
    all_in,
    announce,
    begins,
    in_thread,
    pass_to,
    threads,
    written,
)
from tests.cogs.fast_forward import fast_forward, match_over, reached
from tests.cogs.history_pages import page
from tests.cogs.test_challenges import pings
from tests.cogs.test_inviting import choose
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import Person, Wire, has, private, text


async def opened(world: World, *names: str) -> tuple[list[Person], Wire]:
    """Return the people in the thread of their table, and what was sent from its draw on."""
    people, at = world.people(*names), begins(world)
    await announce(people[0], at)
    await all_in(world, people)
    if len(people) == 4:
        await choose(world, people[1], nudge_way="none")
        await choose(world, people[2], quiet=(0, 1439))
        await choose(world, people[3], nudge_way="direct")
    wire = Wire(world.env)
    await pass_to(world, at)
    (thread,) = threads(world)
    return [in_thread(person, thread) for person in people], wire


async def test_mentions_its_people_once_as_they_chose(world: World) -> None:
    (ada, ben, cai, dan), wire = await opened(world, "Ada", "Ben", "Cai", "Dan")
    in_channel = [each for each in pings(wire) if len(each) == 2]
    assert [set(each) for each in in_channel] == [{ada.id, dan.id}]
    (lobby,) = written(world, threads(world)[0])
    for person in (ada, ben, cai, dan):
        assert mention(person.id) in text(lobby), "it waits for them"
    before = len(pings(wire))
    await ada.press(Verb.CHECK_IN)
    (lobby,) = written(world, threads(world)[0])
    assert mention(ada.id) not in text(lobby)
    assert len(pings(wire)) == before, "edits mention nobody"


async def test_seats_and_options_stay_as_they_were_drawn(world: World) -> None:
    (ada, ben), _ = await opened(world, "Ada", "Ben")
    (lobby,) = written(world, threads(world)[0])
    for verb in (Verb.START, Verb.FILL, Verb.INVITE, Verb.SWAP, Verb.OPTIONS):
        assert not has(lobby, verb), verb
    (eve,) = world.people("Eve")
    eve = in_thread(eve, threads(world)[0])
    assert refusal("not-seated") in private(await eve.press(Verb.CHECK_IN))
    assert not has(page(await ada.press(Verb.MORE)), Verb.OPTION)
    await eve.press(Verb.JOIN, "0")
    table = world.table(threads(world)[0])
    assert isinstance(table, Lobby)
    assert eve.id in table.invitations.here
    for person in (ada, ben):
        await person.press(Verb.CHECK_IN)
    assert isinstance(world.table(threads(world)[0]), Game)


async def test_join_is_shown_only_while_somebody_may_sit_down(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "bot.club.tables.EventLink",
        lambda **given: EventLink(**{**given, "entrants_only": True}),
    )
    (ada, *_), _ = await opened(world, "Ada", "Ben", "Cai")
    (thread,) = threads(world)
    (lobby,) = written(world, thread)
    assert not has(lobby, Verb.JOIN), "a computer has the free seat"
    assert "nly for players of this event" in text(lobby)
    await ada.press(Verb.LEAVE)
    (lobby,) = written(world, thread)
    assert has(lobby, Verb.JOIN)
    await ada.press(Verb.JOIN)
    (lobby,) = written(world, thread)
    assert not has(lobby, Verb.JOIN)


async def test_match_of_a_tournament(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for its people, for two rounds, and not without a side."""
    chosen = {"rounds": 2, "entrants_only": True, "forfeit": True}
    monkeypatch.setattr(
        "bot.club.tables.EventLink", lambda **given: EventLink(**{**given, **chosen})
    )
    people, _ = await opened(world, "Ada", "Ben", "Cai", "Dan")
    (thread,) = threads(world)
    (eve,) = world.people("Eve")
    eve = in_thread(eve, thread)
    seats = {chair.user_id: chair.seat for chair in world.table(thread).chairs}
    ada, ben, cai, dan = sorted(people, key=lambda person: seats[UserId(person.id)])
    (lobby,) = written(world, thread)
    assert "loses" in text(lobby)
    await ada.press(Verb.LEAVE)
    assert refusal("entrants-only") in private(await eve.press(Verb.JOIN, "0"))
    assert not has(page(await eve.slash("tichu tables")), Verb.COME)
    await ada.press(Verb.JOIN, "0")
    await cai.press(Verb.CHECK_IN)
    await world.env.advance_time(GRACE.total_seconds() + 1)
    assert isinstance(world.table(thread), Lobby), "nobody of the other side is there"
    (lobby,) = written(world, thread)
    assert mention(ben.id) in text(lobby)
    assert "loses" not in text(lobby)
    await ben.press(Verb.CHECK_IN)
    assert [chair.kind for chair in world.game(thread).chairs].count("computer") == 1
    watching = page(await eve.press(Verb.HAND))
    assert refusal("entrants-only") in text(watching)
    assert not has(watching, Verb.SIT)
    assert not has(page(await eve.slash("tichu tables")), Verb.SIT)
    await dan.press(Verb.SIT, on=page(await dan.press(Verb.HAND)))
    await fast_forward(world, reached(Phase.ROUND_END), channel=thread)
    assert world.game(thread).seat_of(UserId(dan.id)) == seats[UserId(dan.id)]
    assert "Round 1 of 2" in text(world.newest_with(Verb.REPLAY, thread)[0])
    await fast_forward(world, match_over, channel=thread)
    assert "Round 2 of 2" in text(world.newest_with(Verb.REMATCH, thread)[0])
    assert world.last_game().status == "finished"
