"""Random matches as the application plays and stores them, and computer players for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from bot.computers.thinking import Brain, Thinking
from bot.records import ActionRecord, Change
from bot.table.batch import Course
from bot.table.decisions import Subject
from bot.table.state import TableOptions, TableState
from engine.actions import Action
from engine.match import new_match
from engine.state import Phase
from engine.view import View
from players.novice.player import Novice
from tests.bot.states import HOST, NOON, state
from tests.engine.walks import random_action, random_deck


def plain_brain(seed: int) -> Brain:
    """The plain computer player with chance of its own."""
    player, chance = Novice(), random.Random(seed)

    def think(seen: View) -> Action | None:
        return player.choose(seen, chance)

    return think


def thought(brain: Brain, *subjects: Subject, absent: bool = False) -> Callable[[Course], None]:
    """What is done when computer players (or those who play for absent people) have thought."""

    def work(batch: Course) -> None:
        thinking, at = Thinking(lambda: NOON, brain), batch.before
        if absent:
            batch.carry_out(thinking.for_absent(at))
        elif subjects == ("bomb",):
            batch.close_window(thinking.decided(at, subjects))
        else:
            batch.carry_out(thinking.decided(at, subjects or ("answer", "move")))

    return work


NANJING = TableOptions(target=300)
LORDS = TableOptions(variant="grandseigneur", rounds=2)
MATCHES = (
    *((seed, NANJING) for seed in (3, 4, 6)),
    (3, TableOptions(variant="trichu", rounds=3)),
    (9, TableOptions(variant="tientsin", target=300)),
    (3, LORDS.model_copy(update={"players": 5})),
    (4, LORDS.model_copy(update={"players": 8, "direction": "clockwise"})),
)
"""Seeds and options of matches of every game that end soon."""


def batches(
    seed: int, options: TableOptions = NANJING
) -> Iterator[tuple[Course, TableState, Change]]:
    """A random match of people only, one action in each batch, from the start to its end.

    Calls are wild in it: with some seeds (not 2 to 10) a match of Nanjing is very long, and with
    most seeds one of Tientsin.
    """
    chance = random.Random(seed)
    at = state(status="playing", options=options)
    course = Course(at, NOON)
    first = chance.randrange(at.options.chairs)
    course.start(first, random_deck(new_match(at.options.rules()), chance))
    while True:
        at, change = course.finish()
        yield course, at, change
        if not at.running:
            return
        assert at.match is not None
        course = Course(at, NOON)
        if at.match.phase is Phase.ROUND_END:
            course.deal(random_deck(at.match, chance))
        else:
            course.take(random_action(at.match, chance), HOST)


def log_of(seed: int) -> list[ActionRecord]:
    """The stored actions of a random match."""
    return [action for _, _, change in batches(seed) for action in change.actions]
