"""Stored progress in lessons, deleted with its user."""

from __future__ import annotations

from bot.ids import UserId
from bot.records import LessonProgress
from bot.storage import Store


async def test_stores_progress_and_keeps_finished_lessons(store: Store) -> None:
    lessons = store.lessons
    assert await lessons.progress(UserId(1)) == {}
    await lessons.keep(UserId(1), "bombs", LessonProgress(step=4))
    await lessons.keep(UserId(1), "wish", LessonProgress(step=2))
    await lessons.keep(UserId(2), "bombs", LessonProgress(step=1))
    assert await lessons.progress(UserId(1)) == {
        "bombs": LessonProgress(step=4),
        "wish": LessonProgress(step=2),
    }
    await lessons.keep(UserId(1), "bombs", LessonProgress(done=True))
    await lessons.keep(UserId(1), "bombs", LessonProgress(step=3))
    assert (await lessons.progress(UserId(1)))["bombs"] == LessonProgress(step=3, done=True)
    assert await lessons.progress(UserId(2)) == {"bombs": LessonProgress(step=1)}
    known = await store.people.known(UserId(1))
    assert known is not None
    assert known.others == 2
