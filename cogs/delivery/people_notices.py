"""Notices about the people of a table: nudges, absent players, free seats.

They are separate messages in its channel, or direct messages. Each is rewritten or removed as soon
as somebody whom it names has acted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

import discord

from bot.ids import ChannelId, MessageId, UserId
from bot.table.interruptions import nudged_users
from bot.table.state import Game, OpenTable
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.messages import NOBODY, away_lines
from cogs.delivery.nudges import Nudges
from cogs.pages.controls import Buttons
from cogs.pages.table.nudge import nudge_notice
from cogs.pages.table.seats import free_seats_fingerprint, take_seat_rows

Write = Callable[[], Awaitable[object]]
"""Function that rewrites or removes a message; it raises the request's errors."""


class PeopleNotices:
    """The notices of one table, a part of its live messages.

    `rewrite` schedules a write under a key; it replaces a pending write with the same key.
    """

    def __init__(
        self,
        context: ChannelContext,
        nudges: Nudges,
        rewrite: Callable[[str, Write], None],
    ) -> None:
        self._context = context
        self._nudges = nudges
        self._rewrite = rewrite
        self._removing: set[MessageId] = set()
        """Nudges that are being removed, so that each is removed only once."""

    # --- scheduling of rewrites ----------------------------------------------------------------

    def update(self, before: OpenTable, after: Game) -> None:
        """Update nudges, absence lines and seat offers after a change.

        Nudges name only people who are still awaited, and absence lines only people who are still
        away. A seat is offered as long as it is free. At a restart, `before` and `after` are the
        same object.
        """
        nudge = before.messages.nudge
        if nudge and not nudged_users(after):
            self.remove_nudge(nudge)
        elif nudge and isinstance(before, Game) and _nudge_content(before) != _nudge_content(after):
            self.rewrite_nudge()
        direct = after.messages.direct.keys()
        if direct and not (after.running and direct <= set(nudged_users(after))):
            self.rewrite_direct()
        if not after.running or after.messages.away.keys() - set(after.notes.away):
            self.rewrite_away()
        seats_before, seats_after = free_seats_fingerprint(before), free_seats_fingerprint(after)
        if after.messages.free and (before is after or seats_before != seats_after):
            self.rewrite_free_seats()

    def rewrite_nudge(self) -> None:
        """Remove people who have acted from the nudge."""
        self._rewrite("nudge", self._write_nudge)

    def remove_nudge(self, message_id: MessageId) -> None:
        """Remove a nudge, because nobody is awaited or a newer one replaces it."""
        if message_id not in self._removing:
            self._removing.add(message_id)
            self._rewrite(f"nudge-{message_id}", lambda: self._remove_nudge(message_id))

    def rewrite_direct(self) -> None:
        """Remove the direct messages to people who have acted."""
        self._rewrite("direct", self._write_direct)

    def remove_direct(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Remove a direct message, because its reader got a newer one."""
        self._rewrite(f"direct-{message_id}", lambda: self._nudges.remove(channel_id, message_id))

    def rewrite_away(self) -> None:
        """Remove people who are back from the lines about absent players."""
        self._rewrite("away", self._write_away)

    def rewrite_free_seats(self) -> None:
        """Update the seats that the lines offer to everybody."""
        self._rewrite("free-seats", self._write_free_seats)

    # --- rewriting -----------------------------------------------------------------------------

    async def _write_nudge(self) -> None:
        state = self._context.state
        message_id = state.messages.nudge
        if not isinstance(state, Game) or message_id is None:
            return
        nudged = await self._nudges.people_to_mention(state)
        if nudged.mentioned:
            await self._context.replace_message(
                message_id, nudge_notice(state, nudged, self._context.words)
            )
        else:
            self.remove_nudge(message_id)

    async def _remove_nudge(self, message_id: MessageId) -> None:
        await self._context.remove(message_id)
        if self._context.state.messages.nudge == message_id:
            await self._context.bot.tables.messages.store_ids(
                self._context.table_id, nudge=MessageId(0)
            )
        self._removing.discard(message_id)

    async def _write_direct(self) -> None:
        state = self._context.state
        direct, awaited = state.messages.direct, people_in_nudge(state)
        for user_id, location in direct.items():
            if user_id not in awaited:
                await self._nudges.remove(*location)
        remaining = {user_id: direct[user_id] for user_id in direct if user_id in awaited}
        if remaining != direct:
            store_ids = self._context.bot.tables.messages.store_ids
            await store_ids(self._context.table_id, direct=remaining)

    async def _write_away(self) -> None:
        state = self._context.state
        if not isinstance(state, Game):
            return
        away = state.notes.away if state.running else ()
        message_ids = dict(state.messages.away)  # by seat
        for message_id in sorted(set(message_ids.values())):
            named = [seat for seat in message_ids if message_ids[seat] == message_id]
            still_away = [seat for seat in named if seat in away]
            if still_away == named:
                continue
            if still_away:
                with contextlib.suppress(discord.NotFound):
                    message = self._context.channel.get_partial_message(message_id)
                    content = away_lines(state, still_away, self._context.words)
                    await message.edit(content=content, attachments=[], allowed_mentions=NOBODY)
            else:
                await self._context.remove(message_id)
            for seat in set(named) - set(still_away):
                del message_ids[seat]
            store_ids = self._context.bot.tables.messages.store_ids
            await store_ids(self._context.table_id, away=dict(message_ids))

    async def _write_free_seats(self) -> None:
        """Update the seats that each message offers; drop ids of seats without a computer.

        A seat that somebody will take at the next round still has its computer, so its id is kept:
        the seat may be offered again.
        """
        state = self._context.state
        if not isinstance(state, Game):
            return
        message_ids = state.messages.free  # by seat
        for message_id in sorted(set(message_ids.values())):
            seats = [seat for seat in message_ids if message_ids[seat] == message_id]
            buttons = Buttons(*take_seat_rows(state, seats, self._context.words))
            message = self._context.channel.get_partial_message(message_id)
            with contextlib.suppress(discord.NotFound):
                await message.edit(view=buttons, attachments=[], allowed_mentions=NOBODY)
        remaining = {
            seat: message_id
            for seat, message_id in message_ids.items()
            if state.running and state.chairs[seat].kind == "computer"
        }
        if remaining != message_ids:
            store_ids = self._context.bot.tables.messages.store_ids
            await store_ids(self._context.table_id, free=remaining)


def _nudge_content(game: Game) -> object:
    """Return a value that changes with the people and names in a nudge."""
    return nudged_users(game), game.chairs


def people_in_nudge(state: OpenTable) -> tuple[UserId, ...]:
    """Return the people whom a nudge at this table would name now."""
    return nudged_users(state) if isinstance(state, Game) else ()
