"""Processor time of a click, beside that of a bare discord.py bot with the same requests.

Both bots run as processes of their own, over HTTP and a gateway on this machine. First people play
at the bot's tables, and all interactions, requests and responses of the measured time are recorded.
Then the bare bot gets the same interactions at the same moments, and sends the same bytes by
discord.py's own requests. Only the main process of the bot counts, so drawing does not. Needs
Linux. `python -m bench` runs it; `python -m bench.click_cost` runs it alone.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pickle
import random
import sys
import tempfile
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from aiohttp import web

from bench.forgetful_discord import channel_of
from bench.measured_bots import Request
from bench.memory import MOVES, OTHER_CHANCE, OTHER_CONTROLS, Players
from bench.served_discord import ServedDiscord, answer
from bot.runtime.progress import print_line
from cogs.pages.verbs import Verb
from engine import TARGETS

_AT_ONCE = 5
"""The number of tables that are opened at the same time."""
_STARTS_WITHIN_S = 180.0
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 1


class Recording(NamedTuple):
    """The interactions of the measured time."""

    events: list[tuple[float, dict[str, Any]]]
    """Seconds since the start, and the interaction."""
    requests: dict[str, list[Request]]
    """The requests that followed in the same channel, by the id of the interaction."""


class ClickCost(NamedTuple):
    """Processor time of both bots in the same time."""

    tables: int
    clicks: int
    requests: int
    sent_bytes: int
    """The size of all requests, without headers."""
    bot_s: float
    """Seconds of processor time of the bot."""
    bare_s: float
    """Seconds of processor time of the bare bot."""
    table_kb: float
    """Resident memory of a table with four open hands in the process of the bot."""

    def __str__(self) -> str:
        bot_ms, bare_ms = (1000 * seconds / self.clicks for seconds in (self.bot_s, self.bare_s))
        return (
            f"processor time of a click, {self.tables} tables: {bot_ms:.1f} ms; a bare bot with "
            f"the same {self.requests / self.clicks:.2f} requests "
            f"({self.sent_bytes / self.clicks / 1000:.0f} kB): {bare_ms:.1f} ms; "
            f"ratio {bot_ms / bare_ms:.2f} ({self.clicks:,} clicks); "
            f"{self.table_kb:.0f} KB resident for each table"
        )


class _Discord(ServedDiscord):
    """The fake Discord, which records requests, or answers them from a recording."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels, frozenset())
        self.patience_s = 10.0
        self.recording: Recording | None = None
        """The recording in progress."""
        self.replayed: dict[tuple[str, str], deque[Request]] | None = None
        """Responses for the bare bot, by method and path."""
        self._started = 0.0
        self._newest: dict[int, str] = {}
        """The newest interaction in each channel."""

    def record(self) -> Recording:
        """Record from now on."""
        self._newest.clear()
        self._started = monotonic()
        self.recording = Recording([], defaultdict(list))
        return self.recording

    async def deliver(self, bot: Any, event: dict[str, Any]) -> None:
        """Send an interaction to the bot."""
        if self.recording is not None:
            self.recording.events.append((monotonic() - self._started, event))
            self._newest[int(event["channel_id"])] = event["id"]
        await super().deliver(bot, event)

    async def _serve_request(self, request: web.Request) -> web.Response:
        method, path = request.method, request.match_info["path"]
        if self.replayed is not None and (known := self.replayed.get((method, path))):
            given = known.popleft()
            return answer(given.response, given.status)
        response = await super()._serve_request(request)
        if self.recording is not None and (newest := self._newest.get(channel_of(path))):
            payload, files = await _sent(request)
            body = response.body.decode() if isinstance(response.body, bytes) else ""
            recorded = Request(method, path, payload, files, response.status, body)
            self.recording.requests[newest].append(recorded)
        return response


async def _sent(request: web.Request) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """Return the JSON and the files of a request."""
    if not request.content_type.startswith("multipart/"):
        return await request.read(), ()
    form = await request.post()
    files = [field for field in form.values() if isinstance(field, web.FileField)]
    for field in files:
        field.file.seek(0)
    contents = tuple((field.filename, field.file.read()) for field in files)
    return str(form.get("payload_json", "")).encode(), contents


class RemotePlayers(Players):
    """The people at one table, who see only their screens."""

    def __init__(self, discord: ServedDiscord, number: int, rng: random.Random) -> None:
        super().__init__(None, discord, number, rng)

    async def open(self, target: int) -> None:
        """Open a table, sit down, start the match and open all hands."""
        await super().open(target)
        await self._press(self.user_ids[0], Verb.START)
        for user_id in self.user_ids:
            await self._press(user_id, Verb.HAND)

    async def act(self) -> int:
        """Let somebody act; return the number of clicks."""
        with suppress(TimeoutError):  # the machine is too busy: somebody else clicks
            return await self._act()
        return 0

    async def _act(self) -> int:
        people = self._rng.sample(self.user_ids, len(self.user_ids))
        if self._rng.random() < OTHER_CHANCE:
            return int(await self._use(people[0], OTHER_CONTROLS))
        for user_id in people:
            if await self._use(user_id, (*MOVES, Verb.READY)):
                return 1
        return 0

    async def _press(self, user_id: int, verb: Verb) -> None:
        """Press a button as soon as it exists, and until it is answered."""
        while True:
            with suppress(TimeoutError):
                if await self._use(user_id, (verb,)):
                    return
            await asyncio.sleep(0.1)


async def click_cost(tables: int, seconds: float, pace_s: float, seed: int) -> ClickCost:
    """Measure both bots for `seconds` seconds; a table is clicked at every `pace_s` seconds."""
    rng = random.Random(seed)
    discord = _Discord(tables)
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        async with discord:
            players = [RemotePlayers(discord, number, rng) for number in range(tables)]
            async with _process(discord, "tichu", folder) as pid:
                empty_kb = resident_kb(pid)
                for first in range(0, tables, _AT_ONCE):
                    some = players[first : first + _AT_ONCE]
                    await asyncio.gather(*(table.open(TARGETS[-1]) for table in some))
                await _play(players, seconds / 4, pace_s)
                recording, before = discord.record(), processor_s(pid)
                await _play(players, seconds, pace_s)
                discord.recording = None
                bot_s = processor_s(pid) - before
                table_kb = (resident_kb(pid) - empty_kb) / tables
            requests = [one for several in recording.requests.values() for one in several]
            discord.replayed = defaultdict(deque)
            for request in requests:
                discord.replayed[request.method, request.path].append(request)
            (Path(folder) / "requests").write_bytes(pickle.dumps(dict(recording.requests)))
            async with _process(discord, "bare", folder) as pid:
                before = processor_s(pid)
                await _replay(discord, recording, seconds)
                bare_s = processor_s(pid) - before
            if left := sum(map(len, discord.replayed.values())):
                raise RuntimeError(f"the bare bot has not sent {left} requests")
    sent = sum(len(r.payload) + sum(len(data) for _, data in r.files) for r in requests)
    clicks = len(recording.events)
    return ClickCost(tables, clicks, len(requests), sent, bot_s, bare_s, table_kb)


async def _play(players: list[RemotePlayers], seconds: float, pace_s: float) -> None:
    """Let people click at all tables in turn, and wait until everything is answered."""
    end, clicks = monotonic() + seconds, set[asyncio.Task[int]]()
    while monotonic() < end:
        for table in players:
            clicks.add(asyncio.create_task(table.act()))
            await asyncio.sleep(pace_s / len(players))
    for click in await asyncio.gather(*clicks, return_exceptions=True):
        if isinstance(click, Exception):
            raise click
    await asyncio.sleep(2.0)  # hands are refreshed a second later


async def _replay(discord: _Discord, recording: Recording, seconds: float) -> None:
    """Send the recorded interactions again."""
    start = monotonic()
    for at, event in recording.events:
        await asyncio.sleep(max(0.0, start + at - monotonic()))
        await discord.deliver(None, event)
    await asyncio.sleep(max(0.0, start + seconds + 2.0 - monotonic()))


@asynccontextmanager
async def _process(discord: _Discord, kind: str, folder: str) -> AsyncIterator[int]:
    """Run a bot until the block exits; yield its process id once it is ready."""
    command = sys.executable, "-m", "bench.measured_bots", kind, discord.address, folder
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_STARTS_WITHIN_S):
            await process.stdout.readline()
        await asyncio.sleep(3.0)  # until it has uploaded its emojis
        yield process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def processor_s(pid: int) -> float:
    """Return the processor time of a process so far, without its children, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def resident_kb(pid: int) -> int:
    """Return the resident memory of a process in KB."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def main() -> int:
    """Measure and print one line. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.click_cost", description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables at once (100)")
    parser.add_argument("--seconds", type=float, default=60.0, help="measured time (60)")
    parser.add_argument("--pace", type=float, default=6.0, help="seconds between clicks (6)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print_line(str(asyncio.run(click_cost(given.tables, given.seconds, given.pace, given.seed))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
