"""Queue of a table's messages: posted in order, and each of them once.

Refusal: a message that must be posted and is refused now, but may be allowed later
(`is_not_allowed`), waits, and those after it wait with it. It is dropped if the bot is no longer in
that server, or after `UNDELIVERED_FOR`. Three kinds of messages never wait when they are refused: a
lobby (it is closed, so that it does not block its channel unseen), invitations to it, and what is
useful only now: reminders, and lines that the outbox does not keep. A lobby and an invitation are
tried in their turn. What is useful only now is dropped as soon as a message before it has to wait.
A final refusal (the channel is gone, the message is invalid) drops the message at once.

Restart: messages with a number are kept in the outbox, a relation of the database, until their id
is stored. Those left are loaded at the next start (`Restored`). All others are only in memory and
are lost at a restart: nudges, and messages without a number, such as a table message that is posted
again at the bottom.

Nonce: a message is always sent with the same nonce, which the outbox keeps, too. For a few minutes
Discord knows it and answers with the first message instead of posting a second one. If an answer
was lost and the retry comes later than that, the message can be posted twice. If the first message
was deleted meanwhile, it is posted again (`nonces.py`).
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import discord

from bot.ids import MessageId
from bot.live.events import PersonForgotten
from bot.runtime.logs import kinds_and_frames
from bot.storage import StorageError
from bot.table.outcome import Posted
from bot.table.posts import (
    AwayPost,
    InvitationPost,
    LinesPost,
    LobbyPost,
    NudgePost,
    ResultPost,
    TablePost,
    VotePost,
)
from bot.table.state import Game, Lobby, OpenTable
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.failed_requests import (
    REQUEST_FAILURES,
    is_invalid,
    is_not_allowed,
    is_temporary,
    log_text,
)
from cogs.delivery.live_messages import LiveMessages
from cogs.delivery.messages import (
    Message,
    PicturePost,
    PlainPost,
    RestartPost,
    forget_in_message,
    is_current,
    left_to_computers,
    newly_away,
    page_of_lobby,
    superseded,
    wording_of,
)
from cogs.delivery.nonces import create_once
from cogs.delivery.nudges import Nudges
from cogs.delivery.result_pictures import ResultPictures
from cogs.delivery.table_pictures import TablePictures
from cogs.delivery.uploads import Picture, uploaded
from cogs.pages.controls import Page
from cogs.pages.table.nudge import NOBODY_NUDGED
from cogs.pages.table.result import Ratings
from engine import Phase

log = logging.getLogger(__name__)

AnswerToAll = Callable[[Page, list[discord.File]], Awaitable[MessageId | None]]
"""Answers a command or a click publicly with this page and its files."""
_OF_USE_AT_ONCE = PlainPost | RestartPost | PicturePost
"""Messages that are useless by the time the channel can be written to again.

So are nudges that are not stored: those at a table where people have minutes for their turn.
"""


class MessageQueue:
    """Messages that one table has yet to post; a lane of its `RetryChain`."""

    def __init__(
        self,
        context: ChannelContext,
        live_messages: LiveMessages,
        pictures: TablePictures,
        results: ResultPictures,
        nudges: Nudges,
    ) -> None:
        self._context = context
        self._nudges = nudges
        self._live_messages = live_messages
        self._pictures = pictures
        self._results = results
        self._messages: deque[Message] = deque()
        self._refused = False
        """True while the first message waits for a permission."""
        self._trying = False
        """True while the first message is in flight; new ones wait for its result."""
        self.closing = False
        """True during shutdown: failed messages are kept for the next start."""

    def add(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue."""
        self._messages.extend(messages)
        if self._refused and not self._trying:
            self._drop_what_cannot_wait()

    def forget(self, gone: PersonForgotten) -> None:
        """Remove a forgotten person from messages that wait for a permission, and from nudges.

        A message in flight is not changed, nor is the line that they have left. Nudges are always
        changed because they record who was reached.
        """
        for message in self._messages:
            if self._refused or isinstance(message.post, NudgePost):
                forget_in_message(message, gone)

    @property
    def pending(self) -> bool:
        """True if a message is to be posted."""
        return bool(self._messages)

    def waiting(self, *, stored: bool) -> int:
        """Return the number of pending messages; only stored ones if `stored`."""
        return sum(not stored or message.number is not None for message in self._messages)

    def has_table(self) -> bool:
        """Return whether a table message of this round is pending, perhaps as a nudge."""
        now = self._context.now
        kinds = (TablePost, NudgePost) if self._context.table_is_old else (TablePost,)
        return any(
            isinstance(message.post, kinds) and not superseded(message.post, now)
            for message in self._messages
        )

    async def work(self) -> Exception | None:
        """Post all messages in order; return the error if a retry is needed."""
        self._trying = True
        try:
            return await self._post_all()
        finally:
            self._trying = False

    async def _post_all(self) -> Exception | None:
        while self._messages:
            message = self._messages[0]
            try:
                await self._deliver(message)
            except REQUEST_FAILURES as error:
                if is_temporary(error):
                    return error
                if is_not_allowed(error) and self._may_wait(message):
                    self._refused = True
                    self._drop_what_cannot_wait()
                    return error
                level = logging.ERROR if is_invalid(error) else logging.WARNING
                await self._give_up(message, level, log_text(error))
                await self._context.close_if_gone(error)
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error(
                    "table %s: unhandled exception while posting a message:\n%s",
                    self._context.table_id,
                    trail,
                )
                if self.closing:
                    return error
                await self._give_up(message, logging.WARNING, type(error).__name__)
            self._refused = False
            if self._messages and self._messages[0] is message:
                self._messages.popleft()
        return None

    async def _deliver(self, message: Message) -> None:
        """Post a message unless it is posted or superseded; store its delivery."""
        if message.message_id is None and not superseded(message.post, self._context.now):
            await self._send(message)
        await self._note_delivered(message)
        if message.message_id is not None:
            self._live_messages.catch_up(message)
            self._ask_once(message)

    def _ask_once(self, message: Message) -> None:
        """Reuse one message for all pending votes to stop the match."""
        if isinstance(message.post, VotePost):
            for later in self._messages:
                if isinstance(later.post, VotePost):
                    later.message_id, later.written = message.message_id, message.written

    async def _send(self, message: Message) -> None:
        """Post a message, with its picture if that is ready in time."""
        context, match, ratings = (
            self._context,
            _ended_match(message),
            await self._ratings_after(message),
        )
        state, picture, nudged = context.now, None, NOBODY_NUDGED
        if isinstance(message.post, NudgePost):
            await self._nudges.put_off(message)
            await self._nudges.write(message)
            nudged = await self._nudges.nudged(context.now, message.unreached)
            if not nudged.mentioned:
                self._live_messages.rewrite_table()  # an old one may have waited for this nudge
                return
            message.renews = context.table_is_old
        shows_table = isinstance(message.post, TablePost) or message.renews
        if isinstance(message.post, LobbyPost) or shows_table:
            state, picture = await self._pictures.newest()
        elif match is not None and self._pictures.allowed(match):
            picture = await self._results.in_time(match, context.words)
        if superseded(message.post, state):
            return
        said = self._live_messages.reactions.to_show()

        async def send(taken: Picture | None) -> discord.Message:
            wording = wording_of(message, state, context.words, ratings, taken, said, nudged)
            willing = await self._nudges.willing(message.post, wording.notified)
            try:
                return await create_once(
                    lambda nonce: context.channel.send(**wording.arguments(willing), nonce=nonce),
                    message.nonce,
                    context.channel_id,
                )
            except REQUEST_FAILURES as error:
                message.tried |= is_temporary(error)  # Discord may have created it
                raise

        sent, picture = await self._pictures.send(picture, send, edits=None)
        message.message_id, message.written = MessageId(sent.id), state
        if shows_table and isinstance(state, Game):
            sure = not message.tried
            self._live_messages.table_posted(sent, state, picture, said, sure=sure)
            context.table_posted(state.id, MessageId(sent.id))
        elif isinstance(message.post, LobbyPost) and picture is None:
            self._live_messages.lobbies.show_picture_later()
        elif match is not None and picture is None:
            self._live_messages.show_match_later(match, MessageId(sent.id), ratings)

    async def _note_delivered(self, message: Message) -> None:
        """Store the id of a posted message, and delete it from the outbox."""
        ids = self._direct_ids(message)
        posted, state = message.message_id, self._context.now
        if posted is not None:
            match message.post:
                case LobbyPost():
                    ids["lobby"] = posted
                case TablePost(round=number):
                    ids |= {"table": posted, "table_round": number}
                case ResultPost() if is_current(message.then, state) and state.running:
                    ids["result"] = posted
                case VotePost():
                    ids["vote"] = posted
                case InvitationPost():
                    ids["invitations"] = (*state.messages.invitations, posted)
                case NudgePost() if isinstance(message.written, Game):
                    if message.renews:
                        ids |= {"table": posted, "table_round": message.written.round.number}
                    elif not superseded(message.post, state):
                        ids["nudge"] = posted
                    if state.messages.nudge and (message.renews or "nudge" in ids):
                        self._live_messages.people.remove_nudge(state.messages.nudge)
                case LinesPost(lines=lines) if left := left_to_computers(lines, message.then):
                    ids["free"] = {**state.messages.free, **dict.fromkeys(left, posted)}
                case AwayPost() as post if isinstance(message.written, Game):
                    named = dict.fromkeys(newly_away(post, message.written), posted)
                    ids["away"] = {**state.messages.away, **named}
        delivered = () if message.number is None else (message.number,)
        if ids or delivered:
            tables = self._context.bot.tables
            await tables.messages.store_ids(self._context.table_id, delivered=delivered, **ids)

    def _direct_ids(self, message: Message) -> Posted:
        """Return the message's direct messages among all, and schedule removal of older ones."""
        if not message.direct:
            return Posted()
        before = self._context.now.messages.direct
        for user_id, place in before.items():
            if user_id in message.direct and place != message.direct[user_id]:
                self._live_messages.people.remove_direct(*place)
        self._live_messages.people.rewrite_direct()  # for those who have acted meanwhile
        return {"direct": {**before, **message.direct}}

    def _may_wait(self, message: Message) -> bool:
        """Return whether a message that is refused now waits until it is allowed."""
        if isinstance(message.post, LobbyPost | InvitationPost) or _of_use_at_once(message):
            return False
        return self._context.waits_for_permission(message)

    def _drop_what_cannot_wait(self) -> None:
        """Drop all queued messages that are useful only at once."""
        kept = [message for message in self._messages if not _of_use_at_once(message)]
        if dropped := len(self._messages) - len(kept):
            log.info(
                "table %s: dropped %s messages that must not be late",
                self._context.table_id,
                dropped,
            )
            self._messages = deque(kept)

    async def _give_up(self, message: Message, level: int, reason: str) -> None:
        """Drop a message and go on; close the table of a lobby."""
        tables, table_id = self._context.bot.tables, self._context.table_id
        kind = type(message.post).__name__
        log.log(level, "table %s: dropped %s: %s", table_id, kind, reason)
        with contextlib.suppress(StorageError):  # otherwise it is retried at the next start
            if message.number is not None:
                written = self._direct_ids(message)
                await tables.messages.store_ids(table_id, delivered=(message.number,), **written)
            if isinstance(message.post, LobbyPost):
                await tables.channels.close_table(table_id)

    async def lobby_in_answer(self, answer: AnswerToAll) -> bool:
        """Show a new lobby as a public answer; return whether it is shown.

        `answer` returns the message's id, or `None` if there is no message. The lobby then stays in
        the queue.
        """
        message = next((m for m in self._messages if isinstance(m.post, LobbyPost)), None)
        if message is None:
            return False
        message.written, message.message_id = await self.lobby_again(answer)
        return message.message_id is not None

    async def lobby_again(self, answer: AnswerToAll) -> tuple[OpenTable, MessageId | None]:
        """Show the lobby as a public answer; return its state and message."""
        lobby, picture = await self._pictures.newest()
        if not isinstance(lobby, Lobby):
            return lobby, None

        async def send(taken: Picture | None) -> MessageId | None:
            return await answer(page_of_lobby(lobby, self._context.words, taken), uploaded(taken))

        message_id, picture = await self._pictures.send(picture, send, edits=None)
        if message_id is not None and picture is None:
            self._live_messages.lobbies.show_picture_later()
        return lobby, message_id

    async def _ratings_after(self, message: Message) -> Ratings:
        """Return the public ratings of people after a match."""
        state = _ended_match(message)
        if state is None or not state.options.rated:
            return {}
        rankings = self._context.bot.store.rankings
        try:
            variant, users = state.options.variant, state.user_ids()
            return await rankings.public_ratings(state.guild_id, variant, users)
        except StorageError as error:  # the result is posted without them
            log.log(error.level, "table %s: ratings not loaded: %s", state.id, error)
            return {}


def _of_use_at_once(message: Message) -> bool:
    stored = message.number is not None
    at_once = isinstance(message.post, _OF_USE_AT_ONCE)
    return at_once or (isinstance(message.post, NudgePost) and not stored)


def _ended_match(message: Message) -> Game | None:
    """Return the ended match whose result this message shows, or `None`."""
    game = message.then
    if not isinstance(message.post, ResultPost) or not isinstance(game, Game):
        return None
    return game if game.phase is Phase.MATCH_END else None
