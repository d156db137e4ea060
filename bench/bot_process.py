"""The bot as a process of its own, with its metrics and a check of its stored moves."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import aiohttp
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bench.served_discord import START_BOT, ServedDiscord

_ROOT = Path(__file__).parents[1]


class Bot:
    """The bot's process, with its files in `folder`."""

    def __init__(
        self,
        discord: ServedDiscord,
        folder: Path,
        workers: int,
        *,
        compiled: str = "",
        database_url: str = "",
        **environment: str,
    ) -> None:
        self._discord = discord
        self._port = 0
        self.database_url = database_url or f"sqlite+aiosqlite:///{folder / 'level.db'}"
        self.folder = folder
        self._environment = os.environ | {
            "PYTHONPATH": str(_ROOT),
            "PYTHONDONTWRITEBYTECODE": "",  # as in production; otherwise starts are slower
            "DISCORD_TOKEN": "level",
            "DATABASE_URL": self.database_url,
            "WORKER_PROCESSES": str(workers),
            "MAX_TABLES_PER_GUILD": "1000",
            "NUMBA_CACHE_DIR": compiled,  # by default beside the sources, as compiled for tests
            **environment,
        }
        self.log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self.inside: Counter[str] = Counter()
        """The counts of all earlier processes."""
        self.ready: list[float] = []
        self._ended_at = 0.0
        self.restarts: list[float] = []
        self._actions: dict[tuple[int, int], str] = {}
        self.lost: list[str] = []

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start the process; return once it is connected."""
        self._port = _free_port()
        own = {
            "METRICS_PORT": str(self._port),
            "HEARTBEAT_FILE": str(self.folder / f"heartbeat-{self._port}"),
        }
        command = [sys.executable, "-c", START_BOT, self._discord.address]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220 - returns at once
                command, cwd=self.folder, env=self._environment | own, stdout=log, stderr=log
            )
        async with asyncio.timeout(120):
            await self._discord.connected.wait()

    async def restart(self, number: signal.Signals) -> None:
        """End the process with this signal and start it again; check the stored moves between."""
        begun = perf_counter()
        await self.stop(number)
        await self.start()
        async with asyncio.timeout(60):
            while self._discord.accepted_at < self._ended_at:  # noqa: ASYNC110 - rarely used
                await asyncio.sleep(0.01)
        self.restarts.append(self._discord.accepted_at - begun)

    async def replace(self) -> None:
        """Start the next process, and end this one with SIGTERM once the other is ready."""
        assert self._process is not None
        await self.read_metrics()
        old, before = self._process, self._ready_lines()
        try:
            await self.start()
            async with asyncio.timeout(120):
                while self._ready_lines() == before:  # noqa: ASYNC110 - rarely used
                    await asyncio.sleep(0.05)
        finally:
            old.terminate()
        await asyncio.to_thread(old.wait, 30)
        await self.check_moves()

    def _ready_lines(self) -> int:
        return self.log.read_bytes().count(b" ready: ")

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End the process with this signal, after reading its metrics; check the stored moves."""
        assert self._process is not None
        await self.read_metrics()
        self._process.send_signal(number)
        await asyncio.to_thread(self._process.wait, 30)
        self._discord.note_interruption()
        self._ended_at = perf_counter()
        await self.check_moves()

    def close(self) -> None:
        """Kill the process if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    async def read_metrics(self) -> None:
        """Add the counts of the running process; call it only before its end."""
        url = f"http://127.0.0.1:{self._port}/metrics"
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            text = await response.text()
        values = defaultdict[str, float](float)
        for family in text_string_to_metric_families(text):
            for name, labels, value, *_ in family.samples:
                values[f"{name} {labels.get('le', labels.get('cause', ''))}".strip()] += value
        seconds, unanswered = "tichu_interaction_seconds", "tichu_interactions_unanswered_total"
        self.inside["quick"] += int(values[f"{seconds}_bucket 0.3"])
        self.inside["in_time"] += int(values[f"{seconds}_bucket 3.0"])
        for count in (f"{seconds}_count", f"{unanswered} late", f"{unanswered} rejected"):
            self.inside["answers"] += int(values[count])
        self.inside["discord"] += int(values[f"{unanswered} discord"])
        self.inside["ahead"] += int(values["tichu_clicks_ahead_total"])
        if ready := values["tichu_ready_timestamp_seconds"]:
            self.ready.append(ready - values["process_start_time_seconds"])

    async def check_moves(self) -> None:
        """Compare the stored actions with those stored before, and with the shown controls."""
        engine = create_async_engine(self.database_url)
        async with engine.connect() as connection:
            rows = await connection.execute(text("SELECT table_id, seq, text FROM actions"))
            stored = {(row.table_id, row.seq): row.text for row in rows}
        await engine.dispose()
        gone = [key for key, action in self._actions.items() if stored.get(key) != action]
        self.lost += [f"table {table}: action {seq} is gone or changed" for table, seq in gone]
        last = Counter[int]()
        for table, seq in stored:
            last[table] = max(last[table], seq)
        for table, revision in self._discord.revisions.items():
            if last[table] < revision:
                self.lost.append(f"table {table}: {revision} was shown, {last[table]} is stored")
        self._actions = stored

    @property
    def moves(self) -> int:
        """The number of stored actions at the last check."""
        return len(self._actions)

    def children(self, words: str) -> list[int]:
        """Return the ids of the child processes with these words in their command line."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
                if parent == self.pid and words in (stat.parent / "cmdline").read_text():
                    found.append(int(stat.parent.name))
        return found


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
