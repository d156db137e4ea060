"""Achievements: what of a person's rounds and matches is worth a smile, and how far off it is.

They belong to a career and are computed like it, from `bot.score_records.Played`, and never stored.
What they are called stands in `bot.text.achievements`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from bot.profiles.careers import comebacks, winning_streaks
from bot.score_records import Ending, Played, Stretch
from engine import VARIANTS, Variant

Marks = Iterable[tuple[datetime, int]]
"""What counts for an achievement: when, and how much; the oldest first."""

_ALMOST = 995
_WHOLE = 1000
_SHORT, _LONG = 4, 20
"""Rounds of a very short and a very long match."""


class Achievement(NamedTuple):
    """How far a person is: they have `reached` so much of the `goal`, and all of it at `earned_at`.

    `earned_at` is the end of the match (or of their rounds at that table) with which it was earned.
    """

    key: str
    goal: int
    reached: int
    earned_at: datetime | None


class Rule(NamedTuple):
    """What is to be reached; marks are added up, unless the largest of them counts (`at_once`).

    It is only for the games that it `fits`.
    """

    key: str
    goal: int
    marks: Callable[[Played], Marks]
    at_once: bool = False
    fits: Callable[[Variant], bool] = lambda game: True


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
    """A number of each table, where it is known."""

    def marks(played: Played) -> Marks:
        for stretch in played.stretches:
            found = value(stretch)
            if found is not None:
                yield stretch.ended_at, found

    return marks


def _matches(fitting: Callable[[Ending], bool]) -> Callable[[Played], Marks]:
    """One for each match that fits."""

    def marks(played: Played) -> Marks:
        return ((ending.ended_at, 1) for ending in played.endings if fitting(ending))

    return marks


def _losing_streaks(played: Played) -> Marks:
    return winning_streaks(ending._replace(won=not ending.won) for ending in played.endings)


def _comebacks(played: Played) -> Marks:
    return ((found.at, found.value) for found in comebacks(played.endings))


def _won_in_silence(played: Played) -> Marks:
    """Matches of more than a few rounds, won without a call in any of one's own rounds there."""
    at = {stretch.table_id: stretch for stretch in played.stretches}
    for ending in played.endings:
        own = at.get(ending.table_id)
        if ending.won and own is not None and own.rounds > _SHORT and not own.tichus + own.grands:
            yield ending.ended_at, 1


def _acquaintances(played: Played) -> Iterator[tuple[datetime, int]]:
    """One for each other person, when they were met for the first time."""
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
