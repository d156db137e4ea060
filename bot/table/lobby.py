"""Actions before the first deal: seats, computer players, options and the start.

Pure functions from one lobby to the next; they raise `Refused` if the action is not possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.errors import Reason, Refused
from bot.ids import ChannelId, GuildId, Revision, TableId, UserId
from bot.records import Count, NewTable
from bot.table.computer_names import computer_name
from bot.table.deadlines import lobby_deadline, lobby_deadlines
from bot.table.dealing import shared_deals
from bot.table.details import Timers
from bot.table.options import TableOptions
from bot.table.outcome import write_details
from bot.table.permission import own_seat, require_entrant, seats_for
from bot.table.state import Chair, Lobby, TableState
from engine import Seat


def empty_chairs(seats: int) -> tuple[Chair, ...]:
    """Return `seats` empty chairs for a new table."""
    return tuple(Chair(seat=seat) for seat in range(seats))


def new_chairs(options: TableOptions, host_id: UserId, host_name: str) -> tuple[Chair, ...]:
    """Return the chairs of a new table with only its host."""
    host = Chair(seat=0, kind="person", user_id=host_id, name=host_name)
    return (host, *empty_chairs(options.lobby_chairs)[1:])


@dataclass(frozen=True, slots=True)
class LobbyPlan:
    """Plan of a new lobby: place, options and chairs."""

    guild_id: GuildId
    """Server of the table."""
    channel_id: ChannelId
    """Channel or thread of the table."""
    host_id: UserId
    """Host of the lobby."""
    options: TableOptions
    """Options of the table."""
    chairs: tuple[Chair, ...]
    """Chairs, with the people who sit there already."""
    computers: Count = 0
    """Number of computer players to add, as far as there is room."""
    substitutes: tuple[UserId, ...] = ()
    """More people who may sit at a table that is only for the people of an event."""
    parent_channel_id: ChannelId | None = None
    """Channel of the thread, if `channel_id` is one."""
    boards: tuple[str, ...] = field(default=(), repr=False)
    """Secrets of its deals in order, if other tables play the same deals."""


def new_lobby(plan: LobbyPlan, now: datetime) -> Lobby:
    """Return a new lobby that is not stored yet (id 0)."""
    lobby = Lobby(
        id=TableId(0),
        guild_id=plan.guild_id,
        channel_id=plan.channel_id,
        parent_channel_id=plan.parent_channel_id,
        host_id=plan.host_id,
        status="lobby",
        options=plan.options,
        chairs=plan.chairs,
        timers=Timers(deadlines=lobby_deadline(plan.options, now)),
        deal=shared_deals(plan.boards),
        created_at=now,
    )
    if plan.options.event is not None and plan.options.event.entrants_only:
        lobby = lobby.with_invitations(
            entrants=(*lobby.user_ids(), *plan.substitutes),
            sides=sides_of(plan.options, plan.chairs),
        )
    return with_computers(lobby, plan.computers)


def sides_of(options: TableOptions, chairs: Sequence[Chair]) -> tuple[tuple[UserId, ...], ...]:
    """Return the people on these chairs by team."""
    return tuple(
        tuple(user_id for seat in team if (user_id := chairs[seat].user_id) is not None)
        for team in options.teams
    )


def new_record(lobby: Lobby) -> NewTable:
    """Return the record that stores a new lobby."""
    return NewTable(
        guild_id=lobby.guild_id,
        channel_id=lobby.channel_id,
        parent_channel_id=lobby.parent_channel_id,
        host_id=lobby.host_id,
        options=lobby.options.model_dump_json(),
        details=write_details(lobby),
        created_at=lobby.created_at,
        seats=lobby.seat_records(),
    )


def renew(lobby: Lobby, now: datetime) -> Lobby:
    """Return a changed lobby with a new revision and new deadlines.

    The new revision makes its previous buttons stale. A lobby without people is closed.
    """
    after = replace(lobby, revision=Revision(lobby.revision + 1))
    if any(True for _ in lobby.people()):
        return replace(after, timers=Timers(deadlines=lobby_deadlines(after, now)))
    return replace(after, status="expired", timers=Timers())


def join(lobby: Lobby, user_id: UserId, name: str, team: int | None = None) -> Lobby:
    """Return the lobby with a person on the first free chair of `team`, or of the table.

    If no chair is free, they take the seat of a computer player. If they change teams, their old
    seat becomes empty, or gets that computer player. At the table of an event they are there; if it
    is only for the people of the event, they sit in the seats of their side.
    """
    require_entrant(lobby, user_id)
    teams, old_seat = lobby.options.teams, lobby.seat_of(user_id)
    seats: Sequence[Seat] = range(len(lobby.chairs))
    if team is not None and team < len(teams):
        seats = teams[team]
    seats = tuple(seat for seat in seats if seat in seats_for(lobby, user_id))
    fixed = lobby.options.event is not None and lobby.options.event.entrants_only
    if old_seat in seats or (fixed and old_seat is not None):
        raise Refused(Reason.ALREADY_SEATED)
    free = [seat for seat in seats if lobby.chairs[seat].kind == "empty"]
    free = free or [seat for seat in seats if lobby.chairs[seat].kind == "computer"]
    if not free:
        raise Refused(Reason.TEAM_FULL if lobby.room else Reason.TABLE_FULL)
    new_seat = free[0]
    if old_seat is not None:
        lobby = lobby.with_chair(lobby.chairs[new_seat].model_copy(update={"seat": old_seat}))
    person = Chair(seat=new_seat, kind="person", user_id=user_id, name=name)
    lobby = _rename_namesake(lobby.with_chair(person), name)
    return lobby if lobby.options.event is None else check_in(lobby, user_id)


def check_in(lobby: Lobby, user_id: UserId) -> Lobby:
    """Return the lobby of an event with this person there; unchanged if they are already."""
    own_seat(lobby, user_id)
    if lobby.options.event is None:
        raise Refused(Reason.UNKNOWN_BUTTON)
    here = lobby.invitations.here
    return lobby if user_id in here else lobby.with_invitations(here=(*here, user_id))


def absent(lobby: Lobby) -> list[UserId]:
    """Return the people who sit at the table of an event and have not come."""
    return [user_id for user_id in lobby.user_ids() if user_id not in lobby.invitations.here]


def absent_sides(lobby: Lobby) -> tuple[bool, bool]:
    """Return for each team whether nobody of it has come to the table of an event.

    The grace time is over when the lobby of a live match has no deadline `grace` any more.
    """
    if not lobby.options.teams:
        return False, False
    here = {lobby.seat_of(user_id) for user_id in lobby.invitations.here}
    first, second = (here.isdisjoint(seats) for seats in lobby.options.teams)
    return first, second


def without_absent(lobby: Lobby) -> Lobby:
    """Return the lobby of an event with computers in place of the people who are not there."""
    missing = absent(lobby)
    for chair in lobby.people():
        if chair.user_id in missing:
            lobby = _with_computer(lobby, chair.seat)
    people = lobby.user_ids()
    return lobby if lobby.host_id in people or not people else replace(lobby, host_id=people[0])


def _rename_namesake(lobby: Lobby, name: str) -> Lobby:
    """Return the lobby with another name for a computer player that has this name."""
    for chair in lobby.chairs:
        if chair.kind == "computer" and chair.name.casefold() == name.casefold():
            return lobby.with_chair(chair.model_copy(update={"name": computer_name(lobby)}))
    return lobby


def leave(lobby: Lobby, user_id: UserId) -> Lobby:
    """Return the lobby with this person's chair empty.

    If they were the host, the person on the first chair becomes host, even if the new host then has
    more open tables than the limit allows. The limit applies when they open another table.
    """
    seat = own_seat(lobby, user_id)
    lobby = lobby.with_chair(Chair(seat=seat))
    people = lobby.user_ids()
    if user_id == lobby.host_id and people:
        lobby = replace(lobby, host_id=people[0])
    return lobby


def with_computers(lobby: Lobby, number: int) -> Lobby:
    """Return the lobby with up to `number` more computer players."""
    free = [chair.seat for chair in lobby.chairs if chair.kind == "empty"]
    for seat in free[: max(0, number)]:
        lobby = _with_computer(lobby, seat)
    return lobby


def _with_computer(lobby: Lobby, seat: Seat) -> Lobby:
    return lobby.with_chair(Chair(seat=seat, kind="computer", name=computer_name(lobby)))


# --- actions of the host -------------------------------------------------------------------------


def fill(lobby: Lobby, user_id: UserId) -> Lobby:
    """Return the lobby with the computer players that are needed to start the match."""
    require_host(lobby, user_id)
    return with_computers(lobby, lobby.options.game.people.start - players(lobby))


def add_computer(lobby: Lobby, user_id: UserId, seat: Seat) -> Lobby:
    """Return the lobby with a computer player on this empty chair."""
    require_host(lobby, user_id)
    if _chair_at(lobby, seat).kind != "empty":
        raise Refused(Reason.SEAT_TAKEN)
    return _with_computer(lobby, seat)


def remove(lobby: Lobby, user_id: UserId, seat: Seat) -> Lobby:
    """Return the lobby without the other person or the computer player on this chair."""
    require_host(lobby, user_id)
    chair = _chair_at(lobby, seat)
    if chair.kind == "empty" or chair.user_id == user_id:
        raise Refused(Reason.NO_SUCH_SEAT)
    return lobby.with_chair(Chair(seat=seat))


def swap(lobby: Lobby, user_id: UserId, first: Seat, second: Seat) -> Lobby:
    """Return the lobby with the occupants of these two seats exchanged."""
    require_host(lobby, user_id)
    first_chair, second_chair = _chair_at(lobby, first), _chair_at(lobby, second)
    if first == second:
        raise Refused(Reason.NO_SUCH_SEAT)
    lobby = lobby.with_chair(first_chair.model_copy(update={"seat": second}))
    return lobby.with_chair(second_chair.model_copy(update={"seat": first}))


def change_option(lobby: Lobby, user_id: UserId, name: str, value: str) -> Lobby:
    """Return the lobby with an option changed (see `TableOptions.changed`).

    A game for fewer players has fewer chairs. Everybody keeps their chair if possible, and surplus
    computer players are removed. Raises `Refused` if there are more people than chairs, and for a
    turn-based table outside a thread of its own (``needs-thread``).
    """
    require_host(lobby, user_id)
    return _with_options(lobby, lobby.options.changed(name, value))


def change_options(
    lobby: Lobby, user_id: UserId, choices: Iterable[tuple[str, str]], digest: str
) -> Lobby:
    """Return the lobby with several options changed (see `TableOptions.all_changed`)."""
    require_host(lobby, user_id)
    return _with_options(lobby, lobby.options.all_changed(choices, digest))


def _with_options(lobby: Lobby, options: TableOptions) -> Lobby:
    """Return the lobby with these options and as many chairs as the game has.

    See `change_option` for the chairs and for refusals.
    """
    if options.turn_based and not in_own_thread(lobby):
        raise Refused(Reason.NEEDS_THREAD)
    if options.lobby_chairs != len(lobby.chairs):
        lobby = replace(lobby, chairs=_rearranged_chairs(lobby.chairs, options.lobby_chairs))
    return replace(lobby, options=options)


def in_own_thread(lobby: Lobby) -> bool:
    """Return whether the table is in a thread of its own."""
    return lobby.parent_channel_id is not None


def _rearranged_chairs(chairs: tuple[Chair, ...], number: int) -> tuple[Chair, ...]:
    """Return `number` chairs with the occupants of `chairs`, people before computer players."""
    taken = [chair for chair in chairs if chair.kind != "empty"]
    people = sum(chair.kind == "person" for chair in taken)
    if people > number:
        raise Refused(Reason.TOO_MANY_PEOPLE, people=people, most=number)
    chairs_so_far = list(empty_chairs(number))
    for chair in sorted(taken, key=lambda chair: chair.kind == "computer")[:number]:
        free = [place.seat for place in chairs_so_far if place.kind == "empty"]
        seat = chair.seat if chair.seat in free else free[0]
        chairs_so_far[seat] = chair.model_copy(update={"seat": seat})
    return tuple(chairs_so_far)


def require_host(lobby: Lobby, user_id: UserId) -> None:
    """Raise `Refused` unless this person is the host."""
    if user_id != lobby.host_id:
        raise Refused(Reason.HOST_ONLY, host=lobby.host_id)


def _chair_at(lobby: Lobby, seat: Seat) -> Chair:
    """Return the chair at a seat; raise `Refused` if there is none."""
    if not 0 <= seat < len(lobby.chairs):
        raise Refused(Reason.NO_SUCH_SEAT)
    return lobby.chairs[seat]


# --- start ---------------------------------------------------------------------------------------


def check_start(lobby: Lobby, user_id: UserId) -> None:
    """Raise `Refused` unless this person may start the match now."""
    require_host(lobby, user_id)
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
    """Return whether the number of players suits the game."""
    return players(lobby) in lobby.options.game.people


def players(lobby: Lobby) -> int:
    """Return the number of people and computer players who sit here."""
    return sum(chair.kind != "empty" for chair in lobby.chairs)


def without_empty_chairs(lobby: Lobby) -> Lobby:
    """Return the lobby for the start, without empty chairs."""
    taken = [chair for chair in lobby.chairs if chair.kind != "empty"]
    chairs = tuple(chair.model_copy(update={"seat": seat}) for seat, chair in enumerate(taken))
    return replace(lobby, chairs=chairs, options=lobby.options.with_players(len(chairs)))


def rematch_setup(table: TableState) -> tuple[TableOptions, tuple[Chair, ...]]:
    """Return the options and chairs of a lobby for a rematch of the same players.

    Empty chairs, which were removed at the start of the match, are added again. The rematch of a
    match of an event does not belong to the event.
    """
    options = table.options.with_players(None).model_copy(update={"event": None})
    return options, table.chairs + empty_chairs(options.lobby_chairs)[len(table.chairs) :]
