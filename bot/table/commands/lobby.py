"""What is asked of a lobby: sit down, stand up, swap, fill with computer players, start."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from bot.ids import UserId
from bot.records import Change
from bot.table import lobby
from bot.table.batch import Batch
from bot.table.commands.base import Command, Context
from bot.table.dealing import next_deal
from bot.table.outcome import Outcome, write_desk
from bot.table.permission import require_lobby
from bot.table.personal import first_notes
from bot.table.state import Lobby, OpenTable
from engine import Seat


class _InLobby(Command):
    """Changes the chairs of a lobby."""

    __slots__ = ()

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """The lobby with its chairs changed."""
        after = lobby.touched(self.changed(require_lobby(table), user_id), context.now)
        change = Change(
            seats=after.seat_records(),
            host_id=after.host_id,
            desk=write_desk(after),
            status=after.status,
            ended_at=context.now if after.status == "expired" else None,
        )
        return Outcome(after, change)

    @abstractmethod
    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """The lobby after the command."""


@dataclass(frozen=True, slots=True)
class Join(_InLobby):
    """Sit down on the first free chair."""

    name: str

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """The lobby with this person in it."""
        return lobby.join(table, user_id, self.name)


@dataclass(frozen=True, slots=True)
class Leave(_InLobby):
    """Stand up."""

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """The lobby without this person."""
        return lobby.leave(table, user_id)


@dataclass(frozen=True, slots=True)
class AddComputer(_InLobby):
    """Put a computer player on a free chair; a number is added to its `name`."""

    name: str

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """The lobby with one computer player more."""
        return lobby.add_computer(table, self.name)


@dataclass(frozen=True, slots=True)
class RemoveComputer(_InLobby):
    """Take a computer player off its chair."""

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """The lobby with one computer player less."""
        return lobby.remove_computer(table)


@dataclass(frozen=True, slots=True)
class SwapSeats(_InLobby):
    """Exchange two chairs."""

    first: Seat
    second: Seat

    def changed(self, table: Lobby, user_id: UserId) -> Lobby:
        """The lobby with these two chairs exchanged."""
        return lobby.swap(table, user_id, self.first, self.second)


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Start the match and deal its first round."""

    needs_ratings = True
    needs_settings = True

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """The game that begins."""
        before = require_lobby(table)
        lobby.check_start(before, user_id)
        seated = lobby.without_empty_chairs(before)
        deal = next_deal(seated, context.draw, context.prepare(seated))
        seated = replace(seated, deal=deal.secrets)
        notes = first_notes(seated.chairs, context.settings)
        batch = Batch.start(
            seated, context.now, deal.first_dealer, deal.source, context.ratings, notes
        )
        outcome = batch.finish()
        update: dict[str, object] = {"seats": outcome.after.seat_records()}
        if seated.options != before.options:
            update["options"] = seated.options.model_dump_json()
        return outcome._replace(change=outcome.change.model_copy(update=update))
