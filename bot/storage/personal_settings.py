"""Stores of what users chose: settings, listing on leaderboards, progress in lessons."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Executable, case, literal, or_, select, update

from bot.ids import UserId
from bot.records import LessonProgress, PersonalSettings
from bot.score_records import WORLD, Preferences, ScoreRules
from bot.storage import notices, schema, score_rows, score_schema, statements
from bot.storage.database import Database

_personal = schema.personal_settings
_progress = schema.lesson_progress
_SAVING = "saving a setting"
_NOTING_LANGUAGE = "noting a language"
_NOTHING_CHOSEN = PersonalSettings()
MOST_CACHED = 10_000
"""Largest number of users whose settings are cached; the last used are kept."""


class ExternalChanges(NamedTuple):
    """Changes made by other processes."""

    changed: tuple[UserId, ...]
    """Cached users whose settings have changed."""
    forgotten: bool
    """True if a person was erased, or if notices may be missing."""


class PersonalSettingsStore:
    """Store of personal settings; those of recently used users are cached."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache: OrderedDict[UserId, PersonalSettings] = OrderedDict()
        self._erasure_count = 0
        """Number of erasures."""
        self._last_notice = 0
        """Number of the last notice processed."""

    async def begin(self) -> None:
        """Set the start for `catch_up`; called when the store is opened."""
        self._last_notice = await self._database.read(notices.last)

    async def get(self, user_id: UserId, *, fresh: bool = False) -> PersonalSettings:
        """Return a user's personal settings, from the cache if possible.

        With `fresh` they are read again, to include changes by other processes.
        """
        settings = self._cache.get(user_id)
        if fresh:
            await self._reload([user_id])
            settings = self._cache.get(user_id)
        if settings is None:
            query = select(_personal).where(_personal.c.user_id == user_id)
            erasures_before = self._erasure_count
            row = await self._database.read(
                lambda connection: connection.execute(query).mappings().one_or_none()
            )
            stored = _NOTHING_CHOSEN if row is None else _personal_of(row)
            settings = self._cache.get(user_id, stored)  # a choice made during the read is newer
            if self._erasure_count != erasures_before:
                return settings  # not cached, because the user may have been erased during the read
        self._cache_settings(user_id, settings)
        return settings

    async def catch_up(self) -> ExternalChanges:
        """Apply changes that other processes have made since the last call."""
        noticed = await self._database.read(notices.since, self._last_notice)
        maybe_erased = noticed.forgotten or noticed.missed
        outdated = [user for user in self._cache if maybe_erased or user in noticed.users]
        changed = await self._reload(outdated) if outdated else ()
        self._erasure_count += maybe_erased
        self._last_notice = noticed.last
        return ExternalChanges(changed, maybe_erased)

    async def _reload(self, users: Collection[UserId]) -> tuple[UserId, ...]:
        """Reload these users' settings; return the users whose settings have changed.

        Choices made in this process during the reload are newer, so they stay cached.
        """
        cached_before = {user: self._cache.get(user) for user in users}
        erasures_before = self._erasure_count
        query = select(_personal).where(_personal.c.user_id.in_(statements.select_numbers(users)))
        rows = await self._database.read(
            lambda connection: connection.execute(query).mappings().all()
        )
        stored = {row["user_id"]: _personal_of(row) for row in rows}
        changed: list[UserId] = []
        if self._erasure_count != erasures_before:
            return ()  # one of them may have been erased during the read
        for user, cached in cached_before.items():
            settings = stored.get(user, _NOTHING_CHOSEN)
            if self._cache.get(user) is cached and cached != settings:
                self._cache_settings(user, settings)
                changed.append(user)
        return tuple(changed)

    def forget(self, user_id: UserId) -> None:
        """Remove an erased user from the cache."""
        self._erasure_count += 1
        self._cache.pop(user_id, None)

    def cached(self, user_id: UserId) -> PersonalSettings:
        """Return the cached settings of a user, otherwise the defaults."""
        return self._cache.get(user_id, _NOTHING_CHOSEN)

    async def choose(self, user_id: UserId, chosen: PersonalSettings) -> None:
        """Store a user's personal settings."""
        unchanged = {"reminded_on": _personal.c.reminded_on}
        statement = statements.upsert(_personal, unchanged).values(_personal_row(user_id, chosen))
        await self._database.write(_SAVING, _change, statement, user_id)
        self._cache_settings(user_id, chosen)

    async def switch_to_mentions(self, user_id: UserId) -> None:
        """Change a user's nudges to mentions, because direct messages to them are impossible.

        Do nothing if they no longer have chosen direct messages.
        """
        row = _personal.c
        of_user = update(_personal).where(row.user_id == user_id, row.call == "direct")
        statement = of_user.values(call="mention", seen_language=None)
        await self._database.write(_SAVING, _change, statement, user_id)
        cached = self._cache.get(user_id)
        if cached is not None and cached.nudge_way == "direct":
            change = {"nudge_way": "mention", "seen_language": None}
            self._cache_settings(user_id, cached.model_copy(update=change))

    async def refuse_reminder(self, user_id: UserId) -> None:
        """Turn off a user's reminder, because direct messages to them are impossible."""
        row = _personal.c
        of_user = update(_personal).where(row.user_id == user_id, row.daily_reminder.is_not(None))
        change = {"daily_reminder": None, "reminder_refused": True}
        language = case((row.call == "direct", row.seen_language))
        statement = of_user.values(**change, seen_language=language)
        await self._database.write(_SAVING, _change, statement, user_id)
        await self._reload([user_id])

    async def note_language(self, user_id: UserId, language: str) -> None:
        """Store the Discord language of a user, if they have chosen direct messages."""
        row = _personal.c
        wanted = or_(row.call == "direct", row.daily_reminder.is_not(None))
        of_user = update(_personal).where(row.user_id == user_id, wanted)
        statement = of_user.values(seen_language=language)
        await self._database.write(_NOTING_LANGUAGE, _change, statement, user_id)
        cached = self._cache.get(user_id)
        if cached is not None and cached.direct_messages:
            self._cache_settings(user_id, cached.model_copy(update={"seen_language": language}))

    def _cache_settings(self, user_id: UserId, settings: PersonalSettings) -> None:
        self._cache[user_id] = settings
        self._cache.move_to_end(user_id)
        if len(self._cache) > MOST_CACHED:
            self._cache.popitem(last=False)


def _change(connection: Connection, statement: Executable, user_id: UserId) -> None:
    """Change a user's settings, and add a notice for other processes."""
    connection.execute(statement)
    notices.note(connection, user_id)


def _personal_row(user_id: UserId, chosen: PersonalSettings) -> dict[str, Any]:
    """Return the row of a user's settings."""
    begin, end = chosen.quiet or (None, None)
    own = {"call": chosen.nudge_way, "quiet_from": begin, "quiet_until": end}
    return {"user_id": user_id, **chosen.model_dump(exclude={"nudge_way", "quiet"}), **own}


def _personal_of(row: Mapping[Any, Any]) -> PersonalSettings:
    """Return the settings of a user's row."""
    fields = dict(row)
    del fields["user_id"], fields["reminded_on"]
    nudge_way, begin, end = (fields.pop(name) for name in ("call", "quiet_from", "quiet_until"))
    quiet = None if begin is None else (begin, end)
    return PersonalSettings(**fields, nudge_way=nudge_way, quiet=quiet)


class LessonStore:
    """Store of the current step and completion of lessons, by person and lesson."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, user_id: UserId) -> dict[str, LessonProgress]:
        """Return the progress of a person in each lesson begun, by lesson name."""
        query = select(_progress).where(_progress.c.user_id == user_id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.lesson: LessonProgress(step=row.step, done=row.done) for row in rows}

    async def keep(self, user_id: UserId, lesson: str, progress: LessonProgress) -> None:
        """Store a person's progress in a lesson; a completed lesson stays completed."""
        row = {"user_id": user_id, "lesson": lesson, **progress.model_dump()}
        done = or_(_progress.c.done, literal(progress.done))
        statement = statements.upsert(_progress, {"done": done})
        await self._database.write(
            "saving progress in a lesson", lambda connection: connection.execute(statement, row)
        )


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
        """Return which of these users are hidden, so that they are listed nowhere."""
        found = await self._database.read(score_rows.read_preferences, users)
        return frozenset(user for user, chosen in found.items() if chosen.hidden)

    async def choose(self, user_id: UserId, chosen: Preferences, name: str = "") -> None:
        """Store a user's preferences, and update the leaderboards.

        `name` is their name on the leaderboard of all servers.
        """
        person_row = {"user_id": user_id, **chosen._asdict()}
        name_row = {"scope": WORLD, "user_id": user_id, "name": name}

        def store(connection: Connection) -> None:
            connection.execute(statements.upsert(score_schema.people), person_row)
            if chosen.worldwide:
                connection.execute(statements.upsert(score_schema.names), name_row)
            score_rows.update_listing(connection, user_id, chosen, self._rules)

        await self._database.write_alone(_SAVING, store)
