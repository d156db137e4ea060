"""The bot as a whole: puts storage, tables, computer players and the cogs together and logs in."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import sys
from collections.abc import Callable, Coroutine
from datetime import datetime
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands
from yarl import URL

from bot.art.emojis import Emojis
from bot.art.uploads import UploadedEmojis
from bot.computers.decision_scheduler import DecisionScheduler, Pool
from bot.computers.worker_pool import Workers
from bot.doctor.behaviour import DiscordBehaviour, known_behaviour
from bot.history.background import rebuild_in_background
from bot.history.rebuild import needs_rebuild
from bot.ids import ChannelId, GuildId
from bot.live.events import ComputersChanged, EventDispatcher, MonthlyRankingDue
from bot.live.leases import ALL_SERVERS, OTHER_ENDS_WITHIN_S, Leases
from bot.live.retention import Retention
from bot.live.service import Tables
from bot.pictures.process import Painter, Pictures
from bot.profiles.monthly_ranking import MonthlyRanking
from bot.profiles.seasons import Seasons
from bot.rating.ledger import LEDGER
from bot.runtime.background import AGAIN_S, in_background, until_done
from bot.runtime.clock import Clock, Sleep
from bot.runtime.command_sync import CommandSync
from bot.runtime.discord_private import log_missing_parts
from bot.runtime.discord_requests import count_requests, limit_requests, watch_emoji_limit
from bot.runtime.discord_time import DiscordTime
from bot.runtime.gc_schedule import Garbage
from bot.runtime.heartbeat import BEAT_EVERY_S, Heartbeat
from bot.runtime.inflight import InFlight, wait_for_all
from bot.runtime.interaction_channels import name_channels
from bot.runtime.logs import kinds_and_frames
from bot.runtime.metrics import Metrics
from bot.runtime.reconnects import pause_less
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
_CLOSED_WITHIN_S = 4.0
"""How long the bot takes at its end for all that can wait for Discord, in seconds."""
_HANG_UP_S = 0.3
"""How long the bot waits at its end for Discord to take note of it, in seconds."""
_ANSWER_S = 1.0
"""How long it waits for answers to clicks and commands that are under way."""
_ART_WITHIN_S = 3.0
"""How long tables sleep on at the start until it is known which pictures Discord has, in seconds.

What they wrote before would be in plain text, and stay so until something happens there.
"""
_ART_AGAIN_S = 60.0
"""The first pause before pictures are tried again that Discord did not give or take, in seconds."""
_LONGEST_ART_PAUSE_S = 6 * 3600.0


class TichuBot(commands.AutoShardedBot):
    """The application as a Discord client.

    Only `settings` is needed. The other arguments are for tests and for the demo, which replace
    parts of the bot:

    - `sleep` waits for a number of seconds, in the time of a simulated Discord;
    - `rng` makes the random choices of Novices and the seeds of Experts;
    - `draw_secret` and `prepare` decide the decks (`bot.table.dealing`);
    - `pool` thinks for computer players, instead of the worker processes;
    - `painter` draws pictures, instead of a process for each;
    - `shard_count` is the number of connections to Discord; `None` leaves it to the settings, or
      to Discord.
    """

    store: Store
    """The database, once it is open."""
    leases: Leases
    """Which servers this process plays for, once the database is open."""
    tables: Tables
    """All open tables of these servers, once the database is open."""
    seasons: Seasons
    """What is done at the end of each month."""
    retention: Retention
    """What is done about servers that have sent the bot away."""
    garbage: Garbage | None = None
    """Decides when garbage is collected; `None` leaves that to Python."""

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
        """The time of day, and how the bot waits; in tests both can be simulated."""
        self.discord_time = DiscordTime(self.clock.now)
        """Discord's clock, which tells how old a click is."""
        self.metrics = Metrics()
        """What the bot counts and times, for `/metrics` and the line in the log."""
        some: dict[str, Any] = {}
        if (shards := settings.shards) is not None:
            shard_count = shard_count or shards.count
            some["shard_ids"] = list(shards.ids)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=_OwnServers,
            shard_count=shard_count or settings.shard_count,
            http_trace=self.discord_time.trace(),
            **some,
        )
        self.events = EventDispatcher()
        """Dispatches the events of tables and leases."""
        self.settings = settings
        """What the operator has chosen, such as in `.env`."""
        self.discord_behaviour = DiscordBehaviour()
        """Discord's behaviour: as expected, or as the doctor found it once the database is open."""
        self.art: Emojis = Emojis.plain()
        """The emojis of cards; plain text until it is known which ones Discord has."""
        self.rng = rng or random.SystemRandom()
        """Makes the random choices of Novices and the seeds of Experts."""
        self._draw_secret = draw_secret
        """Draws the secret that a deal is made from."""
        self._prepare = prepare
        """Says before each deal what is not to be drawn; used by the demo and by tests."""
        self._heartbeat = Heartbeat(settings.heartbeat_file)
        """A file with the time of the last heartbeat: from outside it shows that the bot lives."""
        self.workers: Workers | None = None
        """The processes in which computers think; `None` without any, or with another pool."""
        self.pictures = Pictures()
        """Draws pictures in a process of its own, which starts with the first picture."""
        self.painter: Painter = painter or self.pictures
        """Is asked for pictures: `pictures`, unless a test or a measurement replaces it."""
        if pool is None and settings.worker_processes:
            compiled = settings.data_folder / "compiled"
            self.workers = Workers(
                settings.worker_processes, compiled, changed=self._computers_changed
            )
        self._pool = pool or self.workers
        """Thinks for computer players: `workers` if not replaced. If `None`, Novices decide all."""
        self._woken = False
        """Whether `on_ready` has started everything that needs Discord."""
        self._outdated = False
        """Whether everything that is derived from the actions has to be derived anew."""
        self.inflight = InFlight()
        """The answers to clicks and commands that the bot finishes before it ends."""
        self.beaten_at: float | None = None
        """When the last heartbeat was due, by `metrics.now`; `None` before the first."""
        self._heartbeat_log = ThrottledLog(log, "cannot write the heartbeat")
        """Logs when that begins, once a minute while it lasts, and when it is over."""
        self.interrupted: dict[int, datetime] = {}
        """Since when a connection to Discord is interrupted, by the number of its shard."""
        self._tasks: set[asyncio.Task[None]] = set()
        """What runs in the background until the bot ends (`_in_background`)."""

    async def login(self, token: str) -> None:
        """Open the database, then log in: what is wrong with it is told before Discord is asked."""
        self.store = await Store.open(self.settings.database_url, LEDGER)
        await super().login(token)

    async def setup_hook(self) -> None:
        """Open the tables and load the cogs. discord.py awaits it at login."""
        log_missing_parts()
        limit_requests(self.http)
        count_requests(self.http, self.metrics)
        name_channels(self)
        # A file has a lock of the system, a server has not.
        on_server = self.settings.database_file is None and self.settings.shards is None
        shards = ALL_SERVERS if on_server else self.settings.shards
        self.leases = Leases(
            self.store.leases, self.clock, self.events, shards, self.settings.lease_seconds
        )
        await self.leases.begin(OTHER_ENDS_WITHIN_S if on_server else None)
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
        self.discord_behaviour = await known_behaviour(self.store.app_state)
        self._outdated = await needs_rebuild(self.store)
        if self._outdated:
            log.warning(
                "statistics and ratings are from an older version; rebuilding them in the "
                "background, which may take minutes"
            )
        self.metrics.queues |= {
            "commits": lambda: self.store.tables.waiting,
            "pictures": lambda: self.pictures.waiting,
            "decisions": lambda: self.scheduler.waiting,
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

    def serves(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether this process answers a click or a command, and not another one."""
        return self.leases.serves(GuildId(interaction.guild_id or 0))

    @property
    def novices_sit_in(self) -> bool:
        """Whether Novices play in place of Experts until these are ready."""
        return self._pool is not None and self._pool.novices_sit_in

    def _computers_changed(self) -> None:
        """Have the tables say whether Novices sit in."""
        self.events.dispatch(ComputersChanged())

    def _novice(self, view: View, manner: Manner) -> Action | None:
        """The action of a Novice, computed at once; `None` if nothing is asked of the seat."""
        return choose("novice", view, self.rng.getrandbits(63), 0.0, manner=manner)

    async def on_ready(self) -> None:
        """Start everything that needs Discord: commands, workers, timers, seasons, pictures.

        discord.py calls this again after some interruptions; only the first call does it.
        """
        if self._woken:
            return
        self._woken = True
        if self.garbage is not None:
            self.garbage.begin(self.clock.now())  # before the tables make what goes with them
        if self.workers is not None:
            self.workers.start()
        keep_synced = self._command_sync().keep_synced
        self._in_background(partial(keep_synced, self.clock.sleep, self.leases.alone), "commands")
        await asyncio.wait({self._in_background(self._find_art, "art")}, timeout=_ART_WITHIN_S)
        self.tables.activate_all()
        self._in_background(partial(self.seasons.begin, MonthlyRankingPoster(self)), "seasons")
        self._in_background(partial(self.store.keep_expiring, self.clock), "old-backups")
        if self._outdated:
            self._in_background(self._rebuild, "rebuild")
        self._in_background(self.retention.run, "retention")
        self._in_background(self._beat, "heartbeat", BEAT_EVERY_S)
        log.info(
            "ready: %s servers, %s open tables", len(self.guilds), len(list(self.tables.all()))
        )

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Open one of the connections to Discord; discord.py calls this once for each."""
        await super().launch_shard(gateway, shard_id, initial=initial)
        pause_less(self.shards[shard_id])

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that one of the connections is gone; the others do not hide it."""
        if shard_id not in self.interrupted and not self.inflight.closing:
            self.interrupted[shard_id] = self.clock.now()
            log.info("shard %s: disconnected from Discord, reconnecting", shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that this connection is there again."""
        self._connected(shard_id, "resumed")

    async def on_shard_ready(self, shard_id: int) -> None:
        """Note that this connection is there, for the first time or with a new session."""
        self._connected(shard_id, "new session")

    def _connected(self, shard_id: int, how: str) -> None:
        """Note that this connection is there."""
        since = self.interrupted.pop(shard_id, None)
        if since is not None:
            away = (self.clock.now() - since).total_seconds()
            log.info("shard %s: reconnected after %.1f s (%s)", shard_id, away, how)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log what a listener has raised, without its text, which may name cards."""
        error = sys.exception()
        trail = "" if error is None else kinds_and_frames(error)
        log.error("unhandled exception in %s:\n%s", event_method, trail)

    def _in_background(
        self, work: Callable[[], Coroutine[Any, Any, object]], name: str, pause_s: float = AGAIN_S
    ) -> asyncio.Task[None]:
        """Run `work` as a task that ends with the bot, again after a pause if it raises."""
        again = until_done(work, name, self.clock.sleep, pause_s)
        return in_background(again, name, self._tasks)

    async def _find_art(self) -> None:
        """Use the pictures that Discord has; have the others uploaded."""
        pictures = await UploadedEmojis.load(self, EmojiVersions(self.store.app_state))
        self.art = pictures
        watch_emoji_limit(self.http, pictures.limited)
        self._in_background(partial(self._upload_art, pictures), "art-uploads")
        if self.leases.shared:
            self._in_background(partial(self._refresh_art, pictures), "art-refresh")

    async def _upload_art(self, pictures: UploadedEmojis) -> None:
        """Upload the pictures that are missing.

        What fails is tried again; each pause is twice as long as the one before.
        """
        for tries in itertools.count():
            if not pictures.missing():
                return
            if tries:
                pause = min(_ART_AGAIN_S * 2.0 ** min(tries - 1, 10), _LONGEST_ART_PAUSE_S)
                await self.clock.sleep(max(pause, pictures.wait_s))
            async with self.leases.alone("pictures"):
                await pictures.bring_up_to_date()

    async def _refresh_art(self, pictures: UploadedEmojis) -> None:
        """Use the pictures that another process uploads, which may take it an hour."""
        while pictures.missing():
            await self.clock.sleep(_ART_AGAIN_S)
            await pictures.refresh()

    async def _rebuild(self) -> None:
        """Have everything derived anew, unless another process has had it done meanwhile."""
        file = self.settings.database_file
        database = self.settings.database_url if file is None else file.resolve()
        async with self.leases.alone("rebuild"):
            if await needs_rebuild(self.store):
                await rebuild_in_background(database, self.clock)

    async def _beat(self) -> None:
        """Write the heartbeat now and then; collect garbage when it is time."""
        while True:
            self.beaten_at = self.metrics.now()
            try:
                self._heartbeat.beat(self.interrupted)
            except OSError as error:
                self._heartbeat_log.failure(str(error))
            else:
                self._heartbeat_log.success()
            if self.garbage is not None:
                self.garbage.tidy(self.clock.now())
            await self.clock.sleep(BEAT_EVERY_S)

    async def sync_commands(self) -> int:
        """Register the slash commands with Discord; return how many they are.

        With `dev_guild_id` they are registered for that server alone. Raises discord.py's errors.
        """
        return await self._command_sync().sync()

    def _command_sync(self) -> CommandSync:
        return CommandSync(self.tree, self.settings.dev_guild_id, self.store.app_state)

    async def close(self) -> None:
        """Stop clocks and take no more clicks, finish what is under way, then close all else.

        Whoever waits for Discord gets no more than a moment, and all of them together no more than
        `_CLOSED_WITHIN_S`, so that the bot is gone within five seconds. What is stored and was not
        sent is sent at the next start.
        """
        closing = self.inflight
        closing.close_within(_CLOSED_WITHIN_S)
        for task in list(self._tasks):
            task.cancel()
        if hasattr(self, "tables"):
            self.tables.close()
        hanging_up = [shard.disconnect() for shard in self.shards.values()]
        thinkers = [] if self.workers is None else [self.workers.close()]
        await asyncio.gather(
            wait_for_all(hanging_up, closing.remaining(_HANG_UP_S)),
            closing.wait(closing.remaining(_ANSWER_S)),
            *thinkers,
        )
        for extension in tuple(self.extensions):
            await self.unload_extension(extension)
        await self.pictures.close()
        if hasattr(self, "leases"):
            await self.leases.close()
        if hasattr(self, "store"):
            await self.store.close()
        self._heartbeat.stop()
        await wait_for_all([super().close()], closing.remaining(_HANG_UP_S))


class _OwnServers(app_commands.CommandTree["TichuBot"]):
    """The commands; those of servers for which another process plays are left to it."""

    async def interaction_check(self, interaction: discord.Interaction[TichuBot], /) -> bool:
        """Called by discord.py before each command and each completion of one."""
        return self.client.serves(interaction)


class MonthlyRankingPoster:
    """Has monthly rankings posted by the handler of `MonthlyRankingDue`."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot

    def serves(self, guild_id: GuildId) -> bool:
        """Whether the bot is in that server, and this process plays for it."""
        return self._bot.get_guild(guild_id) is not None and self._bot.leases.serves(guild_id)

    async def post(self, guild_id: GuildId, channel_id: ChannelId, ranking: MonthlyRanking) -> None:
        """Wait until a ranking is posted.

        Raises discord.py's errors, or `RuntimeError` if there is no handler.
        """
        posted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        due = MonthlyRankingDue(guild_id, channel_id, ranking, posted)
        if not self._bot.events.dispatch(due):
            raise RuntimeError("no handler for MonthlyRankingDue")
        await posted
