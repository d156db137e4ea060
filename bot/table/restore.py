"""A table rebuilt from what the store holds: used at start-up and for a rematch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.storage import ActionRecord, TableRecord
from bot.table.action_log import ReplayError, read_deal, replay
from bot.table.state import Chair, Desk, TableOptions, TableState
from engine.actions import CLOCK
from engine.fair_deal import FairDeal

_DEAL = "deal:"


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


def restored_at(record: TableRecord, actions: Sequence[ActionRecord], seq: int) -> TableState:
    """The table as it was when it had `seq` actions and its round was just over.

    For a message about that round. The people are those of now; no clock runs. The secret of the
    deal is that of the round, the sealed one that of the round after it. Raises `ReplayError`.
    """
    state = restored(record, actions)
    if seq >= state.seq:
        return state
    desk = state.desk.model_copy(
        update={
            "dealt": next(_secrets(reversed(actions[:seq])), ""),
            "sealed": next(_secrets(actions[seq:]), state.desk.sealed),
            "deadlines": {},
        }
    )
    match = replay(state.options.rules(), actions[:seq])
    return replace(state, status="playing", match=match, seq=seq, desk=desk)


def _secrets(actions: Iterable[ActionRecord]) -> Iterator[str]:
    """The secrets of the deals among these actions, empty for prepared ones."""
    for action in actions:
        if action.seat == CLOCK and action.text.startswith(_DEAL):
            deal = read_deal(action.text.removeprefix(_DEAL))
            yield deal.secret.hex() if isinstance(deal, FairDeal) else ""
