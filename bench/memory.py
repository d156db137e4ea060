"""Memory of the bot: for each table, and after many clicks and matches.

The bot runs as usual, with its storage, messages and private hands, and people click on the
controls they see. Discord is `bench.forgetful_discord`, so that only the bot can grow. `python -m
bench` runs it in a process of its own; `python -m bench.memory` runs the whole measurement.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import tracemalloc
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from time import thread_time
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import aiohttp
from pydantic import SecretStr

from bench.forgetful_discord import ForgetfulDiscord, Shown, Time
from bot.client import TichuBot
from bot.ids import ChannelId
from bot.pictures.process import Drawing
from bot.runtime.clock import Clock
from bot.runtime.discord_time import DiscordTime
from bot.runtime.gc_schedule import GarbageSchedule
from bot.runtime.progress import print_line
from bot.runtime.settings import Settings
from bot.table.state import Game
from cogs.pages.verbs import Verb
from engine import TARGETS
from engine.fair_deal import SECRET_BYTES

_PICTURE_BYTES = 25_000
"""The size of a picture of a table."""
_STATUS = Path("/proc/self/status")
_QUICK_FOLDER = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder in memory, if the system has one, so that clicks do not wait for the disk."""
_PEOPLE = 4
_LONGEST_WAIT_S = 300
"""The maximum wait for a button in seconds of simulated time."""
_PACE_S = 6
"""Seconds between two clicks at one table."""
MOVES = (
    *(Verb.GRAND, Verb.WITHDRAW, Verb.WISH, Verb.GIFT, Verb.DOG, Verb.PLAY, Verb.PASS, Verb.BACK),
    *(Verb.GIVE, Verb.PICK),
)
"""Controls that continue the game."""
OTHER_CONTROLS = (
    *(Verb.HAND, Verb.MORE, Verb.LOG, Verb.LAST_TRICK, Verb.RULES, Verb.REFRESH, Verb.CARDS),
    *(Verb.BOMBS, Verb.TURN_TO, Verb.TICHU, Verb.AUTO_PASS, Verb.TAKE_BACK, Verb.EXPLAIN),
)
"""Other controls that people use."""
_CachedFunction = type(lru_cache(len))
OTHER_CHANCE = 0.1
"""The probability of using one of `OTHER_CONTROLS`."""
_FIRST_CLICKS = 400
"""Clicks after which the caches of Python and SQLAlchemy for a table are filled."""


class PerTable(NamedTuple):
    """Memory of one table in bytes allocated by Python."""

    lobby: float
    """As a lobby."""
    playing: float
    """During play."""
    resting: float
    """After a long time without clicks."""


class Growth(NamedTuple):
    """Resident memory of the whole bot in KB; 0 on systems without `/proc`."""

    done: int
    """The number of clicks, or of matches."""
    early: int
    """After a tenth of them."""
    late: int
    """After all of them."""
    pauses: tuple[float, ...]
    """Milliseconds of computing time of each full garbage collection."""


class _Painter:
    """Painter whose pictures are as large as real ones, which another process draws."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return bytes that are equal only for equal drawings."""
        return repr(drawing).encode().ljust(_PICTURE_BYTES)


def resident_kb() -> int:
    """Return the resident memory of this process in KB; 0 if the system is not Linux."""
    if not _STATUS.exists():
        return 0
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


# --- a world --------------------------------------------------------------------------------------


@asynccontextmanager
async def _world(
    seed: int, channels: int
) -> AsyncIterator[tuple[TichuBot, ForgetfulDiscord, Time]]:
    """Yield the bot, logged in, in a server with `channels` channels."""
    with tempfile.TemporaryDirectory(prefix="tichu-bench-", dir=_QUICK_FOLDER) as folder:
        settings = Settings(
            _env_file=None,
            discord_token=SecretStr("bench"),
            database_url=f"sqlite+aiosqlite:///{folder}/bench.db",
            heartbeat_file=Path(folder) / "heartbeat",
            worker_processes=0,
            max_tables_per_guild=1000,
        )
        rng, time = random.Random(seed), Time()
        # All click at the same simulated time; in turns most would expire.
        with patch("bot.runtime.inflight.MOST_TURNS", 10_000):
            bot = TichuBot(
                settings,
                sleep=time.sleep,
                rng=rng,
                draw_secret=lambda: rng.randbytes(SECRET_BYTES),
                painter=_Painter(),
                shard_count=1,
            )
        bot.clock = Clock(time.now, time.sleep)
        bot.discord_time = DiscordTime(time.now)  # real time would expire clicks on a busy machine
        bot.garbage = GarbageSchedule()
        discord = ForgetfulDiscord(time)
        replaced = vars(aiohttp) | {"ClientSession": discord}
        with patch("discord.http.aiohttp", SimpleNamespace(**replaced)):  # only for this bot
            await bot.login("bench")
            discord.invite(bot, channels)
            await bot.on_ready()
            try:
                yield bot, discord, time
            finally:
                await bot.close()


class Players:
    """The people at one table, who click in turn."""

    def __init__(
        self, bot: Any, discord: ForgetfulDiscord, number: int, rng: random.Random
    ) -> None:
        self._bot = bot
        self._discord = discord
        self._rng = rng
        self.channel_id = discord.channel_id(number)
        self.user_ids = [1000 + _PEOPLE * number + seat for seat in range(_PEOPLE)]
        self.matches = 0
        """The number of finished matches."""
        self._playing = False
        """True if their match was running when they last acted."""

    async def open(self, target: int) -> None:
        """Open a table and sit down."""
        host, *others = self.user_ids
        await self._discord.slash(self._bot, host, self.channel_id, "new", target=target)
        for user_id in others:
            await self._press(user_id, Verb.JOIN)

    async def start(self) -> None:
        """Start the match and open all hands."""
        while not isinstance(self._bot.tables.in_channel(ChannelId(self.channel_id)), Game):
            await self._press(self.user_ids[0], Verb.START)
            await self._wait()
        for user_id in self.user_ids:
            await self._press(user_id, Verb.HAND)

    async def act(self) -> int:
        """Let somebody act; return the number of clicks."""
        table = self._bot.tables.in_channel(ChannelId(self.channel_id))
        if not isinstance(table, Game):
            self.matches += self._playing
            self._playing = False
            if table is None:
                await self._press(self.user_ids[0], Verb.REMATCH)
            await self.start()
            return 2 + _PEOPLE
        self._playing = True
        people = self._rng.sample(self.user_ids, _PEOPLE)
        if self._rng.random() < OTHER_CHANCE:
            return int(await self._use(people[0], OTHER_CONTROLS))
        moves = (Verb.READY,) if table.between_rounds else MOVES
        for user_id in people:
            if await self._use(user_id, moves):
                return 1
        return 0

    async def _press(self, user_id: int, verb: Verb) -> None:
        """Press a button as soon as it exists; raise `RuntimeError` if it does not appear."""
        for _ in range(_LONGEST_WAIT_S):
            for _ in range(200):
                if await self._use(user_id, (verb,)):
                    return
                await asyncio.sleep(0.001)
            await self._wait()
        pages = self._discord.screen(user_id, self.channel_id)
        there = sorted({_verb(part) for page in pages for part in page.controls()})
        raise RuntimeError(f"{verb} does not come in {self.channel_id}; there are {there}")

    async def _wait(self) -> None:
        """Advance by a second and run the timers due then."""
        self._discord.time.advance(1.0)
        await asyncio.sleep(0.001)

    async def _use(self, user_id: int, verbs: Sequence[Verb]) -> bool:
        """Use one of these controls on the newest page with one; return whether there was one."""
        for page in self._discord.screen(user_id, self.channel_id):
            found = [part for part in page.controls() if _verb(part) in verbs]
            if found:
                await self._click(user_id, page, self._rng.choice(found))
                return True
        return False

    async def _click(self, user_id: int, page: Shown, control: dict[str, Any]) -> None:
        values = [option["value"] for option in control.get("options", ())]
        chosen = self._rng.sample(values, control.get("min_values", 1)) if values else None
        where = self._bot, user_id, self.channel_id
        await self._discord.click(*where, page, control["custom_id"], chosen)


def _verb(control: dict[str, Any]) -> str:
    return str(control["custom_id"].split(":")[-2])


async def _let_click(players: Sequence[Players], time: Time, number: int) -> int:
    """Let people click at least `number` times in all; return the number of clicks."""
    done = 0
    while done < number:
        for first in range(_PACE_S):
            done += sum(await asyncio.gather(*(some.act() for some in players[first::_PACE_S])))
            time.advance(1.0)
    return done


async def _advance(time: Time, seconds: int) -> None:
    """Advance by `seconds` seconds, one at a time."""
    for _ in range(seconds):
        time.advance(1.0)
        await asyncio.sleep(0.001)


# --- measurements ---------------------------------------------------------------------------------


async def per_table(tables: int, clicks: int, seed: int) -> PerTable:
    """Return the mean memory of `tables` tables after `clicks` clicks at each."""
    rng = random.Random(seed)
    async with _world(seed, tables + 1) as (bot, discord, time):
        players = [Players(bot, discord, number, rng) for number in range(tables + 1)]
        first = players.pop()  # fills caches that all tables share, such as compiled statements
        await first.open(TARGETS[-1])
        await first.start()
        await _let_click([first], time, _FIRST_CLICKS)
        await _advance(time, 3600)
        tracemalloc.start()
        before = _allocated_bytes()
        await asyncio.gather(*(table.open(TARGETS[-1]) for table in players))
        await _advance(time, _PACE_S)
        lobby = _allocated_bytes()
        await asyncio.gather(*(table.start() for table in players))
        await _let_click(players, time, tables * clicks)
        playing = _allocated_bytes()
        await _advance(time, 3600)
        resting = _allocated_bytes()
        tracemalloc.stop()
        return PerTable(*((held - before) / tables for held in (lobby, playing, resting)))


def _allocated_bytes() -> int:
    """Return the bytes allocated by Python, without the fake Discord's and without caches."""
    for cache in _caches():
        cache.cache_clear()
    gc.collect()
    not_ours = [
        tracemalloc.Filter(False, "*/forgetful_discord.py"),
        tracemalloc.Filter(False, "*trace*"),
    ]
    traces = tracemalloc.take_snapshot().filter_traces(not_ours).traces
    return sum(trace.size for trace in traces)


def _caches() -> Iterator[Any]:
    """Yield the bot's functions with an `lru_cache`."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("engine", "players", "bot"):
            yield from (kept for kept in vars(module).values() if isinstance(kept, _CachedFunction))


async def growth(tables: int, seed: int, *, clicks: int = 0, matches: int = 0) -> Growth:
    """Measure resident memory while `clicks` clicks are made or `matches` matches are played."""
    rng, pauses = random.Random(seed), _Pauses()
    target = TARGETS[-1] if clicks else TARGETS[0]
    async with _world(seed, tables) as (bot, discord, time):
        players = [Players(bot, discord, number, rng) for number in range(tables)]
        await asyncio.gather(*(table.open(target) for table in players))
        await asyncio.gather(*(table.start() for table in players))
        gc.callbacks.append(pauses)
        sizes, done = [], 0
        for limit in ((clicks or matches) // 10, clicks or matches):
            while done < limit:
                new = await _let_click(players, time, tables)
                done = done + new if clicks else sum(table.matches for table in players)
            sizes.append(resident_kb())
        gc.callbacks.remove(pauses)
        early, late = sizes
        return Growth(done, early, late, tuple(pauses.full))


class _Pauses:
    """Records the computing time of full garbage collections in milliseconds."""

    def __init__(self) -> None:
        self.full: list[float] = []
        self._start = 0.0

    def __call__(self, phase: str, collection: dict[str, int]) -> None:
        if phase == "start":
            self._start = thread_time()
        elif collection["generation"] == 2:
            self.full.append(1000 * (thread_time() - self._start))


def figures(tables: int, clicks: int, matches: int, seed: int) -> Iterator[str]:
    """Yield the lines to print."""
    table = asyncio.run(per_table(40, 30, seed))
    yield (
        f"memory: {table.lobby / 1000:.0f} KB a lobby, {table.playing / 1000:.0f} KB a table in "
        f"play, {table.resting / 1000:.0f} KB a table at which nobody has come for long"
    )
    for what, grown in (
        ("clicks", asyncio.run(growth(tables, seed, clicks=clicks))),
        ("matches", asyncio.run(growth(tables, seed, matches=matches))),
    ):
        more = (grown.late - grown.early) / 1000
        yield (
            f"memory, {tables} tables: {grown.late / 1000:.0f} MB resident after {grown.done:,} "
            f"{what}, {more:+.1f} MB since the first tenth; full garbage collections take at most "
            f"{max(grown.pauses, default=0):.0f} ms"
        )


def main() -> int:
    """Measure and print the lines. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables at once (100)")
    parser.add_argument("--clicks", type=int, default=100_000, help="clicks in all (100,000)")
    parser.add_argument("--matches", type=int, default=500, help="matches in all (500)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for line in figures(given.tables, given.clicks, given.matches, given.seed):
        print_line(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
