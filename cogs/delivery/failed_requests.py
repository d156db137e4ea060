"""Which failed requests are tried again, and after which pause.

There are three kinds of errors:

- Temporary trouble of Discord, the network or the storage: a 5xx or 429 answer, a lost connection,
  a database that cannot be written. The pauses are 1, 2, 4, 8 and then always 15 seconds.
- The bot is not allowed to now, but may be again: a 401 or 403 answer (somebody has taken away a
  permission, 50013, or the access to the channel, 50001), or a thread that is archived or locked.
  The pauses are 15, 30 and then always 60 seconds; they end early when something happens after
  which the bot may be allowed to.
- Everything else is final: the channel is gone (10003), or Discord finds the request invalid
  (50035), which is a mistake of ours.
"""

from __future__ import annotations

import discord

from bot.runtime import request_errors
from bot.runtime.discord_requests import TOO_MANY_EDITS_OF_OLD
from bot.storage import StorageError

REQUEST_FAILURES = (*request_errors.REQUEST_ERRORS, StorageError)
"""Every error with which a request can end without anybody's fault."""
UNKNOWN_MESSAGE = 10008
_UNKNOWN_CHANNEL = 10003
EARLY_RETRY_S = 10.0
"""Seconds after a refusal until the next try at the earliest, whatever happens.

Discord shuts out who makes 10,000 refused requests in ten minutes.
"""
_NOT_ALLOWED = (401, 403)
_THREAD_IS_CLOSED = (50083, 160005)
"""Archived, locked; the status of these answers differs."""
_INVALID = (50006, 50035)
"""An empty message, an invalid form."""
_TEMPORARY_PAUSES_S = 1.0, 15.0
_NOT_ALLOWED_PAUSES_S = 15.0, 60.0


def is_temporary(error: Exception) -> bool:
    """Whether a retry of the same request may soon succeed."""
    if is_too_old(error):
        return False
    return isinstance(error, StorageError) or request_errors.is_temporary(error)


def is_not_allowed(error: Exception) -> bool:
    """Whether a retry can succeed once somebody allows it."""
    refused = isinstance(error, discord.HTTPException) and error.status in _NOT_ALLOWED
    return refused or thread_is_closed(error)


def thread_is_closed(error: Exception) -> bool:
    """Whether it is a thread that is archived or locked."""
    return isinstance(error, discord.HTTPException) and error.code in _THREAD_IS_CLOSED


def is_unknown_channel(error: Exception) -> bool:
    """Whether Discord does not know the channel or thread: somebody has deleted it."""
    return isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_CHANNEL


def is_too_old(error: Exception) -> bool:
    """Whether an old message has been edited too often: that works again after a while."""
    return isinstance(error, discord.HTTPException) and error.code == TOO_MANY_EDITS_OF_OLD


def is_invalid(error: Exception) -> bool:
    """Whether Discord finds wrong what was sent: a mistake of ours."""
    return isinstance(error, discord.HTTPException) and error.code in _INVALID


def pause_s(failures: int, error: Exception) -> float:
    """Seconds to wait before the next retry, after `failures` failures in a row.

    Each pause is twice as long as the one before, up to a limit that depends on the error; but at
    least as long as Discord itself asks for.
    """
    first, longest = _NOT_ALLOWED_PAUSES_S if is_not_allowed(error) else _TEMPORARY_PAUSES_S
    asked = 0.0
    if isinstance(error, discord.HTTPException):
        try:
            asked = float(error.response.headers.get("Retry-After", 0))
        except ValueError:  # a date: no such header comes from Discord itself
            asked = longest
    return max(asked, min(longest, first * 2.0 ** min(failures - 1, 10)))


def log_text(error: Exception) -> str:
    """Describe an error in the log without what we sent or what cards it may name."""
    kind = type(error).__name__
    if isinstance(error, discord.HTTPException):
        return f"{kind} {error.status}/{error.code}"
    return f"{kind}: {error}"[:200] if isinstance(error, REQUEST_FAILURES) else kind
