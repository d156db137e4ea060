"""Heartbeat file: written by the bot and read by `health`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest

from bot.runtime.heartbeat import BEAT_EVERY_S, Heartbeat, check

NOON = datetime(2031, 5, 4, 12, 0, 0, tzinfo=UTC)


class AlwaysNoon(datetime):
    """Clock that always shows noon."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return noon."""
        return cls.fromtimestamp(NOON.timestamp(), tz)


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.runtime.heartbeat.datetime", AlwaysNoon)


def write(path: Path, seconds_ago: float) -> None:
    path.write_text((NOON - timedelta(seconds=seconds_ago)).isoformat())


def test_beat_is_healthy_and_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "heartbeat"
    heartbeat = Heartbeat(path)
    heartbeat.beat()
    heartbeat.beat()
    assert check(path) is None
    assert list(path.parent.iterdir()) == [path]


def test_keeps_the_heartbeat_of_another_process(tmp_path: Path) -> None:
    """As `python -m bot sync` does beside a bot."""
    Heartbeat(tmp_path / "heartbeat").beat()
    Heartbeat(tmp_path / "heartbeat").stop()
    assert check(tmp_path / "heartbeat") is None


def test_beat_after_a_stop_counts_again(tmp_path: Path) -> None:
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
def test_beat_is_valid_for_a_minute(tmp_path: Path, seconds_ago: float, healthy: bool) -> None:
    path = tmp_path / "heartbeat"
    write(path, seconds_ago)
    assert (check(path) is None) == healthy


def test_maximum_age_is_configurable_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "heartbeat"
    write(path, 30)
    told = check(path, max_age_s=20)
    assert told is not None
    assert told.startswith("The last heartbeat was 30 seconds ago: ")
    assert str(path) in told


def test_several_beats_fit_into_the_maximum_age() -> None:
    assert 60 / BEAT_EVERY_S >= 3


@pytest.mark.parametrize(
    "content", [b"", b"soon", b"\xff\xfe", b"2026-01-01T12:00:00", b"2031-05-04T12:00:00Z\n1"]
)
def test_reports_a_file_without_a_time(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "heartbeat"
    path.write_bytes(content)
    assert check(path) == f"The heartbeat at {path} holds no time."


@pytest.mark.parametrize("seconds_ago, healthy", [(0, True), (55, True), (65, False)])
def test_living_shard_does_not_hide_a_dead_one(
    tmp_path: Path, seconds_ago: float, healthy: bool
) -> None:
    heartbeat = Heartbeat(tmp_path / "heartbeat")
    heartbeat.beat({1: NOON - timedelta(seconds=seconds_ago), 3: NOON})
    told = check(tmp_path / "heartbeat")
    assert told is None if healthy else str(told).startswith("Shard 1 has not been connected")
    heartbeat.beat({3: NOON})
    assert check(tmp_path / "heartbeat") is None


def test_reports_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    assert str(check(tmp_path)).startswith(f"The heartbeat at {tmp_path} cannot be read: ")
