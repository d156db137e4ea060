"""What is kept of ratings, leaderboards and careers: plain values, without any rules.

Storage reads and writes them, `bot.rating` computes them, profiles and pages show them. Times are
aware datetimes; a day is a number, counted since 1970 in UTC. Points of rounds are hundredths, as
in `bot.records.RoundSeat.margin`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, TypeAlias

from bot.ids import GuildId, TableId, UserId
from bot.records import MatchRecord, RoundRecord

Scope: TypeAlias = int
"""Where something counts: the id of a server, or `WORLD`."""
Variant: TypeAlias = str
"""The name of a game, such as ``nanjing``."""
Period: TypeAlias = str
"""When something counts: `EVER`, `LATELY`, or a season such as ``2026-11``."""
Day: TypeAlias = int
"""A day, counted since 1970, in UTC."""
Order: TypeAlias = Literal["rating", "wins", "win_rate", "points", "calls"]
"""What decides the places of a leaderboard."""

WORLD: Scope = 0
"""The scope of all servers together."""
EVER: Period = "ever"
LATELY: Period = "lately"
"""Periods beside the seasons: all time, and the last thirty days."""

_SIGMAS_OFF = 2.0
"""How many `sigma` the shown rating lies below `mu`: a person plays at least so well, nearly for
certain (in about 98 cases of 100)."""


class Rating(NamedTuple):
    """What is known of how well a person plays: most likely `mu`, give or take `sigma`."""

    mu: float
    sigma: float

    @property
    def shown(self) -> float:
        """The rating that people read: a careful one, so that new people do not lead.

        It begins low, at 800, and grows with every round that makes the rating more certain.
        """
        return self.mu - _SIGMAS_OFF * self.sigma


class Tally(NamedTuple):
    """Counters of a person: what rounds and matches add up to."""

    rounds: int = 0
    points: int = 0
    matches: int = 0
    wins: int = 0
    calls: int = 0
    calls_made: int = 0

    def plus(self, other: Tally, times: int = 1) -> Tally:
        """Both together, or with -1 as `times` this one without the other."""
        return Tally(*(own + times * more for own, more in zip(self, other, strict=True)))


# --- what rounds and matches change --------------------------------------------------------------


class Person(NamedTuple):
    """One person in one game and one scope."""

    scope: Scope
    variant: Variant
    user_id: UserId


class Line(NamedTuple):
    """The key of a person's line of the leaderboards of one period."""

    person: Person
    period: Period


class Worth(NamedTuple):
    """What decides the place of a line on each leaderboard; `None`: too little to be listed."""

    rating: float | None = None
    wins: float | None = None
    win_rate: float | None = None
    points: float | None = None
    calls: float | None = None


class Account(NamedTuple):
    """A person's rating, and how many rounds have changed it."""

    rating: Rating
    rounds: int


class Standing(NamedTuple):
    """What stands on a line: the counters and the rating, of a past season those at its end."""

    tally: Tally
    rating: float


@dataclass
class Books:
    """Everything stored about some people that a round or a match may change.

    Storage reads it, the rules change it in place, storage writes all of it back.
    """

    first_recent_day: Day
    """The first day that still belongs to `LATELY`."""
    accounts: dict[Person, Account] = field(default_factory=dict)
    """Ratings as they are now."""
    rating_days: dict[tuple[Person, Day], Rating] = field(default_factory=dict)
    """The last rating of each day on which a person played; filled only with what is new."""
    standings: dict[Line, Standing] = field(default_factory=dict)
    """Lines of leaderboards."""
    tallies: dict[tuple[Person, Day], Tally] = field(default_factory=dict)
    """What was added up on each day that belongs to `LATELY`."""


Ended: TypeAlias = tuple[GuildId, RoundRecord | MatchRecord]
"""A round or a match that is over, with the server where it was played."""


class Concerned(NamedTuple):
    """Which stored rows the rules need: of these people, for these periods and days."""

    people: frozenset[Person]
    periods: frozenset[Period]
    days: frozenset[Day]


class ScoreRules(Protocol):
    """The rules of ratings and leaderboards, as storage calls them inside a transaction.

    `bot.rating.ledger.LEDGER` has them. They compute and wait for nothing.
    """

    def concerned(self, ended: Sequence[Ended]) -> Concerned:
        """What must be in the books before these rounds and matches are entered."""

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter rounds and matches into the books, in the order in which they count."""

    def worth(self, standing: Standing) -> Worth:
        """What decides the places of a line."""

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """Whether all but the dealer are partners in a round of this game."""


# --- leaderboards --------------------------------------------------------------------------------


class Board(NamedTuple):
    """Which leaderboard."""

    scope: Scope
    variant: Variant
    period: Period
    order: Order


class Place(NamedTuple):
    """A line of a leaderboard as it is read.

    `place` counts from 1, equal values have the same; 0 for a person who is not listed. `value` is
    what decides the place: a rating, a number of wins, a rate from 0 to 1, or points (in a game of
    places: percent); `None` for a person who is not listed.
    """

    place: int
    user_id: UserId
    name: str
    value: float | None
    tally: Tally
    rating: float


class Leaders(NamedTuple):
    """A part of a leaderboard, and how many lines the whole of it has."""

    size: int
    places: tuple[Place, ...]


class Preferences(NamedTuple):
    """What a person has chosen: to be on no leaderboard, to be on the one of all servers."""

    hidden: bool = False
    worldwide: bool = False

    def listed(self, scope: Scope) -> bool:
        """Whether others find this person on the leaderboards of this scope."""
        return not self.hidden and (self.worldwide or scope != WORLD)


class BoardPage(NamedTuple):
    """A page of a leaderboard with what its reader wants to know of themselves.

    All of it is from one moment. `number` is the number of the page, from 0: the last one where a
    later one was asked for. `own` is the reader's line, `None` if there is none.
    """

    number: int
    leaders: Leaders
    own: Place | None
    preferences: Preferences


class Amount(NamedTuple):
    """How much of a game was played: rounds, and matches to their end."""

    rounds: int = 0
    matches: int = 0


# --- careers -------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """A person's finished rounds at one table, added up."""

    table_id: TableId
    """The table."""
    variant: Variant
    """The game that was played there."""
    began_at: datetime
    """The end of the first of these rounds."""
    ended_at: datetime
    """The end of the last of these rounds."""
    rounds: int
    """How many rounds these are."""
    measured: int
    """How many of the rounds have a known margin."""
    points: int
    """The sum of the margins of the measured rounds, in hundredths."""
    best: int | None
    """The largest margin of a round, in hundredths; `None` where none is known."""
    worst: int | None
    """The smallest margin of a round, in hundredths; `None` where none is known."""
    tichus: int
    """How often the person called a Tichu."""
    tichus_made: int
    """How many of them they made."""
    grands: int
    """How often they called a Grand Tichu."""
    grands_made: int
    """How many of those they made."""
    sweeps: int
    """Double (in Tientsin triple) victories of the own team."""
    bombs: int
    """The bombs in all of the rounds."""
    most_bombs: int
    """The most bombs in one of the rounds."""
    firsts: int
    """Rounds in which this person went out first."""


class Ending(NamedTuple):
    """A match that a person played to its end; `rounds` are those of the whole match.

    `total` is what their side had at the end, `None` in a game of places. `behind` tells of a match
    that was won on points how many the side lacked to the best other side after the round in which
    it was furthest behind (0: it never was).
    """

    table_id: TableId
    ended_at: datetime
    rounds: int
    won: bool
    total: int | None
    behind: int | None


class Company(NamedTuple):
    """Rounds with one other person: `together` on one side, or against each other.

    Of the `rounds` so many were `won` (a margin above 0). `lead` is the sum of the own margins
    minus the other person's, in hundredths, over `measured` rounds; in points that is twice what
    was won of an opponent, whose margin is the opposite of one's own. `first_table` is the table
    with the smallest number.
    """

    user_id: UserId
    together: bool
    rounds: int
    won: int
    measured: int
    lead: int
    first_table: TableId


class Played(NamedTuple):
    """All that is stored of a person in one game on one server, the oldest first."""

    user_id: UserId
    """The person."""
    variant: Variant
    """The game."""
    games: dict[Variant, int]
    """How many rounds the person has of each game, the most first."""
    stretches: tuple[Stretch, ...]
    """Their rounds, table by table."""
    endings: tuple[Ending, ...]
    """Their matches."""
    company: tuple[Company, ...]
    """With whom they played; people who are hidden are left out."""
    rating: Rating | None
    """Their rating now, `None` before their first rated round."""
    place: Place | None
    """Their line of the leaderboard by rating, `None` without one."""
    ratings: tuple[tuple[Day, Rating], ...]
    """The rating at the end of each day on which they played."""
