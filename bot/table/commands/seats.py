"""Commands about seats in a match: hand over, offer, sit down, apply personal settings."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table import seats
from bot.table.batch import Batch
from bot.table.commands.base import Command, Context
from bot.table.deadlines import reschedule
from bot.table.inviting import wants_invitations
from bot.table.outcome import Outcome, details_only
from bot.table.permission import own_seat, require_game
from bot.table.personal import with_settings
from bot.table.state import Game, OpenTable
from engine import Seat


class _NewOwner(Command):
    """Base of commands that give a seat to another owner."""

    __slots__ = ()

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with another owner of a seat."""
        game = require_game(table)
        after = self.reseated(game, user_id, context)
        return (
            details_only(after)
            if after.chairs == game.chairs
            else with_new_owners(after, context.now)
        )

    @abstractmethod
    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """Return the game with the new owner, before play continues."""


def with_new_owners(game: Game, now: datetime) -> Outcome:
    """Return the outcome of new owners of seats, with play continued."""
    batch = Batch(game, now)
    batch.catch_up()
    outcome = batch.finish()
    update = {"seats": outcome.after.seat_records()}
    return outcome._replace(change=outcome.change.model_copy(update=update))


@dataclass(frozen=True, slots=True)
class LeaveToComputer(_NewOwner):
    """Command to leave permanently; a computer player takes the seat."""

    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """Return the game with the computer player."""
        return seats.leave_to_computer(game, user_id)


@dataclass(frozen=True, slots=True)
class AcceptSeat(_NewOwner):
    """Command to take the seat that was offered to this person."""

    name: str
    seat: Seat

    needs_settings = True

    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """Return the game with this person in that seat."""
        settings = context.settings_of(user_id)
        return seats.accept(game, user_id, self.name, self.seat, context.now, settings)


@dataclass(frozen=True, slots=True)
class TakeOver(_NewOwner):
    """Command to replace a computer player between rounds or after this one.

    `seat` is the computer player's, or `None` for the first one.
    """

    name: str
    seat: Seat | None = None

    needs_settings = True

    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """Return the game with this person in that seat, or with it reserved."""
        settings = context.settings_of(user_id)
        return seats.take_over(game, user_id, self.name, self.seat, context.now, settings)


@dataclass(frozen=True, slots=True)
class StayOut(Command):
    """Command to cancel a reservation of a seat after the round."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game without that reservation, or `None` if there was none."""
        game = require_game(table)
        after = seats.cancel_reservation(game, user_id)
        return None if after is game else details_only(after)


@dataclass(frozen=True, slots=True)
class OfferSeat(Command):
    """Command to offer the own seat to another member.

    A member who does not accept invitations now is not notified, but may take the seat.
    """

    member_id: UserId
    name: str
    is_bot: bool = False
    """True for another application, which cannot play."""

    needs_settings = True

    @property
    def others(self) -> tuple[UserId, ...]:
        """User id of the member."""
        return (self.member_id,)

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game with that offer, or `None` if it exists already."""
        game = require_game(table)
        member, name, now = self.member_id, self.name, context.now
        quiet = not wants_invitations(context.settings_of(member), now)
        after = seats.offer(game, user_id, member, name, now, is_bot=self.is_bot, quiet=quiet)
        return None if after is game else details_only(after)


@dataclass(frozen=True, slots=True)
class KeepSeat(Command):
    """Command to withdraw an offer of the own seat."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game without that offer, or `None` if there was none."""
        after = seats.withdraw_offer(require_game(table), user_id)
        return None if after is table else details_only(after)


@dataclass(frozen=True, slots=True)
class DeclineSeat(Command):
    """Command to decline the seat that was offered to this person."""

    seat: Seat

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game without that offer."""
        return details_only(seats.decline(require_game(table), user_id, self.seat))


@dataclass(frozen=True, slots=True)
class FollowSettings(Command):
    """Command to apply a person's settings from `/tichu settings` to a running match."""

    settings: PersonalSettings

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game with these settings, or `None` if unaffected.

        Automatic passes apply at once, also to the current turn. A longer turn limit applies from
        the next turn on.
        """
        game = require_game(table)
        chair = game.chairs[own_seat(game, user_id)]
        notes = with_settings(game.notes, chair, self.settings)
        if notes == game.notes:
            return None
        after = replace(game, notes=notes)
        return details_only(reschedule(after, after, context.now))
