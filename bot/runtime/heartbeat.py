"""The heartbeat: a small file with the time at which the bot was last alive.

The running bot writes it (`bot.client`), and `python -m bot health` checks it.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

BEAT_EVERY_S: Final = 15.0
"""The time between two beats, in seconds; well below the age at which `check` complains."""


class Heartbeat:
    """The heartbeat of this process, in the file at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = path.with_name(f"{path.name}.{os.getpid()}.new")

    def beat(self) -> None:
        """Write the present time to the file; the folder is made if it is missing.

        A reader finds either the old or the new time, never half of one. Raises `OSError`.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._draft.write_text(datetime.now(UTC).isoformat() + "\n", encoding="ascii")
        self._draft.replace(self._path)

    def stop(self) -> None:
        """Remove the file: a bot that was shut down is not alive."""
        self._path.unlink(missing_ok=True)


def check(path: Path, max_age_s: float = 60) -> str | None:
    """What is wrong with the bot whose heartbeat is at `path`, in one sentence; `None` if it lives.

    A heartbeat may be `max_age_s` seconds old. It may also lie as far in the future, in case the
    clock of the machine was set back.
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
