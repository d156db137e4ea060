"""Checks of a match that has ended by clicks: record, channel, rematch."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.ids import TableId
from bot.rating.ratings import BEGINNER
from bot.table.action_log import replay
from bot.table.state import Game
from cogs.pages.verbs import Verb
from engine import Call, Match, write_position
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import Person, messages, text, with_verb

CALLS = {Call.TICHU: "tichu", Call.GRAND: "grand"}


async def check_finished(world: World, person: Person) -> Game:
    """Check that the last match is stored as played and its channel shows the winner."""
    last = world.last_game()
    match = last.match
    assert last.status == "finished"
    actions = await world.bot.store.tables.actions(last.id)
    assert [action.seq for action in actions] == list(range(1, last.seq + 1))
    replayed = replay(last.options.rules, actions)
    assert replayed is not None
    assert write_position(replayed) == write_position(match)
    await _check_rounds(world, last.id, match)
    await _check_match(world, last, match)

    winners = {chair.name for chair in last.chairs if wins(match, chair.seat)}
    results = [m for m in messages(world.env, person.channel) if with_verb(m, Verb.REMATCH)]
    (verdict,) = [line for line in text(results[-1]).splitlines() if line.startswith("# ")]
    assert {chair.name for chair in last.chairs if chair.name in verdict} == winners
    await _check_ratings(world, last, text(results[-1]))
    return last


async def _check_ratings(world: World, last: Game, shown: str) -> None:
    """Check that the result shows all counted ratings and their changes."""
    users = [chair.user_id for chair in last.people() if chair.user_id is not None]
    variant = last.options.variant
    ratings = await world.bot.store.rankings.ratings(last.guild_id, variant, users)
    for chair in last.people():
        if chair.user_id in ratings:
            now, before = round(ratings[chair.user_id].shown), round(BEGINNER.shown)
            change = SAY.signed(now - before)
            told = f"{chair.name} **{SAY.number(now)}** ({change})"
            assert told in shown, (told, shown)
    assert ("📈" in shown) == bool(ratings)


def wins(match: Match, seat: int) -> bool:
    """Return whether the column of this seat has won."""
    assert match.round is not None
    return match.variant.column(match.round, seat) in match.winners


async def _check_rounds(world: World, table_id: TableId, match: Match) -> None:
    rounds = await world.bot.store.history.rounds(table_id)
    assert [round_.number for round_ in rounds] == [result.number for result in match.results]
    for stored, result in zip(rounds, match.results, strict=True):
        assert tuple(score.total for score in stored.scores) == result.totals
        assert tuple(score.score for score in stored.scores) == result.score
        places = {seat.seat: seat.place for seat in stored.seats if seat.place is not None}
        chairs = range(match.variant.chair_count(match.options))
        out = enumerate(result.out, start=1)
        assert places == {seat: place for place, seat in out if seat in chairs}
        calls = {(seat.seat, seat.call, seat.call_made) for seat in stored.seats if seat.call}
        assert calls == {(s, CALLS[call], made) for s, call, made in result.calls if s in chairs}
        told = [[seat, CALLS[call], made] for seat, call, made in result.calls]
        assert json.loads(stored.result)["calls"] == told


async def _check_match(world: World, last: Game, match: Match) -> None:
    record = await world.bot.store.history.match(last.id)
    assert record is not None
    assert (record.reason, record.rounds) == ("finished", len(match.results))
    assert tuple(score.total for score in record.scores) == match.totals
    if last.options.rules.target is not None:
        assert max(match.totals) >= (last.options.rules.target or 0)
    assert {seat.seat for seat in record.seats if seat.won} == {
        chair.seat for chair in last.chairs if wins(match, chair.seat)
    }
    assert [(seat.user_id, seat.name, seat.kind) for seat in record.seats] == [
        (chair.user_id, chair.name, chair.kind) for chair in last.chairs
    ]
    table = await world.bot.store.tables.get(last.id)
    assert table is not None
    assert (table.status, table.ended_at) == ("finished", record.ended_at)


async def check_rematch(world: World, last: Game, person: Person) -> None:
    """Check that a rematch opens a lobby with the same seats and options, and can start."""
    await person.press(Verb.REMATCH)
    lobby = world.table(person.channel)
    assert (lobby.status, lobby.host_id) == ("lobby", person.id)
    people = len(last.chairs)
    assert lobby.chairs[:people] == last.chairs
    assert all(chair.kind == "empty" for chair in lobby.chairs[people:])
    any_number = replace(last.options.rules, players=None)
    assert lobby.options == last.options.model_copy(update={"rules": any_number})
    await person.press(Verb.START)
    again = world.game(person.channel)
    assert again.running
    assert again.round.number == 1
    assert again.chairs == last.chairs
    await world.check_replay(person.channel)
