"""The public messages of a table, by their ids: kept with it, to be found after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypedDict, cast

from bot.records import Change
from bot.table.state import TableState

_COLUMNS = ("lobby_message_id", "table_message_id")
_ON_THE_DESK = ("message_round", "nudge_message_id", "result_message_id")


class MessageIds(TypedDict, total=False):
    """Messages that were posted; 0 forgets the nudge or the result.

    `message_round` is the round that the table message shows.
    """

    lobby_message_id: int
    table_message_id: int
    message_round: int
    nudge_message_id: int
    result_message_id: int


def remembered(state: TableState, ids: MessageIds) -> tuple[TableState, Change]:
    """The table with these ids, and the change that stores them."""
    given = cast(Mapping[str, int], ids)
    columns: dict[str, Any] = {name: given[name] for name in _COLUMNS if name in given}
    on_desk = {name: given[name] or None for name in _ON_THE_DESK if name in given}
    after = replace(state, **columns, desk=state.desk.model_copy(update=on_desk))
    return after, Change(**columns, desk=after.desk.model_dump_json())
