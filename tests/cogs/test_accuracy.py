"""The accuracy in `/tichu profile`: turned on, looked at, compared and turned off, by clicks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.ids import GuildId, TableId, UserId
from bot.records import ReviewRecord
from bot.score_records import Preferences
from bot.storage.accuracy import AccuracyStore
from cogs.pages.profiles.accuracy import ACCURACY_FILE
from cogs.pages.verbs import Verb
from tests.bot.coach.judged_rounds import Costs, body
from tests.bot.pictures.painters import DOT, Slow
from tests.bot.played import EVENING, Evening, Sketch
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, pictures, press
from tests.cogs.test_settings import switches
from tests.cogs.worlds import World, a_world, refusal
from tests.simcord_clicks import Person, has, line_with, numbers, shown, text, texts

NAMES = ("Ada", "Ben", "Cai", "Dan")
OFF = refusal("accuracy-off")
GOOD: Costs = [("lead", 4.0), ("follow", -1.0)] * 6
"""Decisions that cost 1.5 points on average."""
BAD: Costs = [("lead", 10.0), ("follow", 9.0)] * 6


async def play(
    world: World, people: Sequence[Person], days: int = 1, **given: Any
) -> list[TableId]:
    """Store matches of one round, one a day; return their tables."""
    values = {
        "rounds": [Sketch((250, 50))],
        "people": [person.id for person in people],
        "guild_id": world.guild.id,
        "names": {person.id: name for person, name in zip(people, NAMES, strict=True)},
        **given,
    }
    evenings = [Evening(at=EVENING + timedelta(days=day), **values) for day in range(days)]
    return [TableId(await evening.store(world.bot.store)) for evening in evenings]


async def review(
    world: World, person: Person, tables: Sequence[TableId], costs: Costs, seat: int = 0
) -> None:
    """Store a review of the round of each table for a person."""
    for table_id in tables:
        record = ReviewRecord(
            table_id=table_id,
            number=1,
            seat=seat,
            user_id=UserId(person.id),
            version=1,
            made_at=EVENING,
            body=body(costs),
        )
        await world.bot.store.coach.keep(record)


async def turn(person: Person, *verbs: Verb) -> None:
    """Press these switches on the settings page."""
    settings = page(await person.slash("tichu settings"))
    for verb in verbs:
        settings = await press(person, settings, verb)


async def turn_all_on(*people: Person) -> None:
    """Let people show and compare their accuracy."""
    for person in people:
        await turn(person, Verb.SHOW_ACCURACY, Verb.COMPARE_ACCURACY)


async def profile(person: Person, of: Person | None = None) -> ResponseMessage:
    """Return the profile of a person, by default one's own."""
    options = {} if of is None else {"player": of.member}
    return page(await person.slash("tichu profile", **options))


async def forced(
    person: Person, message: ResponseMessage, of: Person, verb: Verb = Verb.ACCURACY
) -> str:
    """Return the answer to a forged click."""
    return text(page(await forge(person, message, f"b:{verb}:{of.id}.nanjing")))


async def test_accuracy_is_off_until_it_is_turned_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = world.people(*NAMES)
    ada = people[0]
    await review(world, ada, await play(world, people, 6), GOOD)
    shown_settings = switches(page(await ada.slash("tichu settings")))
    assert shown_settings["show-accuracy"].args == "on"
    assert not shown_settings["compare-accuracy"].enabled
    with monkeypatch.context() as patch:
        patch.delattr(AccuracyStore, "rounds_of")  # nothing is read or computed
        own = await profile(ada)
        assert not has(own, Verb.ACCURACY)
        assert await forced(ada, own, ada) == OFF

    await turn(ada, Verb.SHOW_ACCURACY)
    accuracy = await press(ada, await profile(ada), Verb.ACCURACY)
    assert numbers(line_with(accuracy, "per decision")) == [1.5, 1.5, 1.5]
    assert numbers(line_with(accuracy, "reviewed rounds ·"))[:2] == [72, 6]
    assert not has(accuracy, Verb.ACCURACY_LIST)
    back = await press(ada, accuracy, Verb.PROFILE)
    assert has(back, Verb.ACHIEVEMENTS)

    await turn(ada, Verb.SHOW_ACCURACY)
    assert not has(await profile(ada), Verb.ACCURACY)
    assert text(await press(ada, back, Verb.ACCURACY)) == OFF


async def test_turning_accuracy_off_turns_comparison_off(world: World) -> None:
    (ada,) = world.people("Ada")
    await turn_all_on(ada)
    await turn(ada, Verb.SHOW_ACCURACY, Verb.SHOW_ACCURACY)
    stored = await world.bot.store.personal_settings.get(UserId(ada.id))
    assert (stored.accuracy, stored.accuracy_compared) == (True, False)


async def test_few_reviewed_rounds_are_too_few(world: World) -> None:
    people = world.people(*NAMES)
    ada = people[0]
    tables = await play(world, people, 5)
    await turn(ada, Verb.SHOW_ACCURACY)
    nothing = await press(ada, await profile(ada), Verb.ACCURACY)
    assert numbers(line_with(nothing, "reviewed rounds and")) == [5, 50]
    await review(world, ada, tables[:4], GOOD * 2)
    few = await press(ada, await profile(ada), Verb.ACCURACY)
    assert numbers(line_with(few, "decisions ·")) == [96, 4]
    await review(world, ada, tables, GOOD)
    enough = await press(ada, await profile(ada), Verb.ACCURACY)
    assert len(texts(enough)) > len(texts(few))


async def test_only_rated_rounds_of_the_server_and_game_count(world: World) -> None:
    people = world.people(*NAMES)
    ada = people[0]
    await review(world, ada, await play(world, people, 5), GOOD)
    for given in ({"guild_id": world.guild.id + 1}, {"rated": False}, {"variant": "tientsin"}):
        await review(world, ada, await play(world, people, 5, **given), BAD)
    await turn(ada, Verb.SHOW_ACCURACY)
    accuracy = await press(ada, await profile(ada), Verb.ACCURACY, ".nanjing")
    assert numbers(line_with(accuracy, "per decision")) == [1.5, 1.5, 1.5]


async def test_others_see_the_average_only_if_both_allow_it(world: World) -> None:
    people = world.people(*NAMES)
    ada, ben, *_ = people
    await review(world, ben, await play(world, people, 6), GOOD)
    await turn_all_on(ben)
    await turn(ada, Verb.SHOW_ACCURACY)
    seen = await profile(ada, ben)
    assert not has(seen, Verb.ACCURACY)
    assert await forced(ada, seen, ben) == OFF
    await turn(ada, Verb.COMPARE_ACCURACY)
    seen = await profile(ada, ben)
    accuracy = await press(ada, seen, Verb.ACCURACY)
    assert numbers(line_with(accuracy, "per decision")) == [1.5, 1.5, 1.5]
    assert "Leads" not in text(accuracy), "the kinds are for their owner"
    assert "Leads" in text(await press(ben, await profile(ben), Verb.ACCURACY))

    await turn(ben, Verb.COMPARE_ACCURACY)
    assert not has(await profile(ada, ben), Verb.ACCURACY)
    assert await forced(ada, seen, ben) == OFF


async def test_an_old_settings_page_allows_no_comparison_in_advance(world: World) -> None:
    ada = world.people(*NAMES)[0]
    old = page(await ada.slash("tichu settings"))
    await forge(ada, old, f"b:{Verb.COMPARE_ACCURACY}:on")
    await turn(ada, Verb.SHOW_ACCURACY)
    settings = await world.bot.store.personal_settings.get(UserId(ada.id))
    assert (settings.accuracy, settings.accuracy_compared) == (True, False)


async def test_hidden_people_compare_nothing(world: World) -> None:
    people = world.people(*NAMES)
    ada, ben, *_ = people
    await review(world, ben, await play(world, people, 6), GOOD)
    await turn_all_on(ada, ben)
    seen = await profile(ada, ben)
    own = await press(ada, await profile(ada), Verb.ACCURACY)
    await world.bot.store.preferences.choose(UserId(ben.id), Preferences(hidden=True))
    assert await forced(ada, seen, ben) == OFF
    assert "Ben" not in text(await press(ada, own, Verb.ACCURACY_LIST))
    hidden = await press(ben, await profile(ben), Verb.ACCURACY)
    assert not has(hidden, Verb.ACCURACY_LIST)
    assert await forced(ben, hidden, ben, Verb.ACCURACY_LIST) == OFF


async def test_compares_those_who_allow_it_on_the_same_server(world: World) -> None:
    people = world.people(*NAMES)
    ada, ben, cai, dan = people
    tables = await play(world, people, 6)
    for seat, costs in enumerate((GOOD, GOOD, BAD, GOOD)):
        await review(world, people[seat], tables, costs, seat)
    await turn_all_on(ada, ben, cai)
    own = await press(ada, await profile(ada), Verb.ACCURACY)
    compared = await press(ada, own, Verb.ACCURACY_LIST)
    assert shown(text(compared), *NAMES) == ["Ada", "Ben", "Cai"]
    assert numbers(line_with(compared, "Cai"))[:5] == [3, 9.5, 9.5, 9.5, 6]
    assert len(numbers(line_with(compared, "Ben"))) == 6, "the lead of #1 could be chance"
    assert len(numbers(line_with(compared, "Cai"))) == 5
    assert has(await press(ada, compared, Verb.ACCURACY), Verb.ACCURACY_LIST)
    assert await forced(ada, own, ben, Verb.ACCURACY_LIST) == OFF
    assert await forced(dan, own, dan, Verb.ACCURACY_LIST) == OFF

    other = await world.bot.store.accuracy.comparing(GuildId(world.guild.id + 1), "nanjing", 1)
    assert other == [], "nobody has played there"


async def test_chart_is_added_when_it_is_drawn(tmp_path: Path) -> None:
    painter = Slow()
    async with a_world(tmp_path, painter=painter) as world:
        people = world.people(*NAMES)
        ada = people[0]
        tables = await play(world, people, 8)
        await review(world, ada, tables[:5], GOOD)
        await turn(ada, Verb.SHOW_ACCURACY)
        accuracy = await press(ada, await profile(ada), Verb.ACCURACY)
        assert [each.kind for each in painter.asked] == ["rating"], "a line needs two points"
        await review(world, ada, tables, GOOD)
        await press(ada, accuracy, Verb.PROFILE)
        accuracy = await press(ada, accuracy, Verb.ACCURACY)
        chart = painter.asked[-1]
        assert chart.kind == "accuracy"
        assert [point.value for point in chart.points] == [1.5] * 4
        assert (chart.name.text, pictures(accuracy)) == ("Ada", [])
        painter.at_work[-1].set_result(DOT)
        await world.env.settle()
        assert pictures(accuracy) == [ACCURACY_FILE]
        assert numbers(line_with(accuracy, "per decision")) == [1.5] * 3, "for readers of text"


async def test_grand_seigneur_has_no_accuracy(world: World) -> None:
    people = world.people(*NAMES)
    ada = people[0]
    rounds = [Sketch(out=(0, 1, 2, 3))]
    await play(world, people, variant="grandseigneur", alone=True, rounds=rounds)
    await turn(ada, Verb.SHOW_ACCURACY)
    own = await profile(ada)
    assert not has(own, Verb.ACCURACY)
    answer = page(await forge(ada, own, f"b:accuracy:{ada.id}.grandseigneur"))
    assert text(answer) == refusal("unknown-button")
