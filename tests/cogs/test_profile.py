"""`/tichu profile` and the same in the user menu, by clicks."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.score_records import Preferences
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.delivery.uploads import PAUSE
from cogs.pages.profiles.profile import EARNED_EMOJI, MISSING_EMOJI, RATING_FILE, empty_profile_page
from cogs.pages.verbs import Verb
from cogs.tichu import MENU
from tests.bot.pictures.painters import DOT, Ready, Slow
from tests.bot.played import EVENING, Evening, Sketch
from tests.campaign import sample
from tests.cogs.delivery.uploads import WatchedUploads, gallery_items
from tests.cogs.forged_clicks import ARGUMENTS, forge
from tests.cogs.history_pages import page, pictures
from tests.cogs.worlds import SAY, World, a_world
from tests.simcord_clicks import (
    Person,
    controls,
    has,
    line_with,
    numbers,
    shown,
    text,
    with_verb,
)

PROFILE = "tichu profile"
PEOPLE = ("Ada", "Ben_*", "Cai", "Dan")
HIDDEN = sentence(SAY, Refused(Reason.PROFILE_HIDDEN))
ROUND = Sketch((250, 50), calls={0: ("tichu", True), 1: ("grand", False)}, bombs={0: 1})
LORDS = {"variant": "grandseigneur", "alone": True, "rounds": [Sketch(out=(0, 1, 2, 3))] * 3}


async def play(world: World, people: list[Person], day: int = 0, **given: Any) -> None:
    """Store a match of one round in which the first and third beat the other two."""
    values = {
        "rounds": [ROUND],
        "people": [person.id for person in people],
        "at": EVENING + timedelta(days=day),
        "guild_id": world.guild.id,
        "names": {person.id: name for person, name in zip(people, PEOPLE, strict=True)},
        **given,
    }
    await Evening(**values).store(world.bot.store)


def words(result: InteractionResult) -> str:
    """Return the private text of the answer."""
    return text(page(result))


async def press(
    person: Person, message: ResponseMessage, verb: Verb, game: str = "nanjing"
) -> ResponseMessage:
    """Press the button with this verb for this game."""
    return page(await person.press(verb, "." + game, on=message))


def games(message: ResponseMessage) -> list[str]:
    """Return the games that have a button, including the shown one."""
    of_profile = (control for control in controls(message) if control.verb == Verb.PROFILE)
    return [control.args.partition(".")[2] for control in of_profile]


async def test_shows_the_own_profile(world: World) -> None:
    people = world.people(*PEOPLE)
    for day in range(10):
        await play(world, people, day)
    ada = words(await people[0].slash(PROFILE))
    assert f"<@{people[0].id}>" in ada
    for line in (
        [10, 200],  # rounds, points a round
        [10, 10, 100],  # matches, won, percent
        [10, 10],  # matches won in a row, the most ever
        [10, 10, 1000],  # Tichus made, called, points
        [10],  # bombs
    ):
        assert line in lines_of(ada)
    assert numbers(line_with(ada, "Cai")) == [10, 100], "the favourite partner: rounds, percent won"
    assert shown(ada, *PEOPLE) == ["Cai"], "they have no nemesis"
    ben = words(await people[1].slash(PROFILE))
    assert [0, 10, -2000] in lines_of(ben), "Grand Tichus made, called, points"
    assert numbers(line_with(ben, "Ada")) == [-200, 10], "their nemesis: points per round, rounds"


def lines_of(profile: ResponseMessage | str) -> list[list[float]]:
    """Return the numbers of each line."""
    whole = profile if isinstance(profile, str) else text(profile)
    return [numbers(line) for line in whole.splitlines()]


def rounds_of(profile: ResponseMessage | str) -> int:
    """Return the number of rounds of a profile: the first bold number."""
    whole = profile if isinstance(profile, str) else text(profile)
    found = re.search(r"^\*\*(\d+) ", whole, re.MULTILINE)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("way", ["command", "menu"])
async def test_shows_the_profile_of_another_person(world: World, way: str) -> None:
    people = world.people(*PEOPLE)
    ada, ben, *_ = people
    await play(world, people)
    if way == "command":
        result = await ada.slash(PROFILE, player=ben.member)
    else:
        result = await ada.member.context_menu(ada.channel, MENU, ben.member)
    profile = page(result)
    assert f"<@{ben.id}>" in text(profile)
    assert [0, 1, -200] in lines_of(profile), "Grand Tichus made, called, points"
    profile = await press(ada, profile, Verb.ACHIEVEMENTS)
    assert f"<@{ben.id}>" in text(profile)
    assert f"<@{ben.id}>" in text(await press(ada, profile, Verb.PROFILE))
    assert len(ada.private()) == 1


async def test_names_of_others_are_escaped(world: World) -> None:
    people = world.people(*PEOPLE)
    await play(world, people)
    assert "**Ben\\_\\***" in words(await people[3].slash(PROFILE))


async def test_offers_only_played_games(world: World) -> None:
    people = world.people(*PEOPLE)
    ada = people[0]
    await play(world, people)
    assert games(page(await ada.slash(PROFILE))) == []
    await play(world, people, 1, **LORDS)
    profile = page(await ada.slash(PROFILE))
    assert games(profile) == ["grandseigneur", "nanjing"]
    assert [3, 100] in lines_of(profile), "rounds, percent of the others that came in behind"
    assert [3, 67] in lines_of(page(await people[1].slash(PROFILE)))
    one_of_one = [1.0, 1.0, 100.0]
    assert lines_of(profile).count(one_of_one) == 1, "a match was won; nothing is called here"
    profile = await press(ada, profile, Verb.PROFILE, "nanjing")
    assert [1, 200] in lines_of(profile), "rounds, points a round"
    assert lines_of(profile).count(one_of_one) == 2, "a match, and a Tichu with its points"
    chosen = page(await ada.slash(PROFILE, game="nanjing"))
    assert text(chosen) == text(profile)
    profile = await press(ada, profile, Verb.PROFILE, "grandseigneur")
    assert rounds_of(profile) == 3


def nothing_of(game: str | None, person: Person, world: World, *, own: bool = False) -> str:
    """Return the text of an empty profile, or of a game without rounds."""
    speaker, games = Speaker(SAY, world.bot.art), ("nanjing",) if game else ()
    made = empty_profile_page(UserId(person.id), games, speaker, own=own, variant=game)
    (frame,) = made.to_components()
    return str(frame["components"][0]["content"])


async def test_unplayed_game_leads_to_played_ones(world: World) -> None:
    people = world.people(*PEOPLE)
    ada, ben, *_ = people
    await play(world, people)
    nothing = page(await ada.slash(PROFILE, game="trichu"))
    assert nothing_of("trichu", ada, world, own=True) == text(nothing)
    assert rounds_of(await press(ada, nothing, Verb.PROFILE, "nanjing")) == 1
    other = words(await ada.slash(PROFILE, game="trichu", player=ben.member))
    assert nothing_of("trichu", ben, world) == other


async def test_shows_all_achievements_and_returns(world: World) -> None:
    people = world.people(*PEOPLE)
    ada = people[0]
    for day in range(5):
        await play(world, people, day)
    profile = page(await ada.slash(PROFILE))
    (medals,) = (line for line in text(profile).splitlines() if line.startswith(EARNED_EMOJI))
    assert len(medals.split(" · ")) == 3
    (button,) = with_verb(profile, Verb.ACHIEVEMENTS)
    assert numbers(button.label) == [3, 19]
    profile = await press(ada, profile, Verb.ACHIEVEMENTS)
    earned_at = int((EVENING + timedelta(hours=1)).timestamp())
    earned = [line for line in text(profile).splitlines() if line.startswith(EARNED_EMOJI)]
    missing = [line for line in text(profile).splitlines() if line.startswith(MISSING_EMOJI)]
    assert (len(earned), len(missing)) == (3, 16)
    assert any(f"<t:{earned_at}:d>" in line for line in earned)
    assert [5, 100] in [numbers(line) for line in missing], "bombs"
    assert rounds_of(await press(ada, profile, Verb.PROFILE)) == 5


async def test_hidden_profile_is_shown_only_to_its_owner(world: World) -> None:
    people = world.people(*PEOPLE)
    ada, ben, cai, _ = people
    await play(world, people)
    opened = page(await ada.slash(PROFILE, player=ben.member))
    earned = await press(ada, page(await ada.slash(PROFILE, player=ben.member)), Verb.ACHIEVEMENTS)
    await world.bot.store.preferences.choose(UserId(ben.id), Preferences(hidden=True))
    assert words(await ada.slash(PROFILE, player=ben.member)) == HIDDEN
    assert words(await ada.member.context_menu(ada.channel, MENU, ben.member)) == HIDDEN
    for message, verb in ((opened, Verb.ACHIEVEMENTS), (earned, Verb.PROFILE)):
        assert words(await ada.press(verb, on=message)) == HIDDEN
    own = page(await ben.slash(PROFILE))
    assert rounds_of(own) == 1
    assert "/tichu settings" in text(own), "they have chosen to be on no leaderboard"
    assert "/tichu settings" not in words(await cai.slash(PROFILE))
    assert has(await press(ben, own, Verb.ACHIEVEMENTS), Verb.PROFILE)
    for person in (ada, cai):
        profile = words(await person.slash(PROFILE))
        assert "Ben" not in profile
        assert str(ben.id) not in profile
    nobody = world.people("Eve")[0]
    await world.bot.store.preferences.choose(UserId(nobody.id), Preferences(hidden=True))
    assert words(await ada.slash(PROFILE, player=nobody.member)) == HIDDEN


async def test_empty_profile_explains_how_to_start(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    own = page(await ada.slash(PROFILE))
    assert text(own) == nothing_of(None, ada, world, own=True)
    assert "/tichu new" in text(own)
    assert controls(own) == []
    other = words(await ada.slash(PROFILE, player=ben.member, game="trichu"))
    assert other == nothing_of(None, ben, world)


async def test_omits_matches_of_other_guilds(world: World) -> None:
    people = world.people(*PEOPLE)
    await play(world, people, guild_id=world.guild.id + 1)
    nothing = nothing_of(None, people[0], world, own=True)
    assert words(await people[0].slash(PROFILE)) == nothing


async def test_picture_is_added_when_it_is_drawn(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people(*PEOPLE)
        ada = people[0]
        await play(world, people)
        profile = page(await ada.slash(PROFILE))
        assert painter.asked == []  # a line needs more than one day
        await play(world, people, 40)
        profile = page(await ada.slash(PROFILE))
        (chart,) = painter.asked
        assert chart.kind == "rating"
        assert [point.at.day for point in chart.points] == [4, 13]
        assert [season.name.text for season in chart.seasons] == ["Jun 2031"]
        assert chart.name.text == "Ada"
        assert pictures(profile) == []
        painter.at_work[0].set_result(DOT)
        await world.env.settle()
        assert pictures(profile) == [RATING_FILE]
        assert rounds_of(profile) == 2
        await press(ada, profile, Verb.ACHIEVEMENTS)
        assert pictures(profile) == []


async def test_several_profiles_get_their_pictures(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people(*PEOPLE)
        ada, ben, *_ = people
        for day in range(3):
            await play(world, people, day)
        first = page(await ada.slash(PROFILE))
        second = page(await ada.slash(PROFILE, player=ben.member))
        third = page(await ada.slash(PROFILE))
        await press(ada, third, Verb.ACHIEVEMENTS)
        for at_work in painter.at_work[:2]:
            at_work.set_result(DOT)
        await world.env.settle()
        for profile in (first, second):
            assert pictures(profile) == [RATING_FILE]
        assert painter.at_work[2].cancelled()
        assert pictures(third) == []


async def test_late_picture_is_not_shown(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people(*PEOPLE)
        ada, ben, *_ = people
        for day in range(3):
            await play(world, people, day)
        profile = page(await ada.slash(PROFILE))
        await ben.slash(PROFILE, player=ada.member)
        await press(ada, profile, Verb.ACHIEVEMENTS)
        assert painter.at_work[0].cancelled()
        assert not painter.at_work[1].done()  # another reader's
        await press(ada, profile, Verb.PROFILE)
        assert pictures(profile) == []
        painter.at_work[2].set_result(DOT)
        await world.env.settle()
        assert pictures(profile) == [RATING_FILE]


async def test_picture_is_posted_below_where_edits_cannot_add_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = WatchedUploads(monkeypatch)
    async with a_world(tmp_path, painter=Ready()) as world:
        people = world.people(*PEOPLE)
        ada, ben, *_ = people
        for day in range(3):
            await play(world, people, day)
        uploads.refused["PATCH"] = 400, 50035
        tried = ["PATCH", "POST"], ["PATCH", "POST"], ["PATCH", "POST"], ["POST"]
        for person, methods in zip((ada, ben, ada, ben), tried, strict=True):
            profile = page(await person.slash(PROFILE))
            assert [upload.method for upload in uploads.take()] == methods
            assert pictures(profile) == []
            assert rounds_of(profile) == 3
            alone = person.latest_private()
            assert pictures(alone) == [RATING_FILE]
            (item,) = gallery_items(alone)
            assert shown(item["description"], *PEOPLE) == [PEOPLE[people.index(person)]]


async def test_picture_is_retried_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = WatchedUploads(monkeypatch)
    async with a_world(tmp_path, painter=Ready()) as world:
        people = world.people(*PEOPLE)
        for day in range(3):
            await play(world, people, day)
        uploads.refused["PATCH"] = 503, 0
        profile = page(await people[0].slash(PROFILE))
        assert (len(uploads.take()), pictures(profile)) == (1, [])
        await world.env.advance_time(PAUSE.total_seconds() - 1)
        assert uploads.take() == []
        uploads.refused.clear()
        await world.env.advance_time(2)
        assert (len(uploads.take()), pictures(profile)) == (1, [RATING_FILE])


class Broken(Ready):
    """Painter that returns nothing, or fails."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self.error = error

    async def draw(self, chart: Any) -> bytes | None:
        """Return no picture."""
        if self.error is not None:
            raise self.error
        return None


@pytest.mark.parametrize("error", [None, ValueError("no ink")], ids=["nothing", "an error"])
async def test_profile_without_its_picture_is_complete(
    tmp_path: Path, errors: Any, error: Exception | None
) -> None:
    async with a_world(tmp_path, painter=Broken(error)) as world:
        people = world.people(*PEOPLE)
        for day in range(3):
            await play(world, people, day)
        profile = page(await people[0].slash(PROFILE))
        assert pictures(profile) == []
        assert rounds_of(profile) == 3
        errors.allow("drawing a page picture")
        assert len(errors.allowed) == (error is not None)


async def test_forged_buttons_are_answered(world: World) -> None:
    world.let_people_hurry()
    people = world.people(*PEOPLE)
    ada = people[0]
    await play(world, people)
    profile = page(await ada.slash(PROFILE))
    unknown = sentence(SAY, Refused(Reason.UNKNOWN_BUTTON))
    for arguments in (
        *sample(ARGUMENTS, 12),
        "9999999999999999999.nanjing",
        ".nanjing",
        "-1.trichu",
    ):
        for verb in ("profile", "achievements"):
            answer = words(await forge(ada, profile, f"b:{verb}:{arguments}"))
            if not arguments[:1].isdigit() or len(arguments.partition(".")[0]) > 18:
                assert answer == unknown, arguments
    for game in ("poker", "trichu", ""):
        answer = words(await forge(ada, profile, f"b:profile:{ada.id}.{game}"))
        assert rounds_of(answer) == (game != "trichu")
        stranger = words(await forge(ada, profile, f"b:achievements:77.{game}"))
        assert "<@77>" in stranger
        assert rounds_of(stranger) == 0
