"""Random matches as the application plays and stores them, and computer players for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from bench.walks import random_action, random_deck
from bot.computers.decision_scheduler import DecisionScheduler, ImmediatePlayer
from bot.records import ActionRecord, Change
from bot.table.batch import Batch
from bot.table.decisions import Subject
from bot.table.details import SeatNotes
from bot.table.lobby import without_empty_chairs
from bot.table.options import TableOptions
from bot.table.state import Game
from engine import Action, Options, Phase, View, new_match
from players.novice.player import Novice
from tests.bot.asking import played
from tests.bot.brains import Brain
from tests.bot.states import HOST, NOON, PEOPLE, chairs, state
from tests.campaign import SOAK


def plain_brain(seed: int) -> Brain:
    """Return the plain computer player with its own random numbers."""
    player, chance = Novice(), random.Random(seed)

    def think(seen: View) -> Action | None:
        return player.choose(seen, chance)

    return think


def any_manner(brain: Brain) -> ImmediatePlayer:
    """Return this player as one that ignores manners."""
    return lambda seen, manner: brain(seen)


def thought(brain: Brain, *subjects: Subject, absent: bool = False) -> Callable[[Batch], None]:
    """Return the batch work that applies the decisions of computers, or those for the absent."""

    def work(batch: Batch) -> None:
        scheduler, at = DecisionScheduler(lambda: NOON, any_manner(brain)), played(batch.before)
        if absent:
            batch.carry_out(scheduler.decisions_for_absent(at))
        elif subjects == ("bomb",):
            batch.close_window(scheduler.decisions(at, subjects))
        else:
            batch.carry_out(scheduler.decisions(at, subjects or ("answer", "move")))

    return work


def finished(batch: Batch) -> Game:
    """Return the table after a batch."""
    return ended(batch)[0]


def ended(batch: Batch) -> tuple[Game, Change]:
    """Return the table after a batch, and the change to store."""
    after, change, _ = batch.finish()
    return played(after), change


def did(at: Game, work: Callable[[Batch], object]) -> tuple[Game, list[str]]:
    """Return the table after one batch, and its actions as ``seat text``."""
    batch = Batch(at, NOON)
    work(batch)
    after, change = ended(batch)
    return after, texts(change)


def texts(change: Change) -> list[str]:
    """Return the actions of a change as ``seat text``."""
    return [f"{action.seat} {action.text}" for action in change.actions]


NANJING = TableOptions(rules=Options(target=300))
LONG_TIENTSIN = (9, TableOptions(rules=Options(variant="tientsin", target=300)))
LORDS = TableOptions(rules=Options(variant="grandseigneur", rounds=2))
MATCHES = (
    (3, NANJING),
    (3, TableOptions(rules=Options(variant="trichu", rounds=3))),
    (15, TableOptions(rules=Options(variant="tientsin", target=100))),
    (4, TableOptions(rules=replace(LORDS.rules, players=8, direction="clockwise"))),
    *([(4, NANJING), (6, NANJING), (3, LORDS.with_players(5)), LONG_TIENTSIN] if SOAK else []),
)
"""Seeds and options of short matches of every game; more of them in a campaign."""


@cache
def batches(seed: int, options: TableOptions = NANJING) -> Sequence[tuple[Batch, Game, Change]]:
    """Return a random match of people from start to end, one action in each batch.

    Calls are frequent in it, so a match of Nanjing is very long with some seeds (not 2 to 10), and
    one of Tientsin with most. Each match is played once in a process and shared.
    """
    return tuple(_batches(seed, options))


def _batches(seed: int, options: TableOptions) -> Iterator[tuple[Batch, Game, Change]]:
    chance = random.Random(seed)
    lobby = without_empty_chairs(
        state(options=options, chairs=chairs(PEOPLE[: options.game.chair_count(options.rules)]))
    )
    first = chance.randrange(len(lobby.chairs))
    deck = random_deck(new_match(lobby.options.rules), chance)
    batch = Batch.start(lobby, NOON, first, deck, {}, SeatNotes())
    while True:
        after, change = ended(batch)
        yield batch, after, change
        if not after.running:
            return
        batch = Batch(after, NOON)
        if after.phase is Phase.ROUND_END:
            batch.deal(random_deck(after.match, chance))
        else:
            batch.take(random_action(after.match, chance), HOST)


def log_of(seed: int) -> list[ActionRecord]:
    """Return the stored actions of a random match."""
    return [action for _, _, change in batches(seed) for action in change.actions]
