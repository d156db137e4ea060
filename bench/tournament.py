"""`python -m bench.tournament novice random`: a tournament of computer players.

Each pair of the named players plays the same deals (or matches) from both sides; one alone plays
against itself. The same seed gives the same result for any number of processes, unless a player has
a time limit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import combinations, islice
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import engine
import players
from bench.contestants import PLAYERS, contestant, prepare_contestant
from bench.duplicate import Board, Played, play_board
from bench.figures import Calls, Comparison, Estimate, Side, compare
from bot.runtime.progress import print_line, progress
from engine import VARIANTS, Options, TichuError

Pair = tuple[str, ...]
"""The names of two players."""
Results = dict[Pair, dict[int, Played]]
"""The boards played so far, by pair of players and number of the board."""
_FORM = 2
"""The version of the file format: increase it after each change of `Played`."""


class Tournament(NamedTuple):
    """The settings of a tournament."""

    options: Options
    """The game and its options."""
    players: tuple[str, ...]
    """The names of the players."""
    boards: int
    """The number of boards of each pair."""
    matches: bool = False
    """True if a board is a whole match, false for a single deal."""
    seed: int = 1
    """The seed of all cards."""

    @property
    def pairs(self) -> list[Pair]:
        """All pairs of players in the order given; a single player is paired with itself."""
        return list(combinations(self.players, 2)) or [self.players * 2]

    def open(self, results: Results) -> Iterator[Board]:
        """Yield the boards not yet played, alternating between pairs."""
        for number in range(self.boards):
            for pair in self.pairs:
                if number not in results[pair]:
                    yield Board(self.options, pair, self.seed, number, self.matches)


def play(
    tournament: Tournament, results: Results, workers: int
) -> Iterator[tuple[Pair, int, Played]]:
    """Play the boards missing in `results`; add and yield each as soon as it is played."""
    boards = tournament.open(results)
    if workers == 1:
        for name in tournament.players:
            prepare_contestant(name)
    for board, played in (
        ((board, play_board(board)) for board in boards)
        if workers == 1
        else _in_parallel(tournament, boards, workers)
    ):
        results[board.players][board.number] = played
        yield board.players, board.number, played


def played_by(tournament: Tournament, workers: int = 1) -> Results:
    """Return the results of a whole tournament."""
    results: Results = {pair: {} for pair in tournament.pairs}
    for _ in play(tournament, results, workers):
        pass
    return results


def _in_parallel(
    tournament: Tournament, boards: Iterator[Board], workers: int
) -> Iterator[tuple[Board, Played]]:
    """Play boards in several processes; yield each as soon as it is played."""
    for name in tournament.players:
        if "@" in name:
            prepare_contestant(name)  # checked out and compiled once, not by every worker
    executor = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_ready, initargs=(tournament.players,)
    )
    try:
        running: dict[Future[Played], Board] = {}
        while True:
            for board in islice(boards, 4 * workers - len(running)):
                running[executor.submit(play_board, board)] = board
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _ready(players: Sequence[str]) -> None:
    """Prepare a worker process: load the players, and end silently at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for name in players:
        prepare_contestant(name)


# --- The file of raw results --------------------------------------------------------------------


def _file_head(tournament: Tournament) -> dict[str, Any]:
    """Return the first line of a file, which must match for its results to be reused."""
    return {
        "game": tournament.options.variant,
        "options": tournament.options.non_defaults(),
        "matches": tournament.matches,
        "seed": tournament.seed,
        "code": _code(),
        "boards": _FORM,
    }


def _code() -> str:
    """Return a digest of the code of the rules and players.

    Players of other commits are identified by their commit.
    """
    digest = hashlib.sha256()
    for folder in (engine, players):
        for source in sorted(Path(folder.__path__[0]).rglob("*")):
            if source.suffix in (".py", ".json"):
                digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def load(path: Path, tournament: Tournament) -> Results:
    """Return the results in a file; raise `ValueError` if they are of another tournament.

    Each line after the first is one board. A truncated last line is ignored.
    """
    results: Results = {pair: {} for pair in tournament.pairs}
    if not path.exists():
        return results
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or json.loads(lines[0]) != _file_head(tournament):
        raise ValueError(
            f"{path} holds another tournament, or one of other code: name another file"
        )
    for line in lines[1:]:
        try:
            first, second, number, raw = json.loads(line)
        except ValueError:
            break
        if (first, second) in results and number < tournament.boards:
            results[first, second][number] = Played.read(raw)
    return results


def _begin_file(path: Path, tournament: Tournament, results: Results) -> None:
    """Write the loaded results to the file again, without a truncated line."""
    lines = [json.dumps(_file_head(tournament))]
    for (first, second), boards in results.items():
        lines += [json.dumps([first, second, number, raw]) for number, raw in boards.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- The report ---------------------------------------------------------------------------------


def report(tournament: Tournament, results: Results) -> Iterator[str]:
    """Yield the statistics so far as lines."""
    scored = VARIANTS[tournament.options.variant].scored
    for pair, boards in results.items():
        if boards:
            yield from _of_pair(pair, compare(boards), scored)


def _of_pair(pair: Pair, figures: Comparison, scored: bool) -> Iterator[str]:
    """Yield the lines about one pair of players."""
    value, low, high = figures.margin
    unit = "points" if scored else "places"
    yield (
        f"{pair[0]} against {pair[1]}: {value:+.1f} {unit} a round, "
        f"95 % between {low:+.1f} and {high:+.1f} "
        f"({figures.rounds} rounds on {figures.deals} deals)"
    )
    yield f"  {pair[0]} won {_percent(figures.ahead)} of the rounds"
    if figures.won is not None:
        yield f"  {pair[0]} won {_percent(figures.won)} of {figures.matches} matches"
    width = max(map(len, pair))
    for name, side in zip(pair, figures.sides, strict=True):
        for line in _of_side(side, scored):
            yield f"  {name:{width}}  {line}"


def _of_side(side: Side, scored: bool) -> Iterator[str]:
    """Yield the lines about one player of a pair."""
    if scored:
        for kind, calls in side.calls.items():
            yield f"{kind.value}: {_calls(calls)}"
        value, low, high = side.from_calls
        yield f"calls bring {value:+.1f} points a round, 95 % between {low:+.1f} and {high:+.1f}"
        yield f"double victories in {_percent(side.sweeps)} of the rounds"
    for what, times in (("decisions", side.times), ("exchanges", side.exchanges)):
        if times is not None:
            yield (
                f"{what} take {times.mean:.2f} ms of processor time, 99 % at most "
                f"{times.p99:.2f}, all at most {times.most:.1f}"
            )


def _percent(estimate: Estimate) -> str:
    """Return a share and its bounds as text."""
    return f"{estimate.value:.1%} (95 % between {estimate.low:.1%} and {estimate.high:.1%})"


def _calls(calls: Calls) -> str:
    """Return the statistics of one kind of calls as text."""
    if calls.success is None:
        return "never"
    value, low, high = calls.a_round
    return (
        f"{calls.made} of {calls.tried} made, {_percent(calls.success)}; "
        f"{value:.3f} a team and round (95 % between {max(0.0, low):.3f} and {high:.3f})"
    )


# --- The command line ---------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a tournament and print its statistics. Return the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        tournament = _tournament(given)
        for name in tournament.players:
            contestant(name)
        results: Results = {pair: {} for pair in tournament.pairs}
        if given.json:
            results = load(given.json, tournament)
            _begin_file(given.json, tournament, results)
    except (ValueError, ImportError, AttributeError, TichuError) as error:
        parser.error(str(error))
    try:
        _play_and_print(tournament, results, given)
    except KeyboardInterrupt:
        print("\nStopped. What there is:")
    print("\n".join(report(tournament, results)))
    return 0


def _play_and_print(tournament: Tournament, results: Results, given: argparse.Namespace) -> None:
    """Play the missing boards, store them, and print the statistics from time to time."""
    began = told = monotonic()
    rounds = 0
    missing = sum(1 for _ in tournament.open(results))
    boards = play(tournament, results, given.workers)
    for (first, second), number, played in progress(boards, "boards", total=missing):
        rounds += len(played.rounds)
        if given.json:
            with given.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps([first, second, number, played]) + "\n")
        if monotonic() - told >= given.every:
            told = monotonic()
            print_line("\n".join((*report(tournament, results), "")))
    passed = monotonic() - began
    if rounds:
        print(f"{rounds} rounds in {passed:.0f} s, {rounds / passed:.1f} a second")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.tournament", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument(
        "players",
        nargs="+",
        metavar="player",
        help=f"{', '.join(PLAYERS)}; expert:0.05 thinks 0.05 s about a decision, "
        "expert@COMMIT:480 is the Expert of that commit with 480 playouts",
    )
    parser.add_argument("--game", choices=VARIANTS, default="nanjing")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a table option, players=8 or target=500 for example; may be given again",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--deals", type=int, default=1000, help="for every two players (1000)")
    what.add_argument(
        "--matches", type=int, help="how many whole matches to play instead, each with every lineup"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--every", type=float, default=30.0, help="seconds between reports (30)")
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="raw results, one line a board; a tournament that was stopped goes on from it",
    )
    return parser


def _tournament(given: argparse.Namespace) -> Tournament:
    """Return the tournament of the command line; raise `ValueError` for invalid settings."""
    chosen: dict[str, Any] = {}
    for option in given.option:
        name, _, value = option.partition("=")
        chosen[name] = int(value) if value.isdecimal() else value
    options = Options.from_values(given.game, chosen)
    if len(set(given.players)) < len(given.players):
        raise ValueError("name different players, or one to play against itself")
    for what in ("deals", "matches", "workers"):
        if getattr(given, what) is not None and getattr(given, what) < 1:
            raise ValueError(f"--{what} must be at least 1")
    if given.matches and not VARIANTS[given.game].scored:
        raise ValueError("this game has no points to win a match with: play deals")
    return Tournament(
        options=options,
        players=tuple(given.players),
        boards=given.matches or given.deals,
        matches=bool(given.matches),
        seed=given.seed,
    )


if __name__ == "__main__":
    sys.exit(main())
