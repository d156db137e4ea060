"""Clicks during updates: every process receives them, and Discord accepts one answer."""

from __future__ import annotations

import asyncio
import json

import aiohttp

from bench.served_discord import ServedDiscord
from bench.update import longest_gaps

DEFER = {"type": 6}


async def _connect(session: aiohttp.ClientSession, address: str) -> aiohttp.ClientWebSocketResponse:
    """Begin a session at the gateway, and return it after the events of the login."""
    gateway = await session.ws_connect(f"ws://{address}/gateway")
    await gateway.send_json({"op": 2})
    while (await gateway.receive_json()).get("t") != "GUILD_CREATE":
        pass
    return gateway


async def test_one_of_two_processes_answers_a_click() -> None:
    discord = ServedDiscord(1, frozenset())
    async with discord, aiohttp.ClientSession() as session:
        addresses = [discord.address_for(name) for name in ("a", "b")]
        gateways = [await _connect(session, address) for address in addresses]
        clicking = asyncio.create_task(discord.slash(None, 1000, discord.channel_id(0), "rules"))
        events = [await gateway.receive_json() for gateway in gateways]
        assert [event["t"] for event in events] == ["INTERACTION_CREATE"] * 2
        click = events[0]["d"]
        answers = []
        for address in addresses:
            url = f"http://{address}/api/v10/interactions/{click['id']}/{click['token']}/callback"
            async with session.post(url, json=DEFER) as answer:
                answers.append((answer.status, json.loads(await answer.text()).get("code")))
        assert answers == [(200, None), (400, 40060)]
        assert discord.answered_by[int(click["id"])] == {"a"}
        await clicking
        url = f"http://{addresses[1]}/api/v10/webhooks/2/{click['token']}/messages/@original"
        async with session.patch(url, json={}):
            assert discord.answered_by[int(click["id"])] == {"a", "b"}, "a second process responds"
        for gateway in gateways:
            await gateway.close()


def test_the_longest_time_without_an_answer_is_that_after_each_update() -> None:
    answers = [5.0, 0.0, 6.5, 7.0, 12.0, 12.5, 15.0]
    assert longest_gaps(answers, [1.0, 6.0]) == [5.0, 5.0]
    assert longest_gaps(answers, [1.0, 12.1]) == [5.0, 2.5]
    assert longest_gaps([0.0, 20.0], [1.0, 10.0]) == [20.0, 20.0]
