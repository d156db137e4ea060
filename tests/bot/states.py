"""Table states made without a store: lobbies, and tables with any match on them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.table.state import Chair, Desk, TableOptions, TableState
from engine.state import Match

NOON = datetime(2031, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)
GUILD, CHANNEL, HOST = 1_100_000_000_000_000_001, 1_100_000_000_000_000_002, 101
PEOPLE = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"),
    *("Gina", "Hugo", "Iris", "Jack", "Kim", "Leo"),
)
"""As many as can sit at one table."""
NAMES = PEOPLE[:4]


def chairs(
    names: Sequence[str] = NAMES,
    *,
    computers: Collection[int] = (),
    empty: Collection[int] = (),
) -> tuple[Chair, ...]:
    """People with the user ids 101, 102, ... (the first is the host), computers, free chairs."""
    found = []
    for seat, name in enumerate(names):
        if seat in empty:
            found.append(Chair(seat=seat))
        elif seat in computers:
            found.append(Chair(seat=seat, kind="computer", name=name))
        else:
            found.append(Chair(seat=seat, kind="person", user_id=HOST + seat, name=name))
    return tuple(found)


def state(match: Match | None = None, **given: Any) -> TableState:
    """A table in its lobby, or playing this match; `desk` may be a mapping of what differs.

    By default as many people sit there as the match has, or as many as can play the game.
    """
    options = given.get("options", TableOptions())
    if match is not None and "options" not in given:
        rules = match.options
        options = TableOptions(
            variant=rules.variant,
            direction=rules.direction,
            dealing=rules.dealing,
            target=rules.target,
            rounds=rules.rounds,
            players=rules.players,
            decks=rules.decks,
            wish_policy=rules.wish_policy,
            bomb_window_ms=rules.bomb_window_ms,
        )
    values: dict[str, Any] = {
        "id": 7,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "parent_channel_id": None,
        "host_id": HOST,
        "status": "lobby" if match is None else "playing",
        "options": options,
        "chairs": chairs(PEOPLE[: options.chairs]),
        "desk": Desk(),
        "created_at": NOON,
        "match": match,
    }
    values |= given
    if isinstance(values["desk"], dict):
        values["desk"] = Desk(**values["desk"])
    return TableState(**values)
