"""Careers: statistics of a person in one game on one server.

They are computed from `bot.score_records.Played` on demand, and never stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from bot.ids import UserId
from bot.score_records import Ending, Played, Rating, Variant
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


def career(played: Played) -> Career | None:
    """Return the career of a person, or `None` without rounds of this game."""
    stretches = played.stretches
    if not stretches:
        return None
    measured = sum(stretch.measured for stretch in stretches)
    points = sum(stretch.points for stretch in stretches)
    bests = (Moment(round(s.best / 100), s.ended_at) for s in stretches if s.best is not None)
    worsts = (Moment(round(s.worst / 100), s.ended_at) for s in stretches if s.worst is not None)
    streaks = [streak for _, streak in winning_streaks(played.endings)]
    partners = list(_partners(played))
    frequent = [partner for partner in partners if partner.rounds >= FEWEST_TOGETHER]
    place = played.line.place if played.line is not None else 0
    return Career(
        user_id=played.user_id,
        variant=played.variant,
        rounds=sum(stretch.rounds for stretch in stretches),
        first_at=min(stretch.began_at for stretch in stretches),
        points=points / measured / 100 if measured else None,
        best=max(bests, key=_value, default=None),
        worst=min(worsts, key=_value, default=None),
        tichus=_calls(
            Call.TICHU,
            sum(stretch.tichus for stretch in stretches),
            sum(stretch.tichus_made for stretch in stretches),
        ),
        grands=_calls(
            Call.GRAND,
            sum(stretch.grands for stretch in stretches),
            sum(stretch.grands_made for stretch in stretches),
        ),
        sweeps=sum(stretch.sweeps for stretch in stretches),
        bombs=sum(stretch.bombs for stretch in stretches),
        matches=len(played.endings),
        wins=sum(ending.won for ending in played.endings),
        streak=streaks[-1] if streaks else 0,
        longest_streak=max(streaks, default=0),
        comeback=max(comebacks(played.endings), key=_value, default=None),
        favourite=max(
            partners, key=lambda other: (other.rounds, other.won, -other.user_id), default=None
        ),
        best_partner=max(
            frequent, key=lambda other: (other.won, other.rounds, -other.user_id), default=None
        ),
        nemesis=_nemesis(played),
        rating=played.rating,
        place=place or None,
    )


def winning_streaks(endings: Iterable[Ending]) -> Iterator[tuple[datetime, int]]:
    """Yield the end and the winning streak of each match, oldest first."""
    streak = 0
    for ending in endings:
        streak = streak + 1 if ending.won else 0
        yield ending.ended_at, streak


def comebacks(endings: Iterable[Ending]) -> Iterator[Moment]:
    """Yield the largest deficit and the end of each match won from behind."""
    for ending in endings:
        if ending.won and ending.behind:
            yield Moment(ending.behind, ending.ended_at)


def _value(moment: Moment) -> int:
    return moment.value


def _calls(call: Call, called: int, made: int) -> Calls:
    """Return the calls of one kind, with the sum of their values."""
    return Calls(called, made, call.value * (2 * made - called))


def _partners(played: Played) -> Iterator[Partner]:
    """Yield players of the same team, if teams last for a match."""
    if VARIANTS[played.variant].dealer_opposes_all:
        return
    for other in played.company:
        if other.together:
            yield Partner(other.user_id, other.rounds, other.won / other.rounds)


def _nemesis(played: Played) -> Nemesis | None:
    """Return the opponent with the largest average lead, if any."""
    # In points the margins of two opponents are opposite numbers, so `lead` counts them twice.
    share = 0.5 if VARIANTS[played.variant].scored else 1.0
    opponents = [
        Nemesis(other.user_id, other.rounds, -share * other.lead / other.measured / 100)
        for other in played.company
        if not other.together and other.rounds >= FEWEST_TOGETHER and other.measured
    ]
    worst = max(
        opponents, key=lambda other: (other.lost, other.rounds, -other.user_id), default=None
    )
    return worst if worst is not None and worst.lost > 0 else None
