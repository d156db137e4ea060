"""The career of a person: all their rounds and matches in one game on one server, added up.

It is computed from stored rows (`bot.storage.careers`) whenever somebody looks at a profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from bot.ids import UserId
from bot.score_records import Ending, Played, Rating
from engine.state import Call
from engine.variants import VARIANTS

FEWEST_TOGETHER = 10
"""The best partner and the nemesis have played at least so many rounds with the person."""


class Calls(NamedTuple):
    """All calls of one kind: how many, how many made, and the points won or lost by them."""

    called: int
    made: int
    points: int


class Partner(NamedTuple):
    """Somebody who played in the same team; only in games whose teams last longer than a round."""

    user_id: UserId
    rounds: int
    """The rounds played together."""
    won: float
    """The share of these rounds (0 to 1) in which their team had more points than the other."""


class Nemesis(NamedTuple):
    """The opponent to whom a person loses most."""

    user_id: UserId
    rounds: int
    """The rounds played against each other."""
    lost: float
    """How much the person loses to this opponent in a round, on average.

    In a game of points it is the points of the opponent's side minus those of the own side. In a
    game of places it is a difference of two shares in percent: the others that came in behind the
    opponent, minus the others that came in behind the person.
    """


class Moment(NamedTuple):
    """A value that was reached once, and when."""

    value: int
    """Points; in a game of places percent."""
    at: datetime


class Career(NamedTuple):
    """What somebody has done in one game on one server.

    Only rounds that are rated count, and only those that count for this person. A margin is the
    points by which the own side was ahead of its opponents in a round; in a game of places it is
    the share of the others, in percent, that came in behind the person.
    """

    user_id: UserId
    variant: str
    rounds: int
    """The rounds, also those with computer players alone."""
    first_at: datetime
    """When the first of them was played."""
    points: float | None
    """The mean margin of a round; `None` where no margin is known."""
    best: Moment | None
    """The largest margin of a round; `None` where no margin is known."""
    worst: Moment | None
    """The smallest margin of a round; `None` where no margin is known."""
    tichus: Calls
    grands: Calls
    sweeps: int
    """Double (in Tientsin triple) victories of the own team."""
    bombs: int
    """Bombs that the person has laid."""
    matches: int
    """Matches that were played to their end."""
    wins: int
    """The matches among them that were won."""
    streak: int
    """The matches won in a row, up to the last one."""
    longest_streak: int
    """The most matches ever won in a row."""
    comeback: Moment | None
    """The won match in which the own side was furthest behind after a round, and by how much."""
    favourite: Partner | None
    """The partner of most rounds. Neither a computer player nor somebody who is hidden."""
    best_partner: Partner | None
    """The partner with whom the largest share of rounds was won; see `FEWEST_TOGETHER`."""
    nemesis: Nemesis | None
    """The opponent to whom most is lost in a round; see `FEWEST_TOGETHER`."""
    rating: Rating | None
    place: int | None
    """The place on the server's leaderboard by rating; `None` for somebody who is not on it."""

    @property
    def win_rate(self) -> float | None:
        """The share of matches won, `None` before the first match."""
        return self.wins / self.matches if self.matches else None


def career(played: Played) -> Career | None:
    """The career that these rows add up to; `None` without a round of this game."""
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
    """For each match its end and the number of matches won in a row up to it, the oldest first."""
    streak = 0
    for ending in endings:
        streak = streak + 1 if ending.won else 0
        yield ending.ended_at, streak


def comebacks(endings: Iterable[Ending]) -> Iterator[Moment]:
    """For each match that was won after being behind: by how much it was behind at worst."""
    for ending in endings:
        if ending.won and ending.behind:
            yield Moment(ending.behind, ending.ended_at)


def _value(moment: Moment) -> int:
    """The key by which moments are compared."""
    return moment.value


def _calls(call: Call, called: int, made: int) -> Calls:
    """All calls of one kind, with the points that they have brought in all."""
    return Calls(called, made, call.value * (2 * made - called))


def _partners(played: Played) -> Iterator[Partner]:
    """Everybody who was in the same team; nobody in games whose teams last only for a round."""
    if VARIANTS[played.variant].dealer_opposes_all:
        return
    for who in played.company:
        if who.together:
            yield Partner(who.user_id, who.rounds, who.won / who.rounds)


def _nemesis(played: Played) -> Nemesis | None:
    """The opponent to whom most is lost, if anything is lost to anybody."""
    # In points two opponents have opposite margins: what one lost to the other is in both of them.
    share = 0.5 if VARIANTS[played.variant].scored else 1.0
    opponents = [
        Nemesis(who.user_id, who.rounds, -share * who.lead / who.measured / 100)
        for who in played.company
        if not who.together and who.rounds >= FEWEST_TOGETHER and who.measured
    ]
    worst = max(opponents, key=lambda who: (who.lost, who.rounds, -who.user_id), default=None)
    return worst if worst is not None and worst.lost > 0 else None
