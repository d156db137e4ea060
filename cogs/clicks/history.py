"""Commands and clicks on matches that are over and on rounds that can be replayed. All private.

Every verb is a method here, as in `cogs.clicks.game`, which passes the clicks on.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.formats.bsw_write import can_be_written, write_log
from bot.formats.game import Game
from bot.formats.json_rounds import write_document
from bot.formats.plain_text import write_plain
from bot.history.matches import Selection, past_matches, table_of
from bot.history.replay_cache import Replay, Replays, SeatedPlay, bare_table
from bot.history.seat_history import seated_rounds
from bot.storage import TableRecord
from bot.text.cards import Speaker
from cogs.delivery.announcer import Announcer
from cogs.delivery.permissions import check_may_look, may_look
from cogs.delivery.replies import Reply, refuse
from cogs.pages.controls import Click, number
from cogs.pages.history import history_page, match_page, read_wanted
from cogs.pages.names import plain_name
from cogs.pages.replay import FORMATS, Spot, read_spot, replay_page
from cogs.pages.verbs import Verb
from cogs.pages.verify import verify_page
from engine.errors import IllegalAction

Interaction = discord.Interaction[Any]
Answer = Callable[[Click], Awaitable[None]]

LARGEST_FILE = 8_000_000
"""Bytes of a file that can be sent; Discord takes somewhat more."""
_LARGEST = 2**31 - 1
"""Numbers of tables and rounds are not larger."""


class PastClicks:
    """Shows what is over. Everything is looked up anew for each click, and whether one may see it.

    `refuse` answers a refusal with a sentence: the page is no hand, so no hand takes its place.
    """

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        verbs: Mapping[str, Answer] = {
            Verb.HISTORY: self.history,
            Verb.MATCH: self.match,
            Verb.REPLAY: self.replay,
            Verb.REPLAY_ROUND: self.replay_round,
            Verb.PROOF: self.proof,
            Verb.SAVE: self.save,
        }
        self.verbs = {name: self._answering(verb) for name, verb in verbs.items()}

    @cached_property
    def replays(self) -> Replays:
        """Made at the first use, as the store is opened later than the clicks are known."""
        return Replays(self.bot.store)

    def _answering(self, verb: Answer) -> Answer:
        async def answer(click: Click) -> None:
            try:
                await verb(click)
            except (Refused, IllegalAction) as error:
                await refuse(self.announcer, click.interaction, error)

        return answer

    # --- what commands and clicks share --------------------------------------------------------

    async def show_history(self, interaction: Interaction, wanted: Selection) -> None:
        """A page of the matches of this server that whoever asks may see."""
        listing = past_matches(
            self.bot.store,
            interaction.guild_id or 0,
            wanted,
            interaction.user.id,
            lambda venue: may_look(interaction, venue),
        )
        found = await Reply(interaction).reading(listing)
        await Reply(interaction).show(history_page(found, self.announcer.private(interaction)))

    async def show_replay(self, interaction: Interaction, table: int | None, spot: Spot) -> None:
        """A position of a round; round 0 is the last one that is over."""
        replay = await Reply(interaction).reading(self._found(interaction, table, spot.number))
        spot = Spot(replay.played.number, spot.place, spot.opened)
        await Reply(interaction).show(
            replay_page(replay, spot, self.announcer.private(interaction))
        )

    async def _found(self, interaction: Interaction, table: int | None, round_: int) -> Replay:
        record = await self._record(interaction, table)
        return await self.replays.replay(record, _in_range(round_) or None)

    async def _record(self, interaction: Interaction, table: int | None) -> TableRecord:
        """The table, if whoever asks may look at it."""
        known = None if table is None else _in_range(table)
        record = await table_of(self.bot.store, interaction.guild_id, interaction.channel_id, known)
        await check_may_look(self.bot, interaction, record)
        return record

    # --- verbs ---------------------------------------------------------------------------------

    async def history(self, click: Click) -> None:
        await self.show_history(click.interaction, read_wanted(click.args))

    async def match(self, click: Click) -> None:
        """The rounds of a match: of the one that was chosen, or another page of the same."""
        wanted = number(click.values[0]) if click.values else click.table_id
        page = _in_range(number(click.args)) if click.args else 0
        record = await Reply(click.interaction).reading(self._record(click.interaction, wanted))
        store = self.bot.store
        table = bare_table(record)
        rounds = await Reply(click.interaction).reading(seated_rounds(store, table))
        match = await Reply(click.interaction).reading(store.match(record.id))
        to = self.announcer.private(click.interaction)
        await Reply(click.interaction).show(match_page(table, match, rounds, page, to))

    async def replay(self, click: Click) -> None:
        await self.show_replay(click.interaction, click.table_id, read_spot(click.args))

    async def replay_round(self, click: Click) -> None:
        if not click.values:
            raise Refused(Reason.UNKNOWN_BUTTON)
        spot = Spot(number(click.values[0]))
        await self.show_replay(click.interaction, click.table_id, spot)

    async def proof(self, click: Click) -> None:
        """All about the deal, as ``/tichu verify`` shows it, on a page of its own."""
        finding = self._found(click.interaction, click.table_id, number(click.args))
        replay = await Reply(click.interaction).reading(finding)
        page = verify_page(replay.proof, None, self.announcer.private(click.interaction))
        await Reply(click.interaction).beside(page)

    async def save(self, click: Click) -> None:
        """A file with the round, or with all rounds of its match that are over."""
        form, _, which = (click.values[0] if click.values else "").partition(".")
        if form not in FORMATS or which not in ("round", "match"):
            raise Refused(Reason.UNKNOWN_BUTTON)
        interaction, round_ = click.interaction, number(click.args)
        record = await Reply(interaction).reading(self._record(interaction, click.table_id))
        if which == "match":
            rounds = await Reply(interaction).reading(self.replays.all_rounds(record))
        else:
            replay = await Reply(interaction).reading(
                self.replays.replay(record, _in_range(round_))
            )
            rounds = ((replay.table, replay.played),)
        if not rounds:
            raise Refused(Reason.NO_ROUND_OVER)
        game = _game(rounds, self.announcer.private(interaction))
        name = f"tichu-table-{record.id}"
        name += f"-round-{round_}.{form}" if which == "round" else f".{form}"
        content = await Reply(interaction).reading(asyncio.to_thread(_written, game, form))
        await Reply(interaction).send_file(discord.File(io.BytesIO(content), name))


def _game(rounds: Sequence[SeatedPlay], to: Speaker) -> Game:
    """What a file is made of; at least one round of a table."""
    table, _ = rounds[0]
    options = table.options.rules
    hands = range(table.options.game.seats(options))
    names = tuple(tuple(plain_name(at, seat, to) for seat in hands) for at, _ in rounds)
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


def _in_range(value: int) -> int:
    """A number of a table, a round or a page; `Refused` for a forged one."""
    if value > _LARGEST:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return value
