"""The slash commands of ``/tichu``, and the context menu of a member."""

from __future__ import annotations

import asyncio
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.listing import HistoryQuery
from bot.ids import ChannelId, TableId, UserId, optional
from bot.lessons import lessons
from bot.live.events import MayStart
from bot.puzzles.puzzle import load_puzzles
from bot.rating.tallies import season_of
from bot.records import LARGEST_NUMBER
from bot.runtime.cooldowns import Tokens
from bot.runtime.zones import matching_zones, with_time
from bot.score_records import EVER, LATELY, Order
from bot.table.options import LIVE_S
from bot.table.state import OpenTable
from bot.text import capital
from bot.text.rules import FIRST_TOPIC
from bot.text.rules import TITLES as TOPICS
from cogs.clicks.club import announce_same_cards
from cogs.clicks.context import Context, Services
from cogs.clicks.errors import refuse
from cogs.clicks.history import show_history, show_verification
from cogs.clicks.limits import PAGE, POST
from cogs.clicks.opening import NewTable, open_new
from cogs.clicks.profiles import open_leaderboard, show_leaderboard, show_profile
from cogs.clicks.replays import open_replay
from cogs.clicks.settings import choose_zone, show_settings
from cogs.clicks.stopping import stop_or_ask
from cogs.clicks.table import add_word, leave_table, post_again, show_rules
from cogs.clicks.table_actions import show_hand
from cogs.clicks.tables import show_running_hand, show_tables
from cogs.club_commands import ClubCommands
from cogs.command_texts import GAMES, TURN_BASED, CommandTranslator, localized
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import may_write
from cogs.delivery.message_languages import load_reader
from cogs.delivery.replies import Expired, Interaction
from cogs.listeners import Listeners
from cogs.pages.profiles.leaderboard import BoardQuery
from cogs.pages.profiles.profile import ProfileQuery
from cogs.pages.table.open_tables import TITLES, TableList, TablesQuery
from cogs.solo_commands import SoloCommands
from engine import TARGETS, VARIANTS, WINDOW_LENGTHS_MS
from engine.fair_deal import LONGEST_WORD
from players.levels import Level

MENU = "Tichu profile"
"""Name of the entry in the context menu of a member."""
_COSTS: dict[str, Tokens] = dict.fromkeys(
    ("new", "table", "shuffle", "stop", "event", "tournament", "league"), POST
)
"""Costs of these commands; all others, and the context menu, cost as much as a page."""
_PACES = {True: "quick", False: "human"}
"""The pace of computers, by the value of `fast_computers`."""
_PERIODS = {"ever": EVER, "season": "", "lately": LATELY}
"""Seasons of leaderboards by the value of `period`; "" stands for the current season."""
_MOST_CHOICES = 25
"""Largest number of choices that Discord shows."""
_ON_SERVERS = (
    *("new", "table", "leave", "stop", "shuffle", "verify", "history", "leaderboard"),
    *("event", "tournament", "league"),
)
"""Commands that need a server with the bot; all others work anywhere, see `places`."""


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Tichu(
    ClubCommands,
    SoloCommands,
    commands.GroupCog,
    group_name="tichu",
    group_description=locale_str("Tichu in this channel"),
):
    """The command group ``/tichu``."""

    def __init__(self, bot: TichuBot, services: Services) -> None:
        self.bot = bot
        self.services = services
        self._menu = app_commands.ContextMenu(name=MENU, callback=self._show_profile)
        self._menu.add_check(self.interaction_check)
        self._menu.error(self.cog_app_command_error)

    async def cog_load(self) -> None:
        """Set the translator of the commands, add the context menu, load lessons and puzzles."""
        for load in (lessons, load_puzzles):  # they are cached; the first call takes a moment
            await asyncio.to_thread(load)
        await self.bot.tree.set_translator(CommandTranslator())
        self.bot.tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """Remove the translator and the context menu."""
        await self.bot.tree.set_translator(None)
        self.bot.tree.remove_command(self._menu.name, type=self._menu.type)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Refuse commands that are too old or exceed the rate limit; load the user's settings."""
        ctx = self._context(interaction)
        name = interaction.command.name if interaction.command is not None else ""
        try:
            await ctx.reply.accept(f"/{name}")
            self.services.limits.check_click(ctx.user_id, _COSTS.get(name, PAGE))
            if name in _ON_SERVERS and not ctx.guild_id:
                raise Refused(Reason.SERVERS_ONLY)
        except (Refused, Expired) as error:
            if isinstance(error, Refused):
                await ctx.reply.read(load_reader(self.bot, interaction))
            raise app_commands.CheckFailure from error
        await ctx.reply.read(load_reader(self.bot, interaction))
        return True

    async def cog_app_command_error(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Answer a command that was refused or has failed, with the reason."""
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        if isinstance(cause, Expired):
            self.bot.inflight.log_expired()
            return
        await refuse(self._context(interaction), cause)

    def _table_here(self, ctx: Context) -> OpenTable:
        """Return the table of the channel, and record that the user is present.

        Raise `Refused` if there is no table.
        """
        channel_id = ChannelId(ctx.interaction.channel_id or 0)
        state = self.bot.tables.in_channel(channel_id, ctx.user_id)
        if state is None:
            self.bot.tables.damaged.check_channel(channel_id)
            raise Refused(Reason.NO_TABLE_HERE)
        self.bot.tables.clicked(state.id, ctx.user_id)
        return state

    @app_commands.command(description=locale_str("Open a table in this channel"))
    @app_commands.describe(
        variant=locale_str("Which game (default: Tichu for 4 players)"),
        computers=locale_str("Computers that join right away"),
        level=locale_str("Level of the computers (default: Expert)"),
        target=locale_str("4 or 6 players: points that win the match (default: 1,000)"),
        rounds=locale_str(
            "3 players: a multiple of 3 (default: 9); Grand Seigneur: 1 to 99 (default: no end)"
        ),
        pace=locale_str("Live, or turn-based: hours or days per turn, in a thread of its own"),
        turn_limit=locale_str(
            "Live pace: seconds per turn before a computer plays for you (default: 90)"
        ),
        fast_computers=locale_str("Computers play fast"),
        hints=locale_str(
            "Everyone may ask what an Expert would do; no round counts towards ratings"
        ),
        thread=locale_str("Give the table a thread of its own"),
        bomb_window=locale_str("Seconds to bomb after a play (default: 2)"),
        direction=locale_str("Direction of play"),
        dealing=locale_str("Cards dealt in two parts, or one by one (looks only)"),
        missed_wish=locale_str("Penalty if someone ignores a wish they could meet"),
        two_decks=locale_str("Grand Seigneur: two decks for five or six players, too"),
        same_cards=locale_str(
            "Two teams of four play the same cards at two tables (default: 2 rounds)"
        ),
    )
    @app_commands.rename(
        bomb_window="bomb-window",
        turn_limit="turn-limit",
        missed_wish="missed-wish",
        two_decks="two-decks",
        fast_computers="fast-computers",
        same_cards="same-cards",
    )
    @app_commands.choices(variant=GAMES)
    @app_commands.choices(pace=[Choice(name=locale_str("Live"), value=0), *TURN_BASED])
    @app_commands.choices(
        direction=[
            Choice(name=locale_str("Anticlockwise"), value="anticlockwise"),
            Choice(name=locale_str("Clockwise"), value="clockwise"),
        ],
        dealing=[
            Choice(name=locale_str("In two parts"), value="dealt"),
            Choice(name=locale_str("One by one"), value="drawn"),
        ],
        missed_wish=[
            Choice(name=locale_str("Must be met"), value="enforced"),
            Choice(name=locale_str("May be ignored, for a penalty"), value="penalty"),
        ],
        level=[
            Choice(name=locale_str("Novice"), value="novice"),
            Choice(name=locale_str("Regular"), value="regular"),
            Choice(name=locale_str("Expert"), value="expert"),
        ],
    )
    async def new(
        self,
        interaction: Interaction,
        variant: str | None = None,
        computers: app_commands.Range[int, 0, 11] | None = None,
        level: Level | None = None,
        target: app_commands.Range[int, TARGETS.start, TARGETS[-1]] | None = None,
        rounds: app_commands.Range[int, 1, 99] | None = None,
        pace: int | None = None,
        turn_limit: app_commands.Range[int, LIVE_S.start, LIVE_S[-1]] | None = None,
        fast_computers: bool | None = None,
        hints: bool | None = None,
        thread: bool | None = None,
        bomb_window: app_commands.Range[
            float, WINDOW_LENGTHS_MS.start / 1000, WINDOW_LENGTHS_MS[-1] / 1000
        ]
        | None = None,
        direction: Literal["anticlockwise", "clockwise"] | None = None,
        dealing: Literal["dealt", "drawn"] | None = None,
        missed_wish: Literal["enforced", "penalty"] | None = None,
        two_decks: bool | None = None,
        same_cards: bool = False,
    ) -> None:
        """Open a lobby; options that are not given are the server's defaults, or the bot's."""
        open_ = announce_same_cards if same_cards else open_new
        await open_(
            self._context(interaction),
            NewTable(variant, computers, pace, turn_limit, two_decks, thread),
            {
                "target": target,
                "rounds": rounds,
                "direction": direction,
                "dealing": dealing,
                "bomb_window_ms": None if bomb_window is None else round(bomb_window * 1000),
                "wish_policy": missed_wish,
            },
            {
                "computers": level,
                "pace": None if fast_computers is None else _PACES[fast_computers],
                "hints": hints,
            },
        )

    # --- at a table ----------------------------------------------------------------------------

    @app_commands.command(description=locale_str("Show your hand"))
    async def hand(self, interaction: Interaction) -> None:
        """Show the user's hand privately: that of the channel's table, or elsewhere any."""
        ctx = self._context(interaction)
        if ctx.guild_id:
            await show_hand(ctx, self._table_here(ctx))
        else:
            await show_running_hand(ctx)

    @app_commands.command(
        description=locale_str("Move the table to the bottom and see who it's waiting for")
    )
    async def table(self, interaction: Interaction) -> None:
        """Post the table or lobby message again at the bottom of the channel."""
        ctx = self._context(interaction)
        await post_again(ctx, self._table_here(ctx))

    @app_commands.command(description=locale_str("Leave; someone else takes your seat"))
    async def leave(self, interaction: Interaction) -> None:
        """Leave a lobby; in a match, ask who gets the seat: a computer or another member."""
        ctx = self._context(interaction)
        await leave_table(ctx, self._table_here(ctx))

    @app_commands.command(
        description=locale_str("Stop the match: by vote, or at once if you're a moderator")
    )
    async def stop(self, interaction: Interaction) -> None:
        """Vote to stop the match; ask moderators whether to vote or to stop it at once."""
        ctx = self._context(interaction)
        await stop_or_ask(ctx, self._table_here(ctx))

    @app_commands.command(description=locale_str("Add a word to the next shuffle"))
    @app_commands.describe(
        word=locale_str("Any text. Everyone sees it; a new one replaces your last")
    )
    async def shuffle(
        self, interaction: Interaction, word: app_commands.Range[str, 1, LONGEST_WORD]
    ) -> None:
        """Add a word to the next shuffle, in public (N79); see `docs/fair-deals.md`."""
        ctx = self._context(interaction)
        await add_word(ctx, self._table_here(ctx), word)

    # --- past matches --------------------------------------------------------------------------

    @app_commands.command(description=locale_str("Check that a round was dealt fairly"))
    @app_commands.describe(
        table=locale_str("Number of the table (default: the last one here)"),
        number=locale_str("Number of the round (default: the last one finished)"),
    )
    @app_commands.rename(number="round")
    async def verify(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, LARGEST_NUMBER] | None = None,
        number: app_commands.Range[int, 1, LARGEST_NUMBER] | None = None,
    ) -> None:
        """Show the commitment, secret, words and deck of a finished round privately."""
        await show_verification(self._context(interaction), optional(TableId, table), number)

    @app_commands.command(description=locale_str("Step through a past round"))
    @app_commands.describe(
        table=locale_str("Number of the table (default: the last one here)"),
        number=locale_str("Number of the round (default: the last one finished)"),
    )
    @app_commands.rename(number="round")
    async def replay(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, LARGEST_NUMBER] | None = None,
        number: app_commands.Range[int, 1, LARGEST_NUMBER] | None = None,
    ) -> None:
        """Show the positions of a finished round one after another, privately."""
        await open_replay(self._context(interaction), optional(TableId, table), number)

    @app_commands.command(description=locale_str("Past matches"))
    @app_commands.describe(
        player=locale_str("Whose matches (default: yours)"),
        which=locale_str("One player's, or all of this channel or server"),
    )
    @app_commands.choices(
        which=[
            Choice(name=locale_str("One player's"), value="own"),
            Choice(name=locale_str("This channel's"), value="channel"),
            Choice(name=locale_str("This server's"), value="server"),
        ]
    )
    async def history(
        self,
        interaction: Interaction,
        player: discord.Member | None = None,
        which: Literal["own", "channel", "server"] = "own",
    ) -> None:
        """Show a list of past matches privately, newest first."""
        user = player or (interaction.user if which == "own" else None)
        channel = interaction.channel_id if which == "channel" else None
        query = HistoryQuery(UserId(user.id if user is not None else 0), ChannelId(channel or 0))
        await show_history(self._context(interaction), query)

    # --- players ----------------------------------------------------------------------------------

    @app_commands.command(description=locale_str("Leaderboard of this server"))
    @app_commands.describe(
        variant=locale_str("Which game (default: the one played here)"),
        order=locale_str("What counts (default: rating)"),
        period=locale_str("All time, this month, or the last 30 days"),
        everywhere=locale_str("All servers together, with everyone who joined that board"),
    )
    @app_commands.rename(order="by", period="time")
    @app_commands.choices(
        variant=GAMES,
        order=[
            Choice(name=locale_str("Rating"), value="rating"),
            Choice(name=locale_str("Matches won"), value="wins"),
            Choice(name=locale_str("Win rate"), value="win_rate"),
            Choice(name=locale_str("Points per round"), value="points"),
            Choice(name=locale_str("Tichus made"), value="calls"),
        ],
        period=[
            Choice(name=localized(lambda say: capital(say("all time"))), value="ever"),
            Choice(name=locale_str("This season"), value="season"),
            Choice(name=localized(lambda say: capital(say("last 30 days"))), value="lately"),
        ],
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        variant: str | None = None,
        order: Order = "rating",
        period: Literal["ever", "season", "lately"] = "ever",
        everywhere: bool = False,
    ) -> None:
        """Show the first page of a leaderboard privately."""
        state = self.bot.tables.in_channel(ChannelId(interaction.channel_id or 0))
        here = state.options.variant if state is not None else next(iter(VARIANTS))
        query = BoardQuery(
            variant or here,
            _PERIODS[period] or season_of(self.bot.clock.now()),
            order,
            everywhere,
        )
        show = open_leaderboard if variant is None else show_leaderboard
        await show(self._context(interaction), query)

    @app_commands.command(
        description=locale_str("Someone's rating, record and achievements on this server")
    )
    @app_commands.describe(
        player=locale_str("Whose profile (default: yours)"),
        game=locale_str("Which game (default: the one they play most)"),
    )
    @app_commands.choices(game=GAMES)
    async def profile(
        self, interaction: Interaction, player: discord.User | None = None, game: str | None = None
    ) -> None:
        """Show a user's statistics, records, achievements and rating privately."""
        user = player or interaction.user
        await show_profile(self._context(interaction), ProfileQuery(UserId(user.id), game))

    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def _show_profile(self, interaction: Interaction, member: discord.Member) -> None:
        """Show the profile of the member whose context menu was opened."""
        await show_profile(self._context(interaction), ProfileQuery(UserId(member.id)))

    @app_commands.command(
        description=locale_str("Open tables with a seat for you, and your own tables")
    )
    @app_commands.describe(which=locale_str("Which tables (default: those on this server)"))
    @app_commands.choices(
        which=[Choice(name=localized(title), value=name) for name, title in TITLES.items()]
    )
    async def tables(self, interaction: Interaction, which: TableList | None = None) -> None:
        """Show a list of open tables privately, with buttons to join or continue."""
        ctx = self._context(interaction)
        await show_tables(ctx, TablesQuery(which or ("server" if ctx.guild_id else "mine")))

    # --- rules and settings -----------------------------------------------------------------------

    @app_commands.command(description=locale_str("The rules, topic by topic"))
    @app_commands.describe(
        topic=locale_str("What you'd like to know"),
        variant=locale_str("Which game (default: the one played here)"),
    )
    @app_commands.choices(
        topic=[Choice(name=localized(title), value=name) for name, title in TOPICS.items()],
        variant=GAMES,
    )
    async def rules(
        self, interaction: Interaction, topic: str = FIRST_TOPIC, variant: str | None = None
    ) -> None:
        """Show a topic of the rules privately, with controls for other topics and games."""
        await show_rules(self._context(interaction), topic, variant)

    @app_commands.command(
        description=locale_str("Your settings – and this server's, if you manage it")
    )
    @app_commands.describe(zone=locale_str("Your time zone, for quiet hours: type a city"))
    async def settings(self, interaction: Interaction, zone: str | None = None) -> None:
        """Show the user's settings privately, or choose a time zone."""
        ctx = self._context(interaction)
        if zone is None:
            await show_settings(ctx)
        else:
            await choose_zone(ctx, zone)

    @settings.autocomplete("zone")
    async def _zones(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Return the time zones that match the typed text, each with the time there."""
        await load_reader(self.bot, interaction)
        now = self.bot.clock.now()
        language = self._context(interaction).words.say.language
        return [
            app_commands.Choice(name=with_time(name, now, language), value=name)
            for name in await matching_zones(typed, _MOST_CHOICES)
        ]


async def setup(bot: TichuBot) -> None:
    """Add the cogs; discord.py calls this for ``bot.load_extension("cogs.tichu")``."""
    announcer = Announcer(bot)
    services = Services(bot, announcer)
    announcer.subscribe(bot.events)
    bot.events.subscribe(MayStart, lambda query: may_write(bot, query.lobby))
    bot.metrics.open_hands = announcer.hands.__len__
    bot.metrics.queues |= {
        "messages": lambda: sum(announcer.pending_counts()),
        "outbox": lambda: sum(announcer.pending_counts(stored_only=True)),
    }
    await bot.add_cog(Listeners(bot, services))
    await bot.add_cog(Tichu(bot, services))


async def teardown(bot: TichuBot) -> None:
    """Remove the listeners, because discord.py removes only the cogs of the extension's module."""
    await bot.remove_cog(Listeners.__cog_name__)
