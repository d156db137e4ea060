"""Rules of tournaments: pairs, rounds, and what entrants and the organiser may change.

Each function checks the event as it is now. It returns the actions to store, none if nothing
changes, or raises `Refused`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Final

from bot.club import actions as a
from bot.club import league
from bot.club.competition import EntrantNumber, Pairing, Result
from bot.club.event import ClubEvent, EventRound, apply
from bot.club.formats import FORMATS
from bot.club_records import PersonNumber
from bot.errors import Reason, Refused

BREAK: Final = timedelta(minutes=5)
"""Time from the draw of a round to its begin, in which pairings can be corrected."""
_VOID: Final = Result("void")


# --- sign-up -------------------------------------------------------------------------------------


def name_partner(
    event: ClubEvent, person: PersonNumber, partner: PersonNumber | None
) -> list[a.Action]:
    """Name the partner with whom a person wants to play; `None`: anybody."""
    if event.status != "open":
        raise Refused(Reason.EVENT_OVER if event.is_over else Reason.TOURNAMENT_DRAWN)
    if not event.settings.is_tournament or partner == person:
        raise Refused(Reason.UNKNOWN_BUTTON)
    if partner is not None and not any(
        given == "yes" for (who, _), given in event.answers.items() if who == partner
    ):
        raise Refused(Reason.PARTNER_NOT_IN)
    if event.partners.get(person) == partner:
        return []
    return [a.PartnerNamed(person=person, partner=partner)]


def check_room(event: ClubEvent, date: int) -> None:
    """Raise `Refused` if as many people are in as the format has room for."""
    most = 2 * FORMATS[event.settings.format].entrants[-1]
    if len(event.answered("yes", date)) >= most:
        raise Refused(Reason.TOURNAMENT_FULL, most=most)


def seed(
    event: ClubEvent, lots: bytes, now: datetime, last_season: ClubEvent | None = None
) -> list[a.Action]:
    """Make the entrants and draw the first round, or all rounds of a league.

    Raises `Refused` if they are too few. People without a partner are paired by rating, the
    strongest with the weakest, or by lot. An odd one gets the first substitute, or else plays with
    a computer. The divisions of a league follow from its last season.
    """
    pairs: list[tuple[PersonNumber, ...]] = list(event.pairs())
    paired = {person for pair in pairs for person in pair}
    single = [person for person in event.answered("yes") if person not in paired]
    if len(single) % 2:
        single += event.answered("substitute")[:1]
    alone = [(single.pop(),)] if len(single) % 2 else []

    def lot(people: tuple[PersonNumber, ...]) -> bytes:
        return hashlib.sha256(lots + b"".join(each.to_bytes(4, "big") for each in people)).digest()

    by_lot = event.settings.draw_by == "lot"
    single.sort(key=lambda each: (0 if by_lot else -event.people[each].rating, lot((each,))))
    half = len(single) // 2
    pairs += [*zip(single[:half], reversed(single[half:]), strict=True), *alone]
    if len(pairs) < (least := FORMATS[event.settings.format].entrants[0]):
        raise Refused(Reason.FEW_PAIRS, least=least)
    pairs.sort(key=lambda pair: (-event.rating(pair), lot(pair)))
    is_league = event.settings.format == "league"
    if is_league:
        pairs = league.in_order_of_last_season(pairs, event, last_season)
    seeded = a.Seeded(entrants=tuple(pairs), lots=lots.hex())
    after = apply(event, seeded, now)
    return [seeded, *(league.draw_season(after, now) if is_league else next_round(after, now))]


# --- rounds --------------------------------------------------------------------------------------


def next_round(event: ClubEvent, now: datetime) -> list[a.Action]:
    """Draw the next round; the tournament is over without one, or with one entrant left."""
    pairings = _pairings(event)
    if not pairings:
        return [a.Finished()]
    return [_drawn(event, len(event.rounds) + 1, pairings, now + BREAK)]


def _pairings(event: ClubEvent) -> tuple[Pairing, ...]:
    """Return the pairings of the next round; none if the tournament is over."""
    competition = event.competition
    if len(list(competition.active)) < 2:
        return ()
    return FORMATS[event.settings.format].pair(competition)


def _drawn(
    event: ClubEvent, round_: int, pairings: tuple[Pairing, ...], begins_at: datetime
) -> a.Drawn:
    hours = event.settings.round_hours
    deadline = None if hours is None else begins_at + timedelta(hours=hours)
    return a.Drawn(round=round_, pairings=pairings, begins_at=begins_at, deadline=deadline)


def _drawn_again(
    event: ClubEvent,
    round_: EventRound,
    pairings: tuple[Pairing, ...],
    begins_at: datetime,
    corrects: tuple[Pairing, ...] = (),
) -> list[a.Action]:
    """Draw a round that has not begun again; its deadline and its void matches stay as they are."""
    number = len(event.rounds)
    drawn = _drawn(event, number, pairings, begins_at)
    void_sides = [each.sides for each in round_.matches if each.result == _VOID]
    return [
        drawn.model_copy(update={"deadline": round_.deadline, "corrects": corrects}),
        *(
            a.Ended(round=number, match=position, result=_VOID)
            for position, sides in enumerate(pairings)
            if sides in void_sides
        ),
    ]


def begin_round(event: ClubEvent, now: datetime) -> list[a.Action]:
    """Open the tables of a round before its time, which the organiser asks for."""
    _check_rounds(event)
    if event.paused_at is not None:
        raise Refused(Reason.EVENT_PAUSED)
    round_ = _before_begin(event, now)
    return _drawn_again(event, round_, round_.pairings, now)


def swap(
    event: ClubEvent, one: EntrantNumber, other: EntrantNumber, now: datetime
) -> list[a.Action]:
    """Exchange two entrants in the pairings of a round that has not begun."""
    round_ = _before_begin(event, now)
    drawn = {number for match in round_.matches for side in match.sides for number in side}
    if one == other or not {one, other} <= drawn:
        raise Refused(Reason.UNKNOWN_BUTTON)
    pairings = _exchanged(round_.pairings, {one: other, other: one})
    return _drawn_again(
        event, round_, pairings, round_.begins_at, round_.corrects or round_.pairings
    )


def _exchanged(
    pairings: tuple[Pairing, ...], other: Mapping[EntrantNumber, EntrantNumber]
) -> tuple[Pairing, ...]:
    """Return pairings in which others have the places of these entrants."""
    return tuple(
        tuple(tuple(other.get(number, number) for number in side) for side in sides)
        for sides in pairings
    )


def _corrected(round_: EventRound, pairings: tuple[Pairing, ...]) -> tuple[Pairing, ...]:
    """Return new pairings of a round with its corrections, if these fit.

    All matches between which entrants were exchanged must be in the new pairings.
    """
    other = dict[EntrantNumber, EntrantNumber]()
    changed = set[Pairing]()
    for before, after in zip(round_.corrects, round_.pairings, strict=False):
        if before != after:
            changed.add(before)
            other |= zip(chain(*before), chain(*after), strict=True)
    return _exchanged(pairings, other) if changed <= set(pairings) else pairings


def _before_begin(event: ClubEvent, now: datetime) -> EventRound:
    """Return the last round. Raise `Refused` if it has begun."""
    _check_rounds(event)
    assert event.round is not None, "it runs"
    if _has_begun(event, event.round, now):
        raise Refused(Reason.ROUND_BEGUN)
    return event.round


def _has_begun(event: ClubEvent, round_: EventRound, now: datetime) -> bool:
    """Return whether tables of the last round may be open; none opens during a pause."""
    return round_.begins_at <= (event.paused_at or now)


def forfeit(missing: tuple[int, int]) -> Result:
    """Return the result of a match that did not begin: the side with fewer missing people wins.

    Both lose if the numbers are equal.
    """
    return Result("forfeit", None if missing[0] == missing[1] else int(missing[0] > missing[1]))


# --- changes -------------------------------------------------------------------------------------


def withdraw(
    event: ClubEvent, number: EntrantNumber, withdrawn: bool, begun: bool, now: datetime
) -> list[a.Action]:
    """Take an entrant out of all further rounds, or in again.

    A round that has not begun is drawn again, with its corrections if these fit. A match that has
    not `begun` is lost, as are all open fixtures of a league.
    """
    _check_running(event)
    if not 1 <= number <= len(event.entrants):
        raise Refused(Reason.UNKNOWN_BUTTON)
    if event.entrants[number - 1].withdrawn == withdrawn:
        return []
    change = a.Withdrew(entrant=number, withdrawn=withdrawn)
    round_ = event.round
    assert round_ is not None, "it runs"
    if event.settings.format == "league":
        return [change]
    if not _has_begun(event, round_, now):
        before = replace(apply(event, change, now), rounds=event.rounds[:-1])
        drawn = _pairings(before)
        if not drawn:
            return [change, a.Finished()]
        pairings = _corrected(round_, drawn)
        corrects = drawn if pairings != drawn else ()
        if pairings == round_.pairings:
            return [change]
        return [change, *_drawn_again(event, round_, pairings, round_.begins_at, corrects)]
    found = event.open_matches(number)
    if not withdrawn or begun or not found:
        return [change]
    _, position = found[0]
    first, second = (int(number in side) for side in round_.matches[position].sides)
    result = forfeit((first, second))
    return [change, a.Ended(round=len(event.rounds), match=position, result=result)]


def substitute(
    event: ClubEvent, old: PersonNumber, new: PersonNumber, begun: bool
) -> list[a.Action]:
    """Replace a person or `COMPUTER` by somebody who offered to be a substitute.

    The table of a match that has not `begun` is opened again.
    """
    _check_running(event)
    entrant = event.entrant_of(old)
    if entrant is None or new not in event.substitutes():
        raise Refused(Reason.UNKNOWN_BUTTON)
    return [a.Substituted(entrant=entrant.number, old=old, new=new, reopened=not begun)]


def voidable(event: ClubEvent) -> list[tuple[int, int]]:
    """Return round and position of the matches that can become void, the last round first.

    In a knock-out they are of the last round, because others have decided who is in it.
    """
    last = len(event.rounds)
    return [
        (number, position)
        for number in range(last, last - 1 if event.settings.format == "knock-out" else 0, -1)
        for position, match in enumerate(event.rounds[number - 1].matches)
        if len(match.sides) == 2 and (match.result is None or match.result.ending != "void")
    ]


def void(event: ClubEvent, round_: int, match: int) -> list[a.Action]:
    """Let a match count for nobody; in a knock-out only one of the last round."""
    _check_running(event)
    first = len(event.rounds) if event.settings.format == "knock-out" else 1
    if not first <= round_ <= len(event.rounds):
        raise Refused(Reason.UNKNOWN_BUTTON)
    matches = event.rounds[round_ - 1].matches
    if not match < len(matches) or len(matches[match].sides) == 1:
        raise Refused(Reason.UNKNOWN_BUTTON)
    if matches[match].result == _VOID:
        return []
    return [a.Ended(round=round_, match=match, result=_VOID)]


def pause(event: ClubEvent, paused: bool, now: datetime) -> list[a.Action]:
    """Draw no round and open no table, or go on; the deadline is later by the time between."""
    _check_rounds(event)
    if (event.paused_at is not None) == paused:
        return []
    change = a.Paused(paused=paused)
    deadline = event.round.deadline if event.round else None
    if event.paused_at is None or deadline is None:
        return [change]
    return [change, a.DeadlineMoved(deadline=deadline + (now - event.paused_at))]


def move_deadline(event: ClubEvent, deadline: datetime, now: datetime) -> list[a.Action]:
    """Move the deadline of the round to a later time; a button of an earlier round does nothing."""
    _check_rounds(event)
    if event.round is None or event.round.deadline is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    if deadline <= now:
        raise Refused(Reason.DATE_PAST)
    return [] if deadline <= event.round.deadline else [a.DeadlineMoved(deadline=deadline)]


def _check_running(event: ClubEvent) -> None:
    """Raise `Refused` unless rounds of a tournament are played."""
    if event.is_over:
        raise Refused(Reason.EVENT_OVER)
    if event.round is None or not event.settings.is_tournament:
        raise Refused(Reason.UNKNOWN_BUTTON)


def _check_rounds(event: ClubEvent) -> None:
    """Raise `Refused` unless rounds are played one after the other, unlike in a league."""
    _check_running(event)
    if event.settings.format == "league":
        raise Refused(Reason.UNKNOWN_BUTTON)


# --- times ---------------------------------------------------------------------------------------


def due_at(event: ClubEvent, now: datetime) -> datetime | None:
    """Return the next time at which something happens without a click once rounds are played."""
    if event.settings.format == "league":
        return league.due_at(event, now)
    round_ = event.round
    assert round_ is not None, "it runs"
    if event.paused_at is not None:
        return None
    times = round_.begins_at, round_.deadline
    return next((each for each in times if each is not None and now < each), None)


def when_due(event: ClubEvent, now: datetime) -> list[a.Action]:
    """Return the draw of the next round if the last one is over, or the end of a season."""
    if event.settings.format == "league":
        return league.when_due(event, now)
    if event.is_over or event.paused_at is not None or event.round is None:
        return []
    return next_round(event, now) if event.round.is_over else []
