"""Throttled logging of a lasting failure: once a minute, and at its end."""

from __future__ import annotations

import logging

import pytest

from bot.runtime.lasting_trouble import TOLD_EVERY_S, LastingTrouble

FULL = "the disk is full"


class Story:
    """A lasting failure in simulated time."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.now = 100.0
        self._caplog = caplog
        self.trouble = LastingTrouble(logging.getLogger("test"), "no writing", lambda: self.now)

    def lines(self) -> list[str]:
        """Return the lines logged since the last call."""
        told = [record.getMessage() for record in self._caplog.records]
        self._caplog.clear()
        return told


@pytest.fixture
def story(caplog: pytest.LogCaptureFixture) -> Story:
    """Return a failure that has not begun."""
    return Story(caplog)


def test_logs_once_a_minute_and_at_the_end(story: Story) -> None:
    for _ in range(120):  # two clicks a second
        story.trouble.met(FULL)
        story.now += 0.5
    assert story.lines() == ["no writing: the disk is full"]
    story.trouble.met(FULL)
    assert story.lines() == ["no writing: the disk is full (since 60 s, 121 tries)"]
    story.now += 5
    story.trouble.over()
    story.trouble.over()
    assert story.lines() == ["over after 65 s and 121 tries: no writing"]
    assert story.trouble.reason is None


def test_intermittent_failure_is_not_logged_each_time(story: Story) -> None:
    for _ in range(60):
        story.trouble.met(FULL)
        story.trouble.over()
        story.now += 0.5
    assert len(story.lines()) == 2
    story.now += TOLD_EVERY_S
    story.trouble.met(FULL)
    assert story.lines() == ["no writing: the disk is full"]


def test_trailing_failures_are_logged_once(story: Story) -> None:
    for reason in ("a mistake", "a mistake", "another mistake", "a mistake"):
        story.trouble.met(reason, "where it was")
        story.now += TOLD_EVERY_S
    assert story.lines() == [
        "no writing: a mistake\nwhere it was",
        "no writing: a mistake (since 60 s, 2 tries)",
        "no writing: another mistake (since 120 s, 3 tries)\nwhere it was",
        "no writing: a mistake (since 180 s, 4 tries)",
    ]


def test_another_reason_is_logged_at_once(story: Story) -> None:
    story.trouble.met(FULL)
    story.trouble.met("locked")
    story.trouble.met(FULL)
    assert len(story.lines()) == 2
    assert story.trouble.reason == FULL


def test_logs_nothing_without_a_failure(story: Story) -> None:
    story.trouble.over()
    assert story.lines() == []
