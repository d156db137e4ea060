"""Shared parts of the commands of `python -m bot`: settings, logs and error output."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot import __version__
from bot.runtime.logs import set_up_logging
from bot.runtime.private_files import make_database_private, warn_of_readable_token
from bot.runtime.settings import ENV_FILE, Settings, SettingsError, load_settings

log = logging.getLogger(__name__)

CONFIGURATION: Final = 78
"""Exit status for errors that only the operator can fix (EX_CONFIG of sysexits.h)."""


def complain(problem: str, *, status: int = 2) -> int:
    """Print a problem to stderr, as one line. Return `status`, which is the exit status."""
    print(" ".join(problem.split()), file=sys.stderr)
    return status


def database_file(settings: Settings, tools: str) -> Path:
    """Return the path of the database file. Raise `SettingsError` for PostgreSQL.

    `tools` are the PostgreSQL programs that replace the command.
    """
    if settings.database_file is None:
        raise SettingsError(
            f"DATABASE_URL names PostgreSQL, whose own tools do that: {tools} (docs/operating.md)."
        )
    return settings.database_file


def settings_and_logs(*, with_token: bool = True) -> Settings:
    """Load the settings and set up logging. Raise `SettingsError`.

    Without `with_token` the settings need no token, for commands that do not log in to Discord.
    Also restrict the permissions of the database file to the user of the bot.
    """
    settings = load_settings(with_token=with_token)
    set_up_logging(
        settings.log_level,
        settings.log_format,
        secret=settings.discord_token.get_secret_value(),
    )
    if with_token:
        log.info("tichu-bot %s", __version__)
    if settings.database_file is not None:
        make_database_private(settings.database_file)
    if with_token:
        warn_of_new_database(settings)
        warn_of_readable_token(ENV_FILE)
    return settings


def warn_of_new_database(settings: Settings) -> None:
    """Log a warning if there is no database file, because the command will create it.

    Otherwise nobody notices a wrong path or a lost volume.
    """
    file = settings.database_file
    if file is None:
        return
    with suppress(FileNotFoundError):
        if file.stat().st_size:
            return
    log.warning("no database at %s; creating an empty one", file)
