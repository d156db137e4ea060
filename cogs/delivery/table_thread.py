"""The thread of a table, which is kept open and has the players as members.

Facts about threads (from `topics/threads.mdx` of discord-api-docs, unless another source is given):

- An archived thread refuses edits, and nobody can use commands or join there. A new message opens
  it again unless it is locked.
- A thread is archived after some time without a new message; an edit does not count.
- Archived threads are not listed when the bot logs in.
- People who are no members can click its buttons, but the thread is not in their list of channels.
  If it is archived, web and mobile clients do not send their clicks (issue 8474).
- People are added by PUT `thread-members` (`resources/channel.mdx`) while the thread is open, or by
  an edit that mentions them (needle issue 107) if the doctor found that to be quieter.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import discord

from bot.ids import UserId
from bot.table.state import Game
from cogs.delivery import table_threads
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.failed_requests import (
    REQUEST_FAILURES,
    is_temporary,
    log_text,
    thread_is_closed,
)
from cogs.delivery.messages import NOBODY, mentions_of
from cogs.delivery.retry_pause import RetryPause

log = logging.getLogger(__name__)


class ThreadOpening:
    """Opens a table's thread before other requests; the first lane of its chain.

    The thread of a turn-based match gets the longest time until it is archived, because a turn, and
    so the time between two messages, takes days.
    """

    def __init__(self, context: ChannelContext) -> None:
        self._context = context
        self._may_be_archived = False

    def schedule_check(self) -> None:
        """Check the thread before the next request, because it may be archived."""
        self._may_be_archived = True

    @property
    def pending(self) -> bool:
        """True if the thread may be archived."""
        return self._may_be_archived

    async def work(self) -> Exception | None:
        """Open the thread if it is archived; return the error if a retry is needed.

        If the bot lacks the permission, the other lanes go on, because a new message opens the
        thread too.
        """
        self._may_be_archived = False
        context, changes = self._context, self._changes()
        if not changes:
            return None
        try:
            thread: Any = await context.bot.http.edit_channel(context.channel_id, **changes)
        except REQUEST_FAILURES as error:
            if is_temporary(error):
                self._may_be_archived = True
                return error
            log.warning("table %s: thread not unarchived: %s", context.table_id, log_text(error))
            await context.close_if_gone(error)
            return None
        if thread.get("thread_metadata", {}).get("locked"):
            await table_threads.pause_if_lost(context.bot, context.state)
        return None

    def _changes(self) -> dict[str, Any]:
        """Return the fields of the thread to change; none if the channel is not a thread."""
        context = self._context
        guild = context.bot.get_guild(context.guild_id)
        if guild is None or guild.unavailable:
            return {}
        channel = guild.get_channel_or_thread(context.channel_id)
        if not isinstance(channel, discord.Thread | None):  # archived threads are not in the cache
            return {}
        is_archived = channel is None or channel.archived
        changes: dict[str, Any] = {"archived": False} if is_archived else {}
        longest = table_threads.LONGEST_ARCHIVE_MINUTES
        current = None if channel is None else channel.auto_archive_duration
        if table_threads.has_own_thread(context.state) and current != longest:
            changes["auto_archive_duration"] = longest
        return changes


class ThreadMembers:
    """Adds people to a table's thread; the last lane of its chain.

    Each is added once, when they sit down, so a person who leaves the thread is not added again. At
    a paused table nobody is added until it goes on. Failures never hold up the other lanes.
    """

    def __init__(
        self, context: ChannelContext, wake: Callable[[], None], check_thread: Callable[[], None]
    ) -> None:
        self._context = context
        self._check_thread = check_thread
        self._pause = RetryPause(context.bot.clock, wake)

    @property
    def pending(self) -> bool:
        """True if somebody is to be added now."""
        return not self._pause.running and bool(self._missing())

    def try_early(self) -> None:
        """Shorten the pause after a failure."""
        self._pause.shorten()

    def close(self) -> None:
        """Cancel the retry at shutdown."""
        self._pause.cancel()

    async def work(self) -> None:
        """Add the missing people, and store that they are added."""
        missing, context = self._missing(), self._context
        try:
            await self._add(missing)
            added = (*context.state.messages.added, *missing)
            await context.bot.tables.messages.store_ids(context.table_id, added=added)
        except REQUEST_FAILURES as error:
            if thread_is_closed(error):
                self._check_thread()
            self._pause.begin(error)
        else:
            self._pause.reset()

    async def _add(self, user_ids: Sequence[UserId]) -> None:
        """Add these people; raise temporary errors and log final ones."""
        context = self._context
        try:
            if context.bot.discord_behaviour.adds_members_by == "put":
                for user_id in user_ids:
                    await context.bot.http.add_user_to_thread(context.channel_id, user_id)
            else:
                await self._mention(user_ids)
        except REQUEST_FAILURES as error:
            if thread_is_closed(error) or is_temporary(error):
                raise
            message = "table %s: member not added to its thread: %s"
            log.warning(message, context.table_id, log_text(error))

    async def _mention(self, user_ids: Sequence[UserId]) -> None:
        """Add people by an edit that mentions them, which notifies nobody (needle issue 107)."""
        line = await self._context.channel.send("👥", allowed_mentions=NOBODY)
        try:
            people = " ".join(f"<@{user_id}>" for user_id in user_ids)
            await line.edit(content=people, allowed_mentions=mentions_of(*user_ids))
        finally:
            with suppress(*REQUEST_FAILURES):  # a retry would post another line
                await line.delete()

    def _missing(self) -> list[UserId]:
        """Return the people at the table who have not been added to its thread yet."""
        state = self._context.state
        guild = self._context.bot.get_guild(self._context.guild_id)
        paused = isinstance(state, Game) and state.timers.paused
        if guild is None or guild.unavailable or not state.open or paused:
            return []
        if guild.get_channel(state.channel_id) is not None:  # it is not a thread
            return []
        people = state.user_ids()
        if isinstance(state, Game):
            people += [newcomer.user_id for newcomer in state.notes.coming.values()]
        return [user_id for user_id in people if user_id not in state.messages.added]
