"""Liveness of tables: somebody can act or a timer will, in any case, even after a kill."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.ids import ChannelId, ClubEventId, TableId
from bot.records import Change
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.options import TURN_BASED_S, EventLink, TableOptions
from bot.table.outcome import write_details
from bot.table.state import OpenTable
from tests.bot.live.kills import Kills, Left, Who, go_on, until_finished
from tests.bot.live.wanderers import (
    IN_GAME,
    OWN_ERRORS,
    Moody,
    Wanderer,
    forgetful,
    moody_novice,
    with_bombs,
)
from tests.bot.live.way_on import check_way_on
from tests.bot.states import GUILD, HOST, NOON, chairs, state, timed
from tests.bot.table_world import TableWorld, quick
from tests.campaign import SOAK, sample
from tests.engine.positions import after, table

pytestmark = pytest.mark.usefixtures("one_thread")

SHORT = {
    "nanjing": quick("nanjing", target=100),
    "trichu": quick("trichu"),
    "tientsin": quick("tientsin"),
    "grandseigneur": quick("grandseigneur", rounds=1),
}
"""Options of a very short match, by game."""
SLOW = {
    variant: options.model_copy(update={"turn_limit_s": TURN_BASED_S[0]})
    for variant, options in SHORT.items()
}
"""The same options at turn-based pace."""


def world_of(folder: Path, seed: int) -> TableWorld:
    """Return a bot whose computer players answer, fail or stay silent at random."""
    folder.mkdir(exist_ok=True)
    chance = random.Random(seed)
    world = TableWorld(folder, seed, brain=moody_novice(chance), pool=Moody(chance))
    world.prepare = with_bombs(chance)
    return world


@pytest.fixture(autouse=True)
def nothing_failed(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail the test if the bot has logged an error that no computer player caused."""
    yield
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    said = [record.getMessage() for record in errors]
    assert [line for line in said if not any(own in line for own in OWN_ERRORS)] == []


async def wander(world: TableWorld, options: TableOptions, seed: int, steps: int) -> Wanderer:
    """Open a lobby and let people do up to `steps` things there and in the match."""
    lobby = await world.tables.create(
        LobbyPlan(
            *(GUILD, ChannelId(1), HOST, options, new_chairs(options, HOST, "Ada")),
            parent_channel_id=ChannelId(2),
        )
    )
    wanderer = Wanderer(world, lobby.id, seed)
    for _ in range(steps):
        if wanderer.table is None:
            break
        await wanderer.step()
        await world.quiet()
        if wanderer.table is not None:
            check_way_on(wanderer.table, world.time.now())
            due, again = wanderer.table.timers.next, world.time.seconds_from_now(5)
            assert due is not None
            (alarm,) = world.time.alarms
            assert alarm <= max(due, again), "its clock is set, if need be to try again"
    return wanderer


TURN = state(table("TURN B", trick="A S8"))
ALONE = state(table("TURN B", trick="A S8"), chairs=chairs(computers=(0, 2, 3)))
OVER = state(after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9"))


def test_check_accepts_a_table_that_can_continue(subtests: pytest.Subtests) -> None:
    cases: dict[str, OpenTable] = {
        "turn": timed(TURN, {"turn": NOON, "nudge": NOON}),
        "alone": timed(ALONE, {"idle": NOON}),
        "between rounds": timed(OVER, {"next_round": NOON}),
        "paused": timed(OVER, {"abandoned": NOON}).with_timers(paused=True),
    }
    for name, at in cases.items():
        with subtests.test(name):
            check_way_on(at, NOON)


def test_check_notices_a_stuck_table(subtests: pytest.Subtests) -> None:
    cases: dict[str, OpenTable] = {
        "no timer": timed(TURN, {}),
        "nothing follows from a nudge": timed(TURN, {"nudge": NOON}),
        "closing is no way on for several": timed(TURN, {"idle": NOON}),
        "nobody looks after a lone person": timed(ALONE, {"turn": NOON}),
        "between rounds": timed(OVER, {"abandoned": NOON}),
        "paused for ever": timed(OVER, {}).with_timers(paused=True),
        "a lobby for ever": state(),
    }
    for name, at in cases.items():
        with subtests.test(name), pytest.raises(AssertionError):
            check_way_on(at, NOON)


STEPS = 150 if SOAK else 80
SEEDS = 100
ENOUGH = 10
"""Kinds of deeds after which a normal run ends."""


async def wander_until_enough(folder: Path, options: TableOptions) -> None:
    """Let people act at random at one table after another with these options."""
    done: set[str] = set()
    for seed in range(1, SEEDS + 1):
        world = world_of(folder / str(seed), seed)
        await world.open()
        done |= (await wander(world, options, seed, STEPS)).done & IN_GAME.keys()
        await world.close()
        if len(done) > ENOUGH and not SOAK:
            return
    assert len(done) > ENOUGH, done


@pytest.mark.slow
@pytest.mark.parametrize("variant", SHORT)
async def test_table_can_always_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    forgetful(monkeypatch, random.Random(1))
    await wander_until_enough(tmp_path, SHORT[variant])


@pytest.mark.slow
@pytest.mark.parametrize("variant", sample(SLOW, 1))
async def test_turn_based_table_can_always_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    forgetful(monkeypatch, random.Random(1))
    await wander_until_enough(tmp_path, SLOW[variant])


@pytest.mark.slow
@pytest.mark.parametrize("variant", dict.fromkeys(("nanjing", *sample(SHORT, 1))))
async def test_table_of_an_event_can_always_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    forgetful(monkeypatch, random.Random(1))
    link = EventLink(event=ClubEventId(1), round=1, match=0, draw=1, rounds=2, forfeit=True)
    await wander_until_enough(tmp_path, SHORT[variant].model_copy(update={"event": link}))


async def test_table_stored_without_a_timer_gets_one(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """As after the erasure of a person in details that could not be read."""
    world = TableWorld(tmp_path)
    await world.open()
    lobby = await world.lobby(ChannelId(1))
    alone = await world.match(ChannelId(2), people=1)
    several = await world.match(ChannelId(3), people=2)
    paused = several.with_timers(paused=True)
    for at in (
        lobby,
        alone,
        several,
        replace(paused, id=(await world.match(ChannelId(4), people=2)).id),
    ):
        stored = at.with_timers(deadlines={})
        await world.store.tables.commit(at.id, Change(details=write_details(stored)))
    for at in await world.reopen():
        with subtests.test(table=at.id):
            now = world.tables.get(at.id)
            check_way_on(now, world.time.now())
    await world.close()


# --- kills ---------------------------------------------------------------------------------------

WHO: tuple[Who, ...] = ("everybody", "one", "nobody")
AWAY = (timedelta(), timedelta(seconds=20), timedelta(hours=2))
"""Downtimes of the bot."""


async def scripted(
    world: TableWorld, patch: pytest.MonkeyPatch, variant: str, wanted: set[int] | None
) -> list[Left]:
    """Return the files after each (or each wanted) commit of a whole match of this game.

    People act at random for a while, then they play to the end.
    """
    kills = Kills(world, patch, lambda number: wanted is None or number in wanted)
    await world.open()
    wanderer = await wander(world, SHORT[variant], SCRIPT[variant], 100)
    await until_finished(world, TableId(wanderer.table_id))
    record = await world.store.tables.get(TableId(wanderer.table_id))
    assert record is not None
    assert record.status == "finished"
    await world.close()
    assert kills.commits > 100
    return kills.left


SCRIPT = {"nanjing": 5, "trichu": 1, "tientsin": 1, "grandseigneur": 1}
"""Seed by game for a match that people finish."""


async def check_kill(left: Left, folder: Path) -> None:
    """Check that a match is completed after this kill; people and downtime vary."""
    who, away = WHO[left.number % 3], AWAY[left.number // 3 % 3]
    await go_on(left, folder / f"after-{left.number}", who, away)


@pytest.mark.slow
@pytest.mark.sqlite("its file is copied at each kill")
@pytest.mark.parametrize(
    "variant, commits",
    sample(
        [
            ("nanjing", (60, 109)),
            ("trichu", (121, 200)),
            ("tientsin", (3, 110)),
            ("grandseigneur", (79, 150)),
        ],
        1,
    ),
)
async def test_completes_a_match_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, commits: tuple[int, ...]
) -> None:
    world = world_of(tmp_path / "killed", 1)
    for left in await scripted(world, monkeypatch, variant, set(sample(commits, 1))):
        await check_kill(left, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("variant", SHORT)
async def test_completes_a_match_after_a_kill_at_any_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    world = world_of(tmp_path / "killed", 1)
    for left in await scripted(world, monkeypatch, variant, None):
        await check_kill(left, tmp_path)
