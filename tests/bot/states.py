"""Table states without a store: lobbies, and games with any match."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, overload

from bot.ids import ChannelId, GuildId, UserId
from bot.table.details import (
    Credits,
    Deadline,
    DealSecrets,
    Details,
    KeptChoices,
    MessageIds,
    SeatNotes,
    Timers,
)
from bot.table.options import TableOptions
from bot.table.state import Chair, Game, Lobby
from engine import Match, Options

NOON = datetime(2031, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)
GUILD = GuildId(1_100_000_000_000_000_001)
CHANNEL = ChannelId(1_100_000_000_000_000_002)
HOST = UserId(101)
PEOPLE = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"),
    *("Gina", "Hugo", "Iris", "Jack", "Kim", "Leo"),
)
"""Names for all seats of the largest table."""
NAMES = PEOPLE[:4]


def chairs(
    names: Sequence[str] = NAMES,
    *,
    computers: Collection[int] = (),
    empty: Collection[int] = (),
) -> tuple[Chair, ...]:
    """Return chairs: people with the ids 101, 102, ... (host first), computers and free chairs."""
    found = []
    for seat, name in enumerate(names):
        if seat in empty:
            found.append(Chair(seat=seat))
        elif seat in computers:
            found.append(Chair(seat=seat, kind="computer", name=name))
        else:
            found.append(Chair(seat=seat, kind="person", user_id=UserId(HOST + seat), name=name))
    return tuple(found)


def timed(game: Game, times: Mapping[Deadline, datetime]) -> Game:
    """Return this table with these deadlines."""
    return game.with_timers(deadlines=dict(times))


_PARTS = (MessageIds, Timers, SeatNotes, KeptChoices, Credits, DealSecrets)
"""Parts of the details; a field name in several of them is meant in the last."""
_PART_NAMES = ("messages", "timers", "notes", "kept", "credits", "deal")


def details_of(**given: Any) -> Details:
    """Return details from fields of any of their parts, such as ``away``, side by side."""
    parts = {
        each.name: name
        for name, part in zip(_PART_NAMES, _PARTS, strict=True)
        for each in fields(part)
    }
    nested: dict[str, Any] = {}
    for name, value in given.items():
        if name in Details.model_fields:
            nested[name] = value
        else:
            nested.setdefault(parts[name], {})[name] = value
    return Details.model_validate(nested)


@overload
def state(match: None = None, **given: Any) -> Lobby: ...


@overload
def state(match: Match, **given: Any) -> Game: ...


def state(match: Match | None = None, **given: Any) -> Lobby | Game:
    """Return a lobby, or a game with this match.

    `details` may be a mapping of fields that differ (``premoves``, ``away``, ``paused``, ...). By
    default the seats of the match, or all seats of the game, are taken by people.
    """
    options = given.pop("options", TableOptions(rules=match.options if match else Options()))
    details = details_of(**{"revision": given.pop("revision", 0), **given.pop("details", {})})
    number = options.lobby_chairs if match is None else options.game.chair_count(options.rules)
    values: dict[str, Any] = {
        "id": 7,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "parent_channel_id": None,
        "host_id": HOST,
        "status": "lobby" if match is None else "playing",
        "options": options,
        "chairs": chairs(PEOPLE[:number]),
        "created_at": NOON,
        "revision": details.revision,
        "timers": details.timers,
        "messages": details.messages,
        "deal": details.deal,
        "invitations": details.invitations,
    }
    if match is None:
        return Lobby(**values | given)
    more = {"last_round": details.last_round, "kept": details.kept, "notes": details.notes}
    return Game(**values | {"seq": 0, "match": match, "credits": details.credits} | more | given)
