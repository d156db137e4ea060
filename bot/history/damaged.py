"""What is said of a stored match that cannot be played again, to its reader and the operator."""

from __future__ import annotations

import logging

from bot.errors import Reason, Refused
from bot.records import TableRecord
from bot.runtime.log_context import new_error_id
from bot.table.action_log import ReplayError

log = logging.getLogger(__name__)


def damaged(record: TableRecord, error: ReplayError) -> Refused:
    """The refusal for who wants to see it; the log says the same and what to do."""
    named = new_error_id()
    log.error(
        "table %s is damaged: %s; next: run `python -m bot check`",
        *(record.id, error),
        extra={"error": named},
    )
    return Refused(Reason.UNREADABLE_LOG, number=record.id, error=named)
