"""Whole matches by clicks alone: people, computer players, options, threads; what is recorded."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.replay import replay
from bot.table import TableState
from engine.position import write_position
from engine.state import Call, Match
from tests.cogs.table_play import open_hands, over, play_on, seat_all
from tests.cogs.worlds import World, a_world, with_verb
from tests.simcord_clicks import Person, messages, text

CALLS = {Call.TICHU: "tichu", Call.GRAND: "grand"}


async def check_finished(world: World, person: Person) -> TableState:
    """The match that just ended is stored as it was played, and the channel knows who won."""
    last = world.history[-1].after
    match = last.match
    assert match is not None
    assert last.status == "finished"
    actions = await world.bot.store.actions(last.id)
    assert [action.seq for action in actions] == list(range(1, last.seq + 1))
    replayed = replay(last.options.rules(), actions)
    assert replayed is not None
    assert write_position(replayed) == write_position(match)
    await _check_rounds(world, last.id, match)
    await _check_match(world, last, match)

    winners = {chair.name for chair in last.chairs if chair.seat % 2 in match.winners}
    results = [m for m in messages(world.env, person.channel) if with_verb(m, "rematch")]
    (verdict,) = [line for line in text(results[-1]).splitlines() if "🏆" in line]
    assert {chair.name for chair in last.chairs if chair.name in verdict} == winners
    return last


async def _check_rounds(world: World, table_id: int, match: Match) -> None:
    rounds = await world.bot.store.rounds(table_id)
    assert [round_.number for round_ in rounds] == [result.number for result in match.results]
    for stored, result in zip(rounds, match.results, strict=True):
        assert tuple(score.total for score in stored.scores) == result.totals
        assert tuple(score.score for score in stored.scores) == result.score
        places = {seat.seat: seat.place for seat in stored.seats if seat.place is not None}
        assert places == {seat: place for place, seat in enumerate(result.out, start=1)}
        calls = {(seat.seat, seat.call, seat.call_made) for seat in stored.seats if seat.call}
        assert calls == {(seat, CALLS[call], made) for seat, call, made in result.calls}


async def _check_match(world: World, last: TableState, match: Match) -> None:
    record = await world.bot.store.match(last.id)
    assert record is not None
    assert (record.reason, record.rounds) == ("finished", len(match.results))
    assert tuple(score.total for score in record.scores) == match.totals
    assert max(match.totals) >= last.options.target
    assert {seat.seat for seat in record.seats if seat.won} == {
        seat for seat in range(4) if seat % 2 in match.winners
    }
    assert [(seat.user_id, seat.name, seat.kind) for seat in record.seats] == [
        (chair.user_id, chair.name, chair.kind) for chair in last.chairs
    ]
    table = await world.bot.store.table(last.id)
    assert table is not None
    assert (table.status, table.ended_at) == ("finished", record.ended_at)


async def check_rematch(world: World, last: TableState, person: Person) -> None:
    """Rematch opens a lobby with the same seats and options, and it can be started."""
    await world.press(person, "rematch")
    lobby = world.table(person.channel)
    assert (lobby.status, lobby.host_id) == ("lobby", person.id)
    assert lobby.chairs == last.chairs
    assert lobby.options == last.options
    await world.press(person, "start")
    again = world.table(person.channel)
    assert again.running
    assert again.round is not None
    assert again.round.number == 1
    await world.check_replay(person.channel)


async def test_four_people_play_to_a_thousand(tmp_path: Path) -> None:
    async with a_world(tmp_path, seed=1) as world:
        people = world.people("Ada", "Ben", "Cai", "Dan")
        players = await seat_all(world, people)
        assert world.table().options.target == 1000
        for place, player in enumerate(players):
            player.plays = 0.5 if place % 2 else 0.97  # the bolder team wins soon
        await play_on(world, players, over(world))
        last = await check_finished(world, people[0])
        everything = {click for player in players for click in player.clicked}
        assert everything >= {"grand", "card-a", "give", "play", "cards", "pass", "auto-pass"}
        assert everything >= {"wish", "gift", "take-back", "wait", "tichu", "tichu-yes"}
        assert all(not player.can("play", "pass", "give", "grand") for player in players)
        await check_rematch(world, last, people[1])


async def test_one_person_and_three_computer_players_play_to_a_thousand(tmp_path: Path) -> None:
    async with a_world(tmp_path, seed=2) as world:
        (ada,) = world.people("Ada")
        players = await seat_all(world, [ada])
        assert [chair.kind for chair in world.table().chairs] == ["person"] + ["computer"] * 3
        await play_on(world, players, over(world))
        last = await check_finished(world, ada)
        assert last.options.target == 1000
        await check_rematch(world, last, ada)


@pytest.mark.parametrize(
    "options",
    [
        {"direction": "clockwise", "target": 150},
        {"missed-wish": "penalty", "target": 150},
        {"target": 100, "bomb-window": 1.0, "turn-limit": 20, "pace": "quick"},
    ],
    ids=["clockwise", "penalty", "short"],
)
async def test_options_of_a_match(tmp_path: Path, options: dict[str, Any]) -> None:
    async with a_world(tmp_path, seed=3) as world:
        people = world.people("Ada", "Ben")
        players = await seat_all(world, people, **options)
        await play_on(world, players, over(world))
        last = await check_finished(world, people[0])
        chosen = last.options
        assert chosen.target == options["target"]
        assert chosen.direction == options.get("direction", "anticlockwise")
        assert chosen.wish_policy == options.get("missed-wish", "enforced")
        assert chosen.bomb_window_ms == 1000 * options.get("bomb-window", 2.0)
        assert last.round is not None
        step = -1 if chosen.direction == "clockwise" else 1
        order = last.round.seating.order
        assert all((b - a) % 4 == step % 4 for a, b in pairwise(order))
        await check_rematch(world, last, people[0])


async def test_match_in_a_thread(tmp_path: Path) -> None:
    async with a_world(tmp_path, seed=4) as world:
        ada, ben = world.people("Ada", "Ben")
        result = await ada.slash("tichu new", thread=True, computers=2, target=100)
        (thread,) = world.channel.threads
        assert result.response is not None
        assert f"<#{thread.id}>" in result.response.content
        people = [Person(world.env, person.member, thread) for person in (ada, ben)]
        await world.press(people[1], "join")
        await world.press(people[0], "start")
        players = await open_hands(world, people)
        await play_on(world, players, over(world, thread), channel=thread)
        last = await check_finished(world, people[0])
        assert (last.channel_id, last.parent_channel_id) == (thread.id, world.channel.id)
        # The channel only has Discord's own line about the new thread.
        assert [text(m) for m in messages(world.env, world.channel)] == ["Tichu with Ada"]
        await check_rematch(world, last, people[1])
        # Another table fits into the channel beside the thread.
        await ada.slash("tichu new")
        assert world.table().status == "lobby"


async def test_missed_wish_ends_the_round_where_it_is_punished(tmp_path: Path) -> None:
    async with a_world(tmp_path) as world:
        world.chance.dealer = 0
        world.chance.deals = [{0: "MAHJONG J2 J3 J4 J6", 1: "J8 S8 P8 T8 SK PK TK JK"}]
        people = world.people("Ada", "Ben", "Cai", "Dan")
        players = await seat_all(world, people, target=100, **{"missed-wish": "penalty"})
        ada, ben, *_ = players
        for player in players:
            await player.press_with("grand", "no")
        await ada.pass_cards("J2", "J3", "J4")
        for player in players[1:]:
            await player.pass_cards()
        (select,) = [c for c in ada.controls("play") if c.is_select]
        (mahjong,) = [o.value for o in select.options if o.value == f"{1 << 52:x}"]
        await ada.choose(select, mahjong)
        await ada.choose("wish", "8")
        await world.to_next_deadline()
        await ben.press("pass")
        last = world.history[-1].after
        assert last.status == "finished"
        assert last.match is not None
        assert last.match.results[-1].penalty == 1
        assert last.match.totals == (200, 0)
        await check_finished(world, people[0])
