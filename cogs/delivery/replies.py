"""Replies to clicks and commands: always, once, in time, and privately where necessary."""

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
from bot.ids import MessageId, TableId
from bot.runtime.clock import Clock
from bot.runtime.logs import set_log_context
from bot.runtime.metrics import FailureCause, Kind, Seconds, arrived_at
from bot.table.state import Game, Lobby, OpenTable
from cogs.delivery.failed_requests import REQUEST_FAILURES, UNKNOWN_MESSAGE, is_temporary, log_text
from cogs.delivery.messages import NOBODY
from cogs.delivery.places import can_post_publicly, server_of
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.uploads import Files, KeptFile, rewound, shown_files
from cogs.pages.controls import Form, Page

log = logging.getLogger(__name__)

T = TypeVar("T")
Interaction = discord.Interaction[Any]

DEFERRED = discord.InteractionResponseType.deferred_channel_message
"""Type of a deferred new response (“thinking…”)."""
ANSWERED = 40060
"""Discord's error code for an interaction that has a response already."""
EXPIRED = 10062
"""Discord's error code for an interaction without a response in time."""
ANSWER_WITHIN = timedelta(seconds=3)
"""Discord's time limit for the first response, counted from the click or command."""
TOO_LATE_AFTER = ANSWER_WITHIN + timedelta(seconds=1)
"""Age from which requests are refused, because Discord has shown the user that they failed."""
DEFER_AFTER = timedelta(seconds=1.5)
"""Time after which the reply is deferred, early enough to reach Discord in time."""
_ANSWER_AGAIN_S = 0.5
"""Pause before the first response is repeated after a failure of Discord, in seconds."""
_SERVER_ERROR = 500


class Expired(Exception):
    """Raised if Discord has shown the user that the request failed, so it must have no effect."""


def _age(interaction: Interaction) -> timedelta:
    """Return the time since the click or command, by Discord's clock."""
    age: timedelta = interaction.client.discord_time.age(interaction.created_at)
    return age


class Reply:
    """The reply to one interaction: responds, edits or follows up, and defers in time.

    It also tracks the progress of the request. Before the change is stored, an error means that
    nothing was changed; afterwards it means only that the response was lost.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._clock: Clock = interaction.client.clock
        self._defer_at = self._deferral_time()
        self._request: tuple[Kind, Seconds] | None = None
        """Kind and arrival of the request, until the first response."""
        self._first_sent: Seconds | None = None
        """Time at which a response was sent first; Discord's failures come after it."""
        self._discord_failed = False
        """True if a first response failed at Discord."""
        self.reading = False
        """True while data are being read, and after a read has failed."""
        self.stored = False
        """True once a change is stored; a later error concerns only the response."""
        self._result: object = None
        """The result of the stored change."""
        self._accepted = False
        """True if Discord has accepted a first response although sending it failed."""
        self._thinking = interaction.response.type is DEFERRED
        """True while Discord shows that a new response was deferred (“thinking…”)."""
        self._follow_ups = set[MessageId]()
        """Messages sent after the first response."""
        self.files: tuple[KeptFile, ...] = ()
        """Files of the message that was shown last, as far as Discord has named them."""
        self._public = set[MessageId]()
        """Messages sent for everybody."""

    async def accept(self, kind: Kind, table_id: TableId | None = None) -> None:
        """Accept the request, so that the bot does not exit before the current task is done.

        While many others are being answered, this waits for its turn, and defers the reply if
        necessary. The response time is recorded for this `kind`. Raise `Refused` if the bot is
        about to exit, if it has not loaded the tables of a server taken over from another process,
        or if the request is too old, because Discord delivers requests late after an interrupted
        connection. Raise `Expired` if the turn came too late and the deferral has failed.
        """
        bot: TichuBot = self.interaction.client
        self._request = kind, arrived_at.get(bot.metrics.now())
        set_log_context(table=table_id, interaction=self.interaction.id)
        bot.inflight.add_current_task()
        is_late = _age(self.interaction) > TOO_LATE_AFTER or bot.inflight.is_full
        task = asyncio.current_task()
        if task is not None and not is_late:
            await self._wait_for_turn(task)
            if self.is_expired:
                raise Expired
        if not bot.is_ready_for(self.interaction):
            raise Refused(Reason.RESTARTING)
        if is_late:
            raise Refused(Reason.TOO_LATE)

    async def _wait_for_turn(self, task: asyncio.Task[Any]) -> None:
        """Wait until this task may answer, and defer the reply if that takes long."""
        inflight = self.interaction.client.inflight
        if not inflight.must_wait:
            await inflight.wait_for_turn(task)
            return
        turn = asyncio.ensure_future(inflight.wait_for_turn(task))
        if inflight.is_overloaded:
            await self.defer()
        await self._defer_if_slow(turn)

    # --- work --------------------------------------------------------------------------------

    async def read(self, work: Awaitable[T]) -> T:
        """Await `work`, which only reads, and defer the reply if necessary; return its result."""
        self.reading = True
        result = await self._defer_if_slow(work)
        self.reading = False
        return result

    async def change(self, work: Awaitable[T]) -> T:
        """Await `work`, which stores a change, and defer the reply if necessary.

        Return its result. Of several changes of one request only the last one counts: if it fails,
        the request has failed.
        """
        self.reading = self.stored = False
        return await self._defer_if_slow(self._record_stored(work))

    async def _record_stored(self, work: Awaitable[T]) -> T:
        """Return the result of `work`; record that it is stored before anything else can fail."""
        self._result = result = await work
        self.stored = True
        return result

    @property
    def stored_table(self) -> OpenTable | None:
        """Table after the change, if a table was changed."""
        return self._result if self.stored and isinstance(self._result, Lobby | Game) else None

    def _deferral_time(self) -> datetime:
        """Return the time at which to defer, `DEFER_AFTER` after the click.

        The click has a timestamp of Discord. If its age is implausible, the time counts from now.
        """
        age = _age(self.interaction)
        is_plausible = timedelta() <= age < ANSWER_WITHIN
        return self._clock.now() + DEFER_AFTER - (age if is_plausible else timedelta())

    async def _defer_if_slow(self, work: Awaitable[T]) -> T:
        """Return the result of `work`; defer the reply if it takes long.

        If the caller is cancelled, the work is finished all the same, because it may be storing.
        """
        task = asyncio.ensure_future(work)
        try:
            if not self.has_response:
                await self._defer_unless_done(task)
        except BaseException:
            task.add_done_callback(_retrieve_exception)
            await asyncio.wait({task})
            raise
        return await task

    async def _defer_unless_done(self, task: asyncio.Future[T]) -> None:
        """Wait until the work is done, or until the reply must be deferred."""
        remaining = self._defer_at - self._clock.now()
        timeout = asyncio.ensure_future(self._clock.sleep(max(0.0, remaining.total_seconds())))
        either: set[asyncio.Future[Any]] = {task, timeout}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timeout.cancel()
        if not task.done() and not self.has_response:
            await self.defer()

    async def defer(self) -> None:
        """Defer the response. After that, the response to a command can only be private.

        If Discord cannot be reached, log that and return, so that the work continues.
        """
        response = self.interaction.response
        send = response.defer
        if not self.is_click:
            send = partial(send, ephemeral=True, thinking=True)
        try:
            async with self.interaction.client.inflight.deferrals:
                if self.is_expired:
                    return
                await self._respond(send)
            self._thinking = not self.is_click
        except REQUEST_FAILURES as error:
            log.warning("response not deferred: %s", log_text(error))

    # --- the request -------------------------------------------------------------------------

    @property
    def has_response(self) -> bool:
        """True once Discord has accepted a response, or its deferral."""
        return self._accepted or self.interaction.response.is_done()

    @property
    def is_expired(self) -> bool:
        """True if the time limit is over without a response, so that Discord accepts none."""
        return not self.has_response and self._remaining_s < 0

    @property
    def is_click(self) -> bool:
        """True for a button, select or form, false for a command."""
        return self.interaction.type in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        )

    @property
    def on_private_page(self) -> bool:
        """True if the click was on a private message, which the reply edits."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def is_private(self, message_id: MessageId) -> bool:
        """Return whether a message that this reply has shown is private."""
        message = self.interaction.message
        if message is not None and message.id == message_id:
            return self.on_private_page
        return message_id not in self._public

    def private_message(self, message_id: MessageId) -> PrivateMessage:
        """Return the private message of this reply, for later edits."""
        is_followup = message_id in self._follow_ups
        return PrivateMessage.from_interaction(
            self.interaction, message_id, is_followup=is_followup
        )

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
        """Edit the clicked message, with exactly these files; return the id of the message.

        A private message may be gone, because the user dismissed it or opened another hand. Then
        the page is sent as a new private message.
        """
        message = self.interaction.message
        assert message is not None, "a command has no message"
        self.files = ()
        try:
            if not self.has_response and await self._respond_with_edit(page, files):
                return MessageId(message.id)
            edit_original = self.interaction.edit_original_response
            self._note_files(await edit_original(**page.message, attachments=rewound(files)))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE or not self.on_private_page:
                raise
            new_files = [file for file in rewound(files) if isinstance(file, discord.File)]
            return await self._send(ephemeral=True, view=page, files=new_files)
        return MessageId(message.id)

    async def _respond_with_edit(self, page: Page, files: Files) -> bool:
        """Edit the clicked message by the first response; return whether that succeeded.

        If not, Discord has accepted a response, so the message can only be edited separately.
        """
        attachments: list[Any] = list(files)
        edit = self.interaction.response.edit_message
        try:
            send = partial(edit, **page.message, attachments=attachments)
            answer = await self._respond(send, files)
        except REQUEST_FAILURES as error:
            if await self._accepted_response(error, may_repeat=not attachments) is not None:
                raise  # `@original` is another message, which others may see
            return False
        self._note_files(None if answer is None else answer.resource)
        return True

    def _note_files(self, shown: object) -> None:
        """Record the files of a message that Discord has returned."""
        self.files = shown_files(shown) if isinstance(shown, discord.Message) else ()

    async def rewrite(
        self, message_id: MessageId, page: Page, files: Sequence[discord.File]
    ) -> None:
        """Edit a private message of this reply, with exactly these files.

        A follow-up must be addressed by its id, because after a deferred click `@original` is the
        clicked message, which may be public (interactions/receiving-and-responding.mdx).
        """
        attachments = list(files)
        if message_id in self._follow_ups:
            edit = self.interaction.followup.edit_message
            await edit(message_id, view=page, attachments=attachments)
        else:
            await self.interaction.edit_original_response(view=page, attachments=attachments)

    async def show_beside(self, page: Page, files: Files = ()) -> MessageId:
        """Send a new private page beside the clicked message; return its id."""
        return await self._send(ephemeral=True, view=page, **({"files": files} if files else {}))

    async def send_file(self, file: discord.File) -> None:
        """Send a private message with a file."""
        await self._send(ephemeral=True, files=[file])

    async def send_to_all(
        self, page: Page | str, files: Sequence[discord.File] = (), *, shared: bool = False
    ) -> MessageId | None:
        """Send a public message; return its id, or `None` if only a private reply is possible.

        Outside servers with the bot, only what the user has `shared` may be public.
        """
        may_post = can_post_publicly if shared else server_of
        if (self.has_response and not self.is_click) or not may_post(self.interaction):
            return None  # the answer to a deferred command is private
        message: dict[str, Any] = {"view": page} if isinstance(page, Page) else {"content": page}
        if files:
            message["files"] = files
        message_id = await self._send(ephemeral=False, allowed_mentions=NOBODY, **message)
        self._public.add(message_id)
        return message_id

    async def show_form(self, form: Form) -> bool:
        """Open a form; return false after a deferral, when Discord accepts none."""
        if self.has_response:
            return False
        await self._respond(partial(self.interaction.response.send_modal, form))
        return True

    async def acknowledge(self) -> None:
        """Acknowledge a click whose message is changed elsewhere."""
        if not self.has_response:
            try:
                await self._respond(self.interaction.response.defer)
            except REQUEST_FAILURES as error:
                await self._accepted_response(error, may_repeat=True)

    async def _respond(self, send: Callable[[], Awaitable[T]], files: Files = ()) -> T:
        """Send the first response by `send`, and record the response time.

        It ends when the response is sent first, so the time of Discord does not count. After a
        server error of Discord it is repeated, as long as that can succeed in time. Raise
        the errors of `send`, and `TimeoutError`.
        """
        if self._first_sent is None:
            self._first_sent = self.interaction.client.metrics.now()
        while True:
            rewound(files)
            try:
                timeout_s = max(self._remaining_s, _ANSWER_AGAIN_S)
                answer = await self._clock.wait_for(send(), timeout_s)
                break
            except REQUEST_FAILURES as error:
                self._discord_failed |= is_temporary(error)
                # Leave time for the pause and for another attempt.
                if (
                    not isinstance(error, discord.HTTPException)
                    or error.status < _SERVER_ERROR
                    or self._remaining_s <= 2 * _ANSWER_AGAIN_S
                ):
                    raise
            await self._clock.sleep(_ANSWER_AGAIN_S)
        self._observe_response()
        return answer

    def _observe_response(self) -> None:
        """Record the response time, once Discord has accepted a response."""
        if self._request is not None and self._first_sent is not None:
            kind, arrived = self._request
            metrics = self.interaction.client.metrics
            metrics.observe_response(kind, self._first_sent - arrived)
            self._request = None

    def count_unanswered(self, error: Exception) -> None:
        """Count the request as unanswered because of `error`, unless it has a response."""
        if self._request is None:
            return
        cause: FailureCause = "rejected"
        if is_temporary(error) or self._discord_failed:
            cause = "discord"
        elif isinstance(error, discord.HTTPException) and error.code == EXPIRED:
            cause = "late"
        self.interaction.client.metrics.unanswered[cause] += 1
        self._request = None

    @property
    def _remaining_s(self) -> float:
        """Seconds until Discord's time limit for the first response."""
        deadline = self._defer_at + (ANSWER_WITHIN - DEFER_AFTER)
        return (deadline - self._clock.now()).total_seconds()

    async def _send(self, *, ephemeral: bool, **message: Any) -> MessageId:
        """Send a new message as the response or as a follow-up; return its id.

        If Discord has accepted the response and only the confirmation was lost, it is not repeated.
        A deferred new response is finished by an edit of `@original`. A follow-up would finish it,
        too, but that is deprecated (interactions/receiving-and-responding.mdx).
        """
        self.files = ()
        if not self.has_response:
            try:
                send = partial(self.interaction.response.send_message, **message)
                files = message.get("files", ())
                callback = await self._respond(partial(send, ephemeral=ephemeral), files)
            except REQUEST_FAILURES as error:
                may_repeat = ephemeral and not files
                accepted_id = await self._accepted_response(
                    error, may_repeat=may_repeat, private=ephemeral
                )
                if accepted_id is not None:
                    return accepted_id
            else:
                self._note_files(callback.resource)
                return MessageId(
                    callback.message_id or (await self.interaction.original_response()).id
                )
        if self._thinking:
            message_id = await self._finish_deferred(**message)
            self._thinking = False
            return message_id
        sent = await self.interaction.followup.send(**message, ephemeral=ephemeral, wait=True)
        self._note_files(sent)
        self._follow_ups.add(MessageId(sent.id))
        return MessageId(sent.id)

    async def _finish_deferred(
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
        self, error: Exception, *, may_repeat: bool, private: bool | None = None
    ) -> MessageId | None:
        """Return the new message if Discord has accepted it as first response despite `error`.

        If Discord has accepted no response, raise `error`. It may also have accepted another one: a
        deferral, an edit, or a message that is public instead of `private` or vice versa. Then
        return `None`, so that the caller sends its message in another way; raise `error` if it may
        not (`may_repeat`). Private content must never be edited into a public message.
        """
        answered = isinstance(error, discord.HTTPException) and error.code == ANSWERED
        if not answered and not is_temporary(error):
            raise error
        try:
            fetching = self.interaction.original_response()
            first = await self._clock.wait_for(fetching, ANSWER_WITHIN.total_seconds())
        except (discord.ClientException, *REQUEST_FAILURES):
            raise error from None
        self._accepted = True
        self._observe_response()
        is_deferral = first.flags.loading
        self._thinking = self._thinking or is_deferral
        clicked = self.interaction.message
        is_new = not is_deferral and (clicked is None or first.id != clicked.id)
        if is_new and private in (None, first.flags.ephemeral):
            return MessageId(first.id)
        if not may_repeat:
            raise error
        return None


def _retrieve_exception(done: asyncio.Future[Any]) -> None:
    """Retrieve the exception so that asyncio does not warn about it."""
    if not done.cancelled():
        done.exception()
