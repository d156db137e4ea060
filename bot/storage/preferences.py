"""Preferences of users for leaderboards and profiles."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection

from bot.ids import UserId
from bot.score_records import WORLD, Preferences, ScoreRules
from bot.storage import score_rows, score_schema, statements
from bot.storage.database import Database

_SAVING = "saving a setting"


class PreferenceStore:
    """Store of users' preferences for leaderboards and profiles."""

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self._rules = rules

    async def get(self, user_id: UserId) -> Preferences:
        """Return a user's preferences for leaderboards and profile."""
        found = await self._database.read(score_rows.read_preferences, [user_id])
        return found.get(user_id, Preferences())

    async def hidden(self, users: Collection[UserId]) -> frozenset[UserId]:
        """Return the hidden ones of these users, who are listed nowhere."""
        found = await self._database.read(score_rows.read_preferences, users)
        return frozenset(user for user, chosen in found.items() if chosen.hidden)

    async def choose(self, user_id: UserId, chosen: Preferences, name: str = "") -> None:
        """Store a user's preferences, and update the leaderboards.

        `name` is their name on the leaderboard of all servers.
        """
        own = {"user_id": user_id, **chosen._asdict()}
        called = {"scope": WORLD, "user_id": user_id, "name": name}

        def store(connection: Connection) -> None:
            connection.execute(statements.upsert(score_schema.people), own)
            if chosen.worldwide:
                connection.execute(statements.upsert(score_schema.names), called)
            score_rows.update_listing(connection, user_id, chosen, self._rules)

        await self._database.write_alone(_SAVING, store)
