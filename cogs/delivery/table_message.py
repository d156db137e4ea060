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
"""Shortest time between posts of a table whose edits bring no pictures."""
OLD_EDIT_EVERY = timedelta(seconds=20)
"""Shortest time between two edits of an old message.

Three within it are reported to pass.
"""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The content of a table message."""

    message_id: MessageId
    round: RoundNumber
    turn: str
    """The turn in which it was written (`turn_id`)."""
    page: bytes | None
    """The fingerprint of its page; `None` if it is uncertain.

    That is so during an edit, and if an answer was lost.
    """
    picture: SeenPicture | None
    """The picture on it, if any."""
    files: tuple[KeptFile, ...]
    """The file of the picture, which an edit can keep."""

    def shows(self, game: Game, words: Speaker) -> bool:
        """Return whether it has a picture of this state."""
        picture = self.picture
        return picture is not None and picture.shows == fingerprint(table_scene(game, words))


class TableMessage:
    """Rewrites the table message; an up-to-date picture stays.

    A message older than `OLDEST_EDITED` is posted again instead of edited: at once, or at a
    turn-based table with the next turn, or when it changes twice within `OLD_EDIT_EVERY`. If
    somebody is about to be nudged, the nudge posts the new message. `rewrite` is called to schedule
    another call of `write`. `post` is called when the message cannot be edited and must be posted
    again.
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
        self._shown: _Shown | None = None
        self._posted_at: datetime | None = None
        self._old_edit_at: datetime | None = None

    async def write(self) -> None:
        """Write the newest state of the table. Raises the requests' errors."""
        shown, now = self._shown, self._context.now
        known = None
        if shown is not None and shown.files and self._may_keep(shown.message_id):
            known = shown.picture
        edits = self._message_of(now) if isinstance(now, Game) else None
        state, picture = await self._pictures.newest(known, edits=edits)
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
        said = self._reactions.to_show()
        page = page_of_table(state, self._context.words, picture, said)
        if shown is None or (shown.message_id, shown.page) != (message_id, page.fingerprint()):
            try:
                picture = await self._edit(message_id, state, page, picture, said)
            except discord.HTTPException as error:
                if not (_needs_new_one(error) or await self._is_gone(message_id, error)):
                    raise
                self._post()
                return
        if picture is None:
            self._show_picture_later()

    def _may_edit_old(self, state: Game) -> bool:
        """Return whether an old message is edited rather than posted again.

        That happens seldom, and only within one turn of a turn-based table.
        """
        shown, last, now = self._shown, self._old_edit_at, self._context.bot.clock.now()
        same_turn = shown is None or shown.turn == turn_id(state)
        if not state.options.turn_based or not same_turn:
            return False
        return last is None or now - last >= OLD_EDIT_EVERY

    async def _edit(
        self,
        message_id: MessageId,
        state: Game,
        wanted: Page,
        picture: SeenPicture | None,
        said: Sequence[SentReaction],
    ) -> SeenPicture | None:
        """Edit the message, with the picture if Discord accepts it; return the picture shown.

        `wanted` is the page of this state with this picture and these reactions (`said`).
        """
        message = self._context.channel.get_partial_message(message_id)
        kept = self._kept(message_id, picture)
        if self._context.too_old(message_id):
            self._old_edit_at = self._context.bot.clock.now()
        if self._shown is not None:
            self._shown = replace(self._shown, page=None)

        async def edit(page: Page, taken: SeenPicture | None, files: Files) -> None:
            edited = await message.edit(
                **page.message, attachments=attachments(files), allowed_mentions=NOBODY
            )
            self._shown = _shown(edited, state, page, taken)
            self._reactions.stand(said)

        async def upload(taken: Picture | None) -> None:
            page = wanted
            if taken is not picture:
                page = page_of_table(state, self._context.words, taken, said)
            await edit(page, taken, uploaded(taken))

        if kept:

            async def keep(keeps: bool) -> None:
                await (edit(wanted, picture, kept) if keeps else upload(None))

            _, still = await self._pictures.uploads.keep(message_id, keep)
            return picture if still else None
        new = picture if isinstance(picture, Picture) else None
        _, taken = await self._pictures.send(new, upload, edits=message_id)
        return taken

    async def _is_gone(self, message_id: MessageId, error: discord.HTTPException) -> bool:
        """Return whether the message is gone, after a doubtful 404.

        If the message exists, raises `ConnectionError`, after which the edit is retried. If the bot
        may not read the channel, one 404 is enough.
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

    def _kept(self, message_id: MessageId, picture: SeenPicture | None) -> tuple[KeptFile, ...]:
        """Return the message's file with this picture, if an edit may keep it."""
        shown = self._shown
        if shown is None or shown.picture is None or picture is None:
            return ()
        if (shown.message_id, shown.picture.name) != (message_id, picture.name):
            return ()
        return shown.files if self._may_keep(message_id) else ()

    def _show_picture_later(self) -> None:
        """Show the picture when it is ready and nothing changes for a while."""
        message_id = None if self._shown is None else self._shown.message_id
        if self._pictures.uploads.with_edit_of(message_id):
            self._pictures.later(self._rewrite)
            return
        wait = QUIET_S
        if self._posted_at is not None:
            since = self._context.bot.clock.now() - self._posted_at
            wait = max(wait, (POSTED_EVERY - since).total_seconds())
        self._pictures.later(self._post, after=wait)

    def _message_of(self, state: Game) -> MessageId | None:
        """Return the message of this round, if any.

        A message that was just posted counts even if its id could not be stored, because the match
        may have ended meanwhile.
        """
        if self._shown is not None and self._shown.round == state.round.number:
            return self._shown.message_id
        return state.messages.table if shows_round(state) else None

    def moved(self) -> None:
        """Drop the message, because the table goes on in another thread."""
        self._shown = None

    # --- a posted message, and one of a finished round -----------------------------------------

    def posted(
        self,
        message: discord.Message,
        state: Game,
        picture: Picture | None,
        said: Sequence[SentReaction],
        *,
        sure: bool,
    ) -> None:
        """Record the state and picture that a posted table message shows.

        `said` are its reactions. If the content is not `sure`, the message may show an older state
        and is written again. One that nudges somebody is written again only with the next change.
        """
        self._posted_at = self._context.bot.clock.now()
        if not sure:
            self._shown = _shown(message, state, None, None)
            return
        page = page_of_table(state, self._context.words, picture, said)
        self._shown = _shown(message, state, page, picture)
        self._reactions.stand(said)
        if picture is None:
            self._show_picture_later()

    def ending(self, before: Game, message_id: MessageId) -> Callable[[], Awaitable[object]]:
        """Return a callable that removes the buttons of a finished round.

        `before` is the last state of that round. The picture stays if it is known to show that
        state.
        """
        shown, words = self._shown, self._context.words
        kept: tuple[KeptFile, ...] = ()
        if shown is not None and shown.message_id == message_id and shown.shows(before, words):
            kept = self._kept(message_id, shown.picture)
        picture = shown.picture if shown is not None and kept else None
        page = page_of_table(before, words, picture, buttons=False)
        if not kept:
            return partial(self._context.put, message_id, page)

        async def put(keeps: bool) -> bool:
            if keeps:
                return await self._context.put(message_id, page, kept)
            in_words = page_of_table(before, words, None, buttons=False)
            return await self._context.put(message_id, in_words)

        return partial(self._pictures.uploads.keep, message_id, put)


def _shown(
    message: discord.Message, state: Game, page: Page | None, picture: SeenPicture | None
) -> _Shown:
    """Return the content of a message that Discord has just accepted.

    `page` is `None` if the content is not certain.
    """
    files = () if picture is None else shown_files(message)
    if isinstance(picture, Picture):
        picture = picture.seen
    shown = None if page is None else page.fingerprint()
    round_ = state.round
    return _Shown(MessageId(message.id), round_.number, turn_id(state), shown, picture, files)


def _needs_new_one(error: discord.HTTPException) -> bool:
    """Return whether a new table message is needed, after this error.

    The old one is deleted, or too old to be edited.

    A new message also opens a thread that is archived and not locked.
    """
    gone = error.code == UNKNOWN_MESSAGE
    return gone or is_too_old(error) or thread_is_closed(error)
