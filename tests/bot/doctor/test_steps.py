"""Each step with the answer that is expected, and with another one planted."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.doctor.steps import STEPS
from tests.bot.doctor.clinic import Clinic, clinic


@pytest.fixture
async def there() -> AsyncIterator[Clinic]:
    async with clinic() as started:
        yield started


def test_there_are_twenty_steps() -> None:
    assert [step.number for step in STEPS] == list(range(1, 21))


async def test_all_steps_by_hand(there: Clinic) -> None:
    outcomes = await there.outcomes(*range(1, 21))
    for n, o in outcomes.items():
        print(n, o.observation or o.skipped or o.failed)
    print(list(there.everything()))
    assert 0
