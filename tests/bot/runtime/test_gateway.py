"""Events of the gateway that discord.py cannot read, and the latency of its heartbeats."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import gateway

from bot.runtime.discord_private import measure_heartbeats, transform_events

COMPONENT: dict[str, Any] = {
    "id": "1",
    "type": 3,
    "token": "t",
    "version": 1,
    "application_id": "2",
    "attachment_size_limit": 0,
}


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"component_type": 2}},
        {"data": None},
        {"id": "kumquat", "data": {"component_type": 2, "custom_id": "b:1:0:pass:"}},
    ],
)
async def test_unreadable_event_is_logged_and_ends_nothing(
    change: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """discord.py would end the process, because its reader of the gateway catches nothing."""
    client = discord.Client(intents=discord.Intents.none())
    transform_events(client, "INTERACTION_CREATE", lambda data: data)
    receive = client._connection.parsers["INTERACTION_CREATE"]
    receive(COMPONENT | change)
    (message,) = (r.getMessage() for r in caplog.records if r.levelname == "ERROR")
    assert message.startswith("INTERACTION_CREATE cannot be read and is ignored:\n")
    assert "kumquat" not in message


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return a clock that the heartbeats use."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(time, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(gateway, "KeepAliveHandler", gateway.KeepAliveHandler)
    return clock


def test_latency_counts_from_the_heartbeat_that_is_acknowledged(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    """On a busy machine the acknowledgement comes before the thread notes that it has sent."""
    measure_heartbeats()
    measure_heartbeats()
    socket: Any = SimpleNamespace(
        thread_id=0, _max_heartbeat_timeout=60.0, HEARTBEAT=1, sequence=None
    )
    beats = gateway.KeepAliveHandler(ws=socket, interval=41.25, shard_id=0)
    for _ in range(3):
        assert beats.get_payload() == {"op": 1, "d": None}
        clock.now += 0.125
        beats.ack()
        assert beats.latency == 0.125
        clock.now += 41.25
    assert caplog.messages == []
