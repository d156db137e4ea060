"""Data classes of the monthly ranking of a server.

`bot.profiles.seasons` reads them from the store and has them posted.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.score_records import Amount, LeaderboardLine, Period, Variant
from bot.standings.daily_standings import DailyLine

SHOWN_PLACES = 3
"""Number of places of the leaderboard by rating that are shown."""
MOST_NAMES = 6
"""Largest number of people named in one ranking if they share a place."""


class GameRanking(NamedTuple):
    """The best players of one game, by each order of the leaderboards.

    All people who share the best value are included, at most `MOST_NAMES`. An order without listed
    people is empty.
    """

    variant: Variant
    """Name of the game."""
    played: Amount
    """Numbers of rounds and matches in the season."""
    rating: tuple[LeaderboardLine, ...]
    """The first `SHOWN_PLACES` places by rating; the fields below have the first place only."""
    wins: tuple[LeaderboardLine, ...]
    points: tuple[LeaderboardLine, ...]
    calls: tuple[LeaderboardLine, ...]


class MonthlyRanking(NamedTuple):
    """Monthly ranking of a server, with games in rule book order."""

    season: Period
    games: tuple[GameRanking, ...]
    daily: tuple[DailyLine, ...] = ()
    """All people who share the best mean in the deal of the day, at most `MOST_NAMES`."""

    @property
    def played(self) -> Amount:
        """Rounds and matches of all games together."""
        amounts = [game.played for game in self.games]
        return Amount(
            sum(amount.rounds for amount in amounts), sum(amount.matches for amount in amounts)
        )
