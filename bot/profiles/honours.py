"""The table of honour: the best players of a season on one server. Values alone.

`bot.profiles.seasons` reads it from the store and has it posted.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.score_records import Amount, LeaderboardLine, Period, Variant

BEST = 3
"""The number of places of the leaderboard by rating that are told."""
MOST_NAMES = 6
"""The largest number of people that are named for one honour, if more share it."""


class GameHonours(NamedTuple):
    """The best players of one game, by each order of the leaderboards.

    People who share the best value are all named, `MOST_NAMES` at most. An order in which nobody is
    listed is empty.
    """

    variant: Variant
    """The game."""
    played: Amount
    """How much of it was played in the season."""
    rating: tuple[LeaderboardLine, ...]
    """The first `BEST` places by rating; the other fields have the first place only."""
    wins: tuple[LeaderboardLine, ...]
    points: tuple[LeaderboardLine, ...]
    calls: tuple[LeaderboardLine, ...]


class Honours(NamedTuple):
    """A server's table of honour: its games in the order of the rule book."""

    season: Period
    games: tuple[GameHonours, ...]

    @property
    def played(self) -> Amount:
        """Rounds and matches of all games together."""
        numbers = [game.played for game in self.games]
        return Amount(sum(n.rounds for n in numbers), sum(n.matches for n in numbers))
