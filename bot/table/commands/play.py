"""What people can ask of a table, as values: `Join(name)`, `Act(action)`, `VoteToStop()`.

`bot.live` carries them out under the table's lock: `carry_out` checks who may and what is stale
(`bot.table.permission`), computes the next state, and says how it is stored. A refusal changes
nothing. Where a command or its action names a seat, `OWN` is that of whoever gives it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import ClassVar

from bot.errors import Reason, Refused, Stale
from bot.records import Change
from bot.table import interruptions, lobby, seats
from bot.table.batch import Batch
from bot.table.closing import stopped
from bot.table.dealing import Prepared, Secrets, cut, next_deal, nothing_prepared, seal
from bot.table.outcome import Outcome, noted, write_desk
from bot.table.permission import acting, own_seat, require_game, require_lobby, require_open
from bot.table.presence import returned
from bot.table.state import Game, Lobby, OpenTable
from engine import DOGS, Action, CardSet, PassCards, Play, Seat


@dataclass(frozen=True, slots=True)
class Context:
    """What a command needs beside the table."""

    now: datetime
    """The time of day."""
    draw: Secrets = field(repr=False)
    """Draws the secret of a deal."""
    prepare: Callable[[OpenTable], Prepared] = nothing_prepared
    """Says what of a deal is not to be drawn."""
    ratings: Mapping[int, int] = field(default_factory=dict)
    """By user the rating as it is shown, for a command that needs it."""


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """Something that a person asks of a table."""

    needs_ratings: ClassVar[bool] = False
    """Whether the ratings of the people at the table have to be read for it."""

    @abstractmethod
    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome | None:
        """The outcome of the command, given by this user; `None` if there is nothing to change.

        Raises `Refused` (`Stale` for a button of an earlier position) and `IllegalAction`.
        """


# --- in a lobby ----------------------------------------------------------------------------------


class _InLobby(Command):
    """Changes the chairs of a lobby."""

    __slots__ = ()

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
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
    def changed(self, table: Lobby, user_id: int) -> Lobby:
        """The lobby after the command."""


@dataclass(frozen=True, slots=True)
class Join(_InLobby):
    """Sit down on the first free chair."""

    name: str

    def changed(self, table: Lobby, user_id: int) -> Lobby:
        """The lobby with this person in it."""
        return lobby.join(table, user_id, self.name)


@dataclass(frozen=True, slots=True)
class Leave(_InLobby):
    """Stand up."""

    def changed(self, table: Lobby, user_id: int) -> Lobby:
        """The lobby without this person."""
        return lobby.leave(table, user_id)


@dataclass(frozen=True, slots=True)
class AddComputer(_InLobby):
    """Put a computer player on a free chair; a number is added to its `name`."""

    name: str

    def changed(self, table: Lobby, user_id: int) -> Lobby:
        """The lobby with one computer player more."""
        return lobby.add_computer(table, self.name)


@dataclass(frozen=True, slots=True)
class RemoveComputer(_InLobby):
    """Take a computer player off its chair."""

    def changed(self, table: Lobby, user_id: int) -> Lobby:
        """The lobby with one computer player less."""
        return lobby.remove_computer(table)


@dataclass(frozen=True, slots=True)
class SwapSeats(_InLobby):
    """Exchange two chairs."""

    first: int
    second: int

    def changed(self, table: Lobby, user_id: int) -> Lobby:
        """The lobby with these two chairs exchanged."""
        return lobby.swap(table, user_id, self.first, self.second)


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Start the match and deal its first round."""

    needs_ratings = True

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game that begins."""
        before = require_lobby(table)
        lobby.check_start(before, user_id)
        seated = lobby.seated(before)
        deal = next_deal(seated, context.draw, context.prepare(seated))
        seated = replace(seated, deal=deal.secrets)
        batch = Batch.start(seated, context.now, deal.first_dealer, deal.source, context.ratings)
        outcome = batch.finish()
        update: dict[str, object] = {"seats": outcome.after.seat_records()}
        if seated.options != before.options:
            update["options"] = seated.options.model_dump_json()
        return outcome._replace(change=outcome.change.model_copy(update=update))


# --- at a running table: playing -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(Command):
    """Take an action of the game, for a seat that this person decides for.

    `revision` is the one that its button was made for, `None` if the action does not depend on what
    lies on the table.
    """

    action: Action = field(repr=False)
    revision: int | None = None

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game after the action, or with it kept for later."""
        game, seat = acting(table, user_id, context.now, self.action.seat, self.revision)
        batch = Batch(game, context.now)
        batch.take(self.action._replace(seat=seat), user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class GiveCards(Command):
    """Pass cards in the exchange: sets of cards, in the order in which the seat owes them."""

    seat: Seat
    cards: tuple[CardSet, ...] = field(repr=False)
    revision: int

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with these cards given."""
        game, seat = acting(table, user_id, context.now, self.seat, self.revision)
        chosen = zip(game.situation(seat).now.gifts, self.cards, strict=False)
        gifts = tuple(sorted((gift.to, cards) for gift, cards in chosen if cards))
        batch = Batch(game, context.now)
        batch.take(PassCards(seat, gifts), user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class LeadDog(Command):
    """Lead the Dog; `to` is the partner who gets the lead, `None` where nothing is to choose."""

    seat: Seat
    revision: int
    to: Seat | None = None

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with the Dog on the table."""
        game, seat = acting(table, user_id, context.now, self.seat, self.revision)
        targets = game.match.variant.dog_targets(game.round, seat)
        to = targets[0] if self.to is None and len(targets) == 1 else self.to
        batch = Batch(game, context.now)
        batch.take(Play(seat, game.situation(seat).now.hand.cards & DOGS, to=to), user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class ThrowBomb(Command):
    """Throw these cards as a bomb on the play `target` (see `play_to_beat`)."""

    seat: Seat
    cards: int = field(repr=False)
    target: str

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with the bomb on the table, or face down."""
        game, seat = acting(table, user_id, context.now, self.seat)
        batch = Batch(game, context.now)
        batch.bomb(seat, self.cards, self.target, user_id)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class PassTrick(Command):
    """Pass whenever it may be done in this trick (see `trick_on_table`), or no longer."""

    seat: Seat
    on: bool = field(repr=False)
    trick: str

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with that choice kept, and the pass if it is due."""
        game, seat = acting(table, user_id, context.now, self.seat)
        batch = Batch(game, context.now)
        batch.pass_this_trick(seat, self.on, self.trick)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """Take a pre-move back while the bomb window is still open."""

    seat: Seat
    revision: int

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game without that pre-move."""
        game, seat = acting(table, user_id, context.now, self.seat, self.revision)
        batch = Batch(game, context.now)
        batch.take_back(seat)
        return batch.finish()


@dataclass(frozen=True, slots=True)
class HoldWindow(Command):
    """Keep the bomb window open for a moment more; `Stale` if the round is another by now."""

    round_number: int

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with a longer window."""
        game, seat = acting(table, user_id, context.now)
        if game.round.number != self.round_number:
            raise Stale
        return noted(interruptions.hold_window(game, seat))


# --- at a running table: beside the game ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ComeBack(Command):
    """Be there again after having been away.

    `said` is whether somebody has said so, and not only looked at their hand: then they are refused
    if they were not away.
    """

    said: bool = False

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome | None:
        """The game with this person back at it; `None` if they were there and said nothing."""
        game, _ = acting(table, user_id, context.now)
        if game is not table:
            return noted(game)
        if self.said:
            raise Refused(Reason.NOT_AWAY)
        return None


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the countdown between two rounds, or let it go on."""

    paused: bool

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with its countdown stopped, or running."""
        game, _ = acting(table, user_id, context.now)
        return noted(interruptions.pause(game, self.paused, context.now))


@dataclass(frozen=True, slots=True)
class Shuffle(Command):
    """Let a word take part in the next deal (N79)."""

    word: str

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The table with that word."""
        require_open(table)
        if isinstance(table, Game):
            game = returned(table, user_id, context.now)
            return noted(cut(seal(game, context.draw), user_id, self.word))
        return noted(cut(seal(table, context.draw), user_id, self.word))


@dataclass(frozen=True, slots=True)
class VoteToStop(Command):
    """Ask for the end of the match; a moderator decides alone, as the host of a lobby does."""

    moderator: bool = False

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The table with that vote, or its end."""
        require_open(table)
        if isinstance(table, Game):
            voted, ending = interruptions.vote_to_stop(table, user_id, moderator=self.moderator)
            return ended(table, voted, ending, context.now)
        if not self.moderator:
            own_seat(table, user_id)
            if user_id != table.host_id:
                raise Refused(Reason.HOST_ONLY)
        return stopped(table, context.now)


# --- at a running table: who sits where ----------------------------------------------------------


class _NewOwner(Command):
    """Gives a seat of a running match to somebody else, and lets play go on."""

    __slots__ = ()

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with another owner of a seat, or its end if the votes to stop decide now."""
        batch = Batch(self.reseated(require_game(table), user_id, context.now), context.now)
        batch.catch_up()
        outcome = votes_counted(batch, context.now)
        update = {"seats": outcome.after.seat_records()}
        return outcome._replace(change=outcome.change.model_copy(update=update))

    @abstractmethod
    def reseated(self, game: Game, user_id: int, now: datetime) -> Game:
        """The game with the new owner."""


@dataclass(frozen=True, slots=True)
class LeaveToComputer(_NewOwner):
    """Leave for good: a computer player of this name takes the seat."""

    name: str

    def reseated(self, game: Game, user_id: int, now: datetime) -> Game:
        """The game with the computer player."""
        return seats.leave_to_computer(game, user_id, self.name)


@dataclass(frozen=True, slots=True)
class AcceptSeat(_NewOwner):
    """Take the seat that somebody has offered to this person."""

    name: str
    seat: Seat

    def reseated(self, game: Game, user_id: int, now: datetime) -> Game:
        """The game with this person in that seat."""
        return seats.accept(game, user_id, self.name, self.seat, now)


@dataclass(frozen=True, slots=True)
class TakeOver(_NewOwner):
    """Sit down in place of a computer player, between two rounds.

    `seat` is whose; `None` where there is only one, or it does not matter.
    """

    name: str
    seat: Seat | None = None

    def reseated(self, game: Game, user_id: int, now: datetime) -> Game:
        """The game with this person in that seat."""
        return seats.take_over(game, user_id, self.name, self.seat, now)


@dataclass(frozen=True, slots=True)
class OfferSeat(Command):
    """Offer one's seat to another member, who has to accept it."""

    member_id: int
    name: str
    is_bot: bool = False
    """Whether the member is another application, which cannot play."""

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game with that offer."""
        game = require_game(table)
        if self.is_bot:
            own_seat(game, user_id)
            raise Refused(Reason.MEMBER_IS_BOT, name=self.name)
        return noted(seats.offer(game, user_id, self.member_id, self.name))


@dataclass(frozen=True, slots=True)
class KeepSeat(Command):
    """Take back what one has offered, if anything."""

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome | None:
        """The game without that offer."""
        after = seats.withdraw_offer(require_game(table), user_id)
        return None if after is table else noted(after)


@dataclass(frozen=True, slots=True)
class DeclineSeat(Command):
    """Say no to the seat that somebody has offered to this person."""

    seat: Seat

    def carry_out(self, table: OpenTable, user_id: int, context: Context) -> Outcome:
        """The game without that offer."""
        return noted(seats.decline(require_game(table), user_id, self.seat))


# --- how a match ends by vote ------------------------------------------------------------------


def ended(before: Game, voted: Game, ending: interruptions.Ending, now: datetime) -> Outcome:
    """What a vote has led to."""
    if ending == "now":
        return stopped(before, now)
    if ending == "with-result":
        batch = Batch(before, now)
        batch.stop()
        return batch.finish()
    return noted(voted)


def votes_counted(batch: Batch, now: datetime) -> Outcome:
    """The outcome of a batch after which the votes to stop of those who sit there now decide.

    It is one outcome, stored at once: a stored batch without its end would be told as a failure.
    """
    outcome = batch.finish()
    game = outcome.after
    if not isinstance(game, Game) or not game.running:
        return outcome
    voted, ending = interruptions.decided(game)
    if ending == "with-result":
        batch.stop()
        return batch.finish()
    if ending == "not-yet" and voted is game:
        return outcome
    after, change, _ = ended(game, voted, ending, now)
    update = {name: getattr(change, name) for name in change.model_fields_set}
    return Outcome(after, outcome.change.model_copy(update=update), outcome.events)
