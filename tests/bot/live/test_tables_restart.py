"""Restart of tables: the stored state is complete, and expired timers fire."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from bot.errors import Reason, Refused
from bot.ids import ChannelId, MessageId, TableId, UserId
from bot.live.events import Committed, LiveEvent, Restored
from bot.records import ActionRecord, Change, OutboxEntry
from bot.storage.tables import TableStore
from bot.table.commands import HoldWindow, Leave, Pause, Shuffle, Start, VoteToStop
from bot.table.deadlines import GRACE_SECONDS
from bot.table.options import TableOptions
from bot.table.posts import UNDELIVERED_FOR
from bot.table.state import Game, OpenTable
from engine import (
    WINDOW_PHASES,
    Action,
    AnswerWithdraw,
    CallTichu,
    GiveTrick,
    IllegalAction,
    Match,
    Pass,
    PassCards,
    Phase,
    Play,
    after_quiet_window,
    bits,
    legal_actions,
)
from tests.bot.asking import act, pass_this_trick, played, take_back
from tests.bot.states import HOST
from tests.bot.table_world import TableWorld, quick
from tests.campaign import SOAK, sample
from tests.engine.positions import round_of

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def restarted(world: TableWorld) -> None:
    """Restart and check that all tables are unchanged."""
    before = {table.id: table for table in world.tables.all()}
    assert {table.id: table for table in await world.reopen()} == before


LONG = quick("nanjing", target=500)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed, options, people, steps",
    sample(
        [
            (0, LONG, 4, 280),
            (17, LONG, 2, 280),
            (9, quick("trichu", rounds=9), 2, 240),
            (4, quick("trichu", rounds=9), 3, 240),
            (5, quick("tientsin", target=500), 4, 240),
            (6, quick("grandseigneur", rounds=None), 4, 240),
        ],
        1,
    ),
)
async def test_table_can_be_rebuilt_at_every_step(
    world: TableWorld, seed: int, options: TableOptions, people: int, steps: int
) -> None:
    chance = random.Random(seed)
    at = await world.match(people=people, options=options)
    seen: set[object] = set()
    for number in range(steps if SOAK else steps // 4):
        with contextlib.suppress(Refused, IllegalAction):
            seen.add(await something(world, at.id, chance))
        table = world.tables.find(at.id)
        if table is None:
            break
        await world.check_stored(at.id)
        table = played(table)
        seen |= {table.phase, bool(table.kept.premoves), bool(table.kept.dropped)}
        if number % 20 == 0:
            await restarted(world)
    assert seen >= {"act", "early", "wait", "auto-pass", "time", "pause", Phase.WINDOW, True}
    assert options is not LONG or Phase.CLOSING in seen


async def something(world: TableWorld, table_id: TableId, chance: random.Random) -> str:
    """Let somebody act, sensibly or not, or time pass; return what happened."""
    tables, at = world.tables, world.game(table_id)
    hands = [(c.user_id, seat) for c in at.people() for seat in at.seats_of_chair(c.seat)]
    user, seat = chance.choice([(user, seat) for user, seat in hands if user])
    match chance.choice(("act",) * 8 + ("early",) * 3 + ("time",) * 4 + OTHERS):
        case "act":
            action = choice(at.match, seat, chance)
            await act(tables, table_id, user, at.revision, lambda _: action, seat)
            return "act"
        case "early":
            live = after_quiet_window(at.match)
            mover = at.round.turn
            mover_id = at.chairs[at.decider(mover)].user_id
            if live is at.match or mover_id is None:
                raise Refused(Reason.NO_WINDOW)
            action = choice(live, mover, chance)
            await act(tables, table_id, mover_id, at.revision, lambda _: action, mover)
            return "early"
        case "wait":
            await tables.execute(table_id, user, HoldWindow(at.round.number))
        case "auto-pass":
            trick = f"{at.round.number}.{len(at.round.past)}"
            await pass_this_trick(tables, table_id, user, trick, chance.random() < 0.7, seat)
            return "auto-pass"
        case "back":
            await take_back(tables, table_id, user, at.revision, seat)
        case "tichu":
            await act(tables, table_id, user, None, CallTichu, seat)
        case "pause":
            if at.phase is Phase.ROUND_END:
                await tables.execute(table_id, user, Pause(True))
                await world.check_stored(table_id)
                await tables.execute(table_id, user, Pause(False))
        case "ids":
            await tables.messages.store_ids(
                table_id, table=MessageId(chance.randrange(99)), table_round=1
            )
        case _:
            await world.run(chance.choice((0.3, 1.0, 2.5, 21.0)))
            return "time"
    return "wait" if at.phase in WINDOW_PHASES else "pause"


OTHERS = ("wait", "auto-pass", "back", "tichu", "pause", "ids")


def choice(match: Match, seat: int, chance: random.Random) -> Action:
    """Return an action of this seat, or a pass if there is none."""
    round_ = round_of(match)
    if round_.phase is Phase.EXCHANGE and not round_.asked:
        gifts, taken = [], 0
        for to, number, forced, free in sorted(match.variant.gifts(round_, seat)):
            picked = chance.sample(list(bits(free & ~taken)), number - forced.bit_count())
            gifts.append((to, forced | sum(picked)))
            taken |= gifts[-1][1]
        return PassCards(seat, tuple(gifts))
    actions = list(legal_actions(match, seat))
    plays = [a for a in actions if isinstance(a, Play | GiveTrick | AnswerWithdraw)]
    return chance.choice(plays or actions or [Pass(seat)])


async def test_premove_survives_and_is_played(world: TableWorld) -> None:
    at = await world.match(people=4, options=LONG)
    await world.run(20.1)  # everybody is absent: computers answer and pass cards
    while world.game(at.id).phase is not Phase.WINDOW:
        await world.run(0.05)
    at = world.game(at.id)
    seat = at.round.turn
    user = at.chairs[seat].user_id
    assert user is not None
    at = await act(world.tables, at.id, user, at.revision, Pass)
    assert at.kept.premoves == {seat: Pass(seat)}
    (again,) = map(played, await world.reopen())
    assert again.kept.premoves == {seat: Pass(seat)}
    assert (again.revision, again.deal, again.notes.away) == (at.revision, at.deal, at.notes.away)
    before = at.seq
    await world.run(1.0)
    closed, laid, *_ = (await world.store.tables.actions(at.id))[before:]
    assert (closed.text, laid.text) == ("close", "pass")
    assert (laid.seat, laid.actor_id) == (seat, user)
    await world.check_stored(at.id)


async def test_lobby_survives_a_restart(world: TableWorld) -> None:
    await world.lobby(ChannelId(1), people=2)
    await world.lobby(ChannelId(2), people=1, parent_channel_id=9)
    await restarted(world)
    assert world.tables.in_channel(ChannelId(2)) is not None


@pytest.mark.slow
async def test_finished_tables_are_not_opened_again(world: TableWorld) -> None:
    stopped = await world.match(ChannelId(1))
    await world.tables.execute(stopped.id, HOST, VoteToStop(moderator=True))
    left = await world.lobby(ChannelId(2), people=1)
    await world.tables.execute(left.id, HOST, Leave())
    played = await world.match(
        ChannelId(3), people=2, players=5, options=quick("grandseigneur", rounds=1)
    )
    while world.tables.find(played.id) is not None:
        await world.run(600)
        await world.resume(played.id)
    assert await world.reopen() == []


async def test_timers_that_expired_during_downtime_get_a_grace_period(world: TableWorld) -> None:
    lobby = await world.lobby(ChannelId(1))
    playing = await world.match(ChannelId(2), people=2)
    await world.close()
    world.time.jump(world.time.seconds_from_now(3600))
    await world.open()
    await world.quiet()
    assert world.tables.find(lobby.id) is None
    assert world.game(playing.id).phase is Phase.GRAND
    await world.time.run(GRACE_SECONDS)
    await world.quiet()
    assert world.game(playing.id).phase is Phase.EXCHANGE
    await world.check_stored(playing.id)


async def clicked_early(world: TableWorld) -> Game:
    """Return a match after an hour of downtime with a click before activation."""
    at = await world.match(people=4)
    await world.close()
    world.time.jump(world.time.seconds_from_now(3600))
    await world.open(wake=False)
    await world.tables.execute(at.id, UserId(HOST + 1), Shuffle("hello"))
    return world.game(at.id)


async def test_early_click_keeps_the_grace_period_of_others(world: TableWorld) -> None:
    at = await clicked_early(world)
    await world.quiet()
    world.tables.activate_all()
    await world.quiet()
    assert world.game(at.id).notes.away == ()
    await world.check_stored(at.id)
    await world.run(GRACE_SECONDS - 1)
    assert world.game(at.id).notes.away == ()
    await world.run(1)
    assert world.game(at.id).notes.away == (0, 1, 2, 3)


async def test_commit_during_activation_keeps_the_grace_period(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = TableStore.commit

    async def woken_meanwhile(self: TableStore, table_id: TableId, change: Change) -> None:
        world.tables.activate_all()
        await commit(self, table_id, change)

    monkeypatch.setattr(TableStore, "commit", woken_meanwhile)
    at = await clicked_early(world)
    await world.quiet()
    assert world.game(at.id).notes.away == ()
    assert at.timers.deadlines["turn"] == world.time.seconds_from_now(GRACE_SECONDS)


async def test_undelivered_messages_precede_new_events(world: TableWorld) -> None:
    at = await world.match()
    (before,) = (await world.store.tables.undelivered()).values()
    await world.close()
    await world.open(wake=False)
    told = EverythingHeard()
    for kind in get_args(LiveEvent):
        world.events.subscribe(kind, told.hear)
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    world.tables.activate_all()
    restored, stopped = told.events
    assert isinstance(restored, Restored)
    assert isinstance(stopped, Committed)
    assert restored.state == stopped.before == at
    assert tuple(outgoing.entry for outgoing in restored.outbox) == before
    assert min(entry.number for entry in stopped.outbox) > max(entry.number for entry in before)


class EverythingHeard:
    """Listener that records events in order."""

    def __init__(self) -> None:
        self.events: list[LiveEvent] = []

    def hear(self, event: LiveEvent) -> None:
        """Record an event."""
        self.events.append(event)


async def test_timers_stand_still_until_activation(world: TableWorld) -> None:
    await world.match(people=1)
    world.tables.close()
    await world.tables.open()
    assert world.time.alarms == []
    world.tables.activate_all()
    await world.quiet()
    assert len(world.time.alarms) == 1


async def sing(world: TableWorld, at: Game) -> None:
    """Store an action that is not in the rules."""
    song = ActionRecord(seq=at.seq + 1, round=1, seat=0, text="sing:DRAGON", at=world.time.now())
    await world.store.tables.commit(at.id, Change(actions=(song,)))


async def test_damaged_table_does_not_stop_the_others(
    world: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    tables = [await world.match(ChannelId(channel)) for channel in range(4)]
    await sing(world, tables[0])
    await world.store.tables.commit(tables[1].id, Change(details='{"kept": ["play:DRAGON"]}'))
    await world.store.tables.commit(tables[2].id, Change(options='{"variant": "atlantis"}'))
    found = await world.reopen()
    assert found == [tables[3]]
    song = tables[0].seq + 1
    action = f"stored action {song} does not follow from those before it"
    details = "the options or the details cannot be read"
    assert [record.getMessage().partition("; run ")[0] for record in caplog.records] == [
        f"table {number} is damaged and stays closed: {why}"
        for number, why in enumerate((action, details, details), 1)
    ]
    errors = [getattr(record, "error", None) for record in caplog.records]
    assert [damaged.error for damaged in world.tables.damaged] == errors
    with pytest.raises(Refused) as refused:
        world.tables.get(tables[1].id)
    assert refused.value.code is Reason.TABLE_DAMAGED
    assert refused.value.details == {"error": errors[1]}
    assert "DRAGON" not in caplog.text


async def test_damaged_table_does_not_block_its_channel_permanently(world: TableWorld) -> None:
    broken = await world.match(ChannelId(1))
    await sing(world, broken)
    assert await world.reopen() == []
    fresh = await world.lobby(ChannelId(1))
    assert world.tables.in_channel(ChannelId(1)) == fresh
    record = await world.store.tables.get(broken.id)
    assert record is not None
    assert record.status == "stopped"
    assert not world.tables.damaged
    assert record.seq == broken.seq + 1, "its log stays to be looked at"


async def test_repaired_table_is_open_again(world: TableWorld) -> None:
    broken = await world.match(ChannelId(1))
    sound = await world.store.tables.get(broken.id)
    assert sound is not None
    await world.store.tables.commit(broken.id, Change(details='{"kept": ["play:DRAGON"]}'))
    assert await world.reopen() == []
    assert len(world.tables.damaged) == 1
    await world.store.tables.commit(broken.id, Change(details=sound.details))
    await world.tables.shard_ownership.open()
    assert not world.tables.damaged
    assert world.tables.get(broken.id) == broken


@pytest.fixture
async def later(world: TableWorld) -> AsyncIterator[TableWorld]:
    """Yield the same store, opened while it was empty.

    `later` does not know the tables that `world` stores, as after an opening that was interrupted
    right after its commit.
    """
    other = TableWorld(world.file.parent)
    await other.open()
    yield other
    await other.close()


async def test_finds_a_table_that_only_the_store_knows(
    world: TableWorld, later: TableWorld
) -> None:
    lost = await world.lobby(ChannelId(1))
    with pytest.raises(Refused) as refused:
        await later.lobby(ChannelId(1))
    assert refused.value.code == "channel-taken"
    assert later.tables.in_channel(ChannelId(1)) == lost


async def keep_unknown_message(world: TableWorld, at: OpenTable, number: int) -> OutboxEntry:
    """Store a message of an unknown kind, as a newer version may leave it."""
    unknown = OutboxEntry(
        number=number,
        kind="song",
        data='{"kind": "song", "cards": "DRAGON"}',
        nonce="unknown",
        created_at=world.time.now(),
    )
    await world.store.tables.commit(at.id, Change(outbox=(unknown,)))
    return unknown


async def test_unknown_message_does_not_hide_its_table(
    world: TableWorld, caplog: pytest.LogCaptureFixture
) -> None:
    at = await world.match()
    (before,) = (await world.store.tables.undelivered()).values()
    unknown = await keep_unknown_message(world, at, 50)
    assert await world.reopen() == [at]
    (told,) = (event for event in world.heard.others if isinstance(event, Restored))
    assert tuple(outgoing.entry for outgoing in told.outbox) == before
    assert [record.getMessage() for record in caplog.records] == [
        f"table {at.id}: skipping unreadable message 50: no message of the kind 'song' is known"
    ]
    assert "DRAGON" not in caplog.text
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    (after,) = (await world.store.tables.undelivered()).values()
    assert after[: len(before) + 1] == (*before, unknown), "no message takes its number"
    assert len(after) > len(before) + 1


async def test_messages_expire(world: TableWorld, caplog: pytest.LogCaptureFixture) -> None:
    """They are useless after a week, and would be read at every start."""
    at = await world.match()
    await keep_unknown_message(world, at, 50)
    caplog.clear()
    world.time.jump(world.time.now() + UNDELIVERED_FOR + timedelta(seconds=1))
    await world.reopen()
    (told,) = (event for event in world.heard.others if isinstance(event, Restored))
    assert told.outbox == ()
    assert await world.store.tables.undelivered() == {}
    (record,) = caplog.records
    assert "undelivered messages" in record.getMessage()
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    assert len(await world.store.tables.undelivered()) == 1


async def test_table_found_again_delivers_its_messages(
    world: TableWorld, later: TableWorld
) -> None:
    lost = await world.lobby(ChannelId(1), people=2)
    (before,) = (await world.store.tables.undelivered()).values()
    with pytest.raises(Refused):
        await later.lobby(ChannelId(1))
    (told,) = (event for event in later.heard.others if isinstance(event, Restored))
    assert told.state == lost
    assert tuple(outgoing.entry for outgoing in told.outbox) == before
    await later.tables.execute(lost.id, HOST, Start())
    (after,) = (await later.store.tables.undelivered()).values()
    assert after[: len(before)] == before, "no message takes its number"
    assert len(after) > len(before)
