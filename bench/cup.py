"""`python -m bench.cup`: a whole tournament, whose bot is killed in each round.

The bot runs as in production, in processes of its own and in real time. Only Discord is replaced,
by `bench.cup_discord`. People sign up, come to their tables and play by clicks on what they see,
and their organiser begins the rounds. Once in each round the bot is killed with SIGKILL, each time
at another moment. In one round it is also replaced by a new process, as in operating.md. At the end
its results are compared with the records of the matches, and the standings with a computation of
their own.

`python -m bench.cup tables` begins all tables of the largest tournament at once. All people then
come to them at the same moment, and open their hands at the same moment.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final, NamedTuple

from bench.bot_process import Bot
from bench.click_cost import processor_s, resident_kb
from bench.cup_checks import (
    ROUNDS,
    broken_mentions,
    broken_results,
    broken_standings,
    people_of,
)
from bench.cup_discord import CupDiscord
from bench.level import MOVES, People, Processors
from bot.club.actions import Ended, read_action
from bot.club.event import ClubEvent
from bot.ids import ClubEventId
from bot.live.event_tables import read_event
from bot.rating.ledger import LEDGER
from bot.runtime.progress import print_line
from bot.storage import Store
from cogs.pages.verbs import Verb

_EVENT: Final = ClubEventId(1)
_ORGANISER: Final = 900
_FIRST_PERSON: Final = 1000
_PAIRS, _TABLES = 16, 8
_REPLACED_IN: Final = 3
"""Round in which the bot is replaced by a new process."""
_LEASE_S: Final = 10
"""Seconds until the process after a killed one may serve."""
_ANSWER_WITHIN_S: Final = 3.0
_SHARED: Final = {"SHARD_COUNT": "1", "SHARD_IDS": "0", "LEASE_SECONDS": str(_LEASE_S)}


class Moment(NamedTuple):
    """A moment in a round at which the bot is killed."""

    name: str
    is_due: Callable[[ClubEvent, int], bool]
    """Condition on the event and the number of the round."""
    within_s: float
    """Longest time until the kill, in seconds."""


_MOMENTS: Final = (
    Moment("after the draw", lambda event, number: len(event.rounds) >= number, 1.0),
    Moment("while tables open", lambda event, number: _opened(event, number) > 0, 1.0),
    Moment("while people come", lambda event, number: _opened(event, number) == _TABLES, 4.0),
    Moment("in play", lambda event, number: _opened(event, number) == _TABLES, 40.0),
    Moment("while matches end", lambda event, number: _ended(event, number) > 0, 4.0),
)


def _opened(event: ClubEvent, number: int) -> int:
    """Return how many tables of a round were opened."""
    rounds = event.rounds[number - 1 : number]
    return sum(match.table_id is not None for each in rounds for match in each.matches)


def _ended(event: ClubEvent, number: int) -> int:
    """Return how many matches of a round have a result."""
    rounds = event.rounds[number - 1 : number]
    return sum(match.result is not None for each in rounds for match in each.matches)


# --- people --------------------------------------------------------------------------------------


class _Table(People):
    """The people of a match at its table."""

    async def _act(self) -> None:
        """Let one person make one click."""
        people = self._rng.sample(self._user_ids, len(self._user_ids))
        for verbs in (tuple(MOVES), (Verb.CHECK_IN,), (Verb.HAND,)):
            for user_id in people:
                if await self.use(user_id, verbs):
                    return

    async def play(self, pause_s: float) -> None:
        """Come and play until cancelled, with a click about every `pause_s` seconds."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.5, 1.5) * pause_s)
            await self._act()


class Cup:
    """A tournament in progress, and the people who are in."""

    def __init__(self, discord: CupDiscord, bot: Bot, store: Store, rng: random.Random) -> None:
        self.discord, self.bot, self.store = discord, bot, store
        self.rng = rng
        self._channel = People(discord, discord.channel_id(0), (), rng)
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._disturbed: list[float] = []
        """Times of the kills and replacements."""

    async def event(self) -> ClubEvent:
        """Return the event as it is stored."""
        return await read_event(self.store, _EVENT)

    async def until(self, is_due: Callable[[ClubEvent], bool]) -> ClubEvent:
        """Wait until a condition holds; return the event."""
        while not is_due(event := await self.event()):  # noqa: ASYNC110 - as people look
            await asyncio.sleep(0.1)
        return event

    async def sign_up(self, pairs: int, named: int) -> None:
        """Announce the tournament and let people sign up; `named` pairs choose each other."""
        at = f"{self.discord.time.now() + timedelta(hours=2):%Y-%m-%d %H:%M}"
        options = {"when": at, "title": "Cup", "matches": 1, "rounds": ROUNDS}
        channel_id = self.discord.channel_id(0)
        await self.discord.slash(None, _ORGANISER, channel_id, "tournament", **options)
        for number in range(pairs):
            one, other = people = [_FIRST_PERSON + 2 * number + each for each in (0, 1)]
            for user_id in people:
                await self._press(user_id, Verb.EVENT_ANSWER, "yes")
            if number < named:
                await self._press(other, Verb.EVENT_PARTNER)
                await self._press(one, Verb.EVENT_ANSWER, "yes")
                await self._press(one, Verb.EVENT_PARTNER)
        event = await self.event()
        if len(event.answered("yes")) != 2 * pairs or len(list(event.pairs())) != named:
            raise RuntimeError("not all people have signed up")

    async def draw(self) -> None:
        """Let the organiser draw the first round."""
        await self._press(_ORGANISER, Verb.EVENT_MORE)
        await self._press(_ORGANISER, Verb.EVENT_BEGIN)
        await self.until(lambda event: len(event.rounds) == 1)

    async def begin(self, number: int) -> None:
        """Press **Begin now** until the tables of a round may open."""
        while True:
            event = await self.event()
            if len(event.rounds) >= number:
                if event.rounds[number - 1].begins_at <= self.discord.time.now():
                    return
            elif number > 1:
                await asyncio.sleep(0.1)  # its draw follows by itself
                continue
            await self._press(_ORGANISER, Verb.EVENT_MORE)
            await self._press(_ORGANISER, Verb.EVENT_BEGIN)
            await asyncio.sleep(2.0)

    async def open_own_matches(self, pairs: int) -> None:
        """Let all people press **My match** at the same moment."""
        people = range(_FIRST_PERSON, _FIRST_PERSON + 2 * pairs)
        await asyncio.gather(*(self._press(user_id, Verb.EVENT_OWN) for user_id in people))

    async def _press(self, user_id: int, verb: Verb, args: str = "") -> None:
        """Press a button in the channel as soon as it is there."""
        async with asyncio.timeout(60):
            while not await self._channel.use(user_id, (verb,), args):  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def play(self, number: int, pause_s: float) -> None:
        """Let the people of a round play at all its tables, until it is over."""
        while not (event := await self.event()).rounds[number - 1].is_over:
            for channel_id, user_ids in self.discord.invited.items():
                if channel_id not in self._playing:
                    table = _Table(self.discord, channel_id, user_ids, self.rng)
                    self._playing[channel_id] = asyncio.create_task(table.play(pause_s))
            for match in event.rounds[number - 1].matches:
                if match.result is not None and match.table_id is not None:
                    record = await self.store.tables.get(match.table_id)
                    if record is not None:
                        self._playing[record.channel_id].cancel()
            for task in self._playing.values():
                if task.done() and not task.cancelled():
                    task.result()
            await asyncio.sleep(0.2)
        self.close()

    def close(self) -> None:
        """End the play at all tables."""
        for task in self._playing.values():
            task.cancel()

    async def kill(self, number: int, moment: Moment) -> float:
        """Kill the bot at a moment of a round and start it again; return the time of the kill."""
        await self.until(lambda event: moment.is_due(event, number))
        await asyncio.sleep(self.rng.uniform(0.0, moment.within_s))
        await self.bot.stop(signal.SIGKILL)
        killed_at = perf_counter()
        self._disturbed.append(killed_at)
        await self.bot.start()
        return killed_at

    async def replace(self, number: int) -> None:
        """Replace the bot by a new process while a round is played."""
        await self.until(lambda event: _opened(event, number) == _TABLES)
        self._disturbed.append(perf_counter())
        await self.bot.replace()

    def late(self) -> list[float]:
        """Return the late clicks as seconds since the last kill or replacement before them."""
        clicks = self.discord.delivered
        late = (
            clicks[each]
            for each, at in self.discord.first_sent.items()
            if at - clicks[each] > _ANSWER_WITHIN_S
        )
        return [at - max((d for d in self._disturbed if d < at), default=0.0) for at in late]


@asynccontextmanager
async def _cup(latency_s: float, seed: int) -> AsyncIterator[Cup]:
    """Yield a tournament whose bot has just started."""
    with tempfile.TemporaryDirectory(prefix="tichu-cup-") as folder:
        async with CupDiscord(latency_s) as discord:
            bot = Bot(discord, Path(folder), 1, **_SHARED)
            try:
                await bot.start()
                store = await Store.open(bot.database_url, LEDGER, keep=False)
                cup = Cup(discord, bot, store, random.Random(seed))
                try:
                    yield cup
                finally:
                    cup.close()
                    await store.close()
            except BaseException:
                print(bot.log.read_text("utf-8")[-3000:], file=sys.stderr)
                raise
            finally:
                bot.close()


# --- the whole tournament ------------------------------------------------------------------------


async def evening(pause_s: float, latency_s: float, seed: int) -> list[str]:
    """Play a tournament of 16 pairs with all faults; return what is wrong at its end."""
    processors, begun = Processors(), perf_counter()
    async with _cup(latency_s, seed) as cup:
        await cup.sign_up(_PAIRS, named=12)
        print_line(f"{perf_counter() - begun:.0f} s: 32 people have signed up")
        moments = cup.rng.sample(_MOMENTS, len(_MOMENTS))
        for number, moment in enumerate(moments, start=1):
            async with asyncio.TaskGroup() as group:
                killing = group.create_task(cup.kill(number, moment))
                await cup.begin(number)
                group.create_task(cup.play(number, pause_s))
                killed_at = await killing
                if number == _REPLACED_IN:
                    await cup.replace(number)
                    print_line(f"{perf_counter() - begun:.0f} s: replaced")
            later = [at for at in cup.discord.accepted.values() if at > killed_at]
            gap = min(later, default=killed_at) - killed_at
            print_line(
                f"{perf_counter() - begun:.0f} s: round {number} is over; "
                f"killed {moment.name}, next answer after {gap:.1f} s"
            )
        await cup.until(lambda event: event.is_over)
        await asyncio.sleep(5.0)
        await cup.bot.stop()
        faults = cup.bot.lost + await _faults(cup)
        minutes = (perf_counter() - begun) / 60
        times, missing, interrupted = cup.discord.times(10.0)
        late = cup.late()
    print_line(
        f"{minutes:.1f} minutes; {len(times)} clicks answered, {len(late)} of them after 3 s "
        f"(at most {max(late, default=0.0):.0f} s after a kill or replacement), "
        f"{missing} not answered, {interrupted} more in flight when the bot ended; "
        f"{cup.bot.moves} actions stored, {len(cup.bot.lost)} lost; "
        f"other programs used {processors.used_by_others():.0%} of the processors"
    )
    return faults


async def _faults(cup: Cup) -> list[str]:
    """Return what is wrong with the stored tournament and its messages."""
    event = await cup.event()
    matches = [match for each in event.rounds for match in each.matches]
    ids = [match.table_id for match in matches if match.table_id is not None]
    records = await cup.store.history.matches(ids)
    tables = {each: await cup.store.tables.get(each) for each in ids}
    places = {each: table.channel_id for each, table in tables.items() if table is not None}
    stored = await cup.store.club_events.get(_EVENT)
    assert stored is not None
    actions = [read_action(each.body) for each in stored.actions]
    ends = Counter((each.round, each.match) for each in actions if isinstance(each, Ended))
    faults = broken_results(event, records, ends)
    faults += broken_standings(event, records)
    people = {places[each]: people_of(records[each]) for each in ids if each in records}
    faults += broken_mentions(people, cup.discord.invited, cup.discord.mentioned)
    if len(cup.discord.threads) != len(matches):
        faults.append(f"{len(cup.discord.threads)} threads for {len(matches)} matches")
    return faults


# --- all tables at once --------------------------------------------------------------------------


async def tables_at_once(pairs: int, latency_s: float, seed: int) -> bool:
    """Begin all tables of a tournament at once; return whether all answers came in time."""
    processors = Processors()
    async with _cup(latency_s, seed) as cup:
        await cup.sign_up(pairs, named=0)
        discord, tables = cup.discord, pairs // 2
        await cup.draw()
        await asyncio.sleep(5.0)  # until it has uploaded its emojis
        meter = _Meter(cup)

        async def open_all() -> None:
            await cup.begin(1)
            while len(discord.invited) < tables:  # noqa: ASYNC110 - as people look
                await asyncio.sleep(0.02)

        await meter.measure(f"{tables} lobbies posted", open_all())
        seats = [
            (People(discord, channel_id, (), cup.rng), user_id)
            for channel_id, people in discord.invited.items()
            for user_id in people
        ]

        async def press(verb: Verb) -> None:
            await asyncio.gather(*(table.use(user_id, (verb,)) for table, user_id in seats))

        def shows_hand(channel_id: int) -> bool:
            pages = discord.screen(discord.invited[channel_id][0], channel_id)
            controls = (part["custom_id"] for each in pages for part in each.controls())
            return any(f":{Verb.HAND}:" in each for each in controls)

        async def come() -> None:
            await press(Verb.CHECK_IN)
            while not all(map(shows_hand, discord.invited)):  # noqa: ASYNC110 - as people look
                await asyncio.sleep(0.05)

        await meter.measure(f"{len(seats)} people come, {tables} matches begin", come())
        await meter.measure(f"{len(seats)} people open their hands", press(Verb.HAND))
        await meter.measure(f"{len(seats)} people open My match", cup.open_own_matches(pairs))
        await cup.bot.stop()
    print_line(f"other programs used {processors.used_by_others():.0%} of the processors")
    return meter.in_time


class _Meter:
    """Measures the clicks, requests and processor time of a step."""

    def __init__(self, cup: Cup) -> None:
        self._cup = cup
        self.in_time = True
        """True if all clicks were answered in time."""

    async def measure(self, name: str, work: Awaitable[None]) -> None:
        """Measure one step, and print a line when everything has become quiet."""
        discord, pid = self._cup.discord, self._cup.bot.pid
        before, requests, used = set(discord.delivered), discord.requests.copy(), processor_s(pid)
        begun = perf_counter()
        await work
        took = perf_counter() - begun
        await asyncio.sleep(5.0)
        clicks = discord.delivered.keys() - before
        times = [
            discord.first_sent[each] - discord.delivered[each]
            for each in clicks & discord.first_sent.keys()
        ]
        late = len(clicks) - sum(each <= _ANSWER_WITHIN_S for each in times)
        self.in_time = self.in_time and not late
        parts = quantiles(times, n=100) if len(times) > 1 else [*times] * 99
        counts = ", ".join(f"{n} {kind}" for kind, n in (discord.requests - requests).items())
        print_line(
            f"{name} after {took:.1f} s; {len(clicks)} clicks answered after "
            f"{parts[49]:.2f} s (median), {parts[94]:.2f} s (95 %), at most {max(times):.2f} s, "
            f"{late} late; processor {processor_s(pid) - used:.1f} s, "
            f"memory {resident_kb(pid) / 1000:.0f} MB; requests: {counts}"
        )


def main() -> int:
    """Run one of the measurements. Return 1 if something is wrong or late."""
    parser = argparse.ArgumentParser(prog="python -m bench.cup", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("evening", "tables"), default="evening")
    parser.add_argument("--pairs", type=int, default=64, help="pairs at once (64)")
    parser.add_argument(
        "--pause", type=float, default=0.2, help="seconds per click and table (0.2)"
    )
    parser.add_argument("--latency", type=float, default=0.1, help="seconds of a request (0.1)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "tables":
        return int(not asyncio.run(tables_at_once(given.pairs, given.latency, given.seed)))
    faults = asyncio.run(evening(given.pause, given.latency, given.seed))
    for fault in faults:
        print_line(fault)
    print_line("the results and standings are " + ("wrong" if faults else "right"))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
