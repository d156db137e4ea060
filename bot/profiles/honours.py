"""The table of honour: the best players of a season on one server, told when it is over."""

from __future__ import annotations

from typing import NamedTuple

from bot.ids import GuildId
from bot.rating.tallies import span_of
from bot.score_records import Amount, Board, Order, Period, Place, Variant
from bot.storage import Store
from engine import VARIANTS

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
    rating: tuple[Place, ...]
    """The first `BEST` places by rating; the other fields have the first place only."""
    wins: tuple[Place, ...]
    points: tuple[Place, ...]
    calls: tuple[Place, ...]


class Honours(NamedTuple):
    """A server's table of honour: its games in the order of the rule book."""

    season: Period
    games: tuple[GameHonours, ...]

    @property
    def played(self) -> Amount:
        """Rounds and matches of all games together."""
        numbers = [game.played for game in self.games]
        return Amount(sum(n.rounds for n in numbers), sum(n.matches for n in numbers))


async def honours_of(store: Store, guild_id: GuildId, season: Period) -> Honours | None:
    """The table of honour of a server for a season; `None` if nothing was played there."""
    played = await store.history.amounts(guild_id, *span_of(season))

    async def best(variant: Variant, order: Order, last: int = 1) -> tuple[Place, ...]:
        """The people in the places from 1 to `last`."""
        leaders = await store.rankings.leaders(
            Board(guild_id, variant, season, order), 0, MOST_NAMES
        )
        return tuple(place for place in leaders.places if place.place <= last)

    games = [
        GameHonours(
            variant,
            played[variant],
            rating=await best(variant, "rating", BEST),
            wins=await best(variant, "wins"),
            points=await best(variant, "points"),
            calls=await best(variant, "calls"),
        )
        for variant in VARIANTS
        if variant in played
    ]
    return Honours(season, tuple(games)) if games else None
