"""Tables rebuilt from their stored form, open or over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.records import ActionRecord, Count, TableRecord
from bot.table.action_log import ReplayError, is_deal, read_deal_record, replay
from bot.table.details import DealSecrets, Details, MessageIds, Timers
from bot.table.options import TableOptions
from bot.table.state import Chair, Game, Lobby, OpenTable, TableState, chair_of
from engine.fair_deal import FairDeal


def restore_outline(record: TableRecord) -> TableState:
    """Return a stored table without its match and details; raise `ReplayError`."""
    return TableState(**_common_fields(record))


def restore_table(record: TableRecord, actions: Sequence[ActionRecord]) -> OpenTable:
    """Return a stored table in the state after all its actions; raise `ReplayError`."""
    common = _common_fields(record)
    try:
        details = Details.model_validate_json(record.details)
    except ValueError:
        raise ReplayError(0) from None  # without its text, because pre-moves are secret
    common |= {
        "revision": details.revision,
        "timers": details.timers,
        "deal": details.deal,
        "invitations": details.invitations,
        "messages": MessageIds(
            lobby=record.lobby_message_id,
            table=record.table_message_id,
            table_round=details.messages.table_round,
            result=details.messages.result,
            vote=details.messages.vote,
            invitations=details.messages.invitations,
            nudge=details.messages.nudge,
            away=details.messages.away,
            free=details.messages.free,
            direct=details.messages.direct,
            added=details.messages.added,
        ),
    }
    match = replay(common["options"].rules, actions)
    if match is None:
        return Lobby(**common)
    if match.round is None:
        raise ReplayError(len(actions))
    return Game(
        **common,
        match=match,
        seq=len(actions),
        last_round=details.last_round,
        kept=details.kept,
        notes=details.notes,
        credits=details.credits,
    )


def restore_table_at(table: OpenTable, actions: Sequence[ActionRecord], seq: Count) -> OpenTable:
    """Return a restored table as it was after the first `seq` of its `actions`.

    A late message about an earlier round needs this state. It has the secrets of that round and of
    the next, but the current people, and no timers. Raises `ReplayError`.
    """
    if not isinstance(table, Game) or seq >= table.seq:
        return table
    match = replay(table.options.rules, actions[:seq])
    if match is None:
        raise ReplayError(seq)
    deal = DealSecrets(
        sealed=next(_deal_secrets(actions[seq:]), table.deal.sealed),
        dealt=next(_deal_secrets(reversed(actions[:seq])), ""),
        words=table.deal.words,
    )
    return replace(table, status="playing", match=match, seq=seq, deal=deal, timers=Timers())


def _deal_secrets(actions: Iterable[ActionRecord]) -> Iterator[str]:
    """Yield the secret of each deal among these actions, empty for a prepared deal."""
    for action in actions:
        if is_deal(action):
            source = read_deal_record(action)
            yield source.secret.hex() if isinstance(source, FairDeal) else ""


def _common_fields(record: TableRecord) -> dict[str, Any]:
    """Return the fields of `TableState` by name; raise `ReplayError`."""
    try:
        options = TableOptions.model_validate_json(record.options)
    except ValueError:
        raise ReplayError(0) from None
    taken = {seat.seat: chair_of(seat) for seat in record.seats}
    if record.status == "lobby":
        chair_count = options.lobby_chairs
    else:  # a lobby may have been closed with more people than its options allow
        fewest = options.game.chair_count(options.rules)
        chair_count = max([fewest, *(seat + 1 for seat in taken)])
    return {
        "id": record.id,
        "guild_id": record.guild_id,
        "channel_id": record.channel_id,
        "parent_channel_id": record.parent_channel_id,
        "host_id": record.host_id,
        "status": record.status,
        "options": options,
        "chairs": tuple(taken.get(seat, Chair(seat=seat)) for seat in range(chair_count)),
        "created_at": record.created_at,
    }
