"""One month at a turn-based table: nudges, quiet hours, missed turns, restarts, time changes.

One person leaves in the middle of a round, and another takes the seat.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot.ids import TableId, UserId
from bot.live.events import Committed
from bot.records import PersonalSettings
from bot.table.commands import LeaveToComputer, TakeOver
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.posts import NudgePost, read_post
from bot.table.quiet_hours import quiet_hours, quiet_until
from bot.table.state import Game
from bot.table.turn_based import QUIET
from engine import Options
from tests.bot.fake_time import FakeTime
from tests.bot.live.way_on import check_way_on
from tests.bot.states import HOST
from tests.bot.table_world import TableWorld
from tests.campaign import sample

pytestmark = pytest.mark.usefixtures("one_thread")

AUTUMN = datetime(2031, 10, 10, 9, tzinfo=UTC)
"""Start of a month in which Berlin leaves summer time earlier than New York."""
DAYS = 30
PEOPLE = {
    HOST: PersonalSettings(zone="Europe/Berlin", quiet=(22 * 60, 7 * 60)),
    HOST + 1: PersonalSettings(zone="America/New_York", quiet=(23 * 60 + 30, 8 * 60)),
    HOST + 2: PersonalSettings(zone="Asia/Tokyo", quiet=(0, 6 * 60)),
    HOST + 3: PersonalSettings(),
    HOST + 4: PersonalSettings(zone="America/Sao_Paulo", quiet=(21 * 60, 9 * 60)),
}
HABITS = {
    HOST: (0.02, 0.4),
    HOST + 1: (0.0, 0.6),
    HOST + 2: (0.3, 1.6),
    HOST + 3: (0.01, 0.2),
    HOST + 4: (0.05, 0.5),
}
"""Earliest and latest moves after a nudge by user, as parts of the limit; 1 is too late."""
LEAVER, NEWCOMER = UserId(HOST + 1), UserId(HOST + 4)
LEAVES_AFTER = timedelta(days=6)


@dataclass(frozen=True)
class Call:
    """A nudge for a turn, or a reminder."""

    user_id: int
    turn: str
    at: datetime
    first: bool


class Month:
    """Four people at one table, each at their hours, with occasional restarts of the bot."""

    def __init__(self, folder: Path, seed: int, limit_s: int) -> None:
        self.world = TableWorld(folder, seed)
        self._options = TableOptions(rules=Options(target=5000), turn_limit_s=limit_s)
        self._limit = timedelta(seconds=limit_s)
        self.world.time = FakeTime(AUTUMN)
        self.chance = random.Random(seed)
        self.calls: list[Call] = []
        self.posted = Counter[tuple[int, str]]()
        """Number of channel messages that nudge a person for a turn."""
        self.missed = 0
        self.away = timedelta()
        """Total downtime of the bot."""
        self._read = 0
        self._plans: dict[int, datetime] = {}
        self._begun: dict[tuple[int, str], datetime] = {}

    async def run(self) -> Game:
        """Play for `DAYS` days; return the table."""
        world, time = self.world, self.world.time
        await world.open()
        for user_id, settings in PEOPLE.items():
            await world.store.personal_settings.choose(UserId(user_id), settings)
        table_id = (await world.match(options=self._options, parent_channel_id=2)).id
        restart = AUTUMN + timedelta(hours=20)
        while time.now() < AUTUMN + timedelta(days=DAYS):
            game = world.game(table_id)
            check_way_on(game, time.now())
            self._hear()
            now = min((*self._plans.values(), game.timers.next or restart, restart))
            time.jump(now)
            await world.quiet()
            if now >= restart:
                await self._restart()
                restart = time.now() + timedelta(hours=self.chance.uniform(40, 160))
            await self._leave(table_id)
            for user_id in [user for user, when in self._plans.items() if when <= now]:
                del self._plans[user_id]
                await world.play_for(table_id, UserId(user_id))
        self._hear()
        await world.quiet()
        await world.check_stored(table_id)
        last = world.game(table_id)
        await world.close()
        return last

    async def _leave(self, table_id: TableId) -> None:
        """Let one person leave when another has been nudged for a turn in a trick.

        Another person at once reserves that seat for after the round.
        """
        game, tables = self.world.game(table_id), self.world.tables
        if game.seat_of(LEAVER) is None or self.world.time.now() < AUTUMN + LEAVES_AFTER:
            return
        turns = [game.timers.turns[chair] for chair in game.awaited]
        called = [turn for turn in turns if turn.nudge_at is None]
        laid = {step.seat for step in game.round.trick}
        if called and game.seat_of(LEAVER) in laid - set(game.awaited):
            await tables.execute(table_id, LEAVER, LeaveToComputer())
            await tables.execute(table_id, NEWCOMER, TakeOver("Eve"))
            self._plans.pop(LEAVER, None)

    async def _restart(self) -> None:
        gone = timedelta(hours=self.chance.choice((0.1, 3.0)))
        self._hear()
        await self.world.close()
        self.world.time.jump(self.world.time.now() + gone)
        self.away += gone
        await self.world.open()
        await self.world.quiet()

    def _hear(self) -> None:
        """Process newly stored events and plan the moves of people."""
        for event in self.world.heard.news[self._read :]:
            if isinstance(event.before, Game) and isinstance(event.after, Game):
                self._note(event, event.before, event.after)
                for post in map(read_post, event.outbox):
                    if isinstance(post, NudgePost):
                        self.posted.update((user_id, post.turn) for user_id in post.user_ids)
        self._read = len(self.world.heard.news)

    def _note(self, event: Committed, before: Game, after: Game) -> None:
        now = self.world.time.now()
        assert after.notes.away == ()
        for chair, turn in after.timers.turns.items():
            user_id = after.chairs[chair].user_id
            assert user_id is not None
            self._begun.setdefault((user_id, turn.turn), now)
            known = before.timers.turns.get(chair)
            if known is None or known.turn != turn.turn:
                continue
            begins = known.nudge_at is not None and turn.nudge_at is None
            if begins or (known.remind_at is not None and turn.remind_at is None):
                self.calls.append(Call(user_id, turn.turn, now, begins))
                if begins or user_id not in self._plans:
                    self._plans[user_id] = now + self._limit * self.chance.uniform(*HABITS[user_id])
        gone_by = sum(after.notes.missed.values()) - sum(before.notes.missed.values())
        if gone_by > 0 and event.actor_id is None:
            self.missed += gone_by
            self._check_missed(before, now)

    def _check_missed(self, before: Game, now: datetime) -> None:
        """Check that missed turns had their whole time, without night hours."""
        for chair in before.awaited:
            turn, user_id = before.timers.turns[chair], before.chairs[chair].user_id
            assert user_id is not None
            if turn.until <= now:
                begun, quiet = self._begun[user_id, turn.turn], quiet_hours(PEOPLE[user_id])
                whole = quiet.after(begun, self._limit) if quiet else begun + self._limit
                assert whole <= now <= whole + self.away + self._limit


CASES = sample([(limit, seed) for seed in range(1, 11) for limit in TURN_BASED_S[1::-1]], 1)


@pytest.mark.slow
@pytest.mark.parametrize("limit, seed", CASES)
async def test_turn_based_table_for_a_month(tmp_path: Path, limit: int, seed: int) -> None:
    month = Month(tmp_path, seed, limit)
    last = await month.run()
    assert last.running
    assert last.seat_of(NEWCOMER) == 1, "they have sat down after the round"
    assert month.missed > 2
    assert month.away > timedelta(hours=3)
    firsts = Counter((call.user_id, call.turn) for call in month.calls if call.first)
    reminders = Counter((call.user_id, call.turn) for call in month.calls if not call.first)
    assert len(firsts) > 50
    assert len(reminders) > 5
    assert set(firsts.values()) == set(reminders.values()) == {1}, "once a turn each"
    assert month.posted == firsts + reminders, "each is told, and nothing else"
    assert not [call for call in month.calls if quiet_until(PEOPLE[call.user_id], call.at)]
    for user_id in PEOPLE:
        own = [call for call in month.calls if call.user_id == user_id]
        assert all(one.at + QUIET <= other.at for one, other in pairwise(own))
