"""Achievements: their goals, and how far somebody is towards each.

They belong to a career and are computed like it, from stored rows (`bot.storage.careers`). Their
names and descriptions are in `bot.text.achievements`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from bot.profiles.careers import comebacks, winning_streaks
from bot.score_records import Ending, Played, Stretch
from engine.variants import VARIANTS, Variant

Marks = Iterable[tuple[datetime, int]]
"""Pairs of a time and how much was added to an achievement then, the oldest first."""

_ALMOST = 995
_WHOLE = 1000
_SHORT, _LONG = 4, 20
"""The number of rounds of a very short and of a very long match."""


class Achievement(NamedTuple):
    """How far somebody is towards one achievement."""

    key: str
    goal: int
    reached: int
    """How much of the goal is reached."""
    earned_at: datetime | None
    """The end of the match, or of the own rounds at a table, with which it was earned."""


class Rule(NamedTuple):
    """What has to be done for one achievement."""

    key: str
    goal: int
    """How much the marks have to add up to."""
    marks: Callable[[Played], Marks]
    at_once: bool = False
    """Whether a single mark has to be as large as the goal: then marks are not added up."""
    fits: Callable[[Variant], bool] = lambda game: True
    """Whether a game has this achievement."""


def _scored(game: Variant) -> bool:
    """Whether there are points and calls."""
    return game.scored


def _to_target(game: Variant) -> bool:
    """Whether a match is played to a number of points."""
    return "target" in game.choices


def _places(game: Variant) -> bool:
    """Whether there are places and no points."""
    return not game.scored


def _each(value: Callable[[Stretch], int | None]) -> Callable[[Played], Marks]:
    """Marks from a number of each table, where it is known."""

    def marks(played: Played) -> Marks:
        for stretch in played.stretches:
            number = value(stretch)
            if number is not None:
                yield stretch.ended_at, number

    return marks


def _matches(fitting: Callable[[Ending], bool]) -> Callable[[Played], Marks]:
    """A mark of 1 for each match that fits."""

    def marks(played: Played) -> Marks:
        return ((ending.ended_at, 1) for ending in played.endings if fitting(ending))

    return marks


def _losing_streaks(played: Played) -> Marks:
    """For each match the number of matches lost in a row up to it."""
    return winning_streaks(ending._replace(won=not ending.won) for ending in played.endings)


def _comebacks(played: Played) -> Marks:
    """For each match won after being behind: by how much it was behind."""
    return ((moment.at, moment.value) for moment in comebacks(played.endings))


def _won_in_silence(played: Played) -> Marks:
    """Matches of more than a few rounds, won without a call in any of one's own rounds there."""
    at = {stretch.table_id: stretch for stretch in played.stretches}
    for ending in played.endings:
        own = at.get(ending.table_id)
        if ending.won and own is not None and own.rounds > _SHORT and not own.tichus + own.grands:
            yield ending.ended_at, 1


def _acquaintances(played: Played) -> Iterator[tuple[datetime, int]]:
    """A mark of 1 for each other person, when the two played together for the first time."""
    began = {stretch.table_id: stretch.began_at for stretch in played.stretches}
    met: dict[int, datetime] = {}
    for who in played.company:
        at = began[who.first_table]
        met[who.user_id] = min(at, met.get(who.user_id, at))
    return ((at, 1) for at in sorted(met.values()))


def _rise_and_fall(stretch: Stretch) -> int:
    """Grand Seigneur: whether one was above all others in one round and below all in another."""
    return int(stretch.best == 10_000 and stretch.worst == 0)


RULES = (
    Rule("present", 1, _each(lambda at: at.rounds)),
    Rule("tichu", 1, _each(lambda at: at.tichus_made), fits=_scored),
    Rule("grand", 1, _each(lambda at: at.grands_made), fits=_scored),
    Rule(
        "three-calls",
        3,
        _each(lambda at: at.tichus_made + at.grands_made),
        at_once=True,
        fits=_scored,
    ),
    Rule(
        "optimist",
        3,
        _each(lambda at: at.tichus + at.grands - at.tichus_made - at.grands_made),
        at_once=True,
        fits=_scored,
    ),
    Rule("silence", 1, _won_in_silence, fits=_scored),
    Rule(
        "almost",
        1,
        _matches(lambda match: not match.won and match.total == _ALMOST),
        fits=_to_target,
    ),
    Rule("comeback", 400, _comebacks, at_once=True, fits=_scored),
    Rule(
        "short",
        1,
        _matches(lambda m: m.won and m.rounds <= _SHORT and (m.total or 0) >= _WHOLE),
        fits=_to_target,
    ),
    Rule("flood", 400, _each(lambda at: at.best and at.best // 100), at_once=True, fits=_scored),
    Rule("sweeps", 10, _each(lambda at: at.sweeps), fits=_scored),
    Rule("rise-and-fall", 1, _each(_rise_and_fall), fits=_places),
    Rule(
        "long", _LONG, lambda played: ((m.ended_at, m.rounds) for m in played.endings), at_once=True
    ),
    Rule("two-bombs", 2, _each(lambda at: at.most_bombs), at_once=True),
    Rule("bombs", 100, _each(lambda at: at.bombs)),
    Rule("firsts", 100, _each(lambda at: at.firsts)),
    Rule("wins", 5, lambda played: winning_streaks(played.endings), at_once=True),
    Rule("losses", 5, _losing_streaks, at_once=True),
    Rule("company", 20, _acquaintances),
    Rule("rounds", 1000, _each(lambda at: at.rounds)),
)
"""All achievements, in the order in which they are shown."""


def achievements(played: Played) -> tuple[Achievement, ...]:
    """Every achievement of the game that was played, with what is reached of it."""
    game = VARIANTS[played.variant]
    return tuple(_measured(rule, rule.marks(played)) for rule in RULES if rule.fits(game))


def _measured(rule: Rule, marks: Marks) -> Achievement:
    reached = 0
    for at, value in marks:
        reached = max(reached, value) if rule.at_once else reached + value
        if reached >= rule.goal:
            return Achievement(rule.key, rule.goal, rule.goal, at)
    return Achievement(rule.key, rule.goal, reached, None)
