"""Shows profiles: to whoever asks by a command, and on clicks on a profile's own buttons.

Somebody who is hidden sees his own profile, and nobody else does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.profiles.achievements import achievements
from bot.profiles.careers import Career, career
from bot.score_records import Played, Preferences
from cogs.clicks.rating_pictures import RatingPictures
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import Click, Page, number
from cogs.pages.profile import achievements_page, nothing_page, profile_page
from cogs.pages.verbs import Verb
from engine.variants import VARIANTS


class ProfileClicks:
    """Finds and shows profiles; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
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
        await self._preferences(interaction, user_id)
        played = await self._played(interaction, user_id, game)
        if played is None or not played.stretches:
            await self._show_nothing(interaction, user_id, played, game)
            return
        to = self.announcer.private(interaction)
        page = achievements_page(user_id, played.variant, achievements(played), to)
        await self._show(interaction, page)

    async def open(self, interaction: Interaction, user_id: int, game: str | None = None) -> None:
        """Somebody's profile in a game (by default the one he plays most), for one reader."""
        preferences = await self._preferences(interaction, user_id)
        played = await self._played(interaction, user_id, game)
        found = career(played) if played is not None else None
        if played is None or found is None:
            await self._show_nothing(interaction, user_id, played, game)
            return
        asking = self.bot.store.rankings.names(interaction.guild_id or 0, _told(found, user_id))
        names = await Reply(interaction).reading(asking)
        to, earned = self.announcer.private(interaction), achievements(played)

        def page(drawn: str | None = None) -> Page:
            games = tuple(played.games)
            return profile_page(found, earned, games, names, preferences, to, drawn=drawn)

        message_id = await self._show(interaction, page())
        self.pictures.begin(interaction, message_id, played, names.get(user_id), to, page)

    async def _preferences(self, interaction: Interaction, user_id: int) -> Preferences:
        """What somebody has chosen; refused if it is to be hidden from whoever asks."""
        preferences = await Reply(interaction).reading(self.bot.store.settings.preferences(user_id))
        if preferences.hidden and user_id != interaction.user.id:
            raise Refused(Reason.PROFILE_HIDDEN)
        return preferences

    async def _played(
        self, interaction: Interaction, user_id: int, game: str | None
    ) -> Played | None:
        store, guild_id = self.bot.store, interaction.guild_id or 0
        return await Reply(interaction).reading(store.history.played(guild_id, user_id, game))

    async def _show_nothing(
        self, interaction: Interaction, user_id: int, played: Played | None, game: str | None
    ) -> None:
        games = () if played is None else tuple(played.games)
        to, own = self.announcer.private(interaction), user_id == interaction.user.id
        await self._show(interaction, nothing_page(user_id, games, to, own=own, variant=game))

    async def _show(self, interaction: Interaction, page: Page) -> int:
        """A private page without a picture; one that stood on the page before goes.

        Gives the id of its message.
        """
        message, reply = interaction.message, Reply(interaction)
        if message is None or not reply.on_private_page:
            return await reply.beside(page)
        self.pictures.stop(message.id)
        return await reply.replace(page, attachments=[])


def _chosen(args: str) -> tuple[int, str | None]:
    """The person and the game that a button means, such as ``77.trichu``."""
    user_id, _, game = args.partition(".")
    found = number(user_id)
    if found >= 2**63:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return found, game if game in VARIANTS else None


def _told(found: Career, user_id: int) -> set[int]:
    """Everybody whose name the profile tells."""
    others = (found.favourite, found.best_partner, found.nemesis)
    return {user_id} | {who.user_id for who in others if who is not None}
