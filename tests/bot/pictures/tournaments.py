"""Sample tournaments, played with random results, from plain to extreme."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime

from bot.club import actions as a
from bot.club.competition import Result
from bot.club.event import ClubEvent, apply
from bot.club.formats import FORMATS
from bot.club.settings import EventSettings, FormatName
from bot.club_records import EventPerson, PersonNumber
from bot.ids import ChannelId, ClubEventId, GuildId, UserId
from tests.bot.pictures.samples import STRANGE

NOW = datetime(2031, 5, 4, 18, tzinfo=UTC)
SHORT = ("Ada", "Ben", "Cai", "Dee", "Eva", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Lea")
PEOPLE = tuple(f"{SHORT[number % 12]} {number // 12 + 1}" for number in range(128))
LONG = tuple(f"The player with number {number}" for number in range(1, 129))
PLAIN = SHORT[:8]


def drawn(
    format_: FormatName,
    names: Sequence[str],
    *,
    planned: int | None = None,
    divisions: int = 1,
    title: str = "Cup",
) -> ClubEvent:
    """Return a tournament of pairs with these names, whose first round is drawn."""
    people = {
        PersonNumber(number): EventPerson(PersonNumber(number), UserId(number), name, 1500)
        for number, name in enumerate(names, start=1)
    }
    settings = EventSettings(
        title=title, format=format_, dates=(NOW,), zone="UTC", rounds=planned, divisions=divisions
    )
    event = ClubEvent(
        id=ClubEventId(1),
        guild_id=GuildId(1),
        channel_id=ChannelId(1),
        organiser_id=UserId(1),
        settings=settings,
        people=people,
        date=0,
    )
    pairs = tuple((number, PersonNumber(number + 1)) for number in list(people)[::2])
    return next_round(apply(event, a.Seeded(entrants=pairs, lots="00" * 16), NOW))


def next_round(event: ClubEvent) -> ClubEvent:
    """Return a tournament after the draw of its next round, or at its end."""
    pairings = FORMATS[event.settings.format].pair(event.competition)
    if not pairings:
        return apply(event, a.Finished(), NOW)
    return apply(event, a.Drawn(round=len(event.rounds) + 1, pairings=pairings), NOW)


def with_result(event: ClubEvent, match: int, result: Result) -> ClubEvent:
    """Return a tournament after the end of a match of its last round."""
    return apply(event, a.Ended(round=len(event.rounds), match=match, result=result), NOW)


def played(event: ClubEvent, rounds: int = 99, seed: int = 1) -> ClubEvent:
    """Return a tournament after this many more rounds, or at its end."""
    rng = random.Random(seed)
    for _ in range(rounds):
        for position, match in enumerate(event.rounds[-1].matches):
            if match.result is None:
                winner, points = rng.choice((0, 1, None)), rng.randrange(-20, 100) * 5
                totals = (points + 1100, points) if winner == 0 else (points, points + 1100)
                totals = (points, points) if winner is None else totals
                event = with_result(event, position, Result("played", winner, totals))
        event = next_round(event)
        if event.is_over:
            break
    return event


TOURNAMENTS: dict[str, ClubEvent] = {
    "knock-out of 4": played(drawn("knock-out", PLAIN)),
    "knock-out, drawn": drawn("knock-out", PEOPLE[:16]),
    "knock-out of 14": played(drawn("knock-out", PEOPLE[:28]), 2),
    "knock-out of 16 long names": played(drawn("knock-out", LONG[:32])),
    "knock-out of 20, drawn": drawn("knock-out", PEOPLE[:40]),
    "knock-out of 33, drawn": played(drawn("knock-out", PEOPLE[:66]), 1),
    "knock-out of 64 long names, drawn": played(drawn("knock-out", LONG), 1),
    "knock-out of 33": played(drawn("knock-out", PEOPLE[:66]), 2),
    "knock-out of 64": played(drawn("knock-out", PEOPLE)),
    "knock-out of strange names": played(drawn("knock-out", STRANGE, title="\u202e$"), 2),
    "round robin of 4": played(drawn("round-robin", PLAIN), 2),
    "round robin of 10 long names": played(drawn("round-robin", LONG[:20])),
    "round robin of strange names": played(drawn("round-robin", STRANGE), 3),
    "round robin of 11": played(drawn("round-robin", PEOPLE[:22]), 3),
    "double round robin": played(drawn("round-robin", PLAIN, planned=12)),
    "double round robin of 10": played(drawn("round-robin", LONG[:20], planned=18)),
    "swiss of 14": played(drawn("swiss", PEOPLE[:28])),
    "swiss of 64 long names": played(drawn("swiss", LONG, title="W" * 80), 3),
    "duplicate of 6": played(drawn("duplicate", PEOPLE[:12]), 2),
    "league of 8": played(drawn("league", PEOPLE[:16]), 3),
    "league of 3 divisions": played(drawn("league", PEOPLE[:34], divisions=3), 3),
    "league of 8 divisions of long names": played(drawn("league", LONG, divisions=8), 3),
}
