"""Posts the tables of honour that `bot.profiles.seasons` asks for."""

from __future__ import annotations

from discord.ext import commands

from bot.client import TichuBot
from bot.profiles.honours import Honours
from bot.table.state import TableState
from cogs.delivery.messages import NOBODY
from cogs.delivery.speakers import public_words
from cogs.pages.honours import honours_page


class SeasonPosts(commands.Cog):
    """The herald of the seasons."""

    def __init__(self, bot: TichuBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_tables_restored(self, _: list[TableState]) -> None:
        """The bot is connected, once in its life: post what became due meanwhile."""
        await self.bot.seasons.begin(self)

    def serves(self, guild_id: int) -> bool:
        """Whether the bot is in that server."""
        return self.bot.get_guild(guild_id) is not None

    async def post(self, guild_id: int, channel_id: int, honours: Honours) -> None:
        """Post a table of honour; if it is sent again at once, Discord takes it only once."""
        page = honours_page(honours, public_words(self.bot, guild_id))
        channel = self.bot.get_partial_messageable(channel_id, guild_id=guild_id)
        same = honours.season.replace("-", "") + str(channel_id)  # at most 25 characters
        await channel.send(view=page, allowed_mentions=NOBODY, nonce=same)


async def setup(bot: TichuBot) -> None:
    """Called by discord.py for ``bot.load_extension("cogs.honours")``."""
    await bot.add_cog(SeasonPosts(bot))
