"""`python -m bench.puzzles`: make puzzles from self-play, and check them.

Regulars play rounds. A choice becomes a puzzle if it is at least 10 points better than every other
one in two further runs with other seeds and four times the playouts, with a 95 % interval above 0,
and if the Novice chooses otherwise. Exchanges and calls are no puzzles: an exchange has too many
choices, and a call is a matter of risk.

- `make FILE` appends puzzles to a file, with their proof, and goes on after the last one.
- `pack FILE...` writes the data of the bot from such files.
- `check` repeats the proof of some stored puzzles with new seeds.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.coach import play
from bench.contestants import contestant
from bot.puzzles.puzzle import PUZZLES, load_puzzles, read_puzzle
from bot.runtime.progress import print_line, progress
from engine import (
    Action,
    AnswerGrand,
    CallTichu,
    Match,
    Options,
    PassCards,
    Phase,
    Seat,
    view,
    write_action,
    write_position,
)
from players.coach.estimates import Estimate
from players.coach.judge import Judge
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
_PROVING = 4 * _SCREENING
"""Playouts of each of the two runs that prove a puzzle."""
_LEAST_DEALS = 1000
"""Minimum deals of such a run."""
_SEEDS = (100_000_001, 200_000_002)
"""Seeds of the two runs."""
_WEAK_PLAYOUTS, _WEAK_TRIES = 60, 16
"""Playouts and number of decisions of the weak player that measures the difficulty."""
_MIDDLE, _PER_EIGHTH = 1500, 75
"""Difficulty that half of the weak decisions solve, and its change with an eighth of them."""
_LARGEST_SHARE = 0.4
"""Maximum share of puzzles of one kind (first word of the best action, and lead or answer)."""
_EASY, _EASY_SHARE = 1250, 0.3
"""Largest difficulty of easy puzzles, and the share of them that is kept."""
_GAMES = ("nanjing",) * 8 + ("trichu", "tientsin")
"""Games by the last digit of the number of a round."""


class Proof(NamedTuple):
    """Run that proves a puzzle."""

    seed: int
    deals: int
    lead: Estimate
    """Points of the best choice above the next best one."""


class _Finder:
    """Collects the candidates of a round."""

    def __init__(self, judge: Judge) -> None:
        self.found: list[tuple[Match, Seat, list[Action]]] = []
        """Positions, with the choices from best to worst by the screening."""
        self._judge = judge
        self._novice = Novice()
        self._kernels = Kernels()

    def __call__(self, match: Match, seat: Seat, action: Action) -> Action:
        """Look at a decision; return the player's action."""
        if isinstance(action, AnswerGrand | CallTichu | PassCards):
            return action
        round_ = match.round
        if round_ is None or match.variant.actor(round_, seat) != seat:
            return action
        seen = view(match, seat)
        own = choice_of(seen, action).numbers.tolist()
        by_novice = self._novice.choose(seen, random.Random(1))
        if by_novice is None or isinstance(by_novice, CallTichu):
            return action
        if choice_of(seen, by_novice).numbers.tolist() == own:
            return action  # most decisions: the best choice is probably that of both
        possible = [each.action for each in choices(seen, seat, self._kernels)]
        least = _LEAST_CHOICES if match.phase in (Phase.LEAD, Phase.TURN) else 2
        if least <= len(possible) <= MOST_CHOICES:
            order = self._judge.order(seen, possible, 1, _SCREENING)
            if order and choice_of(seen, order[0]).numbers.tolist() != (
                choice_of(seen, by_novice).numbers.tolist()
            ):
                self.found.append((match, seat, order))
        return action


def prove(
    judge: Judge, match: Match, seat: Seat, order: Sequence[Action], seeds: Sequence[int]
) -> list[tuple[Proof, list[Estimate]]] | None:
    """Return the runs that prove a puzzle, with all leads; `None` if one does not.

    `order` are its choices, the best first.
    """
    seen = view(match, seat)
    runs = []
    for seed in seeds:
        deals = max(_LEAST_DEALS, _PROVING // len(order))
        leads = judge.leads(seen, order, seed, deals)
        least = min(leads, key=lambda lead: lead.mean)
        if least.mean < LEAST_GAP or any(lead.low <= 0 for lead in leads):
            return None
        runs.append((Proof(seed, deals, least), leads))
    return runs


def make_puzzle(judge: Judge, seed: str) -> dict[str, Any] | None:
    """Return a puzzle from the round of this seed as JSON, or `None` if it has none."""
    game = _GAMES[int(seed.rpartition(".")[2]) % len(_GAMES)]
    finder = _Finder(judge)
    play(contestant("regular"), seed, Options(variant=game), finder)
    candidates, rng = finder.found, random.Random(seed)
    rng.shuffle(candidates)
    for match, seat, order in candidates:
        difficulty = _difficulty(match, seat, order[0])
        if difficulty <= _EASY and rng.random() >= _EASY_SHARE:
            continue
        runs = prove(judge, match, seat, order, _SEEDS)
        if runs is None:
            continue
        seen = view(match, seat)
        means = [
            sum(leads[place].mean for _, leads in runs) / len(runs)
            for place in range(len(order) - 1)
        ]
        ranked = sorted(zip(order[1:], means, strict=True), key=lambda each: each[1])
        reason = explain(seen, order[0], ranked[0][0])
        by_novice = Novice().choose(seen, random.Random(1))
        assert by_novice is not None
        return {
            "name": seed.replace(".", "-"),
            "position": write_position(match),
            "seat": seat,
            "choices": [
                (write_action(order[0]), 0.0),
                *((write_action(action), -round(mean, 1)) for action, mean in ranked),
            ],
            "reason": None if reason is None else (reason.cause.name, reason.seat, reason.number),
            "difficulty": difficulty,
            "novice": write_action(by_novice),
            "proof": [
                (run.seed, run.deals, [round(bound, 1) for bound in run.lead]) for run, _ in runs
            ],
        }
    return None


def _difficulty(match: Match, seat: Seat, best: Action) -> int:
    """Return the difficulty by how often a weak player finds the best choice."""
    seen = view(match, seat)
    wanted = choice_of(seen, best).numbers.tolist()
    solved = 0
    for seed in range(_WEAK_TRIES):
        action = choose("regular", seen, seed, 0.0, _WEAK_PLAYOUTS)
        solved += (
            action is not None
            and not isinstance(action, CallTichu)
            and (choice_of(seen, action).numbers.tolist() == wanted)
        )
    return round(_MIDDLE + _PER_EIGHTH * 8 * (0.5 - solved / _WEAK_TRIES))


def _kind(facts: dict[str, Any]) -> str:
    """Return the kind of a puzzle, of which there should not be too many."""
    puzzle = read_puzzle(json.dumps(facts))
    word = facts["choices"][0][0].partition(":")[0]
    return f"{word} {view(puzzle.match, puzzle.seat).phase.value}"


def _lines(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield the puzzles of these files."""
    for file in files:
        yield from map(json.loads, file.read_text().splitlines())


def _make(arguments: argparse.Namespace) -> None:
    """Append puzzles to a file."""
    judge, file = Judge(), arguments.file
    made = list(_lines([file])) if file.exists() else []
    numbers = [int(facts["name"].partition("-")[2]) for facts in made]
    number = max(numbers, default=arguments.first - 1) + 1
    with file.open("a") as out:
        while len(made) < arguments.count:
            facts = make_puzzle(judge, f"{arguments.seed}.{number}")
            if facts is not None:
                made.append(facts)
                print(json.dumps(facts), file=out, flush=True)
            number += 1


def _pack(arguments: argparse.Namespace) -> None:
    """Write the data of the bot, with no kind above its share."""
    kinds: Counter[str] = Counter()
    packed: list[str] = []
    for facts in _lines(arguments.files):
        kind = _kind(facts)
        if len(packed) < arguments.count and kinds[kind] < _LARGEST_SHARE * arguments.count:
            kinds[kind] += 1
            packed.append(json.dumps(facts, separators=(",", ":")))
    PUZZLES.write_bytes(gzip.compress("\n".join(packed).encode(), 9, mtime=0))
    print_line(f"{len(packed)} puzzles, {PUZZLES.stat().st_size} bytes: {dict(kinds)}")


def _check(arguments: argparse.Namespace) -> None:
    """Prove a sample again with new seeds."""
    judge, puzzles = Judge(), list(load_puzzles().values())
    sample = random.Random(arguments.seed).sample(puzzles, min(arguments.sample, len(puzzles)))
    best = holds = 0
    for puzzle in progress(sample, "puzzles"):
        order = [advice.action for advice in puzzle.advice]
        seen = view(puzzle.match, puzzle.seat)
        deals = max(_LEAST_DEALS, _PROVING // len(order))
        leads = judge.leads(seen, order, arguments.seed, deals)
        best += all(lead.mean > 0 for lead in leads)
        holds += all(lead.mean >= LEAST_GAP and lead.low > 0 for lead in leads)
    print_line(f"of {len(sample)} puzzles the best choice is best in {best}, proven in {holds}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.puzzles", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="make puzzles")
    make.add_argument("file", type=Path)
    make.add_argument("--count", type=int, default=1000)
    make.add_argument("--seed", type=int, default=43)
    make.add_argument("--first", type=int, default=0, help="number of the first round (0)")
    pack = commands.add_parser("pack", help="write the data of the bot")
    pack.add_argument("files", type=Path, nargs="+")
    pack.add_argument("--count", type=int, default=1000)
    check = commands.add_parser("check", help="prove stored puzzles again")
    check.add_argument("--sample", type=int, default=100)
    check.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args(argv)
    {"make": _make, "pack": _pack, "check": _check}[arguments.command](arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
