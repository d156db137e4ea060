"""Progress of people in the lessons of Learn Tichu."""

from __future__ import annotations

from sqlalchemy import literal, or_, select

from bot.ids import UserId
from bot.records import LessonProgress
from bot.storage import schema, statements
from bot.storage.database import Database

_progress = schema.lesson_progress
_SAVING = "saving progress in a lesson"


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
        await self._database.write(_SAVING, lambda connection: connection.execute(statement, row))
