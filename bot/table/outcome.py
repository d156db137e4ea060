"""Outcome of a command, a deadline or a posted message: next state, stored change, events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from bot.ids import ChannelId, MessageId, UserId
from bot.records import ActionRecord, Change, Count, RoundRecord
from bot.table.deadlines import reschedule
from bot.table.presence import pauses_now
from bot.table.results import add_round_credits, match_record, round_record
from bot.table.state import Game, OpenTable
from engine import Event, MatchEnded, RoundEnded, Seat


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
    """Return the outcome of the actions that led from `before` to `game`.

    The game pauses if nobody is present to play on. Deadlines of an unchanged position are kept.
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
            game = game.with_credits(rounds=add_round_credits(game, round_over))
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


_PERSONAL = {"auto_pass_always", "more_time", "quiet", "coming"}
"""Notes with personal settings, which are not stored once the table is closed."""


def write_details(table: OpenTable) -> str:
    """Return the stored details of a table; after its end without choices and invitations."""
    exclude: dict[str, Any] = {"messages": {"lobby", "table"}}
    if not table.open:
        exclude |= {"notes": _PERSONAL, "kept": True, "invitations": True}
    return table.details().model_dump_json(exclude=exclude)


class Posted(TypedDict, total=False):
    """Ids of posted messages; 0 removes one."""

    lobby: MessageId
    """The lobby."""
    table: MessageId
    """The newest table message."""
    table_round: Count
    """Number of the round that the table message shows."""
    vote: MessageId
    """The open vote to stop."""
    invitations: tuple[MessageId, ...]
    """All invitations that are still in the channel."""
    nudge: MessageId
    """The message that nudges awaited people, if not the table message."""
    away: dict[Seat, MessageId]
    """All messages about people who are away, by chair."""
    free: dict[Seat, MessageId]
    """All messages that offer a computer player's seat to everybody, by chair."""
    direct: dict[UserId, tuple[ChannelId, MessageId]]
    """All direct messages that nudge, by user: channel and message id."""
    added: tuple[UserId, ...]
    """All users whom the bot has added to the thread of the table."""
    result: MessageId
    """The result with the countdown to the next round."""


_NOT_SINGLE_IDS = ("table_round", "away", "free", "direct", "invitations", "added")
"""Fields that are not a single message id."""
_COLUMNS = {"lobby": "lobby_message_id", "table": "table_message_id"}
"""Fields that have a database column of their own, outside the details."""


def outcome_of_message_ids(table: OpenTable, posted: Posted) -> Outcome:
    """Return the outcome of storing these ids at a table."""
    ids: dict[str, Any] = {
        name: value if name in _NOT_SINGLE_IDS else value or None for name, value in posted.items()
    }
    after = table.with_messages(**ids)
    columns = {column: ids[name] for name, column in _COLUMNS.items() if name in ids}
    return Outcome(after, Change(**columns, details=write_details(after)))
