"""Ends of a table before its match ends: expiry, stop, vote."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.records import Change
from bot.table import interruptions
from bot.table.batch import Batch
from bot.table.outcome import Outcome, details_only, write_details
from bot.table.results import match_record
from bot.table.state import Game, Lobby, OpenTable


def expiry_outcome(lobby: Lobby, now: datetime) -> Outcome:
    """Return the outcome of a lobby that expires for lack of activity."""
    after = replace(lobby.with_timers(deadlines={}), status="expired")
    return Outcome(after, Change(status="expired", details=write_details(after), ended_at=now))


def stop_outcome(table: OpenTable, now: datetime) -> Outcome:
    """Return the outcome of stopping a table; its match has no winners."""
    after: OpenTable = replace(table.with_timers(deadlines={}), status="stopped")
    record = None
    if isinstance(after, Game):
        after = after.with_kept(premoves={})
        record = match_record(after, now, "stopped")
    details = write_details(after)
    return Outcome(after, Change(status="stopped", details=details, ended_at=now, match=record))


def vote_outcome(
    before: Game, voted: Game, consequence: interruptions.VoteConsequence, now: datetime
) -> Outcome:
    """Return the outcome of a vote to stop; `voted` is the table after the vote."""
    if consequence == "now":
        return stop_outcome(before, now)
    if consequence == "with-result":
        batch = Batch(before, now)
        batch.stop()
        return batch.finish()
    return details_only(voted)
