"""Pictures in upload: the time a message waits for one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from bot.runtime.clock import Clock
from cogs.delivery.uploads import result_in_time


async def test_cancelled_drawing_is_no_error() -> None:
    """As at shutdown, when messages are still in flight."""

    async def never() -> bytes:
        await asyncio.Event().wait()
        return b""

    async def cancel(_: float) -> None:
        drawing.cancel()
        await drawing

    drawing = asyncio.create_task(never())
    assert await result_in_time(Clock(lambda: datetime.now(UTC), cancel), drawing) is None
