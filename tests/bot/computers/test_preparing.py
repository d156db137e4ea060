"""Limits of a worker's preparation: it may take any time as long as it makes progress."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable

import pytest

from bot.computers.preparing import (
    LONGEST_PROCESSOR_SECONDS,
    TURN_SECONDS,
    TURNS_WITHOUT_WORK,
    Hangs,
    Progress,
    reporting,
    wait_until_prepared,
)


class Told:
    """Receiving end of a connection that gets one scripted message a turn."""

    def __init__(self, turns: Iterable[object]) -> None:
        self._turns = iter(turns)
        self._next: object = None
        self.heard = 0

    def poll(self, seconds: float) -> bool:
        """Return whether a message came in this turn."""
        assert seconds == TURN_SECONDS
        self.heard += 1
        self._next = next(self._turns)
        return self._next is not None

    def recv(self) -> object:
        """Return the message."""
        return self._next


DONE = (None, ())
HOURS = 8 * 3600


def test_a_slow_machine_may_take_hours() -> None:
    turns = int(HOURS / TURN_SECONDS)
    told = Told([*(Progress(34.0 * turn / turns, 50, 100) for turn in range(turns)), DONE])
    heard: list[Progress] = []
    assert wait_until_prepared(told, TURN_SECONDS, heard.append) == DONE
    assert len(heard) == turns


def test_worker_may_stay_silent_between_reports() -> None:
    silence = [None] * (TURNS_WITHOUT_WORK - 1)
    told = Told([*silence, Progress(5.0, 1, 100), *silence, Progress(9.0, 2, 100), *silence, DONE])
    assert wait_until_prepared(told, TURN_SECONDS, lambda progress: None) == DONE


@pytest.mark.parametrize(
    "turn", [None, Progress(2.0, 1, 100)], ids=["says nothing", "does no work"]
)
def test_detects_a_worker_without_progress(turn: object) -> None:
    told = Told([Progress(2.0, 1, 100), *[turn] * 10 * TURNS_WITHOUT_WORK])
    with pytest.raises(Hangs, match="stopped using CPU time"):
        wait_until_prepared(told, TURN_SECONDS, lambda progress: None)
    assert told.heard == TURNS_WITHOUT_WORK + 1


def test_reports_alone_are_no_progress() -> None:
    """Reporting costs a little processor time, too."""
    turns = 10 * TURNS_WITHOUT_WORK
    told = Told([Progress(2.0 + 0.0005 * turn, 1, 100) for turn in range(turns)])
    with pytest.raises(Hangs, match="stopped using CPU time"):
        wait_until_prepared(told, TURN_SECONDS, lambda progress: None)


def test_detects_endless_work_by_its_processor_time() -> None:
    seconds = range(0, 10 * int(LONGEST_PROCESSOR_SECONDS), 3)
    told = Told([Progress(float(second), 1, 100) for second in seconds])
    with pytest.raises(Hangs, match="CPU time exceeds"):
        wait_until_prepared(told, TURN_SECONDS, lambda progress: None)
    assert (told.heard - 1) * 3 > LONGEST_PROCESSOR_SECONDS


def test_returns_the_reported_failure() -> None:
    assert wait_until_prepared(
        Told([("it does not compile", ())]), TURN_SECONDS, lambda progress: None
    )[0]


def test_reports_progress_only_while_it_works() -> None:
    ours, theirs = multiprocessing.Pipe()
    with reporting(theirs, 0.001):
        first, second = ours.recv(), ours.recv()
    assert isinstance(first, Progress)
    assert isinstance(second, Progress)
    assert 0 < first.processor_seconds <= second.processor_seconds
    assert 0 <= second.compiled <= second.functions
    theirs.send(DONE)
    while isinstance(said := ours.recv(), Progress):
        pass
    assert said == DONE
    assert not ours.poll(0)


def test_reporting_survives_the_end_of_the_bot() -> None:
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    with reporting(theirs, 0.0):
        pass
