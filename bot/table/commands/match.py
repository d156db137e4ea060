"""Commands beside the game: return, pause, cut the cards, stop."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import Reason, Refused, Stale
from bot.ids import Revision, UserId
from bot.table import interruptions
from bot.table.closing import stop_outcome, vote_outcome
from bot.table.commands.base import Command, Context
from bot.table.dealing import cut, seal
from bot.table.details import Speed
from bot.table.outcome import Outcome, details_only
from bot.table.permission import acting_seat, own_seat, require_game, require_open
from bot.table.presence import mark_present
from bot.table.state import Game, OpenTable


@dataclass(frozen=True, slots=True)
class ComeBack(Command):
    """Command to return after an absence.

    An `explicit` request is refused if the person was not away. Without `explicit`, the person has
    opened their hand, and the command does nothing if they are present.
    """

    explicit: bool = False

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game with this person back, or `None` if they were not away."""
        game, _ = acting_seat(table, user_id, present_at=context.now)
        if game is not table:
            return details_only(game)
        if self.explicit:
            raise Refused(Reason.NOT_AWAY)
        return None


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Command to stop or resume the countdown between two rounds.

    `revision` is the revision of the button, or `None` if it does not matter. It prevents that a
    button under the result of an earlier round affects the current one.
    """

    paused: bool
    revision: Revision | None = None

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with its countdown stopped or resumed."""
        game, _ = acting_seat(table, user_id, revision=self.revision, present_at=context.now)
        return details_only(interruptions.pause(game, self.paused, context.now))


@dataclass(frozen=True, slots=True)
class SetSpeed(Command):
    """Command to choose the speed of the computers, as the only person at their table."""

    speed: Speed

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with the new speed, in force from the next move.

        Raises `Stale` if another person plays at this table.
        """
        game, _ = acting_seat(table, user_id, present_at=context.now)
        if not game.alone:
            raise Stale
        return details_only(game.with_timers(computers=self.speed))


@dataclass(frozen=True, slots=True)
class Ready(Command):
    """Command to be ready for the next round, which begins when everybody is.

    `revision` is the revision of the button, as in `Pause`.
    """

    revision: Revision

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the game with this person ready."""
        game, _ = acting_seat(table, user_id, revision=self.revision, present_at=context.now)
        return details_only(interruptions.ready(game, user_id, context.now))


@dataclass(frozen=True, slots=True)
class Shuffle(Command):
    """Command to contribute a word to the next deal (N79)."""

    word: str

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """Return the table with that word."""
        require_open(table)
        if isinstance(table, Game):
            game = mark_present(table, user_id, context.now)
            return details_only(cut(seal(game, context.draw), user_id, self.word))
        return details_only(cut(seal(table, context.draw), user_id, self.word))


@dataclass(frozen=True, slots=True)
class VoteToStop(Command):
    """Command to vote for the end of the match, or to close a lobby.

    A moderator decides alone, and so does the host of a lobby.
    """

    moderator: bool = False
    agreeing: bool = False
    """True to join an existing vote only; if the vote is over, nothing happens."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the table with that vote or its end, if any."""
        require_open(table)
        if isinstance(table, Game):
            if self.agreeing and not table.notes.votes:
                own_seat(table, user_id)
                return None
            voted, ending = interruptions.vote_to_stop(table, user_id, moderator=self.moderator)
            return vote_outcome(table, voted, ending, context.now)
        if not self.moderator:
            own_seat(table, user_id)
            if table.options.event is not None:
                raise Refused(Reason.TABLE_OF_EVENT)
            if user_id != table.host_id:
                raise Refused(Reason.HOST_ONLY, host=table.host_id)
        return stop_outcome(table, context.now)


@dataclass(frozen=True, slots=True)
class PlayOn(Command):
    """Command to vote against stopping the match, replacing an own vote to stop."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """Return the game with that vote, or `None` if nobody wants to stop."""
        game = require_game(table)
        after = interruptions.play_on(game, user_id)
        return None if after is game else details_only(after)
