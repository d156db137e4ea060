"""Rebuild while tables are played and people choose settings, and its process."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.util import await_only

from bot.history import background
from bot.history.__main__ import _run as answered
from bot.history.background import RebuildFailed, run_rebuild
from bot.history.rebuild import DERIVATION, needs_rebuild, rebuild
from bot.ids import ChannelId, TableId
from bot.runtime.clock import Clock
from bot.score_records import EVER, Board, Preferences
from bot.storage import derivation, rows, score_rows
from bot.storage import rebuild as stored
from tests.bot.databases import outside, place_of
from tests.bot.fake_time import settle
from tests.bot.history.test_rebuild import BEN, derived, play
from tests.bot.played_database import RUNNING, open_played
from tests.bot.postgres import ON_POSTGRES
from tests.bot.states import GUILD, HOST, NOON
from tests.bot.table_world import TableWorld, quick
from tests.campaign import sample

NAMED = (
    ("actions", "actor_id"),
    ("sittings", "user_id"),
    ("seats", "user_id"),
    *(
        (table, column)
        for table in ("round_seats", "match_seats")
        for column in ("user_id", "counts_for")
    ),
    *((table, "user_id") for table in ("ratings", "rating_days", "standings", "tallies")),
)
"""Columns of the database that hold user ids, by table."""
BOARD = Board(GUILD, "nanjing", EVER, "points")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield a finished and a running match with figures of another program version."""
    made = TableWorld(tmp_path)
    await open_played(made)
    await made.close()
    count_otherwise(made.file)
    await made.open()
    yield made
    await made.close()


def count_otherwise(file: Path) -> None:
    """Change the stored figures to those of another program version."""
    with closing(outside(file)) as connection, connection:
        connection.execute("UPDATE ratings SET mu = 1")
        connection.execute("UPDATE standings SET points = 1, by_points = 1")
        connection.execute("UPDATE round_seats SET margin = NULL")
        connection.execute("DELETE FROM app_state WHERE key = 'derivation'")
        connection.execute("INSERT INTO app_state (key, value) VALUES ('derivation', '0')")


async def play_a_round(world: TableWorld) -> None:
    """Play one more round of the running match."""
    number = len(world.game(RUNNING).match.results)
    while len(world.game(RUNNING).match.results) == number:
        await play(world, RUNNING, HOST, BEN, steps=5)


async def much_ends(world: TableWorld) -> None:
    """Play one more round, and a whole match."""
    await play_a_round(world)
    at = await world.match(ChannelId(4), 2, 5, options=quick("grandseigneur", rounds=1))
    await play(world, at.id, HOST, BEN)
    assert world.tables.find(at.id) is None


def meanwhile(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, happens: Callable[[], Awaitable[object]]
) -> list[str]:
    """Run something after each call of this function; return a list that grows with each call."""
    work, times = getattr(where, name), []

    async def patched(*arguments: Any) -> Any:
        found = await work(*arguments)
        times.append(name)
        await happens()
        return found

    def in_transaction(*arguments: Any, **named: Any) -> Any:
        found = work(*arguments, **named)
        times.append(name)
        await_only(happens())
        return found

    is_async = inspect.iscoroutinefunction(work)
    monkeypatch.setattr(where, name, patched if is_async else in_transaction)
    return times


@pytest.mark.parametrize(
    "where, name",
    sample(
        [
            (rows, "read_seat_changes"),
            (stored, "_derive_table"),
            (stored, "_number_rounds"),
            (stored, "_enter_new_results"),
            (score_rows, "prepare_scores"),
        ],
        1,
    ),
)
async def test_rounds_that_end_during_a_rebuild_count_once(
    world: TableWorld,
    monkeypatch: pytest.MonkeyPatch,
    where: Any,
    name: str,
) -> None:
    before = len(derived(world)["rounds"])
    done: list[int] = []

    async def once() -> None:
        if not done:
            done.append(1)
            await much_ends(world)

    meanwhile(monkeypatch, where, name, once)
    found = await rebuild(world.store, world.time.now())
    monkeypatch.undo()
    now = derived(world)
    assert len(now["rounds"]) == found.rounds > before
    await rebuild(world.store, world.time.now())
    assert derived(world) == now
    assert not await needs_rebuild(world.store)


async def test_keeps_the_old_leaderboards_until_the_new_ones_are_ready(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[float | None]] = []

    async def look() -> None:
        found = await world.store.rankings.leaders(BOARD, 0, 10)
        seen.append({place.tally.points for place in found.lines})

    with closing(outside(world.file)) as file, file:  # a leaderboard needs twenty rounds
        file.execute("UPDATE standings SET rounds = 20")
    meanwhile(monkeypatch, score_rows, "prepare_scores", look)
    await rebuild(world.store, world.time.now())
    assert seen == [{1}]
    with closing(outside(world.file)) as file:
        assert (1,) not in file.execute("SELECT points FROM standings").fetchall()


async def test_somebody_who_hides_during_a_rebuild_is_not_listed(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hide() -> None:
        await world.store.preferences.choose(HOST, Preferences(hidden=True))

    monkeypatch.setattr("bot.rating.tallies.FEWEST_ROUNDS", 1)
    await rebuild(world.store, world.time.now())
    assert await listed(world) == {HOST, BEN}
    meanwhile(monkeypatch, score_rows, "prepare_scores", hide)
    await rebuild(world.store, world.time.now())
    assert await listed(world) == {BEN}


async def listed(world: TableWorld) -> set[int]:
    """Return the ids of the people on the leaderboard."""
    return {place.user_id for place in (await world.store.rankings.leaders(BOARD, 0, 10)).lines}


async def test_restarts_when_rows_it_has_read_change(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user is erased during the rebuild and does not come back."""
    pseudonym = 5

    async def forget() -> None:
        if len(tries) > 1:
            return
        await world.store._database.write_alone("forgetting", rewrite)  # noqa: SLF001

    def rewrite(connection: Connection) -> None:
        of_table = " ON actions" if ON_POSTGRES else ""
        connection.exec_driver_sql(f"DROP TRIGGER actions_never_change{of_table}")
        for table, column in NAMED:
            change = f"UPDATE {table} SET {column} = {pseudonym} WHERE {column} = {BEN}"
            connection.exec_driver_sql(change)
        derivation.note_rewrite(connection)

    tries = meanwhile(monkeypatch, score_rows, "prepare_scores", forget)
    await rebuild(world.store, world.time.now())
    assert len(tries) == 2
    with closing(outside(world.file)) as file:
        for table, column in NAMED:
            assert (BEN,) not in file.execute(f"SELECT {column} FROM {table}").fetchall(), table


# --- the process ---------------------------------------------------------------------------------


async def test_process_rebuilds_while_the_bot_has_the_database_open(
    world: TableWorld,
) -> None:
    before = derived(world)
    work = asyncio.create_task(run_rebuild(place_of(world.file), world.time.now()))
    await play_a_round(world)
    answer = await work
    now = derived(world)
    assert (answer.skipped, answer.matches) == ((), 1)
    assert now != before
    assert not await needs_rebuild(world.store)
    await rebuild(world.store, world.time.now())
    assert derived(world) == now


async def test_killed_process_changes_nothing_and_the_next_one_completes(
    world: TableWorld,
) -> None:
    before = derived(world)
    work = asyncio.create_task(run_rebuild(place_of(world.file), world.time.now()))
    await settle()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    now = derived(world)
    assert [now[name] for name in ("ratings", "standings")] == [
        before[name] for name in ("ratings", "standings")
    ]
    assert await needs_rebuild(world.store)
    await rebuild(world.store, world.time.now())
    assert not await needs_rebuild(world.store)


@pytest.mark.sqlite("its process is given a file")
async def test_process_ends_with_the_bot(world: TableWorld) -> None:
    """The end of the bot closes its stdin."""
    before = derived(world)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.history", str(world.file), str(DERIVATION), NOON.isoformat()),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    answer, _ = await process.communicate()
    assert (answer, process.returncode) == (b"", 1)
    assert derived(world) == before


@pytest.mark.sqlite("its process is given a file")
async def test_process_of_another_version_changes_nothing(
    world: TableWorld,
) -> None:
    """The files of the program were replaced while the bot runs."""
    before = derived(world)
    answer = await answered(str(world.file), DERIVATION + 1, NOON)
    assert "start the bot again" in answer.problem
    assert derived(world) == before


@pytest.mark.sqlite("its process is given a file")
async def test_reports_why_a_rebuild_failed(tmp_path: Path, world: TableWorld) -> None:
    file = tmp_path / "diary.db"
    file.write_text("Dear diary, " * 500)
    told = (await answered(str(file), DERIVATION, world.time.now())).model_dump_json()
    tells = (sys.executable, "-c", f"print({told!r}); raise SystemExit(1)")
    with pytest.raises(RebuildFailed, match="not a database"):
        await run_rebuild(file, world.time.now(), command=tells)
    with pytest.raises(RebuildFailed, match="status 3"):
        await run_rebuild(
            file, world.time.now(), command=(sys.executable, "-c", "raise SystemExit(3)")
        )
    with pytest.raises(RebuildFailed, match="No process"):
        await run_rebuild(file, world.time.now(), command=(str(tmp_path / "nowhere"),))


async def test_retries_a_failed_rebuild_after_an_hour(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waited: list[float] = []
    answers: Iterator[RebuildFailed | background.RebuildOutput]
    answers = iter(
        [
            RebuildFailed("The disk is full."),
            background.RebuildOutput(rounds=7, skipped=(TableId(3),)),
        ]
    )

    async def one_of_them(*_: object) -> background.RebuildOutput:
        answer = next(answers)
        if isinstance(answer, RebuildFailed):
            raise answer
        return answer

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(background, "run_rebuild", one_of_them)
    caplog.set_level("INFO")
    await background.rebuild_in_background(place_of(world.file), Clock(world.time.now, sleep))
    assert waited == [3600]
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO", "ERROR"]
    assert "The disk is full." in caplog.text
