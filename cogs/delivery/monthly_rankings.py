"""Posts monthly rankings."""

from __future__ import annotations

import asyncio

from bot.client import TichuBot
from bot.live.events import MonthlyRankingDue
from bot.runtime.background import in_background
from cogs.delivery.message_languages import public_words
from cogs.delivery.messages import NOBODY
from cogs.delivery.nonces import create_once
from cogs.pages.profiles.monthly_ranking import monthly_ranking_page


class MonthlyRankingPosts:
    """Posts rankings in the background; the future `posted` of each event gets the result."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot
        self._in_flight: set[asyncio.Task[None]] = set()

    def post(self, due: MonthlyRankingDue) -> None:
        """Post a ranking in the background."""
        in_background(self._post(due), f"monthly-ranking-{due.guild_id}", self._in_flight)

    async def _post(self, due: MonthlyRankingDue) -> None:
        try:
            page = monthly_ranking_page(due.ranking, public_words(self._bot, due.guild_id))
            channel = self._bot.get_partial_messageable(due.channel_id, guild_id=due.guild_id)
            await create_once(  # a repeated nonce makes Discord post it only once
                lambda nonce: channel.send(view=page, allowed_mentions=NOBODY, nonce=nonce),
                due.ranking.season,
                due.channel_id,
            )
        except Exception as error:  # noqa: BLE001 - passed on through the future
            if not due.posted.done():
                due.posted.set_exception(error)
        else:
            if not due.posted.done():
                due.posted.set_result(None)
