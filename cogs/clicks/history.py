"""Clicks on matches that are over: the list of them, and the rounds of one. All private.

Everything is looked up anew for each click, and whether the person who clicks may see it.
"""

from __future__ import annotations

from bot.client import TichuBot
from bot.history.hiding import shown_matches, shown_rounds
from bot.history.listing import HistoryQuery
from bot.history.matches import listed_matches, seated_rounds, table_of
from bot.history.replay_cache import bare_table
from bot.history.shared_work import SharedWork
from bot.ids import ChannelId, GuildId, TableId, UserId, optional
from bot.records import TableRecord
from cogs.clicks.click import Click
from cogs.clicks.refusal_sentences import answering, in_range
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import check_may_look, sight_of
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import number
from cogs.pages.history.page import (
    history_page,
    match_page,
    read_history_query,
    read_rounds_query,
)
from cogs.pages.verbs import Verb


class HistoryClicks:
    """Shows the history of a server."""

    def __init__(self, bot: TichuBot, announcer: Announcer, work: SharedWork) -> None:
        self.bot = bot
        self.announcer = announcer
        self._work = work
        self.verbs = answering(announcer, {Verb.HISTORY: self.history, Verb.MATCH: self.match})

    async def history(self, click: Click) -> None:
        await self.open(click.interaction, read_history_query(click.args))

    async def open(self, interaction: Interaction, query: HistoryQuery) -> None:
        """A page of the matches of this server that the person who asks may see."""
        server, sight = GuildId(interaction.guild_id or 0), sight_of(interaction)
        listing = listed_matches(self.bot.store, server, query, sight)
        found = await Reply(interaction).reading(listing)
        await Reply(interaction).show(history_page(found, self.announcer.private(interaction)))

    async def match(self, click: Click) -> None:
        """The rounds of a match: of the one that was chosen, or another page of the same."""
        chosen = number(click.values[0]) if click.values else click.table_id
        page, listed = read_rounds_query(click.args)
        in_range(page)
        interaction, store = click.interaction, self.bot.store
        record = await Reply(interaction).reading(
            visible_table(self.bot, interaction, TableId(chosen))
        )
        table = bare_table(record)
        looking = self._work.result(("rounds", record.id), lambda: seated_rounds(store, table))
        rounds = await Reply(interaction).reading(looking)
        match = await Reply(interaction).reading(store.history.match(record.id))
        reader, ended = UserId(interaction.user.id), [match] if match is not None else []
        rounds = await Reply(interaction).reading(shown_rounds(store, rounds, reader))
        shown = await Reply(interaction).reading(shown_matches(store, ended, reader))
        over, speaker = next(iter(shown), None), self.announcer.private(interaction)
        await Reply(interaction).show(match_page(table, over, rounds, page, speaker, listed))


async def visible_table(
    bot: TichuBot, interaction: Interaction, table_id: TableId | None
) -> TableRecord:
    """The table with this number (by default the last of the channel), if the person may look."""
    known = None if table_id is None else in_range(table_id)
    record = await table_of(
        bot.store,
        optional(GuildId, interaction.guild_id),
        optional(ChannelId, interaction.channel_id),
        optional(TableId, known),
    )
    await check_may_look(bot, interaction, record)
    return record
