"""Heartbeat file with the time at which the bot was last alive.

The running bot writes it (`bot.client`), and `python -m bot health` checks it. The first line is
the time. Each further line has an interrupted shard and the time of its interruption, so that one
connected shard does not hide a dead one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

DEFAULT_FILE: Final = Path("data/heartbeat")
"""File of the heartbeat, unless HEARTBEAT_FILE names another one."""
BEAT_EVERY_S: Final = 15.0
"""Interval of the heartbeats, in seconds; well below the age that `check` accepts."""


_NONE: Final[Mapping[int, datetime]] = {}


class Heartbeat:
    """Heartbeat of this process, in the file at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = path.with_name(f"{path.name}.{os.getpid()}.new")
        self._beats = False

    def beat(self, interrupted: Mapping[int, datetime] = _NONE) -> None:
        """Write the current time to the file, and create its folder if needed.

        `interrupted` maps shards to the time of their disconnection. The file is replaced
        atomically. Raise `OSError`.
        """
        lines = [datetime.now(UTC).isoformat()]
        lines += [f"{shard} {since.isoformat()}" for shard, since in sorted(interrupted.items())]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._draft.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        self._draft.replace(self._path)
        self._beats = True

    def stop(self) -> None:
        """Remove the file after a clean shutdown, unless another process has written it."""
        if self._beats:
            self._path.unlink(missing_ok=True)


def check(path: Path, max_age_s: float = 60) -> str | None:
    """Return what is wrong with the bot of this heartbeat, in a sentence; `None` if it is alive.

    Heartbeats and interruptions may be up to `max_age_s` seconds old. A heartbeat may also be up to
    `max_age_s` seconds in the future, in case the system clock was set back.
    """
    now = datetime.now(UTC)
    try:
        first, *others = path.read_text(encoding="ascii").splitlines() or [""]
        age = (now - datetime.fromisoformat(first)).total_seconds()
        interrupted = dict(_interrupted(line, now) for line in others)
    except FileNotFoundError:
        return f"The bot is not running: there is no heartbeat at {path}."
    except OSError as error:
        return f"The heartbeat at {path} cannot be read: {error.strerror}."
    except (ValueError, TypeError):
        return f"The heartbeat at {path} holds no time."
    if abs(age) > max_age_s:
        return (
            f"The last heartbeat was {age:.0f} seconds ago: the bot hangs, is not running, or "
            f"cannot write {path} (a full disk?); its log says more."
        )
    for shard, seconds in interrupted.items():
        if seconds > max_age_s:
            return f"Shard {shard} has not been connected to Discord for {seconds:.0f} seconds."
    return None


def _interrupted(line: str, now: datetime) -> tuple[str, float]:
    """Return a shard and its seconds without a connection. Raise `ValueError`, `TypeError`."""
    shard, _, since = line.partition(" ")
    return shard, (now - datetime.fromisoformat(since)).total_seconds()
