"""The table of honour: what a server reads of a season when it is over."""

from __future__ import annotations

from typing import NamedTuple

from bot.rating.tallies import span_of
from bot.score_records import Amount, Board, Order, Place
from bot.storage import Store
from engine.variants import VARIANTS

BEST = 3
"""So many places of the leaderboard by rating are told."""
MOST_NAMES = 6
"""No more people than that are named for one honour, however many share it."""


class GameHonours(NamedTuple):
    """What is told of one game: its numbers, and who was best, in the order of places.

    Where people share the best value, all of them have it (`MOST_NAMES` at most); nobody where
    nobody is listed.
    """

    variant: str
    played: Amount
    rating: tuple[Place, ...]
    wins: tuple[Place, ...]
    points: tuple[Place, ...]
    calls: tuple[Place, ...]


class Honours(NamedTuple):
    """A server's table of honour: its games in the order of the rule book."""

    season: str
    games: tuple[GameHonours, ...]

    @property
    def played(self) -> Amount:
        """Rounds and matches of all games together."""
        numbers = [game.played for game in self.games]
        return Amount(sum(n.rounds for n in numbers), sum(n.matches for n in numbers))


async def honours_of(store: Store, guild_id: int, season: str) -> Honours | None:
    """The table of honour of a server for a season; `None` if nothing was played there."""
    played = await store.history.amounts(guild_id, *span_of(season))

    async def best(variant: str, order: Order, last: int = 1) -> tuple[Place, ...]:
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
