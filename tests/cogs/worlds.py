"""World with a running bot: guild, people, random numbers, and checks of every test."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from pydantic import SecretStr
from simcord import ChannelHandle, Env, InteractionResult, ResponseMessage

import bot.text
from bot.art.emojis import Emojis
from bot.art.names import pictures
from bot.client import TichuBot
from bot.computers.background_tasks import Pool
from bot.errors import Reason, Refused
from bot.ids import ChannelId
from bot.live.events import Committed
from bot.pictures.process import Painter
from bot.runtime.command_sync import CommandSync
from bot.runtime.settings import Settings
from bot.storage import StorageError
from bot.table.action_log import replay
from bot.table.dealing import Prepared
from bot.table.state import Game, Lobby, OpenTable
from bot.text import speech
from bot.text.sentences import sentence
from cogs.delivery.announcer import Announcer
from cogs.pages.controls import LONGEST_NOTICE
from cogs.pages.verbs import Verb
from engine import (
    CARDS_OF_RANK,
    DECK_SIZE,
    MAHJONG,
    RANKS,
    IllegalAction,
    indices,
    new_match,
    read_cards,
    write_position,
)
from engine.fair_deal import SECRET_BYTES
from tests.bot.pictures.painters import Ready
from tests.campaign import sample
from tests.cogs.table_painters import ByKind
from tests.compiled_once import compile_once
from tests.migrated_once import migrate_once
from tests.openapi import complaint
from tests.payload_copies import copied, copy_quickly
from tests.quick_settling import settle_quickly
from tests.same_thread import answer_in_this_thread
from tests.simcord_clicks import (
    PATIENCE,
    Control,
    Person,
    newcomers,
    quicken,
    virtual_sleep,
    with_verb,
)
from tests.strict_discord import be_strict, strictness
from tests.strict_places import know_places

DECK = (1 << DECK_SIZE) - 1
synced_commands: dict[Any, dict[str, Any]] = {}
"""Commands that the first bot of a new database has synced, as SimCord stores them.

Worlds that start with a copy of that database know them, as Discord does.
"""
_CALLBACK = "/callback"
_SELDOM_S = 86400.0
_BODIES = 3
"""Requests of each test that are checked against Discord's description of its API."""
_PICTURES = tuple(pictures())
"""Names of the emojis that Discord has."""
SAY = speech("en")
"""Default language of everybody."""


def refusal(code: Reason | str, **details: object) -> str:
    """Return the sentence of a refusal with this reason."""
    return sentence(SAY, Refused(Reason(code), **details))


def as_game(table: OpenTable) -> Game:
    """Return this table as a game."""
    assert isinstance(table, Game), "no match is played at this table"
    return table


def announcer_of(world: World) -> Announcer:
    """Return the announcer of the cog."""
    cog: Any = world.bot.cogs["Tichu"]
    announcer: Announcer = cog.services.announcer
    return announcer


def let_people_hurry(bot: TichuBot, burst: float = math.inf) -> None:
    """Disable rate limits: hundreds of clicks are possible while no time passes.

    With a `burst` that many concurrent clicks are accepted; 0 refuses everybody. It applies to the
    running bot, not after a restart.
    """
    cog: Any = bot.cogs["Tichu"]
    cog.services.limits.clicks.burst = burst
    bot.tables.limits.openings.burst = burst


class Chance(random.Random):
    """The bot's random numbers, seeded, with prepared hands.

    `dealer` is the first dealer. `deals` prepare as many rounds: the cards in notation by seat
    (with this dealer), the rest random. With `bombs` everybody gets three bombs.
    """

    dealer: int | None = None
    bombs = False

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.deals: list[dict[int, str]] = []

    def secret(self) -> bytes:
        """Return the secret of a deal."""
        return self.randbytes(SECRET_BYTES)

    def prepare(self, state: OpenTable) -> Prepared:
        """Return the prepared first dealer and deck; missing parts are drawn."""
        if not self.deals and not self.bombs:
            return Prepared(self.dealer)
        rules = state.options.rules
        match = new_match(rules, self.dealer or 0)
        deck = list(match.variant.deck(rules))
        self.shuffle(deck)
        if self.deals:
            wanted = {at: read_cards(cards) for at, cards in self.deals.pop(0).items()}
        else:
            ranks = self.sample(RANKS, 12)
            wanted = {at: sum(CARDS_OF_RANK[r] & DECK for r in ranks[at::4]) for at in range(4)}
        order = match.variant.deal_order(match.variant.seating(match, self.dealer or 0))
        left_over = match.variant.undealt_count(rules)
        return Prepared(self.dealer, _laid(deck, wanted, order, left_over))


def _laid(
    deck: list[int], wanted: dict[int, int], order: tuple[int, ...], left_over: int
) -> list[int]:
    """Return the deck in an order that gives these seats these sets of cards.

    Cards are taken one by one in this order of seats, without a Mah Jong among the last ones.
    """
    taken = sum(wanted.values())
    rest = [card for card in deck if not taken >> card & 1]
    rest.sort(key=lambda card: card != MAHJONG)  # the first left-over card is always dealt
    rest = rest[::-1]
    dealt = len(deck) - left_over
    hands = []
    for place, seat in enumerate(order):
        hand = list(indices(wanted.get(seat, 0)))
        while len(hand) < len(range(place, dealt, len(order))):
            hand.append(rest.pop())
        hands.append(hand)
    return [hands[place % len(order)][place // len(order)] for place in range(dealt)] + rest


_defined: dict[object, str] = {}
"""Digest of all command definitions, by the source of the translations."""
_found_art: list[Emojis] = []
"""Emojis found by the first bot and shared by all worlds."""


class KnownCommands(CommandSync):
    """Command definitions that are computed once in a process for equal translations."""

    async def _definitions(self) -> str:
        if bot.text.translations not in _defined:
            _defined[bot.text.translations] = await super()._definitions()
        return _defined[bot.text.translations]


class WatchedBot(TichuBot):
    """The bot, with a list of all events at its tables."""

    def watch(self, history: list[Committed]) -> None:
        """Record events from the next start on."""
        self.history = history

    def _command_sync(self) -> CommandSync:
        return KnownCommands(self.tree, self.settings.dev_guild_id, self.store.app_state)

    async def _load_art(self) -> None:
        """Load emojis once in a process, with the same ids in all worlds."""
        self.is_first = not _found_art
        if self.is_first:
            await super()._load_art()
            _found_art.append(self.art)
        self.art = _found_art[0]

    async def _complete_art(self) -> None:
        """Upload emojis into the first world only."""
        if self.is_first:
            await super()._complete_art()

    async def load_extension(self, name: str, *, package: str | None = None) -> None:
        """Load an extension like discord.py, without running its module again for each bot."""
        await import_module(name, package).setup(self)

    async def setup_hook(self) -> None:
        """Set up like the bot, with a recording handler before those of the cog."""
        self.events.subscribe(Committed, self.history.append)
        await super().setup_hook()


@cache
def _settings() -> Settings:
    """Return the settings of every world except its files, because validating them is slow."""
    return Settings(discord_token=SecretStr("secret"), worker_processes=0, _env_file=None)


class World:
    """A bot on its own database file, a guild with a channel, and its people."""

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        pool: Pool | None = None,
        painter: Painter | None = None,
        tables: Painter | None = None,
        language: str = "en-US",
        hands: Painter | None = None,
    ) -> None:
        self.language = language
        self.chance = Chance(seed)
        self.pool = pool
        self.tables = tables
        self.painter = ByKind(painter or Ready(), tables, hands)
        self.settings = _settings().model_copy(
            update={
                "database_url": f"sqlite+aiosqlite:///{folder}/tichu.db",
                "heartbeat_file": folder / "heartbeat",
            }
        )
        self.history: list[Committed] = []
        self.repeats_answers = False
        """True if a test lets answers fail, so that they are retried."""
        self.env = Env(self._bot(), settle_timeout=PATIENCE)

    def _bot(self) -> WatchedBot:
        sleep = virtual_sleep(lambda: self.env)
        bot = WatchedBot(
            self.settings,
            sleep=sleep,
            rng=self.chance,
            draw_secret=self.chance.secret,
            prepare=self.chance.prepare,
            pool=self.pool,
            painter=self.painter,
            shard_count=1,
        )
        bot.watch(self.history)
        return bot

    @property
    def bot(self) -> TichuBot:
        """Return the running bot."""
        assert isinstance(self.env.bot, TichuBot)
        return self.env.bot

    async def start(self) -> None:
        """Start the bot, whose emojis exist at Discord, and create the guild."""
        for name in _PICTURES:
            self.env.backend.create_application_emoji(name)
        self.env.backend.commands[None] = copied(synced_commands)
        quicken(self.env)
        await self.env.start()
        self.guild = self.env.create_guild("Server", preferred_locale=self.language)
        self.channel = self.guild.create_text_channel("tichu")

    async def restart(self) -> None:
        """Start a new bot on the same database, as after a crash."""
        old = self.bot
        await self.env.restart_bot(self._bot())
        await old.store.close()

    async def stop(self) -> None:
        """Stop the bot."""
        await self.env.shutdown()
        await self.bot.store.close()

    async def end(self) -> None:
        """Stop the bot; check for exceptions, and that everything was answered exactly once.

        Commands raise refusals and injected errors, which the cog answers.
        """
        await self.stop()
        expected = (Refused, IllegalAction, StorageError, discord.HTTPException)
        raised = [error.__cause__ or error for error in self.env.errors]
        assert [error for error in raised if not isinstance(error, expected)] == []
        self.check_answers()
        self.check_bodies()

    def check_bodies(self) -> None:
        """Check the bot's requests against Discord's description of its API.

        `make soak` checks all of them, otherwise a few of each test.
        """
        for request in sample(self.env.http_requests, _BODIES):
            found = complaint(request.method, request.path, request.json)
            assert found is None, f"{request.method} {request.path}: {found}"

    def check_answers(self) -> None:
        """Check that every click and command so far was answered once."""
        answers: dict[int, int] = {}
        for request in self.env.http_requests:
            if request.path.endswith(_CALLBACK):
                interaction = int(request.path.split("/")[2])
                answers[interaction] = answers.get(interaction, 0) + 1
        for interaction in self.env.backend.interactions:
            tried = answers.get(interaction, 0)
            assert tried == 1 or (self.repeats_answers and tried > 1), interaction
        assert strictness(self.env.backend).breaches == []
        for record in self.env.backend.interactions.values():
            assert not record.loading, f"interaction {record.id} was left thinking"
        self.check_notices()

    def check_notices(self) -> None:
        """Check that each notification is readable on a lock screen: who, what and where.

        A lock screen shows nothing of a page (discord-api-docs #7854), and the beginning of
        content.
        """
        channels = self.env.backend.dm_channels.values()
        direct = {f"/channels/{channel}/messages" for channel in channels}
        for request in self.env.http_requests:
            body = request.json if isinstance(request.json, dict) else {}
            message = body.get("data") or body
            allowed = message.get("allowed_mentions") or {}
            pings = [f"<@{user}>" for user in allowed.get("users") or ()]
            pings += [f"<@&{role}>" for role in allowed.get("roles") or ()]
            assert not allowed.get("parse"), request.path
            if request.method != "POST" or not (pings or request.path in direct):
                continue
            content = message.get("content") or ""
            first = content.split("\n")[0]
            assert not int(message.get("flags") or 0) & discord.MessageFlags.components_v2.flag
            assert 0 < len(content) <= LONGEST_NOTICE, request.path
            assert all(ping in content for ping in pings), content
            where = f"<#{request.path.split('/')[2]}>"
            about = "<#", "Tichu"  # a table, or the deal of the day, which has no place
            if request.path in direct:
                named = any(each in first for each in about)
            else:
                named = where in first or "<@" in first
            assert named, first

    def people(self, *names: str, channel: ChannelHandle | None = None) -> list[Person]:
        """Create new members of the guild."""
        return newcomers(self.env, self.guild, channel or self.channel, *names)

    def let_people_hurry(self, burst: float = math.inf) -> None:
        """Disable rate limits of the running bot; see `let_people_hurry`."""
        let_people_hurry(self.bot, burst)

    # --- tables behind the screens: for checks and timers ----------------------------------------

    def table(self, channel: ChannelHandle | None = None) -> OpenTable:
        """Return the open table of a channel."""
        table = self.bot.tables.in_channel(ChannelId((channel or self.channel).id))
        assert table is not None, "there is no open table"
        return table

    def lobby(self, channel: ChannelHandle | None = None) -> Lobby:
        """Return the lobby of a channel."""
        table = self.table(channel)
        assert isinstance(table, Lobby), "a match is played at this table"
        return table

    def game(self, channel: ChannelHandle | None = None) -> Game:
        """Return the running game of a channel."""
        return as_game(self.table(channel))

    def last_game(self) -> Game:
        """Return the game of the last event; it may be over."""
        return as_game(self.history[-1].after)

    def position(self, channel: ChannelHandle | None = None) -> str:
        """Return the whole position at a table as text."""
        return write_position(self.game(channel).match)

    async def check_replay(self, channel: ChannelHandle | None = None) -> None:
        """Check that the stored log replays to the current position."""
        table = self.table(channel)
        match = replay(table.options.rules, await self.bot.store.tables.actions(table.id))
        if match is None:
            assert isinstance(table, Lobby)
        else:
            assert write_position(match) == self.position(channel)

    async def to_next_deadline(self, channel: ChannelHandle | None = None) -> float:
        """Let time pass until the next timer of the table; return the seconds."""
        due = self.table(channel).timers.next
        assert due is not None
        left = max(timedelta(), due - self.env.now()).total_seconds() + 0.001
        await self.env.advance_time(left)
        return left

    def newest_with(
        self, verb: Verb, channel: ChannelHandle | None = None
    ) -> tuple[ResponseMessage, Control]:
        """Return the newest public message with an enabled control, and the control."""
        stored = self.env.backend.messages.get((channel or self.channel).id, {})
        for message_id in sorted(stored, reverse=True):
            message = ResponseMessage(self.env, stored[message_id])
            if not message.ephemeral:
                for control in with_verb(message, verb):
                    return message, control
        raise AssertionError(f"no public message has a control {verb!r}")

    async def join(self, person: Person, *, on: ResponseMessage | None = None) -> InteractionResult:
        """Let somebody take the first free chair with the button of its team."""
        state = self.lobby(person.channel)
        seat = next(chair.seat for chair in state.chairs if chair.kind == "empty")
        team = [number for number, seats in enumerate(state.options.teams) if seat in seats]
        return await person.press(Verb.JOIN, "".join(map(str, team)), on=on)

    async def leave_match(self, person: Person) -> InteractionResult:
        """Let somebody leave a match and give their seat to a computer player."""
        asked = await person.slash("tichu leave")
        assert asked.response is not None
        return await person.press(Verb.TO_COMPUTER, on=asked.response)


async def _in_this_thread(load: Callable[[], object]) -> None:
    """Replace `asyncio.to_thread`."""
    load()


def lighten(patch: pytest.MonkeyPatch) -> None:
    """Make worlds started from now on faster without changing their behaviour.

    Except for heartbeats, which are written four times a minute and tested by
    `tests/bot/test_client.py`, and for looks at challenges and events, which find every quarter of
    an hour what nobody has caused: here once a day.
    """
    patch.setattr("bot.client.BEAT_EVERY_S", _SELDOM_S)
    for module in ("bot.live.challenges", "bot.live.club_events"):
        patch.setattr(f"{module}.LOOK_EVERY", timedelta(seconds=_SELDOM_S))
    # The pragmas are set anyway.
    patch.setattr("bot.storage.sqlite.engines.check_pragmas", lambda *_: None)
    answer_in_this_thread(patch)
    copy_quickly(patch)
    settle_quickly(patch)
    # What the cog loads is cached; a thread for it would have to be started and ended.
    patch.setattr("cogs.tichu.asyncio", SimpleNamespace(to_thread=_in_this_thread))
    be_strict(patch)
    know_places(patch)
    compile_once(patch)
    migrate_once(patch)


@asynccontextmanager
async def a_world(
    folder: Path,
    seed: int = 0,
    pool: Pool | None = None,
    painter: Painter | None = None,
    tables: Painter | None = None,
    language: str = "en-US",
    hands: Painter | None = None,
) -> AsyncIterator[World]:
    """Yield a started world; run the checks of every test at its end.

    Computer players are Novices that answer at once, unless there is a `pool`. Charts are the same
    instant picture, unless there is a `painter`; tables are shown as text, and hands as emojis,
    unless `tables` and `hands` draw them. `language` is that of the guild. No reply is deferred,
    unless a test lets time pass while the bot works. The database answers in the same thread.
    """
    with pytest.MonkeyPatch.context() as patch:
        lighten(patch)
        world = World(folder, seed, pool, painter, tables, language, hands)
        await world.start()
        try:
            yield world
        except BaseException:
            await world.stop()
            raise
        await world.end()
