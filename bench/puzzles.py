"""`python -m bench.puzzles`: make puzzles from self-play, and check them.

Regulars play rounds, eight of ten in Nanjing, one each in Trichu and Tientsin. Where they choose
otherwise than the Novice, 2,000 playouts find the best choice. Two further runs with other seeds
and four times the playouts must prove it: in both it is at least 10 points better than every
other one, each with a 95 % interval above 0. A round has at most one puzzle.

Exchanges and calls are no puzzles: an exchange has too many choices, and a call is a matter of
risk. Neither are positions with more than 24 choices.

- `make FILE` appends puzzles to a file, with their proof, and goes on after the last one. Two
  processes need two seeds and two files. After a change of rules or players use a new seed: a name
  is the seed and the number of a round, and must never denote another puzzle.
- `pack FILE...` writes the data of the bot from such files. At most 40 % have one kind of choice,
  or one reason.
- `prove` judges all puzzles of the bot again, and drops those that are no longer proven.
- `check [FILE...]` checks all puzzles of the bot or of these files, and repeats the proof of a
  sample with new seeds.

docs/coach.md has the seeds of the puzzles of the bot.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from bench.coach import play
from bench.contestants import contestant
from bot.puzzles.puzzle import PUZZLES, Proof, Puzzle, load_puzzles, read_puzzle
from bot.runtime.progress import print_line, progress
from engine import (
    Action,
    Bomb,
    CallTichu,
    GiveTrick,
    Match,
    Options,
    Pass,
    Phase,
    Play,
    Seat,
    View,
    Waive,
    can,
    view,
    write_action,
    write_position,
)
from players.coach.estimates import Estimate
from players.coach.judge import Judge
from players.expert import search
from players.expert.choices import choice_of, choices
from players.expert.kernels import Kernels
from players.levels import choose
from players.novice.player import Novice
from players.reasons import explain

LEAST_GAP = 10.0
"""Minimum points by which the best choice is better than every other one."""
MOST_CHOICES = 24
"""Maximum number of choices; a select of Discord has 25."""
_LEAST_CHOICES = 3
"""Minimum number of choices of a turn; with a bomb or a gift there may be two."""
_SCREENING = 2000
"""Playouts that find candidates, for all choices together."""
_SCREENED_GAP = 8.0
"""Minimum points of a candidate's best choice above the next best one in these playouts."""
_PROVING = 4 * _SCREENING
"""Playouts of each of the two runs that prove a puzzle."""
_LEAST_DEALS = 1000
"""Minimum deals of such a run."""
_SEEDS = (100_000_001, 200_000_002)
"""Seeds of the two runs."""
_SCREENING_SEED = 300_000_003
"""Seed of the screening."""
_WEAK_PLAYOUTS, _WEAK_TRIES = 60, 16
"""Playouts and number of decisions of the weak player that measures the difficulty."""
_MIDDLE, _PER_EIGHTH = 1500, 75
"""Difficulty that half of the weak decisions solve, and its change with an eighth of them."""
_LARGEST_SHARE = 0.4
"""Maximum share of puzzles of one kind of choice, or with one reason."""
_RAREST_FIRST = ("gift", "bomb", "pass", "lead", "follow")
"""Kinds of choices, in the order in which candidates of a round are tried."""
_SUIT = re.compile(r"\b[JSPT](?=[0-9JQKA])")
"""Suit of a card in the text of an action."""
_EASY, _EASY_SHARE = 1250, 0.3
"""Largest difficulty of easy puzzles, and the share of them that is kept."""
_GAMES = ("nanjing",) * 8 + ("trichu", "tientsin")
"""Games by the last digit of the number of a round."""


class Candidate(NamedTuple):
    """Position that may become a puzzle."""

    match: Match
    seat: Seat
    order: Sequence[Action]
    """All choices, the best first."""
    novice: Action
    """Choice of the Novice, which is one of the others."""


def _screen(judge: Judge, kernels: Kernels, match: Match, seat: Seat) -> Candidate | None:
    """Return a position as a candidate, if the Novice is wrong by the judge."""
    seen = view(match, seat)
    possible = [each.action for each in choices(seen, seat, kernels)]
    least = _LEAST_CHOICES if match.phase in (Phase.LEAD, Phase.TURN) else 2
    if not least <= len(possible) <= MOST_CHOICES:
        return None
    deals = -(-_SCREENING // len(possible))
    leads = judge.leads(seen, possible, _SCREENING_SEED, deals)
    behind = dict(zip(possible, [0.0, *(lead.mean for lead in leads)], strict=True))
    order = sorted(possible, key=behind.__getitem__)
    if behind[order[1]] - behind[order[0]] < _SCREENED_GAP:
        return None
    by_novice = novice_choice(seen)
    assert by_novice is not None
    wrong = [other for other in order[1:] if is_same(seen, other, by_novice)]
    return Candidate(match, seat, order, wrong[0]) if wrong else None


def novice_choice(seen: View) -> Action | None:
    """Return the choice of the Novice, or `None` if it is no choice of a puzzle."""
    action = Novice().choose(seen, random.Random(1))
    return action if isinstance(action, Play | Pass | Bomb | Waive | GiveTrick) else None


def is_same(seen: View, action: Action, other: Action) -> bool:
    """Return whether two actions differ by suits alone, or not at all."""

    def in_ranks(each: Action) -> tuple[int, str]:
        kind = int(choice_of(seen, each).numbers[search.KIND])
        return kind, _SUIT.sub("", write_action(each))

    return in_ranks(action) == in_ranks(other)


def kind_of(seen: View, action: Action) -> str:
    """Return the kind of a choice."""
    match action:
        case GiveTrick():
            return "gift"
        case Pass():
            return "pass"
        case Bomb() | Waive():
            return "bomb"
    return "lead" if seen.phase is Phase.LEAD else "follow"


def prove(
    judge: Judge, seen: View, order: Sequence[Action], seeds: Sequence[int]
) -> list[tuple[Proof, list[Estimate]]] | None:
    """Return the runs that prove a puzzle, with all leads; `None` if one does not.

    `order` are its choices, the best first.
    """
    runs = []
    for seed in seeds:
        deals = max(_LEAST_DEALS, _PROVING // len(order))
        leads = judge.leads(seen, order, seed, deals)
        least = min(leads, key=lambda lead: lead.mean)
        if least.mean < LEAST_GAP or any(lead.low <= 0 for lead in leads):
            return None
        runs.append((Proof(seed, deals, (least.mean, least.low, least.high)), leads))
    return runs


def make_puzzle(judge: Judge, seed: str) -> dict[str, Any] | None:
    """Return a puzzle from the round of this seed as JSON, or `None` if it has none."""
    kernels, rng = Kernels(), random.Random(seed)
    for match, seat in _differing(seed, rng):
        candidate = _screen(judge, kernels, match, seat)
        if candidate is None:
            continue
        seen, order = view(match, seat), candidate.order
        difficulty = _difficulty(seen, order[0])
        if difficulty <= _EASY and rng.random() >= _EASY_SHARE:
            continue
        runs = prove(judge, seen, order, _SEEDS)
        if runs is not None:
            return {"name": seed.replace(".", "-")} | _facts(candidate, runs, difficulty)
    return None


def _differing(seed: str, rng: random.Random) -> list[tuple[Match, Seat]]:
    """Return the decisions of a round in which Regular and Novice differ, rare kinds first."""
    found: list[tuple[int, Match, Seat]] = []

    def look(match: Match, seat: Seat, action: Action) -> Action:
        seen, round_ = view(match, seat), match.round
        by_novice = novice_choice(seen)
        if (
            seen.hand.size
            and by_novice is not None
            and not isinstance(action, CallTichu)
            and not is_same(seen, action, by_novice)
            and round_ is not None
            and match.variant.actor(round_, seat) == seat
        ):
            found.append((_RAREST_FIRST.index(kind_of(seen, action)), match, seat))
        return action

    game = _GAMES[int(seed.rpartition(".")[2]) % len(_GAMES)]
    play(contestant("regular"), seed, Options(variant=game), look)
    rng.shuffle(found)
    return [(match, seat) for _, match, seat in sorted(found, key=itemgetter(0))]


def _facts(
    candidate: Candidate, runs: Sequence[tuple[Proof, list[Estimate]]], difficulty: int
) -> dict[str, Any]:
    """Return a proven puzzle as JSON, without its name."""
    match, seat, order, by_novice = candidate
    return {
        "position": write_position(match),
        "seat": seat,
        "difficulty": difficulty,
        "novice": write_action(by_novice),
    } | _judgement(match, seat, order, runs)


def _judgement(
    match: Match,
    seat: Seat,
    order: Sequence[Action],
    runs: Sequence[tuple[Proof, list[Estimate]]],
) -> dict[str, Any]:
    """Return choices, reason and proof of a puzzle as JSON."""
    best, *others = order
    means = [
        sum(leads[place].mean for _, leads in runs) / len(runs) for place in range(len(others))
    ]
    next_best = others[means.index(min(means))]
    return {
        # In the order of the proof: another order gives other random numbers.
        "choices": [
            (write_action(best), 0.0),
            *(
                (write_action(action), -round(mean, 1))
                for action, mean in zip(others, means, strict=True)
            ),
        ],
        "reason": _reason(match, seat, best, next_best),
        "proof": [
            (run.seed, run.deals, [round(value, 2) for value in run.lead]) for run, _ in runs
        ],
    }


def _difficulty(seen: View, best: Action) -> int:
    """Return the difficulty by how often a weak player finds the best choice."""
    solved = 0
    for seed in range(_WEAK_TRIES):
        action = choose("regular", seen, seed, 0.0, _WEAK_PLAYOUTS)
        solved += (
            action is not None and not isinstance(action, CallTichu) and is_same(seen, action, best)
        )
    return round(_MIDDLE + _PER_EIGHTH * 8 * (0.5 - solved / _WEAK_TRIES))


def _sorts(facts: dict[str, Any]) -> tuple[str, str]:
    """Return the kind of choice and the reason of a puzzle; there are not too many of either."""
    puzzle = read_puzzle(json.dumps(facts))
    reason = facts["reason"]
    seen = view(puzzle.match, puzzle.seat)
    return kind_of(seen, puzzle.advice[0].action), reason[0] if reason else "no reason"


def varied(sorts: Sequence[tuple[str, str]], count: int) -> list[int]:
    """Return places of at most `count` puzzles, of which no sort has more than its share."""
    for size in range(min(count, len(sorts)), 0, -1):
        limit = int(_LARGEST_SHARE * size)
        chosen: list[int] = []
        taken: Counter[str] = Counter()
        for place, each in enumerate(sorts):
            if len(chosen) < size and all(taken[sort] < limit for sort in each):
                taken.update(each)
                chosen.append(place)
        if len(chosen) == size:
            return chosen
    return []


def problems(puzzle: Puzzle) -> Iterator[str]:
    """Yield what is wrong with a puzzle, apart from its proof by new playouts."""
    match, seen = puzzle.match, view(puzzle.match, puzzle.seat)
    (best, *others), actions = puzzle.advice, [advice.action for advice in puzzle.advice]
    if not seen.hand.size:
        yield "the seat has no cards"
    if write_position(match) != puzzle.position:
        yield "the position is not rebuilt exactly"
    if not 2 <= len(set(actions)) == len(actions) <= MOST_CHOICES:
        yield "the choices are too many, too few or equal"
    if not all(can(match, action) for action in actions):
        yield "a choice is illegal"
    if best.points or any(other.points > -LEAST_GAP for other in others):
        yield "another choice is nearly as good"
    by_novice = novice_choice(seen)
    if by_novice is None or not is_same(seen, by_novice, puzzle.novice):
        yield "the Novice chooses otherwise"
    if puzzle.novice not in actions[1:]:
        yield "the choice of the Novice is not one of the worse ones"
    if len({run.seed for run in puzzle.proof}) < 2:
        yield "there are fewer than two runs"
    if any(run.lead[0] < LEAST_GAP or run.lead[1] <= 0 for run in puzzle.proof):
        yield "a run proves nothing"


def _lines(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield the puzzles of these files."""
    for file in files:
        yield from map(json.loads, file.read_text().splitlines())


def _make(arguments: argparse.Namespace) -> None:
    """Append puzzles to a file."""
    judge, file = Judge(), arguments.file
    names = [facts["name"] for facts in _lines([file])] if file.exists() else []
    numbers = [int(name.partition("-")[2]) for name in names]
    number = max(numbers, default=arguments.first - 1) + 1
    todo = range(len(names), arguments.count)
    with file.open("a") as out:
        for _ in progress(todo, "puzzles"):
            while (facts := make_puzzle(judge, f"{arguments.seed}.{number}")) is None:
                number += 1
            print(json.dumps(facts), file=out, flush=True)
            number += 1


def _reason(
    match: Match, seat: Seat, best: Action, next_best: Action
) -> tuple[str, Seat, int] | None:
    """Return the reason why a choice is better than the next best one, as JSON."""
    reason = explain(view(match, seat), best, next_best)
    return None if reason is None else (reason.cause.name, reason.seat, reason.number)


def _pack(arguments: argparse.Namespace) -> None:
    """Write the data of the bot, with today's reasons, and no kind or reason above its share."""
    made = list(_lines(arguments.files))
    for facts in made:
        puzzle = read_puzzle(json.dumps(facts))
        best, *others = puzzle.advice
        next_best = max(others, key=lambda advice: advice.points)
        facts["reason"] = _reason(puzzle.match, puzzle.seat, best.action, next_best.action)
    sorts = [_sorts(facts) for facts in made]
    packed = varied(sorts, arguments.count)
    _write([made[place] for place in packed])
    print_line(f"{len(packed)} of {len(made)} puzzles, {PUZZLES.stat().st_size} bytes")
    for column in zip(*(sorts[place] for place in packed), strict=True):
        counts = Counter(column).most_common()
        print_line(", ".join(f"{sort} {count}" for sort, count in counts))


def _write(puzzles: Sequence[dict[str, Any]]) -> None:
    """Write the data of the bot."""
    lines = [json.dumps(facts, separators=(",", ":")) for facts in puzzles]
    PUZZLES.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


def _prove_again() -> None:
    """Judge all puzzles of the bot again, and drop those that are no longer proven."""
    judge, proven = Judge(), []
    lines = gzip.decompress(PUZZLES.read_bytes()).decode().splitlines()
    for line in progress(lines, "puzzles"):
        puzzle = read_puzzle(line)
        order = [advice.action for advice in puzzle.advice]
        runs = prove(judge, view(puzzle.match, puzzle.seat), order, _SEEDS)
        if runs is not None:
            judgement = _judgement(puzzle.match, puzzle.seat, order, runs)
            proven.append(json.loads(line) | judgement)
    _write(proven)
    print_line(f"{len(proven)} of {len(lines)} puzzles are proven")


def _check(arguments: argparse.Namespace) -> int:
    """Check all puzzles, and prove a sample again with new seeds. Return the exit status."""
    puzzles = list(load_puzzles().values())
    if arguments.files:
        puzzles = [read_puzzle(json.dumps(facts)) for facts in _lines(arguments.files)]
    found = [f"{puzzle.name}: {problem}" for puzzle in puzzles for problem in problems(puzzle)]
    names = Counter(puzzle.name for puzzle in puzzles)
    found += [f"{name}: used {count} times" for name, count in names.items() if count > 1]
    for line in found:
        print_line(line)
    print_line(f"{len(puzzles)} puzzles, {len(found)} problems")
    judge = Judge()
    sample = random.Random(arguments.seed).sample(puzzles, min(arguments.sample, len(puzzles)))
    best = holds = 0
    for puzzle in progress(sample, "puzzles"):
        seen = view(puzzle.match, puzzle.seat)
        order = [advice.action for advice in puzzle.advice]
        seeds = (arguments.seed, arguments.seed + 1)
        deals = puzzle.proof[0].deals
        best += all(lead.mean > 0 for lead in judge.leads(seen, order, seeds[0], deals))
        holds += prove(judge, seen, order, seeds) is not None
    print_line(f"of {len(sample)} puzzles the best choice is best in {best}, proven in {holds}")
    return 1 if found else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.puzzles",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="make puzzles")
    make.add_argument("file", type=Path)
    make.add_argument("--count", type=int, default=1000, help="puzzles in the file (1000)")
    make.add_argument("--seed", type=int, default=43, help="seed of all rounds (43)")
    make.add_argument("--first", type=int, default=0, help="number of the first round (0)")
    pack = commands.add_parser("pack", help="write the data of the bot")
    pack.add_argument("files", type=Path, nargs="+")
    pack.add_argument("--count", type=int, default=1000, help="maximum number of puzzles (1000)")
    commands.add_parser("prove", help="judge the puzzles of the bot again")
    check = commands.add_parser("check", help="check puzzles")
    check.add_argument("files", type=Path, nargs="*", help="files of make (the data of the bot)")
    check.add_argument("--sample", type=int, default=100, help="puzzles to prove again (100)")
    check.add_argument("--seed", type=int, default=7, help="seed of the new proofs (7)")
    arguments = parser.parse_args(argv)
    match arguments.command:
        case "check":
            return _check(arguments)
        case "prove":
            _prove_again()
        case "make":
            _make(arguments)
        case _:
            _pack(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
