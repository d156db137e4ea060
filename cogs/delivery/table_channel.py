"""One table's channel: posts its messages in order, rewrites them, and retries failures.

Each table has one chain of requests (`RetryChain`) with these lanes, in this order:

- `ThreadOpening` opens the thread.
- `LostThreadNotices` notifies the players in other ways if the thread is lost.
- `MessageQueue` posts new messages one after another, and decides which are dropped.
- `LiveMessages` rewrites posted messages with the newest state.
- `ThreadMembers` adds people to the thread.

`failed_requests.py` classifies the errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bot.client import TichuBot
from bot.ids import GuildId, MessageId
from bot.live.events import PersonForgotten
from bot.runtime.background import log_failure
from bot.table.forgetting import erase_person
from bot.table.posts import LostThreadPost, TablePost
from bot.table.state import Game, OpenTable
from bot.text.options import needs_experts
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.channel_permissions import blocked_by
from cogs.delivery.failed_requests import thread_is_closed
from cogs.delivery.live_messages import LiveMessages
from cogs.delivery.lost_thread_notices import LostThreadNotices
from cogs.delivery.message_queue import AnswerToAll, MessageQueue
from cogs.delivery.messages import Message
from cogs.delivery.nudges import Nudges
from cogs.delivery.open_hands import OpenHands
from cogs.delivery.result_pictures import ResultPictures
from cogs.delivery.retry_chain import RetryChain
from cogs.delivery.table_pictures import TablePictures
from cogs.delivery.table_thread import ThreadMembers, ThreadOpening
from cogs.delivery.table_threads import has_own_thread, pause_if_lost
from cogs.delivery.uploads import PictureSupport, Uploads


class TableChannel:
    """Pending and posted messages of one table."""

    def __init__(
        self,
        bot: TichuBot,
        state: OpenTable,
        results: ResultPictures,
        picture_support: PictureSupport,
        idle: Callable[[OpenTable], None],
        hands: OpenHands,
    ) -> None:
        self._context = context = ChannelContext(bot, state, hands.move_below)
        name = f"channel of table {state.id}"
        self._pictures = TablePictures(context, Uploads(bot.clock, name, picture_support))
        nudges = Nudges(context)
        self.live_messages = LiveMessages(
            context,
            self._pictures,
            results,
            nudges,
            wake=self.wake,
            post_table=self.post_table_again,
            post=lambda message: self.post([message]),
        )
        self._queue = MessageQueue(context, self.live_messages, self._pictures, results, nudges)
        self._notices = LostThreadNotices(context)
        self._thread = ThreadOpening(context)
        self._members = ThreadMembers(context, self.wake, self._thread.schedule_check)
        lanes = self._thread, self._notices, self._queue, self.live_messages, self._members
        self._chain = RetryChain(bot.clock, state.id, lanes, self._on_idle, self._on_refusal)
        self._idle = idle
        self._hands = hands
        self._thread_check: asyncio.Task[None] | None = None
        """Task that checks whether the thread is locked or deleted."""

    @property
    def guild_id(self) -> GuildId:
        """Server of the table."""
        return self._context.guild_id

    def _on_idle(self) -> None:
        """Report that no work is left, for now or permanently."""
        if not self._context.state.open:
            self.live_messages.reactions.close()
        self._idle(self._context.state)

    def _on_refusal(self, error: Exception | None) -> None:
        """Show on the players' hands that Discord refuses messages (or no longer does, if `None`).

        A closed thread of a turn-based match is checked instead, because the match may have to
        pause.
        """
        context, state = self._context, self._context.state
        if error is not None and has_own_thread(state):
            if state.timers.lost_thread is not None:
                return  # paused already; the refusal concerns the parent channel
            if thread_is_closed(error):
                if self._thread_check is None:
                    self._thread_check = asyncio.create_task(
                        self._check_thread(), name="lost thread"
                    )
                    self._thread_check.add_done_callback(log_failure)
                return
        reason = None if error is None else blocked_by(context.bot, state, error)
        self._hands.set_blocked(context.table_id, reason)

    async def _check_thread(self) -> None:
        try:
            await pause_if_lost(self._context.bot, self._context.state)
        finally:
            self._thread_check = None

    def set_state(self, state: OpenTable) -> None:
        """Store the newest state."""
        if state.channel_id != self._context.channel_id:
            self.live_messages.drop_rewrites()
        if isinstance(state, Game) and not isinstance(self._context.last_state, Game):
            self._thread.schedule_check()
        self._context.set_state(state)
        if self._members.pending:
            self.wake()

    def check_thread(self) -> None:
        """Unarchive the thread, if necessary, before the next request."""
        self._thread.schedule_check()

    def forget(self, event: PersonForgotten) -> None:
        """Remove an erased person from all pending messages."""
        self._queue.forget(event)
        self._notices.forget(event)
        self.live_messages.reactions.forget(event.user_id)
        self._context.set_state(erase_person(self._context.state, event.user_id, event.pseudonym))

    def computers_changed(self) -> None:
        """Update the message of the table if it shows whether Experts are ready."""
        state = self._context.state
        if not state.open or not needs_experts(state):
            return
        if isinstance(state, Game):
            self.live_messages.rewrite_table()
        else:
            self.live_messages.rewrite_lobby()

    def post(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue and send them."""
        self.enqueue(messages)
        self.wake()

    def enqueue(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue; they are sent after `wake`."""
        for message in messages:
            is_notice = isinstance(message.post, LostThreadPost)
            (self._notices if is_notice else self._queue).add([message])

    def post_table_again(self) -> None:
        """Post the table message again at the bottom of the channel."""
        state = self._context.state
        if isinstance(state, Game) and state.running and not self._queue.has_table():
            self.post([Message(TablePost(round=state.round.number), state)])

    async def answer_with_queued_lobby(self, answer: AnswerToAll) -> bool:
        """Send the queued lobby message as a public answer; return whether it was sent."""
        return await self._queue.answer_with_queued_lobby(answer)

    async def answer_with_lobby(self, answer: AnswerToAll) -> tuple[OpenTable, MessageId | None]:
        """Send the lobby as a public answer; return the state shown, and the message's id."""
        return await self._queue.answer_with_lobby(answer)

    def pending_count(self, *, stored_only: bool) -> int:
        """Return the number of pending messages, or of those in the outbox."""
        return self._notices.pending_count + self._queue.pending_count(stored_only=stored_only)

    def wake(self) -> None:
        """Start sending queued messages, unless this is in progress, paused or closing."""
        self._chain.wake()

    def try_early(self) -> None:
        """Retry soon what Discord has refused, because it may be allowed now."""
        self._chain.try_early()
        self._members.try_early()

    async def release(self) -> None:
        """Cancel all work, because another process serves the table."""
        self._chain.stop()
        await self.drain()

    async def drain(self) -> None:
        """Finish the request in flight; the outbox keeps the rest for the next start."""
        self._queue.closing = True
        self.live_messages.close()
        self._members.close()
        await self._pictures.close()
        if self._thread_check is not None:
            self._thread_check.cancel()
        await self._chain.drain()
