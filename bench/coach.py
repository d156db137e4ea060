"""`python -m bench.coach`: measure how right the coach is.

- `reviews` plays rounds of one level with itself and reviews all four seats. With `--judge` a
  stronger judge, with eight times the playouts and another seed, estimates the cost of each mark.
- `planted` lets Experts play rounds in which one choice is replaced by one that the stronger judge
  finds 30 points worse, and reviews that seat.
- `report` prints the figures of their files.

Both append a line of JSON for each seat to a file and go on where it ends. Rounds of one seed have
the same cards for all levels. See docs/coach.md.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

from bench.contestants import contestant
from bench.figures import share
from bench.rounds import END_PHASES, Contestant, decide, deciding_seats, shuffled
from bot.runtime.progress import print_line, progress
from engine import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    CallTichu,
    CloseWindow,
    Match,
    Options,
    PassCards,
    Seat,
    apply,
    deal,
    new_match,
    view,
    write_action,
)
from players.coach.decisions import Decision, decisions
from players.coach.estimates import Estimate
from players.coach.judge import Judge
from players.coach.review import Review, carry_out, review
from players.expert.choices import choices
from players.expert.kernels import Kernels

STRONGER = 8
"""Factor for the playouts of the stronger judge."""
STRONG_DEALS = STRONGER * 4000
"""Deals of the stronger judge for the difference of two choices."""
WORSE, MUCH_WORSE = 30.0, 60.0
"""Bounds of the cost of a planted choice, in points."""
_SCREENED = 400
"""Deals of the first estimate of a choice that may be planted."""
_SCORES = ((0, 0), (0, 0), (300, 450), (700, 500), (850, 900))
"""Scores before a round, of both teams."""
_ROUNDING = 0.05
"""Differences of points to ignore; reviews are stored with 0.1 point."""
_SAMPLE = 20
"""Number of rounds of a sample that is to order the levels."""
_STRONG_SEED, _REVIEW_SEED = 900_000_000, 5
"""Seeds of the stronger judge and of reviews; players have those of their rounds."""


class PlayedRound(NamedTuple):
    """A round of computer players."""

    dealt: Match
    """Match after the deal."""
    actions: tuple[Action, ...]
    """All actions after it."""


Replace = Callable[[Match, Seat, Action], Action]
"""Returns the action to take in place of a player's."""


def play(
    player: Contestant, seed: str, options: Options, replace: Replace | None = None
) -> PlayedRound:
    """Return a round of this player with itself, with cards and score by the seed."""
    rng = random.Random(seed)
    match = new_match(options)
    scores = rng.choice(_SCORES)
    if options.target is not None:
        match = match._replace(totals=scores)
    match, _ = deal(match, shuffled(match, rng))
    dealt, actions = match, []
    while match.phase not in END_PHASES:
        action = _next_action(player, match, rng, replace)
        actions.append(action)
        match, _ = apply(match, action)
    return PlayedRound(dealt, tuple(actions))


def _next_action(
    player: Contestant, match: Match, rng: random.Random, replace: Replace | None
) -> Action:
    """Return the next action of the round."""
    for seat in deciding_seats(match):
        action, _ = decide(player, match, seat, rng)
        if action is not None:
            return action if replace is None else replace(match, seat, action)
    return CloseWindow()


def reviewed(played: PlayedRound, seat: Seat) -> Review:
    """Return the review of a seat, made in this process."""
    steps, result = review(played.dealt, played.actions, seat, _REVIEW_SEED), None
    while True:
        try:
            task, _ = steps.send(result)
        except StopIteration as stopped:
            finished: Review = stopped.value
            return finished
        result = carry_out(task)


def _facts(played: PlayedRound, seat: Seat, judge: Judge | None) -> dict[str, Any]:
    """Return the facts of a review as JSON, with the costs of its marks by the stronger judge."""
    begin = process_time()
    found = reviewed(played, seat)
    seconds = process_time() - begin
    own = {(each.at, each.kind, each.action): each for each in decisions(*played, seat)}
    marks = []
    for mark in found.marks:
        strong = None
        if judge is not None:
            decision = own[mark.at, mark.kind, mark.own]
            strong = judge.difference(decision, mark.better, _STRONG_SEED, STRONG_DEALS)
        marks.append({"at": mark.at, "kind": mark.kind, "cost": mark.cost, "strong": strong})
    return {
        "costs": [(each.kind, each.cost.mean) for each in found.judged],
        "marks": marks,
        "unlucky": len(found.unlucky),
        "seconds": seconds,
    }


# --- planted mistakes ----------------------------------------------------------------------------


class _Planter:
    """Replaces one choice of a round by one that costs 30 to 60 points."""

    def __init__(self, judge: Judge, rng: random.Random) -> None:
        self.planted: tuple[Seat, Action, Estimate] | None = None
        """Seat, action, and its cost by the stronger judge."""
        self._judge = judge
        self._kernels = Kernels()
        self._rng = rng
        self._wait = rng.randrange(30)
        """Number of decisions to leave as they are."""

    def __call__(self, match: Match, seat: Seat, action: Action) -> Action:
        """Return the action or a worse one."""
        seen = view(match, seat)
        if self.planted is not None or isinstance(action, AnswerGrand | AnswerWithdraw | CallTichu):
            return action
        if not isinstance(action, PassCards) and len(seen.actions) < 2:
            return action
        self._wait -= 1
        if self._wait >= 0:
            return action
        others = [each.action for each in choices(seen, seat, self._kernels)]
        self._rng.shuffle(others)
        for other in others[:8]:
            decision = Decision(0, "lead", seen, other)
            rough = self._judge.difference(decision, action, _STRONG_SEED + 1, _SCREENED)
            if not WORSE <= rough.mean <= MUCH_WORSE:
                continue
            cost = self._judge.difference(decision, action, _STRONG_SEED, STRONG_DEALS)
            if WORSE <= cost.mean <= MUCH_WORSE:
                self.planted = seat, other, cost
                return other
        return action


def _planted_facts(judge: Judge, level: str, seed: str) -> dict[str, Any] | None:
    """Return the facts of a round with a planted choice, or `None` if none was found."""
    planter = _Planter(judge, random.Random(seed + "p"))
    played = play(contestant(level), seed, Options(), planter)
    if planter.planted is None:
        return None
    seat, action, cost = planter.planted
    place = next(at for at, each in enumerate(played.actions) if each is action)
    found = reviewed(played, seat)
    judged = next((each for each in found.judged if each.at == place and each.kind != "call"), None)
    return {
        "planted": cost,
        "kind": judged.kind if judged else "none",
        "estimate": judged.cost if judged else None,
        "found": any(mark.at == place and mark.kind != "call" for mark in found.marks),
        "better": [mark.cost.mean for mark in found.marks],
        "action": "" if isinstance(action, PassCards) else write_action(action),
    }


# --- the command ---------------------------------------------------------------------------------


def _read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Return all lines of these files."""
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def _append(file: Path, facts: dict[str, Any]) -> None:
    with file.open("a") as out:
        print(json.dumps(facts), file=out)


def _make_reviews(arguments: argparse.Namespace) -> None:
    judge = Judge() if arguments.judge else None
    file: Path = arguments.file
    done = {facts["round"] for facts in _read([file])} if file.exists() else set()
    options = Options(variant=arguments.game)
    todo = [
        number
        for number in range(arguments.first, arguments.first + arguments.rounds)
        if number not in done
    ]
    for number in progress(todo, "reviews", unit="rounds"):
        played = play(contestant(arguments.level), f"{arguments.seed}.{number}", options)
        people = played.dealt.variant.chair_count(played.dealt.options)
        for seat in range(people):
            facts = _facts(played, seat, judge)
            _append(file, {"round": number, "level": arguments.level, "seat": seat} | facts)


def _make_planted(arguments: argparse.Namespace) -> None:
    judge = Judge()
    file: Path = arguments.file
    found = _read([file]) if file.exists() else []
    number = max((facts["round"] for facts in found), default=arguments.first - 1) + 1
    count = len(found)
    while count < arguments.positions:
        facts = _planted_facts(judge, arguments.level, f"{arguments.seed}.{number}")
        if facts is not None:
            _append(file, {"round": number} | facts)
            count += 1
        number += 1


def _report(lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the figures of all lines."""
    planted = [facts for facts in lines if "planted" in facts]
    if planted:
        found = share(sum(facts["found"] for facts in planted), len(planted))
        yield f"planted: {_percent(found)} of {len(planted)} are among the marks of their round"
    reviews = [facts for facts in lines if "costs" in facts]
    strong = [mark for facts in reviews for mark in facts["marks"] if mark["strong"] is not None]
    if strong:
        agreed = share(sum(mark["strong"][0] > 0 for mark in strong), len(strong))
        inside = share(
            sum(
                mark["cost"][1] - _ROUNDING <= mark["strong"][0] <= mark["cost"][2] + _ROUNDING
                for mark in strong
            ),
            len(strong),
        )
        yield f"marks: the stronger judge agrees on the sign in {_percent(agreed)} of {len(strong)}"
        yield f"marks: the interval holds its value in {_percent(inside)}"
    levels = sorted({facts["level"] for facts in reviews})
    for level in levels:
        of_level = [facts for facts in reviews if facts["level"] == level]
        costs = [cost for facts in of_level for _, cost in facts["costs"]]
        marks = [mark["cost"][0] for facts in of_level for mark in facts["marks"]]
        rounds = len({facts["round"] for facts in of_level})
        seconds = [facts["seconds"] for facts in of_level]
        most = max(
            sum(facts["seconds"] for facts in of_level if facts["round"] == number)
            for number in {facts["round"] for facts in of_level}
        )
        yield (
            f"{level}: {rounds} rounds, {len(costs)} decisions, mean cost {fmean(costs):.2f}, "
            f"{len(marks)} marks, {sum(mark > 10 for mark in marks)} over 10 points, "
            f"{fmean(seconds):.1f} s a seat, at most {most:.1f} s a round"
        )
    if len(levels) > 1:
        yield from _orders(reviews, levels, of_one_seat=False)
        yield from _orders(reviews, levels, of_one_seat=True)


def _orders(
    reviews: Sequence[dict[str, Any]], levels: Sequence[str], *, of_one_seat: bool
) -> Iterator[str]:
    """Yield in how many samples of 20 rounds the mean costs order the levels, and the samples.

    A sample has all seats of its rounds, or only one. Its cards are the same for all levels.
    """
    costs: dict[str, dict[tuple[int, int], list[float]]] = {level: {} for level in levels}
    for facts in reviews:
        place = facts["seat"] if of_one_seat else 0, facts["round"]
        costs[facts["level"]].setdefault(place, []).extend(cost for _, cost in facts["costs"])
    places = sorted(set.intersection(*(set(of_level) for of_level in costs.values())))
    orders, lines = Counter[str](), []
    for seat in sorted({seat for seat, _ in places}):
        numbers = [number for each, number in places if each == seat]
        for begin in range(0, len(numbers) - _SAMPLE + 1, _SAMPLE):
            sample = numbers[begin : begin + _SAMPLE]
            means = {
                level: fmean(cost for number in sample for cost in costs[level][seat, number])
                for level in levels
            }
            ordered = sorted(levels, key=lambda level: means[level])
            orders[" < ".join(ordered)] += 1
            texts = ", ".join(f"{level} {means[level]:.2f}" for level in ordered)
            lines.append(f"rounds {sample[0]} to {sample[-1]}: {texts}")
    seats = "one seat" if of_one_seat else "all seats"
    for order, count in orders.items():
        yield f"{count} of {len(lines)} samples of {_SAMPLE} rounds, {seats}: {order}"
    yield from lines


def _percent(estimate: Any) -> str:
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.coach", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("reviews", "planted"):
        command = commands.add_parser(name)
        command.add_argument("file", type=Path, help="file to append to")
        command.add_argument("--level", default="expert:2000", help="player (expert:2000)")
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--first", type=int, default=0, help="number of the first round (0)")
    reviews, planted = commands.choices["reviews"], commands.choices["planted"]
    reviews.add_argument("--rounds", type=int, default=20)
    reviews.add_argument("--game", default="nanjing", choices=("nanjing", "trichu", "tientsin"))
    reviews.add_argument("--judge", action="store_true", help="judge the marks again")
    planted.add_argument("--positions", type=int, default=20)
    report = commands.add_parser("report")
    report.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args(argv)
    if arguments.command == "reviews":
        _make_reviews(arguments)
    elif arguments.command == "planted":
        _make_planted(arguments)
    else:
        for line in _report(_read(arguments.files)):
            print_line(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
