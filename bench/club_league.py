"""Simulated seasons of leagues for `bench.club`: fixtures, postponements, and promotions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

from bench.club_simulation import must, new_competition, random_result
from bot.club.competition import Competition, EntrantNumber, Match, Result, Side
from bot.club.formats import league
from bot.club.formats.league import Divisions, League

_RULES = League()


def play_season(number: int) -> Counter[str]:
    """Play the season with this number, check it, and return what was counted.

    Four of five have 8 pairs, the others 4 to 40.
    """
    rng = Random(f"season {number}")
    count = 8 if number % 5 else rng.randint(4, 40)
    season = new_competition(count, rng)
    season = replace(season, divisions=rng.randint(1, 4), twice=rng.random() < 0.5)
    divisions = league.split([each.number for each in season.entrants], season.divisions)
    while pairings := _RULES.pair(season):
        drawn = tuple(
            Match(sides, Result("bye", 0) if len(sides) == 1 else None) for sides in pairings
        )
        season = replace(season, rounds=(*season.rounds, drawn))
    weeks = len(season.rounds)
    must(weeks == _RULES.length(season), "another number of weeks")
    _check_fixtures(season, divisions)
    counted = Counter({"league: seasons": 1, "league: fixtures": len(league.open_fixtures(season))})
    for week in range(1, weeks + 1):
        season = _after_week(season, week, weeks, rng, counted)
    for fixture in league.open_fixtures(season):  # lost by both sides
        season = with_result(season, fixture.round, fixture.match, Result("forfeit"))
        counted["league: not played"] += 1
    must(not league.open_fixtures(season), "a fixture is open at the end of the season")
    gone = {(each.number,) for each in season.entrants if each.withdrawn}
    must(
        all(
            match.result or gone & {*match.sides} for matches in season.rounds for match in matches
        ),
        "no result",
    )
    _check_fixtures(season, divisions)
    _check_tables(season, divisions)
    _check_next_season(season, rng, counted)
    return counted


def _after_week(
    season: Competition, week: int, weeks: int, rng: Random, counted: Counter[str]
) -> Competition:
    """Return the season after a week in which all can happen."""
    for fixture in league.open_fixtures(season):
        before, chance = season, rng.random()
        one, other = fixture.sides
        if fixture.week == week and chance < 0.25:
            later = rng.randint(week, weeks)
            is_first = season.rounds[fixture.round][fixture.match].until == (0, 0)
            season = _asked(season, fixture, 0, later if chance < 0.2 else weeks + 1)
            must(not is_first or _week(season, fixture) == week, "postponed by one side alone")
            season = _asked(season, fixture, 1, later)
            must(_week(season, fixture) == later, "not in the week that both agreed to")
            counted["league: postponements"] += later > week
        elif fixture.week <= week and chance < 0.30:
            winner = rng.choice((0, 1, None))
            result = Result("forfeit", winner)
            season = with_result(season, fixture.round, fixture.match, result)
            counted["league: forfeits by the organiser"] += 1
        elif chance < (0.95 if fixture.week <= week else 0.05):
            result = random_result(season, (other, one), rng)
            season = _with_match(season, other, one, result)
            counted["league: played early"] += fixture.week > week
            counted["league: played"] += 1
        _must_go_on(before, season)
    one, other = ((each.number,) for each in rng.sample(season.entrants, 2))
    season, before = _with_match(season, one, other, Result("played", 0, (1000, 0))), season
    is_open = any({*each.sides} == {one, other} for each in league.open_fixtures(before))
    must((season != before) == is_open, "a match counts without an open fixture, or not with one")
    counted["league: matches without a fixture"] += not is_open
    if rng.random() < 0.06:
        gone = rng.choice(season.entrants).number
        entrants = (
            each._replace(withdrawn=not each.withdrawn) if each.number == gone else each
            for each in season.entrants
        )
        season = replace(season, entrants=tuple(entrants))
        counted["league: withdrawals and returns"] += 1
    return season


def with_result(season: Competition, position: int, place: int, result: Result) -> Competition:
    """Return the season with this result of a match."""
    rounds = [list(matches) for matches in season.rounds]
    rounds[position][place] = rounds[position][place]._replace(result=result)
    return replace(season, rounds=tuple(map(tuple, rounds)))


def _with_match(season: Competition, one: Side, other: Side, result: Result) -> Competition:
    """Return the season after a match, whose result has side `one` first."""
    fixture = league.fixture_of(season, one, other)
    if fixture is None:
        return season
    oriented = result if fixture.sides[0] == one else result.swapped
    return with_result(season, fixture.round, fixture.match, oriented)


def _asked(season: Competition, fixture: league.Fixture, side: int, week: int) -> Competition:
    """Return the season after a side has agreed to postpone a fixture."""
    rounds = [list(matches) for matches in season.rounds]
    match = rounds[fixture.round][fixture.match]
    until = [*match.until]
    until[side] = max(until[side], week)
    rounds[fixture.round][fixture.match] = match._replace(until=(until[0], until[1]))
    return replace(season, rounds=tuple(map(tuple, rounds)))


def _week(season: Competition, fixture: league.Fixture) -> int:
    """Return the week in which a fixture is due now."""
    found = {(each.round, each.match): each.week for each in league.open_fixtures(season)}
    return found[fixture.round, fixture.match]


def _must_go_on(before: Competition, after: Competition) -> None:
    """Check that no result has changed."""
    for old, new in zip(before.rounds, after.rounds, strict=True):
        for was, now in zip(old, new, strict=True):
            must(was.result is None or was.result == now.result, "a fixture was decided twice")


def _check_fixtures(season: Competition, divisions: Divisions) -> None:
    """Check that all of a division meet equally often, each once a week, and nobody else."""
    met = Counter(
        frozenset(side[0] for side in match.sides)
        for matches in season.rounds
        for match in matches
        if len(match.sides) == 2
    )
    expected = Counter[frozenset[EntrantNumber]]()
    for division in divisions:
        often = 1 + season.twice
        expected.update({frozenset(pair): often for pair in combinations(division, 2)})
    must(met == expected, "the fixtures are not those of round robins")
    for matches in season.rounds:
        busy = [side[0] for match in matches for side in match.sides]
        must(len(busy) == len({*busy}), "two fixtures of a pair in a week")


def _check_tables(season: Competition, divisions: Divisions) -> None:
    """Check the scores against a count of all results."""
    for division, table in zip(divisions, league.tables(season), strict=True):
        must(sorted(line.entrant for line in table) == sorted(division), "another division")
        matches = [match for matches in season.rounds for match in matches if len(match.sides) == 2]
        own = {n: [match for match in matches if (n,) in match.sides] for n in division}
        cycle = len(division) - 1 + len(division) % 2
        length = cycle * (1 + season.twice)
        gone = {each.number for each in season.entrants if each.withdrawn}
        annulled = {
            each
            for each in gone.intersection(division)
            if sum(m.result is not None and m.result.ending == "played" for m in own[each])
            < length / 2
        }
        for line in table:
            score = Fraction()
            for match in own[line.entrant]:
                result = match.result
                if annulled & {side[0] for side in match.sides}:
                    continue
                if result is None:
                    score += line.entrant not in gone  # the opponents are
                elif result.winner is not None:
                    score += match.sides[result.winner] == (line.entrant,)
                elif result.ending == "played":
                    score += Fraction(1, 2)
            must(line.score == score, f"the score of {line.entrant}")
    lines = _RULES.standings(season)
    must([line.entrant for line in lines] == _ranking(season), "the order of divisions")
    must(all(a.place <= b.place for a, b in pairwise(lines)), "the places")


def _ranking(season: Competition) -> list[EntrantNumber]:
    return [line.entrant for table in league.tables(season) for line in table]


def _check_next_season(season: Competition, rng: Random, counted: Counter[str]) -> None:
    """Check promotion, relegation, and the divisions of the next season."""
    last = [[line.entrant for line in table] for table in league.tables(season)]
    must(league.champions(season) == tuple(table[0] for table in last), "the champions")
    exchanged, everybody = rng.randint(0, 3), _ranking(season)
    after = league.next_season(season, exchanged, season.divisions, everybody)
    moves = [min(exchanged, len(up) // 3, len(low) // 3) for up, low in pairwise(last)]
    for place, division in enumerate(after):
        expected = set(last[place])
        if place:
            expected -= {*last[place][: moves[place - 1]]}
            expected |= {*last[place - 1][len(last[place - 1]) - moves[place - 1] :]}
        if place < len(moves):
            expected -= {*last[place][len(last[place]) - moves[place] :]}
            expected |= {*last[place + 1][: moves[place]]}
        must(set(division) == expected, "promotion or relegation without leavers")
    counted["league: promotions"] += sum(moves)
    returning = [number for number in everybody if rng.random() < 0.9]
    newcomers = [EntrantNumber(1000 + each) for each in range(rng.randint(0, 3))]
    divisions = rng.choice((season.divisions, season.divisions, rng.randint(1, 4)))
    after = league.next_season(season, exchanged, divisions, returning, newcomers)
    placed = [number for division in after for number in division]
    must(sorted(placed) == sorted([*returning, *newcomers]), "somebody is missing or twice")
    sizes = [*map(len, after)]
    must(max(sizes) - min(sizes) <= 1, "divisions of different sizes")
    must(len(sizes) == 1 or min(sizes) >= 4, "a division of less than four")
    _check_promoted(last, after, returning, exchanged)


def _check_promoted(
    last: Sequence[Sequence[EntrantNumber]],
    after: Divisions,
    returning: Sequence[EntrantNumber],
    exchanged: int,
) -> None:
    """Check that who is promoted rises, unless the division above has much less room."""
    if len(last) != len(after):
        return
    place = {number: at for at, division in enumerate(after) for number in division}
    stay = [[number for number in table if number in returning] for table in last]
    for at, (upper, lower) in enumerate(pairwise(stay)):
        count = min(exchanged, len(upper) // 3, len(lower) // 3)
        if sum(map(len, after[: at + 1])) >= sum(map(len, stay[: at + 1])) - 1:
            must(
                all(place[number] <= at for number in lower[:count]), "a promoted pair did not rise"
            )
