"""`python -m bench.resource_usage`: writes docs/measurements/resource-usage.md.

It measures for about ten minutes; the machine should be idle. The bot runs in a process of its own
against `bench.served_discord`. Nobody copies these numbers by hand.
"""

from __future__ import annotations

import asyncio
import os
import platform
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from bench.bot_process import Bot
from bench.click_cost import click_cost
from bench.level import MOVES, People, seated
from bench.memory import growth, per_table
from bench.served_discord import ServedDiscord

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_ROOT = Path(__file__).parents[1]
PAGE = _ROOT / "docs" / "measurements" / "resource-usage.md"
BEGIN, END = "<!-- begin: python -m bench.resource_usage -->", "<!-- end -->"
"""Lines around the table in the page."""
_LAYERS = "engine", "players", "bot", "cogs"
"""Folders in the image."""
_WITHOUT_TESTS = "numpy", "numba"
"""Packages whose tests the image does not have."""
_LOAD_PAST = """
import asyncio, sys
from demo.past.book import read_book
from demo.past.loading import load
from demo.serve import OTHERS, PEOPLE, STARTS, Place
people = {name: number for number, name in enumerate((*PEOPLE, *OTHERS), 1)}
asyncio.run(load(sys.argv[1], read_book(), Place(1, 1, people, STARTS)))
"""
"""Python code that stores the demo's past matches in the database with this URL."""
_MB = 1e6
_PLAY_S = 40.0
"""Duration of play for the processor time of a click."""


class Row(NamedTuple):
    """A row of the table."""

    what: str
    measured: str

    def __str__(self) -> str:
        return f"| {self.what} | {self.measured} |"


def rows() -> Iterator[Row]:
    """Measure and yield the rows."""
    yield from _disk()
    yield from _past()
    yield from asyncio.run(_processes())
    table = asyncio.run(per_table(40, 30, 1))
    sizes = (f"{size / 1000:.0f}" for size in table)
    yield Row("Memory of one table of forty: lobby, in play, inactive", ", ".join(sizes) + " kB")
    grown = asyncio.run(growth(100, 1, clicks=20_000))
    yield Row(
        "Memory of the bot with 100 tables in play, without pictures and workers",
        f"{grown.early / 1000:.0f} MB after {grown.done // 10:,} clicks, "
        f"{grown.late / 1000:.0f} MB after {grown.done:,}",
    )
    cost = asyncio.run(click_cost(100, seconds=60.0, pace_s=6.0, seed=1))
    yield Row(
        "CPU time of a click at 100 tables, and of a bare bot that sends the same requests",
        f"{1000 * cost.bot_s / cost.clicks:.1f} and {1000 * cost.bare_s / cost.clicks:.1f} ms",
    )


def _disk() -> Iterator[Row]:
    """Measure packages and program as they are in the image."""
    required = (_ROOT / "requirements-postgres.txt").read_text("utf-8")
    sizes = {
        name: _package_size(name) / _MB
        for name in re.findall(r"^([\w.-]+)==", required, re.MULTILINE)
    }
    with tempfile.TemporaryDirectory() as folder:
        for layer in _LAYERS:
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(_ROOT / layer, Path(folder, layer), ignore=ignore)
        subprocess.run([sys.executable, "-m", "compileall", "-q", folder], check=True)
        program = _size(Path(folder))
    largest = sorted(sizes, key=lambda name: -sizes[name])[:8]
    others = sum(sizes.values()) - sum(sizes[name] for name in largest)
    yield Row("Disk: packages", f"{sum(sizes.values()):.0f} MB")
    listed = [f"{name} {sizes[name]:.0f}" for name in largest]
    yield Row("... by size, in MB", ", ".join([*listed, f"others {others:.0f}"]))
    yield Row("... the bot itself, with bytecode", f"{program / _MB:.0f} MB")


def _size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _package_size(name: str) -> int:
    """Return the bytes of an installed package; 0 if this system does not need it."""
    try:
        files = distribution(name).files or ()
    except PackageNotFoundError:
        return 0
    paths = [
        Path(str(file.locate()))
        for file in files
        if not (name in _WITHOUT_TESTS and "tests" in file.parts)
    ]
    return sum(path.stat().st_size for path in paths if path.is_file())


def _past() -> Iterator[Row]:
    """Measure the database of the demo, and commands on it."""
    with tempfile.TemporaryDirectory() as folder:
        url, copy = f"sqlite+aiosqlite:///{folder}/demo.db", Path(folder, "copy.db")
        _cpu_s("-c", _LOAD_PAST, url.replace("+aiosqlite", ""))
        backup = _cpu_s("-m", "bot", "backup", str(copy), url=url)
        check = _cpu_s("-m", "bot", "check", "--file", str(copy), url=url)
        rebuild = _cpu_s("-m", "bot", "rebuild", url=url)
        health = _cpu_s("-m", "bot", "health", url=url, fails=True)
        size = copy.stat().st_size
        with closing(sqlite3.connect(copy)) as connection:
            rounds, matches = (
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("rounds", "matches")
            )
    yield Row(
        f"Database of the demo: {rounds} rounds, {matches} matches",
        f"{size / _MB:.1f} MB: {size / rounds / 1000:.1f} kB a round, "
        f"{size / matches / 1000:.0f} kB a match",
    )
    yield Row(
        "... CPU time of `backup`, `check`, `rebuild`",
        f"{backup:.1f} s, {check:.1f} s, {rebuild:.1f} s",
    )
    yield Row("CPU time of `health`", f"{health:.2f} s")


def _cpu_s(*arguments: str, url: str = "", fails: bool = False) -> float:
    """Run Python with these arguments; return its processor time in seconds."""
    before = getrusage(RUSAGE_CHILDREN)
    environment = os.environ | {"DISCORD_TOKEN": "bench", "PYTHONDONTWRITEBYTECODE": ""}
    environment |= {"DATABASE_URL": url} if url else {}
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=_ROOT, env=environment, check=not fails, stdout=subprocess.PIPE)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


async def _processes() -> list[Row]:
    """Measure the bot's processes without a table, in play, and with a worker process."""
    async with _running(10, workers=0) as (discord, bot):
        await asyncio.sleep(15)
        idle = _memory_mb(bot.pid, "VmHWM")
        tasks = [_play(discord, 0)]
        await asyncio.sleep(30)
        one = _memory_mb(bot.pid, "VmHWM")
        tasks += [_play(discord, number) for number in range(1, 10)]
        await asyncio.sleep(20)
        clicks, cpu = len(discord.first_sent), _cpu_of(bot.pid)
        await asyncio.sleep(_PLAY_S)
        clicks, cpu = len(discord.first_sent) - clicks, _cpu_of(bot.pid) - cpu
        painter = max(_memory_mb(pid, "VmRSS") for pid in bot.children("bot.pictures"))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        begun = perf_counter()
        await bot.stop()
        stopped = perf_counter() - begun
    async with _running(1, workers=1) as (_, bot):
        await _experts_ready(bot)
        (worker,) = bot.children("spawn_main")
        cached = _memory_mb(worker, "VmRSS")
        await bot.stop()
        started = bot.ready[-1]
    async with _running(1, workers=1, compiled="compiled") as (_, bot):
        most, cpu_compiling = await _experts_ready(bot)
        await bot.stop()
        code = _size(bot.folder / "compiled") / _MB
    return [
        Row("Memory of the bot without tables, and with one in play", f"{idle} and {one} MB"),
        Row("... of the process that draws pictures", f"{painter} MB"),
        Row("... of each worker process for Experts", f"{cached} MB"),
        Row(
            "... while it compiles, once after an update (not with Docker)",
            f"{most} MB, {cpu_compiling:.0f} s of CPU time",
        ),
        Row(
            "CPU time of a click in play, ten tables with pictures",
            f"{1000 * cpu / clicks:.1f} ms in the bot's process",
        ),
        Row("Disk: compiled code of the Experts, in the image or `data`", f"{code:.0f} MB"),
        Row("Start until ready; shutdown", f"{started:.1f} s; {stopped:.1f} s"),
    ]


@asynccontextmanager
async def _running(
    channels: int, *, workers: int, compiled: str = ""
) -> AsyncIterator[tuple[ServedDiscord, Bot]]:
    """Yield a running bot; with `compiled`, the folder beside its database for compiled code."""
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        async with ServedDiscord(channels, MOVES) as discord:
            code = str(Path(folder, compiled)) if compiled else ""
            bot = Bot(discord, Path(folder), workers, compiled=code)
            try:
                await bot.start()
                yield discord, bot
            finally:
                bot.close()


def _play(discord: ServedDiscord, number: int) -> asyncio.Task[None]:
    """Let four people play at a table."""
    people = People(discord, discord.channel_id(number), seated(number), random.Random(number))
    return asyncio.create_task(people.play(2.0))


async def _experts_ready(bot: Bot) -> tuple[int, float]:
    """Wait until Experts play; return the largest memory and processor time of a worker."""
    most, cpu = 0, 0.0
    async with asyncio.timeout(900):
        while "Experts ready" not in bot.log.read_text("utf-8"):
            for pid in bot.children("spawn_main"):
                most, cpu = max(most, _memory_mb(pid, "VmHWM")), max(cpu, _cpu_of(pid))
            await asyncio.sleep(0.2)
    return most, cpu


def _memory_mb(pid: int, field: str) -> int:
    """Return a size in /proc/PID/status in MB; 0 if the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((round(int(s.split()[1]) * 1024 / _MB) for s in lines if s.startswith(field)), 0)


def _cpu_of(pid: int) -> float:
    """Return the processor time of a process in seconds; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def with_table(page: str, table: str) -> str:
    """Return the page with this table between its two marks."""
    head, rest = page.split(BEGIN)
    return f"{head}{BEGIN}\n{table}\n{END}{rest.split(END, 1)[1]}"


def main() -> int:
    """Measure, print the rows and write them into the page. Return the exit status."""
    machine = (
        f"Measured in {datetime.now(UTC):%B %Y} on {platform.system()} with {os.cpu_count()} "
        f"processors, Python {platform.python_version()} and SQLite {sqlite3.sqlite_version}, "
        "against a fake Discord:"
    )
    lines = [machine, "", "| What | Measured |", "| --- | --- |"]
    for row in rows():
        print(row, flush=True)
        lines.append(str(row))
    page = PAGE.read_text("utf-8")
    PAGE.write_text(with_table(page, "\n".join(lines)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
