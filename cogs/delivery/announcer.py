"""Shows in the channel what happened at the tables. It listens, and never changes a game.

One table message a round, written by one latest-wins writer; a short line for calls and bombs; a
result after each round; a ping for whoever is waited for too long.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import discord
from discord.utils import MISSING

from bot.client import TichuBot
from bot.errors import Refused
from bot.live.service import Happened
from bot.storage import StorageError
from bot.table.state import TableState
from bot.text import speech
from bot.text.cards import Speaker
from cogs.delivery.latest_wins import LatestWins
from cogs.delivery.open_hands import OpenHands
from cogs.delivery.permissions import may_attach, missing_permissions, permission_names
from cogs.delivery.result_pictures import ResultPictures
from cogs.pages.announcements import announcements, seat_lines
from cogs.pages.controls import Page
from cogs.pages.deal_lines import stopped_deal_line
from cogs.pages.lobby import closed_page, lobby_page
from cogs.pages.names import jump
from cogs.pages.result import Ratings, result_page
from cogs.pages.seats import offer_page
from cogs.pages.table import table_page
from engine.events import MatchEnded, RoundDealt, RoundEnded
from engine.state import Phase

log = logging.getLogger(__name__)

NOBODY = discord.AllowedMentions.none()
UNKNOWN_MESSAGE = 10008
OLDEST_EDITED = timedelta(minutes=50)
RETRY_SECONDS = 5.0
DRAIN_SECONDS = 5.0


class Surface:
    """The public side of all tables, and the private hands that are open."""

    def __init__(self, bot: TichuBot) -> None:
        self.bot = bot
        self.hands = OpenHands()
        self._pictures = ResultPictures(bot.painter, self._add_picture)
        self._writers: dict[int, LatestWins] = {}
        self._last: dict[int, TableState] = {}
        self._written: dict[int, object] = {}
        self._queues: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._retries: set[asyncio.Task[None]] = set()

    # --- what the tables tell ------------------------------------------------------------------

    def happened(self, what: Happened) -> None:
        """A change was committed: mark messages, queue lines, push hands."""
        before, after = what.before, what.after
        self._last[after.id] = after
        if after.match is None:
            if what.actor_id is None or after.status != "lobby":
                self._queue(after.id, self._write_lobby(after))
            if after.status != "lobby":
                del self._last[after.id]
            return
        if before is not None and before.status == "lobby":
            self._queue(after.id, self._write_lobby(after))
        lines = list(announcements(after, what.events, self.public(after)))
        if before is not None and before.running:
            lines += seat_lines(before, after, self.public(after))
            self._part(before, after)
        ended = any(isinstance(event, RoundEnded | MatchEnded) for event in what.events)
        if _looks_different(before, after):
            self._mark(after)
        dealt = any(isinstance(event, RoundDealt | MatchEnded) for event in what.events)
        if (
            (dealt or after.status == "stopped")
            and before is not None
            and before.desk.result_message_id
        ):
            # From the state before: that has the secret of the round that is over, no other.
            self._queue(after.id, self._end_countdown(before, before.desk.result_message_id))
        if lines:
            self._queue(after.id, self._send_line(after, "\n".join(lines)))
        if ended:
            self._queue(after.id, self._send_result(after))
        elif before is not None and _waits_differently(before, after):
            self._queue(after.id, self._write_result(after.id))
        elif before is not None and before.running and after.status == "stopped":
            forgotten = before.desk.paused and what.actor_id is None
            self._queue(after.id, self._send_stopped(after, forgotten=forgotten))
        if before is not None and before.desk.nudge_message_id and _moved_on(before, after):
            self._queue(after.id, self._remove_nudge(after, before.desk.nudge_message_id))
        # Whoever stops a match does so by a command: his hand is not the answer to it.
        but = what.actor_id if after.status != "stopped" else None
        self.hands.refresh(after, self.bot.clock.now(), but=but)
        if after.status not in ("lobby", "playing"):
            self.hands.forget(after.id)

    def _part(self, before: TableState, after: TableState) -> None:
        """Whoever has left keeps no hand of this table on his screen."""
        for old, chair in zip(before.chairs, after.chairs, strict=True):
            if old.user_id is not None and old.user_id != chair.user_id:
                self.hands.left(after.id, old.user_id)

    def remembered(self, state: TableState) -> None:
        """The ids of public messages are stored."""
        self._last[state.id] = state

    def nudge(self, state: TableState, user_ids: tuple[int, ...]) -> None:
        """These people are waited for; one ping, taken away when they act."""
        self._queue(state.id, self._send_nudge(state, user_ids))

    def public(self, state: TableState) -> Speaker:
        """Words for everybody: the server's language."""
        return public_words(self.bot, state.guild_id)

    def private(self, interaction: discord.Interaction[Any]) -> Speaker:
        """Words for one reader: his own language."""
        return Speaker(speech(interaction.locale.value), self.bot.art)

    def catch_up(self, table_id: int) -> None:
        """Push what happened while a hand was being shown."""
        current = self._last.get(table_id)
        if current is not None and current.running:
            self.hands.refresh(current, self.bot.clock.now(), but=None)

    def lobby_changed(self, state: TableState) -> None:
        """The lobby was changed from a private page: write the public one."""
        self._queue(state.id, self._write_lobby(state))

    def announce(self, state: TableState, content: str) -> None:
        """A line for everybody, after what is already queued."""
        self._queue(state.id, self._send_line(state, content))

    def offer(self, state: TableState, seat: int, member_id: int) -> None:
        """Ask a member, for all to read, whether he takes this seat; he is pinged once."""
        self._queue(state.id, self._send_offer(state, seat, member_id))

    def rewrite(self, state: TableState, message_id: int, page: Page) -> None:
        """Put another page in the place of a public message of the table."""
        self._queue(state.id, self._rewrite(state, message_id, page))

    async def check_channel(
        self, interaction: discord.Interaction[Any], channel_id: int, *, thread: bool = False
    ) -> None:
        """`Refused` with the names of the permissions that are missing for a table there."""
        missing = missing_permissions(self.bot, interaction, channel_id, thread=thread)
        if missing:
            say = self.private(interaction).say
            names = ", ".join(permission_names(say)[name] for name in missing)
            raise Refused("permissions", permissions=names, channel=f"<#{channel_id}>")

    # --- in order, one after another for each table --------------------------------------------

    def _queue(self, table_id: int, work: Coroutine[Any, Any, None]) -> None:
        """Do this after everything that is already queued for the table."""
        previous = self._queues.get(table_id)

        async def run() -> None:
            if previous is not None:
                await asyncio.wait([previous])
            try:
                await work
            except discord.HTTPException as error:
                log.warning("table %s: a message was not sent (%s)", table_id, error)
            except Exception:
                log.exception("table %s: a message was not sent", table_id)
            finally:
                if self._queues.get(table_id) is asyncio.current_task():
                    del self._queues[table_id]

        self._queues[table_id] = asyncio.create_task(run(), name=f"messages-{table_id}")

    def _mark(self, state: TableState) -> None:
        """The table message must be written again."""
        writer = self._writers.get(state.id)
        if writer is None:
            table_id = state.id
            writer = LatestWins(lambda: self._write_table(table_id), f"table-{table_id}")
            self._writers[table_id] = writer
        writer.mark()

    async def _write_table(self, table_id: int) -> None:
        state = self._last[table_id]
        if state.match is None or state.round is None:
            return
        page = table_page(state, self.public(state))
        shown: object = page.to_components()
        again = table_id in self._again
        if self._written.get(table_id) == shown and not again:
            return
        old = state.table_message_id
        if state.desk.message_round != state.round.number:
            old = None  # the last round's message stays as it is
        try:
            if old is None or again or self._too_old(old):
                await self._post_table(state, page)
                self._again.discard(table_id)
                if old is not None:
                    self._queue(table_id, self._remove(state, old))
            else:
                await self._edit_table(state, old, page)
            self._written[table_id] = shown
        except StorageError as error:  # not tried again: that would post it again
            log.warning("table %s: its new message is not remembered (%s)", table_id, error)
        except (discord.HTTPException, OSError) as error:
            log.warning("table %s: the table message was not written (%s)", table_id, error)
            if getattr(error, "status", 500) >= 500:
                self._retry(table_id)
        if state.status not in ("lobby", "playing"):
            self._writers.pop(table_id, None)
            self._last.pop(table_id, None)
            self._written.pop(table_id, None)

    async def _edit_table(self, state: TableState, message_id: int, page: Page) -> None:
        message = self._channel(state).get_partial_message(message_id)
        try:
            await message.edit(view=page, allowed_mentions=NOBODY)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            await self._post_table(state, page)  # somebody deleted it: here is a new one

    def post_table_again(self, state: TableState) -> None:
        """A new table message at the bottom of the channel, in place of the old one."""
        self._last[state.id] = state
        self._again.add(state.id)
        self._mark(state)

    def _too_old(self, message_id: int) -> bool:
        """Whether Discord soon limits edits of this message strictly (those older than an hour)."""
        age = self.bot.clock.now() - discord.utils.snowflake_time(message_id)
        return age >= OLDEST_EDITED

    def _retry(self, table_id: int) -> None:
        """Discord was in trouble: write the table again soon."""

        async def later() -> None:
            await self.bot.clock.sleep(RETRY_SECONDS)
            if table_id in self._last:
                self._mark(self._last[table_id])

        task = asyncio.create_task(later(), name=f"retry-{table_id}")
        self._retries.add(task)
        task.add_done_callback(self._retries.discard)

    async def drain(self) -> None:
        """Wait a moment for messages that are on their way; the bot is about to go."""
        await self._pictures.close()
        if self._queues:
            await asyncio.wait(list(self._queues.values()), timeout=DRAIN_SECONDS)

    async def _remove(self, state: TableState, message_id: int) -> None:
        with contextlib.suppress(discord.NotFound):
            await self._channel(state).get_partial_message(message_id).delete()

    async def post_lobby_again(
        self, interaction: discord.Interaction[Any], state: TableState
    ) -> None:
        """The lobby at the bottom of the channel, as the answer to a command."""
        page = lobby_page(state, self.public(state))
        callback = await interaction.response.send_message(view=page, allowed_mentions=NOBODY)
        message_id = callback.message_id or (await interaction.original_response()).id
        await self.bot.tables.remember(state.id, lobby_message_id=message_id)

    async def _post_table(self, state: TableState, page: Page) -> None:
        message = await self._channel(state).send(view=page, allowed_mentions=NOBODY)
        assert state.round is not None
        await self.bot.tables.remember(
            state.id, table_message_id=message.id, message_round=state.round.number
        )

    async def _write_lobby(self, state: TableState) -> None:
        if state.lobby_message_id is None:
            return
        to = self.public(state)
        page = lobby_page(state, to) if state.status == "lobby" else closed_page(state, to)
        message = self._channel(state).get_partial_message(state.lobby_message_id)
        await message.edit(view=page, allowed_mentions=NOBODY)

    async def _send_line(self, state: TableState, content: str) -> None:
        await self._channel(state).send(content, allowed_mentions=NOBODY)

    async def _send_result(self, state: TableState) -> None:
        to = self.public(state)
        over = state.phase is Phase.MATCH_END
        ratings = await self._new_ratings(state) if over else {}
        page = result_page(state, to, ratings=ratings)
        message = await self._channel(state).send(view=page, allowed_mentions=NOBODY)
        if over and may_attach(self.bot, state):
            self._pictures.begin(state, message.id, to, ratings)
        await self.bot.tables.remember(state.id, result_message_id=message.id)

    async def _new_ratings(self, state: TableState) -> Ratings:
        """The ratings of people after a match, as far as others may see them."""
        if not state.options.rated:
            return {}
        users = [chair.user_id for chair in state.people() if chair.user_id is not None]
        try:
            store = self.bot.store
            return await store.rankings.public_ratings(state.guild_id, state.options.variant, users)
        except StorageError as error:  # the result is there without them
            log.warning("table %s: no ratings (%s)", state.id, error)
            return {}

    async def _write_result(self, table_id: int) -> None:
        """The countdown to the next round has stopped or goes on, or somebody new has sat down."""
        state = self._last.get(table_id)
        if state is None or state.phase is not Phase.ROUND_END or not state.running:
            return
        if state.desk.result_message_id is not None:
            page = result_page(state, self.public(state))
            await self._rewrite(state, state.desk.result_message_id, page)

    def _add_picture(
        self, state: TableState, message_id: int, page: Page, file: discord.File
    ) -> None:
        """The picture of a finished match is ready: here is its result with it."""
        self._queue(state.id, self._rewrite(state, message_id, page, file))

    async def _rewrite(
        self, state: TableState, message_id: int, page: Page, *files: discord.File
    ) -> None:
        message = self._channel(state).get_partial_message(message_id)
        with contextlib.suppress(discord.NotFound):  # somebody deleted it
            await message.edit(view=page, attachments=files or MISSING, allowed_mentions=NOBODY)

    async def _send_offer(self, state: TableState, seat: int, member_id: int) -> None:
        page = offer_page(state, seat, member_id, self.public(state))
        member = discord.AllowedMentions(users=[discord.Object(member_id)])
        await self._channel(state).send(view=page, allowed_mentions=member)

    async def _end_countdown(self, state: TableState, message_id: int) -> None:
        """The next round has begun: the result stays, its countdown and buttons go."""
        await self.bot.tables.remember(state.id, result_message_id=0)
        page = result_page(state, self.public(state), countdown=False)
        await self._rewrite(state, message_id, page)

    async def _send_stopped(self, state: TableState, *, forgotten: bool) -> None:
        to = self.public(state)
        words = (
            to.say("The match was stopped: for a week nobody has gone on with it.")
            if forgotten
            else to.say("The match was stopped.")
        )
        lines = (words, stopped_deal_line(state, to))
        await self._channel(state).send("\n".join(filter(None, lines)), allowed_mentions=NOBODY)

    async def _send_nudge(self, state: TableState, user_ids: tuple[int, ...]) -> None:
        current = self._last.get(state.id, state)
        if current.stamp != state.stamp:
            return  # answered meanwhile
        say = self.public(state).say
        people = " ".join(f"<@{user_id}>" for user_id in user_ids)
        message = await self._channel(state).send(
            say("{people} – the table waits for you: {link}", people=people, link=jump(state)),
            allowed_mentions=discord.AllowedMentions(
                users=[discord.Object(user_id) for user_id in user_ids]
            ),
        )
        await self.bot.tables.remember(state.id, nudge_message_id=message.id)
        if self._last.get(state.id, state).stamp != state.stamp:
            await self._remove_nudge(state, message.id)

    async def _remove_nudge(self, state: TableState, message_id: int) -> None:
        await self._remove(state, message_id)
        await self.bot.tables.remember(state.id, nudge_message_id=0)

    def _channel(self, state: TableState) -> discord.PartialMessageable:
        return self.bot.get_partial_messageable(state.channel_id, guild_id=state.guild_id)

    # --- after a restart -----------------------------------------------------------------------

    def resumed(self, state: TableState) -> None:
        """The bot is back: say so, and write what may have changed meanwhile."""
        self._last[state.id] = state
        if state.running:
            self._queue(state.id, self._send_resumed(state))
            if state.phase is Phase.ROUND_END and state.desk.result_message_id is None:
                self._queue(state.id, self._send_result(state))
            self._mark(state)

    async def _send_resumed(self, state: TableState) -> None:
        say = self.public(state).say
        await self._channel(state).send(
            say("I was away for a moment. Play goes on: {link}", link=jump(state)),
            allowed_mentions=NOBODY,
        )


def public_words(bot: TichuBot, guild_id: int) -> Speaker:
    """Words for everybody in a server: its language."""
    guild = bot.get_guild(guild_id)
    locale = guild.preferred_locale.value if guild is not None else None
    return Speaker(speech(locale or bot.settings.default_language), bot.art)


def _moved_on(before: TableState, after: TableState) -> bool:
    """Whether whoever was waited for has acted, or need not any more."""
    return before.stamp != after.stamp or before.status != after.status


def _waits_differently(before: TableState, after: TableState) -> bool:
    """Whether the result of the round must be written again, with another countdown or button."""
    between = before.phase is after.phase is Phase.ROUND_END and after.running
    return between and (before.desk.paused, before.chairs) != (after.desk.paused, after.chairs)


def _looks_different(before: TableState | None, after: TableState) -> bool:
    """Whether the public message must be written: not for sealed bombs, waives or pre-moves.

    Nor for the end of a trick: the message said who takes it when the last player had passed.
    """
    if before is None or before.stamp != after.stamp or before.status != after.status:
        return True
    if before.desk.away != after.desk.away:
        return True
    if before.chairs != after.chairs or before.options != after.options:
        return True
    old, new = before.round, after.round
    if old is None or new is None:
        return old is not new
    return (
        old.calls != new.calls
        or old.asked != new.asked
        or (new.phase is Phase.GRAND and old.opening.answers != new.opening.answers)
        or (new.phase is Phase.EXCHANGE and old.opening.given != new.opening.given)
    )
