"""The sign of life: a small file with the time of the last beat.

The running bot beats (`bot.client`), `python -m bot health` checks.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

BEAT_EVERY_S: Final = 15.0
"""How often a living bot beats; well below the age at which `check` complains."""


class Heartbeat:
    """Writes the file at `path`; its folder is made if it is missing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = path.with_name(f"{path.name}.{os.getpid()}.new")

    def beat(self) -> None:
        """Writes the current time, whole or not at all. Raises OSError if that is impossible."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._draft.write_text(datetime.now(UTC).isoformat() + "\n", encoding="ascii")
        self._draft.replace(self._path)

    def stop(self) -> None:
        """Removes the file, so that a bot which was shut down is not taken for a living one."""
        self._path.unlink(missing_ok=True)


def check(path: Path, max_age_s: float = 60) -> str | None:
    """None if the bot whose heartbeat is at `path` lives, otherwise what is wrong, one sentence.

    A beat counts for `max_age_s` seconds. So does one from the future, in case a clock was set.
    """
    try:
        last = datetime.fromisoformat(path.read_text(encoding="ascii").strip())
        age = (datetime.now(UTC) - last).total_seconds()
    except FileNotFoundError:
        return f"The bot is not running: there is no heartbeat at {path}."
    except OSError as error:
        return f"The heartbeat at {path} cannot be read: {error.strerror}."
    except (ValueError, TypeError):
        return f"The heartbeat at {path} holds no time."
    if abs(age) > max_age_s:
        return f"The bot hangs or is not running: its last heartbeat was {age:.0f} seconds ago."
    return None
