"""One table's channel: posts its messages in order, rewrites them, and retries failures.

Each table has one chain of requests (`RetryChain`) with these lanes, in this order:

- `ThreadOpening` opens the thread.
- `LostThreadNotices` notifies its people elsewhere if the thread is lost.
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
from cogs.delivery.table_threads import has_own_thread, look_after
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
        self._context = context = ChannelContext(bot, state, hands.follow)
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
        self._members = ThreadMembers(context, self.wake, self._thread.look)
        lanes = self._thread, self._notices, self._queue, self.live_messages, self._members
        self._chain = RetryChain(bot.clock, state.id, lanes, self._nothing_to_do, self._refused)
        self._idle = idle
        self._hands = hands
        self._looking: asyncio.Task[None] | None = None
        """Task that checks a thread which is closed to the bot."""

    @property
    def guild_id(self) -> GuildId:
        """Server of the table."""
        return self._context.guild_id

    def _nothing_to_do(self) -> None:
        """Report that no work is left, for now or permanently."""
        if not self._context.now.open:
            self.live_messages.reactions.close()
        self._idle(self._context.now)

    def _refused(self, error: Exception | None) -> None:
        """Handle a refusal by Discord, or (`None`) the end of refusals."""
        context, now = self._context, self._context.now
        if error is not None and has_own_thread(now):
            if now.timers.lost_thread is not None:
                return  # the parent channel is closed to the bot
            if thread_is_closed(error):
                if self._looking is None:
                    self._looking = asyncio.create_task(self._look_after(), name="lost thread")
                    self._looking.add_done_callback(log_failure)
                return
        why = None if error is None else blocked_by(context.bot, context.now, error)
        self._hands.set_blocked(context.table_id, why)

    async def _look_after(self) -> None:
        try:
            await look_after(self._context.bot, self._context.now)
        finally:
            self._looking = None

    def follow(self, state: OpenTable) -> None:
        """Store the newest state."""
        if state.channel_id != self._context.channel_id:
            self.live_messages.moved()
        if isinstance(state, Game) and not isinstance(self._context.last, Game):
            self._thread.look()
        self._context.follow(state)
        if self._members.pending:
            self.wake()

    def look_after_thread(self) -> None:
        """Open the thread before the next request if it is archived."""
        self._thread.look()

    def forget(self, gone: PersonForgotten) -> None:
        """Remove a forgotten person from all pending messages."""
        self._queue.forget(gone)
        self._notices.forget(gone)
        self.live_messages.reactions.forget(gone.user_id)
        self._context.follow(erase_person(self._context.now, gone.user_id, gone.pseudonym))

    def computers_changed(self) -> None:
        """Update the message of the table if it shows whether Experts are ready."""
        now = self._context.now
        if not now.open or not needs_experts(now):
            return
        if isinstance(now, Game):
            self.live_messages.rewrite_table()
        else:
            self.live_messages.rewrite_lobby()

    def post(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue and send them."""
        self.hold(messages)
        self.wake()

    def hold(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue; they are sent after `wake`."""
        for message in messages:
            lost = isinstance(message.post, LostThreadPost)
            (self._notices if lost else self._queue).add([message])

    def post_table_again(self) -> None:
        """Post the table message again at the bottom of the channel."""
        state = self._context.now
        if isinstance(state, Game) and state.running and not self._queue.has_table():
            self.post([Message(TablePost(round=state.round.number), state)])

    async def lobby_in_answer(self, answer: AnswerToAll) -> bool:
        """Show a new lobby as a public answer; return whether it is shown."""
        return await self._queue.lobby_in_answer(answer)

    async def lobby_again(self, answer: AnswerToAll) -> tuple[OpenTable, MessageId | None]:
        """Show the lobby as a public answer; return its state and message."""
        return await self._queue.lobby_again(answer)

    def waiting(self, *, stored: bool) -> int:
        """Return the number of pending messages; only stored ones if `stored`."""
        return self._notices.waiting + self._queue.waiting(stored=stored)

    def wake(self) -> None:
        """Start to work, unless the chain is working or pauses before a retry."""
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
        if self._looking is not None:
            self._looking.cancel()
        await self._chain.drain()
