"""**Share**: a leaderboard, a profile or a position of a replay, posted for all in the channel.

What is posted is made anew in the server's language, without anything that concerns its reader
alone. It is the answer to the press of the button, so it needs no permission of the bot; whoever
presses must be allowed to write in the channel (`cogs.clicks.rights`), and may share once in
`PAUSE`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.history.matches import venue_of
from bot.ids import GuildId, UserId
from bot.rating.tallies import season_of
from bot.text.cards import Speaker
from cogs.clicks.click import Click
from cogs.clicks.history import visible_table
from cogs.clicks.profile import ProfileClicks
from cogs.clicks.refusal_sentences import answering, in_range
from cogs.clicks.replay import ReplayClicks
from cogs.delivery.announcer import Announcer
from cogs.delivery.message_languages import public_words
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import Page
from cogs.pages.history.replay import ReplayQuery, read_replay_query, replay_page
from cogs.pages.profiles.leaderboard import (
    PEOPLE_PER_PAGE,
    last_seasons,
    read_board_query,
    shared_leaderboard_page,
)
from cogs.pages.profiles.profile import read_profile_query
from cogs.pages.verbs import Verb

PAUSE = timedelta(seconds=10)
"""Between two pages that one person shares."""


class ShareClicks:
    """Posts what somebody shares; refusals are answered privately."""

    def __init__(
        self,
        bot: TichuBot,
        announcer: Announcer,
        profiles: ProfileClicks,
        replays: ReplayClicks,
    ) -> None:
        self.bot = bot
        self.profiles = profiles
        self.replays = replays
        self._last: dict[UserId, datetime] = {}
        """When people have shared something, as far as it was within the pause."""
        self.verbs = answering(
            announcer,
            {
                Verb.SHARE_LEADERS: self._sharing(self._leaderboard),
                Verb.SHARE_PROFILE: self._sharing(self._profile),
                Verb.SHARE_REPLAY: self._sharing(self._replay),
            },
        )

    async def _leaderboard(self, click: Click, words: Speaker) -> Page:
        interaction, seasons = click.interaction, last_seasons(season_of(self.bot.clock.now()))
        query = read_board_query(click.args, seasons)
        board = query.board(GuildId(interaction.guild_id or 0))
        rankings = self.bot.store.rankings
        reading = rankings.page(board, query.page, PEOPLE_PER_PAGE, click.user_id)
        found = await Reply(interaction).reading(reading)
        return shared_leaderboard_page(query, found, seasons, words, click.user_id)

    async def _profile(self, click: Click, words: Speaker) -> Page:
        query = read_profile_query(click.args)
        return await self.profiles.shared(click.interaction, query, words)

    async def _replay(self, click: Click, words: Speaker) -> Page:
        interaction, query = click.interaction, read_replay_query(click.args)
        looking = visible_table(self.bot, interaction, click.table_id)
        record = await Reply(interaction).reading(looking)
        venue = await Reply(interaction).reading(venue_of(self.bot.store, record, click.user_id))
        if not seen_by_all(interaction, venue):
            raise Refused(Reason.NOT_SHOWN_HERE)
        finding = self.replays.replays.replay(record, in_range(query.number) or None)
        found = await Reply(interaction).reading(finding)
        query = ReplayQuery(found.played.number, query.place, query.opened)
        return replay_page(found, query, words, click.user_id)

    def _sharing(
        self, page_of: Callable[[Click, Speaker], Awaitable[Page]]
    ) -> Callable[[Click], Awaitable[None]]:
        """Post what `page_of` makes of a click, for all, and notify nobody.

        The pause begins before anything is read, so that of two taps one is refused; it does not
        begin if nothing can be shown.
        """

        async def share(click: Click) -> None:
            words = self._checked(click.interaction)
            self._last[click.user_id] = self.bot.clock.now()
            try:
                page = await page_of(click, words)
            except Exception:
                self._last.pop(click.user_id, None)
                raise
            await Reply(click.interaction).send_to_all(page)

        return share

    def _checked(self, interaction: Interaction) -> Speaker:
        """The server's words; `Refused` if whoever asks has just shared."""
        now = self.bot.clock.now()
        self._last = {user: at for user, at in self._last.items() if now - at < PAUSE}
        if interaction.user.id in self._last:
            raise Refused(Reason.SHARED_JUST_NOW, seconds=PAUSE.seconds)
        return public_words(self.bot, GuildId(interaction.guild_id or 0))


def seen_by_all(interaction: Interaction, venue: Venue) -> bool:
    """Whether all who read the channel of a request may see what was played in this channel.

    That is so in the channel itself and its threads, and if everybody on the server can see it.
    """
    here = interaction.channel
    parent = here.parent_id if isinstance(here, discord.Thread) else None
    if venue.channel_id in (interaction.channel_id, parent):
        return True
    guild = interaction.guild
    played = guild.get_channel_or_thread(venue.channel_id) if guild is not None else None
    if played is None and guild is not None and venue.parent_channel_id is not None:
        played = guild.get_channel(venue.parent_channel_id)
    if isinstance(played, discord.Thread):
        played = None if played.is_private() else played.parent
    if guild is None or played is None:
        return False
    return played.permissions_for(guild.default_role).view_channel
