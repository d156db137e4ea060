"""Pages of tournaments in all states, with up to 64 pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.club import rules, tournament
from bot.club.actions import (
    Action,
    DeadlineMoved,
    Drawn,
    Ended,
    Finished,
    Opened,
    PartnerNamed,
    Paused,
    Substituted,
    Withdrew,
)
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.settings import EventSettings, FormatName
from bot.club_records import PersonNumber, StoredAction
from bot.ids import ChannelId, TableId, UserId
from bot.text.cards import Speaker
from cogs.pages.club.event import ShownEvent
from cogs.pages.club.organiser import CHOICES, Tool, has_choices, history_page, tool_page
from cogs.pages.club.private import announced_page, cancel_page, manage_page, usual_title
from cogs.pages.club.public import event_page
from cogs.pages.club.standings import own_page, round_page, standings_page, withdraw_page
from cogs.pages.club.tournament import sign_up_page
from cogs.pages.club.watching import watch_page
from cogs.pages.controls import Notice, Page
from tests.bot.states import NOON
from tests.bot.text.club import ERASED, after, an_event, answered

RESULTS = (
    Result("played", 0, (1000, -400)),
    Result("played", 1, (940, 1060)),
    Result("played", None, (-100, -100)),
    Result("forfeit", 0),
    Result("forfeit", None),
    Result("void"),
)
_CHOSEN: dict[Tool, tuple[int, ...]] = {
    "replace": (1, 1),
    "swap": (1, 2),
    "void": (1, 0, 1),
    "withdraw": (1, 1),
}


def a_tournament(
    names: Sequence[str], people: int, format_: FormatName = "swiss", **changes: object
) -> ClubEvent:
    """Return a tournament in which nobody has answered."""
    night = an_event(names, people, title=(names[0] * 80)[:80])
    settings = {**dict(night.settings), "weekly": False, "format": format_, **changes}
    return replace(night, settings=rules.completed(EventSettings.model_validate(settings)))


def paired(event: ClubEvent) -> ClubEvent:
    """Return the tournament with everybody in, of whom most have chosen a partner."""
    event = answered(event, "yes")
    for number in range(1, len(event.people) - 2, 2):
        one, other = PersonNumber(number), PersonNumber(number + 1)
        event = after(event, [PartnerNamed(person=one, partner=other)])
        event = after(event, [PartnerNamed(person=other, partner=one)])
    return event


def begun(event: ClubEvent) -> ClubEvent:
    """Return the tournament with its first round drawn."""
    return after(event, tournament.seed(event, b"lots", NOON))


def opened(event: ClubEvent) -> ClubEvent:
    """Return the tournament with the tables of the last round opened."""
    number = len(event.rounds)
    for position, match in enumerate(event.rounds[-1].matches):
        if match.result is None:
            table_id = TableId(100 * number + position)
            event = after(event, [Opened(round=number, match=position, table_id=table_id)])
    return event


def played(event: ClubEvent, results: Sequence[Result] = RESULTS) -> ClubEvent:
    """Return the tournament with results of all matches of the last round."""
    number = len(event.rounds)
    for position, match in enumerate(event.rounds[-1].matches):
        if match.result is None:
            result = results[position % len(results)]
            event = after(event, [Ended(round=number, match=position, result=result)])
    return event


def finished(event: ClubEvent) -> ClubEvent:
    """Return the tournament with all its rounds played."""
    event = begun(event)
    while not event.is_over:
        event = played(opened(event))
        event = after(event, tournament.next_round(event, NOON))
    return event


def shown(event: ClubEvent, pictures: Sequence[tuple[str, str]] = ()) -> ShownEvent:
    """Return the tournament with a place for each table."""
    ids = [match.table_id for round_ in event.rounds for match in round_.matches]
    places = {each: ChannelId(2**62) for each in ids if each is not None}
    scores = {each: (each % 3, (-1000, 1140)) for each in places}
    return ShownEvent(event, places, ["create_public_threads"], scores, pictures)


def _states(names: Sequence[str]) -> Iterator[ShownEvent]:
    """Yield tournaments in all states."""
    empty = a_tournament(names, 0)
    yield shown(empty)
    for given in (Finished(), Finished(cancelled=True), Finished(cancelled=True, too_few=True)):
        yield shown(after(empty, [given]))
    for people in (9, 128):
        for format_ in ("swiss", "knock-out"):
            event = paired(a_tournament(names, people, format_, rounds=5, match_rounds=4))
            yield shown(event)
            yield ShownEvent(begun(event))
            yield shown(opened(begun(event)))
            running = played(opened(begun(event)))
            yield shown(running, [(f"{each}.png", "A" * 1024) for each in range(8)])
            yield shown(played(opened(begun(event)), [Result("void")]))
            yield shown(after(running, tournament.next_round(running, NOON)))
            yield shown(finished(event))
            yield shown(after(running, [Finished(cancelled=True)]))
            yield shown(after(begun(event), [Finished()]))
    lots = a_tournament(names, 100, draw_by="lot", round_hours=168, no_show="forfeit")
    yield shown(answered(lots))
    by_lot = begun(answered(lots, "yes"))
    yield shown(after(by_lot, [Paused(paused=True)]))
    everybody = {each: who._replace(user_id=ERASED, name="") for each, who in by_lot.people.items()}
    yield shown(replace(by_lot, people=everybody, organiser_id=ERASED))
    yield shown(finished(paired(a_tournament(names, 56, "round-robin"))))


def tournament_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the pages of tournaments."""
    title = usual_title("swiss", to)
    untitled = a_tournament(["Ada"], 0, title=title)
    yield "event: tournament without a title", event_page(ShownEvent(untitled), to)
    for state in _states(names):
        event = state.event
        name = f"event: {event.settings.format}, {event.status}, {len(event.people)} people"
        yield name, event_page(state, to)
        yield name, manage_page(event, to)
        if event.status == "open":
            for soon in (False, True):
                yield name, announced_page(event, to, soon=soon)
            yield from ((f"{name}: sign-up", page) for page in _sign_up_pages(event, to))
        elif event.rounds:
            yield from ((f"{name}: private", page) for page in _private_pages(state, to))
        if not event.is_over:
            yield name, cancel_page(event, to)


def _sign_up_pages(event: ClubEvent, to: Speaker) -> Iterator[Page]:
    """Yield the sign-up pages of several people."""
    yield sign_up_page(event, UserId(1), 0, to)
    people = list(event.people)
    for person in list(event.people.values())[-1:]:
        yield sign_up_page(event, person.user_id, 0, to)
    for reader in (*people[:2], *people[-1:]):
        user_id = event.people[reader].user_id
        yield sign_up_page(event, user_id, 1, to)
        for asking in people[-4:]:
            if asking != reader:
                event = after(event, [PartnerNamed(person=asking, partner=reader)])
        yield sign_up_page(event, user_id, 0, to)
        event = after(event, [PartnerNamed(person=reader, partner=people[-1])])
        yield sign_up_page(event, user_id, 0, to)


def _private_pages(state: ShownEvent, to: Speaker) -> Iterator[Page]:
    """Yield the private pages of a tournament that has begun."""
    event = state.event
    for page in (0, 1, 99):
        yield standings_page(event, page, to)
        yield round_page(state, len(event.rounds), page, to, rounds=page)
        yield round_page(state, 1, page, to)
    yield watch_page(state, to)
    yield withdraw_page(event, to)
    for withdrawn in (True, False):
        event = after(event, [Withdrew(entrant=event.entrants[0].number, withdrawn=withdrawn)])
        yield standings_page(event, 0, to)
        members = (event.people[each].user_id for each in event.entrants[0].people)
        for user_id in (UserId(1), *members):
            yield own_page(state._replace(event=event), user_id, to)
        yield from _tool_pages(event, to)
    stored = list(_history(event))
    for page in range(3):
        yield history_page(event, stored, page, to)
    yield history_page(event, (), 0, to)


def _tool_pages(event: ClubEvent, to: Speaker) -> Iterator[Page]:
    """Yield all choices of all tools, also where somebody offered to be a substitute."""
    other = PersonNumber(len(event.people) + 1)
    person = event.people[PersonNumber(1)]._replace(number=other, user_id=UserId(2**61))
    offered = replace(
        event,
        people={**event.people, other: person},
        answers={**event.answers, (other, 0): "substitute"},
    )
    outsider = ShownEvent(offered)
    yield own_page(outsider, person.user_id, to)
    for each in (event, offered):
        for tool, chosen in _CHOSEN.items():
            for count in range(CHOICES[tool]):
                for page in (0, 99) if has_choices(each, tool, chosen[:count]) else ():
                    yield tool_page(each, tool, chosen[:count], page, to)


def _history(event: ClubEvent) -> Iterator[StoredAction]:
    """Yield actions of all kinds that are in the history."""
    first, last = event.entrants[0], event.entrants[-1]
    matches = event.rounds[0].matches
    drawn = Drawn(round=1, pairings=tuple(match.sides for match in matches))
    corrected = Drawn(round=1, pairings=drawn.pairings[::-1])
    old, new = first.people[0], last.people[0]
    actions: tuple[Action, ...] = (
        Drawn(round=1, pairings=drawn.pairings[1:]),
        drawn,
        corrected,
        corrected,
        DeadlineMoved(deadline=NOON),
        *(Ended(round=1, match=0, result=each) for each in RESULTS),
        Paused(paused=True),
        Paused(paused=False),
        Withdrew(entrant=first.number),
        Withdrew(entrant=first.number, withdrawn=False),
        Substituted(entrant=first.number, old=old, new=new, reopened=False),
        Finished(cancelled=True),
    )
    actors = (None, UserId(2**62), ERASED)
    for seq, action in enumerate(actions, start=1):
        at, body = NOON + timedelta(minutes=seq), action.model_dump_json()
        yield StoredAction(seq, at, actors[seq % 3], body)
