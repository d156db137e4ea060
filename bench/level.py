"""`python -m bench.level`: the service level of a bot in play, with a fault every minute.

The bot runs as in production, in a process of its own with its worker processes, in real time. Only
Discord is replaced, by `bench.served_discord`. People at twenty tables click on what they see. The
faults come in random order: failures of Discord and its gateway, of the database, of child
processes, and ends of the bot itself. Answers are timed here, from the delivery of a click to the
first attempt to answer it, and by the bot's own metrics. `docs/operating.md` has the objectives.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from bench.forgetful_discord import Shown
from bench.served_discord import START_BOT, ServedDiscord
from bot.runtime.progress import print_line
from cogs.pages.verbs import Verb

_ROOT = Path(__file__).parents[1]
QUICK, IN_TIME, RESTART_S = 0.95, 0.999, 10.0
"""Objectives of docs/operating.md: shares within 0.3 s and 3 s, seconds of a restart."""
MOVES = frozenset(
    (
        *(Verb.GRAND, Verb.WITHDRAW, Verb.WISH, Verb.GIFT, Verb.DOG, Verb.PLAY, Verb.PASS),
        *(Verb.GIVE, Verb.PICK, Verb.READY),
    )
)
"""Controls that continue a match."""
_OTHERS = Verb.HAND, Verb.MORE, Verb.LOG, Verb.LAST_TRICK, Verb.RULES, Verb.REFRESH, Verb.CARDS
_BEGINNING = Verb.START, Verb.REMATCH
_OTHER_CHANCE = 0.15
_GIVE_UP_S = 10.0
"""Time after which a click counts as unanswered."""
_FAULT_S = 8.0
"""Duration of a fault."""
_BUSY = 0.1
"""Share of the processors used by other programs from which times are not judged."""
_STAT = Path("/proc/stat")


class Result(NamedTuple):
    """Results of a campaign."""

    times: Sequence[float]
    """Seconds from the delivery of each click to the first attempt to answer it."""
    missing: int
    """Clicks that a connected bot did not try to answer."""
    interrupted: int
    """Clicks in flight when the bot ended or lost its connection; they do not count."""
    inside: Counter[str]
    """The bot's own counts: answers, quick, in_time, unanswered and clicks ahead."""
    moves: int
    """Stored actions."""
    lost: Sequence[str]
    """Descriptions of lost moves."""
    restarts: Sequence[float]
    """Seconds from the signal that ended the bot to the first answer of the next process."""
    ready: Sequence[float]
    """Seconds from the start of each process until it was ready, by its own metrics."""
    others: float
    """Share of the processors that other programs used; 0 on systems without `/proc`."""

    def within(self, seconds: float) -> float:
        """Return the share of the clicks that were answered within this time."""
        return sum(t <= seconds for t in self.times) / max(1, len(self.times) + self.missing)

    def missed(self) -> list[str]:
        """Return the missed objectives; on a busy machine, only that of moves."""
        found = {
            "acknowledged moves": bool(self.lost or self.inside["ahead"]),
            "answers within 300 ms": self.within(0.3) < QUICK,
            "answers within 3 s": self.within(3) < IN_TIME,
            "restarts": max(self.restarts, default=0.0) >= RESTART_S,
        }
        judged = list(found)[: 1 if self.others >= _BUSY else None]
        return [name for name in judged if found[name]]

    def report(self) -> str:
        """Return the lines to print."""
        own, missed = self.inside, self.missed()
        answers = max(1, own["answers"])
        by_bot = "by the bot's own metrics"
        met = "no move lost, times not judged" if self.others >= _BUSY else "met"
        slowest, ready = max(self.restarts, default=0.0), max(self.ready, default=0.0)
        return f"""\
answers within 300 ms: {self.within(0.3):.2%} (objective {QUICK:.0%})
  {by_bot}: {own["quick"] / answers:.2%}
answers within 3 s: {self.within(3):.3%} (objective {IN_TIME:.1%})
  {by_bot}: {own["in_time"] / answers:.3%}
acknowledged moves lost: {len(self.lost)} of {self.moves} actions (objective 0)
  {by_bot}: {own["ahead"]} clicks ahead of the database
restarts: {len(self.restarts)}, at most {slowest:.1f} s until an answer (objective {RESTART_S:g} s)
  {by_bot}: ready at most {ready:.1f} s after the start
clicks: {len(self.times)} answered, {self.missing} not answered
  not counted: {self.interrupted} in flight when the bot or its connection ended
  {by_bot}: {own["answers"]} counted; {own["discord"]} failed at Discord, not counted
machine: other programs used {self.others:.0%} of the processors
service level: {"missed: " + ", ".join(missed) if missed else met}
""" + "\n".join(self.lost)


# --- the bot --------------------------------------------------------------------------------------


class Bot:
    """The bot's process, with its files in `folder`."""

    def __init__(
        self, discord: ServedDiscord, folder: Path, workers: int, *, compiled: str = ""
    ) -> None:
        self._discord = discord
        self._port = _free_port()
        self.database = folder / "level.db"
        self._folder = folder
        self._environment = os.environ | {
            "PYTHONPATH": str(_ROOT),
            "PYTHONDONTWRITEBYTECODE": "",  # as in production; otherwise starts are slower
            "DISCORD_TOKEN": "level",
            "DATABASE_URL": f"sqlite+aiosqlite:///{self.database}",
            "HEARTBEAT_FILE": str(folder / "heartbeat"),
            "METRICS_PORT": str(self._port),
            "WORKER_PROCESSES": str(workers),
            "MAX_TABLES_PER_GUILD": "1000",
            "NUMBA_CACHE_DIR": compiled,  # by default beside the sources, as compiled for tests
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
        command = [sys.executable, "-c", START_BOT, self._discord.address]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220 - returns at once
                command, cwd=self._folder, env=self._environment, stdout=log, stderr=log
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

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End the process with this signal, after reading its metrics; check the stored moves."""
        assert self._process is not None
        await self.read_metrics()
        self._process.send_signal(number)
        await asyncio.to_thread(self._process.wait, 30)
        self._discord.note_interruption()
        self._ended_at = perf_counter()
        await asyncio.to_thread(self.check_moves)

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

    def check_moves(self) -> None:
        """Compare the stored actions with those stored before, and with the shown controls."""
        with closing(sqlite3.connect(self.database)) as connection:
            rows = connection.execute("SELECT table_id, seq, text FROM actions").fetchall()
        stored = {(table, seq): text for table, seq, text in rows}
        gone = [key for key, text in self._actions.items() if stored.get(key) != text]
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


# --- people ---------------------------------------------------------------------------------------


class People:
    """The people at one table, who click on what they see."""

    def __init__(
        self, discord: ServedDiscord, number: int, people: int, rng: random.Random
    ) -> None:
        self._discord = discord
        self._rng = rng
        self._channel_id = discord.channel_id(number)
        self._user_ids = [1000 + 4 * number + seat for seat in range(people)]

    async def play(self, pause_s: float) -> None:
        """Open a table and play until cancelled, with a click about every `pause_s` seconds."""
        host, *others = self._user_ids
        computers = 4 - len(self._user_ids)
        options: dict[str, Any] = {"computers": computers} if computers else {}
        await self._limited(self._discord.slash(None, host, self._channel_id, "new", **options))
        for user_id in others:
            while not await self._use(user_id, (Verb.JOIN,)):  # noqa: ASYNC110 - as people look
                await asyncio.sleep(0.2)
        while True:
            await asyncio.sleep(self._rng.uniform(0.5, 1.5) * pause_s)
            await self._act()

    async def _act(self) -> None:
        """Let one person make one click."""
        people = self._rng.sample(self._user_ids, len(self._user_ids))
        if self._rng.random() < _OTHER_CHANCE and await self._use(people[0], _OTHERS):
            return
        for verbs in (tuple(MOVES), _BEGINNING, (Verb.HAND,)):
            for user_id in people:
                if await self._use(user_id, verbs):
                    return

    async def _use(self, user_id: int, verbs: Sequence[str]) -> bool:
        """Use one of these controls on the newest page with one; return whether there was one."""
        for page in self._discord.screen(user_id, self._channel_id):
            found = [part for part in page.controls() if _verb(part) in verbs]
            if found:
                await self._click(user_id, page, self._rng.choice(found))
                return True
        return False

    async def _click(self, user_id: int, page: Shown, control: dict[str, Any]) -> None:
        values = [option["value"] for option in control.get("options", ())]
        chosen = self._rng.sample(values, control.get("min_values", 1)) if values else None
        where = None, user_id, self._channel_id
        await self._limited(self._discord.click(*where, page, control["custom_id"], chosen))

    async def _limited(self, click: Awaitable[None]) -> None:
        await self._discord.connected.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GIVE_UP_S):
                await click


def _verb(control: dict[str, Any]) -> str:
    return str(control["custom_id"].split(":")[-2])


# --- faults ---------------------------------------------------------------------------------------


class Faults:
    """The faults, each of which is over when its method returns."""

    def __init__(self, discord: ServedDiscord, bot: Bot) -> None:
        self._discord, self._bot = discord, bot

    def all(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """Return all faults by their description."""
        return {
            "Discord fails": self._discord_fails,
            "Discord does not answer": self._discord_is_silent,
            "connection lost": lambda: self._discord.interrupt(keeps_session=True),
            "session lost": lambda: self._discord.interrupt(keeps_session=False),
            "database locked": self._database_locked,
            "disk refuses writes": self._disk_refuses_writes,
            "worker killed": lambda: self._kill("spawn_main"),
            "painter killed": lambda: self._kill("bot.pictures"),
            "bot killed": lambda: self._bot.restart(signal.SIGKILL),
            "bot restarted": lambda: self._bot.restart(signal.SIGTERM),
        }

    async def _discord_fails(self) -> None:
        self._discord.fails = True
        await asyncio.sleep(_FAULT_S)
        self._discord.fails = False

    async def _discord_is_silent(self) -> None:
        self._discord.silence.clear()
        await asyncio.sleep(_FAULT_S)
        self._discord.silence.set()

    async def _database_locked(self) -> None:
        def lock() -> sqlite3.Connection:
            connection = sqlite3.connect(
                self._bot.database, timeout=30, isolation_level=None, check_same_thread=False
            )
            connection.execute("BEGIN IMMEDIATE")
            return connection

        with closing(await asyncio.to_thread(lock)) as connection:
            await asyncio.sleep(_FAULT_S)
            connection.execute("ROLLBACK")

    async def _disk_refuses_writes(self) -> None:
        """Forbid the bot's process to write to any file, as a broken disk does."""
        _, most = resource.prlimit(self._bot.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._bot.pid, resource.RLIMIT_FSIZE, (0, most))
        await asyncio.sleep(_FAULT_S)
        resource.prlimit(self._bot.pid, resource.RLIMIT_FSIZE, (most, most))

    async def _kill(self, words: str) -> None:
        """Kill the bot's child processes with these words in their command line."""
        for pid in self._bot.children(words):
            os.kill(pid, signal.SIGKILL)


# --- the campaign ---------------------------------------------------------------------------------


async def campaign(
    minutes: float, tables: int, *, pause_s: float, fault_every_s: float, workers: int, seed: int
) -> Result:
    """Let people play at these tables for some minutes, with a fault in each interval.

    At every other table two computers play, too. Print each fault.
    """
    rng = random.Random(seed)
    processors = _Processors()
    with tempfile.TemporaryDirectory(prefix="tichu-level-") as folder:
        async with ServedDiscord(tables, MOVES) as discord:
            bot = Bot(discord, Path(folder), workers)
            tasks = list[asyncio.Task[None]]()
            try:
                await bot.start()
                people = [
                    People(discord, number, 2 if number % 2 else 4, rng) for number in range(tables)
                ]
                tasks += [asyncio.create_task(each.play(pause_s)) for each in people]
                await _inject(Faults(discord, bot), tasks, minutes, fault_every_s, rng)
                for task in tasks:
                    task.cancel()
                await asyncio.sleep(_GIVE_UP_S)
                await bot.stop()
            except BaseException:
                print(bot.log.read_text("utf-8")[-3000:], file=sys.stderr)
                raise
            finally:
                for task in tasks:
                    task.cancel()
                bot.close()
            times, missing, interrupted = discord.times(_GIVE_UP_S)
        return Result(
            times,
            missing,
            interrupted,
            bot.inside,
            bot.moves,
            bot.lost,
            bot.restarts,
            bot.ready,
            processors.used_by_others(),
        )


async def _inject(
    faults: Faults,
    tasks: Sequence[asyncio.Task[None]],
    minutes: float,
    every_s: float,
    rng: random.Random,
) -> None:
    """Inject all faults in random order, again and again, until the time is over."""
    end, remaining = perf_counter() + 60 * minutes, list[str]()
    while (now := perf_counter()) < end:
        if not remaining:
            remaining = sorted(faults.all())
            rng.shuffle(remaining)
        await asyncio.sleep(rng.uniform(0.3, 0.7) * every_s)
        name = remaining.pop()
        await faults.all()[name]()
        print_line(f"{(now - end) / 60 + minutes:.0f} min: {name}")
        for task in tasks:
            if task.done():
                task.result()
        await asyncio.sleep(max(0.0, now + every_s - perf_counter()))


class _Processors:
    """Measures the time that other programs use the processors."""

    def __init__(self) -> None:
        self._begun = self._seconds()

    def used_by_others(self) -> float:
        """Return the share of the processors since the start that other programs used."""
        total, idle, own = (
            now - before for now, before in zip(self._seconds(), self._begun, strict=True)
        )
        return max(0.0, (total - idle - own) / total) if total else 0.0

    @staticmethod
    def _seconds() -> tuple[float, float, float]:
        """Return the processors' time, their idle time, and that of this program, in seconds."""
        if not _STAT.exists():
            return 0.0, 0.0, 0.0
        ticks = [int(n) for n in _STAT.read_text(encoding="ascii").split("\n")[0].split()[1:9]]
        per_second = os.sysconf("SC_CLK_TCK")
        return sum(ticks) / per_second, sum(ticks[3:5]) / per_second, sum(os.times()[:4])


def main() -> int:
    """Run the campaign and print the service level. Return 1 if an objective is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.level", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="duration (60)")
    parser.add_argument("--tables", type=int, default=20, help="tables in play (20)")
    parser.add_argument("--pause", type=float, default=3, help="seconds per click and table (3)")
    parser.add_argument("--fault-every", type=float, default=60, help="seconds per fault (60)")
    parser.add_argument("--workers", type=int, default=1, help="worker processes (1)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    result = asyncio.run(
        campaign(
            given.minutes,
            given.tables,
            pause_s=given.pause,
            fault_every_s=given.fault_every,
            workers=given.workers,
            seed=given.seed,
        )
    )
    print_line(result.report())
    return bool(result.missed())


if __name__ == "__main__":
    sys.exit(main())
