"""How long a worker may prepare: as long as it gets on, however slow the machine is."""

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
    """The end of a connection that hears what a test tells, one turn after another."""

    def __init__(self, turns: Iterable[object]) -> None:
        self._turns = iter(turns)
        self._next: object = None
        self.heard = 0

    def poll(self, seconds: float) -> bool:
        """Whether something was told in this turn."""
        assert seconds == TURN_SECONDS
        self.heard += 1
        self._next = next(self._turns)
        return self._next is not None

    def recv(self) -> object:
        """What was told."""
        return self._next


DONE = (None, ())
HOURS = 8 * 3600


def test_a_slow_machine_may_take_hours() -> None:
    turns = int(HOURS / TURN_SECONDS)
    told = Told([*(Progress(34.0 * turn / turns, 50, 100) for turn in range(turns)), DONE])
    heard: list[Progress] = []
    assert wait_until_prepared(told, TURN_SECONDS, heard.append) == DONE
    assert len(heard) == turns


def test_one_that_never_gets_its_turn_to_report_may_take_long_as_well() -> None:
    silence = [None] * (TURNS_WITHOUT_WORK - 1)
    told = Told([*silence, Progress(5.0, 1, 100), *silence, Progress(9.0, 2, 100), *silence, DONE])
    assert wait_until_prepared(told, TURN_SECONDS, lambda progress: None) == DONE


@pytest.mark.parametrize(
    "turn", [None, Progress(2.0, 1, 100)], ids=["says nothing", "does no work"]
)
def test_one_that_stands_still_is_noticed(turn: object) -> None:
    told = Told([Progress(2.0, 1, 100), *[turn] * 10 * TURNS_WITHOUT_WORK])
    with pytest.raises(Hangs, match="stopped using CPU time"):
        wait_until_prepared(told, TURN_SECONDS, lambda progress: None)
    assert told.heard == TURNS_WITHOUT_WORK + 1


def test_one_that_only_tells_that_it_is_there_stands_still() -> None:
    """To report costs a little processor time, too."""
    turns = 10 * TURNS_WITHOUT_WORK
    told = Told([Progress(2.0 + 0.0005 * turn, 1, 100) for turn in range(turns)])
    with pytest.raises(Hangs, match="stopped using CPU time"):
        wait_until_prepared(told, TURN_SECONDS, lambda progress: None)


def test_one_that_works_for_ever_is_noticed_by_its_processor_time() -> None:
    seconds = range(0, 10 * int(LONGEST_PROCESSOR_SECONDS), 3)
    told = Told([Progress(float(second), 1, 100) for second in seconds])
    with pytest.raises(Hangs, match="CPU time exceeds"):
        wait_until_prepared(told, TURN_SECONDS, lambda progress: None)
    assert (told.heard - 1) * 3 > LONGEST_PROCESSOR_SECONDS


def test_a_failure_is_what_was_told() -> None:
    assert wait_until_prepared(
        Told([("it does not compile", ())]), TURN_SECONDS, lambda progress: None
    )[0]


def test_reports_come_while_it_works_and_never_after_its_end() -> None:
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


def test_nobody_hears_the_report_of_one_whose_bot_is_gone() -> None:
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    with reporting(theirs, 0.0):
        pass
