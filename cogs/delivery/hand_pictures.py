"""Pictures of private hands: uploaded when their scene changes, kept by all other edits.

Each reader at a table has a `HandPicture` of their own. It is kept only in an edit of the message
that shows it, and only while the reader's newest scene equals the shown one, so nobody sees a
picture of another hand. Files have random names, because a name made from the cards could be
guessed. A private message waits for its picture for `PATIENCE_S`, or not at all while many other
pictures wait, and is then sent with emojis. The picture follows soon.

Facts about private messages (discord-api-docs at c98d64b, under `developers/`):

- Answers to clicks and edits by a token take files as webhooks do (interactions/
  receiving-and-responding.mdx, "Create Interaction Response" and "Edit Original Interaction
  Response"; resources/webhook.mdx, "Edit Webhook Message").
- An edit by a token lists all files that the message has afterwards, kept ones by their id
  (resources/webhook.mdx; resources/message.mdx, "Attachment Request Structure"). For the answer to
  a click (`UPDATE_MESSAGE`) this is not documented, so Discord may refuse it:
  `PictureEdit.KEEP_IN_ANSWER`.
- The answer to a click returns its message, in which the gallery has the id of a new file
  (interactions/receiving-and-responding.mdx, "Interaction Callback Resource Object";
  components/reference.mdx, "Unfurled Media Item"). A click brings the clicked message (same file,
  "Interaction Structure").
- Files of private messages exist as long as their message (resources/message.mdx, "Attachment
  Structure").
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from bot.client import TichuBot
from bot.ids import MessageId, UserId
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.hand_text import hand_text
from bot.pictures.hand.scene import HandScene
from bot.pictures.process import TABLE_SUFFIX
from bot.pictures.process_messages import fingerprint
from bot.runtime.background import log_failure
from bot.runtime.logs import kinds_and_frames
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.channel_permissions import may_show_pictures
from cogs.delivery.message_languages import card_style
from cogs.delivery.uploads import (
    PATIENCE_S,
    Files,
    KeptFile,
    Picture,
    PictureEdit,
    PictureSupport,
    SeenPicture,
    Uploads,
    result_in_time,
    uploaded,
)
from cogs.pages.controls import gallery
from cogs.pages.hand.card_order import in_display_order
from cogs.pages.hand.page import PicturedHand
from engine import Seat

log = logging.getLogger(__name__)

T = TypeVar("T")

Sent = tuple[MessageId, tuple[KeptFile, ...]]
"""A message and its files, as far as Discord has named them."""
Request = Callable[[PicturedHand | None, Files], Awaitable[Sent]]
"""Sends a hand with this picture and these files."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The scene that a hand is to show."""

    scene: HandScene
    words: Speaker
    shows: bytes
    """The fingerprint of the scene. It could be computed from guessed cards: never publish it."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The picture on a message."""

    message_id: MessageId
    picture: SeenPicture
    files: tuple[KeptFile, ...]
    """The file of the picture, which an edit can keep; empty if its id is unknown."""


class HandPictures:
    """Makes the pictures of all hands; `support` records which edits Discord accepts."""

    def __init__(self, bot: TichuBot, support: PictureSupport) -> None:
        self._bot = bot
        self._support = support

    def new(self, show_late: Callable[[], None]) -> HandPicture:
        """Return the picture of one reader's hand; `show_late` renews that hand soon."""
        uploads = Uploads(self._bot.clock, "a private hand", self._support)
        return HandPicture(self._bot, uploads, show_late)

    def wanted(self, state: Game, seat: Seat, user_id: UserId, words: Speaker) -> Wanted | None:
        """Return the scene of a reader's hand; `None` if it is to be shown without a picture."""
        style = card_style(self._bot, user_id, state.guild_id)
        if style != "picture" or not state.running or not may_show_pictures(self._bot, state):
            return None
        scene = hand_scene(state, seat, words, partial(in_display_order, sorting=words.sorting))
        return None if scene is None else Wanted(scene, words, fingerprint(scene))


class HandPicture:
    """The picture of one reader's hand at one table, which is never shown to anybody else."""

    def __init__(self, bot: TichuBot, uploads: Uploads, show_late: Callable[[], None]) -> None:
        self._bot = bot
        self._uploads = uploads
        self._show_late = show_late
        self._request: asyncio.Future[Any] | None = None
        """The last request for the hand, with or without a picture."""
        self._request_has_picture = False
        """True if the last request has a picture."""
        self._shown: _Shown | None = None
        """The picture that Discord shows; `None` if there is none or that is uncertain."""
        self._overtaken = 0
        """Number of answers sent outside of `alone` while a request was in flight."""
        self._missed: tuple[MessageId, bytes] | None = None
        """A message sent without its picture, and the fingerprint of the scene that it lacks."""
        self._drawn: Picture | None = None
        """The last picture drawn, until Discord has it."""
        self._drawing: asyncio.Task[None] | None = None
        self._draws: bytes | None = None
        """The fingerprint of the scene being drawn."""

    # --- drawing -------------------------------------------------------------------------------

    async def prepare(
        self, wanted: Wanted | None, edited_id: MessageId | None, kind: PictureEdit
    ) -> None:
        """Wait a short time for the picture that a request would bring, unless many others wait.

        `edited_id` is the message to be edited by this `kind` of edit; `None` for a new message.
        """
        if wanted is None or self._available(wanted, edited_id, kind) is not None:
            return
        if self._uploads.pause_s or not self._uploads.allows_edit_of(edited_id):
            return
        drawing = self._begin(wanted)
        if self._bot.pictures.is_behind:
            return
        if edited_id is None or self._uploads.support.allows(kind, edited_id):
            await result_in_time(self._bot.clock, drawing)

    def _begin(self, wanted: Wanted) -> asyncio.Task[None]:
        """Draw a scene, unless that is in progress; cancel the drawing of an older one."""
        if self._drawing is not None and self._draws == wanted.shows:
            return self._drawing
        self.close()
        self._draws = wanted.shows
        self._drawing = task = asyncio.create_task(self._draw(wanted), name="picture of a hand")
        task.add_done_callback(self._done)
        return task

    async def _draw(self, wanted: Wanted) -> None:
        try:
            data = await self._bot.painter.draw(wanted.scene)
            if data is not None:
                name = f"{secrets.token_hex(8)}.{TABLE_SUFFIX}"
                alt = hand_text(wanted.scene, wanted.words)
                self._drawn = Picture(wanted.shows, name, alt, data)
        except Exception as error:  # noqa: BLE001 - a hand goes on without its picture
            trail = kinds_and_frames(error)
            log.error("unhandled exception while drawing a hand:\n%s", trail)

    def _done(self, task: asyncio.Task[None]) -> None:
        if self._drawing is task:
            self._drawing = None
        log_failure(task)
        if self.late:
            self._show_late()

    @property
    def late(self) -> bool:
        """True if a message was sent without its picture, which can be added now."""
        if self._missed is None or self._drawn is None or self._uploads.pause_s:
            return False
        message_id, shows = self._missed
        return self._drawn.shows == shows and self._uploads.allows_edit_of(message_id)

    def close(self) -> None:
        """Cancel the drawing, if any."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None

    # --- sending -------------------------------------------------------------------------------

    async def alone(
        self, request: Callable[[], Awaitable[T]], *, answers: bool = False
    ) -> T | None:
        """Make a request for this hand once no other is in flight; return its result.

        If it `answers` a click, it waits only for a request with a picture, and at most
        `PATIENCE_S`. If it cannot be made by then, return `None`: the caller answers without a
        picture at once, so it is uncertain which picture the hand shows.
        """
        timeout = asyncio.ensure_future(self._bot.clock.sleep(PATIENCE_S)) if answers else None
        try:
            while self._request is not None and not self._request.done():
                if timeout is not None and (timeout.done() or not self._request_has_picture):
                    self._overtaken += 1
                    self._shown = None
                    return None
                waits = {self._request, timeout} if timeout is not None else {self._request}
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            self._request = task = asyncio.ensure_future(request())
        finally:
            if timeout is not None:
                timeout.cancel()
        return await task

    async def send(
        self,
        wanted: Wanted | None,
        request: Request,
        *,
        edited_id: MessageId | None,
        kind: PictureEdit = PictureEdit.UPLOAD,
    ) -> MessageId:
        """Send a hand, with its picture if that is available; return its message.

        Only a function passed to `alone` may call this. `edited_id` is the message that is edited
        by this `kind` of edit; `None` for a new one. Raises the request's errors.
        """

        def pictured(picture: SeenPicture | None) -> PicturedHand | None:
            if picture is None or wanted is None:
                return None
            return PicturedHand(gallery(picture.name, picture.alt), wanted.scene.table is not None)

        async def upload(picture: Picture | None) -> Sent:
            return await request(pictured(picture), uploaded(picture))

        picture = None if wanted is None else self._available(wanted, edited_id, kind)
        self._request_has_picture = picture is not None
        shown, self._shown = self._shown, None
        overtaken_before = self._overtaken
        accepted: SeenPicture | None
        if shown is not None and picture is shown.picture:
            assert edited_id is not None, "only an edit keeps a picture"

            async def keep(keeps: bool) -> Sent:
                return await (request(pictured(picture), shown.files) if keeps else upload(None))

            sent, kept = await self._uploads.keep(edited_id, keep, _keeping(kind))
            accepted = picture if kept else None
        else:
            new = picture if isinstance(picture, Picture) else None
            sent, accepted = await self._uploads.send(new, upload, edited_id=edited_id, kind=kind)

        message_id, files = sent
        self._missed = None if wanted is None or accepted else (message_id, wanted.shows)
        if accepted is not None and overtaken_before == self._overtaken:
            record = accepted.seen if isinstance(accepted, Picture) else accepted
            self._shown = _Shown(message_id, record, files)
        if accepted is not None and accepted is self._drawn:
            self._drawn = None
        if self.late:
            self._show_late()
        return message_id

    def clicked(self, message_id: MessageId, files: tuple[KeptFile, ...]) -> None:
        """Correct the record of the shown picture by the files of a clicked message.

        This adds the id of a file that Discord did not return when it was sent, and drops a picture
        that is no longer on the message.
        """
        if self._shown is not None and self._shown.message_id == message_id:
            known_files = self._shown.files or files
            self._shown = _Shown(message_id, self._shown.picture, known_files) if files else None

    def _available(
        self, wanted: Wanted, edited_id: MessageId | None, kind: PictureEdit
    ) -> SeenPicture | None:
        """Return the picture of this scene if the message shows it, or if it is drawn."""
        shown = self._shown
        if (
            shown is not None
            and shown.files
            and (shown.message_id, shown.picture.shows) == (edited_id, wanted.shows)
            and self._uploads.support.allows(_keeping(kind), edited_id)
        ):
            return shown.picture
        if self._drawn is not None and self._drawn.shows == wanted.shows:
            return self._drawn
        return None


def _keeping(kind: PictureEdit) -> PictureEdit:
    """Return the kind of edit that keeps a picture where `kind` uploads one."""
    return PictureEdit.KEEP_IN_ANSWER if kind is PictureEdit.ANSWER else PictureEdit.KEEP
