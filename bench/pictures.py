"""What a picture of a table costs, and how late pictures are when many tables want them.

Called by `python -m bench`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from time import perf_counter, process_time
from typing import NamedTuple

from bench.walks import random_action, random_deck
from bot.art.emojis import Emojis
from bot.pictures.palette import encode
from bot.pictures.process import Pictures
from bot.pictures.table.contents import table_scene
from bot.pictures.table.picture import compose
from bot.pictures.table.scene import TableScene
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from engine import Options, Phase, apply, deal, new_match
from tests.bot.states import state

WORDS = Speaker(speech("en"), Emojis.plain())
IN_TIME_S = 0.3
"""How long the message of a table waits for its picture."""


class Drawn(NamedTuple):
    """What the pictures of a match have cost, one figure for each."""

    scenes: tuple[float, ...]
    """Milliseconds of processor time for computing the scene."""
    drawings: tuple[float, ...]
    """Milliseconds of processor time for drawing."""
    encodings: tuple[float, ...]
    """Milliseconds of processor time for encoding."""
    sizes: tuple[int, ...]
    """Bytes."""


class Crowd(NamedTuple):
    """What happened at many tables that changed all the time."""

    tables: int
    """The number of tables."""
    every: float
    """The seconds between two changes of a table."""
    changes: int
    """The changes in all."""
    waits: tuple[float, ...]
    """For each picture the seconds from the change that it shows until it was there, sorted."""
    cpu: float
    """Seconds of processor time in the process of the bot for one picture."""

    @property
    def in_time(self) -> float:
        """The share of the pictures that were there in time for their message."""
        return sum(wait <= IN_TIME_S for wait in self.waits) / len(self.waits)


def scenes(options: Options, count: int, seed: int) -> Iterator[TableScene]:
    """The scenes of a random match after each of `count` actions."""
    for match in _matches(options, count, seed):
        yield table_scene(match, WORDS)


def _matches(options: Options, count: int, seed: int) -> Iterator[Game]:
    """The tables of a random match after each of `count` actions."""
    rng = Random(seed)
    match = new_match(options, 0)
    for _ in range(count):
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
        elif match.phase is Phase.MATCH_END:
            match = deal(new_match(options, 0), random_deck(match, rng))[0]
        else:
            match = apply(match, random_action(match, rng))[0]
        yield state(match)


def drawing_costs(options: Options, count: int, seed: int) -> Drawn:
    """Draw `count` pictures of a random match in this process."""
    figures: list[tuple[float, float, float, int]] = []
    for number, table in enumerate(_matches(options, count, seed)):
        start = process_time()
        scene = table_scene(table, WORDS)
        known = process_time()
        picture = compose(scene)
        drawn = process_time()
        file = encode(picture)
        done = process_time()
        if number >= count // 10:  # before that the sprites are made
            figures.append(
                (1000 * (known - start), 1000 * (drawn - known), 1000 * (done - drawn), len(file))
            )
    return Drawn(*zip(*figures, strict=True))


async def crowd(tables: int, every: float, seconds: float, seed: int) -> Crowd:
    """Let `tables` tables change every `every` seconds; one process draws them all.

    Each table asks for one picture at a time, and then for one of its newest state.
    """
    rng = Random(seed)
    shown = list(scenes(Options(), 300, seed))
    waits: list[float] = []
    changes = 0
    painter = Pictures()
    await painter.draw(shown[0])
    end = perf_counter() + seconds

    async def table(number: int) -> None:
        nonlocal changes
        newest = perf_counter() + rng.random() * every
        await asyncio.sleep(newest - perf_counter())
        while perf_counter() < end:
            changed = newest
            if await painter.draw(shown[(number + round(newest / every)) % len(shown)]):
                waits.append(perf_counter() - changed)
            missed = int((perf_counter() - newest) / every)
            changes += max(1, missed)
            if missed:
                newest += missed * every  # it has changed meanwhile: its newest state at once
            else:
                newest += every
                await asyncio.sleep(max(0.0, newest - perf_counter()))

    before = process_time()
    await asyncio.gather(*map(table, range(tables)))
    cpu = process_time() - before
    await painter.close()
    return Crowd(tables, every, changes, tuple(sorted(waits)), cpu / len(waits))
