"""A table rebuilt from what the store holds: used at start-up and for a rematch."""

from __future__ import annotations

from collections.abc import Sequence

from bot.records import ActionRecord, TableRecord
from bot.table.action_log import ReplayError, replay
from bot.table.state import Chair, Desk, TableOptions, TableState


def restored(record: TableRecord, actions: Sequence[ActionRecord]) -> TableState:
    """The table as it was after the last of its actions. Raises `ReplayError`."""
    try:
        options = TableOptions.model_validate_json(record.options)
        desk = Desk.model_validate_json(record.desk)
        rules, seats = options.rules(), options.chairs
    except (ValueError, KeyError):
        raise ReplayError(0) from None  # and not its text: pre-moves are secret
    chairs = {
        seat.seat: Chair(seat=seat.seat, kind=seat.kind, user_id=seat.user_id, name=seat.name)
        for seat in record.seats
    }
    return TableState(
        id=record.id,
        guild_id=record.guild_id,
        channel_id=record.channel_id,
        parent_channel_id=record.parent_channel_id,
        host_id=record.host_id,
        status=record.status,
        options=options,
        chairs=tuple(chairs.get(seat, Chair(seat=seat)) for seat in range(seats)),
        desk=desk,
        created_at=record.created_at,
        match=replay(rules, actions),
        seq=len(actions),
        lobby_message_id=record.lobby_message_id,
        table_message_id=record.table_message_id,
    )
