"""Sends reminders of the deal of the day as direct messages."""

from __future__ import annotations

import asyncio

from bot.client import TichuBot
from bot.live.events import ReminderDue
from bot.runtime.background import in_background
from cogs.delivery.direct_messages import open_and_send
from cogs.delivery.message_languages import words_without_interaction
from cogs.pages.daily.reminder import reminder_notice


class ReminderMessages:
    """Sends reminders in the background; the future `sent` of each event gets the result."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot
        self._in_flight: set[asyncio.Task[None]] = set()

    def send(self, due: ReminderDue) -> None:
        """Send a reminder in the background."""
        in_background(self._send(due), "reminder", self._in_flight)

    async def _send(self, due: ReminderDue) -> None:
        try:
            words = words_without_interaction(self._bot, due.user_id, None)
            notice = reminder_notice(due.ends_at, words)
            await open_and_send(self._bot, due.user_id, notice, f"daily-{due.ends_at:%Y-%m-%d}")
        except Exception as error:  # noqa: BLE001 - passed on through the future
            if not due.sent.done():
                due.sent.set_exception(error)
        else:
            if not due.sent.done():
                due.sent.set_result(None)
