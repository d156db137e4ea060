"""How a table ends before its match does: its lobby expires, or people stop or vote for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.records import Change
from bot.table import interruptions
from bot.table.batch import Batch
from bot.table.outcome import Outcome, noted, write_details
from bot.table.results import match_record
from bot.table.state import Game, Lobby, OpenTable


def expired(lobby: Lobby, now: datetime) -> Outcome:
    """The end of a lobby in which nothing has happened for too long."""
    after = replace(lobby.with_timers(deadlines={}), status="expired")
    return Outcome(after, Change(status="expired", details=write_details(after), ended_at=now))


def stopped(table: OpenTable, now: datetime) -> Outcome:
    """The end of a table that is closed by people; a match that was played has no winners."""
    after: OpenTable = replace(table.with_timers(deadlines={}), status="stopped")
    record = None
    if isinstance(after, Game):
        after = after.with_kept(premoves={})
        record = match_record(after, now, "stopped")
    details = write_details(after)
    return Outcome(after, Change(status="stopped", details=details, ended_at=now, match=record))


def voted_end(before: Game, voted: Game, ending: interruptions.Ending, now: datetime) -> Outcome:
    """What a vote to stop has led to: `voted` is the table with it."""
    if ending == "now":
        return stopped(before, now)
    if ending == "with-result":
        batch = Batch(before, now)
        batch.stop()
        return batch.finish()
    return noted(voted)
