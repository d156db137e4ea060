"""One table's channel: posts its messages in order, rewrites them, and retries what fails.

One chain of requests for each table (`RetryChain`). Its thread is opened first (`ThreadOpening`).
That it is lost is told next, elsewhere (`LostThreadNotices`). Then come messages, one after another
(`MessageQueue`, which says what is given up); then the messages that stand there are rewritten, the
newest state of each (`StandingMessages`). People are added to the thread last (`ThreadMembers`).
`failed_requests.py` says which errors may pass.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bot.client import TichuBot
from bot.ids import GuildId, MessageId
from bot.live.events import PersonForgotten
from bot.runtime.background import log_failure
from bot.table.forgetting import forgetting
from bot.table.posts import LostThreadPost, TablePost
from bot.table.state import Game, OpenTable
from bot.text.options import asks_experts
from cogs.delivery.channel_permissions import blocked_by
from cogs.delivery.failed_requests import thread_is_closed
from cogs.delivery.lost_thread_notices import LostThreadNotices
from cogs.delivery.message_queue import AnswerToAll, MessageQueue
from cogs.delivery.messages import Message
from cogs.delivery.nudges import Nudges
from cogs.delivery.open_hands import OpenHands
from cogs.delivery.own_threads import has_own_thread, look_after
from cogs.delivery.result_pictures import ResultPictures
from cogs.delivery.retry_chain import RetryChain
from cogs.delivery.standing_messages import StandingMessages
from cogs.delivery.table_pictures import TablePictures
from cogs.delivery.table_place import TablePlace
from cogs.delivery.table_thread import ThreadMembers, ThreadOpening
from cogs.delivery.uploads import PictureSupport, Uploads


class TableChannel:
    """What one table still has to tell its channel, and what stands there."""

    def __init__(
        self,
        bot: TichuBot,
        state: OpenTable,
        results: ResultPictures,
        picture_support: PictureSupport,
        idle: Callable[[OpenTable], None],
        hands: OpenHands,
    ) -> None:
        self._place = place = TablePlace(bot, state, hands.follow)
        name = f"channel of table {state.id}"
        self._pictures = TablePictures(place, Uploads(bot.clock, name, picture_support))
        nudges = Nudges(place)
        self.standing = StandingMessages(
            place,
            self._pictures,
            results,
            nudges,
            wake=self.wake,
            post_table=self.post_table_again,
            post=lambda message: self.post([message]),
        )
        self._queue = MessageQueue(place, self.standing, self._pictures, results, nudges)
        self._notices = LostThreadNotices(place)
        self._thread = ThreadOpening(place)
        self._members = ThreadMembers(place, self.wake, self._thread.look)
        lanes = self._thread, self._notices, self._queue, self.standing, self._members
        self._chain = RetryChain(bot.clock, state.id, lanes, self._nothing_to_do, self._refused)
        self._idle = idle
        self._hands = hands
        self._looking: asyncio.Task[None] | None = None
        """Finds out what has become of a thread that is closed to the bot."""

    @property
    def guild_id(self) -> GuildId:
        """The server of the table."""
        return self._place.guild_id

    def _nothing_to_do(self) -> None:
        """Take note that all is told, for now or for good."""
        if not self._place.now.open:
            self.standing.reactions.close()
        self._idle(self._place.now)

    def _refused(self, error: Exception | None) -> None:
        """Take note that Discord does not allow the bot to write there, or (`None`) does again."""
        place, now = self._place, self._place.now
        if error is not None and has_own_thread(now):
            if now.timers.lost_thread is not None:
                return  # it is the channel of the thread that is closed
            if thread_is_closed(error):
                if self._looking is None:
                    self._looking = asyncio.create_task(self._look_after(), name="lost thread")
                    self._looking.add_done_callback(log_failure)
                return
        why = None if error is None else blocked_by(place.bot, place.now, error)
        self._hands.blocked(place.table_id, why)

    async def _look_after(self) -> None:
        try:
            await look_after(self._place.bot, self._place.now)
        finally:
            self._looking = None

    def follow(self, state: OpenTable) -> None:
        """Remember the table as it is now."""
        if state.channel_id != self._place.channel_id:
            self.standing.moved()
        if isinstance(state, Game) and not isinstance(self._place.last, Game):
            self._thread.look()
        self._place.follow(state)
        if self._members.pending:
            self.wake()

    def look_after_thread(self) -> None:
        """Open the thread, if it is archived, before the next request."""
        self._thread.look()

    def forget(self, gone: PersonForgotten) -> None:
        """Keep nothing of somebody who was forgotten."""
        self._queue.forget(gone)
        self._notices.forget(gone)
        self.standing.reactions.forget(gone.user_id)
        self._place.follow(forgetting(self._place.now, gone.user_id, gone.pseudonym))

    def computers_changed(self) -> None:
        """Have the message of the table say whether Experts are ready."""
        now = self._place.now
        if not now.open or not asks_experts(now):
            return
        if isinstance(now, Game):
            self.standing.rewrite_table()
        else:
            self.standing.rewrite_lobby()

    def post(self, messages: Sequence[Message]) -> None:
        """Post these after all that is already to be posted."""
        self.hold(messages)
        self.wake()

    def hold(self, messages: Sequence[Message]) -> None:
        """As `post`, but wait for `wake`."""
        for message in messages:
            lost = isinstance(message.post, LostThreadPost)
            (self._notices if lost else self._queue).add([message])

    def post_table_again(self) -> None:
        """Post a new table message at the bottom of the channel, in place of the old one."""
        state = self._place.now
        if isinstance(state, Game) and state.running and not self._queue.has_table():
            self.post([Message(TablePost(round=state.round.number), state)])

    async def lobby_in_answer(self, answer: AnswerToAll) -> bool:
        """Have a new lobby shown as the public answer to a command; whether it stands there."""
        return await self._queue.lobby_in_answer(answer)

    async def lobby_again(self, answer: AnswerToAll) -> tuple[OpenTable, MessageId | None]:
        """Have the lobby shown once more, as `lobby_in_answer`; what is shown in which message."""
        return await self._queue.lobby_again(answer)

    def waiting(self, *, stored: bool) -> int:
        """How many messages are still to be posted; only those in the outbox if `stored`."""
        return self._notices.waiting + self._queue.waiting(stored=stored)

    def wake(self) -> None:
        """Begin to work, unless that is under way or pauses before its next retry."""
        self._chain.wake()

    def try_early(self) -> None:
        """Try again soon what Discord has refused: it may be allowed now."""
        self._chain.try_early()
        self._members.try_early()

    async def let_go(self) -> None:
        """Leave all undone: another process does it."""
        self._chain.stop()
        await self.drain()

    async def drain(self) -> None:
        """Finish what is under way; what fails now stays in the outbox for the next start."""
        self._queue.closing = True
        self.standing.close()
        self._members.close()
        await self._pictures.close()
        if self._looking is not None:
            self._looking.cancel()
        await self._chain.drain()
