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

FEWEST_TOGETHER = 10
"""Minimum number of rounds for a best partner or a nemesis."""


class Calls(NamedTuple):
    """Calls of one kind: Tichus or Grand Tichus."""

    called: int
    """Number of calls."""
    made: int
    """Number of calls made."""
    points: int
    """Points of all of them, negative if they cost more than they brought."""


class Partner(NamedTuple):
    """A player of the same team.

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
    """Average lead of their side over these rounds, in points.

    In a game of places a side's points are the percentage of other players who went out later.
    """


class Moment(NamedTuple):
    """A number of points (or percent), and the time it was reached."""

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
    """Number of them that count on the leaderboard; `None` if not listed."""
    first_at: datetime
    """End of the first of these rounds."""
    points: float | None
    """Average lead of their side over its opponents in a round, in points.

    In a game of places: the percentage of other players who went out later. `points`, `best` and
    `worst` are `None` if no margin is known.
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
    """Number of matches won in a row up to the last one."""
    longest_streak: int
    """Largest number of matches won in a row."""
    comeback: Moment | None
    """Won match in which their side was furthest behind after a round."""
    favourite: Partner | None
    """Partner of most rounds."""
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
    measured = sum(each.measured for each in tables)
    points = sum(each.points for each in tables)
    bests = (Moment(round(s.best / 100), s.ended_at) for s in tables if s.best is not None)
    worsts = (Moment(round(s.worst / 100), s.ended_at) for s in tables if s.worst is not None)
    streaks = [streak for _, streak in winning_streaks(stats.finished_matches)]
    partners = list(_partners(stats))
    frequent = [partner for partner in partners if partner.rounds >= FEWEST_TOGETHER]
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
        points=points / measured / 100 if measured else None,
        best=max(bests, key=_value, default=None),
        worst=min(worsts, key=_value, default=None),
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
        comeback=max(comebacks(stats.finished_matches), key=_value, default=None),
        favourite=favourite,
        best_partner=max(
            frequent, key=lambda other: (other.won, other.rounds, -other.user_id), default=None
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
    """Yield the largest deficit and the end of each match won from behind."""
    for match in matches:
        if match.won and match.behind:
            yield Moment(match.behind, match.ended_at)


def _value(moment: Moment) -> int:
    return moment.value


def _calls(call: Call, called: int, made: int) -> Calls:
    """Return the calls of one kind, with the sum of their values."""
    return Calls(called, made, call.value * (2 * made - called))


def _partners(stats: PlayerStatistics) -> Iterator[Partner]:
    """Yield players of the same team, if teams last for a match."""
    if VARIANTS[stats.variant].dealer_opposes_all:
        return
    for other in stats.shared_rounds:
        if other.together:
            yield Partner(other.user_id, other.rounds, other.won / other.rounds)


def _nemesis(stats: PlayerStatistics, favourite: Partner | None) -> Nemesis | None:
    """Return the opponent with the largest average lead, if any; never the favourite partner."""
    # In points the margins of two opponents are opposite numbers, so `lead` counts them twice.
    share = 0.5 if VARIANTS[stats.variant].scored else 1.0
    opponents = [
        Nemesis(other.user_id, other.rounds, -share * other.lead / other.measured / 100)
        for other in stats.shared_rounds
        if not other.together
        and other.rounds >= FEWEST_TOGETHER
        and other.measured
        and (favourite is None or other.user_id != favourite.user_id)
    ]
    worst = max(
        opponents, key=lambda other: (other.lost, other.rounds, -other.user_id), default=None
    )
    return worst if worst is not None and worst.lost > 0 else None
