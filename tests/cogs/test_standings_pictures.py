"""Pictures of standings in the public messages of tournaments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.club import actions as a
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.ids import ClubEventId, GuildId
from bot.pictures.process import Drawing
from bot.pictures.standings.scene import Bracket, StandingsTable
from bot.records import ServerSettings
from tests.bot.pictures.painters import DOT, Ready, Slow
from tests.cogs.club_nights import public, the_event
from tests.cogs.conftest import ErrorRecords
from tests.cogs.fast_forward import manage_event
from tests.cogs.test_league import season
from tests.cogs.test_score_pictures import files, galleries
from tests.cogs.test_tournament import begun as draw
from tests.cogs.worlds import World, a_world
from tests.simcord_clicks import Wire, deny, text

WON = Result("played", 0, (1000, 7))


async def begun(world: World, **options: object) -> None:
    """Draw the first round of a tournament of four pairs."""
    world.let_people_hurry()
    await draw(world, title="Cup", **options)


async def manage(world: World, *actions: a.Action) -> None:
    """Store actions of the organiser."""

    def change(event: ClubEvent, now: datetime) -> Sequence[a.Action]:
        return actions

    await manage_event(world, await the_event(world), change)


async def end_round(world: World) -> None:
    """Let all matches of the last round end at the same time."""
    event = await the_event(world)
    matches = range(len(event.rounds[-1].matches))
    await manage(
        world, *(a.Ended(round=len(event.rounds), match=each, result=WON) for each in matches)
    )


def file_of(message: ResponseMessage) -> str:
    """Return the name of the only file of a message, which its gallery shows."""
    ((name, data),) = files(message).items()
    (item,) = galleries(message)
    assert data == DOT
    assert str(item["description"]).startswith("Cup. ")
    return name


def names_of(message: ResponseMessage) -> list[str]:
    """Return the names of the files in the gallery of a message, which are all it has."""
    items = galleries(message)
    descriptions = [str(item["description"]) for item in items]
    assert len({*descriptions}) == len(items)
    assert all(each.startswith("Cup. ") for each in descriptions)
    names = [re.search(r"standings-\w+\.png", str(item["media"])) for item in items]
    found = [each.group() for each in names if each is not None]
    assert sorted(files(message)) == sorted(found)
    return found


async def test_picture_comes_with_a_round_and_is_replaced_after_the_next(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        await begun(world)
        assert files(public(world)) == {}
        await end_round(world)
        first = file_of(public(world))
        await end_round(world)
        assert file_of(public(world)) != first
        assert all(isinstance(each, StandingsTable) for each in painter.asked)
        assert "Cup" in text(public(world))


async def test_bracket_comes_with_the_draw(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        await begun(world, format="knock-out")
        drawn = file_of(public(world))
        await end_round(world)
        assert file_of(public(world)) != drawn
        await end_round(world)
        assert (await the_event(world)).status == "over"
        file_of(public(world))
        assert all(isinstance(each, Bracket) for each in painter.asked)


async def test_unchanged_standings_keep_their_picture(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        await begun(world)
        await end_round(world)
        first, drawings = file_of(public(world)), len(painter.asked)
        wire = Wire(world.env)
        await manage(world, a.Paused(paused=True))
        edits = [each for each in wire.sent if each.method == "PATCH"]
        assert len(edits) == 1
        assert (file_of(public(world)), len(painter.asked)) == (first, drawings)
        await world.restart()
        await world.env.settle()
        await manage(world, a.Paused(paused=False))
        assert (file_of(public(world)), len(painter.asked)) == (first, drawings + 1)


async def test_only_changed_tables_of_a_league_are_drawn_again(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        world.let_people_hurry()
        names = [f"P{number}" for number in range(16)]
        await season(world, *names, title="Cup", divisions=2)
        await manage(world, a.Ended(round=1, match=0, result=WON))
        before = names_of(public(world))
        assert len(before) == len(painter.asked) == 2
        for match, changed in ((3, 1), (1, 0), (2, 1)):
            wire, drawings = Wire(world.env), len(painter.asked)
            await manage(world, a.Ended(round=1, match=match, result=WON))
            after = names_of(public(world))
            assert [one != other for one, other in zip(before, after, strict=True)] == [
                changed == 0,
                changed == 1,
            ]
            assert len(painter.asked) == drawings + 1
            (edit,) = (each for each in wire.sent if each.method == "PATCH")
            assert sum("filename" in each for each in edit.body["attachments"]) == 1, "uploaded"
            before = after


async def test_large_bracket_comes_in_parts(tmp_path: Path) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        world.let_people_hurry()
        names = [f"P{number}" for number in range(34)]
        await draw(world, *names, title="Cup", format="knock-out")
        assert len(names_of(public(world))) == 2
        await end_round(world)
        assert len(names_of(public(world))) == 1


async def test_results_at_the_same_time_are_one_edit(tmp_path: Path) -> None:
    async with a_world(tmp_path, painter=Ready()) as world:
        await begun(world)
        wire = Wire(world.env)
        await end_round(world)
        assert len([each for each in wire.sent if each.method == "PATCH"]) <= 2


@pytest.mark.parametrize("reason", ["server", "permission"])
async def test_no_picture_where_none_are_wanted(tmp_path: Path, reason: str) -> None:
    painter = Ready()
    async with a_world(tmp_path, painter=painter) as world:
        if reason == "server":
            guild = GuildId(world.guild.id)
            await world.bot.store.server_settings.choose(guild, ServerSettings(pictures=False))
        else:
            assert world.bot.user is not None
            deny(world.env, world.channel, world.bot.user.id, "attach_files")
        await begun(world)
        await end_round(world)
        assert (files(public(world)), galleries(public(world)), painter.asked) == ({}, [], [])


async def test_turned_off_pictures_leave_the_message(tmp_path: Path) -> None:
    async with a_world(tmp_path, painter=Ready()) as world:
        await begun(world)
        await end_round(world)
        file_of(public(world))
        guild = GuildId(world.guild.id)
        await world.bot.store.server_settings.choose(guild, ServerSettings(pictures=False))
        await manage(world, a.Paused(paused=True))
        assert (files(public(world)), galleries(public(world))) == ({}, [])


class Broken(Ready):
    """Painter that always fails."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Raise an error."""
        self.asked.append(drawing)
        raise RuntimeError("no picture")


async def test_update_comes_without_a_picture_that_fails(
    tmp_path: Path, errors: ErrorRecords
) -> None:
    async with a_world(tmp_path, painter=Broken()) as world:
        await begun(world)
        await end_round(world)
        errors.allow("unhandled exception while drawing")
        assert (await the_event(world)).seq == await shown_seq(world)
        assert files(public(world)) == {}


async def test_update_does_not_wait_long_for_its_picture(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        await begun(world)
        await manage(world, a.Ended(round=1, match=0, result=WON))
        assert await shown_seq(world) < (await the_event(world)).seq
        await world.env.advance_time(4)
        assert await shown_seq(world) == (await the_event(world)).seq
        assert files(public(world)) == {}
        painter.at_work[0].set_result(DOT)


@pytest.mark.parametrize("part", ["upload", "kept"])
async def test_refused_pictures_do_not_stop_updates(tmp_path: Path, part: str) -> None:
    async with a_world(tmp_path, painter=Ready()) as world:
        await begun(world)
        if part == "kept":
            await end_round(world)
        path = f"/channels/{world.channel.id}/messages/{public(world).id}"
        world.env.inject_error("PATCH", path, status=400, code=50035, times=1)
        if part == "kept":
            await manage(world, a.Paused(paused=True))
        else:
            await end_round(world)
        assert (await the_event(world)).seq == await shown_seq(world)
        assert (files(public(world)), galleries(public(world))) == ({}, [])


async def shown_seq(world: World) -> int:
    """Return the number of actions that the public message shows."""
    stored = await world.bot.store.club_events.get(ClubEventId(1))
    assert stored is not None
    return stored.record.shown
