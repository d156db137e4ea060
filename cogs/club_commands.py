"""The slash commands ``/tichu event``, ``/tichu tournament`` and ``/tichu league``.

They announce an event of a club, or list the events.
"""

from __future__ import annotations

from functools import partial

from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.club.dates import LONGEST_DATE, examples
from bot.club.settings import (
    LONGEST_TITLE,
    MOST_DIVISIONS,
    MOST_EXCHANGED,
    MOST_ROUNDS,
    DrawBy,
    FormatName,
    NoShow,
)
from bot.errors import Refused
from bot.ids import UserId
from bot.text import Say, capital
from bot.text.sentences import sentence
from cogs.clicks.club import NewEvent, announce, read_own_date, show_events
from cogs.clicks.league import finished_season, season_choices
from cogs.command_texts import GAMES, localized
from cogs.context_commands import ContextCommands
from cogs.delivery.message_languages import load_reader
from cogs.delivery.replies import Interaction
from cogs.pages.club.matches import format_name, pace_text, rounds_text
from cogs.pages.club.private import with_place
from cogs.pages.controls import LONGEST_OPTION, cut

_DRAW_BY: list[Choice[str]] = [
    Choice(name=locale_str("By rating"), value="rating"),
    Choice(name=locale_str("By lot"), value="lot"),
]
"""Choices of a way to make tables or pairs."""


def _pace(hours: int, say: Say) -> str:
    """Return a pace as the name of a choice."""
    return capital(pace_text(hours, say))


_FORMATS: list[Choice[str]] = [
    Choice(name=localized(partial(format_name, name)), value=name)
    for name in ("swiss", "round-robin", "knock-out", "duplicate", "teams")
]
_MATCHES = [
    *(Choice(name=localized(partial(rounds_text, each)), value=each) for each in (2, 4, 8)),
    Choice(name=locale_str("To the usual score"), value=0),
]
_USUAL_MATCH, _USUAL_SLOW_MATCH = 4, 2
"""Rounds of a match of an evening, and with days for each round of the tournament."""
_PACES = [Choice(name=localized(partial(_pace, each)), value=each) for each in (0, 24, 72, 168)]
_NO_SHOW: list[Choice[str]] = [
    Choice(name=locale_str("Computers play"), value="computer"),
    Choice(name=locale_str("The match is lost"), value="forfeit"),
]


class ClubCommands(ContextCommands):
    """Commands of the group ``/tichu`` for events of clubs; part of its cog."""

    @app_commands.command(description=locale_str("Invite to a Tichu night, or see the events here"))
    @app_commands.describe(
        when=locale_str("When it begins, such as Fri 20:00 (default: show the events)"),
        title=locale_str("Title of the event"),
        or_=locale_str("Another date; people say when they can"),
        or2=locale_str("A third date"),
        weekly=locale_str("Announce it again each week"),
        tables=locale_str("How tables are made (default: by rating)"),
        variant=locale_str("Which game (default: Tichu for 4 players)"),
    )
    @app_commands.rename(or_="or", or2="or-else")
    @app_commands.choices(
        variant=GAMES,
        tables=_DRAW_BY,
    )
    async def event(
        self,
        interaction: Interaction,
        when: app_commands.Range[str, 1, LONGEST_DATE] | None = None,
        title: app_commands.Range[str, 1, LONGEST_TITLE] | None = None,
        or_: app_commands.Range[str, 1, LONGEST_DATE] | None = None,
        or2: app_commands.Range[str, 1, LONGEST_DATE] | None = None,
        weekly: bool = False,
        tables: DrawBy = "rating",
        variant: str | None = None,
    ) -> None:
        """Announce a game night in this channel, or show the events of the server privately."""
        ctx = self._context(interaction)
        dates = [each for each in (when, or_, or2) if each is not None]
        if dates:
            settings = {"weekly": weekly, "draw_by": tables}
            await announce(ctx, NewEvent(dates, title, variant, settings))
        else:
            await show_events(ctx)

    @app_commands.command(description=locale_str("Announce a tournament of pairs here"))
    @app_commands.describe(
        when=locale_str("When it begins, such as Fri 20:00 (default: show the events)"),
        title=locale_str("Title of the tournament"),
        format_=locale_str("Who meets whom (default: Swiss)"),
        matches=locale_str("Length of each match (default: 4 rounds, or 2 with days per round)"),
        rounds=locale_str("Number of rounds (default: as many as the pairs need)"),
        pace=locale_str("Time for the rounds (default: one evening)"),
        no_show=locale_str("If nobody of a pair comes (default: computers play)"),
        alone=locale_str("How people without a partner get one (default: by rating)"),
    )
    @app_commands.rename(format_="format", no_show="no-show")
    @app_commands.choices(format_=_FORMATS, no_show=_NO_SHOW, alone=_DRAW_BY)
    @app_commands.choices(matches=_MATCHES, pace=_PACES)
    async def tournament(
        self,
        interaction: Interaction,
        when: app_commands.Range[str, 1, LONGEST_DATE] | None = None,
        title: app_commands.Range[str, 1, LONGEST_TITLE] | None = None,
        format_: FormatName = "swiss",
        matches: int | None = None,
        rounds: app_commands.Range[int, 1, MOST_ROUNDS] | None = None,
        pace: int = 0,
        no_show: NoShow = "computer",
        alone: DrawBy = "rating",
    ) -> None:
        """Announce a tournament in this channel, or show the events of the server privately."""
        ctx = self._context(interaction)
        if when is None:
            await show_events(ctx)
            return
        if matches is None:
            matches = _USUAL_SLOW_MATCH if pace else _USUAL_MATCH
        settings = {
            "format": format_,
            "match_rounds": matches or None,
            "rounds": rounds,
            "round_hours": pace or None,
            "no_show": no_show,
            "draw_by": alone,
        }
        await announce(ctx, NewEvent([when], title, "nanjing", settings))

    @app_commands.command(description=locale_str("Announce a league of pairs here"))
    @app_commands.describe(
        when=locale_str("When the season begins, such as Fri 20:00 (default: show the events)"),
        title=locale_str("Title of the league"),
        divisions=locale_str("Number of divisions (default: 1)"),
        twice=locale_str("Everybody meets twice"),
        exchanged=locale_str("Pairs promoted and relegated after the season (default: 1)"),
        follows=locale_str("The season before, which decides the divisions"),
    )
    async def league(
        self,
        interaction: Interaction,
        when: app_commands.Range[str, 1, LONGEST_DATE] | None = None,
        title: app_commands.Range[str, 1, LONGEST_TITLE] | None = None,
        divisions: app_commands.Range[int, 1, MOST_DIVISIONS] = 1,
        twice: bool = False,
        exchanged: app_commands.Range[int, 0, MOST_EXCHANGED] = 1,
        follows: str | None = None,
    ) -> None:
        """Announce a season in this channel, or show the events of the server privately."""
        ctx = self._context(interaction)
        if when is None:
            await show_events(ctx)
            return
        settings = {
            "format": "league",
            "divisions": divisions,
            "twice": twice,
            "exchanged": exchanged,
            "follows": None if follows is None else await finished_season(ctx, follows),
        }
        await announce(ctx, NewEvent([when], title, "nanjing", settings))

    @league.autocomplete("follows")
    async def _seasons(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Return the finished seasons of the server."""
        return await season_choices(self._context(interaction), typed)

    @league.autocomplete("when")
    @tournament.autocomplete("when")
    @event.autocomplete("when")
    @event.autocomplete("or_")
    @event.autocomplete("or2")
    async def _dates(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Return how the typed date is read or why it cannot be; two examples before any text."""
        await load_reader(self.services.bot, interaction)
        ctx = self._context(interaction)
        language, bot = ctx.words.say.language, self.services.bot
        zone = bot.store.personal_settings.cached(UserId(interaction.user.id)).zone
        choices = list[Choice[str]]()
        for written in (typed,) if typed.strip() else examples(zone, language, bot.clock.now()):
            try:
                name = with_place(read_own_date(ctx, written, zone), zone, language)
            except Refused as refused:
                name = sentence(ctx.words.say, refused)
            choices.append(
                Choice(name=cut(name, LONGEST_OPTION), value=cut(written, LONGEST_OPTION))
            )
        return choices
