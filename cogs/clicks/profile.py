"""Shows profiles: for the command and the menu, and on clicks on a profile's own buttons.

People who are hidden see their own profile, and nobody else does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.shared_work import SharedWork
from bot.ids import GuildId, UserId
from bot.pictures.alt_texts import alt_text
from bot.profiles.achievements import achievements
from bot.profiles.careers import Career, career
from bot.score_records import Played, Preferences
from bot.text.cards import Speaker
from cogs.clicks.click import Click
from cogs.clicks.page_pictures import PagePictures
from cogs.clicks.rating_pictures import described
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import Page
from cogs.pages.profiles.profile import (
    RATING_FILE,
    ProfileQuery,
    achievements_page,
    nothing_page,
    profile_page,
    read_profile_query,
)
from cogs.pages.verbs import Verb


class ProfileClicks:
    """Finds and shows profiles; refusals are raised."""

    def __init__(
        self, bot: TichuBot, announcer: Announcer, work: SharedWork, pictures: PagePictures
    ) -> None:
        self.bot = bot
        self.announcer = announcer
        self._work = work
        self._pictures = pictures
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.PROFILE: self.profile,
            Verb.ACHIEVEMENTS: self.achievements,
        }

    async def profile(self, click: Click) -> None:
        await self.open(click.interaction, read_profile_query(click.args))

    async def achievements(self, click: Click) -> None:
        query, interaction = read_profile_query(click.args), click.interaction
        user_id = query.user_id
        await self._preferences(interaction, user_id)
        played = await self._played(interaction, query)
        if played is None or not played.stretches:
            await self._show_nothing(interaction, query, played)
            return
        speaker = self.announcer.private(interaction)
        page = achievements_page(user_id, played.variant, achievements(played), speaker)
        await self._pictures.show(interaction, page)

    async def open(self, interaction: Interaction, query: ProfileQuery) -> None:
        """The profile that is asked for, for one reader."""
        user_id = query.user_id
        preferences = await self._preferences(interaction, user_id)
        played = await self._played(interaction, query)
        found = career(played) if played is not None else None
        if played is None or found is None:
            await self._show_nothing(interaction, query, played)
            return
        names = await self._names(interaction, found)
        speaker, earned = self.announcer.private(interaction), achievements(played)

        def page(drawn: str | None = None) -> Page:
            games = tuple(played.games)
            return profile_page(found, earned, games, names, preferences, speaker, drawn=drawn)

        message_id = await self._pictures.show(interaction, page())
        chart = described(played, names.get(user_id) or speaker.say("Player"), speaker.say)
        if chart is not None:
            alt = alt_text(chart, speaker.say)
            self._pictures.begin(interaction, message_id, chart, RATING_FILE, alt, page)

    async def shared(self, interaction: Interaction, query: ProfileQuery, words: Speaker) -> Page:
        """The profile that is asked for, for everybody in the channel."""
        preferences = await self._preferences(interaction, query.user_id)
        played = await self._played(interaction, query)
        found = career(played) if played is not None else None
        if preferences.hidden or played is None or found is None:
            raise Refused(Reason.PROFILE_HIDDEN)
        names, games = await self._names(interaction, found), tuple(played.games)
        earned, by = achievements(played), UserId(interaction.user.id)
        return profile_page(found, earned, games, names, preferences, words, by=by)

    async def _names(self, interaction: Interaction, shown: Career) -> Mapping[UserId, str]:
        """The names of everybody whom a profile tells of."""
        asking = self.bot.store.rankings.names(interaction.guild_id or 0, _people_named(shown))
        return await Reply(interaction).reading(asking)

    async def _preferences(self, interaction: Interaction, user_id: UserId) -> Preferences:
        """What a person has chosen; refused if they are hidden from the one who asks."""
        preferences = await Reply(interaction).reading(self.bot.store.preferences.get(user_id))
        if preferences.hidden and user_id != interaction.user.id:
            raise Refused(Reason.PROFILE_HIDDEN)
        return preferences

    async def _played(self, interaction: Interaction, query: ProfileQuery) -> Played | None:
        wanted = (GuildId(interaction.guild_id or 0), query.user_id, query.variant)
        looking = partial(self.bot.store.history.played, *wanted)
        return await Reply(interaction).reading(self._work.result(("played", *wanted), looking))

    async def _show_nothing(
        self, interaction: Interaction, query: ProfileQuery, played: Played | None
    ) -> None:
        games = () if played is None else tuple(played.games)
        speaker, own = self.announcer.private(interaction), query.user_id == interaction.user.id
        page = nothing_page(query.user_id, games, speaker, own=own, variant=query.variant)
        await self._pictures.show(interaction, page)


def _people_named(career: Career) -> set[UserId]:
    """Everybody whose name the profile tells."""
    others = (career.favourite, career.best_partner, career.nemesis)
    return {career.user_id} | {who.user_id for who in others if who is not None}
