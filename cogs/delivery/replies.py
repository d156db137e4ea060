"""Answers clicks and commands: always, once, in time, and privately where necessary."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import GuildId, MessageId, TableId
from bot.runtime.clock import Clock
from bot.runtime.logs import set_log_context
from bot.runtime.metrics import Kind, Seconds
from bot.table.state import Game, Lobby, OpenTable
from cogs.delivery.failed_requests import REQUEST_FAILURES, UNKNOWN_MESSAGE, is_temporary, log_text
from cogs.delivery.messages import NOBODY
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.uploads import Files, KeptFile, rewound, shown_files
from cogs.pages.controls import Page

log = logging.getLogger(__name__)

T = TypeVar("T")
Interaction = discord.Interaction[Any]

ANSWERED = 40060
"""Error code of an interaction that has a response already."""
ANSWER_WITHIN = timedelta(seconds=3)
"""Time limit of Discord for the first response, from the click or command."""
TOO_LATE_AFTER = ANSWER_WITHIN + timedelta(seconds=1)
"""Age from which requests are refused: Discord has shown the user that they failed."""
DEFER_AFTER = timedelta(seconds=2)
"""Time after which the reply is deferred; a response still reaches Discord by then."""
_ANSWER_AGAIN_S = 0.5
"""Pause before the first response is repeated after a failure of Discord, in seconds."""
_SERVER_ERROR = 500


def _age(interaction: Interaction) -> timedelta:
    """Return the age of a request."""
    age: timedelta = interaction.client.discord_time.age(interaction.created_at)
    return age


class Reply:
    """Reply to one interaction: responds, edits or follows up, and defers in time.

    There is one for each interaction. It tracks the progress of the request: before a change is
    stored an error means that nothing was changed, afterwards only that the response was lost.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._clock: Clock = interaction.client.clock
        self._defer_at = self._time_to_defer()
        self._request: tuple[Kind, Seconds] | None = None
        """Kind and arrival of the request, until the first response."""
        self.reads = False
        """True while something is being read, and after that has failed."""
        self.stored = False
        """True once a change is stored; a later error concerns only the response."""
        self._result: object = None
        """The result of the stored change."""
        self._taken = False
        """True if Discord has accepted a first response although sending it failed."""
        self._thinking = False
        """True while a deferred new response is unfinished."""
        self._follow_ups = set[MessageId]()
        """Messages sent after the first response."""
        self.files: tuple[KeptFile, ...] = ()
        """Files of the message that was shown last, as far as Discord has named them."""
        self._public = set[MessageId]()
        """Messages sent for everybody."""

    def accept(self, kind: Kind, table_id: TableId | None = None) -> None:
        """Accept the request; the bot does not exit before the current task is done.

        The response time is recorded for this `kind`. Raise `Refused` if the bot is about to exit,
        if it has not loaded the tables of a server taken over from another process, or if the
        request is too old: Discord delivers requests late after an interrupted connection.
        """
        bot: TichuBot = self.interaction.client
        self._request = kind, bot.metrics.now()
        set_log_context(table=table_id, interaction=self.interaction.id)
        bot.inflight.add_current_task()
        if bot.inflight.closing or not bot.tables.shard_ownership.all_loaded(
            GuildId(self.interaction.guild_id or 0)
        ):
            raise Refused(Reason.RESTARTING)
        if _age(self.interaction) > TOO_LATE_AFTER:
            raise Refused(Reason.TOO_LATE)

    # --- work --------------------------------------------------------------------------------

    async def reading(self, work: Awaitable[T]) -> T:
        """Return the result of `work`, which changes nothing."""
        self.reads = True
        result = await self._in_time(work)
        self.reads = False
        return result

    async def changing(self, work: Awaitable[T]) -> T:
        """Return the result of `work`, which stores a change and so carries out the request.

        Of several changes the last one counts: if it fails, the request has failed.
        """
        self.reads = self.stored = False
        return await self._in_time(self._note_stored(work))

    async def _note_stored(self, work: Awaitable[T]) -> T:
        """Return the result of `work`; record that it is stored before anything else can fail."""
        self._result = result = await work
        self.stored = True
        return result

    @property
    def stored_table(self) -> OpenTable | None:
        """Table after the change, if a table was changed."""
        return self._result if self.stored and isinstance(self._result, Lobby | Game) else None

    def _time_to_defer(self) -> datetime:
        """Return when to defer, counting from the click.

        The click has Discord's time. If that is implausible by the local clock, the time is counted
        from now on.
        """
        spent = _age(self.interaction)
        known = timedelta() <= spent < ANSWER_WITHIN
        return self._clock.now() + DEFER_AFTER - (spent if known else timedelta())

    async def _in_time(self, work: Awaitable[T]) -> T:
        """Return the result of `work`; defer the reply if it takes long."""
        task = asyncio.ensure_future(work)
        try:
            if not self.begun:
                await self._defer_unless_done(task)
        except BaseException:  # the bot ends, perhaps; but what is being stored is finished
            task.add_done_callback(_retrieve_exception)  # however often this is cancelled
            await asyncio.wait({task})
            raise
        return await task

    async def _defer_unless_done(self, task: asyncio.Future[T]) -> None:
        """Wait until the work is done, or until the reply must be deferred."""
        left = self._defer_at - self._clock.now()
        late = asyncio.ensure_future(self._clock.sleep(max(0.0, left.total_seconds())))
        either: set[asyncio.Future[Any]] = {task, late}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late.cancel()
        if not task.done() and not self.begun:
            await self.defer()

    async def defer(self) -> None:
        """Defer the response; that to a command is private from then on.

        If Discord cannot be reached, the work continues.
        """
        try:
            response = self.interaction.response
            if self.is_click:
                await self._first(response.defer)
            else:
                await self._first(partial(response.defer, ephemeral=True, thinking=True))
                self._thinking = True
        except REQUEST_FAILURES as error:
            log.warning("response not deferred: %s", log_text(error))

    # --- the request -------------------------------------------------------------------------

    @property
    def begun(self) -> bool:
        """True once Discord has accepted an answer, or its deferral."""
        return self._taken or self.interaction.response.is_done()

    @property
    def is_click(self) -> bool:
        """True for a button or select, false for a command."""
        return self.interaction.type is discord.InteractionType.component

    @property
    def on_private_page(self) -> bool:
        """True if the click was on a private message, which the reply edits."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def is_private(self, message_id: MessageId) -> bool:
        """Return whether this message, which this answer has shown, is private."""
        message = self.interaction.message
        if message is not None and message.id == message_id:
            return self.on_private_page
        return message_id not in self._public

    def private_message(self, message_id: MessageId) -> PrivateMessage:
        """Return the private message of this reply, for later edits."""
        follows = message_id in self._follow_ups
        return PrivateMessage.of(self.interaction, message_id, follows=follows)

    # --- answering -----------------------------------------------------------------------------

    async def send_text(self, content: str) -> None:
        """Send a private text."""
        await self._send(ephemeral=True, content=content)

    async def show(self, page: Page, files: Files = ()) -> MessageId:
        """Show a private page; return the id of its message.

        It replaces the clicked private page, or is a new message.
        """
        if self.on_private_page:
            return await self.replace(page, files)
        return await self.show_beside(page, files)

    async def replace(self, page: Page, files: Files = ()) -> MessageId:
        """Edit the clicked message, with exactly these files; return its id.

        A private message may be gone, because it was dismissed or replaced by another hand. Then
        the page is sent as a new private message.
        """
        attachments: list[Any] = list(files)
        message = self.interaction.message
        assert message is not None, "a command has no message"
        self.files = ()
        try:
            if not self.begun:
                try:
                    edit = self.interaction.response.edit_message
                    answer = await self._first(
                        partial(edit, **page.message, attachments=attachments), files
                    )
                except REQUEST_FAILURES as error:
                    if await self._accepted_response(error, again=not attachments) is not None:
                        raise  # `@original` is another message, which others may see
                else:
                    self._note_files(None if answer is None else answer.resource)
                    return MessageId(message.id)
            edit_original = self.interaction.edit_original_response
            self._note_files(await edit_original(**page.message, attachments=rewound(attachments)))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE or not self.on_private_page:
                raise
            new = [file for file in rewound(attachments) if isinstance(file, discord.File)]
            return await self._send(ephemeral=True, view=page, files=new)
        return MessageId(message.id)

    def _note_files(self, shown: object) -> None:
        """Record the files of a message that Discord has returned."""
        self.files = shown_files(shown) if isinstance(shown, discord.Message) else ()

    async def rewrite(
        self, message_id: MessageId, page: Page, files: Sequence[discord.File]
    ) -> None:
        """Edit a private message of this reply, with exactly these files.

        After a deferred click `@original` is the clicked message, which may be public, so a
        follow-up is addressed by its id (interactions/receiving-and-responding.mdx).
        """
        attachments = list(files)
        if message_id in self._follow_ups:
            edit = self.interaction.followup.edit_message
            await edit(message_id, view=page, attachments=attachments)
        else:
            await self.interaction.edit_original_response(view=page, attachments=attachments)

    async def show_beside(self, page: Page, files: Files = ()) -> MessageId:
        """Send a new private page beside the clicked message; return its id."""
        given = {"files": files} if files else {}
        return await self._send(ephemeral=True, view=page, **given)

    async def send_file(self, file: discord.File) -> None:
        """Send a private message with a file."""
        await self._send(ephemeral=True, files=[file])

    async def send_to_all(
        self, page: Page | str, files: Sequence[discord.File] = ()
    ) -> MessageId | None:
        """Send a public message; return its id, or `None` if only a private reply is possible."""
        if self.begun and not self.is_click:  # deferred: that answer is private
            return None
        given: dict[str, Any] = {"view": page} if isinstance(page, Page) else {"content": page}
        if files:
            given["files"] = files
        message_id = await self._send(ephemeral=False, allowed_mentions=NOBODY, **given)
        self._public.add(message_id)
        return message_id

    async def acknowledge(self) -> None:
        """Acknowledge a click whose message is changed elsewhere."""
        if not self.begun:
            try:
                await self._first(self.interaction.response.defer)
            except REQUEST_FAILURES as error:
                await self._accepted_response(error, again=True)

    async def _first(self, send: Callable[[], Awaitable[T]], files: Files = ()) -> T:
        """Send the first response, and record the response time.

        After a failure of Discord it is repeated until Discord's time limit. Raise the errors of
        `send`, and `TimeoutError`.
        """
        while True:
            rewound(files)
            try:
                answer = await _within(self._clock, send(), max(self._left_s, _ANSWER_AGAIN_S))
                break
            except discord.HTTPException as error:
                if error.status < _SERVER_ERROR or self._left_s <= 2 * _ANSWER_AGAIN_S:
                    raise
            await self._clock.sleep(_ANSWER_AGAIN_S)
        if self._request is not None:
            self.interaction.client.metrics.observe_response(*self._request)
            self._request = None
        return answer

    @property
    def _left_s(self) -> float:
        """Seconds until Discord's time limit for the first response."""
        until = self._defer_at + (ANSWER_WITHIN - DEFER_AFTER)
        return (until - self._clock.now()).total_seconds()

    async def _send(self, *, ephemeral: bool, **message: Any) -> MessageId:
        """Send a new message as the response or as a follow-up; return its id.

        If Discord has accepted the response and only the confirmation was lost, it is not repeated.
        A deferred new response, known or not, is finished as `@original`; a first follow-up would
        do so, too, but is deprecated (interactions/receiving-and-responding.mdx).
        """
        self.files = ()
        if not self.begun:
            try:
                send = partial(self.interaction.response.send_message, **message)
                files = message.get("files", ())
                callback = await self._first(partial(send, ephemeral=ephemeral), files)
            except REQUEST_FAILURES as error:
                again = ephemeral and not files
                answer_id = await self._accepted_response(error, again=again, private=ephemeral)
                if answer_id is not None:
                    return answer_id
            else:
                self._note_files(callback.resource)
                return MessageId(
                    callback.message_id or (await self.interaction.original_response()).id
                )
        if self._thinking:
            finished = await self._finish(**message)
            self._thinking = False
            return finished
        sent = await self.interaction.followup.send(**message, ephemeral=ephemeral, wait=True)
        self._note_files(sent)
        self._follow_ups.add(MessageId(sent.id))
        return MessageId(sent.id)

    async def _finish(
        self,
        *,
        content: str | None = None,
        view: Page | None = None,
        files: Sequence[discord.File] = (),
    ) -> MessageId:
        """Finish a deferred new response; return the id of its message."""
        answer = await self.interaction.edit_original_response(
            content=content, view=view, attachments=list(files)
        )
        self._note_files(answer)
        return MessageId(answer.id)

    async def _accepted_response(
        self, error: Exception, *, again: bool, private: bool | None = None
    ) -> MessageId | None:
        """Return the message that Discord has accepted as the first response despite an error.

        It must be `private` or public as wanted: an earlier response may be the other kind, and
        private content must never be edited into a public message. Return `None` if Discord has
        accepted something else, and the response may be sent `again`. Raise `error` otherwise.
        """
        answered = isinstance(error, discord.HTTPException) and error.code == ANSWERED
        if not answered and not is_temporary(error):
            raise error
        try:
            asking = self.interaction.original_response()
            first = await _within(self._clock, asking, ANSWER_WITHIN.total_seconds())
        except (discord.ClientException, *REQUEST_FAILURES):
            raise error from None
        self._taken = True
        self._thinking = self._thinking or first.flags.loading
        clicked = self.interaction.message
        is_new = not first.flags.loading and (clicked is None or first.id != clicked.id)
        if is_new and private in (None, first.flags.ephemeral):
            return MessageId(first.id)
        if not again:
            raise error
        return None


async def _within(clock: Clock, work: Awaitable[T], seconds: float) -> T:
    """Return the result of `work`. Raise `TimeoutError` if it takes longer than `seconds`."""
    task, late = asyncio.ensure_future(work), asyncio.ensure_future(clock.sleep(seconds))
    either: set[asyncio.Future[Any]] = {task, late}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        late.cancel()
        if not task.done():
            task.cancel()
    if not task.done():
        raise TimeoutError
    return task.result()


def _retrieve_exception(done: asyncio.Future[Any]) -> None:
    """Retrieve the exception so that asyncio does not warn about it."""
    if not done.cancelled():
        done.exception()
