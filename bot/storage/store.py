"""The store: opens the database, and holds one service for each kind of thing that is kept."""

from __future__ import annotations

import asyncio
import logging
from typing import Self

from bot.runtime.clock import Clock
from bot.score_records import ScoreRules
from bot.storage.app_state import AppStateStore
from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.history import HistoryStore
from bot.storage.leases import LeaseStore
from bot.storage.lessons import LessonStore
from bot.storage.monthly_rankings import MonthlyRankingStore
from bot.storage.people import PeopleStore
from bot.storage.personal_settings import PersonalSettingsStore
from bot.storage.preferences import PreferenceStore
from bot.storage.rankings import RankingStore
from bot.storage.server_settings import ServerSettingsStore
from bot.storage.tables import TableStore

log = logging.getLogger(__name__)

_BUSY_MS = 5000
_CLOSED_WITHIN_S = 10.0
"""How long the end of the bot waits for the disk: longer than for a lock, shorter than Docker."""
_TRIED = "tried-to-write"
"""The key under which something is kept only to see that this is possible."""


class Store:
    """All stored state of the bot, in one database. Made by `Store.open`.

    A method of a service that returns has its result on the disk; one that raises has changed
    nothing. All of them raise StorageUnavailable while the database cannot be used (locked, disk
    full, ...), and work again when the cause is gone.
    """

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self.tables = TableStore(database, rules)
        self.history = HistoryStore(database, rules)
        self.rankings = RankingStore(database, rules)
        self.monthly_rankings = MonthlyRankingStore(database)
        self.preferences = PreferenceStore(database, rules)
        self.personal_settings = PersonalSettingsStore(database)
        self.server_settings = ServerSettingsStore(database)
        self.lessons = LessonStore(database)
        self.leases = LeaseStore(database)
        self.people = PeopleStore(database)
        self.app_state = AppStateStore(database)

    @classmethod
    async def open(
        cls, url: str, rules: ScoreRules, *, busy_ms: int = _BUSY_MS, keep: bool = True
    ) -> Self:
        """The store at `url` (sqlite:///path/to/file, or of PostgreSQL), for one event loop.

        Creates the folder and the file, brings the schema up to date; with `keep`, an older
        database is kept beside it as it was. `rules` say how rounds and matches change ratings and
        leaderboards, `busy_ms` how long to wait for another program's lock. Raises
        StorageUnavailable with a sentence for a person.
        """
        store = cls(await Database.open(url, busy_ms=busy_ms, keep=keep), rules)
        try:
            await store.server_settings.recall()
            await store.personal_settings.begin()
        except BaseException:
            await store.close()
            raise
        return store

    async def trouble(self) -> str | None:
        """Why nothing can be stored now, in words for a person; `None` if it can: it is tried."""
        try:
            await self.app_state.keep(_TRIED, "")
        except StorageError as error:
            return self._database.write_log.reason or str(error).rstrip(".")
        return None

    @property
    def in_trouble(self) -> bool:
        """Whether the last try to store something has failed."""
        return self._database.write_log.reason is not None

    async def keep_expiring(self, clock: Clock) -> None:
        """Remove what was kept before updates once its time is over, for ever or while any is."""
        await self._database.keep_expiring(clock)

    async def close(self, within_s: float = _CLOSED_WITHIN_S) -> None:
        """Write what waits to be committed and close all connections. Later calls are refused.

        A disk that does not answer within `within_s` seconds is not waited for any longer. What was
        acknowledged is on it; what was not, is there or not at the next start.
        """
        try:
            async with asyncio.timeout(within_s):
                await self.tables.close()
                await self._database.close()
        except TimeoutError:
            log.error(
                "database not closed within %.0f s, exiting anyway: check the disk; "
                "acknowledged changes are stored",
                within_s,
            )
