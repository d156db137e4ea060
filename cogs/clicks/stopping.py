"""Stopping a match: by ``/tichu stop``, by **More…**, and by the buttons of the vote."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord

from bot.client import TichuBot
from bot.table.commands import Command, PlayOn, VoteToStop
from bot.table.interruptions import votes_to_stop
from bot.table.permission import require_game
from bot.table.state import Game, Lobby, OpenTable
from bot.text import Say
from bot.text.cards import Speaker
from cogs.clicks.click import Click
from cogs.clicks.rights import is_moderator
from cogs.clicks.table_actions import carried_out
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.controls import Controls, Page, row, text
from cogs.pages.table.stop_vote import is_open, stop_question_page
from cogs.pages.verbs import Verb

Interaction = discord.Interaction[Any]


class StopClicks:
    """Handles what is asked about the end of a match; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.STOP: self._question,
            Verb.STOP_VOTE: self._vote,
            Verb.STOP_NOW: self._stop_now,
            Verb.AGREE: self._agree,
            Verb.PLAY_ON: self._play_on,
        }

    async def command(self, interaction: Interaction, table: OpenTable) -> None:
        """Answer ``/tichu stop``: a vote, the end of one's own lobby, or a moderator's question."""
        user_id = interaction.user.id
        host_of_lobby = isinstance(table, Lobby) and user_id == table.host_id
        if is_moderator(interaction) and not host_of_lobby:
            await self._ask(interaction, table)
        else:
            await self._asked_for(interaction, table, VoteToStop())

    async def _question(self, click: Click) -> None:
        """Ask once more."""
        game = require_game(self.bot.tables.get(click.table_id))
        await self._ask(click.interaction, game)

    async def _ask(self, interaction: Interaction, table: OpenTable) -> None:
        page = stop_question_page(
            table,
            self.announcer.private(interaction),
            seated=table.seat_of(interaction.user.id) is not None,
            moderator=is_moderator(interaction),
        )
        await Reply(interaction).show(page)

    async def _vote(self, click: Click) -> None:
        """Ask the others."""
        table = self.bot.tables.get(click.table_id)
        await self._asked_for(click.interaction, table, VoteToStop())

    async def _stop_now(self, click: Click) -> None:
        """A moderator has confirmed it."""
        table = self.bot.tables.get(click.table_id)
        await self._asked_for(click.interaction, table, VoteToStop(moderator=True))

    async def _asked_for(
        self, interaction: Interaction, table: OpenTable, command: Command
    ) -> None:
        """Carry out a vote, and tell who has cast it what came of it."""
        after = await carried_out(self.announcer, interaction, table, command)
        if isinstance(after, Lobby):
            self.announcer.lobby_changed(after)
        elif after.running and after.last_round and not _was_last(table) and not _asks(table):
            line = self.announcer.public(after).say("This is the last round.")
            self.announcer.announce(after, line)
        reply = Reply(interaction)
        words = self.announcer.private(interaction)
        await reply.show(voted_page(after, words))

    async def _agree(self, click: Click) -> None:
        await self._in_public(click, VoteToStop(agreeing=True))

    async def _play_on(self, click: Click) -> None:
        await self._in_public(click, PlayOn())

    async def _in_public(self, click: Click, command: Command) -> None:
        """Carry out what a button of the vote asks; its message changes by itself, and only so."""
        table, reply = self.bot.tables.get(click.table_id), Reply(click.interaction)
        await carried_out(self.announcer, click.interaction, table, command)
        if is_open(table):
            await reply.acknowledge()
        else:
            say = self.announcer.private(click.interaction).say
            await reply.tell(vote_over(say))


def _was_last(table: OpenTable) -> bool:
    return isinstance(table, Game) and table.last_round


def _asks(table: OpenTable) -> bool:
    """Whether a vote stands in the channel, which says itself what comes of it."""
    return is_open(table) and table.messages.vote is not None


def vote_over(say: Say) -> str:
    """What somebody reads whose answer to a vote has ended it."""
    return say("This vote is over.")


def voted_page(after: OpenTable, words: Speaker) -> Page:
    """What somebody reads who has voted, or has stopped a table."""
    say = words.say
    if not isinstance(after, Game):
        return Page(text(say("The table is closed.")))
    if not after.running:
        return Page(text(say("The match is over.")))
    if not after.notes.votes:
        return Page(text(say("This is the last round.")))
    count, needed = votes_to_stop(after)
    numbers = {"count": say.number(count), "needed": say.number(needed)}
    told = say("You want to stop ({count}/{needed}). The others are asked.", **numbers)
    back = Controls(after.id, after.revision).button(Verb.MORE, say("Back"))
    return Page(text(told), row(back))
