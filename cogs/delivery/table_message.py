"""The table message of a round, with or without a picture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus

import discord

from bot.ids import MessageId
from bot.pictures.process_messages import fingerprint
from bot.pictures.table.contents import table_scene
from bot.records import RoundNumber
from bot.table.interruptions import nudges_now
from bot.table.state import Game
from bot.table.turn_based import turn_id
from bot.text.cards import Speaker
from cogs.delivery.channel_context import ChannelContext, Files, attachments, shows_round
from cogs.delivery.failed_requests import (
    UNKNOWN_MESSAGE,
    is_too_old,
    is_unknown_channel,
    thread_is_closed,
)
from cogs.delivery.messages import NOBODY, page_of_table
from cogs.delivery.reactions import Reactions
from cogs.delivery.table_pictures import QUIET_S, TablePictures
from cogs.delivery.uploads import (
    KeptFile,
    Picture,
    PictureEdit,
    SeenPicture,
    shown_files,
    uploaded,
)
from cogs.pages.controls import Page
from cogs.pages.table.reactions import SentReaction

POSTED_EVERY = timedelta(seconds=10)
"""Shortest time between two posts of the table that are made only for its picture."""
OLD_EDIT_EVERY = timedelta(seconds=20)
"""Shortest time between two edits of an old message.

According to reports, Discord accepts three within this time.
"""


@dataclass(frozen=True, slots=True)
class _ShownMessage:
    """The table message on Discord, with its content."""

    message_id: MessageId
    round: RoundNumber
    turn: str
    """The turn in which it was written (`turn_id`)."""
    page: bytes | None
    """The fingerprint of its page; `None` if it is uncertain.

    It is uncertain during an edit, and if Discord's answer was lost.
    """
    picture: SeenPicture | None
    """The picture on it, if any."""
    files: tuple[KeptFile, ...]
    """The file of the picture, which an edit can keep."""

    def has_picture_of(self, game: Game, words: Speaker) -> bool:
        """Return whether it has a picture of this state."""
        picture = self.picture
        return picture is not None and picture.shows == fingerprint(table_scene(game, words))


class TableMessage:
    """Rewrites the table message, and keeps its picture if that is up to date.

    A message older than `OLDEST_EDITED` is posted again instead of edited. At a turn-based table it
    is still edited within the same turn, but not twice within `OLD_EDIT_EVERY`. If somebody is
    about to be nudged, the nudge is sent as the new table message.

    `rewrite` schedules a call of `write`. `post` posts the message again.
    """

    def __init__(
        self,
        context: ChannelContext,
        pictures: TablePictures,
        reactions: Reactions,
        rewrite: Callable[[], None],
        post: Callable[[], None],
    ) -> None:
        self._context = context
        self._pictures = pictures
        self._reactions = reactions
        self._rewrite = rewrite
        self._post = post
        self._shown: _ShownMessage | None = None
        self._posted_at: datetime | None = None
        self._old_edit_at: datetime | None = None
        self.restored_revision: int | None = None
        """Revision of the table as it was read after a restart of the bot."""

    def _page(
        self, state: Game, picture: SeenPicture | None, reactions: Sequence[SentReaction]
    ) -> Page:
        restarted = state.revision == self.restored_revision
        words = self._context.words
        return page_of_table(state, words, picture, reactions, restarted=restarted)

    async def write(self) -> None:
        """Write the newest state of the table. Raises the requests' errors."""
        shown, state_before = self._shown, self._context.state
        kept_picture = None
        if shown is not None and shown.files and self._may_keep(shown.message_id):
            kept_picture = shown.picture
        edited_id = self._message_of(state_before) if isinstance(state_before, Game) else None

        # The state may change while the picture is drawn.
        state, picture = await self._pictures.newest(kept_picture, edited_id=edited_id)
        if not isinstance(state, Game):
            return
        message_id = self._message_of(state)
        if message_id is None:
            self._post()
            return
        if state.running and self._context.too_old(message_id) and not self._may_edit_old(state):
            if not nudges_now(state, self._context.bot.clock.now()):
                self._post()
            return

        reactions = self._reactions.current()
        page = self._page(state, picture, reactions)
        if shown is None or (shown.message_id, shown.page) != (message_id, page.fingerprint()):
            try:
                picture = await self._edit(message_id, state, page, picture, reactions)
            except discord.HTTPException as error:
                if not (_needs_new_message(error) or await self._is_gone(message_id, error)):
                    raise
                self._post()
                return
        if picture is None:
            self._show_picture_later()

    def _may_edit_old(self, state: Game) -> bool:
        """Return whether an old message is edited rather than posted again.

        That is so within one turn of a turn-based table, but not twice within `OLD_EDIT_EVERY`.
        """
        shown, last_edit_at = self._shown, self._old_edit_at
        same_turn = shown is None or shown.turn == turn_id(state)
        if not state.options.turn_based or not same_turn:
            return False
        now = self._context.bot.clock.now()
        return last_edit_at is None or now - last_edit_at >= OLD_EDIT_EVERY

    async def _edit(
        self,
        message_id: MessageId,
        state: Game,
        full_page: Page,
        picture: SeenPicture | None,
        reactions: Sequence[SentReaction],
    ) -> SeenPicture | None:
        """Edit the message; return the picture that it shows afterwards.

        `full_page` shows this state with this picture and these reactions. If Discord rejects the
        picture, the page is shown without it.
        """
        message = self._context.channel.get_partial_message(message_id)
        kept_files = self._files_to_keep(message_id, picture)
        if self._context.too_old(message_id):
            self._old_edit_at = self._context.bot.clock.now()
        if self._shown is not None:
            self._shown = replace(self._shown, page=None)  # uncertain during the edit

        async def edit(page: Page, included: SeenPicture | None, files: Files) -> None:
            edited = await message.edit(
                **page.message, attachments=attachments(files), allowed_mentions=NOBODY
            )
            self._shown = _shown_message(edited, state, page, included)
            self._reactions.record_shown(reactions)

        async def upload(included: Picture | None) -> None:
            page = full_page
            if included is not picture:
                page = self._page(state, included, reactions)
            await edit(page, included, uploaded(included))

        if kept_files:

            async def edit_keeping(keep_picture: bool) -> None:
                await (edit(full_page, picture, kept_files) if keep_picture else upload(None))

            _, was_kept = await self._pictures.uploads.keep(message_id, edit_keeping)
            return picture if was_kept else None
        new = picture if isinstance(picture, Picture) else None
        _, accepted = await self._pictures.send(new, upload, edited_id=message_id)
        return accepted

    async def _is_gone(self, message_id: MessageId, error: discord.HTTPException) -> bool:
        """Return whether an edit failed with this error because the message is gone.

        After a 404, fetch the message to be sure. If it exists, raise `ConnectionError`, after
        which the edit is retried. If the bot may not read the channel, the message counts as gone.
        """
        if error.status != HTTPStatus.NOT_FOUND or is_unknown_channel(error):
            return False
        try:
            await self._context.channel.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden) as confirmed:
            return not is_unknown_channel(confirmed)
        raise ConnectionError(f"404/{error.code} for a message that is there") from error

    def _may_keep(self, message_id: MessageId) -> bool:
        return self._pictures.uploads.support.allows(PictureEdit.KEEP, message_id)

    def _files_to_keep(
        self, message_id: MessageId, picture: SeenPicture | None
    ) -> tuple[KeptFile, ...]:
        """Return the message's file with this picture, if an edit may keep it."""
        shown = self._shown
        if shown is None or shown.picture is None or picture is None:
            return ()
        if (shown.message_id, shown.picture.name) != (message_id, picture.name):
            return ()
        return shown.files if self._may_keep(message_id) else ()

    def _show_picture_later(self) -> None:
        """Show the picture once it is ready and nothing has changed for a while.

        If Discord accepts no picture with an edit, the table is posted again for it.
        """
        message_id = None if self._shown is None else self._shown.message_id
        if self._pictures.uploads.allows_edit_of(message_id):
            self._pictures.call_when_ready(self._rewrite)
            return
        delay_s = QUIET_S
        if self._posted_at is not None:
            age = self._context.bot.clock.now() - self._posted_at
            delay_s = max(delay_s, (POSTED_EVERY - age).total_seconds())
        self._pictures.call_when_ready(self._post, delay_s=delay_s)

    def _message_of(self, state: Game) -> MessageId | None:
        """Return the table message of this round, if any.

        A message that was just posted counts even if its id is not stored, because the match may
        have ended meanwhile.
        """
        if self._shown is not None and self._shown.round == state.round.number:
            return self._shown.message_id
        return state.messages.table if shows_round(state) else None

    def forget_message(self) -> None:
        """Drop the message, because the table continues in another thread."""
        self._shown = None

    # --- a posted message, and one of a finished round -----------------------------------------

    def record_posted(
        self,
        message: discord.Message,
        state: Game,
        picture: Picture | None,
        reactions: Sequence[SentReaction],
        *,
        certain: bool,
    ) -> None:
        """Record the state and picture that a posted table message shows.

        It also shows these reactions. If the content is not `certain`, the message may show an
        older state, so the next edit is made even if the page has not changed.
        """
        self._posted_at = self._context.bot.clock.now()
        if not certain:
            self._shown = _shown_message(message, state, None, None)
            return
        page = self._page(state, picture, reactions)
        self._shown = _shown_message(message, state, page, picture)
        self._reactions.record_shown(reactions)
        if picture is None:
            self._show_picture_later()

    def write_of_ended_round(
        self, before: Game, message_id: MessageId
    ) -> Callable[[], Awaitable[object]]:
        """Return a function that removes the buttons from the message of a finished round.

        `before` is the last state of that round. The picture stays if it shows exactly that state.
        """
        shown, words = self._shown, self._context.words
        kept_files: tuple[KeptFile, ...] = ()
        if (
            shown is not None
            and shown.message_id == message_id
            and shown.has_picture_of(before, words)
        ):
            kept_files = self._files_to_keep(message_id, shown.picture)
        picture = shown.picture if shown is not None and kept_files else None
        page = page_of_table(before, words, picture, buttons=False)
        if not kept_files:
            return partial(self._context.replace_message, message_id, page)

        async def edit_keeping(keep_picture: bool) -> bool:
            if keep_picture:
                return await self._context.replace_message(message_id, page, kept_files)
            without_picture = page_of_table(before, words, None, buttons=False)
            return await self._context.replace_message(message_id, without_picture)

        return partial(self._pictures.uploads.keep, message_id, edit_keeping)


def _shown_message(
    message: discord.Message, state: Game, page: Page | None, picture: SeenPicture | None
) -> _ShownMessage:
    """Return the record of a message that Discord has just accepted.

    `page` is `None` if the content is not certain.
    """
    return _ShownMessage(
        MessageId(message.id),
        state.round.number,
        turn_id(state),
        page=None if page is None else page.fingerprint(),
        picture=picture.seen if isinstance(picture, Picture) else picture,
        files=() if picture is None else shown_files(message),
    )


def _needs_new_message(error: discord.HTTPException) -> bool:
    """Return whether the table must be posted again after this error.

    The message is deleted or too old to be edited, or the thread is closed: a new message also
    opens a thread that is archived and not locked.
    """
    gone = error.code == UNKNOWN_MESSAGE
    return gone or is_too_old(error) or thread_is_closed(error)
