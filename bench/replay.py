"""How long it takes to make the replay page of a late round of a long match.

Called by `python -m bench`.
"""

from __future__ import annotations

import random
import tempfile
from time import perf_counter

from discord.utils import utcnow

from bot.art.emojis import Emojis
from bot.history.replay_cache import Replays
from bot.ids import TableId
from bot.rating.ledger import LEDGER
from bot.records import CLOCK, ActionRecord, Change, NewTable
from bot.storage import Store
from bot.table.action_log import write_deal, write_start
from bot.table.options import TableOptions
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.replay import ReplayQuery, replay_page
from engine import Options, Phase, apply, deal, new_match, write_action
from engine.fair_deal import SECRET_BYTES, FairDeal
from tests.engine.walks import random_action

_OPTIONS = TableOptions(rules=Options(variant="trichu", rounds=30))
"""The longest match of a fixed length."""


async def replay_times(rounds: int, seed: int) -> tuple[float, float]:
    """Milliseconds until there is a page of the last of so many random rounds (1 to 30).

    The first time the whole match has to be played again; the second time the round is in memory.
    """
    words = Speaker(speech("en"), Emojis.plain())
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        store = await Store.open(f"sqlite:///{folder}/bench.db", LEDGER)
        new = NewTable(
            guild_id=1,
            channel_id=1,
            host_id=1,
            options=_OPTIONS.model_dump_json(),
            created_at=utcnow(),
            status="playing",
        )
        record = await store.tables.create(new)
        actions = _random_match(_OPTIONS.rules, rounds, random.Random(seed), record.id)
        await store.tables.commit(record.id, Change(actions=actions, status="stopped"))
        stored = await store.tables.get(record.id)
        assert stored is not None
        replays, times = Replays(store), []
        for _ in range(2):
            start = perf_counter()
            replay = await replays.replay(stored, rounds)
            place = len(replay.played.positions) // 2
            replay_page(replay, ReplayQuery(rounds, place, opened=True), words)
            times.append(1000 * (perf_counter() - start))
        await store.close()
    return times[0], times[1]


def _random_match(
    options: Options, rounds: int, rng: random.Random, table: TableId
) -> tuple[ActionRecord, ...]:
    """The stored actions of a match with so many finished rounds, dealt from secrets."""
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
