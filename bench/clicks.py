"""How long a click takes through the whole stack, and how many requests a move costs.

The real bot runs in a simulated Discord, on a real SQLite file: gateway, discord.py, table, commit,
page. A reply is timed from the event to the request that answers it; the work of the simulator
after that does not count. Called by `python -m bench`.
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
"""What requests through the tokens of clicks are for; Discord does not count them as ordinary."""


class Replies(NamedTuple):
    """How long clicks waited for their answers."""

    tables: int
    """The number of tables."""
    at_once: int
    """The number of clicks at the same moment."""
    milliseconds: tuple[float, ...]
    """The time of each click."""

    @property
    def median(self) -> float:
        """The time in which half of the answers come."""
        return statistics.median(self.milliseconds)

    @property
    def slow(self) -> float:
        """The time in which 95 % of the answers come."""
        return statistics.quantiles(self.milliseconds, n=20)[-1]


class Requests(NamedTuple):
    """The requests to Discord in some rounds."""

    people: int
    """The number of people with open hands."""
    moves: int
    """The number of moves that they made."""
    views: int
    """How often the engine was asked what a seat or a spectator sees."""
    by_kind: Counter[str]
    """The number of requests of each kind."""


class _Painter:
    """Has every picture at hand: what drawing costs is measured in `bench.pictures`."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """A file that is the same for the same drawing only."""
        return repr(drawing).encode()


class _Stopwatch(list[Any]):
    """Replaces SimCord's log of requests, and notes when each click was answered."""

    def __init__(self, env: Env) -> None:
        super().__init__()
        self.answered: list[float] = []
        self._wanted = 0
        self._all_answered = asyncio.Event()
        self.kinds: Counter[str] = Counter()
        env.backend.http_requests = self

    def expect(self, answers: int) -> asyncio.Event:
        """Forget earlier answers; the event is set when `answers` new ones have come."""
        self.answered.clear()
        self._wanted = answers
        self._all_answered = asyncio.Event()
        return self._all_answered

    def append(self, entry: Any, /) -> None:
        """Note one request; nothing is kept of it."""
        if entry.path.startswith("/interactions/"):
            self.answered.append(perf_counter())
            if len(self.answered) == self._wanted:
                self._all_answered.set()
        self.kinds[_kind(entry.method, entry.path, entry.json)] += 1


def _kind(method: str, path: str, body: Any) -> str:
    """What a request is for."""
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
    """The bot, logged in to a simulated Discord, with a database of its own."""
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
        quicken(run._env)  # before the start, which has 5 s of real time else
        async with run as env:
            yield bot, env
            await bot.store.close()


async def reply_times(tables: int, clicks: int, seed: int, *, at_once: bool) -> Replies:
    """Answer times of plays and passes at `tables` running tables.

    One person and three computer players sit at each; `at_once` lets one person of every table
    click at the same moment, otherwise they click one after another.
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
    """Open this number of tables and start them; the one person at each, with an open hand."""
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
    """Let everybody whose round is over say so: nobody deals the next one for a person alone."""
    for person in people:
        if has(newest := person.public()[-1], Verb.READY):
            await person.press(Verb.READY, on=newest)


async def _timed(
    env: Env, watch: _Stopwatch, ready: Sequence[tuple[Person, tuple[Control, str]]]
) -> list[float]:
    """Let these people use these controls at the same moment; seconds until each was answered."""
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
    """Stands in for the simulator's settling, whose cost grows with the number of tables."""


async def _use(person: Person, control: Control, value: str) -> Any:
    """Click a button, or choose a value of a select menu."""
    if control.is_select:
        values = [value, *(o.value for o in control.options if o.value != value)]
        return await person.member.select(
            person.latest_private(), values[: control.least], custom_id=control.custom_id
        )
    return await person.member.click(person.latest_private(), custom_id=control.custom_id)


def _next(person: Person, rng: random.Random) -> tuple[Control, str] | None:
    """The control, and its value, that somebody would use next: the first that the page offers."""
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
    return (cards[0], "") if len(cards) > 1 else None  # else cards are given: it begins anew


def _verb(control: Control) -> str:
    # "grand" stands twice: the bench never calls.
    return control.verb if control.verb != Verb.GRAND or control.args == "no" else "grand-yes"


async def requests_per_move(game: str, rounds: int, seed: int) -> Requests:
    """The requests while a table of people, all with open hands, plays `rounds` rounds.

    Each click takes a second of theirs: if there was no time between them, the hands of the others
    would hardly be renewed.
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
        return Requests(len(people), moves, viewed.call_count, watch.kinds)
