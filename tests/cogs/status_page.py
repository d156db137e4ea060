"""HTTP status of a running bot, as read by Prometheus and others."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from bot.client import TichuBot
from bot.status.current_bot import CurrentBot
from bot.status.pages import serve

ADDRESS = "127.0.0.1"


class Sample(NamedTuple):
    """One value of a metrics page."""

    name: str
    labels: dict[str, str]
    value: float


class Asked:
    """The pages at one port."""

    def __init__(self, session: aiohttp.ClientSession, port: int) -> None:
        self._session = session
        self._url = f"http://{ADDRESS}:{port}/"

    async def page(self, name: str) -> tuple[int, str]:
        """Return the status code of a page and its text."""
        async with self._session.get(self._url + name) as answer:
            return answer.status, await answer.text()

    async def samples(self) -> list[Sample]:
        """Return all values."""
        status, text = await self.page("metrics")
        assert status == 200
        families = text_string_to_metric_families(text)
        return [Sample(*sample[:3]) for family in families for sample in family.samples]

    async def value(self, name: str, **labels: str) -> float:
        """Return the sum of all values with this name and these labels."""
        found = [
            sample.value
            for sample in await self.samples()
            if sample.name == name and labels.items() <= sample.labels.items()
        ]
        assert found, name
        return sum(found)


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as taken:
        taken.bind((ADDRESS, 0))
        port: int = taken.getsockname()[1]
        return port


@asynccontextmanager
async def asking(bot: TichuBot) -> AsyncIterator[Asked]:
    """Serve the pages of this bot while the block runs."""
    current, port = CurrentBot(), free_port()
    async with serve(current, ADDRESS, port), aiohttp.ClientSession() as session:
        with current.now(bot):
            yield Asked(session, port)
