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
from cogs.clicks.table_actions import track_hand
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_temporary, log_text
from cogs.delivery.replies import ANSWERED, EXPIRED, Reply
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import hand_page
from engine import IllegalAction, NotationError

log = logging.getLogger(__name__)

_UNANSWERABLE = (EXPIRED, ANSWERED, 10015, 50027)
"""Error codes of interactions that are too old or answered already, or whose token has expired."""


async def refuse(ctx: Context, error: Exception) -> None:
    """Answer a request that raised `error`, after logging it if it is not a refusal."""
    reply, say = ctx.reply, ctx.words.say
    if isinstance(reply.stored_table, Lobby):  # the lost answer would have shown the changed lobby
        ctx.announcer.rewrite_lobby(reply.stored_table)
    try:
        if isinstance(error, Refused | IllegalAction):
            await reply.send_text(sentence(say, error))
        elif isinstance(error, NotationError):
            await reply.send_text(sentence(say, Refused(Reason.UNKNOWN_BUTTON)))
        elif _is_unanswerable(reply, error):
            log.warning("interaction expired before the response: %s", log_text(error))
            reply.count_unanswered(error)
        elif reply.stored:
            await _report_lost_answer(ctx, _log_failed_answer(error))
        elif isinstance(error, StorageError):
            await reply.send_text(_database_sentence(ctx, error))
        else:
            error_id = _log_failed_answer(error)
            await reply.send_text(with_error(say, apology(say), error_id))
    except REQUEST_FAILURES as failure:
        log.warning("error response not delivered: %s", log_text(failure))
        reply.count_unanswered(failure)


def _is_unanswerable(reply: Reply, error: Exception) -> bool:
    """Return whether no answer can reach the user any more.

    An interaction that is answered already can still get a follow-up, if the bot sent that answer.
    """
    if not isinstance(error, discord.HTTPException) or error.code not in _UNANSWERABLE:
        return False
    return error.code != ANSWERED or not reply.has_response


def _database_sentence(ctx: Context, error: StorageError) -> str:
    """Log a database error; return a sentence which says what could not be read or written."""
    say = ctx.words.say
    if isinstance(error, StorageUnfit) or isinstance(error.__cause__, StorageUnfit):
        return database_damaged(say)
    answer, log_message = write_failed(say), "request failed, database write error"
    if ctx.reply.reading or isinstance(error, NotRead):
        answer, log_message = read_failed(say), "request failed, database read error"
    if error.level < logging.ERROR:  # the storage has logged the cause already
        log.log(error.level, "%s: %s", log_message, error)
        return answer
    error_id = new_error_id()
    trail = kinds_and_frames(error)
    log.error("%s: %s\n%s", log_message, error, trail, extra={"error": error_id})
    return with_error(say, answer, error_id)


def _log_failed_answer(error: Exception) -> ErrorId | None:
    """Log why an answer was not sent; return the id of the log line.

    A failure of Discord is logged as a warning. A temporary one gets no id.
    """
    if isinstance(error, REQUEST_FAILURES) and is_temporary(error):
        log.warning("response not delivered: %s", log_text(error))
        return None
    error_id = new_error_id()
    extra = {"error": error_id}
    if isinstance(error, discord.HTTPException):
        log.warning("response rejected by Discord: %s", log_text(error), extra=extra)
    else:
        log.error("unhandled exception:\n%s", kinds_and_frames(error), extra=extra)
    return error_id


async def _report_lost_answer(ctx: Context, error_id: ErrorId | None) -> None:
    """Answer that the change is stored and only the first answer was lost.

    If the change was to a match of the user, the answer is their current hand with that sentence.
    """
    reply, words = ctx.reply, ctx.words
    note = with_error(words.say, response_lost(words.say), error_id)
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
                    "unhandled exception while showing a hand:\n%s",
                    trail,
                    extra={"error": error_id},
                )
            else:
                message_id = await reply.show_beside(page)
                track_hand(ctx, reply.private_message(message_id), state, seat, draft)
                return
    await reply.send_text(note)
