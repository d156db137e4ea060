"""`python -m bench`: speed of the engine, strength of computer players, cost of clicks.

Machines differ, so compare figures only with others of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median

from bench.click_cost import click_cost
from bench.clicks import Replies, Requests, reply_times, requests_per_move
from bench.daily_pages import DAYS, PAGES, daily_page_times
from bench.engine import rounds_per_second
from bench.loop import LoopDelays, measure_delays
from bench.pictures import Crowd, Drawn, crowd, drawing_costs, hand_costs
from bench.profiles import Profiles, profile_times
from bench.replay import Rush, replay_rush, replay_times
from bench.scores import Pages, score_times
from bench.simulator import simulated_rounds_per_second
from bench.tournament import Tournament, played_by, report
from bot.runtime.progress import print_line, progress
from engine import VARIANTS, Options

GAMES = {
    "Nanjing": Options(),
    "Trichu": Options(variant="trichu"),
    "Tientsin": Options(variant="tientsin"),
    "Grand Seigneur, 5 players": Options(variant="grandseigneur", players=5),
    "Grand Seigneur, 8 players": Options(variant="grandseigneur", players=8),
    "Grand Seigneur, 12 players": Options(variant="grandseigneur", players=12),
}
COMPILED = ("Nanjing", "Trichu", "Tientsin")
"""The games whose compiled rules are measured."""
CROWDS = ((25, 4.0, 0), (100, 4.0, 0), (100, 4.0, 2), (100, 1.0, 0))
"""Numbers of tables that want pictures, seconds between two changes of each, and changed hands.

Of four open hands two change with a move: those of the player and of the next one.
"""
MEMORY = "--clicks=20000", "--matches=100"
"""Arguments of `bench.memory`, smaller than its defaults."""
FIGURES = 4 * len(GAMES) + len(COMPILED) + 3 + 2 + PAGES + 4 + len(VARIANTS) + 3 + len(CROWDS) + 4
"""The total number of lines: engine, players and pictures, compiled rules, replies, ..."""


def main() -> int:
    """Run all benchmarks and print their figures. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for the engine, each game (2)")
    parser.add_argument("--deals", type=int, default=12, help="for the Novice (12)")
    parser.add_argument("--tables", type=int, default=200, help="tables at once (default: 200)")
    parser.add_argument("--workers", type=int, default=1, help="worker processes (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for line in progress(_figures(arguments), "bench", unit="figures", total=FIGURES):
        print_line(line)
    return 0


def _figures(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the lines to print, each as soon as it is measured."""
    for name, options in GAMES.items():
        speed = rounds_per_second(options, arguments.seconds, arguments.seed)
        yield (
            f"engine, {name}: {speed.rounds_per_second:,.0f} random rounds a second on one core "
            f"({speed.actions_per_second:,.0f} actions a second)"
        )
    for name in COMPILED:
        speed = simulated_rounds_per_second(GAMES[name], arguments.seconds, arguments.seed)
        yield (
            f"compiled rules, {name}: {speed.rounds_per_second:,.0f} random rounds a second on one "
            f"core ({speed.actions_per_second:,.0f} choices a second)"
        )
    for name, options in GAMES.items():
        players = ("novice", "random")
        tournament = Tournament(options, players, arguments.deals, seed=arguments.seed)
        yield f"{name}, " + "\n".join(report(tournament, played_by(tournament)))
    yield _reply_line(asyncio.run(reply_times(1, 200, arguments.seed, at_once=False)))
    yield _reply_line(
        asyncio.run(reply_times(arguments.tables, 600, arguments.seed, at_once=False))
    )
    yield _reply_line(asyncio.run(reply_times(arguments.tables, 600, arguments.seed, at_once=True)))
    for pace in ("human", "quick"):
        yield _delays_line(
            pace, asyncio.run(measure_delays(50, 30.0, arguments.seed, arguments.workers, pace))
        )
    yield from _score_lines(
        100_000, 1_000_000, asyncio.run(score_times(100_000, 1_000_000, arguments.seed))
    )
    yield from _daily_lines(10_000, asyncio.run(daily_page_times(10_000, arguments.seed)))
    for name in ("nanjing", "trichu"):
        yield _profile_line(20_000, name, asyncio.run(profile_times(20_000, name)))
    for name in VARIANTS:
        yield _request_line(name, asyncio.run(requests_per_move(name, 2, arguments.seed)))
    for name, options in GAMES.items():
        yield _drawing_line(f"pictures, {name}", drawing_costs(options, 200, arguments.seed))
    for name, options in GAMES.items():
        yield _drawing_line(f"hands, {name}", hand_costs(options, 200, arguments.seed))
    for tables, every, hands in CROWDS:
        yield _crowd_line(asyncio.run(crowd(tables, every, 10.0, arguments.seed, hands)))
    first, again = asyncio.run(replay_times(30, arguments.seed))
    yield f"replay page of round 30: {first:.0f} ms at first, {again:.1f} ms once it is known"
    for different in (False, True):
        rush = asyncio.run(replay_rush(50, arguments.seed, different=different))
        yield _rush_line("different rounds" if different else "one round", rush)
    if Path("/proc/self/stat").exists():
        yield str(asyncio.run(click_cost(100, 60.0, 6.0, arguments.seed)))
    yield from _memory_lines(arguments.seed)


def _memory_lines(seed: int) -> Iterator[str]:
    """Yield the lines about memory, measured in a fresh process."""
    command = [sys.executable, "-m", "bench.memory", *MEMORY, f"--seed={seed}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as measuring:
        assert measuring.stdout is not None
        yield from (line.rstrip() for line in measuring.stdout)


def _rush_line(what: str, rush: Rush) -> str:
    """Return the line about many simultaneous requests for replays."""
    return (
        f"replays of {what} of a match with {rush.actions:,} actions, asked for at once: "
        f"{rush.answered} answered and {rush.failed} not in {rush.seconds:.1f} s, "
        f"the event loop was held up for at most {rush.lag_ms:.0f} ms"
    )


def _delays_line(pace: str, delays: LoopDelays) -> str:
    """Return the line about the event loop."""
    waits, works = delays.waits, delays.works
    return (
        f"event loop, {delays.tables} tables of four Experts, {pace} pace, "
        f"{delays.workers} workers: blocked for at most {max(waits):.1f} ms "
        f"(99.9 % {delays.within(waits, 0.999):.1f} ms), "
        f"busy itself for {max(works):.1f} ms ({delays.within(works, 0.999):.1f} ms); "
        f"{delays.changes / delays.seconds:.0f} changes a second, "
        f"{delays.late} of {delays.asked} answers were not there in time, "
        f"the latest change {1000 * delays.latest:.0f} ms after its time; "
        f"{len(delays.choices)} choices in deals of the day answered within "
        f"{delays.within(delays.choices, 0.5):.0f} ms in the median "
        f"(95 % {delays.within(delays.choices, 0.95):.0f} ms)"
    )


def _score_lines(players: int, rounds: int, measured: Pages) -> Iterator[str]:
    """Yield a line about the pages of the leaderboard and one about the rounds."""
    for what, times in (
        ("a page of the leaderboard", measured.pages),
        ("a round", measured.rounds),
    ):
        ordered = sorted(times)
        yield (
            f"scores, {players:,} players, {rounds:,} rounds: {what} takes "
            f"{ordered[len(ordered) // 2]:.1f} ms (median), 95 % at most "
            f"{ordered[int(0.95 * len(ordered))]:.1f} ms, all at most {ordered[-1]:.1f} ms"
        )


def _daily_lines(results: int, measured: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Yield a line about each page of the deal of the day."""
    for what, times in measured.items():
        yield (
            f"deal of the day, {results:,} results a day for {DAYS} days: {what} takes "
            f"{median(times):.1f} ms of processor time (median), at most {max(times):.1f} ms"
        )


def _profile_line(rounds: int, variant: str, measured: Profiles) -> str:
    """Return the line about a person with many rounds of a game."""
    return (
        f"a person with {rounds:,} rounds of {variant}: "
        f"{measured.profile:.0f} ms of processor time for their profile, "
        f"{measured.history:.0f} ms for the list of their matches"
    )


def _drawing_line(name: str, drawn: Drawn) -> str:
    """Return the line about the pictures of a game."""
    together = [a + b for a, b in zip(drawn.drawings, drawn.encodings, strict=True)]
    return (
        f"{name}: {fmean(together):.1f} ms of processor time each "
        f"({fmean(drawn.drawings):.1f} to draw, {fmean(drawn.encodings):.1f} to encode; "
        f"at most {max(together):.1f}), {1000 / fmean(together):.0f} a second on one core, "
        f"median {median(drawn.sizes) / 1000:.0f} kB (at most {max(drawn.sizes) / 1000:.0f}); "
        f"{fmean(drawn.scenes):.2f} ms for the scene"
    )


def _crowd_line(found: Crowd) -> str:
    """Return the line about many tables that want pictures."""
    waits = found.waits
    return (
        f"pictures, {found.tables} tables, each changing every {found.every:g} s, "
        f"with {found.hands} hands: "
        f"{len(waits)} pictures for {found.changes} changes, {found.in_time:.0%} within 300 ms "
        f"(median {1000 * waits[len(waits) // 2]:.0f} ms, at most {1000 * waits[-1]:.0f} ms), "
        f"{1000 * found.cpu:.1f} ms of the bot's own processor time each, "
        f"{found.drawing:.0%} of a core in the process that draws"
    )


def _request_line(name: str, requests: Requests) -> str:
    """Return the line about the requests of a game."""
    kinds = ", ".join(
        f"{count / requests.moves:.2f} {kind}" for kind, count in requests.by_kind.most_common()
    )
    views = f"{requests.views / requests.moves:.2f} views computed"
    uploads = ", ".join(
        f"{count / requests.moves:.2f} pictures of {of}"
        for of, count in requests.uploads.most_common()
    )
    return f"per move, {name}, {requests.people} open hands: {views}, {kinds}; {uploads}"


def _reply_line(replies: Replies) -> str:
    """Return the line about the reply times of clicks."""
    tables = "1 table" if replies.tables == 1 else f"{replies.tables} tables"
    how = "one click at a time" if replies.at_once == 1 else f"{replies.at_once} clicks at once"
    return (
        f"click to reply, {tables}, {how}: median {replies.median:.1f} ms, "
        f"95 % within {replies.slow:.1f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
