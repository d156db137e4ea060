"""The messages of a table that stand in its channel, rewritten: the newest state of each.

What is to be rewritten is only in memory and is lost at a restart, which rewrites the table message
of each running match, and the result that counts down.
"""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import discord
from discord.utils import MISSING

from bot.ids import MessageId, UserId
from bot.runtime.logs import kinds_and_frames
from bot.table.interruptions import pinged
from bot.table.posts import AwayPost, LobbyPost, ResultPost, VotePost
from bot.table.state import Game, Lobby, OpenTable
from cogs.delivery.messages import (
    NOBODY,
    Message,
    NudgePost,
    away_lines,
    is_current,
    superseded,
)
from cogs.delivery.table_place import TablePlace, shows_round
from cogs.delivery.trouble import (
    TROUBLE,
    UNKNOWN_MESSAGE,
    is_invalid,
    is_not_allowed,
    is_temporary,
    log_text,
)
from cogs.pages.controls import Page
from cogs.pages.lobby import closed_page, lobby_page
from cogs.pages.nudge import nudge_page
from cogs.pages.result import SCORE_FILE, countdown_shown, result_page
from cogs.pages.stop_vote import is_open, stop_vote_page, vote_shown
from cogs.pages.table import table_page

log = logging.getLogger(__name__)

OLDEST_EDITED = timedelta(minutes=50)
"""Discord limits edits of messages older than an hour strictly."""

Write = Callable[[], Awaitable[None]]


class StandingMessages:
    """What stands in the channel of one table; a lane of its chain of requests.

    `wake` is called when something is to be rewritten, `post_table` when the table message cannot
    be: it must be posted anew.
    """

    def __init__(
        self, place: TablePlace, wake: Callable[[], None], post_table: Callable[[], None]
    ) -> None:
        self._place = place
        self._wake = wake
        self._post_table = post_table
        self._rewriting: dict[str, Write] = {}
        self._shown: object = None
        self._more_lobbies: set[MessageId] = set()
        """Lobby messages that stand there beside the remembered one.

        Discord took them, but its answer got lost; they are known once somebody clicks on them.
        """
        self._going: set[MessageId] = set()
        """Reminders that are being removed: each is removed once, however often that is asked."""

    # --- what is to be rewritten ---------------------------------------------------------------

    def rewrite_table(self) -> None:
        """The table message must show the newest state."""
        self._rewrite("table", self._write_table)

    def rewrite_lobby(self) -> None:
        """The lobby message must show the newest state, or how the lobby has ended."""
        self._rewrite("lobby", self._write_lobby)

    def rewrite_result(self) -> None:
        """The countdown to the next round has stopped or goes on, or somebody has sat down."""
        self._rewrite("result", self._write_result)

    def end_countdown(self, before: Game, message_id: MessageId) -> None:
        """The next round has begun: the result stays, its countdown and buttons go.

        `before` still has the secret of the round that is over, and no other.
        """
        self._rewrite(f"countdown-{message_id}", lambda: self._end_countdown(before, message_id))

    def rewrite_vote(self, message_id: MessageId) -> None:
        """The vote to stop goes on differently, or is over: then its buttons go."""
        self._rewrite(f"vote-{message_id}", lambda: self._write_vote(message_id))

    def remove_nudge(self, message_id: MessageId) -> None:
        """Nobody is waited for any more."""
        if message_id not in self._going:
            self._going.add(message_id)
            self._rewrite(f"nudge-{message_id}", lambda: self._remove_nudge(message_id))

    def rewrite_nudge(self) -> None:
        """Of those who were pinged some have acted: only the others are still named."""
        self._rewrite("nudge", self._write_nudge)

    def rewrite_away(self) -> None:
        """Somebody is back: the line that they are away goes."""
        self._rewrite("away", self._write_away)

    def rewrite(self, message_id: MessageId, page: Page, picture: bytes | None = None) -> None:
        """Put another page, and its picture, in the place of a message."""
        self._rewrite(f"message-{message_id}", lambda: self._put(message_id, page, picture=picture))

    def _rewrite(self, key: str, write: Write) -> None:
        self._rewriting.pop(key, None)
        self._rewriting[key] = write
        self._wake()

    # --- several lobby messages ----------------------------------------------------------------

    def lobby_shows(self, message_id: MessageId, shown: OpenTable) -> None:
        """A lobby message shows this table; all of them must show the newest state."""
        if message_id != self._place.now.messages.lobby:
            self._more_lobbies.add(message_id)
        if self._more_lobbies or self._looks_old(shown):
            self.rewrite_lobby()

    def remove_old_lobby(self, message_id: MessageId) -> None:
        """Another lobby message was posted in the place of this one."""
        self._more_lobbies.discard(message_id)
        self._rewrite(f"old-{message_id}", lambda: self._remove(message_id))

    def _looks_old(self, shown: OpenTable) -> bool:
        """Whether a lobby message that shows this state shows no more how the table is."""
        now = self._place.now
        return (shown.revision, shown.status) != (now.revision, now.status)

    # --- after a message was posted ------------------------------------------------------------

    def table_posted(self, page: Page, state: OpenTable) -> None:
        """A table message with this page was posted, in the place of that of this state."""
        self._shown = page.to_components()
        old = state.messages.table
        if old is not None and shows_round(state):
            self._rewrite(f"old-{old}", lambda: self._remove(old))

    def catch_up(self, message: Message) -> None:
        """The table may have changed while a message was under way, and what it shows be old."""
        post, message_id, written = message.post, message.message_id, message.written
        now = self._place.now
        if message_id is None or written is None:
            return
        if isinstance(post, LobbyPost):
            if self._looks_old(written):
                self.rewrite_lobby()
        elif isinstance(post, NudgePost):
            if superseded(post, now):
                self.remove_nudge(message_id)
            elif isinstance(written, Game) and pinged(written) != _pinged(now):
                self.rewrite_nudge()
        elif isinstance(post, AwayPost):
            self.rewrite_away()
        elif isinstance(post, ResultPost) and is_current(message.then, written):
            if not is_current(message.then, now):
                if isinstance(written, Game):
                    self.end_countdown(written, message_id)
            elif countdown_shown(written) != countdown_shown(now):
                self.rewrite_result()
        elif isinstance(post, VotePost) and vote_shown(written) != vote_shown(now):
            self.rewrite_vote(message_id)

    # --- rewriting -----------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """Whether a message is to be rewritten."""
        return bool(self._rewriting)

    async def work(self) -> Exception | None:
        """Rewrite what is to be rewritten; the last error, if a retry is needed.

        What has failed is kept for the retry. What is not allowed is kept only while the table is
        open. What Discord has refused for good is left as it is until the next change.
        """
        failed: Exception | None = None
        for key in list(self._rewriting):
            write = self._rewriting.pop(key)
            table_id = self._place.table_id
            try:
                await write()
            except TROUBLE as error:
                if is_temporary(error) or (is_not_allowed(error) and self._place.now.open):
                    failed = error
                    self._rewriting.setdefault(key, write)  # a newer one wins
                else:
                    level = logging.ERROR if is_invalid(error) else logging.WARNING
                    log.log(level, "table %s: %s was refused (%s)", table_id, key, log_text(error))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error("table %s: %s cannot be rewritten:\n%s", table_id, key, trail)
        return failed

    async def _write_table(self) -> None:
        state = self._place.now
        if not isinstance(state, Game):
            return
        page = table_page(state, self._place.words)
        shown: object = page.to_components()
        if self._shown == shown:
            return
        message_id = state.messages.table
        if message_id is None or not shows_round(state) or self._too_old(message_id):
            self._post_table()
            return
        try:
            await self._edit(message_id, page)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            self._post_table()  # somebody deleted it: here is a new one
        else:
            self._shown = shown

    def _too_old(self, message_id: MessageId) -> bool:
        age = self._place.bot.clock.now() - discord.utils.snowflake_time(message_id)
        return age >= OLDEST_EDITED

    async def _write_lobby(self) -> None:
        state, words = self._place.now, self._place.words
        messages = set(self._more_lobbies)
        if state.messages.lobby is not None:
            messages.add(state.messages.lobby)
        for message_id in sorted(messages):
            if isinstance(state, Lobby) and state.open:
                page = lobby_page(state, words)
            else:
                page = closed_page(state, words)
            await self._put(message_id, page)

    async def _write_result(self) -> None:
        state = self._place.now
        if isinstance(state, Game) and state.between_rounds and state.messages.result:
            await self._put(state.messages.result, result_page(state, self._place.words))

    async def _end_countdown(self, before: Game, message_id: MessageId) -> None:
        await self._put(message_id, result_page(before, self._place.words, countdown=False))
        if self._place.now.messages.result == message_id:
            await self._place.bot.tables.remember(self._place.table_id, result=0)

    async def _write_nudge(self) -> None:
        state = self._place.now
        people = _pinged(state)
        if isinstance(state, Game) and state.messages.nudge and people:
            await self._put(state.messages.nudge, nudge_page(state, people, self._place.words))

    async def _write_away(self) -> None:
        state = self._place.now
        if not isinstance(state, Game):
            return
        away, lines = state.notes.away if state.running else (), dict(state.messages.away)
        for message_id in sorted(set(lines.values())):
            named = [seat for seat, line in lines.items() if line == message_id]
            still = [seat for seat in named if seat in away]
            if still == named:
                continue
            if still:
                with contextlib.suppress(discord.NotFound):
                    message = self._place.channel.get_partial_message(message_id)
                    content = away_lines(state, still, self._place.words)
                    await message.edit(content=content, allowed_mentions=NOBODY)
            else:
                await self._remove(message_id)
            lines = {
                seat: line for seat, line in lines.items() if line != message_id or seat in still
            }
            await self._place.bot.tables.remember(self._place.table_id, away=lines)

    async def _write_vote(self, message_id: MessageId) -> None:
        state = self._place.now
        await self._put(message_id, stop_vote_page(state, self._place.words))
        if not is_open(state) and self._place.now.messages.vote == message_id:
            await self._place.bot.tables.remember(self._place.table_id, vote=0)

    async def _remove_nudge(self, message_id: MessageId) -> None:
        await self._remove(message_id)
        if self._place.now.messages.nudge == message_id:
            await self._place.bot.tables.remember(self._place.table_id, nudge=0)
        self._going.discard(message_id)

    async def _put(
        self, message_id: MessageId, page: Page, *, picture: bytes | None = None
    ) -> None:
        """Another page in the place of a message, unless somebody has deleted it."""
        files = [discord.File(io.BytesIO(picture), SCORE_FILE)] if picture else MISSING
        with contextlib.suppress(discord.NotFound):
            await self._edit(message_id, page, files)

    async def _edit(
        self, message_id: MessageId, page: Page, files: Sequence[discord.File] = MISSING
    ) -> None:
        message = self._place.channel.get_partial_message(message_id)
        await message.edit(view=page, attachments=files, allowed_mentions=NOBODY)

    async def _remove(self, message_id: MessageId) -> None:
        with contextlib.suppress(discord.NotFound):
            await self._place.channel.get_partial_message(message_id).delete()


def _pinged(state: OpenTable) -> tuple[UserId, ...]:
    """Those whom a ping at this table names."""
    return pinged(state) if isinstance(state, Game) else ()
