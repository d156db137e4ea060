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
    """Calls of one sort: how many, how many of them made, and the points they won or lost."""

    called: int
    made: int
    points: int


class Partner(NamedTuple):
    """Somebody in the same team: rounds together, and the share of them won (0 to 1).

    A round is won by the team that has more points in it than the other. Only where teams last:
    partners of a single round are none.
    """

    user_id: int
    rounds: int
    won: float


class Nemesis(NamedTuple):
    """Somebody in another team: rounds against them, and how much is lost to them in a round.

    `lost` is the mean, over those rounds, of their side's points minus one's own side's; in a game
    of places of the percent of the others that came in behind them minus the same of oneself.
    """

    user_id: UserId
    rounds: int
    lost: float


class Moment(NamedTuple):
    """Something in points (or, in a game of places, percent), and when it was so."""

    value: int
    at: datetime


class Career(NamedTuple):
    """What a person has done in one game on one server; only what is rated and finished counts.

    Computer players are no partner and no nemesis, nor is anybody who is hidden.
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
    """By how many points their side was ahead of its opponents in a round, on average.

    In a game of places the percent of the others that came in behind them. `None`, as are `best`
    and `worst`, where no margin is known.
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
    """Double (in Tientsin triple) victories of the own team."""
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
    """What all of it adds up to; `None` without a round of this game."""
    stretches = played.stretches
    if not stretches:
        return None
    measured = sum(stretch.measured for stretch in stretches)
    points = sum(stretch.points for stretch in stretches)
    bests = (Moment(round(s.best / 100), s.ended_at) for s in stretches if s.best is not None)
    worsts = (Moment(round(s.worst / 100), s.ended_at) for s in stretches if s.worst is not None)
    streaks = [streak for _, streak in winning_streaks(played.endings)]
    partners = list(_partners(played))
    long_ones = [partner for partner in partners if partner.rounds >= FEWEST_TOGETHER]
    place = played.place.place if played.place is not None else 0
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
        favourite=max(partners, key=lambda who: (who.rounds, who.won, -who.user_id), default=None),
        best_partner=max(
            long_ones, key=lambda who: (who.won, who.rounds, -who.user_id), default=None
        ),
        nemesis=_nemesis(played),
        rating=played.rating,
        place=place or None,
    )


def winning_streaks(endings: Iterable[Ending]) -> Iterator[tuple[datetime, int]]:
    """How many matches in a row were won after each of them, which come oldest first."""
    streak = 0
    for ending in endings:
        streak = streak + 1 if ending.won else 0
        yield ending.ended_at, streak


def comebacks(endings: Iterable[Ending]) -> Iterator[Moment]:
    """How far behind each match was that was won after having been behind."""
    for ending in endings:
        if ending.won and ending.behind:
            yield Moment(ending.behind, ending.ended_at)


def _value(moment: Moment) -> int:
    return moment.value


def _calls(call: Call, called: int, made: int) -> Calls:
    return Calls(called, made, call.value * (2 * made - called))


def _partners(played: Played) -> Iterator[Partner]:
    """Whoever was in the same team; nobody where teams last no longer than a round."""
    if VARIANTS[played.variant].dealer_opposes_all:
        return
    for who in played.company:
        if who.together:
            yield Partner(who.user_id, who.rounds, who.won / who.rounds)


def _nemesis(played: Played) -> Nemesis | None:
    """The opponent to whom most is lost, if anything is lost to anybody."""
    # In points two opponents have opposite margins: what one lost to the other is in both of them.
    share = 0.5 if VARIANTS[played.variant].scored else 1.0
    found = [
        Nemesis(who.user_id, who.rounds, -share * who.lead / who.measured / 100)
        for who in played.company
        if not who.together and who.rounds >= FEWEST_TOGETHER and who.measured
    ]
    worst = max(found, key=lambda who: (who.lost, who.rounds, -who.user_id), default=None)
    return worst if worst is not None and worst.lost > 0 else None
