"""A league by clicks: fixtures, postponements, the organiser's decisions, and the next season."""

from __future__ import annotations

from datetime import timedelta

import pytest
from simcord import ResponseMessage

from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.league import WEEK
from bot.errors import Reason
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.text.people import channel_mention
from cogs.pages.verbs import Verb
from tests.cogs.club_nights import (
    all_in,
    announcements,
    begins,
    in_thread,
    public,
    the_event,
    threads,
    written,
)
from tests.cogs.fast_forward import fast_forward, match_over
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.test_challenges import pings
from tests.cogs.test_tournament import manage, open_page, use_tool
from tests.cogs.turn_based_people import direct
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import (
    Person,
    Wire,
    deny,
    has,
    line_with,
    messages,
    numbers,
    shown,
    text,
    with_verb,
)

NAMES = ("Ada", "Ben", "Cai", "Dee", "Eva", "Fay", "Gus", "Hal")
MINUTE = timedelta(minutes=1)


pytestmark = pytest.mark.usefixtures("daily_looks")


@pytest.fixture(autouse=True)
def hurry(world: World) -> None:
    """Disable rate limits."""
    world.let_people_hurry()


async def season(world: World, *names: str, **options: object) -> dict[UserId, Person]:
    """Announce a league in which people with these names are in, and draw its fixtures."""
    people = world.people(*(names or NAMES))
    at = begins(world)
    page(await people[0].slash("tichu league", when=f"{at:%Y-%m-%d %H:%M}", **options))
    await all_in(world, people)
    await manage(world, people[0], Verb.EVENT_BEGIN)
    return {UserId(each.id): each for each in people}


def sides(
    event: ClubEvent, week: int, match: int, people: dict[UserId, Person]
) -> list[list[Person]]:
    """Return the people of both sides of a fixture."""
    return [
        [people[event.people[each].user_id] for each in event.entrants[side[0] - 1].people]
        for side in event.rounds[week - 1].matches[match].sides
    ]


def names(event: ClubEvent, pair: list[Person]) -> list[str]:
    """Return the names of a pair."""
    return [
        event.people[number].name for each in pair if (number := event.number_of(UserId(each.id)))
    ]


async def own(world: World, person: Person) -> ResponseMessage:
    """Return the private page of a person."""
    return open_page(await person.press(Verb.EVENT_OWN, on=public(world)))


def weeks(world: World) -> list[float]:
    """Return the number of the week and of all weeks on the public page."""
    return numbers(text(public(world)).splitlines()[1])[:2]


async def to_week(world: World, week: int) -> None:
    """Let the time pass until a week has begun, or until the season is over."""
    begin = (await the_event(world)).rounds[0].begins_at
    await world.env.advance_time(
        (begin + (week - 1) * WEEK + MINUTE - world.env.now()).total_seconds()
    )


def has_agree(here: ResponseMessage) -> bool:
    """Return whether a page has a button to agree to a later week."""
    return any(each.custom_id.startswith("b:") for each in with_verb(here, Verb.EVENT_POSTPONE))


async def play_elsewhere(world: World, one: list[Person], other: list[Person]) -> None:
    """Let two pairs play an ordinary match in another channel."""
    channel = world.guild.create_text_channel("elsewhere")
    host, *others = [in_thread(each, channel) for each in (*one, *other)]
    await host.slash("tichu new")
    for person, team in zip(others, "011", strict=True):
        await person.press(Verb.JOIN, team)
    await host.press(Verb.START)
    await fast_forward(world, match_over, channel=channel, calls=0.1)
    await world.env.advance_time(1)


# --- a season ------------------------------------------------------------------------------------


async def test_a_season_by_clicks(world: World) -> None:
    wire = Wire(world.env)
    people = await season(world, title="Premier")
    event = await the_event(world)
    assert len(event.rounds) == 3
    assert weeks(world) == [1, 3]
    assert (pings(wire), threads(world), len(written(world, world.channel))) == ([], [], 1)

    # one click opens the table of the only fixture of this week
    one, other = sides(event, 1, 0, people)
    started = open_page(await one[0].press(Verb.EVENT_START, on=public(world)))
    (thread,) = threads(world)
    assert channel_mention(thread.id) in text(started)
    assert line_with(public(world), channel_mention(thread.id))
    assert [{*each} for each in pings(wire)] == [{each.id for each in (*one, *other)}]
    assert len(written(world, thread)) == 1
    again = open_page(await other[1].press(Verb.EVENT_START, on=public(world)))
    assert channel_mention(thread.id) in text(again)
    assert len(threads(world)) == 1
    for person in (*one, *other):
        await in_thread(person, thread).press(Verb.CHECK_IN)
    await fast_forward(world, match_over, channel=thread, calls=0.1)
    await world.env.advance_time(1)
    event = await the_event(world)
    result = event.rounds[0].matches[0].result
    assert result is not None
    assert {*map(abs, result.totals)} <= {*map(abs, numbers(text(public(world))))}

    # an ordinary match between two pairs counts as well
    one, other = sides(event, 2, 1, people)
    await play_elsewhere(world, one, other)
    event = await the_event(world)
    played = event.rounds[1].matches[1].result
    assert played is not None
    assert played.ending == "played"

    # the others postpone the match of this week by agreement
    one, other = sides(event, 1, 1, people)
    mine = await own(world, one[0])
    wish = page(await one[0].choose(Verb.EVENT_POSTPONE, "2", on=mine))
    unanswered = SAY("your opponents have not agreed to week {week} yet", week="2")
    assert line_with(wish, *names(event, other), unanswered)
    assert numbers(line_with(public(world), *names(event, [*one, *other])))[-1] == 2
    asked = await own(world, other[1])
    assert has_agree(asked)
    assert unanswered not in text(asked)
    agreed = page(await other[1].press(Verb.EVENT_POSTPONE, "1,1,2", on=asked))
    assert not has_agree(agreed)
    assert numbers(line_with(agreed, *names(event, one)))[:1] == [1], "the week in the fixtures"
    event = await the_event(world)
    assert event.rounds[0].matches[1].until == (2, 2)

    await to_week(world, 2)
    assert weeks(world) == [2, 3]
    organiser = people[event.organiser_id]
    more = page(await organiser.press(Verb.EVENT_MORE, on=public(world)))
    assert not has(more, Verb.EVENT_PAUSE, Verb.EVENT_DEADLINE, Verb.EVENT_BEGIN)
    assert not any(each.custom_id.endswith(",award") for each in with_verb(more, Verb.EVENT_TOOL))
    await to_week(world, 3)
    assert "⚠️" in line_with(public(world), *names(event, [*one, *other]))
    await use_tool(world, organiser, "award", "1,1", "2")
    assert (await the_event(world)).rounds[0].matches[1].result == Result("forfeit", 1)

    await to_week(world, 4)
    event = await the_event(world)
    assert event.status == "over"
    assert not has(public(world), Verb.EVENT_START, Verb.EVENT_OWN, Verb.EVENT_MORE)
    assert "🏆" in text(public(world))
    assert len(pings(wire)) == 2, "the lobby of the fixture, and the wish to postpone"
    assert len(written(world, world.channel)) == 2


async def test_the_other_pair_is_notified_of_a_wish_to_postpone(world: World) -> None:
    wire = Wire(world.env)
    people = await season(world)
    event = await the_event(world)
    one, other = sides(event, 1, 1, people)
    chosen = PersonalSettings(nudge_way="direct")
    await world.bot.store.personal_settings.choose(UserId(other[1].id), chosen)
    mine = await own(world, one[0])
    page(await one[0].choose(Verb.EVENT_POSTPONE, "2", on=mine))
    await forge(one[1], public(world), "b:event-postpone:1,1,1,2")
    assert pings(wire) == [[other[0].id]]
    assert [len(direct(world, each)) for each in (*one, *other)] == [0, 0, 0, 1]
    notice = messages(world.env, world.channel)[-1]
    first = notice.content.splitlines()[0]
    assert shown(first, *names(event, one)) == names(event, one)
    assert 2 in numbers(first)
    here = page(await other[0].press(Verb.EVENT_FIXTURE, on=notice))
    assert here.ephemeral
    page(await other[0].press(Verb.EVENT_POSTPONE, "1,1,2", on=here))
    assert (await the_event(world)).rounds[0].matches[1].until == (2, 2)
    assert len(pings(wire)) == 1, "that is no wish, but an agreement"
    page(await one[0].choose(Verb.EVENT_POSTPONE, "3", on=await own(world, one[0])))
    assert len(pings(wire)) == 2


async def test_start_asks_which_match_if_several_are_due(world: World) -> None:
    people = await season(world)
    event = await the_event(world)
    one, other = sides(event, 1, 0, people)
    await to_week(world, 2)
    chosen = open_page(await one[0].press(Verb.EVENT_START, on=public(world)))
    assert threads(world) == []
    chosen = page(await one[0].choose(Verb.EVENT_FIXTURE, "3,1", on=chosen))
    assert has(chosen, Verb.EVENT_START)
    chosen = page(await one[0].choose(Verb.EVENT_FIXTURE, "1,0", on=chosen))
    page(await one[0].press(Verb.EVENT_START, "1,0", on=chosen))
    (thread,) = threads(world)
    assert {each.user_id for each in world.lobby(thread).chairs} == {
        UserId(each.id) for each in (*one, *other)
    }


async def test_fixtures_belong_to_their_pairs(world: World) -> None:
    people = await season(world)
    event = await the_event(world)
    _, other = sides(event, 1, 1, people)
    (ivy,) = world.people("Ivy")
    refused = page(await ivy.press(Verb.EVENT_START, on=public(world)))
    assert text(refused) == refusal(Reason.NOT_IN_TOURNAMENT)
    for person, args in (
        (other[0], "start:1,1,0"),
        (ivy, "start:1,1,0"),
        (ivy, "postpone:1,1,0,2"),
    ):
        answer = page(await forge(person, public(world), f"b:event-{args}"))
        assert text(answer) == refusal(Reason.NOT_YOUR_MATCH), args
    offered = await own(world, ivy)
    assert has(offered, Verb.EVENT_ANSWER)
    assert threads(world) == []


async def test_an_overdue_match_can_be_lost_by_both(world: World) -> None:
    people = await season(world, *NAMES, "Ida", "Jon")
    event = await the_event(world)
    assert len(event.rounds) == 5
    one, other = sides(event, 1, 0, people)
    await to_week(world, 2)
    await use_tool(world, people[event.organiser_id], "award", "1,0", "0")
    assert (await the_event(world)).rounds[0].matches[0].result == Result("forfeit")
    mine = await own(world, one[0])
    assert line_with(mine, *names(event, other), SAY("Week {number}", number="1")).endswith("lost")
    assert text(mine).count(SAY("Bye")) == 0, "free weeks are no results"


FORGED = (
    *(f"{Verb.EVENT_START}:1,{each}" for each in ("1", "9,0", "1,9", "x,y", "0,0")),
    *(f"{Verb.EVENT_FIXTURE}:1,{each}" for each in ("", "1", "x,0", "9,9")),
    *(
        f"{Verb.EVENT_POSTPONE}:1,{each}"
        for each in ("", "1,0", "1,0,1", "1,0,9", "9,9,2", "1,0,x")
    ),
    *(f"{Verb.EVENT_TOOL}:1,award,{each}" for each in ("1", "1,0,3", "9,0,1", "1,0,1")),
    *(f"{Verb.EVENT_NEXT}:{each}" for each in ("1", "9", "x")),
    *(f"{each}:1" for each in (Verb.EVENT_PAUSE, Verb.EVENT_BEGIN)),
)


async def test_forged_clicks_change_nothing(world: World) -> None:
    people = await season(world)
    event = await the_event(world)
    for custom_id in FORGED:
        answer = page(await forge(people[event.organiser_id], public(world), f"b:{custom_id}"))
        assert answer.ephemeral, custom_id
        assert (await the_event(world)).seq == event.seq, custom_id


# --- seasons -------------------------------------------------------------------------------------


async def test_one_click_announces_the_next_season(world: World) -> None:
    wire = Wire(world.env)
    people = await season(world, title="Premier", twice=True)
    await to_week(world, 7)
    event = await the_event(world)
    assert (event.status, len(event.rounds)) == ("over", 6)
    ada, ben, *_ = people.values()
    refused = page(await ben.press(Verb.EVENT_NEXT, on=public(world)))
    assert text(refused) == refusal(Reason.ORGANISER_ONLY, organiser=ada.id)
    last = public(world)
    for _ in range(2):
        announced = open_page(await ada.press(Verb.EVENT_NEXT, on=last))
        assert has(announced, Verb.EVENT_CANCEL)
        assert not has(announced, Verb.EVENT_ANSWER), "as in the public message"
    assert len(announcements(world)) == 2, "once"
    following = await the_event(world, 2)
    assert following.settings.follows == event.id
    (begin,) = following.settings.dates
    assert timedelta(days=3) <= begin - world.env.now() <= timedelta(days=10)
    assert (begin - event.begins_at).seconds == 0
    await all_in(world, list(people.values()))
    await manage(world, ada, Verb.EVENT_BEGIN)
    assert (await the_event(world, 2)).status == "running"
    assert pings(wire) == []


async def test_a_league_follows_a_finished_season(world: World) -> None:
    people = await season(world, title="Premier", divisions=2)
    (ada, *_) = people.values()
    when = f"{begins(world) + 8 * WEEK:%Y-%m-%d %H:%M}"
    unfinished = page(await ada.slash("tichu league", when=when, follows="1"))
    assert text(unfinished) == refusal(Reason.NO_SUCH_EVENT)
    await to_week(world, 4)
    offered = await ada.member.autocomplete(ada.channel, "tichu league", "follows", "prem")
    assert [each["value"] for each in offered] == ["1"]
    assert await ada.member.autocomplete(ada.channel, "tichu league", "follows", "other") == []
    for forged in ("2", "x", "9" * 40):
        refused = page(await ada.slash("tichu league", when=when, follows=forged))
        assert text(refused) == refusal(Reason.NO_SUCH_EVENT)
    page(await ada.slash("tichu league", when=when, follows="1", exchanged=2))
    settings = (await the_event(world, 2)).settings
    assert (settings.follows, settings.exchanged) == (1, 2)


async def test_too_few_pairs_for_two_divisions_play_in_one(world: World) -> None:
    ada, *_ = (await season(world, divisions=2)).values()
    two = SAY.many("{n} division", "{n} divisions", 2)
    assert two not in text(public(world))
    assert SAY("Division {number}", number="1") not in text(public(world))
    await to_week(world, 2)
    await use_tool(world, ada, "award", "1,0", "1")
    await to_week(world, 4)
    event = await the_event(world)
    winner = event.rounds[0].matches[0].sides[0][0]
    pair = " & ".join(event.people[each].name for each in event.entrants[winner - 1].people)
    assert SAY("Champions: {names}", names=pair) in text(public(world))


async def test_hall_of_fame_shows_the_winners(world: World) -> None:
    ada, *others = (await season(world, title="Premier")).values()
    empty = page(await ada.press(Verb.EVENT_HALL, on=page(await ada.slash("tichu event"))))
    assert shown(text(empty), "Premier") == []
    await to_week(world, 2)
    await use_tool(world, ada, "award", "1,0", "1")
    await to_week(world, 4)
    event = await the_event(world)
    listed = page(await ada.slash("tichu event"))
    hall = open_page(await ada.press(Verb.EVENT_HALL, on=listed))
    winner = event.rounds[0].matches[0].sides[0][0]
    champions = [event.people[each].name for each in event.entrants[winner - 1].people]
    assert shown(text(hall), "Premier", *NAMES) == ["Premier", *champions]
    deny(world.env, world.channel, others[0].id, "view_channel")
    other = world.guild.create_text_channel("other")
    elsewhere = in_thread(others[0], other)
    hidden = await elsewhere.press(Verb.EVENT_HALL, on=page(await elsewhere.slash("tichu event")))
    assert shown(text(page(hidden)), "Premier") == []
