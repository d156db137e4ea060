"""Live messages of a table in its channel, rewritten with the newest state.

Pending rewrites are only in memory and are lost at a restart, which rewrites the table message of
each running match, and the result with a countdown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

import discord

from bot.ids import MessageId
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames
from bot.table.interruptions import nudged_users
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
from bot.table.state import Game
from cogs.delivery.channel_context import ChannelContext, shows_round
from cogs.delivery.channel_permissions import may_show_pictures
from cogs.delivery.failed_requests import (
    REQUEST_FAILURES,
    is_invalid,
    is_not_allowed,
    is_temporary,
    is_too_old,
    log_text,
)
from cogs.delivery.lobby_messages import LobbyMessages
from cogs.delivery.messages import (
    Message,
    PicturePost,
    is_current,
    superseded,
)
from cogs.delivery.nudges import Nudges
from cogs.delivery.people_notices import PeopleNotices, Write, named_by_nudge
from cogs.delivery.reactions import Reactions
from cogs.delivery.result_pictures import ResultPictures
from cogs.delivery.table_message import TableMessage
from cogs.delivery.table_pictures import TablePictures
from cogs.delivery.uploads import Picture, uploaded
from cogs.pages.controls import Page
from cogs.pages.table.reactions import SentReaction
from cogs.pages.table.result import Ratings, countdown_fingerprint, result_page
from cogs.pages.table.seats import free_seats_fingerprint
from cogs.pages.table.stop_vote import is_vote_open, stop_vote_page, vote_fingerprint

log = logging.getLogger(__name__)

OLD_ONES_AGAIN = timedelta(minutes=5)
"""Delay before an old message is edited again after Discord refused it.

Discord limits edits of messages older than an hour.
"""
_OLD_ONES = 0
"""Key of the only alarm of a table's live messages."""


class LiveMessages:
    """Live messages in the channel of one table; a lane of its retry chain.

    `wake` is called when something is to be rewritten. `post_table` is called when the table
    message cannot be edited and must be posted again. `post` posts another message.
    """

    def __init__(
        self,
        context: ChannelContext,
        pictures: TablePictures,
        results: ResultPictures,
        nudges: Nudges,
        wake: Callable[[], None],
        post_table: Callable[[], None],
        post: Callable[[Message], None],
    ) -> None:
        self._context = context
        self._pictures = pictures
        self._results = results
        self._wake = wake
        self._post = post
        self.lobbies = LobbyMessages(context, pictures, self.rewrite_lobby)
        self.reactions = Reactions(context.bot.clock, self.rewrite_for_reactions)
        self._table = TableMessage(
            context, pictures, self.reactions, self.rewrite_table, post_table
        )
        self.people = PeopleNotices(context, nudges, self._rewrite)
        self._rewriting: dict[str, Write] = {}
        self._ending: dict[str, Write] = {}
        """Rewrites that wait until the table of the next round is posted."""
        self._later: dict[str, Write] = {}
        """Rewrites that wait until Discord accepts edits of old messages again."""
        self._alarm = Clock(context.bot.clock.now, context.bot.clock.sleep)

    # --- scheduling of rewrites ----------------------------------------------------------------

    def rewrite_table(self) -> None:
        """Rewrite the table message with the newest state."""
        self._pictures.changed()
        self._rewrite("table", self._table.write)

    def rewrite_for_reactions(self) -> None:
        """Rewrite the table message with the reactions, if it is edited for them alone."""
        if self.shows_reactions:
            self.rewrite_table()

    @property
    def shows_reactions(self) -> bool:
        """True if the table message may be edited for reactions alone.

        That is not so if it is too old.

        Then they are shown with the next one.
        """
        state = self._context.now
        there = state.messages.table if shows_round(state) else None
        return state.running and there is not None and not self._context.too_old(there)

    def rewrite_lobby(self) -> None:
        """Rewrite the lobby message with the newest state, or the end of the lobby."""
        self._pictures.changed()
        self._rewrite("lobby", self.lobbies.write)

    def rewrite_newest(self) -> None:
        """Rewrite the main message of the table: its lobby, table or newest result."""
        state = self._context.now
        if not isinstance(state, Game):
            self.rewrite_lobby()
        elif state.between_rounds:
            self.rewrite_result()
        elif state.running:
            self.rewrite_table()

    def rewrite_result(self) -> None:
        """Rewrite the newest result with the countdown and the people who have sat down."""
        self._rewrite("result", self._write_result)

    def end_countdown(self, before: Game, message_id: MessageId) -> None:
        """Remove countdown and buttons from a result, because the next round has begun.

        `before` still has the secret of the round that is over, and no other.
        """
        self._rewrite(f"countdown-{message_id}", lambda: self._end_countdown(before, message_id))

    def rewrite_vote(self, message_id: MessageId) -> None:
        """Rewrite the vote to stop; an ended one loses its buttons.

        After the match the message is removed.
        """
        self._rewrite(f"vote-{message_id}", lambda: self._write_vote(message_id))

    def end_table(self, before: Game, message_id: MessageId) -> None:
        """Remove the buttons from the table of a finished round.

        They stay until the new table is posted. `before` is the last state of the round.
        """
        self._ending[f"table-{message_id}"] = self._table.ending(before, message_id)

    def remove_invitations(self) -> None:
        """Remove the invitations to the lobby, because nobody can accept them any more."""
        self._rewrite("invitations", self._remove_invitations)

    def rewrite(self, message_id: MessageId, page: Page) -> None:
        """Replace a message with another page."""
        self._rewrite(f"message-{message_id}", lambda: self._context.put(message_id, page))

    def add_picture(
        self, match: Game, message_id: MessageId, ratings: Ratings, picture: Picture
    ) -> None:
        """Add the picture of a finished match, now ready, to its result."""
        self._rewrite(
            f"message-{message_id}",
            lambda: self._add_picture(match, message_id, ratings, picture),
        )

    def show_match_later(self, match: Game, message_id: MessageId, ratings: Ratings) -> None:
        """Add the picture to the result of a match when that is possible.

        After a failure it is retried after each pause, while the message is young.
        """
        if may_show_pictures(self._context.bot, match) and not self._context.too_old(message_id):
            wait = self._pictures.uploads.pause_s
            self._results.later(match, message_id, ratings, self._context.words, wait)

    def moved(self) -> None:
        """Drop all rewrites in the previous thread of a moved table."""
        self._table.moved()
        for writes in (self._rewriting, self._ending, self._later):
            writes.clear()

    def _rewrite(self, key: str, write: Write) -> None:
        self._later.pop(key, None)
        self._rewriting.pop(key, None)
        self._rewriting[key] = write
        self._wake()

    def _write_later(self, key: str, write: Write) -> None:
        """Write a message that is too old later, unless it is rewritten before."""
        if key not in self._rewriting:
            self._later[key] = write
            self._alarm.set(_OLD_ONES, self._alarm.now() + OLD_ONES_AGAIN, self._write_old_ones)

    async def _write_old_ones(self) -> None:
        for key, write in list(self._later.items()):
            self._rewrite(key, write)

    def close(self) -> None:
        """Cancel all delayed rewrites at shutdown."""
        self._alarm.cancel_all()
        self.reactions.close()

    def remove_old_lobby(self, message_id: MessageId) -> None:
        """Remove a lobby message that was replaced by another one."""
        self.lobbies.forget(message_id)
        self._rewrite(f"old-{message_id}", lambda: self._context.remove(message_id))

    # --- after a message was posted ------------------------------------------------------------

    def table_posted(
        self,
        sent: discord.Message,
        state: Game,
        picture: Picture | None,
        said: Sequence[SentReaction],
        *,
        sure: bool,
    ) -> None:
        """Remove the previous table message, because one with this state was posted.

        Also runs the rewrites that end the previous round. If the state is not `sure`, the message
        may show an older one. `said` are the reactions on it.
        """
        self._table.posted(sent, state, picture, said, sure=sure)
        for key, write in self._ending.items():
            self._rewrite(key, write)
        self._ending.clear()
        old = state.messages.table
        if old is not None and shows_round(state):
            self._rewrite(f"old-{old}", lambda: self._context.remove(old))

    def catch_up(self, message: Message) -> None:
        """Rewrite a posted message if the table has changed while it was in flight."""
        post, message_id, written = message.post, message.message_id, message.written
        now = self._context.now
        if message_id is None or written is None:
            return
        if isinstance(post, TablePost):
            if message.tried:
                self.rewrite_table()
        elif isinstance(post, LobbyPost):
            if message.tried or self.lobbies.look_old(written):
                self.rewrite_lobby()
        elif isinstance(post, InvitationPost):
            if superseded(post, now):
                self.remove_invitations()
        elif isinstance(post, NudgePost) and message.renews:
            if message.tried:
                self.rewrite_table()
        elif isinstance(post, NudgePost):
            if superseded(post, now):
                self.people.remove_nudge(message_id)
            elif isinstance(written, Game) and nudged_users(written) != named_by_nudge(now):
                self.people.rewrite_nudge()
        elif isinstance(post, AwayPost):
            self.people.rewrite_away()
        elif isinstance(post, LinesPost):
            if message.tried or free_seats_fingerprint(written) != free_seats_fingerprint(now):
                self.people.rewrite_free_seats()
        elif isinstance(post, ResultPost) and is_current(message.then, written):
            if not is_current(message.then, now):
                if isinstance(written, Game):
                    self.end_countdown(written, message_id)
            elif message.tried or countdown_fingerprint(written) != countdown_fingerprint(now):
                self.rewrite_result()
        elif isinstance(post, VotePost):
            older = written.messages.vote
            if older is not None and older != message_id:
                self.rewrite_vote(older)
            if message.tried or vote_fingerprint(written) != vote_fingerprint(now):
                self.rewrite_vote(message_id)

    # --- rewriting -----------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True if a message is to be rewritten."""
        return bool(self._rewriting)

    async def work(self) -> Exception | None:
        """Run all pending rewrites; return the last error if a retry is needed.

        A failed rewrite is kept for the retry. One that is not allowed is kept only while the table
        is open. An old message that was edited too often is written later. A rewrite that Discord
        has refused for good is dropped until the next change.
        """
        failed: Exception | None = None
        for key in list(self._rewriting):
            write, table_id = self._rewriting.pop(key, None), self._context.table_id
            if write is None:
                continue  # the table has moved to another thread
            try:
                await write()
            except REQUEST_FAILURES as error:
                if is_temporary(error) or (is_not_allowed(error) and self._context.now.open):
                    failed = error
                    self._rewriting.setdefault(key, write)  # a newer rewrite takes precedence
                elif is_too_old(error):
                    self._write_later(key, write)
                else:
                    level = logging.ERROR if is_invalid(error) else logging.WARNING
                    log.log(
                        level, "table %s: edit of %s rejected: %s", table_id, key, log_text(error)
                    )
                    await self._context.close_if_gone(error)
            except Exception as error:  # noqa: BLE001 - its text may name cards
                trail = kinds_and_frames(error)
                log.error(
                    "table %s: unhandled exception while editing %s:\n%s", table_id, key, trail
                )
        return failed

    async def _write_result(self) -> None:
        state = self._context.now
        if isinstance(state, Game) and state.between_rounds and state.messages.result:
            await self._context.put(state.messages.result, result_page(state, self._context.words))

    async def _end_countdown(self, before: Game, message_id: MessageId) -> None:
        await self._context.put(
            message_id, result_page(before, self._context.words, countdown=False)
        )
        if self._context.now.messages.result == message_id:
            await self._context.bot.tables.messages.store_ids(
                self._context.table_id, result=MessageId(0)
            )

    async def _write_vote(self, message_id: MessageId) -> None:
        """Write the vote; post it again if it was deleted while open.

        After the match it is removed, because another message announces the end.
        """
        state, there = self._context.now, False
        newest = state.messages.vote == message_id
        if state.running:
            page = stop_vote_page(state, self._context.words, over=not newest)
            there = await self._context.put(message_id, page)
        else:
            await self._context.remove(message_id)
        if (
            not newest
            or self._context.now.messages.vote != message_id
            or (there and is_vote_open(state))
        ):
            return
        await self._context.bot.tables.messages.store_ids(self._context.table_id, vote=MessageId(0))
        if is_vote_open(state):
            self._post(Message(VotePost(), state))

    async def _remove_invitations(self) -> None:
        for message_id in self._context.now.messages.invitations:
            await self._context.remove(message_id)
        await self._context.bot.tables.messages.store_ids(self._context.table_id, invitations=())

    async def _add_picture(
        self, match: Game, message_id: MessageId, ratings: Ratings, picture: Picture
    ) -> None:
        """Add the picture to the result; post it separately if that is not possible."""
        uploads = self._pictures.uploads
        if uploads.pause_s:
            self.show_match_later(match, message_id, ratings)
            return

        async def edit(taken: Picture | None) -> bool:
            drawn = None if taken is None else taken.alt
            page = result_page(match, self._context.words, ratings=ratings, alt=drawn)
            return await self._context.put(message_id, page, uploaded(taken))

        if uploads.with_edit_of(message_id):
            await uploads.send(picture, edit, edits=message_id)
            if uploads.pause_s:
                self.show_match_later(match, message_id, ratings)
        if not uploads.with_edit_of(message_id):
            self._post(Message(PicturePost(picture), match))
