"""Notices about the people of a table: awaited players, absent players, free seats.

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
"""Writes or removes a message; raises the request's errors."""


class PeopleNotices:
    """The notices of one table, a part of its live messages.

    `rewrite` schedules a write and replaces the one scheduled under the same key.
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
        self._going: set[MessageId] = set()
        """Nudges that are being removed, so that each is removed only once."""

    # --- scheduling of rewrites ----------------------------------------------------------------

    def renew(self, before: OpenTable, after: Game) -> None:
        """Update nudges, absence lines and seat offers after a change.

        Nudges name only people who are still awaited, and lines only people who are still away. A
        seat is offered as long as it is free.
        """
        nudge = before.messages.nudge
        if nudge and not nudged_users(after):
            self.remove_nudge(nudge)
        elif nudge and isinstance(before, Game) and _named(before) != _named(after):
            self.rewrite_nudge()
        direct = after.messages.direct.keys()
        if direct and not (after.running and direct <= set(nudged_users(after))):
            self.rewrite_direct()
        if not after.running or after.messages.away.keys() - set(after.notes.away):
            self.rewrite_away()
        same = before is not after and free_seats_fingerprint(before) == free_seats_fingerprint(
            after
        )
        if after.messages.free and not same:
            self.rewrite_free_seats()

    def rewrite_nudge(self) -> None:
        """Remove people who have acted from the nudge."""
        self._rewrite("nudge", self._write_nudge)

    def remove_nudge(self, message_id: MessageId) -> None:
        """Remove the nudge, because nobody is awaited any more."""
        if message_id not in self._going:
            self._going.add(message_id)
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
        state = self._context.now
        message_id = state.messages.nudge
        if not isinstance(state, Game) or message_id is None:
            return
        nudged = await self._nudges.nudged(state)
        if nudged.mentioned:
            await self._context.put(message_id, nudge_notice(state, nudged, self._context.words))
        else:
            self.remove_nudge(message_id)

    async def _remove_nudge(self, message_id: MessageId) -> None:
        await self._context.remove(message_id)
        if self._context.now.messages.nudge == message_id:
            await self._context.bot.tables.messages.store_ids(
                self._context.table_id, nudge=MessageId(0)
            )
        self._going.discard(message_id)

    async def _write_direct(self) -> None:
        state = self._context.now
        direct, waiting = state.messages.direct, named_by_nudge(state)
        for user_id, place in direct.items():
            if user_id not in waiting:
                await self._nudges.remove(*place)
        still = {user_id: place for user_id, place in direct.items() if user_id in waiting}
        if still != direct:
            await self._context.bot.tables.messages.store_ids(self._context.table_id, direct=still)

    async def _write_away(self) -> None:
        state = self._context.now
        if not isinstance(state, Game):
            return
        away, lines = state.notes.away if state.running else (), dict(state.messages.away)
        for message_id in sorted(set(lines.values())):
            named = [seat for seat, line in lines.items() if line == message_id]
            still = [seat for seat in named if seat in away]
            if still == named:
                continue
            if still:
                with contextlib.suppress(discord.NotFound):
                    message = self._context.channel.get_partial_message(message_id)
                    content = away_lines(state, still, self._context.words)
                    await message.edit(content=content, attachments=[], allowed_mentions=NOBODY)
            else:
                await self._context.remove(message_id)
            lines = {
                seat: line for seat, line in lines.items() if line != message_id or seat in still
            }
            await self._context.bot.tables.messages.store_ids(self._context.table_id, away=lines)

    async def _write_free_seats(self) -> None:
        """Update the seats that each line offers; drop lines without free seats.

        A seat that somebody is waiting for may become free again, so its line is kept.
        """
        state = self._context.now
        if not isinstance(state, Game):
            return
        lines = dict(state.messages.free)
        for message_id in sorted(set(lines.values())):
            seats = [seat for seat, line in lines.items() if line == message_id]
            buttons = Buttons(*take_seat_rows(state, seats, self._context.words))
            message = self._context.channel.get_partial_message(message_id)
            with contextlib.suppress(discord.NotFound):
                await message.edit(view=buttons, attachments=[], allowed_mentions=NOBODY)
        left = {
            seat: line
            for seat, line in lines.items()
            if state.running and state.chairs[seat].kind == "computer"
        }
        if left != lines:
            await self._context.bot.tables.messages.store_ids(self._context.table_id, free=left)


def _named(game: Game) -> object:
    """Return a value that changes with the people and names in a nudge."""
    return nudged_users(game), game.chairs


def named_by_nudge(state: OpenTable) -> tuple[UserId, ...]:
    """Return the people whom a nudge at this table names."""
    return nudged_users(state) if isinstance(state, Game) else ()
