"""Clicks on a replay: its positions, the proof of its deal, and files of it. All private."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Sequence
from functools import cached_property

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.formats.bsw_write import can_be_written, write_log
from bot.formats.game import Game
from bot.formats.json_rounds import write_document
from bot.formats.plain_text import write_plain
from bot.history.replay import Replay, SeatedPlay
from bot.history.replay_cache import Replays
from bot.history.shared_work import SharedWork
from bot.ids import TableId
from bot.text.cards import Speaker
from cogs.clicks.click import Click
from cogs.clicks.history import visible_table
from cogs.clicks.refusal_sentences import answering, in_range
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.controls import number
from cogs.pages.history.replay import ReplayQuery, read_file_choice, read_replay_query, replay_page
from cogs.pages.history.verify import verify_page
from cogs.pages.names import plain_name
from cogs.pages.verbs import Verb

LARGEST_FILE = 8_000_000
"""Bytes of a file that can be sent; Discord takes somewhat more."""


class ReplayClicks:
    """Shows rounds that are over, position by position."""

    def __init__(self, bot: TichuBot, announcer: Announcer, work: SharedWork) -> None:
        self.bot = bot
        self.announcer = announcer
        self._work = work
        self.verbs = answering(
            announcer,
            {
                Verb.REPLAY: self.replay,
                Verb.REPLAY_ROUND: self.replay_round,
                Verb.PROOF: self.proof,
                Verb.SAVE: self.save,
            },
        )

    @cached_property
    def replays(self) -> Replays:
        """Made at the first use, as the store is opened later than the clicks are known."""
        return Replays(self.bot.store, self._work)

    async def open(
        self, interaction: Interaction, table: TableId | None, query: ReplayQuery
    ) -> None:
        """A position of a round; round 0 is the last one that is over."""
        replay = await Reply(interaction).reading(self._replay_of(interaction, table, query.number))
        query = ReplayQuery(replay.played.number, query.place, query.opened)
        await Reply(interaction).show(
            replay_page(replay, query, self.announcer.private(interaction))
        )

    async def _replay_of(
        self, interaction: Interaction, table: TableId | None, round_: int
    ) -> Replay:
        record = await visible_table(self.bot, interaction, table)
        return await self.replays.replay(record, in_range(round_) or None)

    async def replay(self, click: Click) -> None:
        await self.open(click.interaction, click.table_id, read_replay_query(click.args))

    async def replay_round(self, click: Click) -> None:
        if not click.values:
            raise Refused(Reason.UNKNOWN_BUTTON)
        query = ReplayQuery(number(click.values[0]))
        await self.open(click.interaction, click.table_id, query)

    async def proof(self, click: Click) -> None:
        """All about the deal, as ``/tichu verify`` shows it, on a page of its own."""
        finding = self._replay_of(click.interaction, click.table_id, number(click.args))
        replay = await Reply(click.interaction).reading(finding)
        page = verify_page(replay.proof, None, self.announcer.private(click.interaction))
        await Reply(click.interaction).show_beside(page)

    async def save(self, click: Click) -> None:
        """A file with the round, or with all rounds of its match that are over."""
        choice = read_file_choice(click.values[0] if click.values else "")
        interaction, round_ = click.interaction, number(click.args)
        looking = visible_table(self.bot, interaction, click.table_id)
        record = await Reply(interaction).reading(looking)
        words, form = self.announcer.private(interaction), choice.form

        def of_match(rounds: Sequence[SeatedPlay]) -> bytes:
            if not rounds:
                raise Refused(Reason.NO_ROUND_OVER)
            return _written(_game(rounds, words), form)

        def of_round(replay: Replay) -> bytes:
            return of_match(((replay.table, replay.played),))

        making: Awaitable[bytes]
        if choice.whole_match:
            purpose = (form, words.say.language)
            making = self.replays.of_all_rounds(record, purpose, of_match)
        else:
            making = self.replays.of_round(record, in_range(round_), of_round)
        content = await Reply(interaction).reading(making)
        name = f"tichu-table-{record.id}"
        name += f".{form}" if choice.whole_match else f"-round-{round_}.{form}"
        await Reply(interaction).send_file(discord.File(io.BytesIO(content), name))


def _game(rounds: Sequence[SeatedPlay], words: Speaker) -> Game:
    """What a file is made of; at least one round of a table."""
    table, _ = rounds[0]
    options = table.options.rules
    hands = range(table.options.game.seats(options))
    names = tuple(tuple(plain_name(at, seat, words) for seat in hands) for at, _ in rounds)
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
        raise Refused(Reason.NOT_IN_THIS_FORMAT)
    content = text.encode("utf-8")
    if len(content) > LARGEST_FILE:
        raise Refused(Reason.FILE_TOO_LARGE)
    return content
