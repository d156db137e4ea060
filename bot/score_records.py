"""Stored values of ratings, leaderboards and careers, without rules.

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
"""Scope of a score: the id of a server, or `WORLD`."""
Variant: TypeAlias = str
"""Name of a game, such as ``nanjing``."""
Period: TypeAlias = str
"""Period of a score: `EVER`, `LATELY`, or a season such as ``2026-11``."""
Day: TypeAlias = int
"""A day, counted since 1970, in UTC."""
Order: TypeAlias = Literal["rating", "wins", "win_rate", "points", "calls"]
"""Sort key of a leaderboard."""

WORLD: Scope = 0
"""Scope of all servers together."""
EVER: Period = "ever"
"""Period of all time."""
LATELY: Period = "lately"
"""Period of the last thirty days."""

_SIGMAS_BELOW = 2.0
"""Number of standard deviations by which the displayed rating is below the mean.

With a normal distribution the true value is above it with a probability of 98 %.
"""


class Rating(NamedTuple):
    """Estimate of a person's skill as a normal distribution."""

    mu: float
    """Mean."""
    sigma: float
    """Standard deviation, the uncertainty of the estimate."""

    @property
    def shown(self) -> float:
        """Displayed rating, which is a lower bound, so that new players do not lead.

        It begins low, at 800, and grows with every round that makes the rating more certain.
        """
        return self.mu - _SIGMAS_BELOW * self.sigma


class Tally(NamedTuple):
    """Counters of a person's rounds and matches."""

    rounds: int = 0
    """Number of finished rounds."""
    points: int = 0
    """Sum of the margins of these rounds, in hundredths of a point."""
    matches: int = 0
    """Number of matches that were played to their end."""
    wins: int = 0
    """Number of these matches won."""
    calls: int = 0
    """Number of calls of Tichu and Grand Tichu."""
    calls_made: int = 0
    """Number of these calls made."""

    def plus(self, other: Tally, times: int = 1) -> Tally:
        """Return the sum of both; with -1 as `times` the difference."""
        return Tally(*(own + times * more for own, more in zip(self, other, strict=True)))


# --- changes by rounds and matches --------------------------------------------------------------


class Person(NamedTuple):
    """Key of a person in one game and one scope."""

    scope: Scope
    variant: Variant
    user_id: UserId


class LineKey(NamedTuple):
    """Key of a line of the leaderboards: a person in a period."""

    person: Person
    period: Period


class SortKeys(NamedTuple):
    """Sort keys of a line by leaderboard; `None` where not listed.

    The fields are those of `Order`.
    """

    rating: float | None = None
    wins: float | None = None
    win_rate: float | None = None
    points: float | None = None
    calls: float | None = None


class Account(NamedTuple):
    """A person's current rating, and the number of rounds that have changed it."""

    rating: Rating
    rounds: int


class LineStats(NamedTuple):
    """Content of a line; for a past season it is the content at the end of the season."""

    tally: Tally
    rating: float
    """Displayed rating."""


@dataclass
class Books:
    """All stored ratings and totals that a round or a match may change.

    Storage reads them, the rules change them in place, and storage writes all of them back.
    """

    first_recent_day: Day
    """First day of `LATELY`."""
    accounts: dict[Person, Account] = field(default_factory=dict)
    """Current ratings."""
    rating_days: dict[tuple[Person, Day], Rating] = field(default_factory=dict)
    """Last rating of each day on which a person played.

    It is empty when the rules get the books, because they add entries but never read any.
    """
    standings: dict[LineKey, LineStats] = field(default_factory=dict)
    """Lines of leaderboards."""
    tallies: dict[tuple[Person, Day], Tally] = field(default_factory=dict)
    """Counters of each day of `LATELY`."""


Ended: TypeAlias = tuple[GuildId, RoundRecord | MatchRecord]
"""A finished round or match, with the server where it was played."""


class RowKeys(NamedTuple):
    """Keys of the stored rows that the rules need: people, periods and days."""

    people: frozenset[Person]
    periods: frozenset[Period]
    days: frozenset[Day]


class ScoreRules(Protocol):
    """Interface of the rules of ratings and leaderboards, called inside a transaction.

    `bot.rating.ledger.LEDGER` implements it. No method does any input or output.
    """

    def required_rows(self, ended: Sequence[Ended]) -> RowKeys:
        """Return the keys of the rows that `enter` needs."""

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter rounds and matches into the books, in this order."""

    def sort_keys(self, stats: LineStats) -> SortKeys:
        """Return the sort keys of a line with this content on the leaderboards."""

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """Return whether everybody plays against the dealer in this game."""


# --- leaderboards --------------------------------------------------------------------------------


class Board(NamedTuple):
    """Key of one leaderboard: scope, game, period and order."""

    scope: Scope
    variant: Variant
    period: Period
    order: Order


class LeaderboardLine(NamedTuple):
    """A line of a leaderboard as it is shown."""

    place: int
    """Place from 1, shared by equal values; 0 if not listed."""
    user_id: UserId
    """User id of the person."""
    name: str
    """Display name of the person."""
    value: float | None
    """Value that decides the place; `None` for a person who is not listed.

    It is a rating, a number of wins, a rate from 0 to 1, or points per round (in a game of places:
    percent).
    """
    tally: Tally
    """Counters of the person."""
    rating: float
    """Displayed rating."""


class Leaders(NamedTuple):
    """Some lines of a leaderboard, and the number of all its lines."""

    size: int
    lines: tuple[LeaderboardLine, ...]


class Preferences(NamedTuple):
    """Settings of a person for leaderboards, from `/tichu settings`."""

    hidden: bool = False
    """True if they are on no leaderboard at all."""
    worldwide: bool = False
    """True if they are on the worldwide leaderboard, unless `hidden`."""

    def listed(self, scope: Scope) -> bool:
        """Return whether others can see this person on the leaderboards of this scope."""
        return not self.hidden and (self.worldwide or scope != WORLD)


class BoardPage(NamedTuple):
    """A page of a leaderboard with the reader's own data."""

    number: int
    """Number of the page, from 0, at most the last one."""
    leaders: Leaders
    """Lines on this page, and the number of all lines."""
    own: LeaderboardLine | None
    """The reader's own line; `None` if there is none."""
    preferences: Preferences
    """The reader's own settings."""


class Amount(NamedTuple):
    """Numbers of rounds, and of matches played to their end."""

    rounds: int = 0
    matches: int = 0


# --- careers -------------------------------------------------------------------------------------


class TableTotals(NamedTuple):
    """Totals of a person's finished rounds at one table.

    See `bot.records.RoundSeat.margin` for margins.
    """

    table_id: TableId
    """Id of the table."""
    variant: Variant
    """Name of the game that was played there."""
    began_at: datetime
    """End of the first of these rounds."""
    ended_at: datetime
    """End of the last of these rounds."""
    rounds: int
    """Number of these rounds."""
    measured: int
    """Number of the rounds with a known margin."""
    points: int
    """Sum of the margins of the measured rounds, in hundredths."""
    best: int | None
    """Largest margin of a round, in hundredths; `None` if none is known."""
    worst: int | None
    """Smallest margin of a round, in hundredths; `None` if none is known."""
    tichus: int
    """Number of the person's Tichu calls."""
    tichus_made: int
    """Number of Tichu calls made."""
    grands: int
    """Number of the person's Grand Tichu calls."""
    grands_made: int
    """Number of Grand Tichu calls made."""
    sweeps: int
    """Number of double (in Tientsin triple) victories of the person's own team."""
    bombs: int
    """Number of bombs that the person threw in all of the rounds."""
    most_bombs: int
    """Largest number of bombs that they threw in one of the rounds."""
    firsts: int
    """Number of rounds in which this person went out first."""


class FinishedMatch(NamedTuple):
    """A match that a person played to its end."""

    table_id: TableId
    """Id of the table."""
    ended_at: datetime
    """Time of the end of the match."""
    rounds: int
    """Number of rounds of the whole match."""
    won: bool
    """True if the person's side won."""
    total: int | None
    """Final points of the person's side; `None` in a game of places."""
    behind: int | None
    """Largest deficit of the person's side after a round, in points.

    0 if their side was never behind; `None` if the match was not won, or not played for points.
    """


class SharedRounds(NamedTuple):
    """Rounds of a person with one other person, as partners or as opponents."""

    user_id: UserId
    """User id of the other person."""
    together: bool
    """True for rounds as partners, False for rounds as opponents."""
    rounds: int
    """Number of these rounds."""
    won: int
    """Number of rounds won, with a margin above 0."""
    measured: int
    """Number of rounds with a known margin."""
    lead: int
    """Sum of the person's margin minus the other's over measured rounds, in hundredths.

    With two sides the margins of opponents are opposite numbers, so this is twice the points by
    which the person was ahead.
    """
    first_table: TableId
    """Smallest id of a table at which they met in this way."""


class PlayerStatistics(NamedTuple):
    """All stored data of a person in a game and server.

    Lists begin with the oldest.
    """

    user_id: UserId
    """User id of the person."""
    variant: Variant
    """Name of the game."""
    games: dict[Variant, int]
    """Number of the person's rounds by game, the largest first."""
    table_totals: tuple[TableTotals, ...]
    """Their rounds by table."""
    finished_matches: tuple[FinishedMatch, ...]
    """Their matches."""
    shared_rounds: tuple[SharedRounds, ...]
    """People they played with, without hidden ones."""
    rating: Rating | None
    """Their current rating; `None` before their first rated round."""
    line: LeaderboardLine | None
    """Their line of the server's leaderboard by rating; `None` without one."""
    ratings: tuple[tuple[Day, Rating], ...]
    """Their rating at the end of each day on which they played."""


# --- puzzles ------------------------------------------------------------------------------------


class PuzzlePlayer(NamedTuple):
    """Rating and streak of a person who solves puzzles."""

    rating: Rating
    """Rating; a puzzle has one, too, and the two play against each other."""
    tried: int = 0
    """Number of answers."""
    solved: int = 0
    """Number of right answers."""
    streak: int = 0
    """Number of right answers in a row."""
    best_streak: int = 0
    """Largest number of right answers in a row."""
    puzzle: str | None = None
    """Name of the puzzle that they have begun and not answered."""


class PuzzleAnswer(NamedTuple):
    """Last answer of a person to a puzzle."""

    choice: str
    """Chosen action, in notation."""
    solved: bool
    """True if it was right."""
    times: int
    """Number of times that the person has answered this puzzle."""
