"""Achievements: small goals of players, and their progress.

Like careers they are computed from `bot.score_records.PlayerStatistics` on demand. Their
names and sentences are defined in `bot.text.achievements`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from bot.ids import UserId
from bot.profiles.careers import comebacks, winning_streaks
from bot.score_records import FinishedMatch, PlayerStatistics, TableTotals
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
    marks: Callable[[PlayerStatistics], Marks]
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


def _each(value: Callable[[TableTotals], int | None]) -> Callable[[PlayerStatistics], Marks]:
    """Return a function that yields `value` for each table, if known."""

    def marks(stats: PlayerStatistics) -> Marks:
        for totals in stats.table_totals:
            number = value(totals)
            if number is not None:
                yield totals.ended_at, number

    return marks


def _matches(fitting: Callable[[FinishedMatch], bool]) -> Callable[[PlayerStatistics], Marks]:
    """Return a function that yields 1 for each match of this kind."""

    def marks(stats: PlayerStatistics) -> Marks:
        return ((match.ended_at, 1) for match in stats.finished_matches if fitting(match))

    return marks


def _losing_streaks(stats: PlayerStatistics) -> Marks:
    """Return the length of the losing streak after each match."""
    return winning_streaks(match._replace(won=not match.won) for match in stats.finished_matches)


def _comebacks(stats: PlayerStatistics) -> Marks:
    """Return for each comeback the number of points behind."""
    return ((moment.at, moment.value) for moment in comebacks(stats.finished_matches))


def _won_in_silence(stats: PlayerStatistics) -> Marks:
    """Yield 1 for each won match, not very short, without own calls."""
    by_table = {totals.table_id: totals for totals in stats.table_totals}
    for match in stats.finished_matches:
        own = by_table.get(match.table_id)
        if match.won and own is not None and own.rounds > _SHORT and not own.tichus + own.grands:
            yield match.ended_at, 1


def _acquaintances(stats: PlayerStatistics) -> Iterator[tuple[datetime, int]]:
    """Return a mark of 1 for each other person, at their first meeting."""
    began = {totals.table_id: totals.began_at for totals in stats.table_totals}
    met: dict[UserId, datetime] = {}
    for other in stats.shared_rounds:
        time = began[other.first_table]
        met[other.user_id] = min(time, met.get(other.user_id, time))
    return ((time, 1) for time in sorted(met.values()))


def _rise_and_fall(totals: TableTotals) -> int:
    """Return 1 if the person was once first and once last, else 0.

    For Grand Seigneur.
    """
    return int(totals.best == 100 * _HUNDREDTHS and totals.worst == 0)


def _best_margin(totals: TableTotals) -> int | None:
    """Return the largest margin of a round in points, if known."""
    return None if totals.best is None else totals.best // _HUNDREDTHS


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
        lambda stats: ((m.ended_at, m.rounds) for m in stats.finished_matches),
        at_once=True,
    ),
    Rule(Key.TWO_BOMBS, 2, _each(lambda own: own.most_bombs), at_once=True),
    Rule(Key.BOMBS, 100, _each(lambda own: own.bombs)),
    Rule(Key.FIRSTS, 100, _each(lambda own: own.firsts)),
    Rule(Key.WINS, 5, lambda played: winning_streaks(played.finished_matches), at_once=True),
    Rule(Key.LOSSES, 5, _losing_streaks, at_once=True),
    Rule(Key.COMPANY, 20, _acquaintances),
    Rule(Key.ROUNDS, 1000, _each(lambda own: own.rounds)),
)
"""Rules of all achievements, in display order."""


def achievements(stats: PlayerStatistics) -> tuple[Achievement, ...]:
    """Return every achievement of this game with the person's progress."""
    game = VARIANTS[stats.variant]
    return tuple(_measured(rule, rule.marks(stats)) for rule in RULES if rule.fits(game))


def _measured(rule: Rule, marks: Marks) -> Achievement:
    """Return the progress of a rule with these marks."""
    reached = 0
    for time, number in marks:
        reached = max(reached, number) if rule.at_once else reached + number
        if reached >= rule.goal:
            return Achievement(rule.key, rule.goal, rule.goal, time)
    return Achievement(rule.key, rule.goal, reached, None)
