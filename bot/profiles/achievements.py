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
"""Pairs of a time and a number that counts towards an achievement, oldest first."""

_USUAL_TARGET = 1000
"""Usual target of a match."""
_ALMOST = _USUAL_TARGET - 5
"""Largest score below the usual target."""
_SHORT_MATCH, _LONG_MATCH = 4, 20
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

    It is the end of the match in which it was reached, or of the person's last round at the table.
    """


class Rule(NamedTuple):
    """Rule of an achievement."""

    key: Key
    """Key of the achievement."""
    goal: int
    """Value to be reached."""
    marks: Callable[[PlayerStatistics], Marks]
    """Function that returns the marks which count towards the goal."""
    single_mark: bool = False
    """True if a single mark must reach the goal, and not the sum of all marks."""
    applies_to: Callable[[Variant], bool] = lambda game: True
    """Function that returns whether a game has this achievement."""


def _has_points(game: Variant) -> bool:
    """Return whether the game has points and calls."""
    return game.scored


def _has_target(game: Variant) -> bool:
    """Return whether a match is played to a number of points."""
    return "target" in game.choices


def _has_places(game: Variant) -> bool:
    """Return whether the game has places and no points."""
    return not game.scored


def _marks_per_table(
    value: Callable[[TableTotals], int | None],
) -> Callable[[PlayerStatistics], Marks]:
    """Return a function that yields a mark with `value` for each table, unless it is `None`."""

    def marks(stats: PlayerStatistics) -> Marks:
        for totals in stats.table_totals:
            number = value(totals)
            if number is not None:
                yield totals.ended_at, number

    return marks


def _marks_per_match(
    is_counted: Callable[[FinishedMatch], bool],
) -> Callable[[PlayerStatistics], Marks]:
    """Return a function that yields a mark of 1 for each match that `is_counted`."""

    def marks(stats: PlayerStatistics) -> Marks:
        return ((match.ended_at, 1) for match in stats.finished_matches if is_counted(match))

    return marks


def _losing_streak_marks(stats: PlayerStatistics) -> Marks:
    """Return a mark for each match with the length of the losing streak after it."""
    return winning_streaks(match._replace(won=not match.won) for match in stats.finished_matches)


def _comeback_marks(stats: PlayerStatistics) -> Marks:
    """Return a mark for each comeback with the number of points made up."""
    return ((moment.at, moment.value) for moment in comebacks(stats.finished_matches))


def _silent_win_marks(stats: PlayerStatistics) -> Marks:
    """Yield a mark of 1 for each match won without own calls, unless it was very short."""
    by_table = {totals.table_id: totals for totals in stats.table_totals}
    for match in stats.finished_matches:
        totals_of_match = by_table.get(match.table_id)
        if (
            match.won
            and totals_of_match is not None
            and totals_of_match.rounds > _SHORT_MATCH
            and not totals_of_match.tichus + totals_of_match.grands
        ):
            yield match.ended_at, 1


def _acquaintance_marks(stats: PlayerStatistics) -> Iterator[tuple[datetime, int]]:
    """Return a mark of 1 for each other person, at the time of their first common table."""
    began_at = {totals.table_id: totals.began_at for totals in stats.table_totals}
    met_at: dict[UserId, datetime] = {}
    for other in stats.shared_rounds:
        began = began_at[other.first_table]
        met_at[other.user_id] = min(began, met_at.get(other.user_id, began))
    return ((began, 1) for began in sorted(met_at.values()))


def _rise_and_fall(totals: TableTotals) -> int:
    """Return 1 if the person was first in one round at a table and last in another, else 0.

    In a game of places the margins of these rounds are 100 and 0 percent.
    """
    return int(totals.best == 100 * _HUNDREDTHS and totals.worst == 0)


def _best_margin(totals: TableTotals) -> int | None:
    """Return the largest margin of a round in points, if known."""
    return None if totals.best is None else totals.best // _HUNDREDTHS


RULES = (
    Rule(Key.PRESENT, 1, _marks_per_table(lambda own: own.rounds)),
    Rule(Key.TICHU, 1, _marks_per_table(lambda own: own.tichus_made), applies_to=_has_points),
    Rule(Key.GRAND, 1, _marks_per_table(lambda own: own.grands_made), applies_to=_has_points),
    Rule(
        Key.THREE_CALLS,
        3,
        _marks_per_table(lambda own: own.tichus_made + own.grands_made),
        single_mark=True,
        applies_to=_has_points,
    ),
    Rule(
        Key.OPTIMIST,
        3,
        _marks_per_table(lambda own: own.tichus + own.grands - own.tichus_made - own.grands_made),
        single_mark=True,
        applies_to=_has_points,
    ),
    Rule(Key.SILENCE, 1, _silent_win_marks, applies_to=_has_points),
    Rule(
        Key.ALMOST,
        1,
        _marks_per_match(lambda match: not match.won and match.total == _ALMOST),
        applies_to=_has_target,
    ),
    Rule(Key.COMEBACK, 400, _comeback_marks, single_mark=True, applies_to=_has_points),
    Rule(
        Key.SHORT,
        1,
        _marks_per_match(
            lambda match: (
                match.won and match.rounds <= _SHORT_MATCH and (match.total or 0) >= _USUAL_TARGET
            )
        ),
        applies_to=_has_target,
    ),
    Rule(Key.FLOOD, 400, _marks_per_table(_best_margin), single_mark=True, applies_to=_has_points),
    Rule(Key.SWEEPS, 10, _marks_per_table(lambda own: own.sweeps), applies_to=_has_points),
    Rule(Key.RISE_AND_FALL, 1, _marks_per_table(_rise_and_fall), applies_to=_has_places),
    Rule(
        Key.LONG,
        _LONG_MATCH,
        lambda stats: ((m.ended_at, m.rounds) for m in stats.finished_matches),
        single_mark=True,
    ),
    Rule(Key.TWO_BOMBS, 2, _marks_per_table(lambda own: own.most_bombs), single_mark=True),
    Rule(Key.BOMBS, 100, _marks_per_table(lambda own: own.bombs)),
    Rule(Key.FIRSTS, 100, _marks_per_table(lambda own: own.firsts)),
    Rule(Key.WINS, 5, lambda played: winning_streaks(played.finished_matches), single_mark=True),
    Rule(Key.LOSSES, 5, _losing_streak_marks, single_mark=True),
    Rule(Key.COMPANY, 20, _acquaintance_marks),
    Rule(Key.ROUNDS, 1000, _marks_per_table(lambda own: own.rounds)),
)
"""Rules of all achievements, in display order."""


def achievements(stats: PlayerStatistics) -> tuple[Achievement, ...]:
    """Return every achievement of this game with the person's progress."""
    game = VARIANTS[stats.variant]
    return tuple(_progress(rule, rule.marks(stats)) for rule in RULES if rule.applies_to(game))


def _progress(rule: Rule, marks: Marks) -> Achievement:
    """Return the progress towards the goal of a rule with these marks."""
    reached = 0
    for time, number in marks:
        reached = max(reached, number) if rule.single_mark else reached + number
        if reached >= rule.goal:
            return Achievement(rule.key, rule.goal, rule.goal, time)
    return Achievement(rule.key, rule.goal, reached, None)
