"""Careers: statistics of a person in one game on one server.

They are computed from `bot.score_records.PlayerStatistics` on demand, and never stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from bot.ids import UserId
from bot.score_records import FinishedMatch, PlayerStatistics, Rating, Variant
from engine import VARIANTS, Call

_HUNDREDTHS = 100
"""Stored margins are in hundredths of a point or percent."""
FEWEST_TOGETHER = 10
"""Minimum number of rounds for a best partner or a nemesis."""


class Calls(NamedTuple):
    """Calls of one kind: Tichus or Grand Tichus."""

    called: int
    """Number of calls."""
    made: int
    """Number of calls made."""
    points: int
    """Sum of the points won and lost with these calls."""


class Partner(NamedTuple):
    """Another player of a person's team.

    There are none in games where teams last for one round only.
    """

    user_id: UserId
    """User id of the partner."""
    rounds: int
    """Number of rounds together."""
    won: float
    """Share of these rounds, 0 to 1, that their team won on points."""


class Nemesis(NamedTuple):
    """The opponent with the largest average lead over a person."""

    user_id: UserId
    """User id of the opponent."""
    rounds: int
    """Number of rounds against them."""
    lost: float
    """Average lead of the opponent's side in a round, in points.

    In a game of places a side's points are the percentage of other players who went out later.
    """


class Moment(NamedTuple):
    """A number of points (or percent) and the time when it was reached."""

    value: int
    at: datetime


class Career(NamedTuple):
    """Statistics of a person in one game on one server.

    Only rated rounds and matches that were finished count. Computer players and hidden people are
    never partners or nemeses.
    """

    user_id: UserId
    """User id of the person."""
    variant: Variant
    """Name of the game."""
    rounds: int
    """Number of rounds credited to the person, including those with computer players alone."""
    counted: int | None
    """Number of these rounds that count on the leaderboard; `None` if the person is not listed."""
    first_at: datetime
    """End of the first of these rounds."""
    points: float | None
    """Average lead of their side over its opponents in a round, in points.

    In a game of places, it is the percentage of other players who went out later. `points`, `best`
    and `worst` are `None` if no margin is known.
    """
    best: Moment | None
    """Best round."""
    worst: Moment | None
    """Worst round."""
    tichus: Calls
    """Tichu calls of the person."""
    grands: Calls
    """Grand Tichu calls of the person."""
    sweeps: int
    """Number of double (in Tientsin triple) victories of their own team."""
    bombs: int
    """Number of bombs that they threw."""
    matches: int
    """Number of matches that were played to their end."""
    wins: int
    """Number of matches won."""
    streak: int
    """Length of the current winning streak, in matches."""
    longest_streak: int
    """Length of the longest winning streak, in matches."""
    comeback: Moment | None
    """Largest deficit after a round in a match that was won in the end."""
    favourite: Partner | None
    """Partner with the largest number of rounds together."""
    best_partner: Partner | None
    """Partner with the largest share of rounds won, of at least `FEWEST_TOGETHER`."""
    nemesis: Nemesis | None
    """Opponent with the largest average lead, in at least `FEWEST_TOGETHER` rounds."""
    rating: Rating | None
    """Rating on this server; `None` before the first rated round."""
    place: int | None
    """Place on the server's leaderboard by rating; `None` if not listed."""

    @property
    def win_rate(self) -> float | None:
        """Share of matches won; `None` before the first match."""
        return self.wins / self.matches if self.matches else None


def career(stats: PlayerStatistics) -> Career | None:
    """Return the career of a person, or `None` without rounds of this game."""
    tables = stats.table_totals
    if not tables:
        return None
    measured_rounds = sum(each.measured for each in tables)
    points = sum(each.points for each in tables)
    best_rounds = (
        Moment(round(each.best / _HUNDREDTHS), each.ended_at)
        for each in tables
        if each.best is not None
    )
    worst_rounds = (
        Moment(round(each.worst / _HUNDREDTHS), each.ended_at)
        for each in tables
        if each.worst is not None
    )
    streaks = [streak for _, streak in winning_streaks(stats.finished_matches)]
    partners = list(_partners_of(stats))
    frequent_partners = [partner for partner in partners if partner.rounds >= FEWEST_TOGETHER]
    favourite = max(
        partners, key=lambda other: (other.rounds, other.won, -other.user_id), default=None
    )
    place = stats.line.place if stats.line is not None else 0
    return Career(
        user_id=stats.user_id,
        variant=stats.variant,
        rounds=sum(each.rounds for each in tables),
        counted=stats.line.tally.rounds if stats.line is not None and place else None,
        first_at=min(each.began_at for each in tables),
        points=points / measured_rounds / _HUNDREDTHS if measured_rounds else None,
        best=max(best_rounds, key=_value_of, default=None),
        worst=min(worst_rounds, key=_value_of, default=None),
        tichus=_calls(
            Call.TICHU,
            sum(each.tichus for each in tables),
            sum(each.tichus_made for each in tables),
        ),
        grands=_calls(
            Call.GRAND,
            sum(each.grands for each in tables),
            sum(each.grands_made for each in tables),
        ),
        sweeps=sum(each.sweeps for each in tables),
        bombs=sum(each.bombs for each in tables),
        matches=len(stats.finished_matches),
        wins=sum(match.won for match in stats.finished_matches),
        streak=streaks[-1] if streaks else 0,
        longest_streak=max(streaks, default=0),
        comeback=max(comebacks(stats.finished_matches), key=_value_of, default=None),
        favourite=favourite,
        best_partner=max(
            frequent_partners,
            key=lambda other: (other.won, other.rounds, -other.user_id),
            default=None,
        ),
        nemesis=_nemesis(stats, favourite),
        rating=stats.rating,
        place=place or None,
    )


def winning_streaks(matches: Iterable[FinishedMatch]) -> Iterator[tuple[datetime, int]]:
    """Yield the end and the winning streak of each match, oldest first."""
    streak = 0
    for match in matches:
        streak = streak + 1 if match.won else 0
        yield match.ended_at, streak


def comebacks(matches: Iterable[FinishedMatch]) -> Iterator[Moment]:
    """Yield for each match won from behind its largest deficit and its end."""
    for match in matches:
        if match.won and match.behind:
            yield Moment(match.behind, match.ended_at)


def _value_of(moment: Moment) -> int:
    return moment.value


def _calls(call: Call, called: int, made: int) -> Calls:
    """Return the statistics of one kind of call.

    A call made is worth its value, and a failed one the negative value.
    """
    return Calls(called, made, call.value * (2 * made - called))


def _partners_of(stats: PlayerStatistics) -> Iterator[Partner]:
    """Yield the partners of a person, none in games whose teams change every round."""
    if VARIANTS[stats.variant].dealer_opposes_all:
        return
    for other in stats.shared_rounds:
        if other.together:
            yield Partner(other.user_id, other.rounds, other.won / other.rounds)


def _nemesis(stats: PlayerStatistics, favourite: Partner | None) -> Nemesis | None:
    """Return the opponent with the largest average lead, if any; never the favourite partner."""
    # With points, opponents' margins are opposite numbers, so their difference is twice the lead.
    factor = 0.5 if VARIANTS[stats.variant].scored else 1.0
    opponents = [
        Nemesis(other.user_id, other.rounds, -factor * other.lead / other.measured / _HUNDREDTHS)
        for other in stats.shared_rounds
        if not other.together
        and other.rounds >= FEWEST_TOGETHER
        and other.measured
        and (favourite is None or other.user_id != favourite.user_id)
    ]
    nemesis = max(
        opponents, key=lambda other: (other.lost, other.rounds, -other.user_id), default=None
    )
    return nemesis if nemesis is not None and nemesis.lost > 0 else None
