"""What can be done before the first deal: sit down, stand up, swap, fill with computer players.

Pure functions from a lobby to the next; `Refused` when it is not possible.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.errors import Reason, Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.records import NewTable
from bot.table.deadlines import lobby_deadline
from bot.table.desk import Timers
from bot.table.options import TableOptions
from bot.table.outcome import write_desk
from bot.table.permission import own_seat
from bot.table.state import Chair, Lobby, TableState
from engine import Seat


def empty_chairs(seats: int) -> tuple[Chair, ...]:
    """The chairs of a new table."""
    return tuple(Chair(seat=seat) for seat in range(seats))


def new_chairs(
    options: TableOptions,
    host_id: UserId,
    host_name: str,
    computers: int = 0,
    computer_name: str = "",
) -> tuple[Chair, ...]:
    """The chairs of a new table: its host, and so many computer players as far as there is room."""
    host = Chair(seat=0, kind="person", user_id=host_id, name=host_name)
    empty = empty_chairs(options.lobby_chairs)[1:]
    filled = (
        chair.model_copy(update={"kind": "computer", "name": f"{computer_name} {chair.seat}"})
        for chair in empty[:computers]
    )
    return (host, *filled, *empty[computers:])


def new_lobby(
    guild_id: GuildId,
    channel_id: ChannelId,
    parent_channel_id: ChannelId | None,
    host_id: UserId,
    options: TableOptions,
    now: datetime,
    chairs: tuple[Chair, ...],
) -> Lobby:
    """A lobby that is not stored yet (id 0)."""
    return Lobby(
        id=0,
        guild_id=guild_id,
        channel_id=channel_id,
        parent_channel_id=parent_channel_id,
        host_id=host_id,
        status="lobby",
        options=options,
        chairs=chairs,
        timers=Timers(deadlines=lobby_deadline(now)),
        created_at=now,
    )


def new_record(lobby: Lobby) -> NewTable:
    """A lobby as the store takes it in."""
    return NewTable(
        guild_id=lobby.guild_id,
        channel_id=lobby.channel_id,
        parent_channel_id=lobby.parent_channel_id,
        host_id=lobby.host_id,
        options=lobby.options.model_dump_json(),
        desk=write_desk(lobby),
        created_at=lobby.created_at,
        seats=lobby.seat_records(),
    )


def touched(lobby: Lobby, now: datetime) -> Lobby:
    """A lobby whose chairs have just changed.

    Its buttons of before are stale and its time starts anew; without people it is closed.
    """
    after = replace(lobby, revision=lobby.revision + 1)
    if any(True for _ in lobby.people()):
        return replace(after, timers=Timers(deadlines=lobby_deadline(now)))
    return replace(after, status="expired", timers=Timers())


def join(lobby: Lobby, user_id: UserId, name: str) -> Lobby:
    """Sit down on the first free chair."""
    if lobby.seat_of(user_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    for chair in lobby.chairs:
        if chair.kind == "empty":
            person = Chair(seat=chair.seat, kind="person", user_id=user_id, name=name)
            return lobby.with_chair(person)
    raise Refused(Reason.TABLE_FULL)


def leave(lobby: Lobby, user_id: UserId) -> Lobby:
    """Stand up; when the host goes, the person at the lowest seat becomes host."""
    seat = own_seat(lobby, user_id)
    lobby = lobby.with_chair(Chair(seat=seat))
    people = lobby.user_ids()
    if user_id == lobby.host_id and people:
        lobby = replace(lobby, host_id=people[0])
    return lobby


def add_computer(lobby: Lobby, name: str) -> Lobby:
    """Put a computer player on the first free chair; `name` is used with a number behind it."""
    taken = {chair.name for chair in lobby.chairs}
    number = next(n for n in range(1, len(lobby.chairs) + 1) if f"{name} {n}" not in taken)
    for chair in lobby.chairs:
        if chair.kind == "empty":
            computer = Chair(seat=chair.seat, kind="computer", name=f"{name} {number}")
            return lobby.with_chair(computer)
    raise Refused(Reason.TABLE_FULL)


def remove_computer(lobby: Lobby) -> Lobby:
    """Take the last computer player off its chair."""
    for chair in reversed(lobby.chairs):
        if chair.kind == "computer":
            return lobby.with_chair(Chair(seat=chair.seat))
    raise Refused(Reason.NO_COMPUTER)


def swap(lobby: Lobby, user_id: UserId, first: Seat, second: Seat) -> Lobby:
    """Exchange two chairs, people and all; only the host, or somebody who sits on one of them."""
    if not {first, second} <= set(range(len(lobby.chairs))) or first == second:
        raise Refused(Reason.NO_SUCH_SEAT)
    if user_id != lobby.host_id and lobby.seat_of(user_id) not in (first, second):
        raise Refused(Reason.HOST_ONLY)
    moved, other = lobby.chairs[first], lobby.chairs[second]
    lobby = lobby.with_chair(moved.model_copy(update={"seat": second}))
    return lobby.with_chair(other.model_copy(update={"seat": first}))


def check_start(lobby: Lobby, user_id: UserId) -> None:
    """Raise unless this person may start the match now."""
    if user_id != lobby.host_id:
        raise Refused(Reason.HOST_ONLY)
    if not enough_players(lobby):
        least = lobby.options.game.people.start
        raise (
            Refused(Reason.SEATS_EMPTY)
            if least == len(lobby.chairs)
            else Refused(Reason.TOO_FEW_PLAYERS, least=least)
        )
    if not any(True for _ in lobby.people()):
        raise Refused(Reason.NOBODY_PLAYS)


def enough_players(lobby: Lobby) -> bool:
    """Whether as many sit here as the game needs."""
    return sum(chair.kind != "empty" for chair in lobby.chairs) in lobby.options.game.people


def without_empty_chairs(lobby: Lobby) -> Lobby:
    """The lobby as the match starts: no empty chair, and as many players as sit there."""
    taken = [chair for chair in lobby.chairs if chair.kind != "empty"]
    chairs = tuple(chair.model_copy(update={"seat": seat}) for seat, chair in enumerate(taken))
    return replace(lobby, chairs=chairs, options=lobby.options.with_players(len(chairs)))


def free_again(table: TableState) -> tuple[TableOptions, tuple[Chair, ...]]:
    """Options and chairs for a rematch: the same people, and room for as many as can play."""
    options = table.options.with_players(None)
    return options, table.chairs + empty_chairs(options.lobby_chairs)[len(table.chairs) :]
