"""Standings by score and tie-breaks. Of equal scores, those of withdrawn entrants come last.

The tie-breaks are those of the FIDE Handbook, C.07 (Play-Off and Tie-Break Regulations, 2026):
direct encounter and Buchholz, with its rules for rounds that were not played (article 16). The
difference of points is this game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby

from bot.club.competition import Competition, EntrantNumber, Line, TieBreak
from bot.club.formats.turns import Turns, score_of, turns_of

_HALF = Fraction(1, 2)


def standings(competition: Competition, tie_breaks: Sequence[TieBreak]) -> tuple[Line, ...]:
    """Return the standings by score, then by these tie-breaks, then with shared places."""
    turns = turns_of(competition)
    scores = {number: score_of(each) for number, each in turns.items()}
    return ranked(competition, turns, scores, tie_breaks)


def ranked(
    competition: Competition,
    turns: Turns,
    scores: Mapping[EntrantNumber, Fraction],
    tie_breaks: Sequence[TieBreak],
) -> tuple[Line, ...]:
    """Return lines in the order of the scores, then of these tie-breaks."""
    finished = sum(all(match.result for match in matches) for matches in competition.rounds)
    values: dict[EntrantNumber, tuple[Fraction, ...]] = {
        number: (score, Fraction(number not in competition.withdrawn))
        for number, score in scores.items()
    }
    for name in tie_breaks:
        values = {
            number: (*values[number], value)
            for level in _levels(values)
            for number, value in _TIE_BREAKS[name](level, turns, finished).items()
        }
    return lines(turns, scores, values)


def lines(
    turns: Turns,
    scores: Mapping[EntrantNumber, Fraction],
    values: Mapping[EntrantNumber, tuple[Fraction, ...]],
) -> tuple[Line, ...]:
    """Return lines in the order of these values, whose tie-breaks are all after the second."""
    place, result = 1, list[Line]()
    for level in _levels(values):
        for number in level:
            played = sum(turn.ending != "void" for turn in turns[number])
            result.append(Line(place, number, played, scores[number], values[number][2:]))
        place += len(level)
    return tuple(result)


def _levels(values: Mapping[EntrantNumber, tuple[Fraction, ...]]) -> Iterable[list[EntrantNumber]]:
    """Yield the entrants with equal values, best first, in the order of their numbers."""
    ordered = sorted(values, key=lambda number: ([-each for each in values[number]], number))
    for _, level in groupby(ordered, key=lambda number: values[number]):
        yield list(level)


def _direct(
    level: Sequence[EntrantNumber], turns: Turns, rounds: int
) -> dict[EntrantNumber, Fraction]:
    """Return the scores in the matches among these; zeros unless all of them have met."""
    among = {
        number: [
            turn
            for turn in turns[number]
            if turn.opponent in level and turn.ending in ("played", "forfeit")
        ]
        for number in level
    }
    met = {(number, turn.opponent) for number, each in among.items() for turn in each}
    if not all(pair in met for pair in combinations(level, 2)):
        return dict.fromkeys(level, Fraction())
    return {number: score_of(tuple(each)) for number, each in among.items()}


def _buchholz(
    level: Sequence[EntrantNumber], turns: Turns, rounds: int
) -> dict[EntrantNumber, Fraction]:
    """Return the sums of the scores of the opponents.

    A round that an entrant did not play counts as one against an opponent with the entrant's own
    score. In the score of an opponent, rounds without a result count as draws, and so do forfeits
    by the opponent. Before the end of a round, only the results that it has count.
    """
    lengths = {number: max(rounds, len(each)) for number, each in turns.items()}

    def contribution(number: EntrantNumber) -> Fraction:
        scores = [
            _HALF if turn.ending == "forfeit" and not turn.score else turn.score
            for turn in turns[number]
            if turn.ending != "void"
        ]
        return sum(scores, _HALF * (lengths[number] - len(scores)))

    def value(number: EntrantNumber) -> Fraction:
        opponents = [
            turn.opponent
            for turn in turns[number]
            if turn.opponent is not None and turn.ending == "played"
        ]
        own = score_of(turns[number]) * (lengths[number] - len(opponents))
        return sum((contribution(each) for each in opponents), own)

    return {number: value(number) for number in level}


def _points(
    level: Sequence[EntrantNumber], turns: Turns, rounds: int
) -> dict[EntrantNumber, Fraction]:
    """Return the differences of points in all matches."""
    return {number: Fraction(sum(turn.points for turn in turns[number])) for number in level}


_TIE_BREAKS: dict[
    TieBreak,
    Callable[[Sequence[EntrantNumber], Turns, int], dict[EntrantNumber, Fraction]],
] = {"direct": _direct, "buchholz": _buchholz, "points": _points}
