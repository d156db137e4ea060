"""Scheduled events of Discord for events of clubs, where the bot may create them.

Facts (discord-api-docs at c98d64b, resources/guild-scheduled-event.mdx and topics/permissions.mdx):

- An event with the entity type EXTERNAL needs a location (1 to 100 characters) and an end time, and
  has no channel. Its name has 1 to 100 characters.
- It becomes ACTIVE at its start time and COMPLETED at its end time by itself. An edit can change
  the status, too: SCHEDULED to ACTIVE or CANCELED, and ACTIVE to COMPLETED.
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
from bot.club.actions import Action, DateChosen, Finished, Seeded
from bot.club.event import ClubEvent
from bot.club_records import ClubEventRecord
from cogs.delivery.failed_requests import REQUEST_FAILURES, log_text

log = logging.getLogger(__name__)

_LENGTH: Final = timedelta(hours=3)
"""Time from the begin to the end."""


class ScheduledEvents:
    """Creates, moves, begins and ends scheduled events."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot

    async def update(
        self, event: ClubEvent, record: ClubEventRecord, unshown: Sequence[Action]
    ) -> None:
        """Bring the scheduled event up to date after these actions; log errors of requests.

        It is created with the public message, or once the date is chosen. It begins and ends with
        the event, unless it has ended by itself.
        """
        guild, now = self._bot.get_guild(event.guild_id), self._bot.clock.now()
        is_news = any(isinstance(each, DateChosen | Seeded | Finished) for each in unshown)
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
        """Move the scheduled event, or bring its status up to date."""
        scheduled = await guild.fetch_scheduled_event(scheduled_id, with_counts=False)
        if scheduled.status is discord.EventStatus.active:
            if event.is_over:
                await scheduled.end()
        elif scheduled.status is not discord.EventStatus.scheduled:
            return
        elif event.is_over:
            await scheduled.cancel()
        elif event.status == "running":
            await scheduled.start()
        elif scheduled.start_time != event.begins_at:
            end_time = event.begins_at + _LENGTH
            await scheduled.edit(start_time=event.begins_at, end_time=end_time)
