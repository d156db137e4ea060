"""`python -m bot report TABLE`: data of a table for a bug report, without private data.

The report has versions, the table's options, the kinds of players (person or computer, by seat),
and the actions of its finished rounds, enough to replay them. It deliberately omits names and ids
of users, servers and channels, times of day, players' words for the deals, secrets of deals, and
all actions of an unfinished round.

For a damaged table it prints everything before the fault, then the kind of the fault and the number
of the action.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bot import __version__
from bot.cli.console import complain, settings_and_logs
from bot.runtime.logs import kind_and_place

if TYPE_CHECKING:
    from bot.history.played_round import PlayedRound
    from bot.ids import TableId
    from bot.records import ActionRecord, TableRecord
    from bot.storage.tables import StoredTable

NAME = "report"
HELP = "print what a bug report needs about a table, without anything private"

ROOT = Path(__file__).parents[2]
"""Root folder of the checkout that this program runs from."""
CODE = ("engine", "players", "bot", "cogs")
"""Folders of the code that the bot runs."""
PACKAGES = ("discord.py", "SQLAlchemy", "aiosqlite", "pydantic", "numba", "numpy")
"""Packages whose versions are reported."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the number of the table."""
    parser.add_argument(
        "table", type=int, metavar="TABLE", help="number of the table: /tichu verify shows it"
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Print the report. For a damaged table it ends where the replay fails.

    The database is not changed. Return the exit status: 1 if the table is damaged, 2 if there is no
    report. Raise `SettingsError`.
    """
    from bot.storage import StorageError
    from bot.table.action_log import ReplayError

    settings = settings_and_logs(with_token=False)
    if not 0 < arguments.table < 2**63:  # a database has no larger numbers
        return complain(f"There is no table {arguments.table}.")
    try:
        stored = _read_stored_table(settings.database_url, settings.database_file, arguments.table)
    except StorageError as error:
        return complain(str(error))
    if stored is None:
        return complain(f"There is no table {arguments.table}.")
    try:
        for line in chain(versions(), [""], table_lines(*stored)):
            print(line)
    except ReplayError as error:
        fault = f"{error} ({error.kind})" if error.kind else str(error)
    except OSError:  # raised by print
        raise
    except Exception as error:  # noqa: BLE001 - its text may hold cards
        fault = kind_and_place(error)
    else:
        return 0
    print(f"\nfault: {fault}")
    return complain(
        f"Table {arguments.table} is damaged: {fault}. The report tells what comes before.",
        status=1,
    )


def _read_stored_table(url: str, file: Path | None, table_id: TableId) -> StoredTable | None:
    """Return the stored data of a table, or `None` if it does not exist. Raise `StorageError`.

    A database file is copied first and the copy is read, because even opening a file can change it
    by a checkpoint of its WAL.
    """
    from bot.storage.sqlite.backup import temporary_copy
    from bot.storage.tables import read_table

    if file is None:
        return asyncio.run(read_table(url, table_id))
    folder = file.parent if os.access(file.parent, os.W_OK) else Path(tempfile.gettempdir())
    with temporary_copy(file, folder, f"the copy in {folder} that is read") as copy:
        return asyncio.run(read_table(f"sqlite:///{copy}", table_id))


def versions() -> Iterator[str]:
    """Yield the versions of the program, of Python and of the main packages."""
    import sqlite3

    yield f"tichu-bot {__version__}, code: {fingerprint()}"
    yield f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"SQLite {sqlite3.sqlite_version}"


def fingerprint(root: Path = ROOT) -> str:
    """Return a short digest of the bot's code, the same on every system."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in CODE for path in (root / folder).rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:12]


def table_lines(table: TableRecord, actions: Sequence[ActionRecord]) -> Iterator[str]:
    """Yield the options and seats of a table, and the actions of its finished rounds.

    The line of an action has its seat (`clock` for timers) and its text notation. The first action
    of a round is the deal, as the order of the deck. If the table is damaged, raise `ReplayError`
    after the lines before the fault.
    """
    from bot.history.played_round import played_rounds
    from bot.table.restore import restore_outline, restore_table

    yield f"status: {table.status}, {len(actions)} actions"
    yield "seats: " + ", ".join(f"{seat.seat} {seat.kind}" for seat in table.seats)
    options = restore_outline(table).options
    yield f"options: {options.model_dump_json(exclude_defaults=True)}"
    number = 0
    for played in played_rounds(options.rules, actions):
        number = played.number
        if number == 1:
            yield f"first dealer: {played.before.first_dealer}"
        yield ""
        yield f"round {number}"
        yield from _round_lines(played)
    if number == 0:
        yield "first dealer: not told yet"
    if table.status in ("lobby", "playing"):
        restore_table(table, actions)  # only to check that it can be restored


def _round_lines(played: PlayedRound) -> Iterator[str]:
    """Yield the actions of a finished round. The order of the deck replaces the deal's secret."""
    from bot.table.action_log import is_deal, read_deal_record, write_deal
    from engine.fair_deal import FairDeal

    for action in played.actions:
        text = action.text
        if is_deal(action):
            deck = read_deal_record(action)
            if isinstance(deck, FairDeal):
                before = played.before
                deck = deck.deck(played.number, before.variant.deck(before.options))
            text = write_deal(deck)
        yield f"{'clock' if action.seat < 0 else action.seat} {text}"
