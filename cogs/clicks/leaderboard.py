"""The leaderboard: shows the page that a command or a control asks for. Private."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.ids import GuildId, UserId
from bot.rating.tallies import season_of
from cogs.clicks.click import Click
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.profiles.leaderboard import (
    PEOPLE_PER_PAGE,
    BoardQuery,
    last_seasons,
    leaderboard_page,
    read_board_query,
)
from cogs.pages.verbs import Verb


class LeaderboardClicks:
    """The controls of the leaderboard."""

    def __init__(self, announcer: Announcer) -> None:
        self._announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {Verb.LEADERS: self.turn}

    async def turn(self, click: Click) -> None:
        """Another part of this leaderboard, or another one."""
        written = click.values[0] if click.values else click.args
        seasons = last_seasons(season_of(self._announcer.bot.clock.now()))
        query = read_board_query(written, seasons)
        await show_leaderboard(self._announcer, click.interaction, query)


async def show_leaderboard(
    announcer: Announcer, interaction: Interaction, query: BoardQuery
) -> None:
    """The page that is asked for, or the last one if the board has become shorter."""
    board = query.board(GuildId(interaction.guild_id or 0))
    reading = announcer.bot.store.rankings.page(
        board, query.page, PEOPLE_PER_PAGE, UserId(interaction.user.id)
    )
    found = await Reply(interaction).reading(reading)
    seasons = last_seasons(season_of(announcer.bot.clock.now()))
    page = leaderboard_page(query, found, seasons, announcer.private(interaction))
    await Reply(interaction).show(page)
