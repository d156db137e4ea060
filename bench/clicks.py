"""Reply times of clicks through the whole stack, and Discord requests per move.

The real bot runs in a simulated Discord, on a real SQLite file: gateway, discord.py, table, commit,
page. A reply is timed from the event to the request that answers it; the simulator's work after
that does not count. Called by `python -m bench`.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from unittest.mock import patch

import simcord
from pydantic import SecretStr
from simcord import Env, GuildHandle

from bot.client import TichuBot
from bot.pictures.process import Drawing
from bot.runtime.settings import Settings
from bot.table.permission import require_game
from cogs.pages.verbs import Verb
from engine import VARIANTS, view
from engine.fair_deal import SECRET_BYTES
from tests.simcord_clicks import (
    Control,
    Person,
    controls,
    has,
    newcomers,
    quicken,
    virtual_sleep,
    with_verb,
)

_OF_HANDS = {
    "PATCH": "edits of hands",
    "POST": "hands that follow the table",
    "DELETE": "hands removed",
}
"""Kinds of requests through interaction tokens, which Discord does not count as ordinary."""


class Replies(NamedTuple):
    """Reply times of clicks."""

    tables: int
    """The number of tables."""
    at_once: int
    """The number of simultaneous clicks."""
    milliseconds: tuple[float, ...]
    """The reply time of each click."""

    @property
    def median(self) -> float:
        """The median reply time in milliseconds."""
        return statistics.median(self.milliseconds)

    @property
    def slow(self) -> float:
        """The 95th percentile of the reply times in milliseconds."""
        return statistics.quantiles(self.milliseconds, n=20)[-1]


class Requests(NamedTuple):
    """The requests to Discord in some rounds."""

    people: int
    """The number of people with open hands."""
    moves: int
    """The number of moves they made."""
    views: int
    """The number of views computed for seats and spectators."""
    by_kind: Counter[str]
    """The number of requests of each kind."""
    uploads: Counter[str]
    """The number of uploaded pictures, of hands and of tables."""


class _Painter:
    """Painter without cost; `bench.pictures` measures the drawing."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return bytes that are equal only for equal drawings."""
        return drawing.model_dump_json().encode()


class _Stopwatch(list[Any]):
    """Replacement of SimCord's request log that records when each click was answered."""

    def __init__(self, env: Env) -> None:
        super().__init__()
        self.answered: list[float] = []
        self._wanted = 0
        self._all_answered = asyncio.Event()
        self.kinds: Counter[str] = Counter()
        self.uploads: Counter[str] = Counter()
        env.backend.http_requests = self

    def expect(self, answers: int) -> asyncio.Event:
        """Drop earlier answers; return an event that is set after `answers` new ones."""
        self.answered.clear()
        self._wanted = answers
        self._all_answered = asyncio.Event()
        return self._all_answered

    def append(self, entry: Any, /) -> None:
        """Count one request without keeping it."""
        if entry.path.startswith("/interactions/"):
            self.answered.append(perf_counter())
            if len(self.answered) == self._wanted:
                self._all_answered.set()
        self.kinds[_kind(entry.method, entry.path, entry.json)] += 1
        body = entry.json or {}
        files = (body.get("data") or body).get("attachments") or ()
        if any("filename" in file for file in files):
            self.uploads["tables" if entry.path.startswith("/channels/") else "hands"] += 1


def _kind(method: str, path: str, body: Any) -> str:
    """Return the purpose of a request."""
    if path.startswith("/interactions/"):
        return "answers to clicks"
    if path.startswith("/webhooks/"):
        return _OF_HANDS[method]
    if method == "PATCH":
        return "edits of public messages"
    if method == "POST":
        return "new lines and reminders" if (body or {}).get("content") else "new public pages"
    return "removed messages"


@asynccontextmanager
async def _world(seed: int) -> AsyncIterator[tuple[TichuBot, Env]]:
    """Yield the bot, logged in to a simulated Discord, with a database of its own."""
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        settings = Settings(
            _env_file=None,
            discord_token=SecretStr("bench"),
            database_url=f"sqlite+aiosqlite:///{folder}/bench.db",
            heartbeat_file=Path(folder) / "heartbeat",
            worker_processes=0,
            max_tables_per_guild=1000,
        )
        rng = random.Random(seed)
        bot = TichuBot(
            settings,
            sleep=virtual_sleep(),
            rng=rng,
            draw_secret=lambda: rng.randbytes(SECRET_BYTES),
            painter=_Painter(),
            shard_count=1,
        )
        run = simcord.run(bot, settle_timeout=60.0)
        quicken(run._env)  # before the start, which otherwise takes 5 s of real time
        async with run as env:
            yield bot, env
            await bot.store.close()


async def reply_times(tables: int, clicks: int, seed: int, *, at_once: bool) -> Replies:
    """Return the reply times of plays and passes at `tables` running tables.

    One person and three computer players sit at each. With `at_once` one person of every table
    clicks at the same moment, otherwise they click one after another.
    """
    rng = random.Random(seed)
    async with _world(seed) as (_, env):
        watch = _Stopwatch(env)
        people = await _seated(env, tables)
        times: list[float] = []
        while len(times) < clicks:
            await _ready_for_next(people)
            ready = [(person, choice) for person in people if (choice := _next(person, rng))]
            if not ready:
                await env.advance_time(3.0)
                continue
            if at_once:
                times += await _timed(env, watch, ready)
            else:
                for click in ready[:clicks]:
                    times += await _timed(env, watch, [click])
        return Replies(tables, tables if at_once else 1, tuple(t * 1000 for t in times))


async def _seated(env: Env, tables: int) -> list[Person]:
    """Open and start this number of tables; return the one person at each, with an open hand."""
    guild: GuildHandle = env.create_guild("Bench")
    people = []
    for number in range(tables):
        channel = guild.create_text_channel(f"table-{number}")
        (person,) = newcomers(env, guild, channel, f"Player {number}")
        await person.slash("tichu new", computers=3, target=5000, **{"fast-computers": True})
        await person.press(Verb.START)
        await person.press(Verb.HAND)
        people.append(person)
    return people


async def _ready_for_next(people: Sequence[Person]) -> None:
    """Let everybody whose round is over confirm it, which deals the next round."""
    for person in people:
        if has(newest := person.public()[-1], Verb.READY):
            await person.press(Verb.READY, on=newest)


async def _timed(
    env: Env, watch: _Stopwatch, ready: Sequence[tuple[Person, tuple[Control, str]]]
) -> list[float]:
    """Let people use these controls simultaneously; return the seconds until each answer."""
    all_answered = watch.expect(len(ready))
    settle = env._settle_internal
    env._settle_internal = _no_settling  # type: ignore[method-assign]
    try:
        start = perf_counter()
        for person, choice in ready:
            await _use(person, *choice)
        await all_answered.wait()
    finally:
        env._settle_internal = settle  # type: ignore[method-assign]
    times = [answered - start for answered in watch.answered]
    await env.settle()
    return times


async def _no_settling(**_: Any) -> None:
    """Replace the simulator's settling, whose cost grows with the number of tables."""


async def _use(person: Person, control: Control, value: str) -> Any:
    """Click a button, or choose a value of a select menu."""
    if control.is_select:
        values = [value, *(o.value for o in control.options if o.value != value)]
        return await person.member.select(
            person.latest_private(), values[: control.least], custom_id=control.custom_id
        )
    return await person.member.click(person.latest_private(), custom_id=control.custom_id)


def _next(person: Person, rng: random.Random) -> tuple[Control, str] | None:
    """Return the control that a person would use next, with its value."""
    usable = [control for control in controls(person.latest_private()) if control.enabled]
    offered = {_verb(control): control for control in reversed(usable)}
    if "take-back" in offered:
        return None
    for verb in ("grand", "withdraw", "wish", "gift", "dog", "play", "pass", "give"):
        if verb in offered:
            control = offered[verb]
            value = control.options[0].value if control.options else ""
            if verb == "play" and "pass" in offered and rng.random() < 0.3:
                return offered["pass"], ""
            return control, value
    cards = [control for control in usable if control.verb == Verb.PICK]
    return (cards[0], "") if len(cards) > 1 else None  # a single one would start over


def _verb(control: Control) -> str:
    # Two controls have this verb; the bench never calls.
    return control.verb if control.verb != Verb.GRAND or control.args == "no" else "grand-yes"


async def requests_per_move(game: str, rounds: int, seed: int) -> Requests:
    """Count the requests while a table of people with open hands plays `rounds` rounds.

    Each click takes a second of simulated time; otherwise the hands of the others would hardly be
    updated.
    """
    rng = random.Random(seed)
    async with _world(seed) as (bot, env):
        guild = env.create_guild("Bench")
        channel = guild.create_text_channel("table")
        names = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")[: VARIANTS[game].people.start]
        people = newcomers(env, guild, channel, *names)
        await people[0].slash("tichu new", variant=game)
        for person in people[1:]:
            join = with_verb(person.holding(Verb.JOIN), Verb.JOIN)[0]
            await person.press(Verb.JOIN, join.args)
        await people[0].press(Verb.START)
        watch = _Stopwatch(env)
        table = next(iter(bot.tables.all())).id
        for person in people:
            await person.press(Verb.HAND)
        with patch("bot.table.views.view", wraps=view) as viewed:
            while len(require_game(bot.tables.get(table)).match.results) < rounds:
                acted = False
                for person in people:
                    choice = _next(person, rng)
                    if choice is not None:
                        await _use(person, *choice)
                        await env.advance_time(1.0)
                        acted = True
                if not acted:
                    await env.advance_time(1.0)
        moves = sum(
            record.text.startswith(("play:", "pass", "bomb:", "give:", "grand:"))
            for record in await bot.store.tables.actions(table)
        )
        return Requests(len(people), moves, viewed.call_count, watch.kinds, watch.uploads)
