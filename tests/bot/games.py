"""Whole matches as the application stores them: logs of random games, played through `Course`."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bot.course import Course
from bot.storage import ActionRecord, Change
from bot.table import TableOptions, TableState
from engine.state import Match, Phase
from engine.view import View
from players.plain import PlainPlayer
from tests.bot.states import HOST, NOON, chairs, state
from tests.engine.walks import random_action, random_deck


def thinker(seed: int) -> PlainBrain:
    """A computer player with chance of its own."""
    return PlainBrain(seed)


class PlainBrain:
    """What `Tables` and `Course` call for a computer player."""

    def __init__(self, seed: int) -> None:
        self._player = PlainPlayer()
        self._chance = random.Random(seed)

    def __call__(self, seen: View) -> object:
        """The plain player's choice."""
        return self._player.choose(seen, self._chance)


def batches(seed: int, target: int = 300) -> Iterator[tuple[TableState, Change, Course]]:
    """A random match of four people, one action in each batch, from the start to its end."""
    chance = random.Random(seed)
    at = state(status="playing", options=TableOptions(target=target), chairs=chairs())
    course = Course(at, NOON, lambda seen: None)
    course.start(chance.randrange(4), random_deck(_empty(at), chance))
    while True:
        at, change = course.finish()
        yield at, change, course
        if not at.running:
            return
        assert at.match is not None
        course = Course(at, NOON, lambda seen: None)
        if at.match.phase is Phase.ROUND_END:
            course.deal(random_deck(at.match, chance))
        else:
            course.take(random_action(at.match, chance), HOST)


def _empty(at: TableState) -> Match:
    from engine.match import new_match

    return new_match(at.options.rules())


def log_of(seed: int) -> list[ActionRecord]:
    """The stored actions of a random match."""
    return [action for _, change, _ in batches(seed) for action in change.actions]
