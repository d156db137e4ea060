"""Replay cache over a real database: one replay for all who ask, kept for a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.errors import Reason, Refused
from bot.history import replay_cache
from bot.history.replay import Replay, SeatedPlay
from bot.history.replay_cache import Replays, SharedWork
from bot.ids import ChannelId, GuildId
from bot.records import NewTable, TableRecord
from bot.storage import Store
from bot.storage.history import HistoryStore
from tests.bot.databases import open_store
from tests.bot.fake_time import settle
from tests.bot.games import NANJING, batches

GUILD = GuildId(10)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(tmp_path / "bot.db")
    yield opened
    await opened.close()


async def played_match(store: Store, channel: ChannelId = ChannelId(20)) -> TableRecord:
    """Return a random match played to its end."""
    played = list(batches(3, NANJING))
    last = played[-1][1]
    new = NewTable(
        guild_id=GUILD,
        channel_id=channel,
        host_id=last.host_id,
        options=last.options.model_dump_json(),
        created_at=last.created_at,
        status="playing",
        seats=last.seat_records(),
    )
    number = (await store.tables.create(new)).id
    await asyncio.gather(*(store.tables.commit(number, change) for _, _, change in played))
    record = await store.tables.get(number)
    assert record is not None
    return record


@pytest.fixture
async def match(store: Store) -> TableRecord:
    """Store a finished match."""
    return await played_match(store)


DROP = "_drop"
"""Method that removes a replay that is finished from those that can be joined."""


class Counted:
    """Counts the calls of a function."""

    def __init__(self, patch: pytest.MonkeyPatch, place: object, name: str) -> None:
        self.calls = 0
        real: Any = getattr(place, name)

        def counting(*given: Any) -> Any:
            self.calls += 1
            return real(*given)

        patch.setattr(place, name, counting)


async def test_fifty_concurrent_requests_build_one_replay(
    store: Store, match: TableRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Counted(monkeypatch, replay_cache, "replays_of")
    read = Counted(monkeypatch, store.tables, "actions")
    replays = Replays(store, SharedWork())
    found = await asyncio.gather(*(replays.replay(match) for _ in range(50)))
    assert made.calls == read.calls == 1
    assert len({id(replay.played_round) for replay in found}) == 1
    await replays.replay(match)
    assert made.calls == read.calls == 1


async def test_a_request_at_the_end_of_a_replay_uses_it(
    store: Store, match: TableRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Counted(monkeypatch, replay_cache, "replays_of")
    drop: Any = getattr(Replays, DROP)
    late: list[asyncio.Task[Replay]] = []

    async def known(*_: object) -> int:
        return 3

    def drop_and_ask(self: Replays, *arguments: Any) -> None:
        drop(self, *arguments)
        late.append(asyncio.create_task(self.replay(match, 1)))

    monkeypatch.setattr(HistoryStore, "finished_rounds", known)
    monkeypatch.setattr(Replays, DROP, drop_and_ask)
    first = await Replays(store, SharedWork()).replay(match, 1)
    assert (await late[0]).played_round is first.played_round
    assert made.calls == 1


async def test_builds_rounds_of_one_match_together_a_few_at_a_time(
    store: Store, match: TableRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_cache, "MOST_CACHED", 2)
    made = Counted(monkeypatch, replay_cache, "replays_of")
    finished = await store.history.finished_rounds(match.id)
    assert finished >= 3

    async def known(*_: object) -> int:
        """Return the cached count; all requests are made at once."""
        return finished

    monkeypatch.setattr(HistoryStore, "finished_rounds", known)
    replays = Replays(store, SharedWork())
    asked = [1, 2, 3, 2, finished + 1]
    found = await asyncio.gather(
        *(replays.replay(match, number) for number in asked), return_exceptions=True
    )
    refused = found.pop()
    assert isinstance(refused, Refused)
    assert refused.code is Reason.ROUND_NOT_OVER
    assert [replay.played_round.number for replay in found if isinstance(replay, Replay)] == asked[
        :-1
    ]
    assert made.calls == 2
    await replays.replay(match, 1)
    assert made.calls == 3, "nothing but what is kept is left of a pass"


async def test_request_refused_by_a_full_queue_can_be_repeated(
    store: Store, match: TableRecord
) -> None:
    work = SharedWork(most_tasks=1)
    replays = Replays(store, work)
    free = asyncio.Event()
    busy = asyncio.create_task(work.result("other", free.wait))
    await settle()
    with pytest.raises(Refused, match="busy"):
        await replays.replay(match, 1)
    free.set()
    await busy
    await settle()
    assert (await replays.replay(match, 1)).played_round.number == 1


async def test_fifty_concurrent_requests_build_one_file_and_one_proof(
    store: Store, match: TableRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Counted(monkeypatch, replay_cache, "seated_plays")
    proved = Counted(monkeypatch, replay_cache, "load_proof")
    replays = Replays(store, SharedWork())

    def number(rounds: Sequence[SeatedPlay]) -> int:
        return len(rounds)

    files = (replays.build_for_all_rounds(match, "txt", number) for _ in range(50))
    assert len(set(await asyncio.gather(*files))) == 1
    proofs = await asyncio.gather(*(replays.proof(match, 1) for _ in range(50)))
    assert len(set(map(id, proofs))) == 1
    assert made.calls == proved.calls == 1
    await replays.build_for_all_rounds(match, "json", number)
    assert made.calls == 2


async def test_refuses_a_running_round_before_replaying_anything(
    store: Store, match: TableRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Counted(monkeypatch, store.tables, "actions")
    replays = Replays(store, SharedWork())
    finished = await store.history.finished_rounds(match.id)
    assert finished == len(await store.history.rounds(match.id))
    for number in (-1, 0, finished + 1, 10**6):
        with pytest.raises(Refused, match="round-not-over"):
            await replays.replay(match, number)
    assert read.calls == 0
    assert (await replays.replay(match)).played_round.number == finished


async def test_keeps_only_the_latest_replays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Counted(monkeypatch, replay_cache, "replays_of")
    replays = Replays(store, SharedWork())
    monkeypatch.setattr(replay_cache, "MOST_CACHED", 2)
    matches = [await played_match(store, ChannelId(channel)) for channel in (1, 2, 3)]
    for match in (*matches, matches[2], matches[1], matches[0]):
        await replays.replay(match, 1)
    assert made.calls == 4
