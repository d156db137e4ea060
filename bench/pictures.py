"""Costs of table pictures, and their delays when many tables want them.

Called by `python -m bench`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from random import Random
from time import perf_counter, process_time
from typing import NamedTuple

from bench.walks import random_action, random_deck
from bot.art.emojis import Emojis
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.hand_text import hand_text
from bot.pictures.hand.picture import LEVEL
from bot.pictures.hand.picture import compose as compose_hand
from bot.pictures.hand.scene import HandScene
from bot.pictures.palette import encode
from bot.pictures.process import Pictures
from bot.pictures.table.contents import table_scene
from bot.pictures.table.picture import compose
from bot.pictures.table.scene import TableScene
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.card_order import in_display_order
from engine import Card, CardSet, Options, Phase, apply, deal, new_match
from tests.bot.states import state

WORDS = Speaker(speech("en"), Emojis.plain())
IN_TIME_S = 0.3
"""The maximum time that the message of a table waits for its picture."""


class Drawn(NamedTuple):
    """Costs of the pictures of a match, one number for each picture."""

    scenes: tuple[float, ...]
    """Milliseconds of processor time to compute the scene."""
    drawings: tuple[float, ...]
    """Milliseconds of processor time to draw."""
    encodings: tuple[float, ...]
    """Milliseconds of processor time to encode."""
    sizes: tuple[int, ...]
    """File sizes in bytes."""


class Crowd(NamedTuple):
    """Measurements of many tables that change all the time."""

    tables: int
    """The number of tables."""
    every: float
    """The seconds between two changes of a table."""
    changes: int
    """The total number of changes."""
    waits: tuple[float, ...]
    """Seconds from each shown change to its picture, sorted."""
    hands: int
    """The number of open hands whose pictures a change wants, beside that of the table."""
    cpu: float
    """Seconds of processor time per picture in the process of the bot."""
    drawing: float
    """Seconds of processor time per second in the process that draws."""

    @property
    def in_time(self) -> float:
        """The share of the pictures that were ready in time for their message."""
        return sum(wait <= IN_TIME_S for wait in self.waits) / len(self.waits)


def scenes(options: Options, count: int, seed: int) -> Iterator[TableScene]:
    """Yield the scenes of a random match after each of `count` actions."""
    for match in _matches(options, count, seed):
        yield table_scene(match, WORDS)


def _matches(options: Options, count: int, seed: int) -> Iterator[Game]:
    """Yield the tables of a random match after each of `count` actions."""
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
    """Draw `count` pictures of a random match in this process and return their costs."""
    figures: list[tuple[float, float, float, int]] = []
    for number, table in enumerate(_matches(options, count, seed)):
        start = process_time()
        scene = table_scene(table, WORDS)
        known = process_time()
        picture = compose(scene)
        drawn = process_time()
        file = encode(picture)
        done = process_time()
        if number >= count // 10:  # earlier pictures also create the sprites
            figures.append(
                (1000 * (known - start), 1000 * (drawn - known), 1000 * (done - drawn), len(file))
            )
    return Drawn(*zip(*figures, strict=True))


def hand_costs(options: Options, count: int, seed: int) -> Drawn:
    """Draw the hands of all seats in this process whenever they change, for `count` actions.

    The time of a scene includes its description in words.
    """
    figures: list[tuple[float, ...]] = []
    shown: dict[int, HandScene | None] = {}
    for number, table in enumerate(_matches(options, count, seed)):
        for chair in range(len(table.chairs)):
            start = process_time()
            scene = hand_scene(table, chair, WORDS, _sorted)
            if scene is None or scene == shown.get(chair):
                continue
            hand_text(scene, WORDS)
            shown[chair] = scene
            known = process_time()
            picture = compose_hand(scene)
            drawn = process_time()
            file = encode(picture, level=LEVEL)
            times = known - start, drawn - known, process_time() - drawn
            if number >= count // 10:
                figures.append((*(1000 * time for time in times), len(file)))
    return Drawn(*zip(*figures, strict=True))


def _sorted(cards: CardSet) -> list[Card]:
    """Return the cards of a hand as most players see them."""
    return in_display_order(cards, WORDS.sorting)


async def crowd(tables: int, every: float, seconds: float, seed: int, hands: int = 0) -> Crowd:
    """Let `tables` tables change every `every` seconds, with one process that draws them all.

    Each table requests the pictures of one state at a time, and then those of its newest state:
    one of the table, and one for each of `hands` seats from the one on turn on.
    """
    rng = Random(seed)
    games = list(_matches(Options(), 300, seed))
    shown: list[list[TableScene | HandScene]] = [[table_scene(game, WORDS)] for game in games]
    for game, pictures in zip(games, shown, strict=True):
        turn = game.views.public.turn or 0
        seats = [(turn + further) % len(game.chairs) for further in range(hands)]
        drawn_hands = (hand_scene(game, seat, WORDS, _sorted) for seat in seats)
        pictures += [scene for scene in drawn_hands if scene is not None]
    waits: list[float] = []
    changes = 0
    painter = Pictures()
    await painter.draw(shown[0][0])
    end = perf_counter() + seconds

    async def table(number: int) -> None:
        nonlocal changes
        newest = perf_counter() + rng.random() * every
        await asyncio.sleep(newest - perf_counter())
        while perf_counter() < end:
            changed = newest
            wanted = shown[(number + round(newest / every)) % len(shown)]
            waits.extend(
                [perf_counter() - changed for scene in wanted if await painter.draw(scene)]
            )
            missed = int((perf_counter() - newest) / every)
            changes += max(1, missed)
            if missed:
                newest += missed * every  # changes were missed: request the newest state at once
            else:
                newest += every
                await asyncio.sleep(max(0.0, newest - perf_counter()))

    before, begin = process_time(), perf_counter()
    children = _children_s()
    await asyncio.gather(*map(table, range(tables)))
    cpu, took = process_time() - before, perf_counter() - begin
    await painter.close()
    drawing = (_children_s() - children) / took
    return Crowd(tables, every, changes, tuple(sorted(waits)), hands, cpu / len(waits), drawing)


def _children_s() -> float:
    """Return the seconds of processor time of child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system
