"""Nudges people whose turn it is, as each has chosen.

Some are mentioned at the table, some get a direct message, some nothing. Their settings are read at
the time of the nudge. A direct message names the table and shows no card. If Discord refuses it
because their direct messages are closed, they are mentioned instead, now and from now on, and the
first mention says why.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

import discord

from bot.ids import ChannelId, MessageId, UserId
from bot.records import PersonalSettings
from bot.table.interruptions import nudged_users
from bot.table.posts import InvitationPost, NudgePost, OfferPost
from bot.table.quiet_hours import quiet_until
from bot.table.state import Game, OpenTable
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.direct_messages import is_quiet, note_later, note_written, sent_directly
from cogs.delivery.failed_requests import log_text
from cogs.delivery.message_languages import words_of_stranger
from cogs.delivery.messages import AnyPost, Message, superseded
from cogs.pages.table.nudge import NOBODY_NUDGED, Nudged, direct_notice

log = logging.getLogger(__name__)


class Nudges:
    """Nudges the people of one table. Methods raise errors of storage and requests."""

    def __init__(self, context: ChannelContext) -> None:
        self._context = context

    async def nudged(self, state: OpenTable, unreached: Sequence[UserId] = ()) -> Nudged:
        """Return the people to be named by a nudge at this table now."""
        if not isinstance(state, Game):
            return NOBODY_NUDGED
        waiting = nudged_users(state)
        named = [user for user in waiting if (await self._chosen(user)).nudge_way == "mention"]
        return Nudged(tuple(named), tuple(user for user in unreached if user in named))

    async def willing(self, post: AnyPost, user_ids: Sequence[UserId]) -> tuple[UserId, ...]:
        """Return the people whom this message may notify."""
        invites = isinstance(post, OfferPost | InvitationPost)
        return tuple([user for user in user_ids if await self._wants(user, invites=invites)])

    async def _wants(self, user_id: UserId, *, invites: bool) -> bool:
        chosen = await self._chosen(user_id)
        wants = chosen.invitations if invites else chosen.nudge_way == "mention"
        return wants and not is_quiet(self._context.bot, chosen)

    async def _chosen(self, user_id: UserId) -> PersonalSettings:
        return await self._context.bot.store.personal_settings.get(user_id)

    async def put_off(self, message: Message) -> None:
        """Schedule later nudges for turn-based players with quiet hours now.

        A nudge can be late because the bot was away or Discord failed.
        """
        state, bot, post = self._context.now, self._context.bot, message.post
        if not isinstance(state, Game) or not state.options.turn_based:
            return
        assert isinstance(post, NudgePost)
        later: dict[UserId, datetime] = {}
        for user_id in set(post.user_ids).intersection(nudged_users(state)):
            chosen = await self._chosen(user_id)
            quiet = quiet_until(chosen, bot.clock.now())
            if chosen.nudge_way != "none" and quiet is not None:
                later[user_id] = quiet
        if later:
            await bot.tables.messages.nudge_later(state.id, post.turn, later)
            await note_later(bot, message, later)

    # --- direct messages -----------------------------------------------------------------------

    async def write(self, message: Message) -> None:
        """Send a nudge's direct messages to those who want one; each gets only one.

        Updates `message` with those that were sent, and with the people to be mentioned instead.
        """
        post = message.post
        for user_id in post.user_ids if isinstance(post, NudgePost) else ():
            now = self._context.now
            if user_id in message.direct or superseded(post, now) or not isinstance(now, Game):
                continue
            chosen = await self._chosen(user_id)
            awake = not is_quiet(self._context.bot, chosen)
            if chosen.nudge_way == "direct" and user_id in nudged_users(now) and awake:
                await self._write_to(user_id, now, message)

    async def _write_to(self, user_id: UserId, state: Game, message: Message) -> None:
        bot = self._context.bot
        notice = direct_notice(state, user_id, words_of_stranger(bot, user_id, state.guild_id))
        sent = await sent_directly(bot, user_id, notice, message.nonce)
        await note_written(bot, message, user_id, sent)
        if sent is None:
            await bot.store.personal_settings.switch_to_mentions(user_id)

    async def remove(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Remove a direct message; do nothing if that is no longer possible."""
        channel = self._context.bot.get_partial_messageable(channel_id)
        try:
            await channel.get_partial_message(message_id).delete()
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("direct message not deleted: %s", log_text(error))
