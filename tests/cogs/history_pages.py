"""Helpers for the private pages of finished matches."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import cache

from simcord import ChannelHandle, InteractionResult, ResponseMessage

from bot.ids import ChannelId, GuildId, UserId
from bot.records import ActionRecord, Change, NewTable
from bot.table.options import TableOptions
from bot.table.state import Chair, Game
from cogs.pages.verbs import Verb
from tests.bot.games import NANJING, batches
from tests.cogs.fast_forward import fast_forward, match_over
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import World
from tests.simcord_clicks import Person, find, has, numbers, shown_files, text

_USERS = ("user_id", "counts_for")
"""Fields with the person of a seat."""


def page(result: InteractionResult) -> ResponseMessage:
    """Return the private page that was the answer."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def pictures(message: ResponseMessage) -> list[str]:
    """Return the names of the shown files."""
    return shown_files(message)


async def press(
    person: Person, message: ResponseMessage, verb: Verb, args: str = ""
) -> ResponseMessage:
    """Press a button of a page; return the answer."""
    return page(await person.press(verb, args, on=message))


async def choose(
    person: Person, message: ResponseMessage, verb: Verb, value: str
) -> ResponseMessage:
    """Choose in a select of a page; return the answer."""
    assert value in [option.value for option in find(message, verb).options]
    return page(await person.choose(verb, value, on=message))


async def said(person: Person, command: str, **options: object) -> str:
    """Return the private answer of a command."""
    return text(page(await person.slash(f"tichu {command}", **options)))


async def listed(person: Person, **options: object) -> list[int]:
    """Return the tables of the matches on the first history page, from the top."""
    return tables_on(page(await person.slash("tichu history", **options)))


def tables_on(message: ResponseMessage) -> list[int]:
    """Return the tables of the matches on a history page, from the top; each can be opened."""
    if not has(message, Verb.MATCH):
        return []
    tables = [int(option.value) for option in find(message, Verb.MATCH).options]
    lines = [int(numbers(line)[0]) for line in text(message).splitlines() if line[:2] == "**"]
    assert lines == tables
    return tables


def round_and_table(message: ResponseMessage | str) -> list[float]:
    """Return the round and table numbers in the heading of a page about one round."""
    whole = message if isinstance(message, str) else text(message)
    first, second, *_ = whole.splitlines()
    round_, *others = numbers(first)
    return [round_, *(others or numbers(re.findall(r"Table \d+", second)[0]))]


@cache
def played_match(seed: int, options: TableOptions) -> tuple[Game, list[Change]]:
    """Return a cached random match at its end, and a change for each of its rounds."""
    played = list(batches(seed, options))
    changes: list[Change] = []
    actions: tuple[ActionRecord, ...] = ()
    for _, _, change in played:
        actions += change.actions
        if change.round is not None:
            together = {"actions": actions, "expected_seq": actions[0].seq - 1}
            changes.append(change.model_copy(update=together))
            actions = ()
    return played[-1][1], changes


async def stored_match(
    world: World,
    seed: int,
    options: TableOptions = NANJING,
    *,
    channel: ChannelHandle | None = None,
    parent_id: ChannelId | None = None,
    people: Sequence[Person] = (),
) -> Game:
    """Store a random match of the channel as if it had been played; return its table.

    `parent_id` is the channel of a thread if the bot opened it. With `people` they sit on the first
    chairs, and computers on the others.
    """
    last, changes = played_match(seed, options)
    if people:
        last = dataclasses.replace(last, chairs=tuple(_chairs(last, people)))
        changes = [_with_people(change, last) for change in changes]
    new = NewTable(
        guild_id=GuildId(world.guild.id),
        channel_id=ChannelId((channel or world.channel).id),
        parent_channel_id=parent_id,
        host_id=last.host_id,
        options=last.options.model_dump_json(),
        created_at=last.created_at,
        status="playing",
        seats=last.seat_records(),
    )
    store = world.bot.store
    number = (await store.tables.create(new)).id
    await asyncio.gather(*(store.tables.commit(number, change) for change in changes))
    return dataclasses.replace(last, id=number)


def _chairs(game: Game, people: Sequence[Person]) -> Iterator[Chair]:
    """Yield the chairs of a match of these people and computers."""
    for chair in game.chairs:
        if chair.seat < len(people):
            yield chair.model_copy(update={"user_id": UserId(people[chair.seat].id)})
        else:
            yield Chair(seat=chair.seat, kind="computer", name=f"Computer {chair.seat}")


def _with_people(change: Change, game: Game) -> Change:
    """Return a change with the people of this game in the result of its round."""
    if change.round is None:
        return change
    seats = tuple(
        seat.model_copy(update=dict.fromkeys(_USERS, game.chairs[seat.seat].user_id))
        if seat.seat < len(game.chairs)
        else seat
        for seat in change.round.seats
    )
    return change.model_copy(update={"round": change.round.model_copy(update={"seats": seats})})


async def a_match(world: World, **options: object) -> list[HandPlayer]:
    """Let people play a match to its end."""
    seats = {"trichu": 3, "tientsin": 6, "grandseigneur": 5}.get(str(options.get("variant")), 4)
    names = ("Ada", "Ben", "Cai", "Dan", "Eve", "Fay")[:seats]
    players = await seat_without_hands(world, world.people(*names), **options)
    await fast_forward(world, match_over, calls=0.1)
    return players
