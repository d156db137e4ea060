"""Reviews of rounds: few and sure marks, in samples of the measures of `bench.coach`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from bench import coach
from bench.coach import PlayedRound, play, reviewed
from bench.contestants import contestant
from engine import (
    AnswerGrand,
    Call,
    CallTichu,
    Options,
    Play,
    RoundResult,
    read_action,
)
from players.coach import review as module
from players.coach.decisions import decisions
from players.coach.estimates import Chances, Estimate
from players.coach.judge import Judge
from players.coach.review import (
    ChancesTask,
    ConfirmTask,
    Judged,
    JudgeTask,
    MatchTask,
    Progress,
    Review,
    Task,
    Turn,
    _unlucky,
    review,
    turning_points,
)
from tests.campaign import SOAK
from tests.players.coach.rounds import random_round

SEED = "21.0"


@pytest.fixture(autouse=True)
def fewer_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PLAYOUTS", 1000)
    monkeypatch.setattr(module, "_EXCHANGE_PLAYOUTS", 1000)
    monkeypatch.setattr(module, "_DEALS", 200)
    monkeypatch.setattr(module, "_CONFIRMING_DEALS", 800)
    monkeypatch.setattr(module, "_CHANCE_DEALS", 80)
    monkeypatch.setattr(coach, "STRONG_DEALS", 6400 if SOAK else 1600)


@pytest.fixture(scope="module")
def by_novices() -> PlayedRound:
    return play(contestant("novice"), SEED, Options())


class Steps:
    """A review whose results are made up: each decision costs what `costs` says, in turn."""

    def __init__(self, played: PlayedRound, costs: list[float], second: float = 1.0) -> None:
        self.progress: list[Progress] = []
        self.tasks: list[Task] = []
        self._costs = iter(costs)
        self._second = second
        self.review = self._run(played)

    def _run(self, played: PlayedRound) -> Review:
        steps, result = review(*played, 0, 1), None
        while True:
            try:
                task, progress = steps.send(result)
            except StopIteration as stopped:
                found: Review = stopped.value
                return found
            self.tasks.append(task)
            self.progress.append(progress)
            result = self._answer(task)

    def _answer(self, task: Task) -> object:
        match task:
            case JudgeTask(decision=decision):
                cost = next(self._costs, 0.0)
                estimate = Estimate(cost, cost - 2, cost + 2)
                return Judged(
                    decision.at, decision.kind, estimate, decision.action, decision.action, None
                )
            case ConfirmTask():
                return Estimate(20.0 * self._second, 4.0 * self._second, 36.0 * self._second)
            case ChancesTask():
                return Chances(0.5, 0.5)
            case MatchTask():
                return 0.5


def test_at_most_three_decisions_are_marked_in_their_order(by_novices: PlayedRound) -> None:
    found = Steps(by_novices, [0, 6, 0, 30, 4.9, 50, 0, 12]).review
    assert len(found.judged) > 8
    assert [mark.at for mark in found.marks] == [found.judged[place].at for place in (3, 5, 7)]
    assert all(mark.cost.mean == 20.0 for mark in found.marks), "the second estimate is shown"


def test_a_cost_that_is_not_confirmed_is_no_mark(by_novices: PlayedRound) -> None:
    steps = Steps(by_novices, [30] * 20, second=-1.0)
    assert steps.review.marks == ()
    assert sum(isinstance(task, ConfirmTask) for task in steps.tasks) == 6


def test_confirmed_costs_below_five_points_are_no_marks(by_novices: PlayedRound) -> None:
    assert Steps(by_novices, [30] * 20, second=0.2).review.marks == ()


def test_all_estimates_have_their_own_random_numbers(by_novices: PlayedRound) -> None:
    """A sign of a seed makes no difference to `Random`."""
    seeds = list[int]()
    for task in Steps(by_novices, [30] * 20, second=-1.0).tasks:
        if isinstance(task, JudgeTask):
            seeds += [task.seed, task.seed + 1]
        elif isinstance(task, ConfirmTask):
            seeds.append(task.seed)
    assert len({Random(seed).random() for seed in seeds}) == len(seeds)


def test_progress_counts_the_decisions(by_novices: PlayedRound) -> None:
    progress = Steps(by_novices, []).progress
    total = progress[0].total
    assert progress[0] == (0, total)
    assert progress[-1] == (total, total)
    assert [each.done for each in progress] == sorted(each.done for each in progress)


def test_actions_of_a_substitute_are_left_out(by_novices: PlayedRound) -> None:
    own = [at for at, action in enumerate(by_novices.actions) if action.seat == 0]
    steps = review(*by_novices, 0, 1, skipped=own)
    task, progress = next(steps)
    assert progress.total <= sum(not isinstance(action, Play) for action in by_novices.actions), (
        "only bomb windows are left"
    )
    assert not isinstance(task, JudgeTask) or task.decision.kind == "bomb"


def test_the_curve_has_a_point_for_each_trick_and_the_result(by_novices: PlayedRound) -> None:
    found = Steps(by_novices, []).review
    places = [turn.at for turn in found.curve]
    assert places == sorted(set(places))
    assert places[-1] == len(by_novices.actions)
    assert found.curve[-1].chances.round in (0.0, 0.5, 1.0)
    assert 0 < found.curve[-1].chances.match < 1


def _bad_luck(action: str, *calls: tuple[int, Call, bool]) -> bool:
    own = read_action(0, action)
    right = Judged(0, "call", Estimate(0.0, 0.0, 0.0), own, own, None)
    result = RoundResult(1, 0, (1, 2, 3), calls, (0, 0), (0, 0), (0, 0))
    return bool(_unlucky([right], [], [], result))


def test_a_call_is_unlucky_if_it_failed_but_not_if_it_was_withdrawn() -> None:
    assert _bad_luck("grand:yes", (0, Call.GRAND, False))
    assert not _bad_luck("grand:yes", (0, Call.GRAND, True))
    assert not _bad_luck("grand:yes", (2, Call.GRAND, False)), "withdrawn for the partner's"
    assert not _bad_luck("grand:yes", (0, Call.TICHU, False)), "withdrawn, and a Tichu later"
    assert _bad_luck("tichu", (0, Call.TICHU, False))


def test_two_hands_with_bombs_in_one_window_are_judged_apart() -> None:
    """In Trichu one person decides for two hands, so two decisions may end with one action."""
    played = PlayedRound(*random_round("trichu", 12))
    places = [each.at for each in decisions(*played, 0) if each.kind == "bomb"]
    assert len(set(places)) < len(places)
    costs = [30.0 * (each.kind == "bomb") for each in decisions(*played, 0)]
    tasks = [task for task in Steps(played, costs).tasks if isinstance(task, ConfirmTask)]
    assert tasks
    assert all(task.better.seat == task.decision.view.seat for task in tasks)


def test_turning_points_are_the_two_largest_changes() -> None:
    chances = (0.5, 0.52, 0.8, 0.75, 0.4, 0.6, 0.5)
    curve = [Turn(place, Chances(chance, 0.5)) for place, chance in enumerate(chances)]
    assert turning_points(curve) == [2, 4]
    assert turning_points(curve[:2]) == []


def _calls(played: PlayedRound) -> Iterator[int]:
    for at, action in enumerate(played.actions):
        if isinstance(action, CallTichu) or (isinstance(action, AnswerGrand) and action.call):
            yield at


def test_experts_make_few_costly_choices_and_novices_many(by_novices: PlayedRound) -> None:
    """A sample of the measures of docs/coach.md: levels in order, and the stronger judge agrees."""
    means, marks, judge = [], [], Judge()
    stronger = ("expert:400", "regular") if SOAK else ("expert:200",)
    for played in (*(play(contestant(name), SEED, Options()) for name in stronger), by_novices):
        seats = range(4) if SOAK or played is by_novices else range(2)
        found = [reviewed(played, seat) for seat in seats]
        costs = [each.cost.mean for review in found for each in review.judged]
        means.append(sum(costs) / len(costs))
        marks.append(sum(mark.cost.mean > 10 for review in found for mark in review.marks))
    assert means == sorted(means)
    assert marks[0] <= 1
    assert marks[-1] >= 5

    by_place = {each.at: each for each in decisions(*by_novices, 3) if each.kind != "call"}
    shown = [mark for mark in found[3].marks if mark.kind != "call"]
    assert shown
    for mark in shown:
        strong = judge.difference(by_place[mark.at], mark.better, 99, coach.STRONG_DEALS)
        assert strong.mean > 0
        assert mark.cost.low <= strong.mean + 1
        assert strong.mean - 1 <= mark.cost.high


def test_a_planted_choice_is_found(tmp_path: Path) -> None:
    """A sample of the first measure of docs/coach.md, by the command."""
    file = tmp_path / "coach.jsonl"
    base = ["--seed", "3", "--level", "regular"]
    assert coach.main(["planted", str(file), "--positions", "1", *base]) == 0
    assert coach.main(["planted", str(file), "--positions", "1", *base]) == 0, "nothing to do"
    (facts,) = [json.loads(line) for line in file.read_text().splitlines()]
    assert facts["found"]
    assert 30 <= facts["planted"][0] <= 60
