"""Asks a running bot how it is, over HTTP, as Prometheus and others do."""

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
    """One value of a page of figures."""

    name: str
    labels: dict[str, str]
    value: float


class Asked:
    """The pages at one port."""

    def __init__(self, session: aiohttp.ClientSession, port: int) -> None:
        self._session = session
        self._url = f"http://{ADDRESS}:{port}/"

    async def page(self, name: str) -> tuple[int, str]:
        """The status of a page and its text."""
        async with self._session.get(self._url + name) as answer:
            return answer.status, await answer.text()

    async def samples(self) -> list[Sample]:
        """All values."""
        status, text = await self.page("metrics")
        assert status == 200
        families = text_string_to_metric_families(text)
        return [Sample(*sample[:3]) for family in families for sample in family.samples]

    async def value(self, name: str, **labels: str) -> float:
        """The sum of all values with this name and these labels."""
        found = [
            sample.value
            for sample in await self.samples()
            if sample.name == name and labels.items() <= sample.labels.items()
        ]
        assert found, name
        return sum(found)


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.socket() as taken:
        taken.bind((ADDRESS, 0))
        port: int = taken.getsockname()[1]
        return port


@asynccontextmanager
async def asking(bot: TichuBot) -> AsyncIterator[Asked]:
    """The pages of this bot, served meanwhile."""
    current, port = CurrentBot(), free_port()
    async with serve(current, ADDRESS, port), aiohttp.ClientSession() as session:
        with current.now(bot):
            yield Asked(session, port)
