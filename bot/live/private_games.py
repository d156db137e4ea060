"""Begins and ends private games, which are in memory only."""

from __future__ import annotations

import itertools
from dataclasses import replace

from bot.ids import TableId, UserId
from bot.live.events import Committed, EventDispatcher, LeasesLost, Released
from bot.live.leases import Leases
from bot.live.registry import Registry
from bot.records import LARGEST_NUMBER
from bot.runtime.clock import Now
from bot.table.deadlines import deadlines
from bot.table.private_game import PrivateGame


class PrivateGames:
    """Private games of this process, at most one for each person.

    Their ids are above those of all stored tables. They contain the time of the start, so that a
    restart does not use them again.
    """

    def __init__(
        self, registry: Registry, now: Now, events: EventDispatcher, leases: Leases
    ) -> None:
        self._registry = registry
        self._now = now
        self._events = events
        self._leases = leases
        self._ids = itertools.count(LARGEST_NUMBER + round(now().timestamp() * 1000))
        events.subscribe(LeasesLost, lambda _: self._end_unserved())

    def begin(self, game: PrivateGame) -> PrivateGame:
        """Begin a game in place of the person's previous one; return it."""
        for user_id in game.user_ids():
            self.end(user_id)
        game = replace(game, id=TableId(next(self._ids)))
        game = game.with_timers(deadlines=deadlines(game, game, self._now()))
        self._registry.add_private(game)
        self._events.dispatch(Committed(game, game))
        return game

    def end(self, user_id: UserId) -> None:
        """End the game of this person, if any."""
        for game in self._all():
            if game.seat_of(user_id) is not None:
                self._end(game)

    def end_all(self) -> None:
        """End all games."""
        for game in self._all():
            self._end(game)

    def _end_unserved(self) -> None:
        """End the games of servers that this process no longer serves."""
        for game in self._all():
            if not self._leases.serves(game.guild_id):
                self._end(game)

    def _all(self) -> list[PrivateGame]:
        """Return the private games of all people."""
        states = (loaded.state for loaded in self._registry.private_games())
        return [state for state in states if isinstance(state, PrivateGame)]

    def _end(self, game: PrivateGame) -> None:
        self._registry.remove(game)
        self._events.dispatch(Released(game))
