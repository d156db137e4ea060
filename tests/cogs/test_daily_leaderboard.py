"""Leaderboards of the deal of the day by clicks, and their files."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import product

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.ids import GuildId, UserId
from bot.score_records import Preferences
from cogs.pages.verbs import Verb
from tests.bot.storage.test_daily_standings import play
from tests.cogs.history_pages import page
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, has, messages, shown, text, verbs

NAMES = ("Ada", "Ben")


@pytest.fixture
async def people(world: World) -> list[Person]:
    """Return Ada and Ben, who have played on the first five days of January, and Eve."""
    people = world.people(*NAMES, "Eve")
    ada, ben, _ = (UserId(person.id) for person in people)
    first, store, here = world.env.now().date(), world.bot.store, GuildId(world.guild.id)
    for days in range(5):
        day, points = first + timedelta(days=days), {ada: 100, ben: 0}
        await play(store, day, points, names=NAMES, guild_id=here)
    for user_id in (ada, ben):
        await store.boards.note_server(here, user_id)
    world.env.backend.advance_clock(timedelta(days=5, minutes=1).total_seconds())
    await world.restart()  # the days are closed after a downtime
    return people


async def leaderboard(person: Person, period: str, where: str = "here") -> ResponseMessage:
    """Open a leaderboard from the start page."""
    start = page(await person.slash("tichu daily"))
    shown_page = page(await person.press(Verb.DAILY_BOARD, on=start))
    wanted = f"{period}.here.0"
    shown_page = page(await person.choose(Verb.DAILY_BOARD, wanted, args="time", on=shown_page))
    if where == "all":
        shown_page = page(await person.press(Verb.DAILY_BOARD, f"{period}.all.0", on=shown_page))
    return shown_page


def file_of(result: InteractionResult) -> str:
    """Return the content of the file in an answer."""
    answers = [each for each in (result.response, *result.followups) if each is not None]
    (file,) = (file for each in answers for file in each.attachments)
    return file.filename


async def test_leaderboards_of_month_and_week(world: World, people: list[Person]) -> None:
    """The week has four of the five days."""
    for person, period in product(people, ("month", "last-week")):
        found = await leaderboard(person, period)
        assert shown(found, *NAMES) == ["Ada", "Ben"]
        assert "lead could be chance" in text(found)
    empty = await leaderboard(people[0], "last-month")
    assert shown(empty, *NAMES) == []
    assert not has(empty, Verb.DAILY_EXPORT)
    assert has(page(await people[0].press(Verb.DAILY, on=empty)), Verb.DAILY_PLAY)
    assert all(each.ephemeral for each in messages(world.env, world.channel))


async def test_people_join_the_leaderboard_of_all_servers(
    world: World, people: list[Person]
) -> None:
    ada = people[0]
    found = await leaderboard(ada, "month", "all")
    assert shown(found, *NAMES) == []
    await world.bot.store.preferences.choose(UserId(ada.id), Preferences(worldwide=True), "Ada")
    assert shown(await leaderboard(ada, "month", "all"), *NAMES) == ["Ada"]


@pytest.mark.parametrize("form", ["csv", "json"])
async def test_exports_a_private_file(
    world: World, people: list[Person], form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await leaderboard(people[2], "month")
    assert verbs(found).count(Verb.DAILY_EXPORT) == 2
    files: list[bytes] = []
    store = world.env.backend.cdn.store_attachment

    def keep(*args: object) -> object:
        files.append(args[3])  # type: ignore[arg-type]
        return store(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(world.env.backend.cdn, "store_attachment", keep)
    result = await people[2].press(Verb.DAILY_EXPORT, f".{form}", on=found)
    assert file_of(result) == f"tichu-daily-2026-01.{form}"
    assert all(each.ephemeral for each in messages(world.env, world.channel))
    (content,) = files
    if form == "json":
        names = [each["name"] for each in json.loads(content)["people"]]
    else:
        names = [line.split(",")[1] for line in content.decode("utf-8-sig").splitlines()[1:]]
    assert names == list(NAMES)
