"""Versions of the pictures that the bot's emojis show, kept over restarts."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from bot.storage.app_state import AppStateStore
from bot.storage.errors import StorageError

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
