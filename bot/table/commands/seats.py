"""What is asked about seats in a running match: hand one over, offer it, sit down."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime

from bot.ids import UserId
from bot.table import seats
from bot.table.batch import Batch
from bot.table.commands.base import Command, Context
from bot.table.inviting import wants_invitations
from bot.table.outcome import Outcome, noted
from bot.table.permission import require_game
from bot.table.state import Game, OpenTable
from engine import Seat


class _NewOwner(Command):
    """Gives a seat of a running match to somebody else, and lets play go on."""

    __slots__ = ()

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """The game with another owner of a seat."""
        game = require_game(table)
        after = self.reseated(game, user_id, context)
        return noted(after) if after.chairs == game.chairs else with_new_owners(after, context.now)

    @abstractmethod
    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """The game with the new owner."""


def with_new_owners(game: Game, now: datetime) -> Outcome:
    """The outcome for a game in which seats have new owners: play goes on."""
    batch = Batch(game, now)
    batch.catch_up()
    outcome = batch.finish()
    update = {"seats": outcome.after.seat_records()}
    return outcome._replace(change=outcome.change.model_copy(update=update))


@dataclass(frozen=True, slots=True)
class LeaveToComputer(_NewOwner):
    """Leave for good: a computer player takes the seat."""

    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """The game with the computer player."""
        return seats.leave_to_computer(game, user_id)


@dataclass(frozen=True, slots=True)
class AcceptSeat(_NewOwner):
    """Take the seat that somebody has offered to this person."""

    name: str
    seat: Seat

    needs_settings = True

    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """The game with this person in that seat."""
        settings = context.settings_of(user_id)
        return seats.accept(game, user_id, self.name, self.seat, context.now, settings)


@dataclass(frozen=True, slots=True)
class TakeOver(_NewOwner):
    """Sit down in place of a computer player: between two rounds at once, else after the round.

    `seat` is whose; `None` where there is only one, or it does not matter.
    """

    name: str
    seat: Seat | None = None

    needs_settings = True

    def reseated(self, game: Game, user_id: UserId, context: Context) -> Game:
        """The game with this person in that seat."""
        settings = context.settings_of(user_id)
        return seats.take_over(game, user_id, self.name, self.seat, context.now, settings)


@dataclass(frozen=True, slots=True)
class StayOut(Command):
    """Take no seat after the round, although one has said so."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The game without that newcomer."""
        game = require_game(table)
        after = seats.not_coming(game, user_id)
        return None if after is game else noted(after)


@dataclass(frozen=True, slots=True)
class OfferSeat(Command):
    """Offer one's seat to another member, who has to accept it.

    Who does not want to be invited now can accept it, too, but is not notified.
    """

    member_id: UserId
    name: str
    is_bot: bool = False
    """Whether the member is another application, which cannot play."""

    needs_settings = True

    @property
    def others(self) -> tuple[UserId, ...]:
        """The member."""
        return (self.member_id,)

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The game with that offer; `None` if it stands already."""
        game = require_game(table)
        member, name, now = self.member_id, self.name, context.now
        quiet = not wants_invitations(context.settings_of(member), now)
        after = seats.offer(game, user_id, member, name, now, is_bot=self.is_bot, quiet=quiet)
        return None if after is game else noted(after)


@dataclass(frozen=True, slots=True)
class KeepSeat(Command):
    """Take back what one has offered, if anything."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The game without that offer."""
        after = seats.withdraw_offer(require_game(table), user_id)
        return None if after is table else noted(after)


@dataclass(frozen=True, slots=True)
class DeclineSeat(Command):
    """Say no to the seat that somebody has offered to this person."""

    seat: Seat

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """The game without that offer."""
        return noted(seats.decline(require_game(table), user_id, self.seat))
