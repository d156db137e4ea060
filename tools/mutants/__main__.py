"""`python -m tools.mutants`: draws mutants by seed and says which of them the tests notice.

Nobody picks a mutant: each is as likely to be drawn as any other. With two suites, such as the
tests before and after a rewrite, the same mutants are tried with both.

Not mutmut or cosmic-ray: neither draws a sample by seed, nor tries one mutant with two suites.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue

from bot.runtime.progress import print_line, progress
from tools.mutants.drawing import Mutant, draw, mutants_of
from tools.mutants.running import ABSENT, Copy, Suite, Verdict, suite_of

FOLDERS = ("engine", "bot/table")


def main(argv: Sequence[str] | None = None) -> int:
    """Draw, try and print. Returns 1 if a mutant survived, 2 if a suite fails without a mutant."""
    arguments = _parser().parse_args(argv)
    suites: list[Suite] = arguments.suite or [suite_of("tests=.")]
    everything = mutants_of(suites[0].tree, arguments.folders)
    drawn = draw(everything, arguments.number, arguments.seed)
    print(f"{len(drawn)} of {len(everything)} mutants, seed {arguments.seed}")
    if arguments.list:
        print("\n".join(map(str, drawn)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copies = [
            [Copy(suite, Path(folder) / str(worker)) for worker in range(arguments.workers)]
            for suite in suites
        ]
        if not arguments.trust:
            for suite, (first, *_) in zip(suites, copies, strict=True):
                failure = first.first_failure("tests", arguments.timeout, arguments.workers)
                if failure:
                    print(f"{suite.name} fails without a mutant: {failure}", file=sys.stderr)
                    return 2
        verdicts = []
        for verdict in _tried(drawn, copies, arguments.timeout):
            verdicts.append(verdict)
            print_line(f"{verdict.suite}: {verdict.mutant}\n    {verdict.killer}")
    if arguments.json:
        arguments.json.write_text(json.dumps([_plain(v) for v in verdicts], indent=1), "utf-8")
    print("\n".join(_summary(drawn, suites, verdicts)))
    return 0 if all(verdict.killed for verdict in verdicts) else 1


def _tried(
    drawn: Sequence[Mutant], copies: Sequence[Sequence[Copy]], timeout: float
) -> Iterator[Verdict]:
    """Yield the verdicts as they become known.

    `copies` has for each suite the copies of its tree, each used by one thread at a time.
    """
    free: list[SimpleQueue[Copy]] = [SimpleQueue() for _ in copies]
    for queue, suite_copies in zip(free, copies, strict=True):
        for copy in suite_copies:
            queue.put(copy)

    def work(queue: SimpleQueue[Copy], mutant: Mutant) -> Verdict:
        copy = queue.get()
        try:
            return copy.tried(mutant, timeout)
        finally:
            queue.put(copy)

    with ThreadPoolExecutor(len(copies[0])) as pool:
        waiting = [pool.submit(work, queue, mutant) for mutant in drawn for queue in free]
        for future in progress(as_completed(waiting), "mutants", total=len(waiting)):
            yield future.result()


def _summary(
    drawn: Sequence[Mutant], suites: Sequence[Suite], verdicts: Sequence[Verdict]
) -> Iterator[str]:
    """Yield the mutants killed by each suite, the survivors, and differences of suites."""
    by_place = {(verdict.suite, verdict.mutant): verdict for verdict in verdicts}
    for suite in suites:
        all_verdicts = (by_place[suite.name, mutant] for mutant in drawn)
        tried = [verdict for verdict in all_verdicts if verdict.killer != ABSENT]
        killed = sum(verdict.killed for verdict in tried)
        yield f"{suite.name}: {killed} of {len(tried)} killed"
        for verdict in tried:
            if not verdict.killed:
                yield f"    survived: {verdict.mutant}"
    for mutant in drawn:
        if len({by_place[suite.name, mutant].killed for suite in suites}) > 1:
            yield f"noticed by some suites only: {mutant}"


def _plain(verdict: Verdict) -> dict[str, object]:
    """Return a verdict as values that JSON can write."""
    mutant = verdict.mutant
    return {
        "suite": verdict.suite,
        "killer": verdict.killer,
        **{name: getattr(mutant, name) for name in ("path", "line", "scope", "kind")},
        "before": mutant.before,
        "after": mutant.after,
    }


def _suite(text: str) -> Suite:
    """Return the suite that an argument names, for argparse."""
    try:
        return suite_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutants", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="default: engine bot/table")
    parser.add_argument("--number", type=int, default=30, help="how many mutants (30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the mutants, try none")
    parser.add_argument(
        "--suite",
        type=_suite,
        action="append",
        metavar="NAME=TREE[,TESTS]",
        help="a checkout, perhaps with tests from another folder; may be given again. Mutants are "
        "drawn from the first one. Default: tests=. (this checkout)",
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="runs at once")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds for one run (1800)")
    parser.add_argument("--trust", action="store_true", help="do not try the suites unmutated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the verdicts there, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
