"""`python -m bench.update`: clicks while the bot is restarted or replaced, as in operating.md.

The bot runs as in production, in processes of its own and in real time. Only Discord is replaced,
by `bench.served_discord`. People click a few times a second, also while no process is connected;
Discord then delivers the click to nobody. An answer after three seconds is refused; a refusal by
the bot is an answer, too.

A restart ends the process with SIGTERM and starts the next one at once. A replacement starts the
next one, waits for the line `ready:` of its log, and then ends the first one with SIGTERM. The
longest time without an answer is that between two successive answers.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from bench.click_cost import RemotePlayers
from bench.level import Processors
from bench.served_discord import START_BOT, ServedDiscord
from bot.runtime.progress import print_line
from engine import TARGETS

_ROOT = Path(__file__).parents[1]
_PLAY_S = 6.0
"""Seconds of play between two updates."""
_PATIENCE_S = 4.0
"""Seconds after which a click without an answer is lost; Discord's limit is three."""
_START_S = 120.0
"""Longest wait for a process to become ready, in seconds."""
_STOP_S = 30.0
"""Longest wait for a process to exit, in seconds."""


class Result(NamedTuple):
    """Results of several updates."""

    mode: str
    updates: int
    clicks: int
    answered: int
    twice: int
    """Clicks to which two processes have responded."""
    longest_s: Sequence[float]
    """Longest time without an answer around each update, in seconds."""
    others: float
    """Share of the processors that other programs used."""

    def __str__(self) -> str:
        gaps = ", ".join(f"{gap:.1f}" for gap in self.longest_s)
        return (
            f"{self.updates} times {self.mode}: {self.clicks} clicks, {self.answered} answered, "
            f"{self.twice} answered twice, {self.clicks - self.answered} lost; "
            f"at most {max(self.longest_s):.1f} s without an answer (each: {gaps}); "
            f"other programs used {self.others:.0%} of the processors"
        )


class _Discord(ServedDiscord):
    """The fake Discord, in which people click whether a bot is connected or not."""

    async def deliver(self, bot: Any, event: dict[str, Any]) -> None:
        """Send an interaction to the connected processes."""
        await self.send(event)


class _Bot:
    """The processes of a bot, with their files in `folder`."""

    def __init__(self, discord: ServedDiscord, folder: Path, database: str, *, shared: bool):
        self._discord = discord
        self._folder = folder
        self._environment = os.environ | {
            "PYTHONPATH": str(_ROOT),
            "PYTHONDONTWRITEBYTECODE": "",  # as in production; otherwise starts are slower
            "DISCORD_TOKEN": "update",
            "DATABASE_URL": database or f"sqlite+aiosqlite:///{folder}/update.db",
            "WORKER_PROCESSES": "1",
            "MAX_TABLES_PER_GUILD": "1000",
        }
        if shared:
            self._environment |= {"SHARD_COUNT": "1", "SHARD_IDS": "0"}
        self._numbers = itertools.count()
        self._processes: list[subprocess.Popen[bytes]] = []

    async def start(self) -> None:
        """Start a process; return once its log says that it is ready."""
        name = str(next(self._numbers))
        log = self._folder / f"log-{name}"
        command = [sys.executable, "-c", START_BOT, self._discord.address_for(name)]
        environment = self._environment | {"HEARTBEAT_FILE": str(self._folder / f"beat-{name}")}
        with log.open("wb") as output:
            process = subprocess.Popen(  # noqa: ASYNC220 - returns at once
                command, cwd=self._folder, env=environment, stdout=output, stderr=output
            )
        self._processes.append(process)
        async with asyncio.timeout(_START_S):
            while b" ready: " not in log.read_bytes():
                if process.poll() is not None:
                    raise RuntimeError(log.read_text("utf-8"))
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """End the oldest process with SIGTERM, and wait for its end."""
        process = self._processes.pop(0)
        process.terminate()
        await asyncio.to_thread(process.wait, _STOP_S)

    def kill(self) -> None:
        """Kill all processes."""
        for process in self._processes:
            process.kill()
            process.wait()


class _People:
    """People at some tables, who click `rate` times a second in all."""

    def __init__(self, players: Sequence[RemotePlayers], rate: float) -> None:
        self._players = players
        self._rate = rate
        self._clicks = set[asyncio.Task[int]]()

    async def click(self) -> None:
        """Click at all tables in turn until cancelled."""
        for table in itertools.cycle(self._players):
            click = asyncio.create_task(table.act())
            self._clicks.add(click)
            click.add_done_callback(self._clicks.discard)
            await asyncio.sleep(1 / self._rate)

    async def finish(self) -> None:
        """Wait until all clicks are answered or lost."""
        await asyncio.gather(*self._clicks)


async def update(
    mode: str,
    times: int,
    database: str = "",
    *,
    tables: int = 5,
    rate: float = 5.0,
    latency: float = 0.1,
    seed: int = 1,
) -> Result:
    """Restart or replace the bot some times while people click, and return the results."""
    rng, processors, begun = random.Random(seed), Processors(), list[float]()
    with tempfile.TemporaryDirectory(prefix="tichu-update-") as folder:
        async with _Discord(tables, frozenset()) as discord:
            discord.latency_s = latency
            bot = _Bot(discord, Path(folder), database, shared=mode == "replace")
            steps = (bot.stop, bot.start) if mode == "restart" else (bot.start, bot.stop)
            try:
                await bot.start()
                players = [RemotePlayers(discord, number, rng) for number in range(tables)]
                await asyncio.gather(*(table.open(TARGETS[-1]) for table in players))
                discord.patience_s = _PATIENCE_S
                before = set(discord.delivered)
                people = _People(players, rate)
                clicking = asyncio.create_task(people.click())
                for _ in range(times):
                    await asyncio.sleep(_PLAY_S)
                    begun.append(perf_counter())
                    for step in steps:
                        await step()
                await asyncio.sleep(_PLAY_S)
                clicking.cancel()
                end = perf_counter()
                await people.finish()
                await bot.stop()
            finally:
                bot.kill()
        clicks = discord.delivered.keys() - before
        answers = [discord.accepted[click] for click in clicks & discord.accepted.keys()]
        twice = sum(len(discord.answered_by[click]) > 1 for click in clicks)
        gaps = longest_gaps([*answers, end], begun)
        return Result(
            mode, times, len(clicks), len(answers), twice, gaps, processors.used_by_others()
        )


def longest_gaps(answers: Sequence[float], begun: Sequence[float]) -> list[float]:
    """Return the longest time without an answer after the begin of each update, until the next."""
    pairs = list(itertools.pairwise(sorted(answers)))
    return [
        max(after - before for before, after in pairs if after > start and before < next_start)
        for start, next_start in itertools.pairwise([*begun, math.inf])
    ]


def main() -> int:
    """Update the bot and print one line. Return 1 if a replacement loses or doubles a click."""
    parser = argparse.ArgumentParser(prog="python -m bench.update", description=__doc__)
    parser.add_argument("--mode", choices=("restart", "replace"), default="restart")
    parser.add_argument("--times", type=int, default=10, help="number of updates (10)")
    parser.add_argument("--database", default="", help="an empty database (a new SQLite file)")
    parser.add_argument("--tables", type=int, default=5, help="tables in play (5)")
    parser.add_argument("--rate", type=float, default=5.0, help="clicks in a second (5)")
    parser.add_argument("--latency", type=float, default=0.1, help="seconds of a request (0.1)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    result = asyncio.run(update(**vars(given)))
    print_line(str(result))
    return int(given.mode == "replace" and (result.answered < result.clicks or result.twice > 0))


if __name__ == "__main__":
    sys.exit(main())
