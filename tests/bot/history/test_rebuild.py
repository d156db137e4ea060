"""Rebuild of all derived data from the actions, equal to the last digit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.history.rebuild import rebuild
from bot.ids import ChannelId, TableId, UserId
from bot.rating.tallies import first_recent_day
from bot.records import RoundRecord
from bot.table.commands import ComeBack, LeaveToComputer, VoteToStop
from bot.table.results import round_record
from tests.bot.databases import outside
from tests.bot.played_database import OVER, RUNNING, open_played
from tests.bot.states import HOST
from tests.bot.table_world import QUICK, TableWorld, quick

DERIVED = (
    "rounds",
    "round_scores",
    "round_seats",
    "matches",
    "match_scores",
    "match_seats",
    "ratings",
    "rating_days",
    "standings",
    "tallies",
)
BEN = UserId(HOST + 1)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    made = TableWorld(tmp_path)
    await made.open()
    yield made
    await made.close()


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield a finished match, one in its second round, and a lobby."""
    made = TableWorld(tmp_path)
    await open_played(made)
    yield made
    await made.close()


def derived(world: TableWorld) -> dict[str, list[Any]]:
    with closing(outside(world.file)) as file, file:
        return {name: sorted(file.execute(f"SELECT * FROM {name}"), key=repr) for name in DERIVED}


async def play(world: TableWorld, table_id: TableId, *present: int, steps: int = 6000) -> None:
    """Play for these people, at most `steps` steps; the others are absent."""
    for _ in range(steps):
        for user in present:
            if world.tables.find(table_id) is None:
                return
            await world.tables.execute(table_id, UserId(user), ComeBack())
            await world.play_for(table_id, UserId(user))
        await world.run(0.4)


async def rebuilt_as_before(world: TableWorld, matches: int) -> dict[str, list[Any]]:
    await world.store.rankings.move_window(first_recent_day(world.time.now()))
    before = derived(world)
    rebuilt = await rebuild(world.store, world.time.now())
    assert (rebuilt.matches, rebuilt.skipped) == (matches, ())
    assert rebuilt.rounds == len(before["rounds"]) > 0
    assert derived(world) == before
    return before


async def test_rebuilds_handed_over_seats_and_stopped_matches(
    world: TableWorld,
) -> None:
    """Two tables at once, with rounds that count for others than those seated at the end."""
    long = quick("nanjing", target=5000)
    one = (await world.match(ChannelId(1), 2, 4, options=long)).id
    other = (await world.match(ChannelId(2), 3, 3, options=quick("trichu", rounds=9))).id
    await play(world, one, HOST, BEN, steps=60)
    await world.tables.execute(one, BEN, LeaveToComputer())
    await play(world, one, HOST, steps=90)
    await play(world, other, HOST, BEN, steps=40)
    await world.reopen()
    while not world.game(other).match.results:
        await play(world, other, HOST, steps=10)
    await world.tables.execute(other, HOST, VoteToStop(moderator=True))
    found = await rebuilt_as_before(world, 1)
    assert {row[0] for row in found["rounds"]} == {one, other}


async def test_leaves_a_damaged_table_unchanged(played: TableWorld) -> None:
    before = derived(played)
    with closing(outside(played.file)) as file, file:
        file.execute("DROP TRIGGER actions_never_change")
        file.execute(f"UPDATE actions SET text = 'play:S2' WHERE seq = 30 AND table_id = {OVER}")
    rebuilt = await rebuild(played.store, played.time.now())
    assert rebuilt.skipped == (OVER,)
    assert derived(played)["rounds"] == before["rounds"]


async def test_somebody_who_left_after_the_last_move_is_not_seated_at_the_end(
    played: TableWorld,
) -> None:
    left = await played.tables.execute(RUNNING, BEN, LeaveToComputer())
    await played.tables.execute(RUNNING, HOST, VoteToStop(moderator=True))
    found = await rebuilt_as_before(played, 2)
    names = {row[3] for row in found["match_seats"] if row[0] == RUNNING}
    assert names == {"Ada", *(c.name for c in left.chairs[1:])}


async def test_keeps_the_ratings_of_past_seasons(played: TableWorld) -> None:
    await played.tables.execute(RUNNING, HOST, VoteToStop(moderator=True))
    played.time.jump(played.time.seconds_from_now(40 * 86400))
    await played.quiet()
    at = await played.match(ChannelId(1), 2, 4, options=QUICK)
    await play(played, at.id, HOST, BEN)
    played.time.jump(played.time.seconds_from_now(40 * 86400))
    await played.quiet()
    found = await rebuilt_as_before(played, 3)
    ratings: dict[str, set[float]] = {}
    for _, _, period, user, *rest in found["standings"]:
        if user == HOST:
            ratings.setdefault(period, set()).add(rest[6])
    seasons = sorted(period for period in ratings if "-" in period)
    assert len(seasons) == 2
    assert ratings[seasons[0]] != ratings[seasons[1]] == ratings["ever"]


async def test_rounds_without_a_stored_order_count_by_their_end(played: TableWorld) -> None:
    """Another table has played between two rounds of one."""
    other = await played.match(ChannelId(1), 1, 5, options=quick("grandseigneur", rounds=1))
    await play(played, other.id, HOST)
    rounds = len(played.game(RUNNING).match.results)  # computers may have played on there
    while len(played.game(RUNNING).match.results) == rounds:
        await play(played, RUNNING, HOST, BEN, steps=5)
    with closing(outside(played.file)) as file, file:
        order = "SELECT table_id, number FROM rounds ORDER BY "
        before = file.execute(order + "ordinal").fetchall()
        file.execute("UPDATE rounds SET ordinal = 0")
    assert [table for table, _ in before] != sorted(table for table, _ in before)
    await rebuild(played.store, played.time.now())
    with closing(outside(played.file)) as file, file:
        assert (
            file.execute(order + "ended_at, table_id").fetchall()
            == file.execute(order + "ordinal").fetchall()
        )
        numbers = [number for (number,) in file.execute("SELECT ordinal FROM rounds ORDER BY 1")]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_unhandled_exception_costs_one_table_only(
    played: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = derived(played)
    works = iter([False])

    def broken(*given: Any) -> RoundRecord:
        if next(works, True):
            return round_record(*given)
        raise AssertionError("a hand: S2 S3")

    monkeypatch.setattr("bot.history.rebuild.round_record", broken)
    rebuilt = await rebuild(played.store, played.time.now())
    assert rebuilt.skipped == (OVER,)
    assert derived(played) == before
    assert "S2" not in caplog.text
