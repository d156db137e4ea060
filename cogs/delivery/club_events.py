"""Events of clubs on Discord: public messages, reminders, threads of tables, scheduled events.

Public messages mention nobody. Reminders mention people who have signed up, each only once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.client import TichuBot
from bot.club.actions import read_action
from bot.club.event import ClubEvent
from bot.club_records import ClubEventRecord
from bot.ids import ChannelId, ClubEventId, MessageId, UserId
from bot.live.event_tables import restored
from bot.live.events import (
    ClubEventChanged,
    EventDispatcher,
    EventNoticeDue,
    EventPlace,
    EventPlaceDue,
    EventPlaceUnused,
)
from bot.runtime.background import in_background
from bot.storage import StorageError
from bot.table.state import Game
from cogs.delivery.channel_permissions import missing_for_thread
from cogs.delivery.coalescing_writer import CoalescingWriter
from cogs.delivery.direct_messages import send_directly
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_not_allowed, is_temporary, log_text
from cogs.delivery.message_languages import public_words, words_without_interaction
from cogs.delivery.messages import NOBODY, mentions_of
from cogs.delivery.nonces import create_once
from cogs.delivery.scheduled_events import ScheduledEvents
from cogs.delivery.standings_pictures import StandingsPictures
from cogs.delivery.table_threads import new_thread, remove_thread
from cogs.delivery.uploads import Files, PictureSupport, SeenPicture, rewound
from cogs.pages.club.event import ShownEvent, thread_name
from cogs.pages.club.public import event_page
from cogs.pages.club.reminder import MOST_MENTIONED, direct_notice, mentioning_notice

log = logging.getLogger(__name__)

_SAME_EVENING: Final = timedelta(hours=6)
"""Age up to which an unused thread of a table is used again."""


def shown_event(bot: TichuBot, event: ClubEvent) -> ShownEvent:
    """Return an event with what its page shows of the server."""
    ids = {match.table_id for round_ in event.rounds for match in round_.matches}
    tables = [bot.tables.find(each) for each in ids if each is not None]
    places = {table.id: table.channel_id for table in tables if table is not None}
    scores = {
        table.id: (len(table.match.results), table.match.totals)
        for table in tables
        if isinstance(table, Game)
    }
    return ShownEvent(event, places, _missing_for_threads(bot, event), scores)


def _missing_for_threads(bot: TichuBot, event: ClubEvent) -> Sequence[str] | None:
    """Return why tables of an event can have no threads, as in `ShownEvent`."""
    channel = bot.get_channel(event.channel_id)
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        return ()
    return missing_for_thread(channel) or None


def _nonce(due: EventNoticeDue) -> str:
    """Return a part of nonces, which no other reminder or wish of the event has."""
    about = due.event.date if due.wish is None else due.wish.model_dump_json()
    return f"event-{due.event.id}-notice-{about}"


class ClubEventPosts:
    """Handles the events of clubs in the background."""

    def __init__(self, bot: TichuBot, support: PictureSupport) -> None:
        self._bot = bot
        self._pictures = StandingsPictures(bot, support)
        self._in_flight = set[asyncio.Task[None]]()
        self._writers = WeakValueDictionary[ClubEventId, CoalescingWriter]()
        """Writers of messages by event, as long as they write."""
        self._scheduled = ScheduledEvents(bot)

    def subscribe(self, events: EventDispatcher) -> None:
        """Subscribe to the events of clubs."""
        events.subscribe(ClubEventChanged, self._on_change)
        events.subscribe(EventNoticeDue, self._on_notice_due)
        events.subscribe(EventPlaceDue, self._on_place_due)
        events.subscribe(EventPlaceUnused, self._on_place_unused)

    # --- the public message ----------------------------------------------------------------------

    def _on_change(self, changed: ClubEventChanged) -> None:
        event_id = changed.event_id
        writer = CoalescingWriter(
            lambda: self._publish(event_id), f"event-message-{event_id}", self._in_flight
        )
        self._writers.setdefault(event_id, writer).schedule()

    async def _publish(self, event_id: ClubEventId) -> None:
        """Post or edit the message, unless it shows all actions already.

        After a failure that may pass, the next look of `ClubEvents` causes another attempt.
        """
        events = self._bot.store.club_events
        try:
            stored = await events.get(event_id)
            if stored is None or not self._bot.leases.serves(stored.record.guild_id):
                return
            record, event = stored.record, restored(stored)
            if record.message_id is not None and record.shown == record.seq:
                return
            unshown = [read_action(each.body) for each in stored.actions if each.seq > record.shown]
            await self._scheduled.update(event, record, unshown)
            message_id = record.message_id
            try:
                message_id = await self._write(event, record)
            except REQUEST_FAILURES as error:
                if is_temporary(error) or is_not_allowed(error):
                    raise
                log.info("event %s: not shown: %s", event_id, log_text(error))
            await events.note_shown(event_id, message_id, record.seq)
        except REQUEST_FAILURES as error:
            log.warning("event %s: not shown yet: %s", event_id, log_text(error))

    async def _write(self, event: ClubEvent, record: ClubEventRecord) -> MessageId:
        """Post the message, or edit it; return its id."""
        channel = self._bot.get_partial_messageable(event.channel_id, guild_id=event.guild_id)
        words = public_words(self._bot, event.guild_id)
        shown = shown_event(self._bot, event)._replace(scores={})  # soon outdated in public
        if record.message_id is not None:
            message = channel.get_partial_message(record.message_id)

            async def edit(pictures: Sequence[SeenPicture], files: Files) -> discord.Message:
                named = [(each.name, each.alt) for each in pictures]
                page = event_page(shown._replace(pictures=named), words)
                attachments = rewound(files)
                return await message.edit(
                    **page.message, attachments=attachments, allowed_mentions=NOBODY
                )

            await self._pictures.edit(event, words.say, record.message_id, edit)
            return record.message_id
        page = event_page(shown, words)
        sent = await create_once(
            lambda nonce: channel.send(view=page, allowed_mentions=NOBODY, nonce=nonce),
            f"event-{event.id}",
            event.channel_id,
        )
        return MessageId(sent.id)

    # --- notices ---------------------------------------------------------------------------------

    def _on_notice_due(self, due: EventNoticeDue) -> None:
        in_background(self._notify(due), f"event-notice-{due.event.id}", self._in_flight)

    async def _notify(self, due: EventNoticeDue) -> None:
        """Send the direct messages, then mention the others in the channel.

        People to whom Discord refuses direct messages are mentioned from then on, as for nudges.
        """
        bot, event, mentioned = self._bot, due.event, list(due.mentioned)
        for user_id in due.direct:
            try:
                await bot.store.personal_settings.get(user_id)
                words = words_without_interaction(bot, user_id, event.guild_id)
                notice = direct_notice(event, due.wish, words)
                if await send_directly(bot, user_id, notice, _nonce(due)) is None:
                    mentioned.append(user_id)
                    await bot.store.personal_settings.switch_to_mentions(user_id)
            except REQUEST_FAILURES as error:
                log.warning("event %s: notice not sent: %s", event.id, log_text(error))
        for start in range(0, len(mentioned), MOST_MENTIONED):
            try:
                await self._mention(due, mentioned[start : start + MOST_MENTIONED])
            except REQUEST_FAILURES as error:
                log.warning("event %s: notice not sent: %s", event.id, log_text(error))

    async def _mention(self, due: EventNoticeDue, people: Sequence[UserId]) -> None:
        event = due.event
        channel = self._bot.get_partial_messageable(event.channel_id, guild_id=event.guild_id)
        notice = mentioning_notice(event, due.wish, people, public_words(self._bot, event.guild_id))
        allowed = mentions_of(*people)
        await create_once(
            lambda nonce: channel.send(**notice.message, allowed_mentions=allowed, nonce=nonce),
            f"{_nonce(due)}-{people[0]}",
            event.channel_id,
        )

    # --- places of tables ------------------------------------------------------------------------

    def _on_place_due(self, due: EventPlaceDue) -> None:
        in_background(self._find_place(due), f"event-place-{due.event.id}", self._in_flight)

    async def _find_place(self, due: EventPlaceDue) -> None:
        try:
            place = await self._place(due)
        except Exception as error:  # noqa: BLE001 - passed on through the future
            if not due.place.done():
                due.place.set_exception(error)
        else:
            if not due.place.done():
                due.place.set_result(place)

    async def _place(self, due: EventPlaceDue) -> EventPlace:
        """Return a thread for a table, or the channel of the event if it can have none.

        A thread that was created before a kill, or for an earlier draw, is used again.
        """
        bot, event = self._bot, due.event
        channel = bot.get_channel(event.channel_id)
        if _missing_for_threads(bot, event) is not None:
            return EventPlace(event.channel_id)
        assert isinstance(channel, discord.TextChannel), "it has threads"
        name = thread_name(event, due.round, due.match, public_words(bot, event.guild_id))
        for thread in channel.threads:
            if thread.name == name and await self._is_unused(thread):
                return EventPlace(ChannelId(thread.id), event.channel_id)
        turn_based = event.settings.options.turn_based
        thread = await new_thread(channel, name, turn_based=turn_based)
        return EventPlace(ChannelId(thread.id), event.channel_id)

    async def _is_unused(self, thread: discord.Thread) -> bool:
        """Return whether this is a new thread of the bot in which no match has begun."""
        bot, created_at = self._bot, thread.created_at
        is_own = bot.user is not None and thread.owner_id == bot.user.id
        is_new = created_at is not None and bot.clock.now() - created_at < _SAME_EVENING
        if not (is_own and is_new):
            return False
        table = await bot.store.tables.last_in(ChannelId(thread.id))
        if table is None:
            return True
        return table.ended_at is not None and await bot.store.history.match(table.id) is None

    def _on_place_unused(self, unused: EventPlaceUnused) -> None:
        if unused.place.parent_channel_id is None:
            return
        thread = self._bot.get_channel(unused.place.channel_id)
        if isinstance(thread, discord.Thread):
            in_background(self._remove_unused(thread), "event-place-unused", self._in_flight)

    async def _remove_unused(self, thread: discord.Thread) -> None:
        try:
            if await self._is_unused(thread):
                await remove_thread(thread)
        except StorageError as error:
            log.warning("thread %s: not removed: %s", thread.id, error)
