"""Achievements: small goals of players, and their progress.

Like careers they are computed from `bot.score_records.Played` on demand, and never stored. Their
names and sentences are defined in `bot.text.achievements`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from bot.ids import UserId
from bot.profiles.careers import comebacks, winning_streaks
from bot.score_records import Ending, Played, Stretch
from engine import VARIANTS, Variant

Marks: TypeAlias = Iterable[tuple[datetime, int]]
"""Pairs of a time and a number towards an achievement, oldest first."""

_ALMOST = 995
"""Score that just misses the usual target."""
_WHOLE = 1000
"""Usual target of a match."""
_SHORT, _LONG = 4, 20
"""Numbers of rounds of a very short and of a very long match."""
_HUNDREDTHS = 100
"""Unit of stored margins: hundredths of a point or percent."""


class Key(StrEnum):
    """Keys of all achievements, in display order."""

    PRESENT = "present"
    TICHU = "tichu"
    GRAND = "grand"
    THREE_CALLS = "three-calls"
    OPTIMIST = "optimist"
    SILENCE = "silence"
    ALMOST = "almost"
    COMEBACK = "comeback"
    SHORT = "short"
    FLOOD = "flood"
    SWEEPS = "sweeps"
    RISE_AND_FALL = "rise-and-fall"
    LONG = "long"
    TWO_BOMBS = "two-bombs"
    BOMBS = "bombs"
    FIRSTS = "firsts"
    WINS = "wins"
    LOSSES = "losses"
    COMPANY = "company"
    ROUNDS = "rounds"


class Achievement(NamedTuple):
    """Progress of a person towards an achievement."""

    key: Key
    """Key of the achievement."""
    goal: int
    """Value to be reached."""
    reached: int
    """Value reached, at most the goal."""
    earned_at: datetime | None
    """Time when the goal was reached; `None` if it is not yet.

    It is the end of the match that reached it, or of the person's rounds at that table.
    """


class Rule(NamedTuple):
    """Rule of an achievement."""

    key: Key
    """Key of the achievement."""
    goal: int
    """Value to be reached."""
    marks: Callable[[Played], Marks]
    """Returns the marks that count towards the goal."""
    at_once: bool = False
    """True if one mark must reach the goal, instead of their sum."""
    fits: Callable[[Variant], bool] = lambda game: True
    """Returns whether a game has this achievement."""


def _scored(game: Variant) -> bool:
    """Return whether the game has points and calls."""
    return game.scored


def _to_target(game: Variant) -> bool:
    """Return whether a match is played to a number of points."""
    return "target" in game.choices


def _places(game: Variant) -> bool:
    """Return whether the game has places and no points."""
    return not game.scored


def _each(value: Callable[[Stretch], int | None]) -> Callable[[Played], Marks]:
    """Return a function that yields `value` for each table, if known."""

    def marks(played: Played) -> Marks:
        for stretch in played.stretches:
            number = value(stretch)
            if number is not None:
                yield stretch.ended_at, number

    return marks


def _matches(fitting: Callable[[Ending], bool]) -> Callable[[Played], Marks]:
    """Return a function that yields 1 for each match of this kind."""

    def marks(played: Played) -> Marks:
        return ((ending.ended_at, 1) for ending in played.endings if fitting(ending))

    return marks


def _losing_streaks(played: Played) -> Marks:
    """Return the length of the losing streak after each match."""
    return winning_streaks(ending._replace(won=not ending.won) for ending in played.endings)


def _comebacks(played: Played) -> Marks:
    """Return for each comeback the number of points behind."""
    return ((moment.at, moment.value) for moment in comebacks(played.endings))


def _won_in_silence(played: Played) -> Marks:
    """Yield 1 for each won match, not very short, without own calls."""
    stretches = {stretch.table_id: stretch for stretch in played.stretches}
    for ending in played.endings:
        own = stretches.get(ending.table_id)
        if ending.won and own is not None and own.rounds > _SHORT and not own.tichus + own.grands:
            yield ending.ended_at, 1


def _acquaintances(played: Played) -> Iterator[tuple[datetime, int]]:
    """Return a mark of 1 for each other person, at their first meeting."""
    began = {stretch.table_id: stretch.began_at for stretch in played.stretches}
    met: dict[UserId, datetime] = {}
    for other in played.company:
        time = began[other.first_table]
        met[other.user_id] = min(time, met.get(other.user_id, time))
    return ((time, 1) for time in sorted(met.values()))


def _rise_and_fall(stretch: Stretch) -> int:
    """Return 1 if the person was once first and once last, else 0.

    For Grand Seigneur.
    """
    return int(stretch.best == 100 * _HUNDREDTHS and stretch.worst == 0)


def _best_margin(stretch: Stretch) -> int | None:
    """Return the largest margin of a round in points, if known."""
    return None if stretch.best is None else stretch.best // _HUNDREDTHS


RULES = (
    Rule(Key.PRESENT, 1, _each(lambda own: own.rounds)),
    Rule(Key.TICHU, 1, _each(lambda own: own.tichus_made), fits=_scored),
    Rule(Key.GRAND, 1, _each(lambda own: own.grands_made), fits=_scored),
    Rule(
        Key.THREE_CALLS,
        3,
        _each(lambda own: own.tichus_made + own.grands_made),
        at_once=True,
        fits=_scored,
    ),
    Rule(
        Key.OPTIMIST,
        3,
        _each(lambda own: own.tichus + own.grands - own.tichus_made - own.grands_made),
        at_once=True,
        fits=_scored,
    ),
    Rule(Key.SILENCE, 1, _won_in_silence, fits=_scored),
    Rule(
        Key.ALMOST,
        1,
        _matches(lambda match: not match.won and match.total == _ALMOST),
        fits=_to_target,
    ),
    Rule(Key.COMEBACK, 400, _comebacks, at_once=True, fits=_scored),
    Rule(
        Key.SHORT,
        1,
        _matches(
            lambda match: match.won and match.rounds <= _SHORT and (match.total or 0) >= _WHOLE
        ),
        fits=_to_target,
    ),
    Rule(Key.FLOOD, 400, _each(_best_margin), at_once=True, fits=_scored),
    Rule(Key.SWEEPS, 10, _each(lambda own: own.sweeps), fits=_scored),
    Rule(Key.RISE_AND_FALL, 1, _each(_rise_and_fall), fits=_places),
    Rule(
        Key.LONG,
        _LONG,
        lambda played: ((m.ended_at, m.rounds) for m in played.endings),
        at_once=True,
    ),
    Rule(Key.TWO_BOMBS, 2, _each(lambda own: own.most_bombs), at_once=True),
    Rule(Key.BOMBS, 100, _each(lambda own: own.bombs)),
    Rule(Key.FIRSTS, 100, _each(lambda own: own.firsts)),
    Rule(Key.WINS, 5, lambda played: winning_streaks(played.endings), at_once=True),
    Rule(Key.LOSSES, 5, _losing_streaks, at_once=True),
    Rule(Key.COMPANY, 20, _acquaintances),
    Rule(Key.ROUNDS, 1000, _each(lambda own: own.rounds)),
)
"""Rules of all achievements, in display order."""


def achievements(played: Played) -> tuple[Achievement, ...]:
    """Return every achievement of this game with the person's progress."""
    game = VARIANTS[played.variant]
    return tuple(_measured(rule, rule.marks(played)) for rule in RULES if rule.fits(game))


def _measured(rule: Rule, marks: Marks) -> Achievement:
    """Return the progress of a rule with these marks."""
    reached = 0
    for time, number in marks:
        reached = max(reached, number) if rule.at_once else reached + number
        if reached >= rule.goal:
            return Achievement(rule.key, rule.goal, rule.goal, time)
    return Achievement(rule.key, rule.goal, reached, None)
