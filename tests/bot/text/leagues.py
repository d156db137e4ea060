"""Pages of leagues in all states, with up to 64 pairs in up to 8 divisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.club import league, tournament
from bot.club.actions import Drawn, Ended, Finished, Opened, Postponed, WeekBegun, Withdrew
from bot.club.event import ClubEvent
from bot.club.formats.league import open_fixtures
from bot.club_records import StoredAction
from bot.ids import TableId, UserId
from bot.text.cards import Speaker
from cogs.pages.club.event import ShownEvent
from cogs.pages.club.hall import hall_page, honours
from cogs.pages.club.league import fixtures_page
from cogs.pages.club.organiser import has_choices, history_page, tool_page
from cogs.pages.club.private import manage_page, usual_title
from cogs.pages.club.public import event_page, own_page
from cogs.pages.club.reminder import direct_notice, mentioning_notice
from cogs.pages.club.standings import standings_page, withdraw_page
from cogs.pages.controls import Notice, Page
from tests.bot.states import NOON
from tests.bot.text.club import ERASED, after, answered
from tests.bot.text.tournaments import RESULTS, a_tournament, finished, shown


def _season(names: Sequence[str], people: int, **changes: object) -> ClubEvent:
    """Return a season after its draw, with matches of the first week decided in all ways."""
    event = answered(a_tournament(names, people, "league", **changes), "yes")
    event = after(event, tournament.seed(event, b"lots", NOON))
    for position, match in enumerate(event.rounds[0].matches[: len(RESULTS)]):
        if len(match.sides) == 2:
            event = after(event, [Ended(round=1, match=position, result=RESULTS[position])])
    return event


def _in_week(event: ClubEvent, week: int) -> ClubEvent:
    """Return the season in a week, with open tables, agreements and wishes to postpone."""
    event = after(event, [WeekBegun(week=week)])
    weeks = len(event.rounds)
    for fixture in open_fixtures(event.competition)[:40]:
        number, match = fixture.round + 1, fixture.match
        if number % 3 == 0:
            event = after(event, [Opened(round=number, match=match, table_id=TableId(match + 1))])
        for side in range(number % 3):
            event = after(event, [Postponed(round=number, match=match, side=side, week=weeks)])
    return event


def _states(names: Sequence[str]) -> Iterator[ShownEvent]:
    """Yield seasons in all states."""
    for people, divisions in ((8, 1), (18, 2), (128, 8)):
        event = _season(names, people, divisions=divisions, twice=divisions > 1, exchanged=4)
        yield ShownEvent(event)
        yield shown(_in_week(event, 2))
        yield shown(event, [(f"{each}.png", "A" * 1024) for each in range(divisions)])
        yield shown(_in_week(event, len(event.rounds)))
        end = league.when_due(_in_week(event, len(event.rounds)), NOON + timedelta(days=999))
        yield ShownEvent(after(event, end))
        yield ShownEvent(after(event, [Finished(cancelled=True)]))
    event = _in_week(_season(names, 128, twice=True), 60)
    yield shown(event)
    everybody = {each: who._replace(user_id=ERASED, name="") for each, who in event.people.items()}
    yield shown(replace(event, people=everybody, organiser_id=ERASED))


def league_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the pages of leagues."""
    untitled = a_tournament(["Ada"], 0, "league", title=usual_title("league", to))
    yield "event: league without a title", event_page(ShownEvent(untitled), to)
    yield "hall of fame: empty", hall_page((), to)
    over = [each.event for each in _states(names) if each.event.status == "over"]
    ended = [*over, finished(answered(a_tournament(names, 9, "swiss"), "yes"))] * 5
    yield "hall of fame", hall_page(honours(ended), to)
    for state in _states(names):
        event = state.event
        name = f"event: league, {event.status}, week {event.week}, {len(event.people)} people"
        yield name, event_page(state, to)
        wish = Postponed(round=1, match=0, side=1, week=2)
        yield name, mentioning_notice(event, wish, [UserId(2**62), UserId(2**62 + 1)], to)
        yield name, direct_notice(event, wish, to)
        yield name, manage_page(event, to)
        yield from ((f"{name}: private", page) for page in _private_pages(state, to))


def _private_pages(state: ShownEvent, to: Speaker) -> Iterator[Page]:
    """Yield the private pages of a season."""
    event = state.event
    for page in (0, 1, 99):
        yield standings_page(event, page, to)
        yield tool_page(event, "award", (), page, to)
    yield withdraw_page(event, to)
    yield tool_page(event, "award", (1, 0), 0, to)
    yield tool_page(event, "void", (), 0, to)
    assert not has_choices(event, "award", (1, 0, 3)), "no such outcome"
    asking = [
        event.entrants[fixture.sides[0][0] - 1].people[0]
        for fixture in open_fixtures(event.competition)
        if (until := event.rounds[fixture.round].matches[fixture.match].until)[0] > until[1]
    ]
    for person in asking[:1]:
        yield own_page(state, event.people[person].user_id, to)
    first = event.entrants[0]
    for withdrawn in (False, True):
        state = state._replace(
            event=after(event, [Withdrew(entrant=first.number, withdrawn=withdrawn)])
        )
        for user_id in (UserId(1), *(event.people[each].user_id for each in first.people)):
            yield own_page(state, user_id, to)
            for fixture in list(league.fixtures_of(event, first.number))[:3]:
                chosen = fixture.round + 1, fixture.match
                yield fixtures_page(state, user_id, to, chosen, 2)
    weeks = enumerate(event.rounds[:2], start=1)
    actions = [
        *(
            Drawn(round=n, pairings=tuple(match.sides for match in each.matches))
            for n, each in weeks
        ),
        *(Ended(round=1, match=0, result=each) for each in RESULTS),
        *(Postponed(round=1, match=0, side=side, week=2) for side in (0, 1)),
    ]
    stored = (
        StoredAction(seq, NOON, None, action.model_dump_json())
        for seq, action in enumerate(actions, start=1)
    )
    yield history_page(event, list(stored), 0, to)
