"""What is asked beside the game: be back, pause, cut the cards, stop."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import Reason, Refused
from bot.ids import Revision, UserId
from bot.table import interruptions
from bot.table.closing import stopped, voted_end
from bot.table.commands.base import Command, Context
from bot.table.dealing import cut, seal
from bot.table.outcome import Outcome, noted
from bot.table.permission import acting, own_seat, require_game, require_open
from bot.table.presence import returned
from bot.table.state import Game, OpenTable


@dataclass(frozen=True, slots=True)
class ComeBack(Command):
    """Be there again after having been away.

    `said` is whether somebody has said so, and not only looked at their hand: then they are refused
    if they were not away.
    """

    said: bool = False

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The game with this person back at it; `None` if they were there and said nothing."""
        game, _ = acting(table, user_id, context.now)
        if game is not table:
            return noted(game)
        if self.said:
            raise Refused(Reason.NOT_AWAY)
        return None


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the countdown between two rounds, or let it go on.

    `revision` is the one that its button was made for, `None` if it does not matter: the result of
    an earlier round may still have its buttons, and what is asked there is not meant for this one.
    """

    paused: bool
    revision: Revision | None = None

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """The game with its countdown stopped, or running."""
        game, _ = acting(table, user_id, context.now, revision=self.revision)
        return noted(interruptions.pause(game, self.paused, context.now))


@dataclass(frozen=True, slots=True)
class Ready(Command):
    """Be ready for the next round; it begins when everybody is.

    `revision` is the one that its button was made for, as with `Pause`.
    """

    revision: Revision

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
        """The game with this person ready."""
        game, _ = acting(table, user_id, context.now, revision=self.revision)
        return noted(interruptions.ready(game, user_id, context.now))


@dataclass(frozen=True, slots=True)
class Shuffle(Command):
    """Let a word take part in the next deal (N79)."""

    word: str

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome:
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
    agreeing: bool = False
    """Whether it only joins a vote that others have begun: if that is over, nothing happens."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The table with that vote, or its end; `None` if there is nothing to agree to."""
        require_open(table)
        if isinstance(table, Game):
            if self.agreeing and not table.notes.votes:
                own_seat(table, user_id)
                return None
            voted, ending = interruptions.vote_to_stop(table, user_id, moderator=self.moderator)
            return voted_end(table, voted, ending, context.now)
        if not self.moderator:
            own_seat(table, user_id)
            if user_id != table.host_id:
                raise Refused(Reason.HOST_ONLY)
        return stopped(table, context.now)


@dataclass(frozen=True, slots=True)
class PlayOn(Command):
    """Do not stop the match that others want to stop, or that one wanted to stop before."""

    def carry_out(self, table: OpenTable, user_id: UserId, context: Context) -> Outcome | None:
        """The game with that; `None` if nobody wants to stop it."""
        game = require_game(table)
        after = interruptions.play_on(game, user_id)
        return None if after is game else noted(after)
