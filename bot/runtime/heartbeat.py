"""The heartbeat: a small file with the time at which the bot was last alive.

The running bot writes it (`bot.client`), and `python -m bot health` checks it. Below the time it
tells of each connection to Discord (a shard) that is interrupted, and since when: a bot may have
several, and none of them must hide that another one is dead.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

BEAT_EVERY_S: Final = 15.0
"""The time between two beats, in seconds; well below the age at which `check` complains."""


_NONE: Final[Mapping[int, datetime]] = {}


class Heartbeat:
    """The heartbeat of this process, in the file at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = path.with_name(f"{path.name}.{os.getpid()}.new")
        self._beats = False

    def beat(self, interrupted: Mapping[int, datetime] = _NONE) -> None:
        """Write the present time to the file; the folder is made if it is missing.

        `interrupted` tells by shard since when it has no connection. A reader finds either the old
        file or the new one, never half of one. Raises `OSError`.
        """
        lines = [datetime.now(UTC).isoformat()]
        lines += [f"{shard} {since.isoformat()}" for shard, since in sorted(interrupted.items())]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._draft.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        self._draft.replace(self._path)
        self._beats = True

    def stop(self) -> None:
        """Remove the file: a bot that was shut down is not alive. The file of another one stays."""
        if self._beats:
            self._path.unlink(missing_ok=True)


def check(path: Path, max_age_s: float = 60) -> str | None:
    """What is wrong with the bot whose heartbeat is at `path`, in one sentence; `None` if it lives.

    A heartbeat may be `max_age_s` seconds old, and a connection may be interrupted for as long. A
    heartbeat may also lie as far in the future, in case the clock of the machine was set back.
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
    """A shard, and for how many seconds it has no connection. Raises `ValueError`, `TypeError`."""
    shard, _, since = line.partition(" ")
    return shard, (now - datetime.fromisoformat(since)).total_seconds()
