"""Table states made without a store: lobbies, and tables with any match on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, overload

from bot.ids import ChannelId, GuildId, UserId
from bot.table.details import Deadline, Details
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
            found.append(Chair(seat=seat, kind="person", user_id=UserId(HOST + seat), name=name))
    return tuple(found)


def timed(game: Game, times: Mapping[Deadline, datetime]) -> Game:
    """This table with these deadlines."""
    return game.with_timers(deadlines=dict(times))


@overload
def state(match: None = None, **given: Any) -> Lobby: ...


@overload
def state(match: Match, **given: Any) -> Game: ...


def state(match: Match | None = None, **given: Any) -> Lobby | Game:
    """A table in its lobby, or playing this match.

    `details` may be a mapping of what differs of all that it remembers, by the names of the fields
    (``premoves``, ``away``, ``paused``, ...). By default as many people sit there as the match has,
    or as many as can play the game.
    """
    options = given.pop("options", TableOptions(rules=match.options if match else Options()))
    details = Details.model_validate(
        {"revision": given.pop("revision", 0), **given.pop("details", {})}
    )
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
    }
    if match is None:
        return Lobby(**values | {"invitations": details.invitations} | given)
    more = {"last_round": details.last_round, "kept": details.kept, "notes": details.notes}
    return Game(**values | {"seq": 0, "match": match, "credits": details.credits} | more | given)
