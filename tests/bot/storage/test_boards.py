"""Stored boards and solo rounds: drawn once, continued in order, erased with their person."""

from __future__ import annotations

import asyncio
import itertools
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bot.board_records import BoardRecord, NewSoloRound, SoloProgress, SoloResult, SoloRound
from bot.ids import BoardId, GuildId, UserId
from bot.storage import Store
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.solo_rounds import members, results
from tests.bot.storage.samples import NOON
from tests.bot.storage.test_challenges import OFFER
from tests.bot.storage.test_forgetting import Rewriting

ANN, BEN = UserId(1), UserId(2)
SERVER = GuildId(10)
DAY = date(2031, 5, 4)
DAYS = [DAY + timedelta(days=number) for number in range(3)]
RESULT = SoloResult(-130, "tichu", False, 3)


async def drawn(store: Store, days: list[date] = DAYS) -> tuple[BoardRecord, ...]:
    """Draw the boards of these days; return those that are stored."""
    secrets = itertools.count(1)
    await store.boards.draw_days(days, lambda: f"{next(secrets):064x}")
    return await store.boards.days(days[0], days[-1])


def new(board: BoardRecord, user_id: UserId = ANN, **given: Any) -> NewSoloRound:
    """Return a round that begins."""
    values: dict[str, Any] = {
        "board_id": board.id,
        "user_id": user_id,
        "name": "Ann",
        "guild_id": SERVER,
        "practice": False,
        "version": 1,
        "begun_at": NOON,
        "actions": ("1:grand:no", "2:grand:no"),
    }
    return NewSoloRound(**values | given)


async def begun(store: Store, *args: Any, **given: Any) -> SoloRound:
    """Begin a round."""
    round_ = await store.boards.begin(new(*args, **given))
    assert round_ is not None
    return round_


def step(round_: SoloRound, **given: Any) -> SoloProgress:
    """Return two more actions of a round."""
    values: dict[str, Any] = {
        "round_id": round_.id,
        "expected": len(round_.actions),
        "actions": ("0:grand:no", "-1:close"),
        "practice": round_.practice,
    }
    return SoloProgress(**values | given)


async def finished(store: Store, *args: Any, points: int = -130, **given: Any) -> SoloRound:
    """Return a round that was begun and finished."""
    round_ = await begun(store, *args, **given)
    result = RESULT._replace(points=points)
    assert await store.boards.go_on(step(round_, ended_at=NOON, result=result))
    return await stored(store, round_)


async def stored(store: Store, round_: SoloRound) -> SoloRound:
    """Return a round as it is stored now."""
    found = await store.boards.round(round_.id)
    assert found is not None
    return found


async def test_each_day_has_one_board(store: Store) -> None:
    first = await drawn(store)
    assert [each.day for each in first] == DAYS
    assert [each.number for each in first] == [1, 2, 3]
    later = DAY + timedelta(days=6)
    *same, last = await drawn(store, [*DAYS, later])
    assert tuple(same) == first
    assert (last.day, last.number) == (later, 7)
    assert await store.boards.board(first[1].id) == first[1]
    assert await store.boards.board(BoardId(99)) is None


async def test_several_processes_draw_the_same_boards(tmp_path: Path) -> None:
    stores = [
        await open_store(tmp_path / "shared" / "bot.db", busy_ms=PATIENT_MS) for _ in range(3)
    ]
    try:
        boards = await asyncio.gather(*(drawn(each) for each in stores for _ in range(2)))
        assert all(each == boards[0] for each in boards)
        rounds = await asyncio.gather(*(begun(each, boards[0][0]) for each in stores))
        assert len({each.id for each in rounds}) == 1
        steps = [each.boards.go_on(step(rounds[0])) for each in stores]
        assert sorted(await asyncio.gather(*steps)) == [False, False, True]
    finally:
        for each in stores:
            await each.close()


async def test_challenges_have_their_own_boards(store: Store) -> None:
    daily = await drawn(store)
    challenge = await store.challenges.add(OFFER, ["a", "b"])
    boards = await store.boards.of_challenge(challenge.id)
    assert [(each.day, each.number, each.secret) for each in boards] == [
        (None, 1, "a"),
        (None, 2, "b"),
    ]
    assert await drawn(store) == daily


async def test_a_round_goes_on_where_it_is_stored(store: Store) -> None:
    board, *_ = await drawn(store)
    round_ = await begun(store, board)
    assert round_ == SoloRound(
        round_.id, board.id, ANN, "Ann", SERVER, False, 1, NOON, actions=new(board).actions
    )
    assert await begun(store, board, name="Other") == round_
    assert await store.boards.go_on(step(round_))
    assert not await store.boards.go_on(step(round_)), "two actions are missing"
    now = await stored(store, round_)
    assert now.actions == (*round_.actions, "0:grand:no", "-1:close")
    assert await store.boards.go_on(step(now, practice=True, ended_at=NOON, result=RESULT))
    ended = await stored(store, round_)
    assert (ended.points, ended.call, ended.call_made, ended.place) == RESULT
    assert (ended.practice, ended.ended_at) == (True, NOON)
    assert not await store.boards.go_on(step(ended)), "it is over"


async def test_the_first_round_sets_the_version_of_a_board(store: Store) -> None:
    first, second, _ = await drawn(store)
    assert await begun(store, first)
    assert await store.boards.begin(new(first, BEN, version=2)) is None
    assert await store.boards.begin(new(first, version=2)) is None
    assert await begun(store, second, version=2)
    assert [board.version for board in await drawn(store)] == [1, 2, None]


async def test_a_finished_practice_round_is_replaced(store: Store) -> None:
    board, *_ = await drawn(store)
    counted = await finished(store, board)
    assert await begun(store, board) == counted
    practice = await begun(store, board, practice=True)
    assert await begun(store, board, practice=True) == practice
    assert await store.boards.go_on(step(practice, ended_at=NOON, result=RESULT))
    again = await begun(store, board, practice=True)
    assert again.id > practice.id
    assert again.ended_at is None
    assert await store.boards.own_round(board.id, ANN, practice=True) == again
    assert await store.boards.own_round(board.id, ANN, practice=False) == counted


async def test_results_are_of_finished_rounds_that_count(store: Store) -> None:
    board, other, _ = await drawn(store)
    assert await results(store, board.id) == []
    await finished(store, board, points=-20)
    await finished(store, board, BEN, points=200)
    await begun(store, board, UserId(3))
    await finished(store, board, UserId(4), practice=True)
    await finished(store, other)
    found = await results(store, board.id)
    assert [(each.user_id, each.points) for each in found] == [(BEN, 200), (ANN, -20)]


async def test_keeps_the_result_of_the_expert(store: Store) -> None:
    board, *_ = await drawn(store)
    await store.boards.keep_expert(board.id, RESULT)
    assert (await drawn(store))[0] == board._replace(expert=RESULT)


async def test_nothing_secret_is_shown(store: Store) -> None:
    board, *_ = await drawn(store)
    round_ = await begun(store, board)
    texts = [repr(each) for each in (board, round_, new(board), step(round_))]
    for secret in (board.secret, "grand", "close"):
        assert not any(secret in text for text in texts)


async def test_an_erased_person_leaves_no_rounds(store: Store) -> None:
    board, *_ = await drawn(store)
    for user_id in (ANN, BEN):
        await finished(store, board, user_id)
        await store.boards.note_server(SERVER, user_id)
    assert await store.people.forget(ANN, Rewriting()) is not None
    assert await store.people.known(ANN) is None
    assert [each.user_id for each in await results(store, board.id)] == [BEN]
    assert await members(store, SERVER) == {BEN}


async def test_an_erased_server_is_in_no_round(store: Store) -> None:
    board, *_ = await drawn(store)
    elsewhere = GuildId(11)
    for user_id, servers in ((ANN, [SERVER]), (BEN, [SERVER, elsewhere])):
        round_ = await finished(store, board, user_id)
        for server in servers:
            await store.boards.note_server(server, user_id)
    dan = UserId(4)
    await begun(store, board, dan)
    await begun(store, board, dan, practice=True, guild_id=GuildId(0))
    assert set(await store.people.servers()) == {SERVER, elsewhere}
    await store.people.forget_server(SERVER)
    assert set(await store.people.servers()) == {elsewhere}
    assert await members(store, SERVER) == set()
    assert (await stored(store, round_)).guild_id < 0
    assert await store.people.users_of_erased_servers(9) == [ANN]
