"""The slash command ``/tichu event``: announces an event of a club, or lists the events."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.club.dates import LONGEST_DATE, examples
from bot.club.settings import LONGEST_TITLE, DrawBy
from bot.errors import Refused
from bot.ids import UserId
from cogs.clicks.club import NewEvent, announce, read_own_date, show_events
from cogs.command_texts import GAMES
from cogs.context_commands import ContextCommands
from cogs.delivery.message_languages import load_reader
from cogs.delivery.replies import Interaction
from cogs.pages.club.private import with_place
from cogs.pages.controls import LONGEST_OPTION, cut


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
        tables=[
            Choice(name=locale_str("By rating"), value="rating"),
            Choice(name=locale_str("By lot"), value="lot"),
        ],
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
            await announce(ctx, NewEvent(dates, title, weekly, tables, variant))
        else:
            await show_events(ctx)

    @event.autocomplete("when")
    @event.autocomplete("or_")
    @event.autocomplete("or2")
    async def _dates(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Return how the typed date is read, or two examples of dates."""
        await load_reader(self.services.bot, interaction)
        ctx = self._context(interaction)
        language, bot = ctx.words.say.language, self.services.bot
        zone = bot.store.personal_settings.cached(UserId(interaction.user.id)).zone
        choices = list[Choice[str]]()
        for written in (typed, *examples(zone, language, bot.clock.now())):
            try:
                at = read_own_date(ctx, written, zone)
            except Refused:
                continue
            name = cut(with_place(at, zone, language), LONGEST_OPTION)
            if written == typed:
                return [Choice(name=name, value=typed)]
            choices.append(Choice(name=name, value=written))
        return choices
