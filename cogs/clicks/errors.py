"""Answers to failed requests: refusals, failures of the storage or Discord, and bugs."""

from __future__ import annotations

import logging

import discord

from bot.errors import Reason, Refused
from bot.runtime.logs import ErrorId, kinds_and_frames, new_error_id
from bot.storage import NotRead, StorageError, StorageUnfit
from bot.table.state import Game, Lobby
from bot.text.sentences import (
    apology,
    database_damaged,
    read_failed,
    response_lost,
    sentence,
    with_error,
    write_failed,
)
from cogs.clicks.context import Context
from cogs.clicks.table_actions import keep_fresh
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_temporary, log_text
from cogs.delivery.replies import ANSWERED, Reply
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import hand_page
from engine import IllegalAction, NotationError

log = logging.getLogger(__name__)

_NOBODY_LISTENS = (10062, ANSWERED, 10015, 50027)
"""Error codes after which no answer is possible: too late, answered already, token expired."""


async def refuse(ctx: Context, error: Exception) -> None:
    """Answer a request that raised `error`; log an unhandled exception."""
    reply, say = ctx.reply, ctx.words.say
    if isinstance(reply.stored_table, Lobby):  # the answer would have been the lobby itself
        ctx.announcer.rewrite_lobby(reply.stored_table)
    try:
        if isinstance(error, Refused | IllegalAction):
            await reply.send_text(sentence(say, error))
        elif isinstance(error, NotationError):
            await reply.send_text(sentence(say, Refused(Reason.UNKNOWN_BUTTON)))
        elif _nobody_listens(reply, error):
            log.warning("interaction expired before the response: %s", log_text(error))
        elif reply.stored:
            await _tell_it_is_done(ctx, _log_failed_answer(error))
        elif isinstance(error, StorageError):
            await reply.send_text(_not_stored(ctx, error))
        else:
            named = _log_failed_answer(error)
            await reply.send_text(with_error(say, apology(say), named))
    except REQUEST_FAILURES as failure:
        log.warning("error response not delivered: %s", log_text(failure))


def _nobody_listens(reply: Reply, error: Exception) -> bool:
    """Return whether no answer can reach the user; a known first answer can be followed up."""
    if not isinstance(error, discord.HTTPException) or error.code not in _NOBODY_LISTENS:
        return False
    return error.code != ANSWERED or not reply.has_response


def _not_stored(ctx: Context, error: StorageError) -> str:
    """Return the sentence for a database that cannot be read or written; log the error."""
    say = ctx.words.say
    if isinstance(error, StorageUnfit) or isinstance(error.__cause__, StorageUnfit):
        return database_damaged(say)
    words, what = write_failed(say), "request failed, database write error"
    if ctx.reply.reading or isinstance(error, NotRead):
        words, what = read_failed(say), "request failed, database read error"
    if error.level < logging.ERROR:  # logged by the storage already
        log.log(error.level, "%s: %s", what, error)
        return words
    named = new_error_id()
    log.error("%s: %s\n%s", what, error, kinds_and_frames(error), extra={"error": named})
    return with_error(say, words, named)


def _log_failed_answer(error: Exception) -> ErrorId | None:
    """Log why an answer was not sent, as a warning if Discord has failed.

    Return the id of the log line; `None` for a temporary failure.
    """
    if isinstance(error, REQUEST_FAILURES) and is_temporary(error):
        log.warning("response not delivered: %s", log_text(error))
        return None
    named = new_error_id()
    extra = {"error": named}
    if isinstance(error, discord.HTTPException):
        log.warning("response rejected by Discord: %s", log_text(error), extra=extra)
    else:
        log.error("unhandled exception:\n%s", kinds_and_frames(error), extra=extra)
    return named


async def _tell_it_is_done(ctx: Context, named: ErrorId | None) -> None:
    """Say that the change is stored and only the answer was lost, with the hand as it is now."""
    reply, words = ctx.reply, ctx.words
    note = with_error(words.say, response_lost(words.say), named)
    state = reply.stored_table
    if state is not None:
        state = ctx.bot.tables.find(state.id) or state
        seat = state.seat_of(ctx.user_id)
        if seat is not None and isinstance(state, Game):
            draft = Draft(note="⚠️ " + note)
            try:
                blocked = ctx.announcer.hands.blocked_reason(state.id)
                page = hand_page(state, seat, words, draft, blocked)
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error(
                    "unhandled exception while showing a hand:\n%s", trail, extra={"error": named}
                )
            else:
                message_id = await reply.show_beside(page)
                keep_fresh(ctx, reply.private_message(message_id), state, seat, draft)
                return
    await reply.send_text(note)
