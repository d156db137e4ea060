"""Time to build the replay page of a late round, for one reader and for many.

Called by `python -m bench`.
"""

from __future__ import annotations

import asyncio
import gc
import random
import tempfile
from time import perf_counter
from typing import NamedTuple

from discord.utils import utcnow

from bench.walks import random_action
from bot.art.emojis import Emojis
from bot.history.rebuild import rebuild
from bot.history.replay_cache import Replays, SharedWork
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.rating.ledger import LEDGER
from bot.records import CLOCK, ActionRecord, Change, NewTable, SeatRecord
from bot.storage import Store
from bot.table.action_log import write_deal, write_start
from bot.table.options import TableOptions
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.history.replay import replay_page
from cogs.pages.replay_query import ReplayQuery
from engine import Options, Phase, apply, deal, new_match, write_action
from engine.fair_deal import SECRET_BYTES, FairDeal

_OPTIONS = TableOptions(rules=Options(variant="trichu", rounds=30))
"""The longest match with a fixed number of rounds."""
_PEOPLE = 10
_LONG = TableOptions(rules=Options(variant="grandseigneur", rounds=99, players=_PEOPLE))
"""The longest match with an agreed number of rounds."""
_TICK_S = 0.001


class Rush(NamedTuple):
    """Measurements of many simultaneous requests for replays of one match."""

    actions: int
    """The number of stored actions of the match."""
    answered: int
    """The number of requests with a replay."""
    failed: int
    """The number of requests without a replay."""
    seconds: float
    """The time until all requests were answered."""
    lag_ms: float
    """The longest time that the event loop was blocked."""


async def replay_times(rounds: int, seed: int) -> tuple[float, float]:
    """Return the milliseconds to build a page of the last of `rounds` random rounds, twice.

    The first time the whole match is played again; the second time the round is cached. `rounds` is
    1 to 30.
    """
    words = Speaker(speech("en"), Emojis.plain())
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        store = await Store.open(f"sqlite:///{folder}/bench.db", LEDGER)
        record = await store.tables.create(_new_table(_OPTIONS, 3))
        actions = _random_match(_OPTIONS.rules, rounds, random.Random(seed), record.id)
        await store.tables.commit(record.id, Change(actions=actions, status="stopped"))
        await rebuild(store, utcnow())
        stored = await store.tables.get(record.id)
        assert stored is not None
        replays, times = Replays(store, SharedWork()), []
        for _ in range(2):
            start = perf_counter()
            replay = await replays.replay(stored, rounds)
            place = len(replay.played_round.positions) // 2
            replay_page(replay, ReplayQuery(rounds, place), words)
            times.append(1000 * (perf_counter() - start))
        await store.close()
    return times[0], times[1]


def _new_table(options: TableOptions, players: int) -> NewTable:
    """Return a new table of `players` computer players."""
    seats = (SeatRecord(seat=s, name=f"Robot {s}", kind="computer") for s in range(players))
    return NewTable(
        guild_id=GuildId(1),
        channel_id=ChannelId(1),
        host_id=UserId(1),
        options=options.model_dump_json(),
        created_at=utcnow(),
        status="playing",
        seats=tuple(seats),
    )


async def replay_rush(askers: int, seed: int, *, rounds: int = 20, different: bool = False) -> Rush:
    """Request `askers` replays of a long Grand Seigneur match at once.

    All request the last round, or each a `different` one.
    """
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        store = await Store.open(f"sqlite:///{folder}/bench.db", LEDGER)
        record = await store.tables.create(_new_table(_LONG, _PEOPLE))
        actions = _random_match(_LONG.rules, rounds, random.Random(seed), record.id)
        await store.tables.commit(record.id, Change(actions=actions, status="stopped"))
        await rebuild(store, utcnow())
        replays = Replays(store, SharedWork())

        async def ask(number: UserId) -> None:
            stored = await store.tables.get(record.id)
            assert stored is not None
            assert not await store.history.took_part(record.id, number)
            await replays.replay(stored, 1 + number % rounds if different else rounds)

        lags: list[float] = []
        gc.collect()
        gc.disable()  # as in the bot, where only `Garbage` runs full collections
        watching = asyncio.create_task(_watch(lags))
        start = perf_counter()
        try:
            asked = [asyncio.create_task(ask(UserId(number))) for number in range(askers)]
            found = await asyncio.gather(*asked, return_exceptions=True)
        finally:
            gc.enable()
            watching.cancel()
        seconds = perf_counter() - start
        await store.close()
        failed = sum(isinstance(outcome, BaseException) for outcome in found)
        return Rush(len(actions), askers - failed, failed, seconds, 1000 * max(lags))


async def _watch(lags: list[float]) -> None:
    """Record repeatedly how late the event loop resumes after a short sleep."""
    while True:
        start = perf_counter()
        await asyncio.sleep(_TICK_S)
        lags.append(perf_counter() - start - _TICK_S)


def _random_match(
    options: Options, rounds: int, rng: random.Random, table: TableId
) -> tuple[ActionRecord, ...]:
    """Return the stored actions of a match with `rounds` finished rounds, dealt from secrets."""
    match, now = new_match(options), utcnow()
    lines = [(CLOCK, write_start(0))]
    while len(match.results) < rounds:
        if match.phase is Phase.ROUND_END:
            fair = FairDeal(rng.randbytes(SECRET_BYTES), table)
            deck = fair.deck(len(match.results) + 1, match.variant.deck(options))
            match, _ = deal(match, deck)
            lines.append((CLOCK, write_deal(fair)))
        else:
            action = random_action(match, rng)
            match, _ = apply(match, action)
            lines.append((action.seat, write_action(action)))
    return tuple(
        ActionRecord(seq=seq, round=1, seat=seat, text=text, at=now)
        for seq, (seat, text) in enumerate(lines, start=1)
    )
