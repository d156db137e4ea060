"""Internal values of the program, kept over restarts by key."""

from __future__ import annotations

from sqlalchemy import select

from bot.storage import schema, statements
from bot.storage.database import Database

_app_state = schema.app_state


class AppStateStore:
    """Store of values by key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def value(self, key: str) -> str | None:
        """Return the value of this key, or `None`."""
        query = select(_app_state.c.value).where(_app_state.c.key == key)
        value: str | None = await self._database.read(lambda connection: connection.scalar(query))
        return value

    async def keep(self, key: str, value: str) -> None:
        """Store a value, replacing an earlier one of this key."""
        row = {"key": key, "value": value}
        await self._database.write(
            "saving a value",
            lambda connection: connection.execute(statements.upsert(_app_state), row),
        )
