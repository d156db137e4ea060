"""How far people are in the lessons of Learn Tichu."""

from __future__ import annotations

from sqlalchemy import literal, or_, select

from bot.ids import UserId
from bot.records import LessonProgress
from bot.storage import schema, statements
from bot.storage.database import Database

_progress = schema.lesson_progress
_SAVING = "saving progress in a lesson"


class LessonStore:
    """Keeps for each person and lesson the step they see, and whether they have been at its end."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, user_id: UserId) -> dict[str, LessonProgress]:
        """How far a person is in each lesson that they have begun, by its name."""
        query = select(_progress).where(_progress.c.user_id == user_id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.lesson: LessonProgress(step=row.step, done=row.done) for row in rows}

    async def keep(self, user_id: UserId, lesson: str, progress: LessonProgress) -> None:
        """Keep how far a person is in a lesson; one that was done stays so."""
        row = {"user_id": user_id, "lesson": lesson, **progress.model_dump()}
        done = or_(_progress.c.done, literal(progress.done))
        statement = statements.upsert(_progress, {"done": done})
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))
