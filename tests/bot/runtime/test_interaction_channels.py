"""Arrival of interactions, and channels named by id alone; see also `tests/cogs`."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.runtime.interaction_channels import complete_interactions, with_channel
from bot.runtime.metrics import Metrics, arrived_at


async def test_each_task_has_the_arrival_of_its_own_interaction() -> None:
    """In a burst all are read before the first task runs."""
    times, tasks = iter((1.0, 2.0)), list[asyncio.Task[float]]()

    async def answer() -> float:
        return arrived_at.get()

    def parse(_: object) -> None:
        tasks.append(asyncio.create_task(answer()))

    parsers: dict[str, Any] = {"INTERACTION_CREATE": parse}
    client: Any = SimpleNamespace(_connection=SimpleNamespace(parsers=parsers))
    complete_interactions(client, Metrics(lambda: next(times)))
    for _ in range(2):
        parsers["INTERACTION_CREATE"]({})
    assert await asyncio.gather(*tasks) == [1.0, 2.0]


@pytest.mark.parametrize("data", [{"channel": {"id": "1", "type": 0}, "channel_id": "1"}, {}])
def test_complete_or_unknown_data_stays_unchanged(data: dict[str, Any]) -> None:
    assert with_channel(data) is data


@pytest.mark.parametrize("given", [{}, {"channel": None}, {"channel": {}}])
@pytest.mark.parametrize("where, kind", [({}, 1), ({"guild_id": "7"}, 11)])
def test_builds_a_channel_from_its_id(
    given: dict[str, Any], where: dict[str, Any], kind: int
) -> None:
    data = {**given, **where, "channel_id": "5", "token": "t"}
    before = dict(data)
    completed = with_channel(data)
    assert (completed["channel"]["id"], completed["channel"]["type"]) == ("5", kind)
    assert completed["token"] == "t"
    assert data == before
