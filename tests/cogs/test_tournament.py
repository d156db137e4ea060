"""A tournament by clicks: sign-up with a partner, rounds, and what its organiser changes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.club import rules
from bot.club.actions import Action
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.settings import FormatName
from bot.errors import Reason
from bot.ids import UserId
from bot.text.people import channel_mention
from cogs.pages.club.standings import standings as all_places
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import (
    all_in,
    begins,
    in_thread,
    pass_to,
    public,
    the_event,
    threads,
)
from tests.cogs.delivery.slow_requests import SlowRequests
from tests.cogs.fast_forward import fast_forward, manage_event, match_over, round_over
from tests.cogs.history_pages import page
from tests.cogs.test_challenges import pings
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import (
    Person,
    Wire,
    find,
    has,
    line_with,
    numbers,
    shown,
    text,
)

NAMES = ("Ada", "Ben", "Cai", "Dee", "Eva", "Fay", "Gus", "Hal")
BREAK = timedelta(minutes=5)
RESULT = Result("played", 0, (1000, 7))


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


async def announce(person: Person, at: datetime, **options: object) -> ResponseMessage:
    """Announce a tournament; return the private answer."""
    return page(await person.slash("tichu tournament", when=f"{at:%Y-%m-%d %H:%M}", **options))


async def begun(world: World, *names: str, **options: object) -> list[Person]:
    """Announce a tournament in which people with these names are in, and draw its first round."""
    people = world.people(*(names or NAMES))
    await announce(people[0], begins(world), **options)
    await all_in(world, people)
    await manage(world, people[0], Verb.EVENT_BEGIN)
    return people


async def manage(world: World, person: Person, verb: Verb, args: str = "") -> ResponseMessage:
    """Press a button on the organiser's page; return the answer."""
    more = page(await person.press(Verb.EVENT_MORE, on=public(world)))
    return page(await person.press(verb, args, on=more))


async def use_tool(world: World, person: Person, tool: str, *chosen: str) -> ResponseMessage:
    """Choose these values in a tool of the organiser; return the last answer."""
    here = await manage(world, person, Verb.EVENT_TOOL, tool)
    for value in chosen:
        here = page(await person.choose(Verb.EVENT_TOOL, value, on=here))
    return here


def open_page(result: InteractionResult) -> ResponseMessage:
    """Return a private page."""
    found = page(result)
    assert found.ephemeral
    return found


# --- sign-up -------------------------------------------------------------------------------------


async def test_two_people_who_choose_each_other_are_a_pair(world: World) -> None:
    wire = Wire(world.env)
    ada, ben, cai = world.people("Ada", "Ben", "Cai")
    await announce(ada, begins(world), title="Cup")
    sign_up = open_page(await ada.press(Verb.EVENT_ANSWER, "yes", on=public(world)))
    assert not has(sign_up, Verb.EVENT_PARTNER), "nobody else is in"
    assert "press **I'm in** again later" in text(sign_up)
    await ben.press(Verb.EVENT_ANSWER, "yes", on=public(world))
    sign_up = open_page(await ada.press(Verb.EVENT_ANSWER, "yes", on=public(world)))
    await ada.choose(Verb.EVENT_PARTNER, "2", on=sign_up)
    await cai.press(Verb.EVENT_ANSWER, "yes", on=public(world))
    assert list((await the_event(world)).pairs()) == []
    offered = open_page(await ben.press(Verb.EVENT_ANSWER, "yes", on=public(world)))
    assert shown(find(offered, Verb.EVENT_PARTNER, "1,1").label, "Ada", "Cai") == ["Ada"]
    after = page(await ben.press(Verb.EVENT_PARTNER, "1,1", on=offered))
    assert shown(text(after), "Ada", "Cai") == ["Ada"]
    assert list((await the_event(world)).pairs()) == [(1, 2)]
    assert line_with(public(world), "Ada", "Ben")
    page(await ben.press(Verb.EVENT_PARTNER, "1,0", on=after))
    assert list((await the_event(world)).pairs()) == []
    assert pings(wire) == []


async def test_many_people_fill_several_pages_of_partners(world: World) -> None:
    people = world.people(*(f"P{number}" for number in range(1, 31)))
    await announce(people[0], begins(world))
    await all_in(world, people)
    here = open_page(await people[0].press(Verb.EVENT_ANSWER, "yes", on=public(world)))
    values = [each.value for each in find(here, Verb.EVENT_PARTNER, "1").options]
    here = page(await people[0].choose(Verb.EVENT_PARTNER, ">1", on=here))
    more = [each.value for each in find(here, Verb.EVENT_PARTNER, "1").options]
    found = [each for each in (*values, *more) if not each.startswith(">")]
    assert found == [str(number) for number in range(2, 31)]
    await people[0].choose(Verb.EVENT_PARTNER, "30", on=here)
    assert (await the_event(world)).partners == {1: 30}


async def test_too_few_pairs_cancel_a_tournament(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    at = begins(world)
    await announce(ada, at)
    await all_in(world, [ada, ben])
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    refused = page(await ada.press(Verb.EVENT_BEGIN, on=more))
    assert text(refused) == refusal(Reason.FEW_PAIRS, least=4)
    await pass_to(world, at)
    assert (await the_event(world)).status == "cancelled"
    assert numbers(text(public(world)).splitlines()[2]) == [4]


async def test_without_a_time_the_command_lists_all_events(world: World) -> None:
    (ada,) = world.people("Ada")
    await announce(ada, begins(world), title="Cup")
    for command in ("tichu event", "tichu tournament"):
        listed = open_page(await ada.slash(command))
        assert shown(text(listed), "Cup") == ["Cup"]
        opened = open_page(await ada.choose(Verb.EVENT, "1", on=listed))
        assert has(opened, Verb.EVENT_ANSWER)


# --- rounds --------------------------------------------------------------------------------------


async def test_from_the_draw_to_the_winners(world: World) -> None:
    wire = Wire(world.env)
    ada, *others = await begun(world, rounds=2)
    assert pings(wire) == [], "nobody is notified before tables open"
    assert threads(world) == []
    await world.env.advance_time(BREAK.total_seconds() + 1)
    tables = threads(world)
    assert len(tables) == 2
    assert {channel_mention(each.id) for each in tables} <= {*text(public(world)).split()}
    assert sorted(each for ping in pings(wire) for each in ping) == sorted(
        each.id for each in (ada, *others)
    )
    own = open_page(await ada.press(Verb.EVENT_OWN, on=public(world)))
    (table,) = [each for each in tables if channel_mention(each.id) in text(own)]
    seated = {each.user_id: each.name for each in world.lobby(table).chairs}
    assert sorted(seated.values()) == sorted(shown(text(own), *NAMES))
    for person in (ada, *others):
        if person.id in seated:
            await in_thread(person, table).press(Verb.CHECK_IN)
    await fast_forward(world, round_over, channel=table)
    own = open_page(await ada.press(Verb.EVENT_OWN, on=public(world)))
    assert {*world.game(table).match.totals} <= {*numbers(text(own))}
    await fast_forward(world, match_over, channel=table, calls=0.1)
    await end_round(world, 1)
    event = await the_event(world)
    assert [each.is_over for each in event.rounds] == [True, False]
    standings = open_page(await ada.press(Verb.EVENT_STANDINGS, on=public(world)))
    assert {*shown(text(standings), *NAMES)} == {*NAMES}
    await end_round(world, 2)
    event = await the_event(world)
    assert event.status == "over"
    winner = all_places(event)[0].entrant
    winners = [event.people[each].name for each in event.entrants[winner - 1].people]
    assert shown(line_with(public(world), "🏆"), *NAMES) == winners
    assert not has(public(world), Verb.EVENT_MORE, Verb.EVENT_OWN)
    played = open_page(await ada.choose(Verb.EVENT_ROUND, "1", on=public(world)))
    (match,) = [
        each
        for each in event.rounds[0].matches
        if each.result is not None and each.result != RESULT
    ]
    assert match.result is not None
    assert {*map(abs, match.result.totals)} <= {*map(abs, numbers(text(played)))}
    opened = page(await ada.choose(Verb.MATCH, str(match.table_id), on=played))
    assert has(opened, Verb.REPLAY_ROUND)


async def end_round(world: World, number: int) -> None:
    """Note a result of all open matches of a round, and pass to the begin of the next."""
    event = await the_event(world)
    for match in range(len(event.rounds[number - 1].matches)):

        def end(event: ClubEvent, _: datetime, match: int = match) -> Sequence[Action]:
            return rules.end_match(event, number, match, RESULT)

        await manage_event(world, event, end)
    while not event.is_over and len(event.rounds) == number:
        await world.env.advance_time(1)  # pairings are computed in a thread
        event = await the_event(world)


async def test_tables_do_not_wait_for_edits_of_the_message(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(world)
    edits = SlowRequests(monkeypatch, "PATCH", "/channels/{channel_id}/messages/{message_id}")
    edits.slow = True
    await world.env.advance_time(BREAK.total_seconds() + 1)
    tables = threads(world)
    assert len(tables) == 2
    edits.let_go()
    await world.env.settle()
    assert {channel_mention(each.id) for each in tables} <= {*text(public(world)).split()}


@pytest.mark.parametrize("format_", ["swiss", "knock-out", "teams"])
async def test_nobody_wins_a_tournament_to_which_nobody_comes(
    world: World, format_: FormatName
) -> None:
    ada, *_ = await begun(world, rounds=1, format=format_)
    while not (event := await the_event(world)).is_over:
        await world.env.advance_time(BREAK.total_seconds())
    assert event.status == "over"
    assert "🏆" not in text(public(world))
    standings = open_page(await ada.press(Verb.EVENT_STANDINGS, on=public(world)))
    assert "🥇" not in text(standings)
    listed = open_page(await ada.slash("tichu event"))
    assert "🥇" not in text(open_page(await ada.press(Verb.EVENT_HALL, on=listed)))


async def test_teams_of_two_pairs_are_shown(world: World) -> None:
    await begun(world, format="teams")
    event = await the_event(world)
    names = [[event.people[each].name for each in pair.people] for pair in event.entrants]
    in_order = [*names[0], *names[3], *names[1], *names[2]]
    assert shown(line_with(public(world), "🤝"), *NAMES) == in_order


async def test_nobody_has_won_after_a_draw_of_all(world: World) -> None:
    await begun(world, format="teams")
    await end_round(world, 1)
    assert "🏆" not in text(public(world))


async def test_one_that_began_early_has_the_date_on_which_it_began(world: World) -> None:
    ada, *_ = await begun(world, rounds=1)
    event = await the_event(world)
    assert event.rounds[0].begins_at < event.begins_at
    more = page(await ada.press(Verb.EVENT_MORE, on=public(world)))
    assert ":F>" not in text(more), "while it runs the time of the round counts"
    await end_round(world, 1)
    times = re.findall(r"<t:(\d+):F>", text(public(world)))
    assert times == [str(int(event.rounds[0].begins_at.timestamp()))]


@pytest.mark.parametrize("form", ["csv", "json"])
async def test_standings_are_exported(
    world: World, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    (ada, *_) = await begun(world)
    files: list[bytes] = []
    store = world.env.backend.cdn.store_attachment

    def keep(*args: object) -> object:
        files.append(args[3])  # type: ignore[arg-type]
        return store(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(world.env.backend.cdn, "store_attachment", keep)
    standings = open_page(await ada.press(Verb.EVENT_STANDINGS, on=public(world)))
    result = await ada.press(Verb.EVENT_EXPORT, f",{form}", on=standings)
    assert page(result).ephemeral
    (content,) = files
    if form == "json":
        names = [each["name"] for each in json.loads(content)["standings"]]
    else:
        names = [line.split(",")[1] for line in content.decode("utf-8-sig").splitlines()[1:]]
    assert sorted(name for pair in names for name in pair.split(" & ")) == sorted(NAMES)


async def test_a_pair_withdraws_after_a_question_and_comes_back(world: World) -> None:
    ada, *_ = await begun(world)
    own = open_page(await ada.press(Verb.EVENT_OWN, on=public(world)))
    asked = page(await ada.press(Verb.EVENT_WITHDRAW, on=own))
    assert not any(each.withdrawn for each in (await the_event(world)).entrants)
    own = page(await ada.press(Verb.EVENT_WITHDRAW_NOW, on=asked))
    event = await the_event(world)
    (gone,) = [each for each in event.entrants if each.withdrawn]
    assert event.entrant_of(event.number_of(UserId(ada.id))) == gone
    assert len(event.rounds[-1].matches) == 2, "a match and a bye"
    page(await ada.press(Verb.EVENT_WITHDRAW_NOW, on=own))
    assert not any(each.withdrawn for each in (await the_event(world)).entrants)


async def test_others_can_offer_to_substitute_while_it_runs(world: World) -> None:
    ada, *_ = await begun(world)
    (ivy,) = world.people("Ivy")
    own = open_page(await ivy.press(Verb.EVENT_OWN, on=public(world)))
    assert not has(own, Verb.EVENT_WITHDRAW)
    own = page(await ivy.press(Verb.EVENT_ANSWER, "substitute", on=own))
    (number,) = (await the_event(world)).substitutes()
    await use_tool(world, ada, "replace", "1", str(number))
    event = await the_event(world)
    assert event.entrant_of(number) is not None
    assert shown(text(public(world)), "Ada", "Ivy") == ["Ivy"]


async def test_a_substitute_takes_the_place_of_a_computer(world: World) -> None:
    ada, *_ = await begun(world, *NAMES[:7])
    (ivy,) = world.people("Ivy")
    own = open_page(await ivy.press(Verb.EVENT_OWN, on=public(world)))
    await ivy.press(Verb.EVENT_ANSWER, "substitute", on=own)
    (number,) = (await the_event(world)).substitutes()
    assert "🤖" in text(public(world))
    await use_tool(world, ada, "replace", "0", str(number))
    event = await the_event(world)
    assert {len(each.people) for each in event.entrants} == {2}
    assert "🤖" not in text(public(world))
    standings = open_page(await ada.press(Verb.EVENT_STANDINGS, on=public(world)))
    history = page(await ada.press(Verb.EVENT_HISTORY, on=standings))
    assert line_with(history, "Ivy", "🤖")


# --- the organiser -------------------------------------------------------------------------------
