"""One table's channel: posts its messages in order, rewrites them, and retries what fails.

One chain of requests for each table. Messages come first, one after another; then the messages that
stand there are rewritten, the newest state of each.

Retry: if a request fails with temporary trouble (`is_temporary`: a 503, a 429, a lost connection,
the storage), the whole chain pauses for 1, 2, 4, 8 and then always 15 seconds, and goes on where it
stopped. There is no limit of attempts. What Discord refuses for good is given up and logged.

Restart: messages with a number are kept in the outbox, a table of the database, until their id is
stored. What is left there comes again at the next start (`Restored`). All else is only in memory
and is lost at a restart: rewrites, nudges, and messages without a number, such as a table message
that is posted again at the bottom. A restart rewrites the table message of each running match.

Nonce: a message is always sent with the same nonce, which the outbox keeps, too. For a few minutes
Discord knows it and answers with the first message instead of posting a second one. If an answer
was lost and the retry comes later than that, the message can stand there twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import discord
from discord.utils import MISSING

from bot.client import TichuBot
from bot.runtime.logs import kinds_and_frames
from bot.storage import StorageError
from bot.table.message_ids import Posted
from bot.table.posts import LobbyPost, ResultPost, TablePost
from bot.table.state import Game, Lobby, OpenTable
from bot.text.cards import Speaker
from cogs.delivery.messages import (
    NOBODY,
    Message,
    NudgePost,
    is_current,
    superseded,
    worded,
)
from cogs.delivery.permissions import may_attach
from cogs.delivery.result_pictures import ResultPictures
from cogs.delivery.speakers import public_words
from cogs.delivery.trouble import TROUBLE, UNKNOWN_MESSAGE, is_temporary, pause_s
from cogs.pages.controls import Page
from cogs.pages.lobby import closed_page, lobby_page
from cogs.pages.result import SCORE_FILE, Ratings, result_page
from cogs.pages.table import table_page
from engine import Phase

log = logging.getLogger(__name__)

OLDEST_EDITED = timedelta(minutes=50)
"""Discord limits edits of messages older than an hour strictly."""
_TABLE = "table"

Write = Callable[[], Awaitable[None]]


class TableChannel:
    """What one table still has to tell its channel, and what stands there."""

    def __init__(
        self,
        bot: TichuBot,
        state: OpenTable,
        pictures: ResultPictures,
        idle: Callable[[OpenTable], None],
    ) -> None:
        self._bot = bot
        self._last = state
        self._pictures = pictures
        self._idle = idle
        self._messages: deque[Message] = deque()
        self._rewriting: dict[str, Write] = {}
        self._shown: object = None
        self._failures = 0
        self._work: asyncio.Task[None] | None = None
        self._pause: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def now(self) -> OpenTable:
        """The table as it is now, or as it was at its end."""
        return self._bot.tables.find(self._last.id) or self._last

    # --- what is to be done --------------------------------------------------------------------

    def follow(self, state: OpenTable) -> None:
        """The table has changed."""
        self._last = state

    def post(self, messages: Sequence[Message]) -> None:
        """Post these after all that is already to be posted."""
        self._messages.extend(messages)
        self.wake()

    def hold(self, messages: Sequence[Message]) -> None:
        """As `post`, but wait for `wake`."""
        self._messages.extend(messages)

    def rewrite_table(self) -> None:
        """The table message must show the newest state."""
        self._rewrite(_TABLE, self._write_table)

    def rewrite_lobby(self) -> None:
        """The lobby message must show the newest state, or how the lobby has ended."""
        self._rewrite("lobby", self._write_lobby)

    def rewrite_result(self) -> None:
        """The countdown to the next round has stopped or goes on, or somebody has sat down."""
        self._rewrite("result", self._write_result)

    def end_countdown(self, before: Game, message_id: int) -> None:
        """The next round has begun: the result stays, its countdown and buttons go.

        `before` still has the secret of the round that is over, and no other.
        """
        self._rewrite(f"countdown-{message_id}", lambda: self._end_countdown(before, message_id))

    def remove_nudge(self, message_id: int) -> None:
        """Nobody is waited for any more."""
        self._rewrite(f"nudge-{message_id}", lambda: self._remove_nudge(message_id))

    def rewrite(self, message_id: int, page: Page, picture: bytes | None = None) -> None:
        """Put another page, and its picture, in the place of a message."""
        self._rewrite(f"message-{message_id}", lambda: self._put(message_id, page, picture=picture))

    def post_table_again(self) -> None:
        """A new table message at the bottom of the channel, in place of the old one."""
        state = self.now
        if isinstance(state, Game) and not self._posts_table():
            self.post([Message(TablePost(round=state.round.number), state)])

    def _rewrite(self, key: str, write: Write) -> None:
        self._rewriting.pop(key, None)
        self._rewriting[key] = write
        self.wake()

    # --- one chain of requests -----------------------------------------------------------------

    def wake(self) -> None:
        """Begin to work, unless that is under way or pauses before its next retry."""
        if self._work is None and self._pause is None and not self._closing:
            name = f"channel-of-table-{self._last.id}"
            self._work = asyncio.create_task(self._run(), name=name)

    async def drain(self) -> None:
        """Finish what is under way; what fails now stays in the outbox for the next start."""
        if self._pause is not None:
            self._pause.cancel()
        self._closing = True
        if self._work is not None:
            await self._work

    async def _run(self) -> None:
        """Work until nothing is left, or until temporary trouble asks for a pause and a retry."""
        trouble: Exception | None = None
        try:
            while trouble is None and (self._messages or self._rewriting):
                trouble = await self._post_all()
                trouble = await self._rewrite_all() or trouble
        finally:
            self._work = None
        if trouble is None:
            self._failures = 0
            self._idle(self.now)
        elif not self._closing:
            self._failures += 1
            seconds = pause_s(self._failures, trouble)
            log.warning(
                "table %s: its channel waits %.0f s (%s)", self._last.id, seconds, _told(trouble)
            )
            self._pause = asyncio.create_task(self._retry_after(seconds))

    async def _retry_after(self, seconds: float) -> None:
        """Pause, then begin to work again with what has failed."""
        try:
            await self._bot.clock.sleep(seconds)
        finally:
            self._pause = None
        self.wake()

    async def _post_all(self) -> Exception | None:
        """Post what is to be posted, in order; the temporary trouble, if a retry is needed."""
        while self._messages:
            message = self._messages[0]
            try:
                await self._deliver(message)
            except TROUBLE as error:
                if is_temporary(error):
                    return error
                await self._give_up(message, error)
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error("table %s: a message cannot be posted:\n%s", self._last.id, trail)
                if self._closing:
                    return error
                await self._give_up(message, error)
            if self._messages and self._messages[0] is message:
                self._messages.popleft()
        return None

    async def _rewrite_all(self) -> Exception | None:
        """Rewrite what is to be rewritten; the last temporary trouble, if a retry is needed.

        What has failed is kept for the retry, unless Discord has refused it for good.
        """
        trouble: Exception | None = None
        for key in list(self._rewriting):
            write = self._rewriting.pop(key)
            try:
                await write()
            except TROUBLE as error:
                if is_temporary(error):
                    trouble = error
                    self._rewriting.setdefault(key, write)  # a newer one wins
                else:
                    log.warning("table %s: %s was refused (%s)", self._last.id, key, _told(error))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error("table %s: %s cannot be rewritten:\n%s", self._last.id, key, trail)
        return trouble

    # --- messages ------------------------------------------------------------------------------

    async def _deliver(self, message: Message) -> None:
        """Post a message unless it was posted, or is not needed any more; then note it."""
        if message.message_id is None and not superseded(message.post, self.now):
            await self._send(message)
        await self._delivered(message)
        if message.message_id is not None and message.written is not None:
            self._catch_up(message, message.message_id, message.written)

    async def _send(self, message: Message) -> None:
        state = self.now
        ratings = await self._ratings_after(message)
        wording = worded(message, state, self._words(), ratings)
        sent = await self._channel().send(**wording.arguments(), nonce=message.nonce)
        message.message_id, message.written = sent.id, state
        if isinstance(message.post, TablePost) and wording.page is not None:
            self._shown = wording.page.to_components()
            if _shows_round(state):
                self._remove_later(state.messages.table)
        elif (match := _ended_match(message)) is not None and may_attach(self._bot, match):
            self._pictures.begin(match, sent.id, self._words(), ratings)

    def _catch_up(self, message: Message, message_id: int, written: OpenTable) -> None:
        """The table may have changed since `written`, while a message was under way."""
        post, now = message.post, self.now
        if isinstance(post, LobbyPost):
            if (written.revision, written.status) != (now.revision, now.status):
                self.rewrite_lobby()
        elif isinstance(post, NudgePost):
            if superseded(post, now):
                self.remove_nudge(message_id)
        elif isinstance(post, ResultPost) and is_current(message.then, written):
            if not is_current(message.then, now):
                if isinstance(written, Game):
                    self.end_countdown(written, message_id)
            elif (written.timers.paused, written.chairs) != (now.timers.paused, now.chairs):
                self.rewrite_result()

    async def _delivered(self, message: Message) -> None:
        """Keep the id of a message that was posted, and the message no longer."""
        ids = Posted()
        posted, state = message.message_id, self.now
        if posted is not None:
            match message.post:
                case LobbyPost():
                    ids = {"lobby": posted}
                case TablePost(round=number):
                    ids = {"table": posted, "table_round": number}
                case ResultPost() if is_current(message.then, state) and state.running:
                    ids = {"result": posted}
                case NudgePost() if not superseded(message.post, state):
                    ids = {"nudge": posted}
        delivered = () if message.number is None else (message.number,)
        if ids or delivered:
            await self._bot.tables.remember(self._last.id, delivered=delivered, **ids)

    async def _give_up(self, message: Message, error: Exception) -> None:
        """Discord refuses a message for good: the table goes on without it, a lobby cannot."""
        kind = type(message.post).__name__
        log.warning("table %s: %s is given up (%s)", self._last.id, kind, _told(error))
        with contextlib.suppress(StorageError):  # else it is tried again at the next start
            if message.number is not None:
                await self._bot.tables.remember(self._last.id, delivered=(message.number,))
            if isinstance(message.post, LobbyPost):
                await self._bot.tables.close_table(self._last.id)

    async def lobby_in_answer(self, answer: Callable[[Page], Awaitable[int | None]]) -> bool:
        """Have a new lobby shown as the public answer to a command; whether it stands there.

        `answer` gives the id of its message, `None` if there is none: then it is still to be
        posted.
        """
        message = next((m for m in self._messages if isinstance(m.post, LobbyPost)), None)
        lobby = self.now
        if message is None or not isinstance(lobby, Lobby):
            return False
        message.written = lobby
        message.message_id = await answer(lobby_page(lobby, self._words()))
        return message.message_id is not None

    async def _ratings_after(self, message: Message) -> Ratings:
        """The ratings of people after a match, as far as others may see them."""
        state = _ended_match(message)
        if state is None or not state.options.rated:
            return {}
        try:
            store = self._bot.store
            variant, users = state.options.variant, state.user_ids()
            return await store.rankings.public_ratings(state.guild_id, variant, users)
        except StorageError as error:  # the result is there without them
            log.warning("table %s: no ratings (%s)", state.id, error)
            return {}

    # --- messages that stand there -------------------------------------------------------------

    async def _write_table(self) -> None:
        state = self.now
        if not isinstance(state, Game) or self._posts_table():
            return
        page = table_page(state, self._words())
        shown: object = page.to_components()
        if self._shown == shown:
            return
        message_id = state.messages.table
        if message_id is None or not _shows_round(state) or self._too_old(message_id):
            self._post_table(state)
            return
        try:
            await self._edit(message_id, page)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            self._post_table(state)  # somebody deleted it: here is a new one
        else:
            self._shown = shown

    def _post_table(self, state: OpenTable) -> None:
        if isinstance(state, Game) and state.running:
            self._messages.append(Message(TablePost(round=state.round.number), state))

    def _posts_table(self) -> bool:
        """Whether the table message of this round is still to be posted."""
        return any(
            isinstance(m.post, TablePost) and not superseded(m.post, self.now)
            for m in self._messages
        )

    def _too_old(self, message_id: int) -> bool:
        age = self._bot.clock.now() - discord.utils.snowflake_time(message_id)
        return age >= OLDEST_EDITED

    def _remove_later(self, message_id: int | None) -> None:
        """A table message has another one in its place."""
        if message_id is not None:
            self._rewriting[f"old-{message_id}"] = lambda: self._remove(message_id)

    async def _write_lobby(self) -> None:
        state, to = self.now, self._words()
        if state.messages.lobby is not None:
            if isinstance(state, Lobby) and state.open:
                page = lobby_page(state, to)
            else:
                page = closed_page(state, to)
            await self._put(state.messages.lobby, page)

    async def _write_result(self) -> None:
        state = self.now
        if isinstance(state, Game) and state.between_rounds and state.messages.result:
            await self._put(state.messages.result, result_page(state, self._words()))

    async def _end_countdown(self, before: Game, message_id: int) -> None:
        await self._put(message_id, result_page(before, self._words(), countdown=False))
        if self.now.messages.result == message_id:
            await self._bot.tables.remember(self._last.id, result=0)

    async def _remove_nudge(self, message_id: int) -> None:
        await self._remove(message_id)
        if self.now.messages.nudge == message_id:
            await self._bot.tables.remember(self._last.id, nudge=0)

    async def _put(self, message_id: int, page: Page, *, picture: bytes | None = None) -> None:
        """Another page in the place of a message, unless somebody has deleted it."""
        files = [discord.File(io.BytesIO(picture), SCORE_FILE)] if picture else MISSING
        with contextlib.suppress(discord.NotFound):
            await self._edit(message_id, page, files)

    async def _edit(
        self, message_id: int, page: Page, files: Sequence[discord.File] = MISSING
    ) -> None:
        message = self._channel().get_partial_message(message_id)
        await message.edit(view=page, attachments=files, allowed_mentions=NOBODY)

    async def _remove(self, message_id: int) -> None:
        with contextlib.suppress(discord.NotFound):
            await self._channel().get_partial_message(message_id).delete()

    def _channel(self) -> discord.PartialMessageable:
        state = self._last
        return self._bot.get_partial_messageable(state.channel_id, guild_id=state.guild_id)

    def _words(self) -> Speaker:
        return public_words(self._bot, self._last.guild_id)


def _shows_round(state: OpenTable) -> bool:
    """Whether the table message is that of the round on the table."""
    return isinstance(state, Game) and state.messages.table_round == state.round.number


def _ended_match(message: Message) -> Game | None:
    """The match whose result a message is, if it is over."""
    game = message.then
    if not isinstance(message.post, ResultPost) or not isinstance(game, Game):
        return None
    return game if game.phase is Phase.MATCH_END else None


def _told(error: Exception) -> str:
    """An error for the log: its text names no card, but may be long."""
    return f"{type(error).__name__}: {error}"[:200]
