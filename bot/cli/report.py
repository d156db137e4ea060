"""`python -m bot report TABLE`: what a bug report needs to know about a table, and nothing private.

Versions, the table's options, who plays (person or computer, by seat), and the actions of its
finished rounds, enough to play them again. Left out on purpose: names and ids of users, servers
and channels, times of day, words that people gave for the deals, secrets of deals, and every
action of a round that is not over.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.console import complain, settings_and_logs

if TYPE_CHECKING:
    from bot.history.played_round import PlayedRound
    from bot.records import ActionRecord, TableRecord

NAME = "report"
HELP = "print what a bug report needs about a table, without anything private"

ROOT = Path(__file__).parents[2]
"""The checkout that this program runs from."""
CODE = ("engine", "players", "bot", "cogs")
"""The folders whose code the bot runs."""
PACKAGES = ("discord.py", "SQLAlchemy", "aiosqlite", "pydantic", "numba", "numpy")
"""The packages whose versions are reported."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the number of the table."""
    parser.add_argument(
        "table", type=int, metavar="TABLE", help="number of the table: /tichu verify shows it"
    )


def carry_out(arguments: argparse.Namespace) -> int:
    """Print the report. Returns the exit status: 2 if there is none. Raises `SettingsError`."""
    from bot.rating.ledger import LEDGER
    from bot.storage import StorageError, Store
    from bot.table.action_log import ReplayError

    settings = settings_and_logs(with_token=False)
    file = settings.database_file
    if file is not None and not file.exists():
        return complain(f"There is no database {file}.")

    async def stored() -> tuple[TableRecord | None, list[ActionRecord]]:
        store = await Store.open(settings.database_url, LEDGER)
        try:
            table = await store.tables.get(arguments.table)
            return table, await store.tables.actions(arguments.table)
        finally:
            await store.close()

    try:
        table, actions = asyncio.run(stored())
    except StorageError as error:
        return complain(str(error))
    if table is None:
        return complain(f"There is no table {arguments.table}.")
    try:
        print("\n".join((*versions(), "", *table_lines(table, actions))))
    except ReplayError as error:
        return complain(f"The stored actions of this table cannot be played again: {error}.")
    return 0


def versions() -> Iterator[str]:
    """The versions of the program, of Python and of the packages that matter."""
    import sqlite3

    yield f"code: {fingerprint()}"
    yield f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"SQLite {sqlite3.sqlite_version}"


def fingerprint(root: Path = ROOT) -> str:
    """A short digest of all code the bot runs, the same for the same code on every system."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in CODE for path in (root / folder).rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:12]


def table_lines(table: TableRecord, actions: Sequence[ActionRecord]) -> Iterator[str]:
    """The options and seats of a table, and the actions of its finished rounds.

    An action is a line of seat (`clock` where time acted) and text notation; the first one of a
    round is its deal, as the order of the deck. Raises `ReplayError`.
    """
    from bot.history.played_round import played_rounds
    from bot.table.restore import outline

    state = outline(table)
    yield f"status: {table.status}, {len(actions)} actions"
    yield f"options: {state.options.model_dump_json(exclude_defaults=True)}"
    yield "seats: " + ", ".join(f"{chair.seat} {chair.kind}" for chair in state.chairs)
    rounds = list(played_rounds(state.options.rules, actions))
    yield f"first dealer: {rounds[0].before.first_dealer if rounds else 'not told yet'}"
    for played in rounds:
        yield ""
        yield f"round {played.number}"
        yield from _round_lines(played)


def _round_lines(played: PlayedRound) -> Iterator[str]:
    """The actions of a finished round; the secret of its deal is replaced by the deck."""
    from bot.table.action_log import deal_in, is_deal, write_deal
    from engine.fair_deal import FairDeal

    for action in played.actions:
        text = action.text
        if is_deal(action):
            deck = deal_in(action)
            if isinstance(deck, FairDeal):
                before = played.before
                deck = deck.deck(played.number, before.variant.deck(before.options))
            text = write_deal(deck)
        yield f"{'clock' if action.seat < 0 else action.seat} {text}"
