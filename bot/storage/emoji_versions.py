"""Which version of its picture each emoji of the bot shows, kept over a restart."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from bot.storage.app_state import AppStateStore
from bot.storage.errors import StorageError

log = logging.getLogger(__name__)

_KEY = "emoji-versions"
"""The key of the entry: the versions by the id of the emoji, as JSON."""


class EmojiVersions:
    """The versions by the id of the emoji. Trouble of the database is logged, never raised."""

    def __init__(self, app_state: AppStateStore) -> None:
        self._app_state = app_state

    async def recall(self) -> dict[int, str]:
        """What was kept; empty if nothing was, or if it cannot be read."""
        try:
            kept = await self._app_state.value(_KEY)
        except StorageError as problem:
            log.log(problem.level, "which pictures are where is not known: %s", problem)
            return {}
        return {int(emoji): version for emoji, version in json.loads(kept or "{}").items()}

    async def remember(self, versions: Mapping[int, str]) -> None:
        """Keep these in place of the ones before."""
        try:
            await self._app_state.keep(_KEY, json.dumps(versions))
        except StorageError as problem:
            log.log(problem.level, "which pictures are where is not kept: %s", problem)
