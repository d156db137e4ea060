"""Composition root: connects storage, tables, computer players and cogs, and logs in."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import sys
import time
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands
from yarl import URL

from bot.art.emojis import Emojis
from bot.art.uploads import UploadedEmojis
from bot.coach.reviews import Reviews
from bot.computers.background_tasks import Pool
from bot.computers.decision_scheduler import DecisionScheduler
from bot.computers.worker_pool import Workers
from bot.doctor.behaviour import DiscordBehaviour, known_behaviour
from bot.history.background import rebuild_in_background
from bot.history.rebuild import needs_rebuild
from bot.history.replay_cache import Replays, SharedWork
from bot.history.solo_replays import SoloReplays
from bot.ids import GuildId
from bot.live.boards import Boards
from bot.live.events import ComputersChanged, EventDispatcher
from bot.live.leases import ALL_SERVERS, OTHER_ENDS_WITHIN_S, Leases
from bot.live.ranking_poster import MonthlyRankingPoster
from bot.live.reminders import Reminders
from bot.live.retention import Retention
from bot.live.service import Tables
from bot.pictures.process import Painter, Pictures
from bot.profiles.seasons import Seasons
from bot.rating.ledger import LEDGER
from bot.runtime.background import RESTART_PAUSE_S, in_background, retry_until_done
from bot.runtime.clock import Clock, Sleep
from bot.runtime.command_sync import CommandSync
from bot.runtime.discord_private import log_missing_parts, measure_heartbeats
from bot.runtime.discord_requests import count_requests, limit_requests, watch_emoji_limit
from bot.runtime.discord_time import DiscordTime
from bot.runtime.gc_schedule import GarbageSchedule
from bot.runtime.heartbeat import BEAT_EVERY_S, Heartbeat
from bot.runtime.inflight import InFlight, wait_for_all
from bot.runtime.interaction_channels import complete_interactions
from bot.runtime.logs import kinds_and_frames
from bot.runtime.metrics import Metrics
from bot.runtime.reconnects import set_reconnect_backoff
from bot.runtime.settings import Settings
from bot.runtime.throttled_log import ThrottledLog
from bot.storage import Store
from bot.storage.app_state import EmojiVersions
from bot.table.dealing import DrawSecret, Prepare, new_secret, nothing_prepared
from engine import Action, View
from players.levels import choose
from players.manners import Manner

log = logging.getLogger(__name__)

EXTENSIONS = ("cogs.tichu",)
_SHUTDOWN_S = 4.0
"""Timeout of the shutdown steps that wait for Discord, all together, in seconds."""
_DISCONNECT_S = 0.3
"""Timeout of closing a gateway connection at shutdown, in seconds."""
_TAKE_OVER_WITHIN = timedelta(seconds=2.5)
"""Age up to which a click is answered by the process that takes over from another one.

Half a second of Discord's time limit remains for the response.
"""
_CLOCK_ERROR = timedelta(seconds=1)
"""Largest expected error of the age of a click, when it is compared with that of a lease."""
_ANSWERED_OR_LATE = 40060, 10062
"""Codes of Discord's errors for a click that has an answer, or is older than three seconds."""
_RESPONSE_S = 1.0
"""Timeout of responses in flight at shutdown, in seconds."""
_ART_WITHIN_S = 3.0
"""Longest time that the connection to Discord waits for the list of uploaded emojis, in seconds.

Without that list pages would show cards as text until they change.
"""
_ART_RETRY_S = 60.0
"""First pause before failed uploads of emojis are retried, in seconds."""
_LONGEST_ART_PAUSE_S = 6 * 3600.0
"""Longest pause before failed uploads of emojis are retried, in seconds."""


class TichuBot(commands.AutoShardedBot):
    """The application as a Discord client.

    Only `settings` is required. Tests and the demo replace parts of the bot by the other arguments:

    - `sleep` waits for a number of seconds of simulated time;
    - `rng` makes the random choices of Novices and the seeds of Experts;
    - `draw_secret` and `prepare` determine the decks (`bot.table.dealing`);
    - `pool` decides for computer players, instead of the worker processes;
    - `painter` draws pictures, instead of the process for pictures;
    - `shard_count` is the number of shards, instead of that of the settings or of Discord.
    """

    store: Store
    """Database, once it is open."""
    leases: Leases
    """Leases of the servers that this process serves, once the database is open."""
    tables: Tables
    """Open tables of these servers, once the database is open."""
    boards: Boards
    """Boards, and the rounds that people play on them, once the database is open."""
    replays: Replays
    """Cache of replays, once the database is open."""
    solo_replays: SoloReplays
    """Builder of replays of solo rounds, once the database is open."""
    reviews: Reviews
    """Reviews of finished rounds, once the database is open."""
    seasons: Seasons
    """Work at the end of each month."""
    retention: Retention
    """Erasure of data of servers that have removed the bot."""
    _loading_art: asyncio.Task[None]
    """Task that loads the list of emojis, from `setup_hook` on."""
    garbage: GarbageSchedule | None = None
    """Schedule of full garbage collections; `None` leaves them to Python."""

    def __init__(
        self,
        settings: Settings,
        *,
        sleep: Sleep = asyncio.sleep,
        rng: random.Random | None = None,
        draw_secret: DrawSecret = new_secret,
        prepare: Prepare = nothing_prepared,
        pool: Pool | None = None,
        painter: Painter | None = None,
        shard_count: int | None = None,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        self.clock = Clock(discord.utils.utcnow, sleep)
        """Wall clock and sleep; tests simulate both."""
        self.discord_time = DiscordTime(self.clock.now)
        """Estimate of Discord's clock, for the age of clicks."""
        self.metrics = Metrics()
        """Metrics for `/metrics` and the log summary."""
        shard_ids: dict[str, Any] = {}
        if (shards := settings.shards) is not None:
            shard_count = shard_count or shards.count
            shard_ids["shard_ids"] = list(shards.ids)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=_ServedCommandTree,
            shard_count=shard_count or settings.shard_count,
            http_trace=self.discord_time.trace(),
            **shard_ids,
        )
        self.shared_work = SharedWork()
        """Long computations shared by several readers."""
        self.events = EventDispatcher()
        """Dispatcher of the events of tables and leases."""
        self.settings = settings
        """Settings of the operator."""
        self.discord_behaviour = DiscordBehaviour()
        """Discord's behaviour: the defaults, or the doctor's findings once the database is open."""
        self.art: Emojis = Emojis.plain()
        """Emojis of cards; plain text until Discord's emojis are known."""
        self.rng = rng or random.SystemRandom()
        """Random choices of Novices, and seeds of Experts."""
        self._draw_secret = draw_secret
        """Function that draws the secret of a deal."""
        self._prepare = prepare
        """Function that presets parts of a deal, for the demo and for tests."""
        self._heartbeat = Heartbeat(settings.heartbeat_file)
        """File with the time of the last heartbeat."""
        self.workers: Workers | None = None
        """Worker processes of computer players; `None` without any, or with another pool."""
        self.pictures = Pictures()
        """Process that draws pictures; it starts with the first picture."""
        self.painter: Painter = painter or self.pictures
        """Drawer of pictures: `pictures`, unless a test or benchmark replaces it."""
        if pool is None and settings.worker_processes:
            compiled = settings.data_folder / "compiled"
            self.workers = Workers(
                settings.worker_processes, compiled, changed=self._computers_changed
            )
        self._pool = pool or self.workers
        """Pool of computer players: `workers`, unless replaced; `None` for Novices only."""
        self._started = False
        """True after the first `on_ready`."""
        self._outdated = False
        """True if the derived data come from an older version."""
        self.inflight = InFlight()
        """Clicks and commands in flight, for which the bot waits before it exits."""
        self.beaten_at: float | None = None
        """Time of the last heartbeat, by `metrics.now`; `None` before the first."""
        self._heartbeat_log = ThrottledLog(log, "cannot write the heartbeat")
        self.interrupted: dict[int, datetime] = {}
        """Times at which the shards that are now disconnected lost their connection, by shard."""
        self._tasks: set[asyncio.Task[None]] = set()
        """Background tasks that end with the bot."""

    async def login(self, token: str) -> None:
        """Open the database and then log in, so that database errors are reported first."""
        self.store = await Store.open(self.settings.database_url, LEDGER)
        await super().login(token)

    async def setup_hook(self) -> None:
        """Open the tables and load the cogs. discord.py awaits it at login."""
        log_missing_parts()
        measure_heartbeats()
        limit_requests(self.http)
        count_requests(self.http, self.metrics)
        complete_interactions(self, self.metrics)
        # Two bots must not use one database. SQLite files are locked; PostgreSQL needs a lease.
        needs_lease = self.settings.database_file is None and self.settings.shards is None
        shards = ALL_SERVERS if needs_lease else self.settings.shards
        self.leases = Leases(
            self.store.leases, self.clock, self.events, shards, self.settings.lease_seconds
        )
        await self.leases.begin(OTHER_ENDS_WITHIN_S if needs_lease else None)
        self._loading_art = self._in_background(self._load_art, "art")
        self.scheduler = DecisionScheduler(self.clock.now, self._novice, self._pool, self.rng)
        self.tables = Tables(
            self.store,
            self.clock,
            self.scheduler,
            max_per_guild=self.settings.max_tables_per_guild,
            max_per_user=self.settings.max_tables_per_user,
            draw_secret=self._draw_secret,
            prepare=self._prepare,
            events=self.events,
            leases=self.leases,
        )
        self.boards = self.tables.boards
        self.replays = Replays(self.store, self.shared_work)
        self.solo_replays = SoloReplays(self.store, self.shared_work)
        background, now = self.scheduler.background, self.clock.now
        self.reviews = Reviews(self.store, background, self.tables, now, self.rng)
        self.discord_behaviour = await known_behaviour(self.store.app_state)
        self._outdated = await needs_rebuild(self.store)
        if self._outdated:
            log.warning(
                "statistics and ratings are from an older version; rebuilding them in the "
                "background, which may take minutes"
            )
        self.metrics.queues |= {
            "clicks": lambda: self.inflight.waiting,
            "commits": lambda: self.store.tables.waiting,
            "pictures": lambda: self.pictures.waiting,
            "decisions": lambda: self.scheduler.waiting,
            "reviews": lambda: self.scheduler.background.waiting,
        }
        self.seasons = Seasons(self.store, self.clock)
        self.retention = Retention(
            self.store,
            self.tables,
            self.clock,
            lambda: {GuildId(guild.id) for guild in self.guilds},
            days=self.settings.forget_servers_after_days,
            leases=self.leases,
        )
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tables.open()
        await asyncio.wait({self._loading_art}, timeout=_ART_WITHIN_S)

    async def accepts(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether this process answers this interaction, and not another process.

        In a replacement both processes receive each interaction. The old one leaves those that it
        receives after SIGTERM to the new one, which waits for the lease of the server. An
        interaction from before that has an answer, so Discord refuses a second one.
        """
        if not self.leases.shared:
            return True
        guild_id = self.leases.answered_as(GuildId(interaction.guild_id or 0))
        ownership = self.tables.shard_ownership
        age = max(timedelta(), self.discord_time.age(interaction.created_at))
        replaces = self.settings.shards is not None  # otherwise the lease is against a second bot
        is_older = self.leases.gained_within(age + _CLOCK_ERROR)  # a busy process is late
        if ownership.is_ready(guild_id) and not (replaces and is_older):
            return not (replaces and self.inflight.closing)
        await ownership.wait_until_ready(guild_id, _TAKE_OVER_WITHIN - age)
        if self.inflight.closing or not self.leases.serves(guild_id):
            return False
        return await _claim(interaction)  # if tables are missing, the click is then refused

    def is_ready_for(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether this process goes on, and has loaded the tables for this interaction."""
        guild_id = self.leases.answered_as(GuildId(interaction.guild_id or 0))
        return not self.inflight.closing and self.tables.shard_ownership.all_loaded(guild_id)

    @property
    def novices_sit_in(self) -> bool:
        """True while Novices replace Experts that are not ready yet."""
        return self._pool is not None and self._pool.novices_sit_in

    def _computers_changed(self) -> None:
        """Notify the tables that `novices_sit_in` has changed."""
        self.events.dispatch(ComputersChanged())

    def _novice(self, view: View, manner: Manner) -> Action | None:
        """Return the action of a Novice, or `None` if the seat has nothing to decide."""
        return choose("novice", view, self.rng.getrandbits(63), 0.0, manner=manner)

    async def on_ready(self) -> None:
        """Start everything that needs the connection: commands, workers, timers, seasons, emojis.

        discord.py calls this again after some interruptions; only the first call has an effect.
        """
        if self._started:
            return
        self._started = True
        if self.garbage is not None:
            self.garbage.begin(self.clock.now())  # before tables create objects
        if self.workers is not None:
            self.workers.start()
        keep_synced = partial(self._command_sync().keep_synced, self.clock.sleep)
        self._in_background(partial(keep_synced, self.leases.exclusive), "commands")
        self._in_background(self._complete_art, "art-completion")
        self.tables.activate_all()
        poster = MonthlyRankingPoster(self.events, self.leases, self.get_guild)
        self._in_background(partial(self.seasons.begin, poster), "seasons")
        reminders = Reminders(self.store, self.clock, self.events, self.leases)
        self._in_background(reminders.run, "reminders")
        self._in_background(partial(self.store.keep_expiring, self.clock), "old-backups")
        if self._outdated:
            self._in_background(self._rebuild, "rebuild")
        self._in_background(self.retention.run, "retention")
        self._in_background(self.boards.keep_drawn, "boards")
        self._in_background(self.tables.challenges.run, "challenges")
        self._in_background(self.tables.club_events.run, "club-events")
        self._in_background(self._beat, "heartbeat", BEAT_EVERY_S)
        self.metrics.ready_at = time.time()
        log.info(
            "ready: %s servers, %s open tables", len(self.guilds), len(list(self.tables.all()))
        )

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Open a shard and set the backoff of its reconnects; called by discord.py."""
        await super().launch_shard(gateway, shard_id, initial=initial)
        set_reconnect_backoff(self.shards[shard_id])

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Record and log the start of a shard's interruption."""
        if shard_id not in self.interrupted and not self.inflight.closing:
            self.interrupted[shard_id] = self.clock.now()
            log.info("shard %s: disconnected from Discord, reconnecting", shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Record and log the end of an interruption."""
        self._on_reconnect(shard_id, "resumed")

    async def on_shard_ready(self, shard_id: int) -> None:
        """Record and log the end of an interruption that needed a new session."""
        self._on_reconnect(shard_id, "new session")

    def _on_reconnect(self, shard_id: int, how: str) -> None:
        """Log how long a shard was interrupted, unless this is its first connection."""
        since = self.interrupted.pop(shard_id, None)
        if since is not None:
            seconds = (self.clock.now() - since).total_seconds()
            log.info("shard %s: reconnected after %.1f s (%s)", shard_id, seconds, how)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log the exception of a listener without its message, which may name cards."""
        error = sys.exception()
        trail = "" if error is None else kinds_and_frames(error)
        log.error("unhandled exception in %s:\n%s", event_method, trail)

    def _in_background(
        self,
        work: Callable[[], Coroutine[Any, Any, object]],
        name: str,
        pause_s: float = RESTART_PAUSE_S,
    ) -> asyncio.Task[None]:
        """Run `work` as a task that ends with the bot; restart it after an exception."""
        retrying = retry_until_done(work, name, self.clock.sleep, pause_s)
        return in_background(retrying, name, self._tasks)

    async def _load_art(self) -> None:
        """Use the emojis that Discord has."""
        self.art = await UploadedEmojis.load(self, EmojiVersions(self.store.app_state))

    async def _complete_art(self) -> None:
        """Start to upload the missing emojis, once the list of the others is loaded."""
        await self._loading_art
        emojis = self.art
        assert isinstance(emojis, UploadedEmojis)
        watch_emoji_limit(self.http, emojis.on_rate_limit)
        self._in_background(partial(self._upload_art, emojis), "art-uploads")
        if self.leases.shared:
            self._in_background(partial(self._refresh_art, emojis), "art-refresh")

    async def _upload_art(self, emojis: UploadedEmojis) -> None:
        """Upload the missing emojis, with growing pauses after failures."""
        for failures in itertools.count():
            if not emojis.missing():
                return
            if failures:
                pause = min(_ART_RETRY_S * 2.0 ** min(failures - 1, 10), _LONGEST_ART_PAUSE_S)
                await self.clock.sleep(max(pause, emojis.wait_s))
            async with self.leases.exclusive("pictures"):
                await emojis.bring_up_to_date()

    async def _refresh_art(self, emojis: UploadedEmojis) -> None:
        """Fetch the emojis that another process is uploading, until all are there."""
        while emojis.missing():
            await self.clock.sleep(_ART_RETRY_S)
            await emojis.refresh()

    async def _rebuild(self) -> None:
        """Rebuild the derived data, unless another process has done so."""
        file = self.settings.database_file
        database = self.settings.database_url if file is None else file.resolve()
        async with self.leases.exclusive("rebuild"):
            if await needs_rebuild(self.store):
                await rebuild_in_background(database, self.clock)

    async def _beat(self) -> None:
        """Write the heartbeat every `BEAT_EVERY_S` seconds, and run due garbage collections."""
        while True:
            self.beaten_at = self.metrics.now()
            try:
                self._heartbeat.beat(self.interrupted)
            except OSError as error:
                self._heartbeat_log.failure(str(error))
            else:
                self._heartbeat_log.success()
            if self.garbage is not None:
                self.garbage.collect_if_due(self.clock.now())
            await self.clock.sleep(BEAT_EVERY_S)

    async def sync_commands(self) -> int:
        """Register the slash commands with Discord; return their number.

        With `dev_guild_id` they are registered for that server alone. Raise discord.py's errors.
        """
        return await self._command_sync().sync()

    def _command_sync(self) -> CommandSync:
        return CommandSync(self.tree, self.settings.dev_guild_id, self.store.app_state)

    async def close(self) -> None:
        """Refuse new clicks, finish those in flight, and close all parts of the bot.

        All steps that wait for Discord end within `_SHUTDOWN_S` together, so that the bot exits
        within five seconds. Undelivered messages in the outbox are sent at the next start.
        """
        self.inflight.close_within(_SHUTDOWN_S)
        for task in list(self._tasks):
            task.cancel()
        disconnects = [shard.disconnect() for shard in self.shards.values()]
        await asyncio.gather(
            wait_for_all(disconnects, self.inflight.remaining(_DISCONNECT_S)),
            self.inflight.wait(self.inflight.remaining(_RESPONSE_S)),
        )
        if hasattr(self, "tables"):
            self.tables.close()
        for extension in tuple(self.extensions):
            await self.unload_extension(extension)
        if hasattr(self, "leases"):
            await self.leases.close()  # the next process serves from now on
        if self.workers is not None:
            await self.workers.close()
        await self.pictures.close()
        if hasattr(self, "store"):
            await self.store.close()
        self._heartbeat.stop()
        await wait_for_all([super().close()], self.inflight.remaining(_DISCONNECT_S))


class _ServedCommandTree(app_commands.CommandTree["TichuBot"]):
    """Command tree that ignores commands from servers which another process serves."""

    async def interaction_check(self, interaction: discord.Interaction[TichuBot], /) -> bool:
        """Return whether this process answers a command or completion; discord.py calls it."""
        return await self.client.accepts(interaction)


async def _claim(interaction: discord.Interaction[Any]) -> bool:
    """Defer the response; return False if another process has answered, or if it is too late."""
    if interaction.type is discord.InteractionType.autocomplete:
        return True  # it cannot be deferred, and changes nothing
    is_command = interaction.type is discord.InteractionType.application_command
    try:
        await interaction.response.defer(ephemeral=is_command, thinking=is_command)
    except (discord.HTTPException, OSError, TimeoutError) as error:
        code = getattr(error, "code", 0)
        if code not in _ANSWERED_OR_LATE:
            log.warning("click left to another process: %s %s", type(error).__name__, code)
        return False
    return True
