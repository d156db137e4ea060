"""Queue of a table's messages, which posts each of them once and in order.

Refusals: if the bot lacks a permission that it may get back (`is_not_allowed`), the refused message
waits, and all later ones wait behind it. It is dropped if the bot leaves the server, or after
`UNDELIVERED_FOR`. Three kinds of messages do not wait. A refused lobby is closed, because nobody
sees it and it would block its channel. A refused invitation is dropped. Messages that are useless
later (reminders, and lines that the outbox does not keep) are dropped as soon as an earlier message
has to wait. After a final refusal (the channel is gone, the message is invalid) the message is
dropped at once.

Restarts: messages with a number are kept in the outbox, a relation of the database, until their id
is stored. Undelivered ones are loaded at the next start (`Restored`). Messages without a number are
only in memory and are lost at a restart, such as a table message that is posted again at the
bottom.

Nonces: a message is always sent with the same nonce, which the outbox keeps, too. For a few minutes
Discord remembers it and answers with the first message instead of posting a second one. If an
answer was lost and the retry comes later than that, the message can be posted twice. If the first
message was deleted meanwhile, it is posted again (`nonces.py`).
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
    is_superseded,
    page_of_lobby,
    seats_left_to_computers,
    unannounced_away_seats,
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
"""Function that answers a command or a click publicly with this page and its files.

It returns the id of the message, or `None` if only a private answer is possible.
"""
_USELESS_LATER = PlainPost | RestartPost | PicturePost
"""Posts that are useless by the time the bot may write in the channel again.

So are nudges outside of the outbox, because their tables allow only minutes for each turn.
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
        self._posting = False
        """True while the first message is in flight; new ones wait for its result."""
        self.closing = False
        """True during shutdown: failed messages are kept for the next start."""

    def add(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue."""
        self._messages.extend(messages)
        if self._refused and not self._posting:
            self._drop_useless_later()

    def forget(self, event: PersonForgotten) -> None:
        """Remove an erased person from messages that wait for a permission, and from nudges.

        Other messages are about to be sent and keep the name, which some of them need: one says
        that this person has left. Nudges are always changed, because a nudge is stored again
        whenever a direct message has been sent for it.
        """
        for message in self._messages:
            if self._refused or isinstance(message.post, NudgePost):
                forget_in_message(message, event)

    @property
    def pending(self) -> bool:
        """True if a message is to be posted."""
        return bool(self._messages)

    def pending_count(self, *, stored_only: bool) -> int:
        """Return the number of pending messages, or of those in the outbox."""
        return sum(not stored_only or message.number is not None for message in self._messages)

    def has_table(self) -> bool:
        """Return whether a table message of this round is pending.

        A nudge counts if the posted table message is too old to be edited, because then the nudge
        is sent as a new table message.
        """
        state = self._context.state
        kinds = (TablePost, NudgePost) if self._context.table_is_old else (TablePost,)
        return any(
            isinstance(message.post, kinds) and not is_superseded(message.post, state)
            for message in self._messages
        )

    async def work(self) -> Exception | None:
        """Post all messages in order; return the error if a retry is needed."""
        self._posting = True
        try:
            return await self._post_all()
        finally:
            self._posting = False

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
                    self._drop_useless_later()
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
        """Post a message unless it is posted or superseded; record it as delivered."""
        if message.message_id is None and not is_superseded(message.post, self._context.state):
            await self._send(message)
        await self._note_delivered(message)
        if message.message_id is not None:
            self._live_messages.rewrite_if_outdated(message)
            self._merge_votes(message)

    def _merge_votes(self, message: Message) -> None:
        """Make one posted vote serve for all pending votes to stop the match."""
        if isinstance(message.post, VotePost):
            for other in self._messages:
                if isinstance(other.post, VotePost):
                    other.message_id, other.shown_state = message.message_id, message.shown_state

    async def _send(self, message: Message) -> None:
        """Post a message, with its picture if that is ready in time."""
        context, match = self._context, _ended_match(message)
        ratings = await self._ratings_after(message)
        state, picture, nudged = context.state, None, NOBODY_NUDGED
        if isinstance(message.post, NudgePost):
            await self._nudges.postpone_in_quiet_hours(message)
            await self._nudges.send_direct_messages(message)
            nudged = await self._nudges.people_to_mention(context.state, message.unreached)
            if not nudged.mentioned:
                # A table message too old to be edited may have waited for this nudge.
                self._live_messages.rewrite_table()
                return
            message.renews_table = context.table_is_old

        # The newest state is read with the picture, for which the message may have waited.
        shows_table = isinstance(message.post, TablePost) or message.renews_table
        if isinstance(message.post, LobbyPost) or shows_table:
            state, picture = await self._pictures.newest()
        elif match is not None and self._pictures.allowed(match):
            picture = await self._results.draw_in_time(match, context.words)
        if is_superseded(message.post, state):
            return
        reactions = self._live_messages.reactions.current()

        async def send(included: Picture | None) -> discord.Message:
            wording = wording_of(
                message, state, context.words, ratings, included, reactions, nudged
            )
            allowed = await self._nudges.people_to_notify(message.post, wording.notified)
            try:
                return await create_once(
                    lambda nonce: context.channel.send(**wording.arguments(allowed), nonce=nonce),
                    message.nonce,
                    context.channel_id,
                )
            except REQUEST_FAILURES as error:
                message.tried |= is_temporary(error)  # Discord may have created it
                raise

        sent, picture = await self._pictures.send(picture, send, edited_id=None)
        message.message_id, message.shown_state = MessageId(sent.id), state

        if shows_table and isinstance(state, Game):
            certain = not message.tried
            self._live_messages.table_posted(sent, state, picture, reactions, certain=certain)
            context.table_posted(state.id, MessageId(sent.id))
        elif isinstance(message.post, LobbyPost) and picture is None:
            self._live_messages.lobbies.show_picture_later()
        elif match is not None and picture is None:
            self._live_messages.add_match_picture_later(match, MessageId(sent.id), ratings)

    async def _note_delivered(self, message: Message) -> None:
        """Store the id of a posted message, and delete it from the outbox."""
        ids = self._ids_of_direct_messages(message)
        new_id, state, shown = message.message_id, self._context.state, message.shown_state
        if new_id is not None:
            match message.post:
                case LobbyPost():
                    ids["lobby"] = new_id
                case TablePost(round=number):
                    ids |= {"table": new_id, "table_round": number}
                case ResultPost() if is_current(message.then, state) and state.running:
                    ids["result"] = new_id
                case VotePost():
                    ids["vote"] = new_id
                case InvitationPost():
                    ids["invitations"] = (*state.messages.invitations, new_id)
                case NudgePost() if isinstance(shown, Game):
                    if message.renews_table:
                        ids |= {"table": new_id, "table_round": shown.round.number}
                    elif not is_superseded(message.post, state):
                        ids["nudge"] = new_id
                    replaces_nudge = message.renews_table or "nudge" in ids
                    if state.messages.nudge and replaces_nudge:
                        self._live_messages.people.remove_nudge(state.messages.nudge)
                case LinesPost(lines=lines):
                    if seats := seats_left_to_computers(lines, message.then):
                        ids["free"] = {**state.messages.free, **dict.fromkeys(seats, new_id)}
                case AwayPost() as post if isinstance(shown, Game):
                    seats = unannounced_away_seats(post, shown)
                    ids["away"] = {**state.messages.away, **dict.fromkeys(seats, new_id)}
        delivered = () if message.number is None else (message.number,)
        if ids or delivered:
            tables = self._context.bot.tables
            await tables.messages.store_ids(self._context.table_id, delivered=delivered, **ids)

    def _ids_of_direct_messages(self, message: Message) -> Posted:
        """Return the table's direct messages, to be stored after some were sent for this nudge.

        If none were sent, there is nothing to store. Also schedule the removal of older direct
        messages to the same people.
        """
        if not message.direct:
            return Posted()
        earlier = self._context.state.messages.direct
        for user_id, location in earlier.items():
            if user_id in message.direct and location != message.direct[user_id]:
                self._live_messages.people.remove_direct(*location)
        self._live_messages.people.rewrite_direct()  # some people may have acted meanwhile
        return {"direct": {**earlier, **message.direct}}

    def _may_wait(self, message: Message) -> bool:
        """Return whether a refused message stays in the queue until it is allowed."""
        if isinstance(message.post, LobbyPost | InvitationPost) or _is_useless_later(message):
            return False
        return self._context.waits_for_permission(message)

    def _drop_useless_later(self) -> None:
        """Drop all queued messages that will be useless when the bot may post again."""
        kept = [message for message in self._messages if not _is_useless_later(message)]
        if dropped := len(self._messages) - len(kept):
            log.info(
                "table %s: dropped %s messages that must not be late",
                self._context.table_id,
                dropped,
            )
            self._messages = deque(kept)

    async def _give_up(self, message: Message, level: int, reason: str) -> None:
        """Drop a message; close the table if the message is its lobby."""
        tables, table_id = self._context.bot.tables, self._context.table_id
        kind = type(message.post).__name__
        log.log(level, "table %s: dropped %s: %s", table_id, kind, reason)
        with contextlib.suppress(StorageError):  # otherwise it is retried at the next start
            if message.number is not None:
                ids = self._ids_of_direct_messages(message)
                await tables.messages.store_ids(table_id, delivered=(message.number,), **ids)
            if isinstance(message.post, LobbyPost):
                await tables.channels.close_table(table_id)

    async def answer_with_queued_lobby(self, answer: AnswerToAll) -> bool:
        """Send the queued lobby message as a public answer; return whether it was sent.

        If no public answer is possible, the message stays in the queue.
        """
        message = next((m for m in self._messages if isinstance(m.post, LobbyPost)), None)
        if message is None:
            return False
        message.shown_state, message.message_id = await self.answer_with_lobby(answer)
        return message.message_id is not None

    async def answer_with_lobby(self, answer: AnswerToAll) -> tuple[OpenTable, MessageId | None]:
        """Send the lobby as a public answer; return the state shown, and the message's id."""
        lobby, picture = await self._pictures.newest()
        if not isinstance(lobby, Lobby):
            return lobby, None

        async def send(included: Picture | None) -> MessageId | None:
            page = page_of_lobby(lobby, self._context.words, included)
            return await answer(page, uploaded(included))

        message_id, picture = await self._pictures.send(picture, send, edited_id=None)
        if message_id is not None and picture is None:
            self._live_messages.lobbies.show_picture_later()
        return lobby, message_id

    async def _ratings_after(self, message: Message) -> Ratings:
        """Return the public ratings of the players, if this message is the result of a match."""
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


def _is_useless_later(message: Message) -> bool:
    is_live_nudge = isinstance(message.post, NudgePost) and message.number is None
    return is_live_nudge or isinstance(message.post, _USELESS_LATER)


def _ended_match(message: Message) -> Game | None:
    """Return the ended match whose result this message shows, or `None`."""
    game = message.then
    if not isinstance(message.post, ResultPost) or not isinstance(game, Game):
        return None
    return game if game.phase is Phase.MATCH_END else None
