"""Databases of each released version with running tables: migrated, unchanged, and played on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot import __version__
from bot.history.rebuild import needs_rebuild, rebuild
from bot.ids import TableId
from bot.records import PersonalSettings, ReviewRecord
from bot.score_records import Rating
from bot.table.commands import AcceptSeat, Act, Fill, Pause, Start
from bot.table.state import seats_to_act
from engine import Phase, view
from tests.bot.asking import played
from tests.bot.club.test_event import record
from tests.bot.games import plain_brain
from tests.bot.history.test_rebuild import derived
from tests.bot.states import HOST
from tests.bot.stored_versions import (
    GAMES,
    NEWCOMER,
    VERSIONS,
    known,
    place,
    scores,
    settings,
    table_state,
)
from tests.bot.table_world import TableWorld

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.slow,
    pytest.mark.sqlite("stored databases are files"),
]

MOVES = 12


@asynccontextmanager
async def updated(folder: Path, version: str) -> AsyncIterator[TableWorld]:
    """Open a copy of the database of this version; its timers do not run yet."""
    world = TableWorld(folder, limit=1000)
    place(version, world.file)
    world.time.jump(datetime.fromisoformat(known(version)["now"]))
    await world.open(wake=False)
    try:
        yield world
    finally:
        await world.close()


def test_has_a_database_of_this_release() -> None:
    """At a release, `tests/bot/data/write_tables.py` writes it."""
    assert __version__.rpartition(".")[0] in VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
async def test_keeps_all_tables_scores_and_settings(tmp_path: Path, version: str) -> None:
    async with updated(tmp_path, version) as world:
        tables = known(version)["tables"]
        found = {name: await table_state(world, at["id"]) for name, at in tables.items()}
        assert found == tables
        assert await settings(world) == known(version)["settings"]
        assert await scores(world) == known(version)["scores"]
        assert not await needs_rebuild(world.store)
        before = derived(world)
        rebuilt = await rebuild(world.store, world.time.now())
        assert (rebuilt.skipped, rebuilt.rounds) == ((), len(before["rounds"]))
        assert derived(world) == before


@pytest.mark.parametrize("version", VERSIONS)
async def test_stores_reviews_of_old_tables(tmp_path: Path, version: str) -> None:
    async with updated(tmp_path, version) as world:
        table_id = TableId(known(version)["tables"]["nanjing/between"]["id"])
        coach, person = world.store.coach, HOST
        assert await coach.review(table_id, 1, 0) is None
        review = ReviewRecord(
            table_id=table_id,
            number=1,
            seat=0,
            user_id=person,
            version=1,
            made_at=world.time.now(),
            body="{}",
        )
        await coach.keep(review)
        await coach.agree(table_id, person)
        assert await coach.review(table_id, 1, 0) == review
        assert await coach.agreements(table_id) == {person}
        settings = await world.store.personal_settings.get(person)
        assert (settings.accuracy, settings.accuracy_compared) == (False, False)
        assert settings != PersonalSettings(), "the older settings are kept"


@pytest.mark.parametrize("version", VERSIONS)
async def test_stores_answers_to_puzzles(tmp_path: Path, version: str) -> None:
    async with updated(tmp_path, version) as world:
        puzzles, rating = world.store.puzzles, Rating(1500.0, 350.0)
        assert await puzzles.player(HOST) is None
        await puzzles.begin(HOST, rating, bool, lambda *_: "a")
        changed = await puzzles.answer(
            HOST, "a", rating, "pass", solved=True, at=world.time.now(), rate=lambda *each: each[:2]
        )
        assert changed is not None
        assert await puzzles.player(HOST) == changed[1]


@pytest.mark.parametrize("version", VERSIONS)
async def test_stores_club_events(tmp_path: Path, version: str) -> None:
    async with updated(tmp_path, version) as world:
        stored = await world.store.club_events.create(record())
        event = await world.store.club_events.get(stored.id)
        assert event == (stored, (), ())


@pytest.mark.parametrize("version", VERSIONS)
async def test_plays_on_at_all_tables(tmp_path: Path, version: str) -> None:
    async with updated(tmp_path, version) as world:
        tables = known(version)["tables"]
        world.tables.activate_all()
        await world.run(2)
        for game in GAMES:
            await premove_is_played(world, tables[f"{game}/premove"])
            await countdown_continues(world, tables[f"{game}/between"]["id"])
            await match_continues(world, tables[f"{game}/turn"])
            await lobby_starts(world, tables[f"{game}/lobby"]["id"])


async def premove_is_played(world: TableWorld, stored: dict[str, Any]) -> None:
    """Check that the premove was played when the window closed."""
    table_id, seq, details = stored["id"], stored["seq"], stored["details"]
    ((seat, text),) = details["kept"]["premoves"].items()
    closed, move = (await world.store.tables.actions(table_id, seq))[:2]
    assert (closed.text, move.seat, move.text) == ("close", int(seat), text)
    at = world.game(table_id)
    assert move.actor_id == at.chairs[at.decider(int(seat))].user_id


async def countdown_continues(world: TableWorld, table_id: TableId) -> None:
    """Resume the countdown between two rounds, which somebody has stopped."""
    assert world.game(table_id).phase is Phase.ROUND_END
    await world.tables.execute(table_id, HOST, Pause(False))
    await world.run(31)
    assert world.game(table_id).round.number == 2


async def match_continues(world: TableWorld, stored: dict[str, Any]) -> None:
    """Accept the offered seat, and play some moves."""
    table_id, details = stored["id"], stored["details"]
    ((seat, member),) = details["notes"]["offers"].items()
    assert member == NEWCOMER
    await world.tables.execute(table_id, NEWCOMER, AcceptSeat("Eve", int(seat)))
    before = world.game(table_id).seq
    for _ in range(MOVES):
        await play_on(world, table_id)
    assert world.game(table_id).seq >= before + MOVES
    await world.check_stored(table_id)


async def lobby_starts(world: TableWorld, table_id: TableId) -> None:
    """Start a match with the word that somebody has contributed to its deal."""
    await world.tables.execute(table_id, HOST, Fill())
    started = played(await world.tables.execute(table_id, HOST, Start()))
    assert started.round.number == 1
    deal = (await world.store.tables.actions(table_id))[1]
    assert b"abracadabra".hex() in deal.text


async def play_on(world: TableWorld, table_id: TableId) -> None:
    """Let an awaited person act, or a second pass."""
    at = world.game(table_id)
    for seat in seats_to_act(at.match):
        user, action = at.chairs[at.decider(seat)].user_id, plain_brain(1)(view(at.match, seat))
        if user is not None and action is not None and at.phase is not Phase.ROUND_END:
            await world.tables.execute(table_id, user, Act(action, at.revision))
            return
    await world.run(1.05)
