"""Request chain of a table: an unhandled exception in one lane stops no lane."""

from __future__ import annotations

import pytest

from bot.ids import TableId
from bot.runtime.clock import Clock
from cogs.delivery.retry_chain import RetryChain
from tests.bot.fake_time import FakeTime, settle
from tests.cogs.conftest import ErrorRecords

CARDS = "S2 DRAGON"


class SomeWork:
    """Lane that raises an unexpected exception as often as requested."""

    def __init__(self, mistakes: int = 0) -> None:
        self.mistakes = mistakes
        self.tries = 0
        self.pending = True

    async def work(self) -> Exception | None:
        self.tries += 1
        if self.tries <= self.mistakes:
            raise ValueError(CARDS)
        self.pending = False
        return None


async def test_exception_in_one_lane_is_logged_and_the_chain_continues(
    errors: ErrorRecords, caplog: pytest.LogCaptureFixture
) -> None:
    errors.allow("table 7: unhandled exception")
    time = FakeTime()
    broken, sound, idle = SomeWork(mistakes=2), SomeWork(), list[bool]()
    chain = RetryChain(
        Clock(time.now, time.sleep),
        TableId(7),
        [broken, sound],
        lambda: idle.append(True),
        lambda _: None,
    )
    chain.wake()
    await settle()
    assert (broken.tries, sound.tries) == (1, 1)
    await time.run(1)
    assert broken.tries == 2
    await time.run(2)
    assert (broken.pending, idle) == (False, [True])
    trails = [text for text in caplog.messages if text.startswith("table 7: unhandled exception")]
    assert len(trails) == 2
    assert trails[0].endswith("ValueError")
    assert CARDS not in caplog.text
