"""`/tichu profile` and the same in the menu of a member, clicked through."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.errors import Reason, Refused
from bot.score_records import Preferences
from bot.text.sentences import sentence
from cogs.commands.profile import MENU
from cogs.pages.profile import EARNED, MISSING, RATING_FILE
from cogs.pages.verbs import Verb
from tests.bot.charts.painters import DOT, Ready, Slow
from tests.bot.played import EVENING, Evening, Sketch
from tests.cogs.forged_clicks import ARGUMENTS, forge
from tests.cogs.worlds import SAY, World, a_world
from tests.simcord_clicks import Person, controls, text, with_verb

PROFILE = "tichu profile"
PEOPLE = ("Ada", "Ben_*", "Cai", "Dan")
HIDDEN = sentence(SAY, Refused(Reason.PROFILE_HIDDEN))
ROUND = Sketch((250, 50), calls={0: ("tichu", True), 1: ("grand", False)}, bombs={0: 1})
LORDS = {"variant": "grandseigneur", "alone": True, "rounds": [Sketch(out=(0, 1, 2, 3))] * 3}


async def play(world: World, people: list[Person], day: int = 0, **given: Any) -> None:
    """A match of one round in which the first and third win against the other two."""
    values = {
        "rounds": [ROUND],
        "people": [person.id for person in people],
        "at": EVENING + timedelta(days=day),
        "guild_id": world.guild.id,
        "names": {person.id: name for person, name in zip(people, PEOPLE, strict=True)},
        **given,
    }
    await Evening(**values).store(world.bot.store)


def page(result: InteractionResult) -> ResponseMessage:
    """The private page that was the answer."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def words(result: InteractionResult) -> str:
    """What was answered, to nobody but who asked."""
    return text(page(result))


async def press(
    person: Person, message: ResponseMessage, verb: Verb, game: str = "nanjing"
) -> ResponseMessage:
    """Press the button with this verb for this game."""
    return page(await person.press(verb, "." + game, on=message))


def games(message: ResponseMessage) -> list[str]:
    """The games that have a button, the one that is shown too."""
    of_profile = (control for control in controls(message) if control.verb == Verb.PROFILE)
    return [control.args.partition(".")[2] for control in of_profile]


def pictures(message: ResponseMessage) -> list[str]:
    """The files that are attached."""
    return [file.filename for file in message.attachments]


async def test_ones_own_profile(world: World) -> None:
    people = world.people(*PEOPLE)
    for day in range(10):
        await play(world, people, day)
    shown = words(await people[0].slash(PROFILE))
    assert f"<@{people[0].id}>" in shown
    for line in (
        "**10 rounds**: +200 points a round",
        "**10 matches**: 10 won (100%)",
        "Matches won in a row: 10 now, 10 at best",
        "Tichu: 10 of 10 made, +1,000 points",
        "Grand Tichu: never called",
        "Bombs: 10",
        "Favourite partner: **Cai**, 10 rounds, 100% won",
    ):
        assert line in shown.split("\n")
    assert "Nemesis" not in shown
    ben = words(await people[1].slash(PROFILE))
    assert "Grand Tichu: 0 of 10 made, −2,000 points" in ben
    assert "Nemesis: **Ada**, 200 points lost in each of 10 rounds" in ben


@pytest.mark.parametrize("way", ["command", "menu"])
async def test_the_profile_of_another_person(world: World, way: str) -> None:
    people = world.people(*PEOPLE)
    ada, ben, *_ = people
    await play(world, people)
    if way == "command":
        result = await ada.slash(PROFILE, player=ben.member)
    else:
        result = await ada.member.context_menu(ada.channel, MENU, ben.member)
    shown = page(result)
    assert f"<@{ben.id}>" in text(shown)
    assert "Grand Tichu: 0 of 1 made, −200 points" in text(shown)
    shown = await press(ada, shown, Verb.ACHIEVEMENTS)
    assert f"<@{ben.id}>" in text(shown)
    assert f"<@{ben.id}>" in text(await press(ada, shown, Verb.PROFILE))
    assert len(ada.private()) == 1


async def test_names_of_others_are_no_markdown(world: World) -> None:
    people = world.people(*PEOPLE)
    await play(world, people)
    assert "Favourite partner: **Ben\\_\\***" in words(await people[3].slash(PROFILE))


async def test_only_games_that_were_played_can_be_chosen(world: World) -> None:
    people = world.people(*PEOPLE)
    ada = people[0]
    await play(world, people)
    assert games(page(await ada.slash(PROFILE))) == []
    await play(world, people, 1, **LORDS)
    shown = page(await ada.slash(PROFILE))
    assert games(shown) == ["grandseigneur", "nanjing"]
    assert "**3 rounds**: ahead of 100% of the others" in text(shown)
    assert "**3 rounds**: ahead of 67% of the others" in words(await people[1].slash(PROFILE))
    assert "Tichu:" not in text(shown)
    shown = await press(ada, shown, Verb.PROFILE, "nanjing")
    assert "**1 round**: +200 points a round" in text(shown)
    chosen = page(await ada.slash(PROFILE, game="nanjing"))
    assert text(chosen) == text(shown)
    shown = await press(ada, shown, Verb.PROFILE, "grandseigneur")
    assert "**3 rounds**" in text(shown)


async def test_a_game_that_was_not_played_leads_to_those_that_were(world: World) -> None:
    people = world.people(*PEOPLE)
    ada, ben, *_ = people
    await play(world, people)
    shown = page(await ada.slash(PROFILE, game="trichu"))
    assert "No round of Trichu counts for you here yet." in text(shown)
    assert "**1 round**" in text(await press(ada, shown, Verb.PROFILE, "nanjing"))
    other = words(await ada.slash(PROFILE, game="trichu", player=ben.member))
    assert f"No round of Trichu counts for <@{ben.id}> here yet." in other


async def test_all_achievements_and_the_way_back(world: World) -> None:
    people = world.people(*PEOPLE)
    ada = people[0]
    for day in range(5):
        await play(world, people, day)
    shown = page(await ada.slash(PROFILE))
    assert f"{EARNED} Present · As announced · Under suspicion" in text(shown)
    (button,) = with_verb(shown, Verb.ACHIEVEMENTS)
    assert button.label == "Achievements (3 of 19)"
    shown = await press(ada, shown, Verb.ACHIEVEMENTS)
    earned_at = int((EVENING + timedelta(hours=1)).timestamp())
    lines = text(shown).split("\n")
    assert f"{EARNED} **As announced**, <t:{earned_at}:d>" in lines
    assert f"{MISSING} **Demolition permit**, 5 of 100" in lines
    assert sum(line.startswith(EARNED) for line in lines) == 3
    assert sum(line.startswith(MISSING) for line in lines) == 16
    assert "**5 rounds**" in text(await press(ada, shown, Verb.PROFILE))


async def test_who_is_hidden_shows_the_profile_to_himself_alone(world: World) -> None:
    people = world.people(*PEOPLE)
    ada, ben, cai, _ = people
    await play(world, people)
    opened = page(await ada.slash(PROFILE, player=ben.member))
    earned = await press(ada, page(await ada.slash(PROFILE, player=ben.member)), Verb.ACHIEVEMENTS)
    await world.bot.store.settings.choose(ben.id, Preferences(hidden=True))
    assert words(await ada.slash(PROFILE, player=ben.member)) == HIDDEN
    assert words(await ada.member.context_menu(ada.channel, MENU, ben.member)) == HIDDEN
    for message, verb in ((opened, Verb.ACHIEVEMENTS), (earned, Verb.PROFILE)):
        assert words(await ada.press(verb, on=message)) == HIDDEN
    own = page(await ben.slash(PROFILE))
    assert "**1 round**" in text(own)
    assert "not on the leaderboard: you have chosen that in /tichu settings" in text(own)
    assert "not on the leaderboard yet" in words(await cai.slash(PROFILE))
    assert "Grand Tichu" in text(await press(ben, own, Verb.ACHIEVEMENTS))
    for person in (ada, cai):
        shown = words(await person.slash(PROFILE))
        assert "Ben" not in shown
        assert str(ben.id) not in shown
    nobody = world.people("Eve")[0]
    await world.bot.store.settings.choose(nobody.id, Preferences(hidden=True))
    assert words(await ada.slash(PROFILE, player=nobody.member)) == HIDDEN


async def test_without_a_round_one_reads_how_to_begin(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    own = page(await ada.slash(PROFILE))
    assert text(own).startswith("No round on this server counts for you yet.\nOpen a table with")
    assert controls(own) == []
    other = words(await ada.slash(PROFILE, player=ben.member, game="trichu"))
    assert other.startswith(f"No round on this server counts for <@{ben.id}> yet.\n")


async def test_what_was_played_elsewhere_is_not_told(world: World) -> None:
    people = world.people(*PEOPLE)
    await play(world, people, guild_id=world.guild.id + 1)
    assert words(await people[0].slash(PROFILE)).startswith("No round on this server")


async def test_the_picture_comes_when_it_is_drawn(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people(*PEOPLE)
        ada = people[0]
        await play(world, people)
        shown = page(await ada.slash(PROFILE))
        assert painter.asked == []  # one day makes no line
        await play(world, people, 40)
        shown = page(await ada.slash(PROFILE))
        (chart,) = painter.asked
        assert chart.kind == "rating"
        assert [point.at.day for point in chart.points] == [4, 13]
        assert [season.name.text for season in chart.seasons] == ["Jun 2031"]
        assert chart.name.text == "Ada"
        assert pictures(shown) == []
        painter.at_work[0].set_result(DOT)
        await world.env.settle()
        assert pictures(shown) == [RATING_FILE]
        assert "**2 rounds**" in text(shown)
        await press(ada, shown, Verb.ACHIEVEMENTS)
        assert pictures(shown) == []


async def test_each_of_several_profiles_gets_its_picture(tmp_path: Path) -> None:
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
        for shown in (first, second):
            assert pictures(shown) == [RATING_FILE]
        assert painter.at_work[2].cancelled()
        assert pictures(third) == []


async def test_a_picture_that_comes_too_late_is_not_shown(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people(*PEOPLE)
        ada, ben, *_ = people
        for day in range(3):
            await play(world, people, day)
        shown = page(await ada.slash(PROFILE))
        await ben.slash(PROFILE, player=ada.member)
        await press(ada, shown, Verb.ACHIEVEMENTS)
        assert painter.at_work[0].cancelled()
        assert not painter.at_work[1].done()  # another reader's
        await press(ada, shown, Verb.PROFILE)
        assert pictures(shown) == []
        painter.at_work[2].set_result(DOT)
        await world.env.settle()
        assert pictures(shown) == [RATING_FILE]


class Broken(Ready):
    """Draws nothing, or fails."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self.error = error

    async def draw(self, chart: Any) -> bytes | None:
        """No picture."""
        if self.error is not None:
            raise self.error
        return None


@pytest.mark.parametrize("error", [None, ValueError("no ink")], ids=["nothing", "an error"])
async def test_a_profile_without_its_picture_is_complete(
    tmp_path: Path, errors: Any, error: Exception | None
) -> None:
    async with a_world(tmp_path, painter=Broken(error)) as world:
        people = world.people(*PEOPLE)
        for day in range(3):
            await play(world, people, day)
        shown = page(await people[0].slash(PROFILE))
        assert pictures(shown) == []
        assert "**3 rounds**" in text(shown)
        errors.allow("no picture of a rating")
        assert len(errors.allowed) == (error is not None)


async def test_forged_buttons_get_a_sentence_or_a_page(world: World) -> None:
    people = world.people(*PEOPLE)
    ada = people[0]
    await play(world, people)
    shown = page(await ada.slash(PROFILE))
    unknown = sentence(SAY, Refused(Reason.UNKNOWN_BUTTON))
    for arguments in (*ARGUMENTS, "9999999999999999999.nanjing", ".nanjing", "-1.trichu"):
        for verb in ("profile", "achievements"):
            answer = words(await forge(ada, shown, f"b:{verb}:{arguments}"))
            if not arguments[:1].isdigit() or len(arguments.partition(".")[0]) > 18:
                assert answer == unknown, arguments
    old = await forge(ada, shown, f"b:0:0:profile:{ada.id}.nanjing")  # as posted before 0.2
    assert words(old) == text(page(await ada.slash(PROFILE)))
    for game in ("poker", "trichu", ""):
        answer = words(await forge(ada, shown, f"b:profile:{ada.id}.{game}"))
        assert ("**1 round**" in answer) == (game != "trichu")
        stranger = words(await forge(ada, shown, f"b:achievements:77.{game}"))
        assert stranger.startswith("No round on this server counts for <@77> yet.")
