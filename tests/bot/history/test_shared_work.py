"""Heavy work is done once for all who ask for it at the same time, one piece after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.errors import Refused
from bot.history.shared_work import SharedWork


class Details:
    """Work that goes on when a test says so; it notes what is done, and how much at once."""

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
    """Let everything come as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_all_who_ask_at_once_get_what_is_made_once() -> None:
    details, shared = Details(), SharedWork(most=3)
    asked = [asyncio.create_task(shared.result("a", details.work("a"))) for _ in range(50)]
    await settled()
    details.go.set()
    assert await asyncio.gather(*asked) == ["a"] * 50
    assert details.begun == ["a"]
    assert await shared.result("a", details.work("again")) == "again"  # nothing is kept


async def test_different_work_is_done_one_after_the_other() -> None:
    details, shared = Details(), SharedWork(most=3)
    asked = [asyncio.create_task(shared.result(name, details.work(name))) for name in "abc"]
    await settled()
    assert details.begun == ["a"]
    details.go.set()
    assert await asyncio.gather(*asked) == ["a", "b", "c"]
    assert details.most_at_once == 1


async def test_more_than_can_wait_is_refused() -> None:
    details, shared = Details(), SharedWork(most=3)
    asked = [asyncio.create_task(shared.result(name, details.work(name))) for name in "abc"]
    await settled()
    with pytest.raises(Refused, match="busy"):
        await shared.result("d", details.work("d"))
    again = asyncio.create_task(shared.result("c", details.work("c")))
    await settled()
    details.go.set()
    assert await asyncio.gather(*asked, again) == ["a", "b", "c", "c"]
    assert await shared.result("d", details.work("d")) == "d"


async def test_an_error_is_told_to_all_who_asked_and_stops_nothing_else() -> None:
    details, shared = Details(), SharedWork(most=3)
    details.go.set()
    asked = [shared.result("x", details.work("broken")) for _ in range(3)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ValueError] * 3
    assert await shared.result("x", details.work("x")) == "x"


async def test_who_gives_up_takes_nothing_from_the_others() -> None:
    details, shared = Details(), SharedWork(most=3)
    first = asyncio.create_task(shared.result("a", details.work("a")))
    second = asyncio.create_task(shared.result("a", details.work("a")))
    await settled()
    first.cancel()
    await asyncio.wait([first])
    details.go.set()
    assert await second == "a"
    assert details.begun == ["a"]
