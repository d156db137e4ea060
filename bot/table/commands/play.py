"""Commands that play a hand: moves, calls, gifts, bombs, and choices in advance."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.errors import Stale
from bot.ids import Revision, UserId
from bot.records import RoundNumber
from bot.table import interruptions
from bot.table.batch import Batch
from bot.table.commands.base import Command, Context
from bot.table.outcome import Outcome, details_only
from bot.table.permission import acting_seat
from bot.table.state import OpenTable
from engine import DOGS, Action, CardSet, PassCards, Play, Seat


@dataclass(frozen=True, slots=True)
class Act(Command):
    """Command to take an action for a seat of this person.

    `revision` is the revision of the button, or `None` if the action does not depend on the cards
    on the table.
    """

    action: Action = field(repr=False)
    revision: Revision | None = None

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game after the action, or with the action kept for later."""
        game, seat = acting_seat(
            table, user_id, self.action.seat, self.revision, present_at=context.now
        )
        batch = Batch(game, context.now)
        batch.take(self.action._replace(seat=seat), user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class GiveCards(Command):
    """Command to pass cards in the exchange; `cards` are in the order of the gifts owed."""

    seat: Seat
    cards: tuple[CardSet, ...] = field(repr=False)
    revision: Revision

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with these cards given."""
        game, seat = acting_seat(table, user_id, self.seat, self.revision, present_at=context.now)
        chosen = zip(game.situation(seat).current.gifts, self.cards, strict=False)
        gifts = tuple(sorted((gift.receiver, cards) for gift, cards in chosen if cards))
        batch = Batch(game, context.now)
        batch.take(PassCards(seat, gifts), user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class LeadDog(Command):
    """Command to lead the Dog to `partner`; `None` is enough where only one is possible."""

    seat: Seat
    revision: Revision
    partner: Seat | None = None

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with the Dog on the table."""
        game, seat = acting_seat(table, user_id, self.seat, self.revision, present_at=context.now)
        targets = game.match.variant.dog_targets(game.round, seat)
        only_target = targets[0] if len(targets) == 1 else None
        partner = only_target if self.partner is None else self.partner
        batch = Batch(game, context.now)
        dog = game.situation(seat).current.hand.cards & DOGS
        batch.take(Play(seat, dog, partner=partner), user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class ThrowBomb(Command):
    """Command to bomb the play `target` (see `play_to_beat_id`) with these cards."""

    seat: Seat
    cards: CardSet = field(repr=False)
    target: str

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with the bomb on the table, or face down."""
        game, seat = acting_seat(table, user_id, self.seat, present_at=context.now)
        batch = Batch(game, context.now)
        batch.bomb(seat, self.cards, self.target, user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class PassTrick(Command):
    """Command to start or stop passing in this trick (see `trick_id`)."""

    seat: Seat
    on: bool = field(repr=False)
    trick: str

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with that choice, and the pass if it is due."""
        game, seat = acting_seat(table, user_id, self.seat, present_at=context.now)
        batch = Batch(game, context.now)
        batch.pass_this_trick(seat, self.on, self.trick)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """Command to take a pre-move back while the bomb window is still open."""

    seat: Seat
    revision: Revision

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game without that pre-move."""
        game, seat = acting_seat(table, user_id, self.seat, self.revision, present_at=context.now)
        batch = Batch(game, context.now)
        batch.take_back(seat)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class GoOn(Command):
    """Command to end the bomb window that waits for this person.

    Their move comes later. A move while the window is open (`Act`, `LeadDog`) ends it, too.
    """

    revision: Revision

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game after that window."""
        game, seat = acting_seat(table, user_id, revision=self.revision, present_at=context.now)
        batch = Batch(game, context.now)
        batch.end_window(seat)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class HoldWindow(Command):
    """Command to hold the bomb window open; raises `Stale` in any other round."""

    round_number: RoundNumber

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with a longer window."""
        game, seat = acting_seat(table, user_id, present_at=context.now)
        if game.round.number != self.round_number:
            raise Stale
        return details_only(interruptions.hold_window(game, seat))
