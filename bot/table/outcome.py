"""Outcome of a command or deadline: next state, stored change, and events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from bot.records import ActionRecord, Change, RoundRecord
from bot.table.deadlines import reschedule
from bot.table.presence import pauses_now
from bot.table.results import match_record, round_record, rounds_counted
from bot.table.state import Game, OpenTable
from engine import Event, MatchEnded, RoundEnded


class Outcome(NamedTuple):
    """Next state of a table, its stored change, and the engine's events."""

    after: OpenTable
    change: Change
    events: Sequence[Event] = ()


def details_only(after: OpenTable) -> Outcome:
    """Return an outcome that stores only the details, without actions or changed seats."""
    return Outcome(after, Change(details=write_details(after)))


def outcome_of_actions(
    before: OpenTable,
    game: Game,
    actions: Sequence[ActionRecord],
    events: Sequence[Event],
    now: datetime,
) -> Outcome:
    """Return the outcome of the actions that led to `game`.

    The game pauses if nobody is present to play on. Its deadlines follow from what has changed
    since `before`.
    """
    round_over: RoundRecord | None = None
    if any(isinstance(event, MatchEnded) for event in events):
        game = replace(game, status="finished")
    if pauses_now(game):
        game = game.with_timers(paused=True)
    game = reschedule(before, game, now)
    for event in events:
        if isinstance(event, RoundEnded):
            round_over = round_record(game, event.result, now)
            game = game.with_credits(rounds=rounds_counted(game, round_over))
    ending: dict[str, Any] = {}
    if game.status == "finished":
        ending = {"match": match_record(game, now, "finished"), "ended_at": now}
    change = Change(
        expected_seq=game.seq - len(actions),
        actions=tuple(actions),
        details=write_details(game),
        status=game.status,
        round=round_over,
        **ending,
    )
    return Outcome(game, change, events)


def write_details(table: OpenTable) -> str:
    """Return the stored details of a table, fewer after its end."""
    exclude = {"messages": {"lobby", "table"}}
    if not table.open:
        exclude["notes"] = {"quiet"}
    return table.details().model_dump_json(exclude=exclude)
