"""Posted messages of a table that are rewritten with its newest state.

Pending rewrites are only in memory. Instead of them, a restart rewrites the table message of each
running match, and its result if that has a countdown.
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
    is_superseded,
)
from cogs.delivery.nudges import Nudges
from cogs.delivery.people_notices import PeopleNotices, Write, people_in_nudge
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

OLD_EDIT_RETRY = timedelta(minutes=5)
"""Pause after Discord refused to edit a message that is older than an hour.

Discord limits the number of such edits.
"""
_ALARM = 0
"""Key of the only alarm of a table's live messages."""


class LiveMessages:
    """Live messages in the channel of one table; a lane of its retry chain.

    `wake` starts the retry chain, which calls `work`. `post_table` posts the table message again if
    it cannot be edited. `post` posts another message.
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
        """Pending rewrites, by the name of the message; a newer one replaces the older."""
        self._after_next_table: dict[str, Write] = {}
        """Rewrites that wait until the table of the next round is posted."""
        self._delayed: dict[str, Write] = {}
        """Rewrites that wait until Discord accepts edits of old messages again."""
        self._alarm = Clock(context.bot.clock.now, context.bot.clock.sleep)
        """Timer that starts the delayed rewrites."""

    # --- scheduling of rewrites ----------------------------------------------------------------

    def rewrite_table(self) -> None:
        """Rewrite the table message with the newest state."""
        self._pictures.cancel_late_picture()
        self._rewrite("table", self._table.write)

    def show_restart(self, state: Game) -> None:
        """Rewrite the table message, which says until the next move that the bot has restarted."""
        self._table.restored_revision = state.revision
        self.rewrite_table()

    def rewrite_for_reactions(self) -> None:
        """Rewrite the table message, only to show or remove reactions."""
        if self.edits_for_reactions:
            self.rewrite_table()

    @property
    def edits_for_reactions(self) -> bool:
        """True if reactions alone are reason enough to edit the table message.

        If it is too old, reactions are shown when it is posted again.
        """
        state = self._context.state
        message_id = state.messages.table if shows_round(state) else None
        return state.running and message_id is not None and not self._context.too_old(message_id)

    def rewrite_lobby(self) -> None:
        """Rewrite the lobby message with the newest state, or the end of the lobby."""
        self._pictures.cancel_late_picture()
        self._rewrite("lobby", self.lobbies.write)

    def rewrite_newest(self) -> None:
        """Rewrite the main message of the table: its lobby, table or newest result."""
        state = self._context.state
        if not isinstance(state, Game):
            self.rewrite_lobby()
        elif state.between_rounds:
            self.rewrite_result()
        elif state.running:
            self.rewrite_table()

    def rewrite_result(self) -> None:
        """Rewrite the newest result with its countdown and buttons as they are now."""
        self._rewrite("result", self._write_result)

    def end_countdown(self, before: Game, message_id: MessageId) -> None:
        """Remove countdown and buttons from a result, because the next round has begun.

        `before` is the last state of the finished round. The result publishes the secret of that
        round's deal, and a newer state has only the secret of the next deal.
        """
        self._rewrite(f"countdown-{message_id}", lambda: self._end_countdown(before, message_id))

    def rewrite_vote(self, message_id: MessageId) -> None:
        """Rewrite the vote to stop, without buttons if it has ended.

        After the match, remove the message.
        """
        self._rewrite(f"vote-{message_id}", lambda: self._write_vote(message_id))

    def end_table(self, before: Game, message_id: MessageId) -> None:
        """Remove the buttons from the table of a finished round, once the new table is posted.

        `before` is the last state of that round.
        """
        self._after_next_table[f"table-{message_id}"] = self._table.write_of_ended_round(
            before, message_id
        )

    def remove_invitations(self) -> None:
        """Remove the invitations to the lobby, because nobody can accept them any more."""
        self._rewrite("invitations", self._remove_invitations)

    def rewrite(self, message_id: MessageId, page: Page) -> None:
        """Replace a message with another page."""
        self._rewrite(
            f"message-{message_id}", lambda: self._context.replace_message(message_id, page)
        )

    def add_picture(
        self, match: Game, message_id: MessageId, ratings: Ratings, picture: Picture
    ) -> None:
        """Add the picture of a finished match, now ready, to its result."""
        self._rewrite(
            f"message-{message_id}",
            lambda: self._add_picture(match, message_id, ratings, picture),
        )

    def add_match_picture_later(self, match: Game, message_id: MessageId, ratings: Ratings) -> None:
        """Add the picture to the result of a match as soon as it is drawn.

        If Discord has just rejected a picture, wait for the end of the pause. A message that is too
        old to be edited gets none.
        """
        if may_show_pictures(self._context.bot, match) and not self._context.too_old(message_id):
            pause_s = self._pictures.uploads.pause_s
            self._results.add_later(match, message_id, ratings, self._context.words, pause_s)

    def drop_rewrites(self) -> None:
        """Drop all rewrites, because the table has moved to another thread."""
        self._table.forget_message()
        for writes in (self._rewriting, self._after_next_table, self._delayed):
            writes.clear()

    def _rewrite(self, key: str, write: Write) -> None:
        self._delayed.pop(key, None)
        self._rewriting.pop(key, None)  # so that the new one comes last
        self._rewriting[key] = write
        self._wake()

    def _delay(self, key: str, write: Write) -> None:
        """Retry the rewrite of an old message later, unless a newer one is pending."""
        if key not in self._rewriting:
            self._delayed[key] = write
            self._alarm.set(_ALARM, self._alarm.now() + OLD_EDIT_RETRY, self._retry_delayed)

    async def _retry_delayed(self) -> None:
        for key, write in list(self._delayed.items()):
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
        reactions: Sequence[SentReaction],
        *,
        certain: bool,
    ) -> None:
        """Record that a table message was posted, and remove the previous one of the same round.

        Also schedule the rewrites that waited for it. The message shows `state`, `picture` and
        `reactions`, or perhaps something older if it is not `certain`.
        """
        self._table.record_posted(sent, state, picture, reactions, certain=certain)
        for key, write in self._after_next_table.items():
            self._rewrite(key, write)
        self._after_next_table.clear()
        previous_id = state.messages.table
        if previous_id is not None and shows_round(state):
            self._rewrite(f"old-{previous_id}", lambda: self._context.remove(previous_id))

    def rewrite_if_outdated(self, message: Message) -> None:
        """Rewrite a posted message if the table has changed while it was in flight.

        Only changes that concern the content of this kind of message count. A message that was
        `tried` before may show an older state than `shown_state`, so it is always rewritten.
        """
        post, message_id, shown = message.post, message.message_id, message.shown_state
        newest = self._context.state
        if message_id is None or shown is None:
            return
        if isinstance(post, TablePost):
            if message.tried:  # a later change has scheduled the rewrite already
                self.rewrite_table()
        elif isinstance(post, LobbyPost):
            if message.tried or self.lobbies.is_outdated(shown):
                self.rewrite_lobby()
        elif isinstance(post, InvitationPost):
            if is_superseded(post, newest):
                self.remove_invitations()
        elif isinstance(post, NudgePost) and message.renews_table:
            if message.tried:
                self.rewrite_table()
        elif isinstance(post, NudgePost):
            if is_superseded(post, newest):
                self.people.remove_nudge(message_id)
            elif isinstance(shown, Game) and nudged_users(shown) != people_in_nudge(newest):
                self.people.rewrite_nudge()
        elif isinstance(post, AwayPost):
            self.people.rewrite_away()
        elif isinstance(post, LinesPost):
            if message.tried or free_seats_fingerprint(shown) != free_seats_fingerprint(newest):
                self.people.rewrite_free_seats()
        elif isinstance(post, ResultPost) and is_current(message.then, shown):
            if not is_current(message.then, newest):
                if isinstance(shown, Game):
                    self.end_countdown(shown, message_id)
            elif message.tried or countdown_fingerprint(shown) != countdown_fingerprint(newest):
                self.rewrite_result()
        elif isinstance(post, VotePost):
            older_id = shown.messages.vote
            if older_id is not None and older_id != message_id:
                self.rewrite_vote(older_id)
            if message.tried or vote_fingerprint(shown) != vote_fingerprint(newest):
                self.rewrite_vote(message_id)

    # --- rewriting -----------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True if a message is to be rewritten."""
        return bool(self._rewriting)

    async def work(self) -> Exception | None:
        """Run all pending rewrites; return the last error if a retry is needed.

        After a temporary failure the rewrite is kept for the retry. If the bot lacks a permission,
        it is kept only while the table is open. If Discord refuses to edit an old message, the
        rewrite is delayed. After any other error it is dropped; the next change schedules another.
        """
        retry_error: Exception | None = None
        for key in list(self._rewriting):
            write, table_id = self._rewriting.pop(key, None), self._context.table_id
            if write is None:
                continue  # the table has moved to another thread
            try:
                await write()
            except REQUEST_FAILURES as error:
                if is_temporary(error) or (is_not_allowed(error) and self._context.state.open):
                    retry_error = error
                    self._rewriting.setdefault(key, write)  # a newer rewrite takes precedence
                elif is_too_old(error):
                    self._delay(key, write)
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
        return retry_error

    async def _write_result(self) -> None:
        state = self._context.state
        if isinstance(state, Game) and state.between_rounds and state.messages.result:
            await self._context.replace_message(
                state.messages.result, result_page(state, self._context.words)
            )

    async def _end_countdown(self, before: Game, message_id: MessageId) -> None:
        await self._context.replace_message(
            message_id, result_page(before, self._context.words, countdown=False)
        )
        if self._context.state.messages.result == message_id:
            await self._context.bot.tables.messages.store_ids(
                self._context.table_id, result=MessageId(0)
            )

    async def _write_vote(self, message_id: MessageId) -> None:
        """Rewrite the message of a vote; post it again if it was deleted while the vote is open.

        After the match it is removed, because another message announces the end.
        """
        state, exists = self._context.state, False
        is_newest = state.messages.vote == message_id
        if state.running:
            page = stop_vote_page(state, self._context.words, over=not is_newest)
            exists = await self._context.replace_message(message_id, page)
        else:
            await self._context.remove(message_id)

        # A newer vote may have been posted meanwhile.
        was_replaced = not is_newest or self._context.state.messages.vote != message_id
        if was_replaced or (exists and is_vote_open(state)):
            return
        # The vote has ended, or somebody has deleted its message.
        await self._context.bot.tables.messages.store_ids(self._context.table_id, vote=MessageId(0))
        if is_vote_open(state):
            self._post(Message(VotePost(), state))

    async def _remove_invitations(self) -> None:
        for message_id in self._context.state.messages.invitations:
            await self._context.remove(message_id)
        await self._context.bot.tables.messages.store_ids(self._context.table_id, invitations=())

    async def _add_picture(
        self, match: Game, message_id: MessageId, ratings: Ratings, picture: Picture
    ) -> None:
        """Add the picture to the result, or post it alone if Discord rejects it in an edit."""
        uploads = self._pictures.uploads
        if uploads.pause_s:
            self.add_match_picture_later(match, message_id, ratings)
            return

        async def edit(included: Picture | None) -> bool:
            alt = None if included is None else included.alt
            page = result_page(match, self._context.words, ratings=ratings, alt=alt)
            return await self._context.replace_message(message_id, page, uploaded(included))

        if uploads.allows_edit_of(message_id):
            await uploads.send(picture, edit, edited_id=message_id)
            if uploads.pause_s:
                self.add_match_picture_later(match, message_id, ratings)
        if not uploads.allows_edit_of(message_id):
            self._post(Message(PicturePost(picture), match))
