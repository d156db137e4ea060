"""Internal values of the program by key, such as the versions of uploaded emojis."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from sqlalchemy import select

from bot.storage import schema, statements
from bot.storage.database import Database
from bot.storage.errors import StorageError

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


log = logging.getLogger(__name__)

_KEY = "emoji-versions"
"""Key of the stored JSON object: versions by id or name of the emoji."""


class EmojiVersions:
    """Store of versions by id or name of the emoji; storage errors are logged, not raised."""

    def __init__(self, app_state: AppStateStore) -> None:
        self._app_state = app_state

    async def recall(self) -> dict[str, str] | None:
        """Return the stored versions; `None` if they cannot be read."""
        try:
            kept = await self._app_state.value(_KEY)
        except StorageError as problem:
            log.log(problem.level, "cannot read the emoji versions: %s", problem)
            return None
        versions: dict[str, str] = json.loads(kept or "{}")
        return versions

    async def remember(self, versions: Mapping[str, str]) -> None:
        """Replace the stored versions."""
        try:
            await self._app_state.keep(_KEY, json.dumps(versions))
        except StorageError as problem:
            log.log(problem.level, "cannot store the emoji versions: %s", problem)
