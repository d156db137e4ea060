"""Databases of each released version, for tests that open a copy with the current program.

`tests/bot/data/write_tables.py` writes them.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

from bot.ids import TableId, UserId
from bot.score_records import EVER, Board, Preferences
from bot.table.details import Details
from bot.table.state import Game
from engine import cards_text
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld

_DATA = Path(__file__).parent / "data"
VERSIONS = sorted(
    path.name.removeprefix("tables-").removesuffix(".sql.xz") for path in _DATA.glob("*.sql.xz")
)
"""Versions with a stored database."""
DEVELOPMENT: Final = "0.1"
"""The last state of the program before version 1.0."""
GAMES = ("nanjing", "trichu", "tientsin", "grandseigneur")
NEWCOMER = UserId(777)
"""Member without a seat, to whom seats are offered."""
_SCHEDULE = {"timers", "messages"}
"""Details that may change when a table is restored."""


@cache
def known(version: str) -> dict[str, Any]:
    """Return the expected state: `now`, `settings`, `scores`, and `tables` by name.

    It is the same in the last development state and in version 1.0. Details that are newer than the
    version have their defaults.
    """
    name = f"tables-{'1.0' if version == DEVELOPMENT else version}.json"
    found: dict[str, Any] = json.loads((_DATA / name).read_text("utf-8"))
    for table in found["tables"].values():
        if "details" in table:
            details = Details.model_validate(table["details"]).model_dump(mode="json")
            table["details"] = {each: details[each] for each in table["details"]}
    return found


@cache
def _content(version: str) -> bytes:
    """Return the content of the database file."""
    dump = lzma.decompress((_DATA / f"tables-{version}.sql.xz").read_bytes()).decode()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(dump)
        return connection.serialize()


def place(version: str, file: Path) -> None:
    """Put a copy of the database of this version at this path."""
    file.write_bytes(_content(version))


async def table_state(world: TableWorld, table_id: TableId) -> dict[str, Any]:
    """Return the rounds and match result of a table, and its details and hands while it runs."""
    rounds = await world.store.history.rounds(table_id)
    match = await world.store.history.match(table_id)
    found: dict[str, Any] = {
        "id": table_id,
        "status": "over" if match is None else match.reason,
        "rounds": [[[score.score, score.total] for score in round_.scores] for round_ in rounds],
        "places": [[seat.place for seat in round_.seats] for round_ in rounds],
    }
    if match is not None:
        found["totals"] = [[score.total, score.won] for score in match.scores]
    at = world.tables.find(table_id)
    if at is None:
        return found
    found |= {"status": at.status, "details": at.details().model_dump(mode="json")}
    for name in _SCHEDULE:
        del found["details"][name]
    if isinstance(at, Game):
        found |= {"phase": at.phase.name, "seq": at.seq}
        found |= {"round": at.round.number, "turn": at.round.turn}
        found["hands"] = [cards_text(hand.cards) for hand in at.round.hands]
    return found


async def settings(world: TableWorld) -> dict[str, Any]:
    """Return the settings of people and the server."""
    store, users = world.store, [*map(UserId, range(HOST, HOST + 12))]
    chosen = {user: await store.preferences.get(user) for user in users}
    own = await store.personal_settings.get(HOST)
    return {
        "worldwide": [user for user in users if chosen[user] == Preferences(worldwide=True)],
        "hidden": [user for user in users if chosen[user] == Preferences(hidden=True)],
        "rankings": await store.monthly_rankings.channel(GUILD),
        "personal": own.model_dump(mode="json", exclude_defaults=True),
    }


async def scores(world: TableWorld) -> dict[str, Any]:
    """Return the leaderboard of the server and the ratings of its people."""
    rankings = world.store.rankings
    board = await rankings.leaders(Board(GUILD, "nanjing", EVER, "rating"), 0, 10)
    found: dict[str, Any] = {
        "board": [[at.user_id, at.name, at.value, *at.tally] for at in board.lines]
    }
    for game in GAMES:
        ratings = await rankings.ratings(GUILD, game, [*map(UserId, range(HOST, HOST + 12))])
        found[game] = {str(user): list(rating) for user, rating in sorted(ratings.items())}
    return found
