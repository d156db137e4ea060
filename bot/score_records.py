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
"""The period of all time."""
LATELY: Period = "lately"
"""The period of the last thirty days."""

_SIGMAS_BELOW = 2.0
"""The shown rating lies this many standard deviations below the most likely one.

With a normal distribution the true value is above it with a probability of 98 %.
"""


class Rating(NamedTuple):
    """An estimate of how well a person plays: a normal distribution."""

    mu: float
    """The most likely value."""
    sigma: float
    """The standard deviation: how uncertain the estimate is."""

    @property
    def shown(self) -> float:
        """The rating that people read: a careful one, so that new people do not lead.

        It begins low, at 800, and grows with every round that makes the rating more certain.
        """
        return self.mu - _SIGMAS_BELOW * self.sigma


class Tally(NamedTuple):
    """Counters of a person: what rounds and matches add up to."""

    rounds: int = 0
    """Finished rounds."""
    points: int = 0
    """The sum of the margins of these rounds, in hundredths of a point."""
    matches: int = 0
    """Matches that were played to their end."""
    wins: int = 0
    """How many of these matches were won."""
    calls: int = 0
    """Calls of Tichu and Grand Tichu."""
    calls_made: int = 0
    """How many of these calls were made."""

    def plus(self, other: Tally, times: int = 1) -> Tally:
        """The sum of both; with -1 as `times` the difference."""
        return Tally(*(own + times * more for own, more in zip(self, other, strict=True)))


# --- what rounds and matches change --------------------------------------------------------------


class Person(NamedTuple):
    """One person in one game and one scope."""

    scope: Scope
    variant: Variant
    user_id: UserId


class Line(NamedTuple):
    """Names one line of the leaderboards: that of a person in a period."""

    person: Person
    period: Period


class Worth(NamedTuple):
    """The value by which each leaderboard sorts a line; `None` if the line is not listed there.

    The fields are those of `Order`.
    """

    rating: float | None = None
    wins: float | None = None
    win_rate: float | None = None
    points: float | None = None
    calls: float | None = None


class Account(NamedTuple):
    """A person's present rating, and the number of rounds that have changed it."""

    rating: Rating
    rounds: int


class Standing(NamedTuple):
    """The content of a line. In the line of a past season it is that of the season's end."""

    tally: Tally
    rating: float
    """The shown rating."""


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
    """The last rating of each day on which a person played.

    Empty when the rules get the books: they never read it, they only add new entries.
    """
    standings: dict[Line, Standing] = field(default_factory=dict)
    """Lines of leaderboards."""
    tallies: dict[tuple[Person, Day], Tally] = field(default_factory=dict)
    """The counters of each day that belongs to `LATELY`."""


Ended: TypeAlias = tuple[GuildId, RoundRecord | MatchRecord]
"""A round or a match that is over, with the server where it was played."""


class Concerned(NamedTuple):
    """The stored rows that the rules need: those of these people for these periods and days."""

    people: frozenset[Person]
    periods: frozenset[Period]
    days: frozenset[Day]


class ScoreRules(Protocol):
    """The rules of ratings and leaderboards, as storage calls them inside a transaction.

    `bot.rating.ledger.LEDGER` implements it. No method does any input or output.
    """

    def concerned(self, ended: Sequence[Ended]) -> Concerned:
        """The rows that must be in the books before these rounds and matches are entered."""

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter rounds and matches into the books, in the order in which they count."""

    def worth(self, standing: Standing) -> Worth:
        """The values by which the leaderboards sort a line with this content."""

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """Whether all but the dealer are partners in a round of this game."""


# --- leaderboards --------------------------------------------------------------------------------


class Board(NamedTuple):
    """Names one leaderboard: where, of which game and period, and sorted by what."""

    scope: Scope
    variant: Variant
    period: Period
    order: Order


class LeaderboardLine(NamedTuple):
    """A line of a leaderboard as it is shown."""

    place: int
    """The place, from 1; equal values share a place. 0 for a person who is not listed."""
    user_id: UserId
    """The person."""
    name: str
    """The name with which the person is listed."""
    value: float | None
    """The value that decides the place; `None` for a person who is not listed.

    It is a rating, a number of wins, a rate from 0 to 1, or points a round (in a game of places:
    percent).
    """
    tally: Tally
    """The counters of the person."""
    rating: float
    """The shown rating."""


class Leaders(NamedTuple):
    """A part of a leaderboard, and how many lines the whole of it has."""

    size: int
    lines: tuple[LeaderboardLine, ...]


class Preferences(NamedTuple):
    """What a person has chosen in `/tichu settings`."""

    hidden: bool = False
    """Whether they are on no leaderboard at all."""
    worldwide: bool = False
    """Whether they are on the leaderboard of all servers; not if they are `hidden`."""

    def listed(self, scope: Scope) -> bool:
        """Whether others find this person on the leaderboards of this scope."""
        return not self.hidden and (self.worldwide or scope != WORLD)


class BoardPage(NamedTuple):
    """A page of a leaderboard, and what concerns its reader; all of it read in one transaction."""

    number: int
    """The number of the page, from 0; the last page if a later one was asked for."""
    leaders: Leaders
    """The lines on this page, and the number of all lines."""
    own: LeaderboardLine | None
    """The reader's own line; `None` if there is none."""
    preferences: Preferences
    """The reader's own choices."""


class Amount(NamedTuple):
    """How much of a game was played: rounds, and matches to their end."""

    rounds: int = 0
    matches: int = 0


# --- careers -------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """A person's finished rounds at one table, added up.

    A margin is that of `bot.records.RoundSeat.margin`.
    """

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
    """Double (in Tientsin triple) victories of the person's own team."""
    bombs: int
    """The bombs that the person laid in all of the rounds."""
    most_bombs: int
    """The most bombs that they laid in one of the rounds."""
    firsts: int
    """Rounds in which this person went out first."""


class Ending(NamedTuple):
    """A match that a person played to its end."""

    table_id: TableId
    """The table of the match."""
    ended_at: datetime
    """When the match ended."""
    rounds: int
    """The number of rounds of the whole match."""
    won: bool
    """Whether the person's side won."""
    total: int | None
    """The points of the person's side at the end; `None` in a game of places."""
    behind: int | None
    """The largest lead that another side ever had over the person's side after a round, in points.

    0 if their side was never behind; `None` if the match was not won, or not played for points.
    """


class Company(NamedTuple):
    """Rounds that a person played with one other person: as partners, or as opponents."""

    user_id: UserId
    """The other person."""
    together: bool
    """Whether these are the rounds as partners; else those as opponents."""
    rounds: int
    """How many rounds these are."""
    won: int
    """How many of them were won: with a margin above 0."""
    measured: int
    """How many of them have known margins."""
    lead: int
    """The sum over the measured rounds of the person's margin minus the other's, in hundredths.

    With two sides the margins of opponents are opposite numbers, so this is twice the points by
    which the person was ahead.
    """
    first_table: TableId
    """The table with the smallest number at which they met in this way."""


class Played(NamedTuple):
    """Everything stored about a person in one game on one server. Lists begin with the oldest."""

    user_id: UserId
    """The person."""
    variant: Variant
    """The game."""
    games: dict[Variant, int]
    """The number of the person's rounds of each game; the game with most rounds comes first."""
    stretches: tuple[Stretch, ...]
    """Their rounds, table by table."""
    endings: tuple[Ending, ...]
    """Their matches."""
    company: tuple[Company, ...]
    """The people they played with; those who are hidden are left out."""
    rating: Rating | None
    """Their present rating; `None` before their first rated round."""
    line: LeaderboardLine | None
    """Their line of the server's leaderboard by rating; `None` without one."""
    ratings: tuple[tuple[Day, Rating], ...]
    """Their rating at the end of each day on which they played."""
