"""Simulated duplicates for `bench.club`: movement, seats, and match points by another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

from bench.club_simulation import must, new_competition, random_result, with_absences
from bot.club.competition import Boards, Competition, EntrantNumber, Match, Pairing
from bot.club.formats.duplicate import Duplicate

_RULES = Duplicate()
_BALANCED = (4, 7, 8, 11, 12)
"""Numbers of pairs with which each two compete equally often."""


def play_duplicate(number: int) -> Counter[str]:
    """Play the duplicate with this number, check it, and return what was counted."""
    rng = Random(f"duplicate {number}")
    count = rng.choice(_RULES.entrants)
    cycle = count - 1 + count % 2
    competition = new_competition(
        count, rng, rng.choice((None, None, 2 * cycle, rng.randint(1, 9)))
    )
    are_absent = rng.random() < 0.5
    gone = set[EntrantNumber]()
    while pairings := _RULES.pair(competition):
        if rng.random() < 0.1:
            must(pairings == _RULES.pair(competition), "the same duplicate, other pairings")
        _check_round(competition, pairings)
        competition = with_deals(competition, pairings, rng)
        if are_absent:
            competition = with_absences(competition, gone, rng)
    check_movement(count)
    _check_match_points(competition)
    return Counter({"duplicate: tournaments": 1, "duplicate: rounds": len(competition.rounds)})


def with_deals(competition: Competition, pairings: Sequence[Pairing], rng: Random) -> Competition:
    """Return the competition after a round of random deals, of which some are not reached."""
    deals = rng.randint(1, 6)
    matches = list[Match]()
    for sides in pairings:
        result = random_result(competition, sides, rng)
        if result.ending == "played":
            reached = deals if rng.random() < 0.9 else rng.randint(0, deals)
            boards: Boards = tuple(
                (points, 100 - points)
                for points in (rng.randrange(0, 105, 25) for _ in range(reached))
            )
            result = result._replace(boards=boards)
        matches.append(Match(sides, result))
    return replace(competition, rounds=(*competition.rounds, tuple(matches)))


def _check_round(competition: Competition, pairings: Sequence[Pairing]) -> None:
    """Check that all who are active have a match or sit out, and that nobody meets again."""
    active = {each.number for each in competition.active}
    roster = {each.number for each in competition.roster}
    paired = [side[0] for sides in pairings for side in sides]
    must(sorted(paired) == sorted(active & roster), "not all pairs are in the round once")
    cycle = len(roster) - 1 + len(roster) % 2
    begun = len(competition.rounds) // cycle * cycle
    before = {frozenset(match.sides) for matches in competition.rounds[begun:] for match in matches}
    for sides in pairings:
        must(len(sides) == 1 or frozenset(sides) not in before, "two meet twice in one passage")
    byes = sum(len(sides) == 1 for sides in pairings)
    must(byes <= len(roster) % 2 + len(roster - active), "too many pairs sit out")


def check_movement(count: int) -> None:
    """Check the movement of a field without absences: meetings, byes, and who competes."""
    competition = new_competition(count, Random(count))
    met, byes, same = Counter[frozenset[int]](), Counter[int](), Counter[frozenset[int]]()
    while pairings := _RULES.pair(competition):
        matches = tuple(Match(sides) for sides in pairings)
        competition = replace(competition, rounds=(*competition.rounds, matches))
        tables = [[side[0] for side in sides] for sides in pairings if len(sides) == 2]
        met.update(frozenset(table) for table in tables)
        byes.update(sides[0][0] for sides in pairings if len(sides) == 1)
        for side in (0, 1):
            same.update(map(frozenset, combinations([table[side] for table in tables], 2)))
    everybody = [frozenset(pair) for pair in combinations(range(1, count + 1), 2)]
    must(met == Counter(everybody), "not each two meet once")
    must(set(byes.values()) <= {1} and len(byes) == count % 2 * count, "byes are not equal")
    mean = (count - 2 - count % 2) / 2  # of the rounds in which both play, without their match
    most = max(abs(same[pair] - mean) for pair in everybody)
    must(most == (0 if count in _BALANCED else 1), f"{count} pairs do not compete equally")


def _check_match_points(competition: Competition) -> None:
    """Check the standings against match points that count each result as often as needed."""
    tables = len(competition.roster) // 2
    scores: dict[int, list[Fraction]] = {each.number: [] for each in competition.entrants}
    artificial: dict[int, list[int]] = {each.number: [] for each in competition.entrants}
    for matches in competition.rounds:
        deals = max((len(match.result.boards) for match in matches if match.result), default=0)
        for match in matches:
            ending = match.result.ending if match.result else "void"
            for side, (number,) in enumerate(match.sides):
                if ending == "forfeit":
                    won = match.result is not None and match.result.winner == side
                    artificial[number] += [won] * deals
                elif ending == "played":
                    scores[number] += [
                        _share(matches, match, side, at, tables) for at in range(deals)
                    ]
    lines = _RULES.standings(competition)
    must(sorted(line.entrant for line in lines) == sorted(scores), "not all are in the standings")
    for line in lines:
        own = scores[line.entrant]
        mean = sum(own, Fraction()) / len(own) if own else Fraction(1, 2)
        plus, minus = max(Fraction(60, 100), mean), min(Fraction(40, 100), mean)
        every = [*own, *(plus if won else minus for won in artificial[line.entrant])]
        expected = sum(every, Fraction()) / len(every) if every else Fraction(1, 2)
        must(line.score == expected, f"match points of {line.entrant}")
    stay = {each.number: not each.withdrawn for each in competition.entrants}
    keys = [(line.score, stay[line.entrant], *line.tie_breaks) for line in lines]
    must(keys == sorted(keys, reverse=True), "the order of the standings")
    must([line.place for line in lines] == [keys.index(key) + 1 for key in keys], "a place")


def _share(matches: Sequence[Match], mine: Match, side: int, deal: int, tables: int) -> Fraction:
    """Return the share of the match points of a side on a deal."""
    results = {
        place: match.result.boards[deal][side] - match.result.boards[deal][1 - side]
        for place, match in enumerate(matches)
        if match.result and match.result.ending == "played" and deal < len(match.result.boards)
    }
    place = matches.index(mine)
    if place not in results:
        return Fraction(1, 2)
    often = Fraction(tables, len(results))
    below = often * sum(each < results[place] for each in results.values())
    equal = often * sum(each == results[place] for each in results.values())
    return (2 * below + equal - 1) / (2 * tables - 2)
