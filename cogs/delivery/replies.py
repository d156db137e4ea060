"""How a click or a command is answered: always, once, in time, and privately where it must be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

import discord
from discord.utils import MISSING

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import MessageId, TableId
from bot.runtime.clock import Clock
from bot.runtime.log_context import ErrorId, new_error_id, work_on
from bot.runtime.logs import kinds_and_frames
from bot.runtime.metrics import Kind
from bot.storage import NotRead, StorageError, StorageUnfit
from bot.table.commands import ComeBack, Command
from bot.table.permission import own_seat
from bot.table.presence import comes_back
from bot.table.state import Game, Lobby, OpenTable
from bot.text.sentences import (
    answer_lost,
    apology,
    reading_trouble,
    sentence,
    storage_damaged,
    storage_trouble,
    with_error,
)
from cogs.delivery.announcer import Announcer
from cogs.delivery.failed_requests import REQUEST_FAILURES, UNKNOWN_MESSAGE, is_temporary, log_text
from cogs.delivery.messages import NOBODY
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.reopening import is_gone, may_be_closed, move_table
from cogs.pages.controls import Page
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import hand_page
from cogs.pages.table.seats import watching_page
from engine import IllegalAction, NotationError, Seat

log = logging.getLogger(__name__)

T = TypeVar("T")
Interaction = discord.Interaction[Any]

_ANSWERED = 40060
"""There is an answer already."""
_NOBODY_LISTENS = (10062, _ANSWERED, 10015, 50027)
"""Too late, answered already, token expired: there is nobody to say anything to."""
ANSWER_WITHIN = timedelta(seconds=3)
"""The longest Discord waits for an answer, from the moment of the click or command."""
TOO_LATE_AFTER = ANSWER_WITHIN + timedelta(seconds=1)
"""What arrives later than this is not carried out: Discord has told its sender that it failed."""
DEFER_AFTER = timedelta(seconds=2)
"""After this time, in which an answer can still reach Discord, the reply is deferred."""
_DEFER_AT, _READS, _STORED, _TAKEN = "defer-at", "reads", "stored", "taken"
_ASKED = "asked"
"""What kind of click or command it is, and when it arrived: until there is an answer."""


def begin(
    bot: TichuBot, interaction: Interaction, kind: Kind, table_id: TableId | None = None
) -> None:
    """Begin to answer a click or command: the bot does not end before that is done.

    How long the first answer takes is noted for this `kind`. `Refused` if the bot is about to end,
    if it has yet to read the tables of a server that another process has left to it, or if this
    has arrived so late that it is not to be carried out: Discord delivers what was pressed while
    the connection was interrupted afterwards.
    """
    interaction.extras[_ASKED] = kind, bot.metrics.now()
    work_on(table=table_id, interaction=interaction.id)
    bot.under_way.note()
    if bot.under_way.closing or not bot.tables.serving.has_all(interaction.guild_id or 0):
        raise Refused(Reason.RESTARTING)
    if _age(interaction) > TOO_LATE_AFTER:
        raise Refused(Reason.TOO_LATE)


def _age(interaction: Interaction) -> timedelta:
    """How long ago this was pressed or sent."""
    age: timedelta = interaction.client.discord_time.age(interaction.created_at)
    return age


class Reply:
    """The answer to one interaction; it knows whether to respond, to edit or to follow up.

    It also knows how far the request has come: before a change is stored an error means that
    nothing was changed, afterwards only that the answer was lost. And it knows when to defer,
    however many steps there are until then. That is kept with the interaction, so any
    number of these objects for one interaction are the same.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._clock: Clock = interaction.client.clock
        self._follow_ups: set[MessageId] = set()
        if _DEFER_AT not in interaction.extras:
            interaction.extras[_DEFER_AT] = self._defer_at()

    # --- doing what was asked for --------------------------------------------------------------

    async def reading(self, work: Awaitable[T]) -> T:
        """The result of `work`, which changes nothing."""
        self.interaction.extras[_READS] = True
        result = await self._in_time(work)
        self.interaction.extras[_READS] = False
        return result

    async def changing(self, work: Awaitable[T]) -> T:
        """The result of `work`, which stores a change: from then on the request is carried out.

        Of several changes the last one counts: if it fails, what was asked for is not done.
        """
        self.interaction.extras[_READS] = False
        self.interaction.extras.pop(_STORED, None)
        return await self._in_time(self._note_stored(work))

    async def _note_stored(self, work: Awaitable[T]) -> T:
        """The result of `work`; that it is stored is known before anything else can fail."""
        result = await work
        self.interaction.extras[_STORED] = result
        return result

    @property
    def reads(self) -> bool:
        """Whether something was being read when the request failed."""
        return bool(self.interaction.extras.get(_READS))

    @property
    def stored(self) -> bool:
        """Whether a change is stored: the request is carried out, whatever happens now."""
        return _STORED in self.interaction.extras

    @property
    def stored_table(self) -> OpenTable | None:
        """The table after the change, if it was one of a table."""
        result = self.interaction.extras.get(_STORED)
        return result if isinstance(result, Lobby | Game) else None

    def _defer_at(self) -> datetime:
        """When the reply is deferred: the time since the click is counted, too.

        Discord's clock says when the click was. If it cannot be right by ours, the two differ, and
        the time is counted from now on.
        """
        spent = _age(self.interaction)
        known = timedelta() <= spent < ANSWER_WITHIN
        return self._clock.now() + DEFER_AFTER - (spent if known else timedelta())

    async def _in_time(self, work: Awaitable[T]) -> T:
        """The result of `work`; the reply is deferred if it takes long."""
        task = asyncio.ensure_future(work)
        try:
            if not self.begun:
                await self._defer_unless_done(task)
        except BaseException:  # the bot ends, perhaps; but what is being stored is finished
            task.add_done_callback(_nobody_hears_of_it)  # however often this is cancelled
            await asyncio.wait({task})
            raise
        return await task

    async def _defer_unless_done(self, task: asyncio.Future[T]) -> None:
        """Wait until the work is done, or until Discord must be told that it takes longer."""
        left = self.interaction.extras[_DEFER_AT] - self._clock.now()
        late = asyncio.ensure_future(self._clock.sleep(max(0.0, left.total_seconds())))
        either: set[asyncio.Future[Any]] = {task, late}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late.cancel()
        if not task.done() and not self.begun:
            await self.defer()

    async def defer(self) -> None:
        """Tell Discord that the answer takes longer; that to a command is private from now on.

        If Discord cannot be reached, the work goes on all the same.
        """
        try:
            if self.is_click:
                await self._first(self.interaction.response.defer())
            else:
                thinking = self.interaction.response.defer(ephemeral=True, thinking=True)
                await self._first(thinking)
        except REQUEST_FAILURES as error:
            log.warning("A reply was not deferred: %s", log_text(error))

    # --- what was asked, and where -------------------------------------------------------------

    @property
    def begun(self) -> bool:
        """Whether Discord has taken an answer, be it only that one will come."""
        return self.interaction.response.is_done() or _TAKEN in self.interaction.extras

    @property
    def is_click(self) -> bool:
        """Whether it is the answer to a button or a select, not to a command."""
        return self.interaction.type is discord.InteractionType.component

    @property
    def on_private_page(self) -> bool:
        """Whether the click was on a private message, which then is edited as the answer."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def private_message(self, message_id: MessageId) -> PrivateMessage:
        """The private message that this answer has shown, to be edited later."""
        follows = message_id in self._follow_ups
        return PrivateMessage.of(self.interaction, message_id, follows=follows)

    # --- answering -----------------------------------------------------------------------------

    async def tell(self, content: str) -> None:
        """A private sentence."""
        await self._send(ephemeral=True, content=content)

    async def show(self, page: Page, *, attachments: list[discord.File] = MISSING) -> MessageId:
        """A private page: in place of the private page that was clicked on, else a new one.

        Gives the id of its message.
        """
        if self.on_private_page:
            return await self.replace(page, attachments=attachments)
        return await self.show_beside(page)

    async def replace(self, page: Page, attachments: list[discord.File] = MISSING) -> MessageId:
        """Edit the message that was clicked on; gives its id.

        A private one may be gone, as it was dismissed or another hand has taken its place: then the
        page is a new private message.
        """
        message = self.interaction.message
        assert message is not None, "a command has no message"
        try:
            if not self.begun:
                try:
                    response = self.interaction.response
                    await self._first(response.edit_message(view=page, attachments=attachments))
                except REQUEST_FAILURES as error:
                    await self._taken(error, again=not attachments)
                else:
                    return message.id
            await self.interaction.edit_original_response(view=page, attachments=attachments)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE or not self.on_private_page:
                raise
            return await self._send(ephemeral=True, view=page, files=attachments)
        return message.id

    async def show_beside(self, page: Page, files: Sequence[discord.File] = ()) -> MessageId:
        """A private page of its own, next to what was clicked on; gives the id of its message."""
        given = {"files": files} if files else {}
        return await self._send(ephemeral=True, view=page, **given)

    async def send_file(self, file: discord.File) -> None:
        """A private message with a file."""
        await self._send(ephemeral=True, file=file)

    async def send_to_all(
        self, page: Page | str, files: Sequence[discord.File] = ()
    ) -> MessageId | None:
        """A message for everybody; its id, or `None` if an answer can only be private by now."""
        if self.begun and not self.is_click:  # deferred: that answer is private
            return None
        given: dict[str, Any] = {"view": page} if isinstance(page, Page) else {"content": page}
        if files:
            given["files"] = files
        return await self._send(ephemeral=False, allowed_mentions=NOBODY, **given)

    async def acknowledge(self) -> None:
        """No answer of its own: what was clicked on changes by itself."""
        if not self.begun:
            try:
                await self._first(self.interaction.response.defer())
            except REQUEST_FAILURES as error:
                await self._taken(error, again=True)

    async def _first(self, answering: Awaitable[T]) -> T:
        """The first answer; once Discord has taken it, it is noted how long that took."""
        answer = await answering
        asked = self.interaction.extras.pop(_ASKED, None)
        if asked is not None:
            self.interaction.client.metrics.answered(*asked)
        return answer

    async def _send(self, *, ephemeral: bool, **message: Any) -> MessageId:
        """A new message as the answer, or one after it; gives its id.

        If Discord has taken the answer and only that was lost, it is not sent again. If the
        reply was deferred without anybody knowing, this is what Discord waits for.
        """
        if not self.begun:
            try:
                response = self.interaction.response
                callback = await self._first(response.send_message(**message, ephemeral=ephemeral))
            except REQUEST_FAILURES as error:
                again = ephemeral and not message.keys() & {"file", "files"}
                answer_id = await self._taken(error, again=again)
                if answer_id is not None:
                    return answer_id
            else:
                return callback.message_id or (await self.interaction.original_response()).id
        sent = await self.interaction.followup.send(**message, ephemeral=ephemeral, wait=True)
        self._follow_ups.add(sent.id)
        return sent.id

    async def _taken(self, error: Exception, *, again: bool) -> MessageId | None:
        """The new message that Discord has taken as the first answer although it failed with this.

        `None` if it has taken something else: it waits for a message, or for nothing. Then what was
        to be answered may be sent `again`; else, and if nothing was taken, `error` is raised.
        """
        answered = isinstance(error, discord.HTTPException) and error.code == _ANSWERED
        if not answered and not is_temporary(error):
            raise error
        try:
            first = await self.interaction.original_response()
        except (discord.ClientException, *REQUEST_FAILURES):
            raise error from None
        self.interaction.extras[_TAKEN] = True
        clicked = self.interaction.message
        if not first.flags.loading and (clicked is None or first.id != clicked.id):
            return first.id
        if not again:
            raise error
        return None


def _nobody_hears_of_it(done: asyncio.Future[Any]) -> None:
    """Look at the error of what is done, if any: asyncio complains where nobody has."""
    if not done.cancelled():
        done.exception()


async def reopen(announcer: Announcer, interaction: Interaction, table_id: TableId) -> None:
    """Let a paused turn-based table have a thread again, if whoever has clicked may go on there.

    Raises what `is_gone` and `move_table` raise.
    """
    table, reply = announcer.bot.tables.find(table_id), Reply(interaction)
    if may_be_closed(table, interaction.user.id):
        gone = await reply.reading(is_gone(announcer.bot, table))
        if gone:
            await reply.changing(move_table(announcer, interaction, table))


async def carried_out(
    announcer: Announcer, interaction: Interaction, table: OpenTable, command: Command
) -> OpenTable:
    """The table after what somebody asks of it; their open hand is renewed.

    Raises what `Tables.execute` raises.
    """
    changing = announcer.bot.tables.execute(table.id, interaction.user.id, command)
    after = await Reply(interaction).changing(changing)
    announcer.catch_up(after, interaction.user.id)
    return after


async def show_hand(
    announcer: Announcer, interaction: Interaction, state: OpenTable, draft: Draft | None = None
) -> None:
    """The clicker's hand, kept fresh from now on; who only watches sees what they can do.

    `Refused` where there are no hands: before the match, and for others after it.

    Whoever looks at their hand is there: if they were away, they are back, and a table that was
    paused because nobody was there goes on. That is asked before, as Discord then has to say
    whether the table still has its thread; and whoever is there waits for nobody's change.
    """
    reply, user_id = Reply(interaction), interaction.user.id
    if isinstance(state, Game) and state.running and state.seat_of(user_id) is None:
        await reply.show(watching_page(state, user_id, announcer.private(interaction)))
        return
    seat = own_seat(state, user_id)
    if not isinstance(state, Game):
        raise Refused(Reason.NOT_STARTED)
    if comes_back(state, user_id):
        await reopen(announcer, interaction, state.id)
        coming_back = announcer.bot.tables.execute(state.id, user_id, ComeBack())
        state = await reply.changing(coming_back)
        assert isinstance(state, Game)
    words, blocked = announcer.private(interaction), announcer.hands.why_blocked(state.id)
    message_id = await reply.show(hand_page(state, seat, words, draft, blocked))
    _keep_fresh(announcer, reply.private_message(message_id), state, seat, draft)


def _keep_fresh(
    announcer: Announcer, shown: PrivateMessage, state: Game, seat: Seat, draft: Draft | None
) -> None:
    """Keep a hand fresh from now on: it was shown in this state, unless the match is over."""
    if state.running:
        announcer.hands.opened(shown, state, seat, draft)
    announcer.catch_up(state, shown.user_id)


def forget_table(interaction: Interaction) -> None:
    """Keep no table with an interaction that has been answered.

    It points at itself: until the next garbage collection everything stays that it knows.
    """
    interaction.extras.pop(_STORED, None)


async def refuse(announcer: Announcer, interaction: Interaction, error: Exception) -> None:
    """Answer somebody whose request raised `error`; what is unforeseen is logged."""
    reply, say = Reply(interaction), announcer.private(interaction).say
    if isinstance(reply.stored_table, Lobby):  # the answer would have been the lobby itself
        announcer.lobby_changed(reply.stored_table)
    try:
        if isinstance(error, Refused | IllegalAction):
            await reply.tell(sentence(say, error))
        elif isinstance(error, NotationError):
            await reply.tell(sentence(say, Refused(Reason.UNKNOWN_BUTTON)))
        elif _nobody_listens(reply, error):
            log.warning("nobody waits for an answer any more: %s", log_text(error))
        elif reply.stored:
            await _tell_it_is_done(announcer, reply, _log_failed_answer(error))
        elif isinstance(error, StorageError):
            await reply.tell(_not_stored(announcer, reply, error))
        else:
            named = _log_failed_answer(error)
            await reply.tell(with_error(say, apology(say), named))
    except REQUEST_FAILURES as failure:
        log.warning("an answer did not reach Discord: %s", log_text(failure))


def _nobody_listens(reply: Reply, error: Exception) -> bool:
    """Whether no answer can reach whoever has asked; one that is known can be followed by more."""
    if not isinstance(error, discord.HTTPException) or error.code not in _NOBODY_LISTENS:
        return False
    return error.code != _ANSWERED or not reply.begun


def _not_stored(announcer: Announcer, reply: Reply, error: StorageError) -> str:
    """The sentence for trouble with the database: it cannot be read, or not be written."""
    say = announcer.private(reply.interaction).say
    if isinstance(error, StorageUnfit) or isinstance(error.__cause__, StorageUnfit):
        return storage_damaged(say)
    words, what = storage_trouble(say), "a request could not be stored"
    if reply.reads or isinstance(error, NotRead):
        words, what = reading_trouble(say), "what was asked for could not be read"
    if error.level < logging.ERROR:  # the database itself has told of it
        log.log(error.level, "%s: %s", what, error)
        return words
    named = new_error_id()
    log.error("%s: %s\n%s", what, error, kinds_and_frames(error), extra={"error": named})
    return with_error(say, words, named)


def _log_failed_answer(error: Exception) -> ErrorId | None:
    """Log what has kept an answer back: as a warning if it is trouble of Discord.

    Gives the name by which that line is found, unless such trouble passes by itself.
    """
    if isinstance(error, REQUEST_FAILURES) and is_temporary(error):
        log.warning("Discord did not take an answer: %s", log_text(error))
        return None
    named = new_error_id()
    extra = {"error": named}
    if isinstance(error, discord.HTTPException):
        log.warning("Discord refused an answer: %s", log_text(error), extra=extra)
    else:
        log.error("an error nobody foresaw:\n%s", kinds_and_frames(error), extra=extra)
    return named


async def _tell_it_is_done(announcer: Announcer, reply: Reply, named: ErrorId | None) -> None:
    """The change is stored and only the answer was lost: say so, with the hand as it is now."""
    words, user_id = announcer.private(reply.interaction), reply.interaction.user.id
    note = with_error(words.say, answer_lost(words.say), named)
    state = reply.stored_table
    if state is not None:
        state = announcer.bot.tables.find(state.id) or state
        seat = state.seat_of(user_id)
        if seat is not None and isinstance(state, Game):
            draft = Draft(note="⚠️ " + note)
            try:
                page = hand_page(state, seat, words, draft, announcer.hands.why_blocked(state.id))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error("a hand cannot be shown:\n%s", trail, extra={"error": named})
            else:
                message_id = await reply.show_beside(page)
                _keep_fresh(announcer, reply.private_message(message_id), state, seat, draft)
                return
    await reply.tell(note)
