"""Lasting failures are logged once a minute, and their end is."""

from __future__ import annotations

import logging

import pytest

from bot.runtime.throttled_log import LOG_INTERVAL_S, ThrottledLog

FULL = "the disk is full"


class Recorder:
    """A throttled log with a clock that tests set."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.now = 100.0
        self._caplog = caplog
        self.log = ThrottledLog(logging.getLogger("test"), "write failed", lambda: self.now)

    def lines(self) -> list[str]:
        """Return the messages logged since the last call."""
        messages = [record.getMessage() for record in self._caplog.records]
        self._caplog.clear()
        return messages


@pytest.fixture
def recorder(caplog: pytest.LogCaptureFixture) -> Recorder:
    """A log without any failure."""
    return Recorder(caplog)


def test_logs_a_failure_once_a_minute_and_its_end(recorder: Recorder) -> None:
    for _ in range(120):  # two clicks a second
        recorder.log.failure(FULL)
        recorder.now += 0.5
    assert recorder.lines() == ["write failed: the disk is full"]
    recorder.log.failure(FULL)
    assert recorder.lines() == ["write failed: the disk is full (121 failures in 60 s)"]
    recorder.now += 5
    recorder.log.success()
    recorder.log.success()
    assert recorder.lines() == ["write failed: recovered after 65 s and 121 failures"]
    assert recorder.log.reason is None


def test_throttles_failures_that_come_and_go(recorder: Recorder) -> None:
    for _ in range(60):
        recorder.log.failure(FULL)
        recorder.log.success()
        recorder.now += 0.5
    assert len(recorder.lines()) == 2
    recorder.now += LOG_INTERVAL_S
    recorder.log.failure(FULL)
    assert recorder.lines() == ["write failed: the disk is full"]


def test_logs_the_traceback_of_a_reason_once(recorder: Recorder) -> None:
    for reason in ("one bug", "one bug", "another bug", "one bug"):
        recorder.log.failure(reason, "traceback")
        recorder.now += LOG_INTERVAL_S
    assert recorder.lines() == [
        "write failed: one bug\ntraceback",
        "write failed: one bug (2 failures in 60 s)",
        "write failed: another bug (3 failures in 120 s)\ntraceback",
        "write failed: one bug (4 failures in 180 s)",
    ]


def test_logs_another_reason_immediately(recorder: Recorder) -> None:
    recorder.log.failure(FULL)
    recorder.log.failure("locked")
    recorder.log.failure(FULL)
    assert len(recorder.lines()) == 2
    assert recorder.log.reason == FULL


def test_logs_nothing_after_a_success_without_failures(recorder: Recorder) -> None:
    recorder.log.success()
    assert recorder.lines() == []
