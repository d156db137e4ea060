"""Background tasks that raise: logged without the text, and periodic work continues."""

from __future__ import annotations

import asyncio
import gc
from functools import partial

import pytest

from bot.runtime.background import in_background, log_unhandled, retry_until_done
from tests.bot.fake_time import FakeTime, settle

CARDS = "S2 DRAGON"


async def fail() -> None:
    raise ValueError(CARDS)


def assert_logged(caplog: pytest.LogCaptureFixture, name: str, times: int = 1) -> None:
    lines = [text for text in caplog.messages if name in text]
    assert len(lines) == times
    assert all("ValueError" in line for line in lines)
    assert all("test_background.py" in line for line in lines)
    assert CARDS not in caplog.text


async def test_exception_of_a_task_is_logged_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tasks = set[asyncio.Task[None]]()
    in_background(fail(), "some work", tasks)
    assert len(tasks) == 1
    await settle()
    assert tasks == set()
    assert_logged(caplog, "unhandled exception in task some work")


async def test_cancelled_task_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    tasks = set[asyncio.Task[None]]()
    in_background(asyncio.sleep(3600), "some work", tasks).cancel()
    await settle()
    assert tasks == set()
    assert caplog.messages == []


async def test_failing_periodic_work_restarts_after_a_pause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    time, begun = FakeTime(), 0

    async def work() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            await fail()

    done = asyncio.create_task(retry_until_done(work, "some work", time.sleep, pause_s=30))
    await settle()
    assert begun == 1
    await time.run(29)
    assert begun == 1
    await time.run(1)
    assert begun == 2
    await time.run(30)
    assert begun == 3
    assert done.done()
    await time.run(3600)
    assert begun == 3
    assert_logged(caplog, "unhandled exception in task some work, restarting in 30 s", times=2)


async def test_unretrieved_exception_is_logged_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_unhandled)
    asyncio.create_task(fail(), name="a stray task")  # noqa: RUF006 - that is the point
    await settle()
    gc.collect()
    assert_logged(caplog, "a stray task: Task exception was never retrieved")
    loop.call_soon(partial(int, CARDS))
    await settle()
    assert caplog.messages[-1].startswith("Exception in callback")
    assert caplog.messages[-1].endswith("ValueError")
    assert CARDS not in caplog.text
