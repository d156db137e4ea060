"""Shows profiles: to whoever asks by a command, and on clicks on a profile's own buttons.

Somebody who is hidden sees his own profile, and nobody else does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Refused
from bot.profiles.achievements import achievements
from bot.profiles.careers import Career, career
from bot.storage import Played, Wanted
from cogs.clicks.rating_pictures import RatingPictures
from cogs.delivery.announcer import Surface
from cogs.delivery.replies import Interaction, in_time, on_private_page
from cogs.pages.controls import Click, Page, number
from cogs.pages.profile import achievements_page, nothing_page, profile_page
from cogs.pages.verbs import Verb
from engine.variants import VARIANTS


class ProfileClicks:
    """Finds and shows profiles; refusals are raised."""

    def __init__(self, bot: TichuBot, surface: Surface) -> None:
        self.bot = bot
        self.surface = surface
        self.pictures = RatingPictures(bot)
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.PROFILE: self.profile,
            Verb.ACHIEVEMENTS: self.achievements,
        }

    async def profile(self, click: Click) -> None:
        user_id, game = _chosen(click.args)
        await self.open(click.interaction, user_id, game)

    async def achievements(self, click: Click) -> None:
        user_id, game = _chosen(click.args)
        interaction = click.interaction
        await self._wanted(interaction, user_id)
        played = await self._played(interaction, user_id, game)
        if played is None or not played.stretches:
            await self._show_nothing(interaction, user_id, played, game)
            return
        to = self.surface.private(interaction)
        page = achievements_page(user_id, played.variant, achievements(played), to)
        await self._show(interaction, page)

    async def open(self, interaction: Interaction, user_id: int, game: str | None = None) -> None:
        """Somebody's profile in a game (by default the one he plays most), for one reader."""
        wanted = await self._wanted(interaction, user_id)
        played = await self._played(interaction, user_id, game)
        found = career(played) if played is not None else None
        if played is None or found is None:
            await self._show_nothing(interaction, user_id, played, game)
            return
        asking = self.bot.store.names(interaction.guild_id or 0, _told(found, user_id))
        names = await in_time(interaction, asking)
        to, earned = self.surface.private(interaction), achievements(played)

        def page(drawn: str | None = None) -> Page:
            games = tuple(played.games)
            return profile_page(found, earned, games, names, wanted, to, drawn=drawn)

        message_id = await self._show(interaction, page())
        self.pictures.begin(interaction, message_id, played, names.get(user_id), to, page)

    async def _wanted(self, interaction: Interaction, user_id: int) -> Wanted:
        """What somebody has chosen; refused if it is to be hidden from whoever asks."""
        wanted = await in_time(interaction, self.bot.store.wanted(user_id))
        if wanted.hidden and user_id != interaction.user.id:
            raise Refused("profile-hidden")
        return wanted

    async def _played(
        self, interaction: Interaction, user_id: int, game: str | None
    ) -> Played | None:
        store, guild_id = self.bot.store, interaction.guild_id or 0
        return await in_time(interaction, store.played(guild_id, user_id, game))

    async def _show_nothing(
        self, interaction: Interaction, user_id: int, played: Played | None, game: str | None
    ) -> None:
        games = () if played is None else tuple(played.games)
        to, own = self.surface.private(interaction), user_id == interaction.user.id
        await self._show(interaction, nothing_page(user_id, games, to, own=own, variant=game))

    async def _show(self, interaction: Interaction, page: Page) -> int:
        """A private page without a picture; one that stood on the page before goes.

        Gives the id of its message.
        """
        message = interaction.message
        if message is None or not on_private_page(interaction):
            return await self._send(interaction, page)
        self.pictures.stop(message.id)
        if interaction.response.is_done():
            await interaction.edit_original_response(view=page, attachments=[])
        else:
            await interaction.response.edit_message(view=page, attachments=[])
        return message.id

    async def _send(self, interaction: Interaction, page: Page) -> int:
        """A private page of its own; gives the id of its message."""
        if interaction.response.is_done():
            sent = await interaction.followup.send(view=page, ephemeral=True, wait=True)
            return sent.id
        callback = await interaction.response.send_message(view=page, ephemeral=True)
        return callback.message_id or (await interaction.original_response()).id


def _chosen(args: str) -> tuple[int, str | None]:
    """The person and the game that a button means, such as ``77.trichu``."""
    user_id, _, game = args.partition(".")
    found = number(user_id)
    if found >= 2**63:
        raise Refused("unknown-button")
    return found, game if game in VARIANTS else None


def _told(found: Career, user_id: int) -> set[int]:
    """Everybody whose name the profile tells."""
    others = (found.favourite, found.best_partner, found.nemesis)
    return {user_id} | {who.user_id for who in others if who is not None}
