"""Rematches: permission, and new teams that are as even as possible by rating."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

from bot.errors import Reason, Refused
from bot.ids import ChannelId, UserId
from bot.rating.ratings import BEGINNER, FIXED
from bot.score_records import Rating
from bot.table.options import TableOptions
from bot.table.permission import own_seat
from bot.table.state import Chair, TableState
from engine import Seat

Seats = Literal["same", "new-partners", "empty"]
"""Arrangement of the seats in the lobby of a rematch; with ``empty`` only the host sits there."""
Teams: TypeAlias = tuple[tuple[Seat, ...], tuple[Seat, ...]]
"""Chairs of two teams of equal size, each in ascending order.

The first team has the lowest chair.
"""

CLEARLY_WORSE = 100.0
"""Difference in rating by which all other teams must be less even than the previous teams.

Only then the previous teams are kept.
"""
NEARLY_EVEN = 25.0
"""Difference in rating up to which divisions into teams count as equally even."""


def check_rematch(table: TableState, user_id: UserId, channel_id: ChannelId | None) -> None:
    """Raise `Refused` unless this person may have a rematch here.

    They must have played this match, in this channel, and it must be over.
    """
    if table.channel_id != channel_id:
        raise Refused(Reason.TABLE_OVER)
    own_seat(table, user_id)
    if table.open:
        raise Refused(Reason.ALREADY_STARTED)


def has_partners(options: TableOptions) -> bool:
    """Return whether two teams play this game, so that partners can be drawn."""
    return bool(options.teams)


def divisions(chairs: int) -> Iterator[Teams]:
    """Yield every division of `chairs` chairs into two teams."""
    everybody = range(chairs)
    for partners in combinations(everybody[1:], chairs // 2 - 1):
        team = (0, *partners)
        yield team, tuple(chair for chair in everybody if chair not in team)


def draw_teams(strengths: Sequence[float], before: Teams, rng: random.Random) -> Teams:
    """Return a division into teams that are as even as possible.

    `strengths` are ratings by chair. The result differs from the previous teams `before`, unless
    these are more even than all others by more than `CLEARLY_WORSE`.
    """

    def gap(teams: Teams) -> float:
        first, second = (sum(strengths[chair] for chair in team) for team in teams)
        return abs(first - second)

    candidates = list(divisions(len(strengths)))
    others = [teams for teams in candidates if teams != before]
    if min(map(gap, others)) <= min(map(gap, candidates)) + CLEARLY_WORSE:
        candidates = others
    smallest_gap = min(map(gap, candidates))
    return rng.choice([teams for teams in candidates if gap(teams) <= smallest_gap + NEARLY_EVEN])


def new_partners(
    table: TableState, ratings: Mapping[UserId, Rating], rng: random.Random
) -> tuple[Chair, ...]:
    """Return the chairs of a finished match with new teams.

    `ratings` are those of people on this server, by user; users without one count as beginners.
    Raises `Refused` (``unknown-button``) if the game has no partners.
    """
    options = table.options
    if not has_partners(options):
        raise Refused(Reason.UNKNOWN_BUTTON)

    def strength(chair: Chair) -> float:
        if chair.user_id is None:
            return FIXED[options.computers].mu
        return ratings.get(chair.user_id, BEGINNER).mu

    first, second = options.game.lobby_teams(options.rules)
    teams = draw_teams([strength(chair) for chair in table.chairs], (first, second), rng)
    seats = dict(zip((*first, *second), (*teams[0], *teams[1]), strict=True))
    return tuple(
        table.chairs[seats[seat]].model_copy(update={"seat": seat}) for seat in sorted(seats)
    )
