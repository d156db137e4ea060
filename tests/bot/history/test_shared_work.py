"""Shared heavy work: done once for all concurrent requests, one piece after another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.errors import Refused
from bot.history.replay_cache import SharedWork


class Details:
    """Work that finishes on request and records its runs and their concurrency."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        self.go = asyncio.Event()

    def work(self, name: str) -> Callable[[], Awaitable[str]]:
        async def do() -> str:
            self.begun.append(name)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            try:
                await self.go.wait()
                if name == "broken":
                    raise ValueError(name)
                return name
            finally:
                self._at_once -= 1

        return do


async def settled() -> None:
    """Let every task run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_concurrent_requests_share_one_result() -> None:
    details, shared = Details(), SharedWork(most_tasks=3)
    asked = [asyncio.create_task(shared.result("a", details.work("a"))) for _ in range(50)]
    await settled()
    details.go.set()
    assert await asyncio.gather(*asked) == ["a"] * 50
    assert details.begun == ["a"]
    assert await shared.result("a", details.work("again")) == "again"  # results are not cached


async def test_different_work_runs_one_after_another() -> None:
    details, shared = Details(), SharedWork(most_tasks=3)
    asked = [asyncio.create_task(shared.result(name, details.work(name))) for name in "abc"]
    await settled()
    assert details.begun == ["a"]
    details.go.set()
    assert await asyncio.gather(*asked) == ["a", "b", "c"]
    assert details.most_at_once == 1


async def test_full_queue_refuses_requests() -> None:
    details, shared = Details(), SharedWork(most_tasks=3)
    asked = [asyncio.create_task(shared.result(name, details.work(name))) for name in "abc"]
    await settled()
    with pytest.raises(Refused, match="busy"):
        await shared.result("d", details.work("d"))
    again = asyncio.create_task(shared.result("c", details.work("c")))
    await settled()
    details.go.set()
    assert await asyncio.gather(*asked, again) == ["a", "b", "c", "c"]
    assert await shared.result("d", details.work("d")) == "d"


async def test_error_reaches_all_requesters_and_stops_nothing_else() -> None:
    details, shared = Details(), SharedWork(most_tasks=3)
    details.go.set()
    asked = [shared.result("x", details.work("broken")) for _ in range(3)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ValueError] * 3
    assert await shared.result("x", details.work("x")) == "x"


async def test_cancelled_request_does_not_affect_the_others() -> None:
    details, shared = Details(), SharedWork(most_tasks=3)
    first = asyncio.create_task(shared.result("a", details.work("a")))
    second = asyncio.create_task(shared.result("a", details.work("a")))
    await settled()
    first.cancel()
    await asyncio.wait([first])
    details.go.set()
    assert await second == "a"
    assert details.begun == ["a"]
