"""The heartbeat: writing it, and what `check` says about the file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest

from bot.runtime.heartbeat import BEAT_EVERY_S, Heartbeat, check

NOON = datetime(2031, 5, 4, 12, 0, 0, tzinfo=UTC)


class AlwaysNoon(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Noon."""
        return cls.fromtimestamp(NOON.timestamp(), tz)


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.runtime.heartbeat.datetime", AlwaysNoon)


def write(path: Path, seconds_ago: float) -> None:
    path.write_text((NOON - timedelta(seconds=seconds_ago)).isoformat())


def test_a_beat_is_healthy_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "heartbeat"
    heartbeat = Heartbeat(path)
    heartbeat.beat()
    heartbeat.beat()
    assert check(path) is None
    assert list(path.parent.iterdir()) == [path]


def test_who_never_beat_leaves_the_heartbeat_of_another_one(tmp_path: Path) -> None:
    """As `python -m bot sync` beside a bot."""
    Heartbeat(tmp_path / "heartbeat").beat()
    Heartbeat(tmp_path / "heartbeat").stop()
    assert check(tmp_path / "heartbeat") is None


def test_the_beat_after_a_stop_counts_again(tmp_path: Path) -> None:
    heartbeat = Heartbeat(tmp_path / "heartbeat")
    heartbeat.stop()
    heartbeat.beat()
    heartbeat.stop()
    assert "not running" in str(check(tmp_path / "heartbeat"))
    heartbeat.beat()
    assert check(tmp_path / "heartbeat") is None


@pytest.mark.parametrize(
    "seconds_ago, healthy", [(55, True), (65, False), (-55, True), (-65, False)]
)
def test_a_beat_counts_for_a_minute(tmp_path: Path, seconds_ago: float, healthy: bool) -> None:
    path = tmp_path / "heartbeat"
    write(path, seconds_ago)
    assert (check(path) is None) == healthy


def test_the_age_is_a_choice_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "heartbeat"
    write(path, 30)
    told = check(path, max_age_s=20)
    assert told is not None
    assert told.startswith("The last heartbeat was 30 seconds ago: ")
    assert str(path) in told


def test_several_beats_fit_into_the_age() -> None:
    assert 60 / BEAT_EVERY_S >= 3


@pytest.mark.parametrize(
    "content", [b"", b"soon", b"\xff\xfe", b"2026-01-01T12:00:00", b"2031-05-04T12:00:00Z\n1"]
)
def test_a_file_without_a_time(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "heartbeat"
    path.write_bytes(content)
    assert check(path) == f"The heartbeat at {path} holds no time."


@pytest.mark.parametrize("seconds_ago, healthy", [(0, True), (55, True), (65, False)])
def test_a_living_shard_does_not_hide_a_dead_one(
    tmp_path: Path, seconds_ago: float, healthy: bool
) -> None:
    heartbeat = Heartbeat(tmp_path / "heartbeat")
    heartbeat.beat({1: NOON - timedelta(seconds=seconds_ago), 3: NOON})
    told = check(tmp_path / "heartbeat")
    assert told is None if healthy else str(told).startswith("Shard 1 has not been connected")
    heartbeat.beat({3: NOON})
    assert check(tmp_path / "heartbeat") is None


def test_a_folder_is_no_heartbeat(tmp_path: Path) -> None:
    assert str(check(tmp_path)).startswith(f"The heartbeat at {tmp_path} cannot be read: ")
