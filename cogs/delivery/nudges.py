"""Nudges people whose turn it is, each in the way they have chosen.

Some are mentioned at the table, some get a direct message, some nothing. Their settings are read at
the time of the nudge. A direct message names the table and shows no card. If a person accepts no
direct messages from the bot, they are mentioned now and later, and the first mention says why.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

import discord

from bot.ids import ChannelId, MessageId, UserId
from bot.records import PersonalSettings
from bot.table.interruptions import nudged_users
from bot.table.posts import InvitationPost, LobbyPost, NudgePost, OfferPost
from bot.table.quiet_hours import quiet_until
from bot.table.state import Game, OpenTable
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.direct_messages import (
    is_quiet,
    record_direct_message,
    remove_postponed,
    send_directly,
)
from cogs.delivery.failed_requests import log_text
from cogs.delivery.message_languages import words_without_interaction
from cogs.delivery.messages import AnyPost, Message, is_superseded
from cogs.pages.table.nudge import NOBODY_NUDGED, Nudged, direct_notice

log = logging.getLogger(__name__)


class Nudges:
    """Nudges the people of one table. Methods raise errors of storage and requests."""

    def __init__(self, context: ChannelContext) -> None:
        self._context = context

    async def people_to_mention(self, state: OpenTable, unreached: Sequence[UserId] = ()) -> Nudged:
        """Return the awaited people who have chosen mentions.

        `unreached` are people to whom Discord has refused a direct message.
        """
        if not isinstance(state, Game):
            return NOBODY_NUDGED
        awaited = nudged_users(state)
        mentioned = [
            user for user in awaited if (await self._settings(user)).nudge_way == "mention"
        ]
        return Nudged(tuple(mentioned), tuple(user for user in unreached if user in mentioned))

    async def people_to_notify(
        self, post: AnyPost, user_ids: Sequence[UserId]
    ) -> tuple[UserId, ...]:
        """Return those users who want to be notified of this message now."""
        return tuple([user for user in user_ids if await self._wants(user, post)])

    async def _wants(self, user_id: UserId, post: AnyPost) -> bool:
        settings = await self._settings(user_id)
        match post:
            case OfferPost() | InvitationPost():
                wants = settings.invitations
            case LobbyPost():  # of an event, for which they have signed up
                wants = settings.nudge_way != "none"
            case _:
                wants = settings.nudge_way == "mention"
        return wants and not is_quiet(self._context.bot, settings)

    async def _settings(self, user_id: UserId) -> PersonalSettings:
        return await self._context.bot.store.personal_settings.get(user_id)

    async def postpone_in_quiet_hours(self, message: Message) -> None:
        """Postpone the nudge of turn-based players who have quiet hours now.

        Nudges are not scheduled in quiet hours, but one can be late because the bot was offline or
        Discord failed.
        """
        state, bot, post = self._context.state, self._context.bot, message.post
        if not isinstance(state, Game) or not state.options.turn_based:
            return
        assert isinstance(post, NudgePost)
        postponed: dict[UserId, datetime] = {}
        for user_id in set(post.user_ids).intersection(nudged_users(state)):
            settings = await self._settings(user_id)
            quiet_end = quiet_until(settings, bot.clock.now())
            if settings.nudge_way != "none" and quiet_end is not None:
                postponed[user_id] = quiet_end
        if postponed:
            await bot.tables.messages.nudge_later(state.id, post.turn, postponed)
            await remove_postponed(bot, message, postponed)

    # --- direct messages -----------------------------------------------------------------------

    async def send_direct_messages(self, message: Message) -> None:
        """Send the direct messages of a nudge to those who want one and have none yet.

        Also record in `message` which were sent, and who must be mentioned instead.
        """
        post = message.post
        for user_id in post.user_ids if isinstance(post, NudgePost) else ():
            state = self._context.state  # it can change while messages are sent
            if user_id in message.direct or is_superseded(post, state):
                continue
            if not isinstance(state, Game) or user_id not in nudged_users(state):
                continue
            settings = await self._settings(user_id)
            if settings.nudge_way == "direct" and not is_quiet(self._context.bot, settings):
                await self._send_direct_message(user_id, state, message)

    async def _send_direct_message(self, user_id: UserId, state: Game, message: Message) -> None:
        bot = self._context.bot
        notice = direct_notice(
            state, user_id, words_without_interaction(bot, user_id, state.guild_id)
        )
        sent = await send_directly(bot, user_id, notice, message.nonce)
        await record_direct_message(bot, message, user_id, sent)
        if sent is None:
            await bot.store.personal_settings.switch_to_mentions(user_id)

    async def remove(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Remove a direct message; do nothing if that is no longer possible."""
        channel = self._context.bot.get_partial_messageable(channel_id)
        try:
            await channel.get_partial_message(message_id).delete()
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("direct message not deleted: %s", log_text(error))
