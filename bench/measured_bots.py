"""The two bots of `bench.click_cost`: `python -m bench.measured_bots tichu|bare ADDRESS FOLDER`."""

from __future__ import annotations

import asyncio
import io
import json
import pickle
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import discord
import yarl
from discord.http import Route
from pydantic import SecretStr

from bot.runtime.settings import Settings

_TOKEN = "bench"


class Request(NamedTuple):
    """A recorded request with its response."""

    method: str
    path: str
    payload: bytes
    """Its JSON; empty for none."""
    files: tuple[tuple[str, bytes], ...]
    """Names and contents of its files."""
    status: int
    response: str


async def _print_ready() -> None:
    print("ready", flush=True)


async def _tichu(folder: Path) -> None:
    """Run the bot with a database in this folder."""
    from bot.client import TichuBot
    from bot.runtime.gc_schedule import GarbageSchedule

    settings = Settings(
        _env_file=None,
        discord_token=SecretStr(_TOKEN),
        database_url=f"sqlite+aiosqlite:///{folder}/bench.db",
        heartbeat_file=folder / "heartbeat",
        worker_processes=0,
        max_tables_per_guild=1000,
    )
    async with TichuBot(settings) as bot:
        bot.garbage = GarbageSchedule()
        bot.add_listener(_print_ready, "on_ready")
        await bot.start(_TOKEN)


class _BareBot(discord.AutoShardedClient):
    """Answers each interaction with the recorded requests, one after another."""

    def __init__(self, requests: dict[str, list[Request]]) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self._requests = requests

    async def on_ready(self) -> None:
        """Print a line once the bot is connected."""
        await _print_ready()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Send the requests that followed this interaction."""
        for request in self._requests.get(str(interaction.id), ()):
            payload = json.loads(request.payload) if request.payload else None
            if not request.files:
                await self.http.request(Route(request.method, request.path), json=payload)
                continue
            files = [discord.File(io.BytesIO(data), name) for name, data in request.files]
            form: list[Any] = [{"name": "payload_json", "value": request.payload.decode()}]
            for number, file in enumerate(files):
                part = {"value": file.fp, "filename": file.filename, "content_type": "image/png"}
                form.append({"name": f"files[{number}]", **part})
            await self.http.request(Route(request.method, request.path), files=files, form=form)


async def _bare(folder: Path) -> None:
    """Run the bare bot with the requests recorded in this folder."""
    async with _BareBot(pickle.loads((folder / "requests").read_bytes())) as bot:
        await bot.start(_TOKEN)


def main() -> None:
    """Run a bot against the server at an address until the process is terminated."""
    kind, address, folder = sys.argv[1:]
    gateway = yarl.URL(f"ws://{address}/gateway")
    with (
        patch.object(Route, "BASE", f"http://{address}/api/v10"),
        patch("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", gateway),
    ):
        asyncio.run((_tichu if kind == "tichu" else _bare)(Path(folder)))


if __name__ == "__main__":
    main()
