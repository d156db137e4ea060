"""The slash commands of ``/tichu``, and the cog that joins commands, clicks and announcer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.verify import table_to_check
from bot.ids import ChannelId
from bot.lessons import lessons
from bot.records import LARGEST_NUMBER
from bot.table.commands import Leave, Shuffle
from bot.table.options import LIVE_S, TURN_BASED_S, TableOptions
from bot.table.permission import seated
from bot.table.server_options import chosen_options, usual_options
from bot.table.state import Game, Lobby, OpenTable
from bot.text import Say
from bot.text.cards import variant_name
from bot.text.options import capital
from bot.text.options import turn_limit as turn_limit_text
from bot.text.rules import FIRST_GAME, FIRST_TOPIC, GAMES, TITLES
from cogs.clicks.click import read_click
from cogs.clicks.opening import open_lobby, post_lobby_again, tell_otherwise, why_no_thread
from cogs.clicks.router import Clicks
from cogs.commands.history import HistoryCommands
from cogs.commands.leaderboard import LeaderboardCommands
from cogs.commands.lessons import LessonCommands
from cogs.commands.profile import ProfileCommands
from cogs.commands.replay import ReplayCommands
from cogs.commands.settings import SettingsCommands
from cogs.commands.tables import TablesCommands
from cogs.commands.wording import CommandTranslator, said
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import check_may_look, check_may_write, may_write
from cogs.delivery.deleted_channels import close, close_all_gone, thread_gone
from cogs.delivery.error_replies import refuse
from cogs.delivery.failed_requests import REQUEST_FAILURES
from cogs.delivery.hand_replies import carried_out, show_hand
from cogs.delivery.message_languages import know_reader
from cogs.delivery.replies import Reply, begin
from cogs.delivery.table_threads import look_after
from cogs.pages.history.verify import said_line, verify_page
from cogs.pages.rules import rules_page
from cogs.pages.table.seats import leave_page
from cogs.pages.table.waiting import who_waits
from engine import TARGETS, VARIANTS, WINDOWS_MS
from engine.fair_deal import LONGEST_WORD
from players.levels import Level

Interaction = discord.Interaction[Any]
_PACES = {True: "quick", False: "human"}
"""How computers play, by whether they play fast."""


def _pace(seconds: int, say: Say) -> str:
    """A time for a turn as a choice."""
    return capital(turn_limit_text(seconds, say))


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class Tichu(
    LeaderboardCommands,
    HistoryCommands,
    ReplayCommands,
    ProfileCommands,
    LessonCommands,
    SettingsCommands,
    TablesCommands,
    commands.GroupCog,
    group_name="tichu",
    group_description=locale_str("Tichu in this channel"),
):
    """Open a table, see your hand, and what else is done by a command."""

    def __init__(self, bot: TichuBot) -> None:
        self.bot = bot
        self.announcer = Announcer(bot)
        self.clicks = Clicks(bot, self.announcer)
        self._menu = self.profile_menu()
        self._menu.add_check(self.interaction_check)
        self._menu.error(self.cog_app_command_error)

    async def cog_load(self) -> None:
        """Listen to the tables; read the lessons, which takes a moment."""
        await asyncio.to_thread(lessons)
        await self.bot.tree.set_translator(CommandTranslator())
        self.bot.tree.add_command(self._menu)
        self.bot.tables.news.listener = self.announcer
        self.bot.tables.news.may_start = lambda lobby: may_write(self.bot, lobby)
        self.bot.metrics.open_hands = self.announcer.hands.__len__
        self.bot.metrics.queues |= {
            "messages": lambda: sum(self.announcer.waiting()),
            "outbox": lambda: sum(self.announcer.waiting(stored=True)),
        }

    async def cog_unload(self) -> None:
        """Let messages that are on their way reach the channels before the bot goes."""
        await self.bot.tree.set_translator(None)
        self.bot.tree.remove_command(self._menu.name, type=self._menu.type)
        await self.clicks.pictures.close()
        await self.announcer.drain()

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Called by discord.py for every command and every click; takes the clicks."""
        click = read_click(interaction)
        if click is not None and self.bot.serves(interaction):
            await self.clicks.handle(click)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Called by discord.py before each command: too late or much too fast is refused."""
        name = interaction.command.name if interaction.command is not None else ""
        try:
            begin(self.bot, interaction, f"/{name}")
            self.clicks.click_rate.check_command(interaction.user.id, name)
        except Refused as error:
            raise app_commands.CheckFailure from error
        finally:
            await Reply(interaction).reading(know_reader(self.bot, interaction))
        return True

    async def cog_app_command_error(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Every command is answered, whatever went wrong."""
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        await refuse(self.announcer, interaction, cause)

    def _table_here(self, interaction: Interaction) -> OpenTable:
        state = (
            self.bot.tables.in_channel(interaction.channel_id, interaction.user.id)
            if interaction.channel_id is not None
            else None
        )
        if state is None:
            self.bot.tables.damaged.check_channel(interaction.channel_id or 0)
            raise Refused(Reason.NO_TABLE_HERE)
        self.bot.tables.clicked(state.id, interaction.user.id)
        return state

    @app_commands.command(description=locale_str("Open a table in this channel"))
    @app_commands.describe(
        variant=locale_str("Which game (usually Tichu for 4 players)"),
        target=locale_str("4 or 6 players: points that win the match (usually 1,000)"),
        rounds=locale_str(
            "3 players: a multiple of 3 (usually 9); Grand Seigneur: 1 to 99 (usually: no end)"
        ),
        two_decks=locale_str("Grand Seigneur: two decks for five or six players, too"),
        computers=locale_str("Computers that sit down at once"),
        direction=locale_str("Direction of play"),
        dealing=locale_str("Cards dealt in two parts, or one by one (looks only)"),
        bomb_window=locale_str("Seconds to bomb after a play (usually 2)"),
        pace=locale_str("Live, or turn-based: hours or days per turn, in a thread of its own"),
        turn_limit=locale_str(
            "Live pace: seconds per turn before a computer plays for you (usually 90)"
        ),
        missed_wish=locale_str("Penalty if someone ignores a wish they could meet"),
        thread=locale_str("Play in a thread of its own"),
        level=locale_str("How well computers play (usually expert)"),
        fast_computers=locale_str("Computers play fast"),
        hints=locale_str("Everyone may ask what an expert would do; nothing counts for ratings"),
    )
    @app_commands.rename(
        bomb_window="bomb-window",
        turn_limit="turn-limit",
        missed_wish="missed-wish",
        two_decks="two-decks",
        fast_computers="fast-computers",
    )
    @app_commands.choices(
        variant=[
            Choice(name=said(partial(variant_name, name=name)), value=name) for name in VARIANTS
        ]
    )
    @app_commands.choices(
        pace=[
            Choice(name=locale_str("Live"), value=0),
            *(Choice(name=said(partial(_pace, limit)), value=limit) for limit in TURN_BASED_S),
        ]
    )
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
            Choice(name=locale_str("May be missed, for a penalty"), value="penalty"),
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
        target: app_commands.Range[int, TARGETS.start, TARGETS[-1]] | None = None,
        rounds: app_commands.Range[int, 1, 99] | None = None,
        two_decks: bool | None = None,
        computers: app_commands.Range[int, 0, 11] | None = None,
        direction: Literal["anticlockwise", "clockwise"] | None = None,
        dealing: Literal["dealt", "drawn"] | None = None,
        bomb_window: app_commands.Range[float, WINDOWS_MS.start / 1000, WINDOWS_MS[-1] / 1000]
        | None = None,
        pace: int | None = None,
        turn_limit: app_commands.Range[int, LIVE_S.start, LIVE_S[-1]] | None = None,
        missed_wish: Literal["enforced", "penalty"] | None = None,
        thread: bool | None = None,
        level: Level | None = None,
        fast_computers: bool | None = None,
        hints: bool | None = None,
    ) -> None:
        """Open a lobby; what is not chosen is as the server has it, and usually as the bot has."""
        settings = self.bot.store.server_settings.get(interaction.guild_id or 0)
        usual = usual_options(settings)
        without = await why_no_thread(self.announcer, interaction)
        limit = _limit(usual, pace, turn_limit, threads=without is None)
        decks = None if two_decks is None else 2 * two_decks
        options = chosen_options(
            usual,
            variant,
            {
                "target": target,
                "rounds": rounds,
                "decks": decks or (decks if usual.rules.decks else None),
                "direction": direction,
                "dealing": dealing,
                "bomb_window_ms": None if bomb_window is None else round(bomb_window * 1000),
                "wish_policy": missed_wish,
            },
            {
                "turn_limit_s": limit,
                "computers": level,
                "pace": fast_computers if fast_computers is None else _PACES[fast_computers],
                "hints": hints,
            },
        )
        await open_lobby(
            self.announcer,
            interaction,
            options,
            computers=settings.computers if computers is None else computers,
            thread=options.turn_based
            or (settings.threads and without is None if thread is None else thread),
        )
        live = usual.turn_based and pace is None and turn_limit is None
        if without is not None and (live or (settings.threads and thread is None)):
            await tell_otherwise(self.announcer, interaction, without, live=live)

    @app_commands.command(description=locale_str("Show your hand"))
    async def hand(self, interaction: Interaction) -> None:
        """The private hand of whoever asks."""
        await show_hand(self.announcer, interaction, self._table_here(interaction))

    @app_commands.command(description=locale_str("Move the table to the bottom, and see who waits"))
    async def table(self, interaction: Interaction) -> None:
        """A new table message or lobby in place of the old one; in a match also who waits."""
        state = self._table_here(interaction)
        if state.seat_of(interaction.user.id) is None:
            check_may_write(interaction)
        if isinstance(state, Lobby):
            await post_lobby_again(self.announcer, interaction, state)
            return
        await self.announcer.check_channel(interaction, state.channel_id)
        self.announcer.post_table_again(state)
        words = self.announcer.private(interaction)
        told = [words.say("Table posted below."), *who_waits(state, interaction.user.id, words)]
        await Reply(interaction).tell("\n".join(told))

    @app_commands.command(description=locale_str("Leave; someone else takes your seat"))
    async def leave(self, interaction: Interaction) -> None:
        """Stand up; in a match, ask who plays on: a computer player or another member."""
        state, words = self._table_here(interaction), self.announcer.private(interaction)
        if isinstance(state, Game):
            seated(state, interaction.user.id)
            await Reply(interaction).show(leave_page(state, words))
            return
        state = await carried_out(self.announcer, interaction, state, Leave())
        self.announcer.lobby_changed(state)
        await Reply(interaction).tell(words.say("You've left the table."))

    @app_commands.command(
        description=locale_str("Stop the match: by vote, or at once if you're a moderator")
    )
    async def stop(self, interaction: Interaction) -> None:
        """Vote to stop; moderators (who may manage messages here) are asked, and decide alone."""
        await self.clicks.stops.command(interaction, self._table_here(interaction))

    async def _say_to_all(self, interaction: Interaction, state: OpenTable, line: str) -> None:
        """A line for everybody about what is stored: as the answer, or else in the channel."""
        reply = Reply(interaction)
        try:
            shown = await reply.send_to_all(line)
        except REQUEST_FAILURES:
            self.announcer.announce(state, line)
            raise
        if shown is None:
            self.announcer.announce(state, line)
            await reply.tell(line)

    @app_commands.command(description=locale_str("Add a word to the next shuffle"))
    @app_commands.describe(
        word=locale_str("Any text. Everyone sees it; a new one replaces your last")
    )
    async def shuffle(
        self, interaction: Interaction, word: app_commands.Range[str, 1, LONGEST_WORD]
    ) -> None:
        """Cut the cards, heard by all (N79); see `docs/fair-deals.md`."""
        state = self._table_here(interaction)
        after = await carried_out(self.announcer, interaction, state, Shuffle(word))
        line = said_line(after, interaction.user.id, self.announcer.public(after))
        await self._say_to_all(interaction, after, line)

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
        """Private: commitment, secret, words and deck of a round that is over."""
        store, words = self.bot.store, self.announcer.private(interaction)
        looking = table_to_check(store, interaction.guild_id, interaction.channel_id, table)
        record = await Reply(interaction).reading(looking)
        await Reply(interaction).reading(check_may_look(self.bot, interaction, record))
        found = await Reply(interaction).reading(self.clicks.replays.replays.proof(record, number))
        await Reply(interaction).show(verify_page(found, self.bot.tables.find(record.id), words))

    @app_commands.command(description=locale_str("The rules, topic by topic"))
    @app_commands.describe(
        topic=locale_str("What you'd like to know"),
        variant=locale_str("Which game (default: the one played here)"),
    )
    @app_commands.choices(
        topic=[Choice(name=said(title), value=name) for name, title in TITLES.items()],
        variant=[Choice(name=said(partial(variant_name, name=name)), value=name) for name in GAMES],
    )
    async def rules(
        self, interaction: Interaction, topic: str = FIRST_TOPIC, variant: str | None = None
    ) -> None:
        """Private: one topic, the others and the other games a tap away."""
        if variant is None:
            state = self.bot.tables.in_channel(interaction.channel_id or 0)
            variant = state.options.variant if state is not None else FIRST_GAME
            if topic not in GAMES[variant]:  # the first game that knows it
                variant = next((game for game in GAMES if topic in GAMES[game]), variant)
        await Reply(interaction).show(
            rules_page(self.announcer.private(interaction), topic, variant)
        )

    # --- places that are gone ------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """The bot is there, again perhaps: close tables whose place is gone meanwhile."""
        await close_all_gone(self.bot)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """The channel of a table is gone, or that of its thread: the table is closed."""
        await self._close(lambda table: channel.id in (table.channel_id, table.parent_channel_id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was sent away from a server: its tables are closed."""
        await self._close(lambda table: table.guild_id == guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """The thread of a table is gone: the table is closed, or pauses if it is turn-based."""
        for table in self._tables_in(payload.thread_id):
            await thread_gone(self.bot, table)

    def _tables_in(self, channel_id: ChannelId) -> list[OpenTable]:
        return [table for table in self.bot.tables.all() if table.channel_id == channel_id]

    async def _close(self, gone: Callable[[OpenTable], bool]) -> None:
        """Close the tables of which this says that their place is gone."""
        for table in list(self.bot.tables.all()):
            if gone(table):
                await close(self.bot, table)

    # --- the bot may have got permissions ------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """Somebody has changed a channel, perhaps who may do what there."""
        self.announcer.allowed_again(channel.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        """Somebody has changed a role, perhaps one of the bot."""
        self.announcer.allowed_again(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        """The bot has other roles; Discord tells it of no other member."""
        self.announcer.allowed_again(member.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Somebody has opened, locked or unlocked a thread, perhaps."""
        self.announcer.allowed_again(payload.guild_id)
        metadata = payload.data["thread_metadata"]
        for table in self._tables_in(payload.thread_id):
            if metadata["archived"]:
                self.announcer.thread_archived(table)
            if metadata.get("locked"):
                await look_after(self.bot, table)


def _limit(
    usual: TableOptions, pace: int | None, turn_limit: int | None, *, threads: bool
) -> int | None:
    """The limit of a turn in seconds that follows from what somebody says; `None` for the usual.

    `pace` is 0 for live, or such a limit. What the server has may need a thread, and is of no use
    where there are no `threads`.
    """
    if pace:
        return pace
    if turn_limit is not None:
        return turn_limit
    live = pace == 0 or not threads
    return TableOptions().turn_limit_s if live and usual.turn_based else None


async def setup(bot: TichuBot) -> None:
    """Called by discord.py for ``bot.load_extension("cogs.tichu")``."""
    await bot.add_cog(Tichu(bot))
