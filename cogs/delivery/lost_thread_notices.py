"""Notices to the players of a turn-based table that has lost its thread.

They are posted in the parent channel, and sent as direct messages to people who chose those, after
their quiet hours. The outbox keeps them until they are delivered. If the bot may not post in the
parent channel, the notice waits like any other message (`cogs.delivery.message_queue`), and the
people whom it would mention get a direct message. If the parent channel is gone too, the table is
closed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

import discord

from bot.ids import ChannelId, MessageId, UserId
from bot.live.events import PersonForgotten
from bot.runtime.logs import kinds_and_frames
from bot.storage import StorageError
from bot.table.posts import LostThreadPost
from bot.table.quiet_hours import quiet_until
from bot.table.state import Game
from bot.table.turn_based import turn_id
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.direct_messages import record_direct_message, remove_postponed, send_directly
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_not_allowed, is_temporary, log_text
from cogs.delivery.message_languages import words_without_interaction
from cogs.delivery.messages import Message, forget_in_message, mentions_of
from cogs.delivery.nonces import create_once
from cogs.pages.table.nudge import NOBODY_NUDGED, Nudged, lost_thread_notice

log = logging.getLogger(__name__)


class LostThreadNotices:
    """Lane of the retry chain for the notices of one table."""

    def __init__(self, context: ChannelContext) -> None:
        self._context = context
        self._messages: list[Message] = []
        self._unreachable = set[UserId]()
        """People who chose mentions, and to whom Discord refuses direct messages."""

    def add(self, messages: Sequence[Message]) -> None:
        """Append messages to the queue."""
        self._messages.extend(messages)

    def forget(self, event: PersonForgotten) -> None:
        """Remove an erased person from the messages."""
        for message in self._messages:
            forget_in_message(message, event)

    @property
    def pending(self) -> bool:
        """True if a notice is still to be sent."""
        return bool(self._messages)

    @property
    def pending_count(self) -> int:
        """Number of messages to be sent; all of them are in the outbox."""
        return len(self._messages)

    async def work(self) -> Exception | None:
        """Send the pending notices; return the error if a retry is needed.

        A notice that waits for a permission does not delay the others.
        """
        refusal: Exception | None = None
        for message in tuple(self._messages):
            try:
                await self._deliver(message)
            except REQUEST_FAILURES as error:
                if is_temporary(error):
                    return error
                if is_not_allowed(error) and self._context.waits_for_permission(message):
                    refusal = error
                    continue
                await self._give_up(message, log_text(error))
            except Exception as error:  # noqa: BLE001 - its text may name cards
                await self._give_up(message, kinds_and_frames(error))
            self._messages = [other for other in self._messages if other is not message]
        return refusal

    async def _deliver(self, message: Message) -> None:
        post, state = message.post, self._context.state
        if isinstance(post, LostThreadPost) and isinstance(state, Game) and state.running:
            still_lost = state.timers.lost_thread == post.lost
            if still_lost:
                await self._notify(message, post, state)
        await self._note_delivered(message)

    async def _note_delivered(self, message: Message) -> None:
        if message.number is not None:
            tables = self._context.bot.tables
            await tables.messages.store_ids(self._context.table_id, delivered=(message.number,))

    async def _give_up(self, message: Message, why: str) -> None:
        log.warning("table %s: lost-thread notice not delivered: %s", self._context.table_id, why)
        with suppress(StorageError):  # otherwise it is retried at the next start
            await self._note_delivered(message)

    async def _notify(self, message: Message, post: LostThreadPost, state: Game) -> None:
        """Notify each person in the way they chose, or later if they have quiet hours now."""
        bot, mentioned = self._context.bot, list[UserId]()
        postponed: dict[UserId, datetime] = {}
        for user_id in post.user_ids:
            if user_id in message.direct or state.seat_of(user_id) is None:
                continue
            settings = await bot.store.personal_settings.get(user_id)
            quiet_end = quiet_until(settings, bot.clock.now())
            if settings.nudge_way == "none":
                continue
            if quiet_end is not None:
                postponed[user_id] = quiet_end
                continue
            by_direct_message = settings.nudge_way == "direct"
            if by_direct_message and await self._reach_directly(message, user_id, state):
                continue
            mentioned.append(user_id)
        if postponed:
            await bot.tables.messages.nudge_later(state.id, turn_id(state), postponed)
            await remove_postponed(bot, message, postponed)
        names_everybody = post.first and len(postponed) < len(post.user_ids)
        if names_everybody or mentioned:
            try:
                await self._post(message, state, mentioned, everybody=names_everybody)
            except REQUEST_FAILURES as error:
                if is_not_allowed(error):
                    await self._send_instead(message, state, mentioned)
                raise

    async def _reach_directly(self, message: Message, user_id: UserId, state: Game) -> bool:
        """Send a direct message; return whether Discord accepted it.

        If not, change the person's settings to mentions.
        """
        bot, sent = self._context.bot, await self._send_directly(message, user_id, state)
        await record_direct_message(bot, message, user_id, sent)
        if sent is None:
            await bot.store.personal_settings.switch_to_mentions(user_id)
        return sent is not None

    async def _send_instead(self, message: Message, state: Game, user_ids: list[UserId]) -> None:
        """Send direct messages to people who cannot be mentioned in the channel now."""
        for user_id in user_ids:
            if user_id in self._unreachable or user_id in message.unreached:
                continue
            sent = await self._send_directly(message, user_id, state)
            if sent is not None:
                await record_direct_message(self._context.bot, message, user_id, sent)
            else:
                self._unreachable.add(user_id)

    async def _send_directly(
        self, message: Message, user_id: UserId, state: Game
    ) -> tuple[ChannelId, MessageId] | None:
        """Send a direct message; return its channel and id, or `None` if Discord refuses it."""
        bot = self._context.bot
        words = words_without_interaction(bot, user_id, state.guild_id)
        notice = lost_thread_notice(state, NOBODY_NUDGED, words)
        return await send_directly(bot, user_id, notice, message.nonce)

    async def _post(
        self, message: Message, state: Game, mentioned: list[UserId], *, everybody: bool
    ) -> None:
        """Post the notice in the parent channel and mention these people.

        With `everybody` it is addressed to all players of the table.
        """
        context, channel_id = self._context, state.parent_channel_id
        assert channel_id is not None, "it has had a thread of its own"
        unreached = tuple(user for user in message.unreached if user in mentioned)
        nudged = Nudged(tuple(mentioned), unreached)
        notice = lost_thread_notice(state, nudged, context.words, everybody=everybody)
        channel = context.bot.get_partial_messageable(channel_id, guild_id=state.guild_id)
        allowed_mentions = mentions_of(*mentioned)
        try:
            await create_once(
                lambda nonce: channel.send(
                    **notice.message, allowed_mentions=allowed_mentions, nonce=nonce
                ),
                message.nonce,
                channel_id,
            )
        except discord.NotFound:
            await context.bot.tables.channels.close_table(state.id)
