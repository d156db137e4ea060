"""What can be done before the first deal: sit down, stand up, swap, fill with computer players.

Pure functions from a table state to the next; `Refused` when it is not possible.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.errors import Refused
from bot.records import NewTable
from bot.table.deadlines import lobby_deadline
from bot.table.state import Chair, Desk, TableOptions, TableState


def empty_chairs(seats: int) -> tuple[Chair, ...]:
    """The chairs of a new table."""
    return tuple(Chair(seat=seat) for seat in range(seats))


def open_lobby(
    guild_id: int,
    channel_id: int,
    parent_channel_id: int | None,
    host_id: int,
    options: TableOptions,
    now: datetime,
    chairs: tuple[Chair, ...] | None = None,
) -> TableState:
    """A lobby that is not stored yet (id 0); raises `IllegalAction` for options out of range."""
    options.rules()
    return TableState(
        id=0,
        guild_id=guild_id,
        channel_id=channel_id,
        parent_channel_id=parent_channel_id,
        host_id=host_id,
        status="lobby",
        options=options,
        chairs=chairs or empty_chairs(options.chairs),
        desk=Desk(deadlines=lobby_deadline(now)),
        created_at=now,
    )


def new_record(state: TableState) -> NewTable:
    """A lobby as the store takes it in."""
    return NewTable(
        guild_id=state.guild_id,
        channel_id=state.channel_id,
        parent_channel_id=state.parent_channel_id,
        host_id=state.host_id,
        options=state.options.model_dump_json(),
        desk=state.desk.model_dump_json(),
        created_at=state.created_at,
        seats=state.seat_records(),
    )


def touched(state: TableState, now: datetime) -> TableState:
    """A lobby whose chairs have just changed: later buttons, a later end; over when empty."""
    if any(True for _ in state.people()):
        update = {"deadlines": lobby_deadline(now), "stamp": state.stamp + 1}
        return replace(state, desk=state.desk.model_copy(update=update))
    desk = state.desk.model_copy(update={"deadlines": {}, "stamp": state.stamp + 1})
    return replace(state, status="expired", desk=desk)


def _require_lobby(state: TableState) -> None:
    if state.status != "lobby":
        raise Refused("already-started" if state.running else "table-over")


def _with(state: TableState, chair: Chair) -> TableState:
    chairs = (*state.chairs[: chair.seat], chair, *state.chairs[chair.seat + 1 :])
    return replace(state, chairs=chairs)


def join(state: TableState, user_id: int, name: str) -> TableState:
    """Sit down on the first free chair."""
    _require_lobby(state)
    if state.seat_of(user_id) is not None:
        raise Refused("already-seated")
    for chair in state.chairs:
        if chair.kind == "empty":
            return _with(state, Chair(seat=chair.seat, kind="person", user_id=user_id, name=name))
    raise Refused("table-full")


def leave(state: TableState, user_id: int) -> TableState:
    """Stand up; when the host goes, the person longest at the lowest seat becomes host."""
    _require_lobby(state)
    seat = state.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    state = _with(state, Chair(seat=seat))
    people = [chair.user_id for chair in state.people() if chair.user_id is not None]
    if user_id == state.host_id and people:
        state = replace(state, host_id=people[0])
    return state


def add_computer(state: TableState, name: str) -> TableState:
    """Put a computer player on the first free chair; `name` is used with a number behind it."""
    _require_lobby(state)
    taken = {chair.name for chair in state.chairs}
    number = next(n for n in range(1, len(state.chairs) + 1) if f"{name} {n}" not in taken)
    for chair in state.chairs:
        if chair.kind == "empty":
            return _with(state, Chair(seat=chair.seat, kind="computer", name=f"{name} {number}"))
    raise Refused("table-full")


def remove_computer(state: TableState) -> TableState:
    """Take the last computer player off its chair."""
    _require_lobby(state)
    for chair in reversed(state.chairs):
        if chair.kind == "computer":
            return _with(state, Chair(seat=chair.seat))
    raise Refused("no-computer")


def swap(state: TableState, user_id: int, one: int, other: int) -> TableState:
    """Exchange two chairs, people and all; only the host, or somebody who sits on one of them."""
    _require_lobby(state)
    if not {one, other} <= set(range(len(state.chairs))) or one == other:
        raise Refused("no-such-seat")
    if user_id != state.host_id and state.seat_of(user_id) not in (one, other):
        raise Refused("host-only")
    first, second = state.chairs[one], state.chairs[other]
    state = _with(state, first.model_copy(update={"seat": other}))
    return _with(state, second.model_copy(update={"seat": one}))


def check_start(state: TableState, user_id: int) -> None:
    """Raise unless this person may start the match now."""
    _require_lobby(state)
    if user_id != state.host_id:
        raise Refused("host-only")
    if not enough_players(state):
        least = state.options.game.people.start
        raise (
            Refused("seats-empty")
            if least == len(state.chairs)
            else Refused("too-few-players", least=least)
        )
    if not any(True for _ in state.people()):
        raise Refused("nobody-plays")


def enough_players(state: TableState) -> bool:
    """Whether as many sit here as the game needs."""
    return sum(chair.kind != "empty" for chair in state.chairs) in state.options.game.people


def seated(state: TableState) -> TableState:
    """The table as the match starts: no empty chair, and as many players as sit there."""
    if len(state.options.game.people) == 1:
        return state
    taken = [chair for chair in state.chairs if chair.kind != "empty"]
    chairs = tuple(chair.model_copy(update={"seat": seat}) for seat, chair in enumerate(taken))
    options = state.options.model_copy(update={"players": len(chairs)})
    return replace(state, chairs=chairs, options=options)


def free_again(state: TableState) -> tuple[TableOptions, tuple[Chair, ...]]:
    """Options and chairs for a rematch: the same people, and room for as many as can play."""
    options = state.options.model_copy(update={"players": None})
    return options, state.chairs + empty_chairs(options.chairs)[len(state.chairs) :]
