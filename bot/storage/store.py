"""The store: opens the database, and holds one service per kind of data."""

from __future__ import annotations

import asyncio
import logging
from typing import Self

from bot.runtime.clock import Clock
from bot.score_records import ScoreRules
from bot.storage.accuracy import AccuracyStore
from bot.storage.app_state import AppStateStore
from bot.storage.boards import BoardStore
from bot.storage.challenges import ChallengeStore
from bot.storage.club_events import ClubEventStore
from bot.storage.coach import CoachStore
from bot.storage.daily_standings import DailyStandingStore
from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.history import HistoryStore
from bot.storage.leases import LeaseStore
from bot.storage.people import PeopleStore
from bot.storage.personal_settings import LessonStore, PersonalSettingsStore, PreferenceStore
from bot.storage.puzzles import PuzzleStore
from bot.storage.rankings import MonthlyRankingStore, RankingStore
from bot.storage.reminders import ReminderStore
from bot.storage.server_settings import ServerSettingsStore
from bot.storage.tables import TableStore

log = logging.getLogger(__name__)

_BUSY_MS = 5000
_CLOSED_WITHIN_S = 10.0
"""Shutdown timeout for the disk: longer than `_BUSY_MS`, shorter than Docker's timeout."""
_TRIED = "tried-to-write"
"""Key of a dummy value, written to test whether writes are possible."""


class Store:
    """All stored state of the bot, in one database; see `Store.open`.

    When a method of a service returns, its result is on the disk. When it raises, nothing has
    changed. All methods raise `StorageUnavailable` while the database cannot be used (locked, disk
    full, ...), and work again after the cause is gone.
    """

    def __init__(self, database: Database, rules: ScoreRules) -> None:
        self._database = database
        self.tables = TableStore(database, rules)
        self.history = HistoryStore(database, rules)
        self.rankings = RankingStore(database, rules)
        self.monthly_rankings = MonthlyRankingStore(database)
        self.preferences = PreferenceStore(database, rules)
        self.personal_settings = PersonalSettingsStore(database)
        self.reminders = ReminderStore(database)
        self.server_settings = ServerSettingsStore(database)
        self.lessons = LessonStore(database)
        self.puzzles = PuzzleStore(database)
        self.coach = CoachStore(database)
        self.boards = BoardStore(database)
        self.challenges = ChallengeStore(database)
        self.club_events = ClubEventStore(database)
        self.accuracy = AccuracyStore(database)
        self.daily_standings = DailyStandingStore(database)
        self.leases = LeaseStore(database)
        self.people = PeopleStore(database)
        self.app_state = AppStateStore(database)

    @classmethod
    async def open(
        cls, url: str, rules: ScoreRules, *, busy_ms: int = _BUSY_MS, keep: bool = True
    ) -> Self:
        """Open the store at `url` (``sqlite:///path/to/file``, or PostgreSQL) for one event loop.

        Folder and file are created if missing, and the schema is migrated. With `keep`, an older
        database is backed up before. `rules` define how rounds and matches change ratings and
        leaderboards, `busy_ms` is the timeout for another program's lock. Raises
        `StorageUnavailable` with a sentence for the operator.
        """
        store = cls(await Database.open(url, busy_ms=busy_ms, keep=keep), rules)
        try:
            await store.server_settings.load()
            await store.personal_settings.begin()
        except BaseException:
            await store.close()
            raise
        return store

    async def write_failure(self) -> str | None:
        """Try a write; return the reason if it fails, as a clause, or `None` if it succeeds."""
        try:
            await self.app_state.keep(_TRIED, "")
        except StorageError as error:
            return self._database.write_log.reason or str(error).rstrip(".")
        return None

    @property
    def failing(self) -> bool:
        """Return whether the last write has failed."""
        return self._database.write_log.reason is not None

    async def keep_expiring(self, clock: Clock) -> None:
        """Delete expired pre-update backups once a day, if any are made."""
        await self._database.keep_expiring(clock)

    async def close(self, within_s: float = _CLOSED_WITHIN_S) -> None:
        """Store the queued changes and close all connections; refuse later calls.

        If the disk does not respond within `within_s` seconds, return anyway. Acknowledged changes
        are stored even then, and each other change is stored completely or not at all.
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
