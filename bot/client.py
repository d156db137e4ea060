"""The bot: opens the store, rebuilds the tables, loads the cogs, syncs commands when they changed.

`sleep` is the clock's; tests and the demo give one that follows a simulated Discord's time, and
chance of their own: `secret` and `prepare` make the decks (`bot.table.dealing`), `rng` the
moves. A `pool` of theirs thinks in place of the worker processes, a `painter` draws in theirs.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import random
from typing import Any

import discord
from discord.ext import commands

from bot.art.emojis import Emojis
from bot.art.uploads import UploadedEmojis
from bot.charts.process import Painter, Pictures
from bot.computers.thinking import Pool, Thinking
from bot.computers.worker_pool import Workers
from bot.live.events import HonoursDue
from bot.live.service import Tables
from bot.profiles.honours import Honours
from bot.profiles.seasons import Seasons
from bot.rating.ledger import LEDGER
from bot.runtime.clock import Clock, Sleep
from bot.runtime.gc_schedule import Garbage
from bot.runtime.heartbeat import BEAT_EVERY_S, Heartbeat
from bot.runtime.settings import Settings
from bot.storage import Store
from bot.table.dealing import Prepare, Secrets, new_secret, nothing_prepared
from engine import Action, View
from players.levels import choose

log = logging.getLogger(__name__)

EXTENSIONS = ("cogs.tichu",)
_SYNCED = "synced-commands"


class TichuBot(commands.AutoShardedBot):
    """The application as a Discord client."""

    store: Store
    tables: Tables
    seasons: Seasons
    garbage: Garbage | None = None

    def __init__(
        self,
        settings: Settings,
        *,
        sleep: Sleep = asyncio.sleep,
        rng: random.Random | None = None,
        secret: Secrets = new_secret,
        prepare: Prepare = nothing_prepared,
        pool: Pool | None = None,
        painter: Painter | None = None,
        shard_count: int | None = None,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=shard_count,
        )
        self.settings = settings
        self.clock = Clock(discord.utils.utcnow, sleep)
        self.art: Emojis = Emojis.plain()
        self.rng = rng or random.SystemRandom()
        self._secret = secret
        self._prepare = prepare
        self._heartbeat = Heartbeat(settings.heartbeat_file)
        self.workers: Workers | None = None
        folder = settings.database_file.parent
        self.painter: Painter = painter or Pictures(folder / "drawing")
        if pool is None and settings.worker_processes:
            self.workers = Workers(settings.worker_processes, folder / "compiled")
        self._pool = pool or self.workers
        self._woken = False
        self._connected = False
        self._tasks: set[asyncio.Task[Any]] = set()

    async def setup_hook(self) -> None:
        """Before the gateway connects: storage, tables, cogs, commands."""
        self.store = await Store.open(self.settings.database_url, LEDGER)
        self.thinking = Thinking(self.clock.now, self._novice, self._pool, self.rng)
        self.tables = Tables(
            self.store,
            self.clock,
            self.thinking,
            max_per_guild=self.settings.max_tables_per_guild,
            secret=self._secret,
            prepare=self._prepare,
        )
        if await self.store.rankings.needs_rebuild():
            log.warning(
                "ratings and leaderboards know nothing of older rounds: stop the bot and run "
                "`python -m bot rebuild` once"
            )
        self.seasons = Seasons(self.store, self.clock)
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tables.open()
        if self.settings.sync_commands == "auto":
            await self._sync_if_changed()

    def _novice(self, seen: View) -> Action | None:
        """What a Novice does, known at once."""
        return choose("novice", seen, self.rng.getrandbits(63), 0.0)

    async def on_ready(self) -> None:
        """Connected: show restored tables and start their clocks, once in a bot's life."""
        self._connected = True
        if self._woken:
            return
        self._woken = True
        if self.workers is not None:
            self.workers.start()
        self.tables.wake()
        self._in_background(self.seasons.begin(SeasonHerald(self)), "seasons")
        self._in_background(self._load_art(), "art")
        self._in_background(self._beat(), "heartbeat")
        log.info(
            "ready: %s servers, %s open tables", len(self.guilds), len(list(self.tables.all()))
        )

    async def on_resumed(self) -> None:
        """Connected again."""
        self._connected = True

    async def on_disconnect(self) -> None:
        """The gateway is gone for now; if it stays away, the health check will tell."""
        self._connected = False

    def _in_background(self, work: Any, name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _load_art(self) -> None:
        self.art = pictures = await UploadedEmojis.load(self)
        await pictures.upload_missing()

    async def _beat(self) -> None:
        while True:
            if self.garbage is not None:
                playing = any(state.running for state in self.tables.all())
                self.garbage.tidy(self.clock.now(), playing=playing)
            if self._connected:
                try:
                    self._heartbeat.beat()
                except OSError as error:
                    log.error("the heartbeat cannot be written: %s", error)
            await self.clock.sleep(BEAT_EVERY_S)

    # --- slash commands ------------------------------------------------------------------------

    async def sync_commands(self) -> int:
        """Tell Discord the commands (in one server only for development); their number."""
        guild = None
        if self.settings.dev_guild_id is not None:
            guild = discord.Object(self.settings.dev_guild_id)
            self.tree.copy_global_to(guild=guild)
        synced = await self.tree.sync(guild=guild)
        await self.store.settings.keep(_SYNCED, self._definitions())
        return len(synced)

    async def _sync_if_changed(self) -> None:
        if await self.store.settings.value(_SYNCED) != self._definitions():
            count = await self.sync_commands()
            log.info("%s commands synced, because their definitions changed", count)

    def _definitions(self) -> str:
        """A digest of all command definitions and where they are synced to."""
        found = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        where = str(self.settings.dev_guild_id)
        return hashlib.sha256(json.dumps([where, found], sort_keys=True).encode()).hexdigest()

    async def close(self) -> None:
        """Stop clocks and tasks, close the gateway, then the store."""
        for task in list(self._tasks):
            task.cancel()
        if hasattr(self, "tables"):
            self.tables.close()
        if self.workers is not None:
            await self.workers.close()
        await super().close()
        if hasattr(self, "store"):
            await self.store.close()
        self._heartbeat.stop()


class SeasonHerald:
    """Has tables of honour posted: tells the listener, and waits for the outcome."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot

    def serves(self, guild_id: int) -> bool:
        """Whether the bot is in that server."""
        return self._bot.get_guild(guild_id) is not None

    async def post(self, guild_id: int, channel_id: int, honours: Honours) -> None:
        """Have a table of honour posted; raises discord.py's errors."""
        posted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._bot.tables.news.tell(HonoursDue(guild_id, channel_id, honours, posted))
        await posted
