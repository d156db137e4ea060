"""Exhaustive search for Swiss pairings, from the text of FIDE's Swiss Team Pairing System.

It tries all byes, sets of upfloaters and pairings of a bracket, and shares no code with
`bot.club.formats`. Comments name the articles and criteria of FIDE Handbook C.04.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bot.club.competition import Competition, Pairing

Pairs = tuple[tuple[int, int], ...]
Choice = tuple[frozenset[tuple[int, int]], int | None] | None
"""Pairs and the entrant with the bye; `None` if the competition is over."""


def choice_of(pairings: Sequence[Pairing]) -> Choice:
    """Return pairings as a choice, without their order and sides."""
    if not pairings:
        return None
    byes = [int(sides[0][0]) for sides in pairings if len(sides) == 1]
    pairs = frozenset((min(sides)[0], max(sides)[0]) for sides in pairings if len(sides) == 2)
    return pairs, byes[0] if byes else None


def best_choice(competition: Competition) -> Choice:
    """Return the best choice for the next round."""
    numbers = [int(each.number) for each in competition.active]
    left = (competition.planned or 0) - len(competition.rounds)
    if left <= 0 or len(numbers) < 2:
        return None
    past = _Past.of(competition, left > 2)
    bye = None
    if len(numbers) % 2:  # article 3.4
        bye = min(
            numbers,
            key=lambda number: (
                min(past.repeats(pairs)[0] for pairs in _pairings(_without(numbers, [number]))),
                past.free[number],
                past.scores[number],
                -past.played[number],
                -number,
            ),
        )
        numbers.remove(bye)
    pairs = list[tuple[int, int]]()
    while numbers:
        bracket = _bracket(numbers, past)
        pairs += _best_pairs(bracket, past)
        numbers = _without(numbers, bracket)
    return frozenset(pairs), bye


@dataclass
class _Past:
    scores: Counter[int]
    """Scores, doubled."""
    played: Counter[int]
    free: Counter[int]
    """Wins without play."""
    met: Counter[tuple[int, int]]
    floaters: set[int]

    @classmethod
    def of(cls, competition: Competition, avoid_floaters: bool) -> _Past:
        past = cls(Counter(), Counter(), Counter(), Counter(), set())
        for position, matches in enumerate(competition.rounds):
            scores = Counter(past.scores)
            for match in matches:
                assert match.result is not None
                ending, winner = match.result.ending, match.result.winner
                numbers = [int(side[0]) for side in match.sides]
                if winner is not None:
                    past.scores[numbers[winner]] += 2
                    past.free[numbers[winner]] += ending != "played"
                if ending != "played":
                    continue
                past.met[min(numbers), max(numbers)] += 1
                for number in numbers:
                    past.played[number] += 1
                    past.scores[number] += winner is None
                is_last = position == len(competition.rounds) - 1
                if is_last and avoid_floaters and scores[numbers[0]] != scores[numbers[1]]:
                    past.floaters.update(numbers)
        return past

    def repeats(self, pairs: Pairs) -> tuple[int, int]:
        """Return the number of repeated pairs, and how often they have met."""
        return sum(self.met[pair] > 0 for pair in pairs), sum(self.met[pair] for pair in pairs)


def _without(numbers: Sequence[int], others: Sequence[int]) -> list[int]:
    return [number for number in numbers if number not in others]


def _pairings(numbers: Sequence[int]) -> Iterator[Pairs]:
    """Yield all pairings of an even number of entrants, in ascending order."""
    if not numbers:
        yield ()
        return
    first, *others = sorted(numbers)
    for other in others:
        for pairs in _pairings(_without(others, [other])):
            yield ((first, other), *pairs)


def _split_repeats(bracket: Sequence[int], others: Sequence[int], past: _Past) -> tuple[int, int]:
    """Return the fewest repeats if both parts are paired."""
    parts = [min(past.repeats(pairs) for pairs in _pairings(part)) for part in (bracket, others)]
    return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]


def _sets(numbers: Sequence[int], past: _Past) -> tuple[list[int], list[list[int]]]:
    """Return the top scoregroup, and all sets of upfloaters that comply with [C1], [C3], [C4]."""
    if not numbers:
        return [], [[]]
    highest = max(past.scores[number] for number in numbers)
    group = [number for number in numbers if past.scores[number] == highest]
    lower = _without(numbers, group)
    sets = [
        list(each)
        for size in range(len(group) % 2, len(lower) + 1, 2)
        for each in combinations(lower, size)
    ]
    keys = []
    for each in sets:
        bracket = [*group, *each]
        keys.append((_split_repeats(bracket, _without(numbers, bracket), past), len(each)))
    return group, [each for each, key in zip(sets, keys, strict=True) if key == min(keys)]


def _bracket(numbers: Sequence[int], past: _Past) -> list[int]:
    """Return the top scoregroup with its upfloaters (article 3.5)."""
    group, sets = _sets(numbers, past)
    lower = _without(numbers, group)
    following = max((past.scores[number] for number in lower), default=None)

    def key(upfloaters: list[int]) -> tuple[Any, ...]:
        left = _without(lower, upfloaters)
        is_emptied = all(past.scores[number] != following for number in left)
        ordered = sorted(upfloaters, key=lambda number: (-past.scores[number], number))
        return (
            sorted(-past.scores[number] for number in upfloaters)[::-1],  # [C5]
            0 if is_emptied else len(_sets(left, past)[1][0]),  # [C6]
            sum(number in past.floaters for number in upfloaters),  # [C7]
            ordered,  # article 3.5.4
        )

    return [*group, *min(sets, key=key)]


def _best_pairs(bracket: Sequence[int], past: _Past) -> Pairs:
    """Return the pairing of a bracket (article 3.6)."""
    highest = max(past.scores[number] for number in bracket)

    def key(pairs: Pairs) -> tuple[Any, ...]:
        opponents = [
            pair[1 - place]
            for pair in pairs
            for place in (0, 1)
            if past.scores[pair[place]] < highest
        ]
        return (
            past.repeats(pairs),
            sum(number in past.floaters for number in opponents),  # [C10]
            [pair[0] for pair in pairs],
            [pair[1] for pair in pairs],
        )

    return min(_pairings(bracket), key=key)
