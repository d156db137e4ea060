"""Swiss system: entrants with equal scores meet, and nobody meets twice while that is possible.

The pairings are those of the Swiss Team Pairing System of FIDE (Handbook, C.04.6 of February 2026)
without preferences for colours. A comment in brackets names a criterion there. The numbers of the
entrants are its pairing numbers. Two things differ, as its regulations allow. A bye counts as a
win. Where no pairing complies with the absolute criteria, as few entrants as possible meet again,
and then as few as possible have another bye.

Each choice is a perfect matching of minimal cost. Costs are tuples in the order of the criteria,
compared as sums, field by field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from bot.club.competition import Competition, EntrantNumber, Line, Pairing, TieBreak
from bot.club.formats.standings import standings
from bot.club.formats.turns import Turns, in_seats, score_of, turns_of

Pair = tuple[EntrantNumber, EntrantNumber]
"""Two entrants."""

_BYE = EntrantNumber(0)
"""Opponent of the entrant who has the bye."""


class Swiss:
    """Rules of the Swiss system."""

    tie_breaks: tuple[TieBreak, ...] = ("buchholz", "direct", "points")
    entrants = range(4, 65)

    def length(self, competition: Competition) -> int:
        """Return the planned number of rounds, or else one more than a knock-out has."""
        count = len(competition.roster)
        return competition.planned or min((count - 1).bit_length() + 1, count - 1 + count % 2)

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the pairings of the next round, those of the highest scores first."""
        unpaired = sorted(each.number for each in competition.active)
        left = self.length(competition) - len(competition.rounds)
        if left <= 0 or len(unpaired) < 2:
            return ()
        field = _Field(competition, avoid_floaters=left > 2)
        pairings = list[Pairing]()
        bye = field.bye(unpaired) if len(unpaired) % 2 else None
        if bye is not None:
            unpaired.remove(bye)
        while unpaired:
            bracket = field.bracket(unpaired)
            for one, other in field.pairs(bracket):
                pairings.append(in_seats(one, other, field.turns))
            unpaired = [number for number in unpaired if number not in bracket]
        return (*pairings, ((bye,),)) if bye is not None else tuple(pairings)

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the standings."""
        return standings(competition, self.tie_breaks)


class _Field:
    """Entrants of the next round, with all that the criteria ask for."""

    def __init__(self, competition: Competition, *, avoid_floaters: bool) -> None:
        self.turns = turns_of(competition)
        self.scores = _scores(self.turns)
        self.rounds = len(competition.rounds)
        self.floaters = _floaters(competition) if avoid_floaters else frozenset[EntrantNumber]()
        self.meetings = Counter(
            (number, turn.opponent)
            for number, turns in self.turns.items()
            for turn in turns
            if turn.ending == "played" and turn.opponent is not None and number < turn.opponent
        )

    def bye(self, unpaired: list[EntrantNumber]) -> EntrantNumber:
        """Return who has the bye (articles 3.4 and [C2])."""
        costs = {
            pair: (self._met(pair)[0], 0, 0, 0, 0)  # [C1]
            for pair in combinations(unpaired, 2)
        }
        for number in unpaired:
            turns = self.turns[number]
            had = sum(turn.ending in ("bye", "forfeit") and turn.score > 0 for turn in turns)
            played = sum(turn.ending == "played" for turn in turns)
            score = int(2 * self.scores[number])
            costs[_BYE, number] = (0, had, score, self.rounds - played, unpaired[-1] - number)
        return next(pair[1] for pair in _matching(costs) if pair[0] == _BYE)

    def bracket(self, unpaired: list[EntrantNumber]) -> list[EntrantNumber]:
        """Return the entrants with the highest score, and the upfloaters (article 3.5).

        The matching pairs all who are left, so that the others can be paired, too [C3].
        """
        levels = sorted({self.scores[number] for number in unpaired}, reverse=True)
        if len(levels) == 1:
            return unpaired
        level = {number: levels.index(self.scores[number]) for number in unpaired}
        order = sorted(unpaired, key=lambda number: (level[number], number))
        size, top = len(order), 1 << len(order)
        costs = dict[Pair, tuple[int, ...]]()
        for (_, upper), (place, lower) in combinations(enumerate(order), 2):
            is_upfloat = level[upper] == 0 < level[lower]
            costs[upper, lower] = (
                *self._met((upper, lower)),  # [C1]
                int(is_upfloat),  # [C4]
                size ** level[lower] if is_upfloat else 0,  # [C5]
                int(level[upper] == 1 < level[lower]),  # [C6]
                int(is_upfloat and lower in self.floaters),  # [C7]
                top - (top >> place) if is_upfloat else 0,  # article 3.5.4
            )
        return sorted(
            number
            for pair in _matching(costs)
            if any(level[each] == 0 for each in pair)
            for number in pair
        )

    def pairs(self, bracket: list[EntrantNumber]) -> list[Pair]:
        """Return the pairs of a bracket by the lower number (article 3.6).

        The smallest set of first members comes first, and then their smallest opponents.
        """
        size = len(bracket)
        score = max(self.scores[number] for number in bracket)
        costs = dict[Pair, tuple[int, ...]]()
        for (place, one), (other_place, other) in combinations(enumerate(bracket), 2):
            opponents = {
                each
                for each, floater in ((one, other), (other, one))
                if self.scores[floater] < score
            }
            costs[one, other] = (
                *self._met((one, other)),  # [C1]
                len(opponents & self.floaters),  # [C10]
                1 << (size - other_place),
                other_place * size ** (size - place),
            )
        return sorted(_matching(costs))

    def _met(self, pair: Pair) -> tuple[int, int]:
        """Return whether two entrants have met, and how often."""
        met = self.meetings[min(pair), max(pair)]
        return int(met > 0), met


def _scores(turns: Turns) -> dict[EntrantNumber, Fraction]:
    """Return the scores of all entrants."""
    return {number: score_of(each) for number, each in turns.items()}


def _floaters(competition: Competition) -> frozenset[EntrantNumber]:
    """Return who met an opponent with another score in the last round."""
    before = _scores(turns_of(replace(competition, rounds=competition.rounds[:-1])))
    last = len(competition.rounds) - 1
    return frozenset(
        number
        for number, turns in turns_of(competition).items()
        for turn in turns
        if turn.round == last
        and turn.ending == "played"
        and turn.opponent is not None
        and before[number] != before[turn.opponent]
    )


def _matching(costs: Mapping[Pair, tuple[int, ...]]) -> list[Pair]:
    """Return the perfect matching whose costs, summed up field by field, are the least."""
    from networkx import Graph, min_weight_matching  # takes 24 MB, and few processes pair rounds

    widths = [1 + len(costs) * max(field) for field in zip(*costs.values(), strict=True)]
    graph = Graph()
    for pair, fields in costs.items():
        weight = 0
        for field, width in zip(fields, widths, strict=True):
            weight = weight * width + field
        graph.add_edge(*pair, weight=weight)
    return [(min(pair), max(pair)) for pair in min_weight_matching(graph)]
