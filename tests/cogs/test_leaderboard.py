"""`/tichu leaderboard`: orders, games, seasons, pages, and the reader's place."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from gettext import NullTranslations
from itertools import count
from pathlib import Path

import pytest
from simcord import ResponseMessage, SetupError

from bot.ids import UserId
from bot.records import Change, SeatRecord
from bot.score_records import EVER, LeaderboardLine, Preferences, Tally
from bot.text import Say
from cogs.pages.profiles.leaderboard import BoardQuery, value_text
from cogs.pages.verbs import Verb
from tests.bot.storage.samples import action, new_table
from tests.bot.storage.test_rankings import match_of, round_of
from tests.cogs.forged_clicks import forge
from tests.cogs.worlds import World, a_world, refusal
from tests.simcord_clicks import (
    Person,
    controls,
    find,
    line_with,
    numbers,
    shown,
    text,
    texts,
)

CHANNELS = count(10**9)
PEOPLE: list[Person] = []


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path) as opened:
        yield opened


NAMES = ("Ada", "Ben", "Cai", "Dan")


async def played(
    world: World, *users: UserId, rounds: int = 20, score: int = 60, at: datetime | None = None
) -> None:
    """Let these four play `rounds` rounds, which the first and third win, and a match."""
    store, when = world.bot.store, at or world.env.now()
    known = {person.id: name for person, name in zip(PEOPLE, NAMES, strict=True)}
    table = await store.tables.create(new_table(next(CHANNELS), guild_id=world.guild.id))
    seats = [
        SeatRecord(
            seat=seat, user_id=UserId(user), name=known.get(user, f"P_{user}"), kind="person"
        )
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
    """Return the private page that answers the command."""
    result = await person.slash("tichu leaderboard", **asked)
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def asked(board: ResponseMessage) -> str:
    """Return the shown leaderboard: game, period, order and scope."""
    other = [control for control in controls(board) if control.verb == Verb.LEADERS][-1]
    *query, scope, _ = other.args.split(".")
    return ".".join((*query, "here" if scope == "all" else "all"))


def lines_on(board: ResponseMessage) -> list[str]:
    """Return the names on the lines of a page, from the top."""
    found = (re.search(r"\S+ \*\*(.*?)\*\* ·", line) for line in texts(board)[1].splitlines())
    return [match[1] for match in found if match]


def own_line(board: ResponseMessage) -> str:
    """Return the reader's marked line, or the reason why it is missing."""
    marked = [line for line in texts(board)[1].splitlines() if line.startswith("<:turn:")]
    assert len(marked) == 3 - len(texts(board)), "only who is not on the page is told their place"
    return marked[0].partition("> ")[2] if marked else texts(board)[-1]


def page_of_pages(board: ResponseMessage) -> list[float]:
    """Return the page number, from 1, and the number of pages."""
    (label,) = (each.label for each in controls(board) if each.verb == Verb.LEADERS_PAGE)
    return numbers(label)


async def test_shows_an_empty_leaderboard(world: World, people: list[Person]) -> None:
    empty = await page(people[0])
    assert asked(empty) == "nanjing.ever.rating.here"
    assert lines_on(empty) == []
    assert numbers(own_line(empty)) == [20], "the rounds that are missing"


async def test_shows_a_leaderboard_with_people_where_another_game_is_played(
    world: World, people: list[Person]
) -> None:
    await played(world, *(UserId(person.id) for person in people))
    await people[0].slash("tichu new", variant="grandseigneur")
    assert asked(await page(people[1])) == "nanjing.ever.rating.here"
    empty = await page(people[1], variant="grandseigneur")
    assert asked(empty) == "grandseigneur.ever.rating.here", "it was asked for"


async def test_shows_places_values_and_the_readers_line(world: World, people: list[Person]) -> None:
    await played(world, *(UserId(person.id) for person in people))
    board = await page(people[1], by="points")
    assert asked(board) == "nanjing.ever.points.here"
    assert shown(board, *NAMES) == ["Cai", "Ada", "Dan", "Ben"]
    assert "🥇" in line_with(board, "Ada")
    assert numbers(line_with(board, "Ada")) == [60, 20], "points a round, rounds"
    assert "🥉" in line_with(board, "Ben")
    assert numbers(line_with(board, "Ben")) == [-60, 20]
    assert own_line(board) == line_with(board, "Ben").partition("> ")[2]
    assert numbers(texts(board)[0])[-1] == 4, "the number of people who are listed"
    wins = await page(people[0], by="wins")
    assert numbers(line_with(wins, "Ada")) == [1, 1], "wins, matches"
    assert lines_on(wins) == ["Cai", "Ada"]
    assert "Ada" in own_line(wins)
    assert numbers(own_line(await page(people[1], by="wins"))) == [], "a win is missing"
    assert numbers(own_line(await page(people[0], by="win_rate"))) == [4], "matches are missing"
    assert numbers(own_line(await page(people[0], by="calls"))) == [10], "calls are missing"


async def test_switches_between_leaderboards(world: World, people: list[Person]) -> None:
    await played(world, *(UserId(person.id) for person in people))
    last_month = world.env.now().replace(day=1) - timedelta(days=2)
    await played(
        world, *(UserId(person.id) for person in reversed(people)), at=last_month, score=10
    )
    board = await page(people[0], by="points")
    assert numbers(line_with(board, "Ada")) == [25, 40], "points a round, rounds"
    this, last = (f"{moment:%Y-%m}" for moment in (world.env.now(), last_month))

    async def choose(select: str, part: str) -> None:
        """Choose the leaderboard whose name has this part, in its select."""
        options = find(board, Verb.LEADERS, select).options
        (value,) = (option.value for option in options if part in option.value.split("."))
        await people[0].choose(Verb.LEADERS, value, args=select)
        assert part in asked(board).split(".")

    await choose("time", this)
    assert numbers(line_with(board, "Ada")) == [60, 20]
    await choose("game", "trichu")
    assert lines_on(board) == []
    await choose("order", "rating")
    await choose("game", "nanjing")
    await choose("time", last)
    await choose("order", "points")
    assert asked(board) == f"nanjing.{last}.points.here"
    assert numbers(line_with(board, "Ada")) == [-10, 20]
    assert len(people[0].private()) == 1, "always the same message"


async def test_pages_turn_and_end(world: World, people: list[Person]) -> None:
    """A reader on another page sees their place; a page after the last is the last."""
    world.let_people_hurry()
    ada = people[0]
    await played(world, *(UserId(person.id) for person in people), score=50)
    for first in range(1000, 1024, 4):
        await played(
            world,
            UserId(first),
            UserId(first + 1),
            UserId(first + 2),
            UserId(first + 3),
            score=first,
        )
    board = await page(ada, by="points")
    assert page_of_pages(board) == [1, 3]
    assert numbers(own_line(board)) == [13, 50, 20], "place, points per round, rounds"
    seen = lines_on(board)
    for number in (2, 3):
        await ada.press(Verb.LEADERS, f".here.{number - 1}")
        assert page_of_pages(board) == [number, 3]
        seen += lines_on(board)
    assert len(seen) == len(set(seen)) == 28
    with pytest.raises(SetupError):
        await ada.press(Verb.LEADERS, ".here.3")
    await ada.press(Verb.LEADERS, ".here.1")
    assert "11." in text(board)
    assert "Ada" in own_line(board)
    for behind in (3, 7, 10**30):
        await forge(ada, board, f"b:leaders:nanjing.ever.points.here.{behind}")
        assert len(lines_on(board)) == 8
        assert page_of_pages(board) == [3, 3]
    await ada.press(Verb.LEADERS, ".here.1")
    assert len(lines_on(board)) == 10


async def test_numbers_follow_the_language() -> None:
    german = Say("de", NullTranslations())
    place = LeaderboardLine(1, UserId(1), "Ada", 0.5, Tally(calls=2468, calls_made=1234), 0.0)
    told = value_text(place, BoardQuery("nanjing", EVER, "calls"), german)
    assert told == "**50\N{NO-BREAK SPACE}%** · 1.234 of 2.468 made"


async def test_lists_only_volunteers_on_all_servers(world: World, people: list[Person]) -> None:
    await played(world, *(UserId(person.id) for person in people))
    board = await page(people[0])
    await people[0].press(Verb.LEADERS, ".all.0")
    assert lines_on(board) == []
    assert "/tichu settings" in own_line(board)
    await world.bot.store.preferences.choose(UserId(people[0].id), Preferences(worldwide=True))
    found = text(await page(people[1], everywhere=True))
    assert f"<@{people[0].id}>" in found, "what they are called on this server is told nowhere else"
    await world.bot.store.preferences.choose(
        UserId(people[0].id), Preferences(worldwide=True), "Adelheid"
    )
    everywhere = await page(people[1], everywhere=True)
    assert shown(everywhere, "Adelheid", *NAMES) == ["Adelheid"]
    assert "Ada" in text(await page(people[1]))
    await world.bot.store.preferences.choose(UserId(people[0].id), Preferences(hidden=True))
    assert "Ada" not in text(await page(people[1]))


async def test_hidden_reader_is_reminded_of_their_choice(
    world: World, people: list[Person]
) -> None:
    ada, ben, *_ = people
    await world.bot.store.preferences.choose(
        UserId(ada.id), Preferences(hidden=True, worldwide=True)
    )
    await world.bot.store.preferences.choose(UserId(ben.id), Preferences(worldwide=True))
    lines = set()
    for rounds in (1, 19):
        await played(world, *(UserId(person.id) for person in people), rounds=rounds)
        for everywhere in (False, True):
            lines.add(own_line(await page(ada, everywhere=everywhere)))
    (line,) = lines
    assert "/tichu settings" in line
    assert numbers(line) == [], "nothing is missing"
    assert "🥇" in own_line(await page(ben, everywhere=True))


async def test_reader_without_consent_learns_how_to_join_all_servers(
    world: World, people: list[Person]
) -> None:
    for _ in range(2):
        assert "/tichu settings" in own_line(await page(people[0], everywhere=True))
        assert "/tichu settings" not in own_line(await page(people[0]))
        await played(world, *(UserId(person.id) for person in people))
    await world.bot.store.preferences.choose(UserId(people[0].id), Preferences(worldwide=True))
    missing = own_line(await page(people[0], by="calls", everywhere=True))
    assert numbers(missing) == [10], "calls that are missing"


async def test_names_are_escaped(world: World, people: list[Person]) -> None:
    await played(world, UserId(1000), UserId(1001), UserId(1002), UserId(1003))
    assert "P\\_1000" in text(await page(people[0]))


FORGED = (
    *("", "nanjing", "nanjing.ever.rating.here", "nanjing.ever.rating.here.x", "a.b.c.d.e"),
    *("poker.ever.rating.here.0", "nanjing.ever.luck.here.0", "nanjing.ever.rating.there.0"),
)


async def test_refuses_forged_controls(
    world: World, people: list[Person], subtests: pytest.Subtests
) -> None:
    board = await page(people[0])
    before = text(board)
    for args in FORGED:
        with subtests.test(args=args):
            result = await forge(people[0], board, f"b:leaders:{args}")
            assert result.response is not None
            assert refusal("unknown-button") in text(result.response)
            assert text(people[0].private()[0]) == before


async def test_old_season_falls_back_to_all_time(
    world: World, people: list[Person], subtests: pytest.Subtests
) -> None:
    for period in ("1999-01", "0000-99", "2026-13", "x" * 20, "-1"):
        with subtests.test(period=period):
            board = await page(people[0])
            await forge(people[0], board, f"b:leaders:nanjing.{period}.rating.here.99999999")
            assert asked(board) == "nanjing.ever.rating.here"
