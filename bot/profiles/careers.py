"""What a person's rounds and matches in one game on one server add up to: their career.

Computed from `bot.score_records.Played` whenever somebody looks, never stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from bot.ids import UserId
from bot.score_records import Ending, Played, Rating, Variant
from engine import VARIANTS, Call

FEWEST_TOGETHER = 10
"""With fewer rounds nobody is the best partner, and nobody is a nemesis."""


class Calls(NamedTuple):
    """Calls of one kind: Tichus or Grand Tichus."""

    called: int
    """How many there were."""
    made: int
    """How many of them were made."""
    points: int
    """The points that all of them brought; negative if they cost more."""


class Partner(NamedTuple):
    """Somebody who played in the same team.

    There are none in games where teams last for one round only.
    """

    user_id: UserId
    """The partner."""
    rounds: int
    """The rounds together."""
    won: float
    """The share of these rounds, 0 to 1, in which their team had more points than the other."""


class Nemesis(NamedTuple):
    """The opponent against whom somebody loses most."""

    user_id: UserId
    """The opponent."""
    rounds: int
    """The rounds against them."""
    lost: float
    """The mean of their side's points minus those of one's own side, over these rounds.

    In a game of places a side's points are the percent of the other players who went out later.
    """


class Moment(NamedTuple):
    """A number of points (in a game of places: percent), and when it was reached."""

    value: int
    at: datetime


class Career(NamedTuple):
    """What a person has done in one game on one server.

    Only finished rounds and matches that are rated count. A computer player or somebody who is
    hidden is never a partner or a nemesis.
    """

    user_id: UserId
    """The person."""
    variant: Variant
    """The game."""
    rounds: int
    """Rounds that count for the person, also those with computer players alone."""
    first_at: datetime
    """When the first of them ended."""
    points: float | None
    """The points by which their side was ahead of its opponents in a round, on average.

    In a game of places: the percent of the other players who went out later. `points`, `best` and
    `worst` are `None` if no margin is known.
    """
    best: Moment | None
    """The best round."""
    worst: Moment | None
    """The worst round."""
    tichus: Calls
    """Tichus that the person called."""
    grands: Calls
    """Grand Tichus that they called."""
    sweeps: int
    """Double (in Tientsin triple) victories of the person's own team."""
    bombs: int
    """Bombs that the person laid."""
    matches: int
    """Matches that were played to their end."""
    wins: int
    """How many of the matches were won."""
    streak: int
    """Matches won in a row up to the last one."""
    longest_streak: int
    """The most matches ever won in a row."""
    comeback: Moment | None
    """The won match in which their side was furthest behind after a round."""
    favourite: Partner | None
    """The partner of most rounds."""
    best_partner: Partner | None
    """The partner with whom the largest share of rounds was won, of `FEWEST_TOGETHER` at least."""
    nemesis: Nemesis | None
    """The opponent to whom most is lost in a round, of `FEWEST_TOGETHER` at least."""
    rating: Rating | None
    """The rating on this server, `None` before the first rated round."""
    place: int | None
    """The place on the server's leaderboard by rating, `None` without one."""

    @property
    def win_rate(self) -> float | None:
        """The share of matches won, `None` before the first match."""
        return self.wins / self.matches if self.matches else None


def career(played: Played) -> Career | None:
    """The career of a person; `None` if they have no round of this game."""
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
    """For each match, the oldest first, its end and how many in a row were won up to it."""
    streak = 0
    for ending in endings:
        streak = streak + 1 if ending.won else 0
        yield ending.ended_at, streak


def comebacks(endings: Iterable[Ending]) -> Iterator[Moment]:
    """For each match that was won after having been behind: how far behind, and when it ended."""
    for ending in endings:
        if ending.won and ending.behind:
            yield Moment(ending.behind, ending.ended_at)


def _value(moment: Moment) -> int:
    return moment.value


def _calls(call: Call, called: int, made: int) -> Calls:
    """The calls of one kind; each is worth its value, positive if made and negative if failed."""
    return Calls(called, made, call.value * (2 * made - called))


def _partners(played: Played) -> Iterator[Partner]:
    """Everybody who played in the same team; nobody if teams last for one round only."""
    if VARIANTS[played.variant].dealer_opposes_all:
        return
    for other in played.company:
        if other.together:
            yield Partner(other.user_id, other.rounds, other.won / other.rounds)


def _nemesis(played: Played) -> Nemesis | None:
    """The opponent to whom most points a round are lost; `None` if they are lost to nobody."""
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
