"""`python -m bench.daily`: measure the computers of the deal of the day (`players.solo`).

- `choices` plays boards with random choices of the person, and prints a digest of everything that
  was played. `--generic` repeats that in code compiled for a generic processor, `--python` with
  another Python. The exit status is 1 if a single choice differs.
- `variance` compares how much two people of equal strength differ on equal and on different deals.
  It appends to a file and goes on where that ends; `report` prints its figures.
- `cost` prints the processor time of a round, and of the answers to a choice.

`python -m bench.tournament regular bench.daily.Computer` measures their strength.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from statistics import fmean, variance
from time import process_time
from typing import Any, NamedTuple

from bench.figures import Estimate, times_of
from bench.rounds import END_PHASES, random_gifts
from bot.runtime.progress import print_line, progress
from engine import (
    Action,
    CallTichu,
    Match,
    Options,
    Phase,
    Points,
    View,
    apply,
    deal,
    new_match,
    view,
    write_action,
)
from engine.fair_deal import FairDeal
from players.boards import PERSON
from players.levels import choose, solo_actions
from players.manners import Manner
from players.solo import computer_choice

GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Environment of a process that compiles for a generic processor."""
_CACHES = Path(__file__).parents[1] / ".cache"
_CALL_CHANCE = 0.05
"""Chance of a call of a random person where one is possible."""
_DEALS = 20
"""Number of deals of which two people's differences are added up."""
_RESAMPLES = 2000
"""Number of samples for an interval (bootstrap)."""

Person = Callable[[View], Action]
"""Returns the action of the person in a position in which they decide."""
Answer = Callable[[Match, bytes], tuple[Action, ...]]
"""Returns the actions of the computers."""
PAIRS: Mapping[str, tuple[tuple[Manner, str], tuple[Manner, str]]] = {
    "bold and careful": (("bold", "first"), ("careful", "second")),
    "two seeds": (("steady", "third"), ("steady", "fourth")),
}
"""Pairs of Regulars in the person's seat: manner, and name that goes into their seeds."""


class Computer:
    """Player of a tournament that decides like the computers of boards."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of a seat that has to decide."""
        return computer_choice(view, rng.randbytes(32))


class PlayedBoard(NamedTuple):
    """A round of one person with three computers."""

    match: Match
    """Match after the round."""
    actions: tuple[Action, ...]
    """All actions after the deal."""
    seconds: tuple[float, ...]
    """Processor time of the computers' answers: to the deal, and to each choice of the person."""

    @property
    def points(self) -> Points:
        """Points of the person's team, less those of the others."""
        ours, theirs = self.match.results[-1].score
        return ours - theirs


def play_board(number: int, person: Person, answer: Answer = solo_actions) -> PlayedBoard:
    """Play the board with this number."""
    secret = sha256(f"bench.daily {number}".encode()).digest()
    fair, options = FairDeal(secret, number), Options()
    match = new_match(options, fair.first_dealer(4))
    match, _ = deal(match, fair.deck(1, match.variant.deck(options)))
    actions, seconds = list[Action](), list[float]()
    while True:
        begin = process_time()
        answers = answer(match, sha256(secret).digest())
        seconds.append(process_time() - begin)
        for action in answers:
            match, _ = apply(match, action)
        actions += answers
        if match.phase in END_PHASES:
            return PlayedBoard(match, tuple(actions), tuple(seconds))
        actions.append(person(view(match, PERSON)))
        match, _ = apply(match, actions[-1])


def random_person(seed: str) -> Person:
    """Return a person who takes random legal actions, with few calls."""
    rng = random.Random(seed)

    def decide(seen: View) -> Action:
        calls = [action for action in seen.actions if isinstance(action, CallTichu)]
        if calls and rng.random() < _CALL_CHANCE:
            return calls[0]
        if seen.phase is Phase.EXCHANGE and not seen.asked_to_withdraw:
            return random_gifts(seen, PERSON, rng)
        return rng.choice([action for action in seen.actions if action not in calls])

    return decide


def regular(number: int, manner: Manner, name: str) -> Person:
    """Return a person who plays as a Regular of this manner."""

    def decide(seen: View) -> Action:
        decision = f"{name} {number} {seen.phase.value} {len(seen.past)} {len(seen.trick)}"
        seed = int.from_bytes(sha256(decision.encode()).digest()[:8], "big")
        action = choose("regular", seen, seed, 0.0, manner=manner)
        assert action is not None
        return action

    return decide


# --- choices -------------------------------------------------------------------------------------


def choice_lists(count: int) -> Iterator[str]:
    """Yield all that was played in each of `count` boards with random people, a line each."""
    for number in range(count):
        played = play_board(number, random_person(f"choices {number}"))
        yield f"{number} " + " ".join(
            f"{action.seat}:{write_action(action).replace(' ', '_')}" for action in played.actions
        )


def digest(lines: Sequence[str]) -> str:
    """Return the digest of these lines."""
    return sha256("\n".join(lines).encode()).hexdigest()


def _elsewhere(count: int, python: str, environment: Mapping[str, str]) -> list[str]:
    """Return the lines of another process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "choices.txt")
        command = [python, "-m", "bench.daily", "choices", str(count), "--file", str(file)]
        subprocess.run(
            command,
            check=True,
            cwd=Path(__file__).parents[1],
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
        )
        return file.read_text("utf-8").splitlines()


def _compare(arguments: argparse.Namespace) -> int:
    """Play choice lists here and elsewhere. Return the exit status."""
    count: int = arguments.lists
    lines = list(progress(choice_lists(count), "choices", total=count))
    print_line(f"{count} lists, here: {digest(lines)}")
    if arguments.file:
        arguments.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    others = [("generic processor", sys.executable, GENERIC | _cache("generic"))]
    others = others if arguments.generic else []
    others += [(python, python, _cache("native")) for python in arguments.python]
    differs = False
    for name, python, environment in others:
        found = _elsewhere(count, python, environment)
        print_line(f"{count} lists, {name}: {digest(found)}")
        for line, other in zip(lines, found, strict=True):
            if line != other:
                print_line(f"differs:\n{line}\n{other}")
                differs = True
                break
    return int(differs)


def _cache(name: str) -> dict[str, str]:
    """Return the environment of a process with a cache of its own for compiled code."""
    return {"NUMBA_CACHE_DIR": str(_CACHES / f"daily-{name}")}


# --- variance ------------------------------------------------------------------------------------


def _add_variance(file: Path, first: int, deals: int) -> None:
    """Append the results of all people on boards that the file does not have yet."""
    done = {line["deal"] for line in _read([file])} if file.exists() else set()
    numbers = [number for number in range(first, first + deals) if number not in done]
    for number in progress(numbers, "variance", unit="deals"):
        answer = cache(solo_actions)  # all people see the same first positions of a board
        points = {
            name: [play_board(number, regular(number, *each), answer).points for each in pair]
            for name, pair in PAIRS.items()
        }
        with file.open("a") as out:
            print(json.dumps({"deal": number} | points), file=out)


def _read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Return all lines of these files."""
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def ratio(results: Sequence[tuple[Points, Points]]) -> Estimate:
    """Return the variance of the difference on equal deals, divided by that on different deals.

    `results` are those of two people on each deal. On different deals their results are
    independent, so the variance of the difference is the sum of both variances. For sums over 20
    deals both variances are 20 times those of one deal.
    """
    rng = random.Random(1)
    values = sorted(_ratio(rng.choices(results, k=len(results))) for _ in range(_RESAMPLES))
    edge = _RESAMPLES // 40
    return Estimate(_ratio(results), values[edge], values[-edge - 1])


def _ratio(results: Sequence[tuple[Points, Points]]) -> float:
    firsts, seconds = zip(*results, strict=True)
    equal = variance(first - second for first, second in results)
    return equal / (variance(firsts) + variance(seconds))


def _report(lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the figures of a file of `variance`."""
    for name in PAIRS:
        results = [(line[name][0], line[name][1]) for line in lines]
        differences = [first - second for first, second in results]
        firsts, seconds = zip(*results, strict=True)
        equal, free = variance(differences), variance(firsts) + variance(seconds)
        value, low, high = ratio(results)
        same = fmean(difference == 0 for difference in differences)
        yield (
            f"{name}, {len(results)} deals: mean difference {fmean(differences):+.1f} points a "
            f"round; standard deviation over {_DEALS} rounds {(_DEALS * equal) ** 0.5:.0f} points "
            f"on equal deals, {(_DEALS * free) ** 0.5:.0f} on different ones; ratio of the "
            f"variances {value:.3f} (95 % between {low:.3f} and {high:.3f}); "
            f"{same:.1%} of the results are equal"
        )


# --- cost ----------------------------------------------------------------------------------------


def _cost(boards: int) -> Iterator[str]:
    """Yield the processor time of boards with Regulars in the person's seat."""
    play_board(0, regular(0, "steady", "cost"))  # loads the code
    played = [
        play_board(number, regular(number, "steady", "cost"))
        for number in progress(range(1, boards + 1), "cost", unit="boards")
    ]
    for name, seconds in (
        ("a round", [sum(board.seconds) for board in played]),
        ("the answers to a choice", [each for board in played for each in board.seconds]),
    ):
        average, p99, most = times_of([1000 * each for each in seconds])
        yield f"{name}: {average:.0f} ms of processor time, 99 % at most {p99:.0f}, all {most:.0f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.daily",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    lists = commands.add_parser("choices")
    lists.add_argument("lists", type=int, nargs="?", default=500)
    lists.add_argument("--file", type=Path, help="file for all actions, a line for each list")
    lists.add_argument("--generic", action="store_true", help="compare with generic code")
    lists.add_argument("--python", action="append", default=[], help="compare with this Python")
    command = commands.add_parser("variance")
    command.add_argument("file", type=Path)
    command.add_argument("--deals", type=int, default=2000)
    command.add_argument("--first", type=int, default=0, help="number of the first deal (0)")
    commands.add_parser("report").add_argument("files", type=Path, nargs="+")
    commands.add_parser("cost").add_argument("--boards", type=int, default=50)
    arguments = parser.parse_args(argv)
    if arguments.command == "choices":
        return _compare(arguments)
    if arguments.command == "variance":
        _add_variance(arguments.file, arguments.first, arguments.deals)
        return 0
    is_cost = arguments.command == "cost"
    for line in _cost(arguments.boards) if is_cost else _report(_read(arguments.files)):
        print_line(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
