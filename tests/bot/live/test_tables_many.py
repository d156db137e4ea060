"""Many concurrent tables played to their ends by computers in simulated time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.ids import ChannelId, TableId
from bot.table.action_log import replay
from bot.table.options import TableOptions
from bot.table.restore import restore_table
from engine import Phase
from tests.bot.asking import played
from tests.bot.states import GUILD
from tests.bot.table_world import QUICK, TableWorld, quick
from tests.campaign import SOAK

TABLES = 50 if SOAK else 4
EVERY_TENTH = (
    quick("trichu"),
    quick("tientsin"),
    quick("grandseigneur", rounds=1, direction="clockwise"),
)


def options_of(channel: int) -> TableOptions:
    """Return Nanjing, and for some tables another game."""
    return dict(enumerate(EVERY_TENTH)).get(channel % 10, QUICK)


@pytest.mark.slow
async def test_many_tables_end_correctly_and_replay_from_their_logs(tmp_path: Path) -> None:
    world = TableWorld(tmp_path, limit=TABLES)
    await world.open()
    started = await asyncio.gather(
        *(
            world.match(ChannelId(channel), people=2, options=options_of(channel))
            for channel in range(TABLES)
        )
    )
    ids = [at.id for at in started]
    await world.quiet()
    rounds_of_play = 0
    while any(True for _ in world.tables.all()):
        for at in list(world.tables.all()):
            await world.resume(at.id)
        # Late enough that a timer is due at every table, so that all act at the same time.
        world.time.jump(max(world.time.alarms))
        await world.quiet()
        rounds_of_play += 1
        assert rounds_of_play < 3000
        if rounds_of_play == 40:
            before = list(world.tables.all())
            assert await world.reopen() == before
            await world.quiet()
    for table_id in ids:
        await check_end(world, table_id)
    assert world.time.alarms == []
    assert await world.store.tables.all_open() == []
    await world.close()


async def check_end(world: TableWorld, table_id: TableId) -> None:
    """Check that the table is finished and its log reproduces its end and results."""
    record = await world.store.tables.get(table_id)
    assert record is not None
    assert (record.status, record.guild_id) == ("finished", GUILD)
    assert record.ended_at is not None
    actions = await world.store.tables.actions(table_id)
    at = played(restore_table(record, actions))
    match = replay(at.options.rules, actions)
    assert match is not None
    assert at.match == match
    assert match.phase is Phase.MATCH_END
    assert [action.seq for action in actions] == list(range(1, record.seq + 1))
    assert [action.at for action in actions] == sorted(action.at for action in actions)
    rounds = await world.store.history.rounds(table_id)
    assert len(rounds) == len(match.results)
    for stored, result in zip(rounds, match.results, strict=True):
        assert tuple(score.total for score in stored.scores) == result.totals
        assert tuple(score.score for score in stored.scores) == result.score
    stored_match = await world.store.history.match(table_id)
    assert stored_match is not None
    assert stored_match.reason == "finished"
    assert tuple(score.total for score in stored_match.scores) == match.totals
    columns = tuple(score.column for score in stored_match.scores if score.won)
    assert columns == (match.winners if match.variant.scored else ())
    assert [seat.won for seat in stored_match.seats] == [
        seat.column in match.winners for seat in stored_match.seats
    ]
    ends = [what for what in world.heard.news if what.after.id == table_id]
    assert [what.after.status for what in ends].count("finished") == 1
    end = played(ends[-1].after)
    assert end.with_notes(auto_pass_always=frozenset()) == at, "which only running matches need"
