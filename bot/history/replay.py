"""Replays of finished rounds, with the players of that time and the proof of the deal.

There is no storage here; `bot.history.replay_cache` builds replays of stored tables.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.boards.board import Board
from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof, proof_of_replay
from bot.history.played_round import PlayedRound, played_rounds
from bot.history.seat_history import with_seats_at
from bot.records import ActionRecord, RoundNumber, SeatChangeRecord, TableRecord
from bot.runtime.logs import new_error_id
from bot.table.action_log import ReplayError
from bot.table.state import Game, TableState, past_game

log = logging.getLogger(__name__)

SeatedPlay = tuple[TableState, PlayedRound]
"""Finished round, and the table with its players at the end of it."""


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """Finished round of a table, ready for stepping through."""

    table: TableState
    """Table with its players at the end of the round, without details and match."""
    played_round: PlayedRound
    """The round, with its positions."""
    proof: Proof
    """Proof of its deal."""

    @property
    def board(self) -> Board | None:
        """Board of a solo round; `None` for a round of a table."""
        return self.proof.board

    def at(self, place: int) -> Game:
        """Return the table at the position with this index, from 0."""
        return past_game(self.table, self.played_round.positions[place].match)


def replays_of(
    table: TableState,
    actions: Sequence[ActionRecord],
    seat_changes: Sequence[SeatChangeRecord],
    numbers: Collection[RoundNumber],
) -> dict[RoundNumber, Replay]:
    """Return the replays of rounds with these numbers, except unfinished ones.

    `actions` are all actions of the table. Raise `ReplayError`.
    """
    replays = {}
    for played in played_rounds(table.options.rules, actions):
        if played.number in numbers:
            at_deal = with_seats_at(table, seat_changes, played.actions[0].seq)
            at_end = _table_at_end(table, seat_changes, played)
            replays[played.number] = Replay(at_end, played, proof_of_replay(at_deal, played))
            if len(replays) == len(numbers):
                break
    return replays


def seated_plays(
    table: TableState, actions: Sequence[ActionRecord], seat_changes: Sequence[SeatChangeRecord]
) -> tuple[SeatedPlay, ...]:
    """Replay all finished rounds of a table from all its actions. Raise `ReplayError`."""
    rounds = played_rounds(table.options.rules, actions)
    return tuple((_table_at_end(table, seat_changes, played), played) for played in rounds)


def _table_at_end(
    table: TableState, seat_changes: Sequence[SeatChangeRecord], played: PlayedRound
) -> TableState:
    """Return the table with its players at the end of this round."""
    return with_seats_at(table, seat_changes, played.actions[-1].seq)


def refuse_damaged(record: TableRecord, error: ReplayError) -> Refused:
    """Log that the actions of a table are damaged, and return the refusal to raise."""
    error_id = new_error_id()
    log.error(
        "table %s is damaged: %s; run `python -m bot check`",
        *(record.id, error),
        extra={"error": error_id},
    )
    return Refused(Reason.UNREADABLE_LOG, number=record.id, error=error_id)
