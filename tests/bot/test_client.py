"""The running bot: intents, mentions, command sync, heartbeat and shutdown."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import Context
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVarTuple

import discord
import pytest
from discord import app_commands
from pydantic import SecretStr
from simcord import Env

from bot.client import TichuBot
from bot.computers.worker_pool import Workers
from bot.errors import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.live.events import EventDispatcher, MonthlyRankingDue
from bot.live.ranking_poster import MonthlyRankingPoster
from bot.live.retention import Retention
from bot.profiles.monthly_ranking import MonthlyRanking
from bot.profiles.seasons import Seasons
from bot.rating.ledger import LEDGER
from bot.runtime import heartbeat
from bot.runtime.heartbeat import Heartbeat
from bot.runtime.settings import Settings
from bot.storage import Store
from bot.table.lobby import LobbyPlan, new_chairs
from cogs.delivery.announcer import Announcer
from cogs.pages.verbs import Verb
from tests.bot.computers import strange_players
from tests.bot.databases import place_database
from tests.bot.fake_time import settle
from tests.bot.table_world import QUICK
from tests.bot.text.test_table_page import SIT_IN
from tests.simcord_clicks import (
    PATIENCE,
    Person,
    has,
    messages,
    newcomers,
    quicken,
    text,
    virtual_sleep,
)

Given = TypeVarTuple("Given")


class Home:
    """Folder of one bot, and the bots started in it one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: Env | None = None
        self.guild_id = 0

    def settings(self, **given: Any) -> Settings:
        """Return settings with all paths in the folder."""
        values: dict[str, Any] = {
            "discord_token": SecretStr("secret"),
            "database_url": f"sqlite+aiosqlite:///{self.folder}/tichu.db",
            "heartbeat_file": self.folder / "heartbeat",
            "worker_processes": 0,
        }
        return Settings(_env_file=None, **values | given)

    def bot(self, **given: Any) -> TichuBot:
        """Return a bot that sleeps in simulated time."""
        settings = self.settings(**given)
        count = 1 if settings.shards is None else settings.shards.count
        return TichuBot(settings, sleep=virtual_sleep(self._env), shard_count=count)

    def _env(self) -> Env:
        assert self.env is not None
        return self.env

    @asynccontextmanager
    async def running(
        self, bot: TichuBot, beforehand: Callable[[Env], None] = lambda _: None
    ) -> AsyncIterator[Env]:
        """Run the bot in a simulated Discord on a database with the newest schema."""
        await place_database(self.folder / "tichu.db")
        self.env = Env(bot, settle_timeout=PATIENCE)
        quicken(self.env)
        beforehand(self.env)
        await self.env.start()
        yield self.env
        assert self.env.errors == []
        await self.env.shutdown()
        await self._end(self.env.bot)

    async def restart(self, bot: TichuBot) -> list[str]:
        """Restart with another bot; return the target and number of the commands it synced."""
        env = self._env()
        old, cursor = env.bot, len(env.http_requests)
        await env.restart_bot(bot)
        await self._end(old)
        return synced(env, cursor)

    async def _end(self, bot: Any) -> None:
        await bot.pictures.close()
        await bot.store.close()


async def a_table(home: Home, **options: Any) -> Person:
    """Open a table; return its host."""
    assert home.env is not None
    guild = home.env.create_guild("Server")
    home.guild_id = guild.id
    (ada,) = newcomers(home.env, guild, guild.create_text_channel("tichu"), "Ada")
    await ada.slash("tichu new", **options)
    return ada


def synced(env: Env, cursor: int = 0) -> list[str]:
    """Return the targets of command syncs since then, in order."""
    puts = [request for request in env.http_requests[cursor:] if request.method == "PUT"]
    assert all(request.path.endswith("/commands") for request in puts)
    return ["/".join(request.path.split("/")[3:-1]) for request in puts]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_intents_are_guilds_only_and_mentions_are_off(home: Home) -> None:
    bot = TichuBot(home.settings())
    guilds_only = discord.Intents.none()
    guilds_only.guilds = True
    assert bot.intents == guilds_only
    mentions: Any = bot.allowed_mentions
    assert mentions.to_dict() == {"parse": []}
    assert bot.help_command is None


async def test_commands_are_synced_once(home: Home) -> None:
    async with home.running(home.bot()) as env:
        assert synced(env) == [""]
        assert await home.restart(home.bot()) == []
        assert await home.restart(home.bot()) == []


async def test_changed_commands_are_synced_again(home: Home) -> None:
    async def more(interaction: discord.Interaction[Any]) -> None:
        """Do nothing."""

    async with home.running(home.bot()):
        newer = home.bot()
        newer.tree.add_command(
            app_commands.Command(name="more", description="Another one", callback=more)
        )
        assert await home.restart(newer) == [""]
        newest = home.bot()
        newest.tree.add_command(
            app_commands.Command(name="more", description="Another text", callback=more)
        )
        assert await home.restart(newest) == [""]
        assert await home.restart(home.bot()) == [""]


async def test_syncs_to_one_guild_for_developers(home: Home) -> None:
    async with home.running(home.bot()) as env:
        guild = env.create_guild("Workshop")
        assert await home.restart(home.bot(dev_guild_id=guild.id)) == [f"guilds/{guild.id}"]
        assert await home.restart(home.bot(dev_guild_id=guild.id)) == []
        assert await home.restart(home.bot()) == [""]


async def test_syncs_unchanged_commands_on_request(home: Home) -> None:
    bot = home.bot()
    async with home.running(bot) as env:
        assert await bot.sync_commands() == 2  # the group, and the user context menu
        assert synced(env) == ["", ""]
        assert await home.restart(home.bot()) == []


async def test_syncs_again_after_a_failure(home: Home) -> None:
    def fails(env: Env) -> None:
        env.inject_error("PUT", "/applications/*/commands", status=500, message="oh", times=2)

    first = home.bot()
    async with home.running(first, beforehand=fails):
        with pytest.raises(discord.HTTPException):
            await first.sync_commands()
        assert await home.restart(home.bot()) == [""]


async def test_rebuilds_figures_of_an_older_version(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun: list[Path] = []

    async def note(database: Path, _: object) -> None:
        begun.append(database)

    monkeypatch.setattr("bot.client.rebuild_in_background", note)
    monkeypatch.setattr("bot.history.rebuild.DERIVATION", 2)
    async with home.running(home.bot()):
        assert begun == []
    file = home.settings().database_file
    assert file is not None
    await outdated(file)
    async with home.running(home.bot()):
        await settle()
    assert begun == [file.resolve()]
    (line,) = [text for text in caplog.messages if "from an older version" in text]
    assert "rebuilding them" in line


async def outdated(database: Path) -> None:
    """Mark the figures of the database as those of another version."""
    store = await Store.open(f"sqlite:///{database}", LEDGER)
    await store.history.rebuild(lambda *_: None, 1, 0)
    await store.close()


async def test_running_bot_writes_heartbeats(home: Home) -> None:
    file = home.settings().heartbeat_file
    async with home.running(home.bot()) as env:
        await env.settle()
        assert heartbeat.check(file) is None
        before = file.read_text("ascii")
        await env.advance_time(heartbeat.BEAT_EVERY_S - 1)
        assert file.read_text("ascii") == before
        await env.advance_time(2)
        assert file.read_text("ascii") > before


async def test_periodic_work_continues_after_an_exception(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done, cards = Counter[str](), "S2 DRAGON"

    def fails(name: str) -> Callable[..., object]:
        def work(*_: object) -> object:
            done[name] += 1
            raise ValueError(cards)

        return work

    bot = home.bot()
    monkeypatch.setattr(Heartbeat, "beat", fails("beat"))
    monkeypatch.setattr(Seasons, "_on_timer", fails("seasons"))
    monkeypatch.setattr(Retention, "once", fails("retention"))
    async with home.running(bot) as env:
        await env.settle()
        await env.advance_time(2 * heartbeat.BEAT_EVERY_S)
        assert done["beat"] == 3
        await env.advance_time(3600)
        assert done["seasons"] > 50
        assert done["retention"] == 5, "each time it begins with ten minutes of rest"
    for name in ("heartbeat", "seasons", "retention"):
        assert any(
            line.startswith(f"unhandled exception in task {name}") for line in caplog.messages
        )
    assert cards not in caplog.text


async def test_living_connection_does_not_hide_a_dead_one(home: Home) -> None:
    bot, file = home.bot(), home.settings().heartbeat_file

    def interrupted() -> list[str]:
        return [line.split()[0] for line in file.read_text("ascii").splitlines()[1:]]

    async def beats(env: Env) -> None:
        await env.settle()
        await env.advance_time(heartbeat.BEAT_EVERY_S)

    async with home.running(bot) as env:
        await env.settle()
        assert interrupted() == []
        for shard in (3, 1, 3):
            bot.dispatch("shard_disconnect", shard)
        await beats(env)
        assert interrupted() == ["1", "3"]
        since = file.read_text("ascii").splitlines()[1:]
        bot.dispatch("shard_disconnect", 1)
        await beats(env)
        assert file.read_text("ascii").splitlines()[1:] == since, "it is told since when"
        bot.dispatch("shard_ready", 1)
        await beats(env)
        assert interrupted() == ["3"]
        bot.dispatch("shard_resumed", 3)
        await beats(env)
        assert interrupted() == []


async def test_settings_reach_the_tables(home: Home) -> None:
    bot = home.bot(max_tables_per_guild=1)
    async with home.running(bot):
        await a_table(home)
        plan = LobbyPlan(
            GuildId(home.guild_id),
            ChannelId(3),
            UserId(3),
            QUICK,
            new_chairs(QUICK, UserId(3), "Ada"),
        )
        with pytest.raises(Refused):
            await bot.tables.create(plan)


async def test_closed_bot_leaves_nothing_behind(home: Home) -> None:
    bot = home.bot()
    await place_database(home.folder / "tichu.db")
    home.env = Env(bot, settle_timeout=PATIENCE)
    quicken(home.env)
    await home.env.start()
    await home.env.settle()
    await a_table(home)
    assert home.settings().heartbeat_file.exists()
    await bot.close()
    await bot.close()
    assert not home.settings().heartbeat_file.exists()
    assert heartbeat.check(home.settings().heartbeat_file) is not None
    await home.env.shutdown()
    store = await Store.open(home.settings().database_url, LEDGER)
    assert len(await store.tables.all_open()) == 1
    await store.close()


class LeapingLoop(asyncio.SelectorEventLoop):
    """Event loop whose clock jumps to the next timer when it is idle."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        self._alarms: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        """Return the time of this loop in seconds."""
        return self._now

    def call_at(
        self,
        when: float,
        callback: Callable[[*Given], object],
        *args: *Given,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Schedule a timer."""
        alarm = super().call_at(when, callback, *args, context=context)
        self._alarms.append(alarm)
        self._leap_when_idle()
        return alarm

    def _leap_when_idle(self, tries: int = 50) -> None:
        """Jump to the next timer after `tries` idle iterations."""
        if tries:
            self.call_soon(self._leap_when_idle, tries - 1)
        else:
            left = (alarm.when() for alarm in self._alarms if not alarm.cancelled())
            self._now = min((when for when in left if when > self._now), default=self._now)


def test_shutdown_takes_at_most_five_seconds(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = 0

    async def hangs(*_: object) -> None:
        nonlocal cancelled
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled += 1
            await asyncio.Event().wait()

    async def answers(bot: TichuBot) -> None:
        bot.inflight.add_current_task()
        await hangs()

    async def ended() -> float:
        bot = TichuBot(home.settings())
        clicks = [asyncio.create_task(answers(bot)) for _ in range(100)]
        await asyncio.sleep(0)
        shard = SimpleNamespace(disconnect=hangs)
        monkeypatch.setattr(TichuBot, "shards", {0: shard})
        monkeypatch.setattr(discord.ext.commands.AutoShardedBot, "close", hangs)
        announcer = Announcer(bot)
        monkeypatch.setattr(announcer.hands, "drain", hangs)
        monkeypatch.setattr(TichuBot, "extensions", {"cogs.tichu": None})
        monkeypatch.setattr(bot, "unload_extension", lambda _: announcer.drain())
        begin = asyncio.get_running_loop().time()
        await bot.close()
        assert all(click.cancelling() for click in clicks)
        return asyncio.get_running_loop().time() - begin

    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        took = runner.run(ended())
        assert cancelled == 103
        assert 1 <= took <= 5


async def test_failing_listener_is_logged_without_the_text_of_its_error(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    bot = TichuBot(home.settings())
    try:
        raise ValueError("four" + "aces")
    except ValueError:
        await bot.on_error("on_something", 1)
    (record,) = caplog.records
    assert record.getMessage().startswith("unhandled exception in on_something:\n")
    assert record.getMessage().endswith("ValueError")
    assert "fouraces" not in caplog.text


async def test_worker_process_of_computer_players_ends_with_the_bot(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # beside the sources: compiled once for all tests
    bot = home.bot(worker_processes=1)
    assert bot.workers is not None
    await place_database(home.folder / "tichu.db")
    home.env = Env(bot, settle_timeout=PATIENCE)
    quicken(home.env)
    await home.env.start()
    while not bot.workers.free:
        await asyncio.sleep(0.02)
    ada = await a_table(home, computers=3)
    await ada.press(Verb.START)
    while not bot.workers.free:  # it has answered several questions
        await asyncio.sleep(0.02)
    await home.env.advance_time(2.6)
    assert (bot.scheduler.total, bot.scheduler.late) == (3, 0)
    processes = multiprocessing.active_children()
    assert len(processes) == 1
    await bot.close()
    assert multiprocessing.active_children() == []
    await home.env.shutdown()


async def test_tables_name_stand_ins_until_experts_are_ready(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    obstacle = tmp_path / "obstacle"
    obstacle.touch()
    monkeypatch.setenv(strange_players.STANDS_STILL, str(obstacle))
    slow = partial(Workers, players=strange_players.__name__, turn=0.1)
    monkeypatch.setattr("bot.client.Workers", slow)
    bot = home.bot(worker_processes=1)
    async with home.running(bot) as env:
        ada = await a_table(home, computers=3)

        async def until_it_says_so(there: bool, verb: Verb) -> None:
            """Wait until the message with this control names the stand-ins, or no longer does."""
            shown = [page for page in messages(env, ada.channel) if has(page, verb)]
            while (SIT_IN in text(shown[-1])) is not there:
                await asyncio.sleep(0.02)
                await env.settle()

        await until_it_says_so(True, Verb.START)
        await ada.press(Verb.START)
        await until_it_says_so(True, Verb.MORE)
        obstacle.unlink()
        await until_it_says_so(False, Verb.MORE)


async def test_bot_that_could_not_start_is_closed(home: Home) -> None:
    async with TichuBot(home.settings()):
        pass


def _fail(_: MonthlyRankingDue) -> None:
    raise KeyError("a bug")


@pytest.mark.parametrize("handlers", [(), (_fail,)])
async def test_does_not_wait_for_a_failing_ranking_handler(
    handlers: Sequence[Callable[[MonthlyRankingDue], None]],
) -> None:
    events = EventDispatcher()
    for handler in handlers:
        events.subscribe(MonthlyRankingDue, handler)
    leases: Any = None  # they are not asked
    poster = MonthlyRankingPoster(events, leases, lambda _: None)
    posting = asyncio.create_task(
        poster.post(GuildId(1), ChannelId(2), MonthlyRanking("2031-11", ()))
    )
    await settle()
    assert posting.done()
    assert isinstance(posting.exception(), RuntimeError)
