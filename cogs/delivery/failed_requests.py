"""Classification of failed requests, and the pauses before they are retried.

There are three kinds of errors:

- Temporary failures of Discord, the network or the storage: a 5xx or 429 answer, a lost connection,
  a database that cannot be written. The pauses are 1, 2, 4, 8 and then always 15 seconds.
- The bot is not allowed to do this now, but may be later: a 401 or 403 answer (somebody has taken
  away a permission, 50013, or the access to the channel, 50001), or a thread that is archived or
  locked. The pauses are 15, 30 and then always 60 seconds. They end early when permissions or the
  thread change.
- All other errors are final: the channel is gone (10003), or Discord finds the request invalid
  (50035), which is a bug.
"""

from __future__ import annotations

import discord

from bot.runtime import discord_requests
from bot.runtime.discord_requests import TOO_MANY_EDITS_OF_OLD
from bot.storage import StorageError

REQUEST_FAILURES = (*discord_requests.REQUEST_ERRORS, StorageError)
"""All errors with which a request can fail without a bug in this program."""
UNKNOWN_MESSAGE = 10008
_UNKNOWN_CHANNEL = 10003
EARLY_RETRY_S = 10.0
"""Shortest pause in seconds after a refusal, even if it is ended early.

Discord blocks an IP address for a while after 10,000 refused requests in ten minutes.
"""
_NOT_ALLOWED = (401, 403)
_THREAD_IS_CLOSED = (50083, 160005)
"""Error codes for archived and locked threads, whose HTTP status differs."""
_INVALID = (50006, 50035)
"""Error codes for an empty message and an invalid form."""
_TEMPORARY_PAUSES_S = 1.0, 15.0
"""First and longest pause after temporary failures, in seconds."""
_NOT_ALLOWED_PAUSES_S = 15.0, 60.0
"""First and longest pause after refusals, in seconds."""


def is_temporary(error: Exception) -> bool:
    """Return whether the error is temporary, so a retry of the request may soon succeed."""
    if is_too_old(error):
        return False
    return isinstance(error, StorageError) or discord_requests.is_temporary(error)


def is_not_allowed(error: Exception) -> bool:
    """Return whether the bot lacks a permission or the thread is closed, which may change."""
    lacks_permission = isinstance(error, discord.HTTPException) and error.status in _NOT_ALLOWED
    return lacks_permission or thread_is_closed(error)


def thread_is_closed(error: Exception) -> bool:
    """Return whether the request failed because a thread is archived or locked."""
    return isinstance(error, discord.HTTPException) and error.code in _THREAD_IS_CLOSED


def is_unknown_channel(error: Exception) -> bool:
    """Return whether the channel or thread was deleted."""
    return isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_CHANNEL


def is_too_old(error: Exception) -> bool:
    """Return whether Discord refuses to edit an old message because of too many such edits."""
    return isinstance(error, discord.HTTPException) and error.code == TOO_MANY_EDITS_OF_OLD


def is_invalid(error: Exception) -> bool:
    """Return whether Discord found the request invalid, which is a bug."""
    return isinstance(error, discord.HTTPException) and error.code in _INVALID


def pause_s(failures: int, error: Exception) -> float:
    """Return the pause in seconds after `failures` failures in a row.

    Each pause is twice as long as the previous one, up to a limit that depends on the error. It is
    at least the `Retry-After` of Discord's response.
    """
    first, longest = _NOT_ALLOWED_PAUSES_S if is_not_allowed(error) else _TEMPORARY_PAUSES_S
    retry_after_s = 0.0
    if isinstance(error, discord.HTTPException):
        try:
            retry_after_s = float(error.response.headers.get("Retry-After", 0))
        except ValueError:  # a date, which HTTP allows but Discord itself never sends
            retry_after_s = longest
    return max(retry_after_s, min(longest, first * 2.0 ** min(failures - 1, 10)))


def log_text(error: Exception) -> str:
    """Return a text for the log that never contains cards or the content of a request."""
    kind = type(error).__name__
    if isinstance(error, discord.HTTPException):
        return f"{kind} {error.status}/{error.code}"
    return f"{kind}: {error}"[:200] if isinstance(error, REQUEST_FAILURES) else kind
