"""/tichu leaderboard, as somebody reads it: orders, games, seasons, pages, their own place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from gettext import NullTranslations
from itertools import count
from pathlib import Path

import pytest
from simcord import ResponseMessage, SetupError

from bot.records import Change, SeatRecord
from bot.score_records import EVER, Place, Preferences, Tally
from bot.text import Say
from cogs.pages.leaderboard import BoardQuery, worth
from cogs.pages.verbs import Verb
from tests.bot.storage.samples import action, new_table
from tests.bot.storage.test_rankings import match_of, round_of
from tests.cogs.forged_clicks import forge
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import Person, controls, find, text

CHANNELS = count(10**9)
PEOPLE: list[Person] = []


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path) as opened:
        yield opened


NAMES = ("Ada", "Ben", "Cai", "Dan")


async def played(
    world: World, *users: int, rounds: int = 20, score: int = 60, at: datetime | None = None
) -> None:
    """These four play so many rounds, which the first and the third win, and one match."""
    store, when = world.bot.store, at or world.env.now()
    known = {person.id: name for person, name in zip(PEOPLE, NAMES, strict=True)}
    table = await store.tables.create(new_table(next(CHANNELS), guild_id=world.guild.id))
    seats = [
        SeatRecord(seat=seat, user_id=user, name=known.get(user, f"P_{user}"), kind="person")
        for seat, user in enumerate(users)
    ]
    await store.tables.commit(table.id, Change(actions=(action(1),), seats=tuple(seats)))
    records = (round_of(number, score, *users, at=when) for number in range(1, rounds + 1))
    await asyncio.gather(
        *(store.tables.commit(table.id, Change(round=record)) for record in records)
    )
    ended = Change(match=match_of(0, *users, at=when), status="finished", ended_at=when)
    await store.tables.commit(table.id, ended)


@pytest.fixture
async def people(world: World) -> list[Person]:
    PEOPLE[:] = world.people(*NAMES)
    return PEOPLE


async def page(person: Person, **asked: object) -> ResponseMessage:
    """The private page that answers the command."""
    result = await person.slash("tichu leaderboard", **asked)
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


async def test_nobody_has_played_yet(world: World, people: list[Person]) -> None:
    shown = text(await page(people[0]))
    assert "Leaderboard: Nanjing" in shown
    assert "Nobody is listed yet" in shown
    assert "You are listed after 20 more rounds with at least one other person." in shown


async def test_places_values_and_the_readers_own_line(world: World, people: list[Person]) -> None:
    await played(world, *(person.id for person in people))
    shown = text(await page(people[1], by="points"))
    ada, ben = shown.index("Ada"), shown.index("Ben")
    assert ada < ben
    assert "🥇 **Ada** · **+60** · 20 rounds" in shown
    assert "🥉 **Ben** · **−60** · 20 rounds" in shown
    assert "You are number 3: **−60** · 20 rounds" in shown
    assert "by points a round · all time · this server · 4 players" in shown
    assert "**1 win** · 1 match" in text(await page(people[0], by="wins"))
    assert "You are listed after your first win." in text(await page(people[1], by="wins"))
    rates = text(await page(people[0], by="win_rate"))
    assert "You are listed after 4 more matches." in rates
    assert "You are listed after 10 more calls." in text(await page(people[0], by="calls"))


async def test_from_one_board_to_the_others(world: World, people: list[Person]) -> None:
    await played(world, *(person.id for person in people))
    last_month = world.env.now().replace(day=1) - timedelta(days=2)
    await played(world, *(person.id for person in reversed(people)), at=last_month, score=10)
    shown = await page(people[0], by="points")
    assert "**+25** · 40 rounds" in text(shown)

    async def choose(select: str, label: str) -> str:
        options = find(shown, Verb.LEADERS, select).options
        (value,) = (option.value for option in options if label in option.label)
        await people[0].choose(Verb.LEADERS, value, args=select)
        return text(people[0].latest_private())

    assert "**+60** · 20 rounds" in await choose("time", "this season")
    assert "Nobody is listed" in await choose("game", "Trichu")
    assert "by rating" in await choose("order", "by rating")
    await choose("game", "Nanjing")
    assert "20 rounds" in await choose("time", f"{last_month:%B %Y}")
    await choose("order", "by points a round")
    assert "**+10** · 20 rounds" in text(people[0].latest_private())
    assert len(people[0].private()) == 1, "always the same message"


async def test_pages_turn_and_end(world: World, people: list[Person]) -> None:
    for first in range(1000, 1024, 4):
        await played(world, first, first + 1, first + 2, first + 3, score=first)
    shown = await page(people[0], by="points")
    assert "1 of 3" in [control.label for control in controls(shown)]
    seen = names_on(shown)
    for number in (2, 3):
        await people[0].press(Verb.LEADERS, f".here.{number - 1}")
        assert f"{number} of 3" in [c.label for c in controls(people[0].latest_private())]
        seen += names_on(people[0].latest_private())
    assert len(seen) == len(set(seen)) == 24
    with pytest.raises(SetupError):
        await people[0].press(Verb.LEADERS, ".here.3")
    await people[0].press(Verb.LEADERS, ".here.1")
    assert "11." in text(people[0].latest_private())


async def test_behind_the_last_page_is_the_last_page(world: World, people: list[Person]) -> None:
    for first in range(1000, 1012, 4):
        await played(world, first, first + 1, first + 2, first + 3, score=first)
    shown = await page(people[0], by="points")
    for number in (2, 7, 10**30):
        await forge(people[0], shown, f"b:leaders:nanjing.ever.points.here.{number}")
        turned = people[0].latest_private()
        assert len(names_on(turned)) == 2
        assert "2 of 2" in [control.label for control in controls(turned)]
    await people[0].press(Verb.LEADERS, ".here.0")
    assert len(names_on(people[0].latest_private())) == 10


async def test_numbers_are_written_as_the_language_does() -> None:
    german = Say("de", NullTranslations())
    place = Place(1, 1, "Ada", 0.5, Tally(calls=2468, calls_made=1234), 0.0)
    told = worth(place, BoardQuery("nanjing", EVER, "calls"), german)
    assert told == "**50\N{NO-BREAK SPACE}%** · 1.234 of 2.468 made"


async def test_all_servers_only_with_those_who_want(world: World, people: list[Person]) -> None:
    await played(world, *(person.id for person in people))
    await page(people[0])
    await people[0].press(Verb.LEADERS, ".all.0")
    shown = text(people[0].latest_private())
    assert "Nobody is listed" in shown
    assert "/tichu settings" in shown
    await world.bot.store.settings.choose(people[0].id, Preferences(worldwide=True))
    shown = text(await page(people[1], everywhere=True))
    assert f"<@{people[0].id}>" in shown, "what they are called on this server is told nowhere else"
    await world.bot.store.settings.choose(people[0].id, Preferences(worldwide=True), "Adelheid")
    shown = text(await page(people[1], everywhere=True))
    assert "Adelheid" in shown
    assert "Ada" not in shown
    assert "Ada" in text(await page(people[1]))
    assert "Ben" not in shown
    await world.bot.store.settings.choose(people[0].id, Preferences(hidden=True))
    assert "Ada" not in text(await page(people[1]))


async def test_who_is_hidden_reads_that_he_has_chosen_it(
    world: World, people: list[Person]
) -> None:
    ada, ben, *_ = people
    await world.bot.store.settings.choose(ada.id, Preferences(hidden=True, worldwide=True))
    await world.bot.store.settings.choose(ben.id, Preferences(worldwide=True))
    for rounds in (1, 19):
        await played(world, *(person.id for person in people), rounds=rounds)
        for everywhere in (False, True):
            shown = text(await page(ada, everywhere=everywhere))
            assert shown.count("You are") == 1
            assert "You are not listed: you have chosen that in /tichu settings." in shown
    assert "You are number 1" in text(await page(ben, everywhere=True))


async def test_who_has_not_joined_all_servers_reads_how(world: World, people: list[Person]) -> None:
    joining = "You are not listed here: /tichu settings lets you join."
    for _ in range(2):
        assert joining in text(await page(people[0], everywhere=True))
        assert joining not in text(await page(people[0]))
        await played(world, *(person.id for person in people))
    await world.bot.store.settings.choose(people[0].id, Preferences(worldwide=True))
    missing = text(await page(people[0], by="calls", everywhere=True))
    assert "You are listed after 10 more calls." in missing


async def test_markdown_in_a_name_stays_text(world: World, people: list[Person]) -> None:
    await played(world, 1000, 1001, 1002, 1003)
    assert "P\\_1000" in text(await page(people[0]))


FORGED = (
    *("", "nanjing", "nanjing.ever.rating.here", "nanjing.ever.rating.here.x", "a.b.c.d.e"),
    *("poker.ever.rating.here.0", "nanjing.ever.luck.here.0", "nanjing.ever.rating.there.0"),
)


@pytest.mark.parametrize("args", FORGED)
async def test_forged_controls_are_refused(world: World, people: list[Person], args: str) -> None:
    shown = await page(people[0])
    before = text(shown)
    result = await forge(people[0], shown, f"b:leaders:{args}")
    assert result.response is not None
    assert "button" in text(result.response)
    assert text(people[0].private()[0]) == before


@pytest.mark.parametrize("period", ["1999-01", "0000-99", "2026-13", "x" * 20, "-1"])
async def test_a_season_that_is_long_past_is_all_time(
    world: World, people: list[Person], period: str
) -> None:
    shown = await page(people[0])
    await forge(people[0], shown, f"b:leaders:nanjing.{period}.rating.here.99999999")
    assert "all time" in text(people[0].latest_private())


def names_on(message: ResponseMessage) -> list[str]:
    """Who stands on a page."""
    return [
        line.split("**")[-4]
        for line in text(message).splitlines()
        if " rounds" in line and "P" in line
    ]
