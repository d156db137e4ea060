"""What the commands of `python -m bot` share: settings, logs and one-line complaints."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from bot.runtime.logs import set_up_logging
from bot.runtime.private_files import make_database_private, warn_of_readable_token
from bot.runtime.settings import ENV_FILE, Settings, SettingsError, load_settings

CONFIGURATION: Final = 78
"""The exit status if only a person can mend what is wrong; sysexits.h calls it EX_CONFIG."""


def complain(problem: str, *, status: int = 2) -> int:
    """Print the problem on one line of stderr. Returns `status`, the exit status."""
    print(" ".join(problem.split()), file=sys.stderr)
    return status


def database_file(settings: Settings, tools: str) -> Path:
    """The file of the database. Raises `SettingsError` if it is on a server.

    `tools` are those of the server that do there what the command does with a file.
    """
    if settings.database_file is None:
        raise SettingsError(
            f"DATABASE_URL names PostgreSQL, whose own tools do that: {tools} (docs/operating.md)."
        )
    return settings.database_file


def settings_and_logs(*, with_token: bool = True) -> Settings:
    """The settings of this process, once its logs follow them. Raises `SettingsError`.

    Commands that do not log in at Discord say that they need no token. From now on only the user
    of the bot may open the database.
    """
    settings = load_settings(with_token=with_token)
    set_up_logging(
        settings.log_level,
        settings.log_format,
        secret=settings.discord_token.get_secret_value(),
    )
    if settings.database_file is not None:
        make_database_private(settings.database_file)
    if with_token:
        warn_of_readable_token(ENV_FILE)
    return settings
