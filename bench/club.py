"""`python -m bench.club pairings N`: check the pairings of simulated tournaments.

Tournaments of 4 to 64 entrants in all formats, with draws, void matches, forfeits, absences and
withdrawals, must keep the promises of `docs/formats.md`. Whether a promise can be kept is decided
by a matching of the most pairs who have not met. Then Swiss pairings of up to eight entrants are
compared with an exhaustive search (`bench.club_search`). Besides, N / 5 duplicates and N / 4
seasons of a league are checked. The exit status is 1 after a failure.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from multiprocessing import Pool
from random import Random
from time import perf_counter

from networkx import Graph, max_weight_matching

from bench.club_duplicate import play_duplicate
from bench.club_league import play_season
from bench.club_search import Choice, best_choice, choice_of
from bench.club_simulation import must, new_competition, with_absences, with_results
from bot.club.competition import Competition, EntrantNumber, Match, Pairing, Result
from bot.club.formats import FORMATS
from bot.club.settings import FormatName
from bot.runtime.progress import print_line, progress

FIELDS = range(4, 65)
_NAMES: tuple[FormatName, ...] = ("round-robin", "knock-out", "swiss")
_SEARCHED = (2, 3, 4, 5, 6, 7, 8)
_ALL_RESULTS = {2: 3, 3: 3, 4: 4, 5: 3, 6: 3, 7: 3, 8: 3}
"""Rounds by number of entrants for which all sequences of wins and losses are searched."""


# --- Simulation ---------------------------------------------------------------------------------


def _won(pairings: Sequence[Pairing], winners: Sequence[int]) -> tuple[Match, ...]:
    """Return the matches of a round with these winners."""
    return tuple(
        Match(sides, Result("played" if len(sides) == 2 else "bye", winner))
        for sides, winner in zip(pairings, winners, strict=True)
    )


def play(number: int) -> Counter[str]:
    """Play the tournament with this number, check each round, and return what was counted."""
    rng = Random(f"club {number}")
    name = rng.choice(_NAMES)
    count = rng.choice((rng.choice(FIELDS), rng.randint(4, 12)))
    planned = None
    if name == "round-robin":
        planned = rng.choice((None, 2 * (count - 1 + count % 2), rng.randint(1, 20)))
    elif name == "swiss":
        planned = rng.choice((None, None, rng.randint(1, 20 if count <= 16 else 9)))
    competition = new_competition(count, rng, planned)
    are_absent = rng.random() < 0.7
    counted = Counter({"tournaments": 1, f"{name}: tournaments": 1})
    gone = set[EntrantNumber]()
    while True:
        if competition.rounds and are_absent:
            competition = with_absences(competition, gone, rng)
        begin = perf_counter()
        pairings = FORMATS[name].pair(competition)
        counted[f"{name}: slowest pairing, ms"] = max(
            counted[f"{name}: slowest pairing, ms"], round(1000 * (perf_counter() - begin))
        )
        if not pairings:
            break
        counted[f"{name}: rounds"] += 1
        if rng.random() < 0.1:
            must(
                pairings == FORMATS[name].pair(competition), "the same competition, other pairings"
            )
        _check_round(name, competition, pairings, counted)
        competition = with_results(competition, pairings, rng)
        if rng.random() < 0.2:
            _check_standings(name, competition)
    _check_standings(name, competition)
    _check_end(name, competition, counted)
    return counted


# --- Promises -----------------------------------------------------------------------------------


def _numbers(competition: Competition) -> list[EntrantNumber]:
    return [each.number for each in competition.active]


def _met(competition: Competition) -> Counter[frozenset[EntrantNumber]]:
    """Return how often each two have met at a table."""
    return Counter(
        frozenset((match.sides[0][0], match.sides[1][0]))
        for matches in competition.rounds
        for match in matches
        if match.result is not None and match.result.ending == "played"
    )


def _had_bye(competition: Competition) -> Counter[EntrantNumber]:
    """Return the number of byes, and of wins by forfeit, of each entrant."""
    had = Counter[EntrantNumber]()
    for match in (match for matches in competition.rounds for match in matches):
        result = match.result
        if result and result.ending in ("bye", "forfeit") and result.winner is not None:
            had[match.sides[result.winner][0]] += 1
    return had


def _score(competition: Competition, number: EntrantNumber) -> float:
    """Return the score of an entrant."""
    score = 0.0
    for match in (match for matches in competition.rounds for match in matches):
        if match.result is None or (number,) not in match.sides:
            continue
        if match.result.winner is None:
            score += 0.5 * (match.result.ending == "played")
        else:
            score += match.sides[match.result.winner] == (number,)
    return score


def _fewest_repeats(
    numbers: Iterable[EntrantNumber], met: Counter[frozenset[EntrantNumber]]
) -> int:
    """Return the fewest pairs of an even number of entrants that must meet again."""
    numbers = list(numbers)
    graph = Graph()
    graph.add_edges_from(pair for pair in combinations(numbers, 2) if not met[frozenset(pair)])
    return len(numbers) // 2 - len(max_weight_matching(graph, maxcardinality=True))


def _check_round(
    name: FormatName, competition: Competition, pairings: Sequence[Pairing], counted: Counter[str]
) -> None:
    """Check the pairings of a round."""
    paired = [side[0] for sides in pairings for side in sides]
    must(len(paired) == len(set(paired)), "an entrant is paired twice")
    if name == "swiss":
        _check_swiss(competition, pairings, counted)
    elif name == "round-robin":
        _check_round_robin(competition, pairings)
    else:
        _check_knock_out(competition, pairings)
    difference = _seat_differences(competition)
    for sides in pairings:
        if len(sides) == 2:
            first, second = (difference[side[0]] for side in sides)
            must(first <= second, "the side that was first more often is first again")


def _seat_differences(competition: Competition) -> Counter[EntrantNumber]:
    """Return how much more often each entrant was first than second at a table."""
    difference = Counter[EntrantNumber]()
    for match in (match for matches in competition.rounds for match in matches):
        if match.result is not None and match.result.ending == "played":
            difference[match.sides[0][0]] += 1
            difference[match.sides[1][0]] -= 1
    return difference


def _check_swiss(
    competition: Competition, pairings: Sequence[Pairing], counted: Counter[str]
) -> None:
    """Check that nobody meets twice or has a second bye while that is possible."""
    numbers, met = _numbers(competition), _met(competition)
    must(sorted(side[0] for sides in pairings for side in sides) == numbers, "not all are paired")
    byes = [sides[0][0] for sides in pairings if len(sides) == 1]
    must(len(byes) == len(numbers) % 2, "too many byes")
    repeats = sum(met[frozenset(side[0] for side in sides)] > 0 for sides in pairings)
    if not byes:
        fewest = repeats and _fewest_repeats(numbers, met)
        must(repeats == fewest, "some meet again who need not")
    else:
        fewest = repeats
        had = _had_bye(competition)
        preferred = sorted(numbers, key=lambda number: (had[number], _score(competition, number)))
        mine = had[byes[0]], _score(competition, byes[0])
        for number in preferred:
            others = [other for other in numbers if other != number]
            if (had[number], _score(competition, number)) < mine:
                must(_fewest_repeats(others, met) > fewest, f"the bye belongs to {number}")
            elif fewest:  # the others matter only if somebody meets again
                must(_fewest_repeats(others, met) >= fewest, "some meet again who need not")
        counted["swiss: byes"] += 1
        counted["swiss: second byes"] += had[byes[0]] > 0
    counted["swiss: pairings"] += len(pairings)
    counted["swiss: repeated pairings"] += repeats


def _check_round_robin(competition: Competition, pairings: Sequence[Pairing]) -> None:
    """Check that nobody is paired twice with the same in one passage of the table."""
    must(
        {side[0] for sides in pairings for side in sides} <= set(_numbers(competition)),
        "somebody is paired who is not active",
    )
    count = len(competition.roster)
    cycle = count - 1 + count % 2
    begun = len(competition.rounds) // cycle * cycle
    before = {frozenset(match.sides) for matches in competition.rounds[begun:] for match in matches}
    for sides in pairings:
        must(len(sides) == 1 or frozenset(sides) not in before, "two meet twice in one passage")
    active = set(_numbers(competition)).intersection(each.number for each in competition.roster)
    must(
        {side[0] for sides in pairings for side in sides} == active,
        "somebody who is active has neither a match nor a bye",
    )
    absent = count - len(active)
    must(sum(len(sides) == 1 for sides in pairings) <= absent + count % 2, "too many byes")


def _check_knock_out(competition: Competition, pairings: Sequence[Pairing]) -> None:
    """Check that byes go to the highest seeds, and that nobody plays on who has lost."""
    paired = {side[0] for sides in pairings for side in sides}
    if not competition.rounds:
        size = 1 << (len(paired) - 1).bit_length()
        byes = {sides[0][0] for sides in pairings if len(sides) == 1}
        must(byes == set(range(1, size - len(paired) + 1)), "other seeds have the byes")
        halves = [{side[0] for sides in pairings[start::2] for side in sides} for start in (0, 1)]
        if len(pairings) == 2:
            must(not any({1, 2} <= half for half in halves), "the best meet before the final")
        return
    finals = 2 if competition.third_place else 1
    is_final = len(competition.rounds) + 1 == FORMATS["knock-out"].length(competition)
    must(
        len(pairings) <= finals if is_final else 2 * len(pairings) == len(competition.rounds[-1]),
        "another number of matches",
    )
    for position, match in enumerate(competition.rounds[-1]):
        result = match.result
        if result and result.winner is not None and len(match.sides) == 2 and not is_final:
            loser = match.sides[1 - result.winner][0]
            must(loser not in paired, f"{loser} lost match {position} and plays on")


def _check_standings(name: FormatName, competition: Competition) -> None:
    """Check that all entrants are in the standings, with places that fit their values."""
    lines = FORMATS[name].standings(competition)
    must(sorted(line.entrant for line in lines) == [e.number for e in competition.entrants], "all")
    stay = {each.number: not each.withdrawn for each in competition.entrants}
    scores = [line.tie_breaks[0] if name == "knock-out" else line.score for line in lines]
    values = [
        (score, stay[line.entrant], *line.tie_breaks)
        for score, line in zip(scores, lines, strict=True)
    ]
    must(values == sorted(values, reverse=True), "the order of the standings")
    for line, value in zip(lines, values, strict=True):
        must(line.place == values.index(value) + 1, "a place")


def _check_end(name: FormatName, competition: Competition, counted: Counter[str]) -> None:
    """Check the balance of seats of a tournament that is over."""
    differences = [abs(each) for each in _seat_differences(competition).values()]
    most = max(differences, default=0)
    key = f"{name}: largest difference of seats"
    counted[key] = max(counted[key], most)
    counted[f"{name}: entrants"] += len(differences)
    counted[f"{name}: entrants with a difference above 1"] += sum(each > 1 for each in differences)
    if name == "round-robin" and competition.rounds:
        _check_table(competition)


def _check_table(competition: Competition) -> None:
    """Check that the table itself has all pairs once, and balanced sides."""
    fresh = replace(
        competition,
        entrants=tuple(each._replace(withdrawn=False) for each in competition.roster),
        rounds=(),
        planned=None,
    )
    seats, pairs = Counter[EntrantNumber](), Counter[frozenset[EntrantNumber]]()
    while pairings := FORMATS["round-robin"].pair(fresh):
        fresh = replace(fresh, rounds=(*fresh.rounds, _won(pairings, (0,) * len(pairings))))
        for sides in pairings:
            if len(sides) == 2:
                seats[sides[0][0]] += 1
                seats[sides[1][0]] -= 1
                pairs[frozenset((sides[0][0], sides[1][0]))] += 1
    count = len(competition.roster)
    must(len(pairs) == count * (count - 1) // 2 and set(pairs.values()) == {1}, "the table")
    must(all(abs(each) <= 1 for each in seats.values()), "the sides of the table")


# --- Exhaustive search --------------------------------------------------------------------------


def searched(counts: Iterable[int] = _SEARCHED) -> Iterator[Competition]:
    """Yield competitions of these numbers of entrants before the next round, by all results."""
    for count in counts:
        start = new_competition(count, Random(count), count - 1 + count % 2)
        yield from _after(start, _ALL_RESULTS[count])


def _after(competition: Competition, rounds: int) -> Iterator[Competition]:
    """Yield this competition and all that can follow by wins and losses in these rounds."""
    yield competition
    pairings = FORMATS["swiss"].pair(competition) if rounds else ()
    if not pairings:
        return
    winners = product(*(range(len(sides)) for sides in pairings))
    for each in winners:
        after = replace(competition, rounds=(*competition.rounds, _won(pairings, each)))
        yield from _after(after, rounds - 1)


def random_searched(number: int) -> Iterator[Competition]:
    """Yield the rounds of a random tournament of up to eight, with all that can happen.

    Every second tournament has random pairings, which lead to rarer situations.
    """
    rng = Random(f"search {number}")
    count = rng.choice(_SEARCHED)
    competition = new_competition(count, rng, rng.randint(1, 9))
    gone = set[EntrantNumber]()
    while pairings := FORMATS["swiss"].pair(competition):
        yield competition
        if number % 2:
            sides = [side for each in pairings for side in each]
            rng.shuffle(sides)
            pairings = tuple(tuple(sides[at : at + 2]) for at in range(0, len(sides), 2))
        competition = with_results(competition, pairings, rng)
        competition = with_absences(competition, gone, rng)


def found(competition: Competition) -> Choice:
    """Return the choice of the product."""
    return choice_of(FORMATS["swiss"].pair(competition))


def compare(competitions: Iterable[Competition]) -> int:
    """Compare each with the exhaustive search, and return the number of rounds."""
    rounds = 0
    for competition in competitions:
        best = best_choice(competition)
        must(found(competition) == best, f"better: {best} in {competition}")
        rounds += best is not None
    return rounds


def _compare_random(number: int) -> int:
    return compare(random_searched(number))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.club",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("pairings")
    command.add_argument("tournaments", type=int, nargs="?", default=5000)
    command.add_argument("--processes", type=int, help="default: all processors")
    arguments = parser.parse_args(argv)
    count: int = arguments.tournaments
    total = Counter[str]()
    try:
        with Pool(arguments.processes) as pool:
            for played, some in (
                (play, count),
                (play_duplicate, count // 5),
                (play_season, count // 4),
            ):
                numbers = pool.imap_unordered(played, range(some), chunksize=5)
                for counted in progress(numbers, "pairings", unit="tournaments", total=some):
                    for key, value in counted.items():
                        is_most = "largest" in key or "slowest" in key
                        total[key] = max(total[key], value) if is_most else total[key] + value
            rounds = sum(pool.imap_unordered(_compare_random, range(count), chunksize=20))
        for key in sorted(total):
            print_line(f"{key}: {total[key]:,}")
        print_line(f"exhaustive search, random tournaments: {rounds:,} rounds")
        print_line(f"exhaustive search, all results: {compare(searched()):,} rounds")
    except AssertionError as failed:
        print_line(f"failed: {failed}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
