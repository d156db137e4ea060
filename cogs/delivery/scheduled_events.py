"""Scheduled events of Discord for events of clubs, where the bot may create them.

Facts (discord-api-docs at c98d64b, resources/guild-scheduled-event.mdx and topics/permissions.mdx):

- An event with the entity type EXTERNAL needs a location (1 to 100 characters) and an end time, and
  has no channel. Its name has 1 to 100 characters.
- It begins and ends by itself at its times. One that has not begun can be canceled.
- CREATE_EVENTS allows to create events, and to edit those that the bot has created.
- A server has at most 100 events that are not over.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import discord

from bot.client import TichuBot
from bot.club.actions import Action, DateChosen, Finished
from bot.club.event import ClubEvent
from bot.club_records import ClubEventRecord
from cogs.delivery.failed_requests import REQUEST_FAILURES, log_text

log = logging.getLogger(__name__)

_LENGTH: Final = timedelta(hours=3)
"""Time from the begin to the end."""


class ScheduledEvents:
    """Creates, moves and cancels scheduled events."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot

    async def update(
        self, event: ClubEvent, record: ClubEventRecord, unshown: Sequence[Action]
    ) -> None:
        """Bring the scheduled event up to date after these actions; log errors of requests.

        It is created with the public message, or once the date is chosen.
        """
        guild, now = self._bot.get_guild(event.guild_id), self._bot.clock.now()
        is_news = any(isinstance(each, DateChosen | Finished) for each in unshown)
        if guild is None or not (is_news or record.message_id is None):
            return
        if not guild.me.guild_permissions.create_events:
            return
        is_wanted = event.status == "open" and event.date is not None and event.begins_at > now
        try:
            if record.scheduled_id is not None:
                await self._change(guild, event, record.scheduled_id)
            elif is_wanted:
                created = await self._create(guild, event)
                await self._bot.store.club_events.note_scheduled(event.id, created.id)
        except REQUEST_FAILURES as error:
            log.info("event %s: not scheduled: %s", event.id, log_text(error))

    async def _create(self, guild: discord.Guild, event: ClubEvent) -> discord.ScheduledEvent:
        """Create the scheduled event, unless it was created before a kill."""
        channel = guild.get_channel_or_thread(event.channel_id)
        location = f"#{channel.name}"[:100] if channel is not None else "Discord"
        me, title = self._bot.user, event.settings.title
        for each in await guild.fetch_scheduled_events(with_counts=False):
            same = (each.name, each.start_time, each.location) == (title, event.begins_at, location)
            if me is not None and each.creator_id == me.id and same:
                return each
        return await guild.create_scheduled_event(
            name=title,
            start_time=event.begins_at,
            end_time=event.begins_at + _LENGTH,
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
            location=location,
        )

    async def _change(self, guild: discord.Guild, event: ClubEvent, scheduled_id: int) -> None:
        """Move or cancel the scheduled event, if it has not begun."""
        scheduled = await guild.fetch_scheduled_event(scheduled_id, with_counts=False)
        if scheduled.status is not discord.EventStatus.scheduled:
            return
        if event.is_over:  # a night that began early may end before its time
            await scheduled.cancel()
        elif event.status == "open" and scheduled.start_time != event.begins_at:
            end_time = event.begins_at + _LENGTH
            await scheduled.edit(start_time=event.begins_at, end_time=end_time)
