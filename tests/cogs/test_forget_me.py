"""**Forget me** in `/tichu settings` by clicks, and its effects."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.ids import TableId, UserId, is_pseudonym
from bot.text.people import unnamed
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.forgotten_people import all_rows, traces
from tests.cogs.fast_forward import fast_forward, match_over, reached
from tests.cogs.history_pages import choose, listed, page, press
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.test_handover import assert_gone, begun
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, fire_all, has, messages, shown, text, with_verb

FORMER = unnamed(SAY, UserId(-2))
HIDDEN = unnamed(SAY, None)
ADA = "Adalgunde"
OTHERS = ("Ben", "Cai", "Dan")


async def asked(person: Person) -> ResponseMessage:
    """Return the confirmation page."""
    settings = page(await person.slash("tichu settings"))
    return await press(person, settings, Verb.FORGET_ME)


async def forget_me(person: Person) -> ResponseMessage:
    """Click twice; return the final page."""
    return await press(person, await asked(person), Verb.FORGET_ME_NOW)


async def played(world: World) -> list[HandPlayer]:
    """Play a match to its end; return the players."""
    players = await seat_all(world, world.people(ADA, *OTHERS), target=100)
    await fast_forward(world, match_over, calls=0.1)
    return players


def file(world: World) -> Path:
    """Return the database file of the bot."""
    file = world.bot.settings.database_file
    assert file is not None
    return file


async def test_asks_for_confirmation(world: World) -> None:
    (ada,) = world.people(ADA)
    await press(ada, page(await ada.slash("tichu settings")), Verb.MORE_TIME)
    before = all_rows(file(world))
    question = await asked(ada)
    assert [c.verb for c in with_verb(question, Verb.FORGET_ME_NOW, Verb.SETTINGS)] == [
        Verb.FORGET_ME_NOW,
        Verb.SETTINGS,
    ]
    back = await press(ada, question, Verb.SETTINGS)
    assert has(back, Verb.MORE_TIME)
    assert all_rows(file(world)) == before


async def test_computer_continues_a_match(world: World) -> None:
    players, _ = await begun(world, (ADA, *OTHERS))
    ada = players[0].person
    done = await forget_me(ada)
    assert not with_verb(done, *Verb)
    game = world.game()
    assert game.chairs[0].kind == "computer"
    assert_gone(players[0])
    line = messages(world.env, world.channel)[-1]
    assert ADA in shown(line, ADA)
    assert traces(file(world), ada.id, ADA) == []
    await world.restart()
    assert traces(file(world), ada.id, ADA) == []
    await fast_forward(world, reached(Phase.ROUND_END), players=players[1:])


async def test_name_is_removed_everywhere(world: World) -> None:
    """In the list, on the page of the match, in a replay and in its files."""
    players = await played(world)
    ada, ben = players[0].person, players[1].person
    at = await choose(ben, page(await ben.slash("tichu history")), Verb.MATCH, "1")
    assert ADA in text(await choose(ben, at, Verb.REPLAY_ROUND, "1"))
    await forget_me(ada)
    found = page(await ben.slash("tichu history"))
    assert ADA not in text(found)
    assert FORMER in text(found)
    rounds = await choose(ben, found, Verb.MATCH, "1")
    assert ADA not in text(rounds)
    replay = await choose(ben, rounds, Verb.REPLAY_ROUND, "1")
    assert ADA not in text(replay)
    assert FORMER in text(replay)
    proof = text(page(await ben.slash("tichu verify", table=1)))
    assert ADA not in proof
    assert await listed(ben, player=ada.member) == []
    record = await world.bot.store.tables.get(TableId(1))
    assert record is not None
    assert [is_pseudonym(seat.user_id) for seat in record.seats] == [True, False, False, False]
    assert traces(file(world), ada.id, ADA) == []


async def test_rematch_has_a_free_chair(world: World) -> None:
    players = await played(world)
    await forget_me(players[0].person)
    result = next(m for m in messages(world.env, world.channel)[::-1] if has(m, Verb.REMATCH))
    await players[1].person.press(Verb.REMATCH, on=result)
    lobby = world.table()
    assert [chair.kind for chair in lobby.chairs] == ["empty", "person", "person", "person"]


async def test_unknown_user_gets_a_sentence(world: World) -> None:
    (ada,) = world.people(ADA)
    before = all_rows(file(world))
    assert not with_verb(await forget_me(ada), *Verb)
    assert all_rows(file(world)) == before


async def test_two_concurrent_erasures(world: World) -> None:
    players, _ = await begun(world, (ADA, *OTHERS))
    ada = players[0].person
    first, second = await asked(ada), await asked(ada)
    clicks = (
        ada.member.click(question, custom_id=with_verb(question, Verb.FORGET_ME_NOW)[0].custom_id)
        for question in (first, second)
    )
    await fire_all(world.env, clicks)
    assert not with_verb(first, *Verb)
    assert not with_verb(second, *Verb)
    assert traces(file(world), ada.id, ADA) == []


async def test_erasure_while_a_setting_is_stored(world: World) -> None:
    """Earlier settings are erased; later ones belong to a new user."""
    (ada,) = world.people(ADA)
    settings, question = page(await ada.slash("tichu settings")), await asked(ada)
    clicks = (
        ada.member.click(shown, custom_id=with_verb(shown, verb)[0].custom_id)
        for shown, verb in ((settings, Verb.MORE_TIME), (question, Verb.FORGET_ME_NOW))
    )
    await fire_all(world.env, clicks)
    assert await world.bot.store.people.known(UserId(ada.id)) is None
    assert not world.bot.store.personal_settings.cached(UserId(ada.id)).more_time


# --- hidden users --------------------------------------------------------------------------------


@pytest.fixture
async def hidden(world: World) -> tuple[Person, Person, Person]:
    """Return a user who hid after a match, a fellow player, and an outsider."""
    players = await played(world)
    ada, ben = players[0].person, players[1].person
    (eve,) = world.people("Eve")
    await press(ada, page(await ada.slash("tichu settings")), Verb.LISTED)
    return ada, ben, eve


async def test_history_does_not_name_hidden_users(
    world: World, hidden: tuple[Person, Person, Person]
) -> None:
    ada, ben, eve = hidden
    at = page(await eve.slash("tichu history", which="channel"))
    assert ADA not in text(at)
    assert HIDDEN in text(at)
    rounds = await choose(eve, at, Verb.MATCH, "1")
    assert ADA not in text(rounds)
    for person in (ada, ben):
        found = page(await person.slash("tichu history"))
        assert ADA in text(found), "who played with them knows it"
        assert ADA in text(await choose(person, found, Verb.MATCH, "1"))


async def test_matches_of_hidden_users_are_private(
    world: World, hidden: tuple[Person, Person, Person]
) -> None:
    ada, ben, _ = hidden
    result = await ben.slash("tichu history", player=ada.member)
    assert refusal("profile-hidden") in text(page(result))
    assert await listed(ada) == [1]
