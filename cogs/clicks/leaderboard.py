"""The leaderboard: shows the page that a command or a control asks for. Private."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.errors import Refused
from bot.rating.tallies import season_of
from cogs.delivery.announcer import Surface
from cogs.delivery.replies import Interaction, in_time, show
from cogs.pages.controls import Click
from cogs.pages.leaderboard import (
    LINES,
    BoardQuery,
    last_seasons,
    leaderboard_page,
    read_board_query,
)


class LeaderboardClicks:
    """The controls of the leaderboard."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {"leaders": self.turn}

    async def turn(self, click: Click) -> None:
        """Another part of this leaderboard, or another one."""
        written = click.values[0] if click.values else click.args
        seasons = last_seasons(season_of(self._surface.bot.clock.now()))
        query = read_board_query(written, seasons)
        await show_leaderboard(self._surface, click.interaction, query)


async def show_leaderboard(surface: Surface, interaction: Interaction, query: BoardQuery) -> None:
    """The page that is asked for, or the last one if the board has become shorter."""
    if interaction.guild_id is None:
        raise Refused("unknown-button")
    board = query.board(interaction.guild_id)
    reading = surface.bot.store.rankings.page(board, query.page, LINES, interaction.user.id)
    found = await in_time(interaction, reading)
    seasons = last_seasons(season_of(surface.bot.clock.now()))
    page = leaderboard_page(query, found, seasons, surface.private(interaction))
    await show(interaction, page)
