"""Clicks on a replay: its positions, the proof of its deal, and files of it. All private."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import discord

from bot.client import TichuBot
from bot.errors import Refused
from bot.formats.bsw_write import can_be_written, write_log
from bot.formats.game import Game
from bot.formats.json_rounds import write_document
from bot.formats.plain_text import write_plain
from bot.history.replay_cache import Replay, Replays, SeatedPlay
from bot.text.cards import Speaker
from cogs.clicks.history import visible_table
from cogs.clicks.own_refusals import answering, in_range
from cogs.delivery.announcer import Surface
from cogs.delivery.replies import Interaction, in_time, show
from cogs.pages.controls import Click, Page, number
from cogs.pages.names import plain_name
from cogs.pages.replay import ReplayQuery, read_file_choice, read_replay_query, replay_page
from cogs.pages.verify import verify_page

LARGEST_FILE = 8_000_000
"""Bytes of a file that can be sent; Discord takes somewhat more."""


class ReplayClicks:
    """Shows rounds that are over, position by position."""

    def __init__(self, bot: TichuBot, surface: Surface) -> None:
        self.bot = bot
        self.surface = surface
        self.verbs = answering(
            surface,
            {
                "replay": self.replay,
                "replay-round": self.replay_round,
                "proof": self.proof,
                "save": self.save,
            },
        )

    @cached_property
    def replays(self) -> Replays:
        """Made at the first use, as the store is opened later than the clicks are known."""
        return Replays(self.bot.store)

    async def open(self, interaction: Interaction, table: int | None, query: ReplayQuery) -> None:
        """A position of a round; round 0 is the last one that is over."""
        replay = await in_time(interaction, self._found(interaction, table, query.number))
        query = ReplayQuery(replay.played.number, query.place, query.opened)
        await show(interaction, replay_page(replay, query, self.surface.private(interaction)))

    async def _found(self, interaction: Interaction, table: int | None, round_: int) -> Replay:
        record = await visible_table(self.bot, interaction, table)
        return await self.replays.replay(record, in_range(round_) or None)

    async def replay(self, click: Click) -> None:
        await self.open(click.interaction, click.table_id, read_replay_query(click.args))

    async def replay_round(self, click: Click) -> None:
        if not click.values:
            raise Refused("unknown-button")
        query = ReplayQuery(number(click.values[0]))
        await self.open(click.interaction, click.table_id, query)

    async def proof(self, click: Click) -> None:
        """All about the deal, as ``/tichu verify`` shows it, on a page of its own."""
        finding = self._found(click.interaction, click.table_id, number(click.args))
        replay = await in_time(click.interaction, finding)
        page = verify_page(replay.proof, None, self.surface.private(click.interaction))
        await _beside(click.interaction, page)

    async def save(self, click: Click) -> None:
        """A file with the round, or with all rounds of its match that are over."""
        choice = read_file_choice(click.values[0] if click.values else "")
        interaction, round_ = click.interaction, number(click.args)
        looking = visible_table(self.bot, interaction, click.table_id)
        record = await in_time(interaction, looking)
        if choice.whole_match:
            rounds = await in_time(interaction, self.replays.all_rounds(record))
        else:
            replay = await in_time(interaction, self.replays.replay(record, in_range(round_)))
            rounds = ((replay.table, replay.played),)
        if not rounds:
            raise Refused("no-round-over")
        game = _game(rounds, self.surface.private(interaction))
        name = f"tichu-table-{record.id}"
        name += f".{choice.form}" if choice.whole_match else f"-round-{round_}.{choice.form}"
        content = await in_time(interaction, asyncio.to_thread(_written, game, choice.form))
        await _beside(interaction, discord.File(io.BytesIO(content), name))


def _game(rounds: Sequence[SeatedPlay], speaker: Speaker) -> Game:
    """What a file is made of; at least one round of a table."""
    table, _ = rounds[0]
    options = table.options.rules()
    hands = range(table.options.game.seats(options))
    names = tuple(tuple(plain_name(at, seat, speaker) for seat in hands) for at, _ in rounds)
    return Game(table.id, options, names, tuple(played for _, played in rounds))


def _written(game: Game, form: str) -> bytes:
    """The content of a file; `Refused` if it is none of this form, or too large to be sent."""
    if form == "txt":
        text = write_plain(game)
    elif form == "json":
        text = write_document(game)
    elif can_be_written(game.options, game.rounds):
        text = write_log(game.options, game.rounds, game.names)
    else:
        raise Refused("not-in-this-format")
    content = text.encode("utf-8")
    if len(content) > LARGEST_FILE:
        raise Refused("file-too-large")
    return content


async def _beside(interaction: Interaction, what: Page | discord.File) -> None:
    """A private message of its own, next to the page that was clicked on."""
    given: dict[str, Any] = {"view": what} if isinstance(what, Page) else {"file": what}
    if interaction.response.is_done():
        await interaction.followup.send(**given, ephemeral=True)
    else:
        await interaction.response.send_message(**given, ephemeral=True)
