"""How a table ends before its match does: its lobby expires, or it is stopped.

Pure functions from a table state to the last one and the change that stores it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.records import Change
from bot.table.results import match_record
from bot.table.state import TableState


def expired(state: TableState, now: datetime) -> tuple[TableState, Change]:
    """A lobby in which nothing has happened for too long."""
    desk = state.desk.model_copy(update={"deadlines": {}})
    after = replace(state, status="expired", desk=desk)
    return after, Change(status="expired", desk=desk.model_dump_json(), ended_at=now)


def stopped(state: TableState, now: datetime) -> tuple[TableState, Change]:
    """A table that is closed by people; a match that was played has no winners."""
    desk = state.desk.model_copy(update={"deadlines": {}, "premoves": {}})
    after = replace(state, status="stopped", desk=desk)
    record = match_record(state, now, "stopped") if state.round is not None else None
    desk_text = desk.model_dump_json()
    return after, Change(status="stopped", desk=desk_text, ended_at=now, match=record)
