"""Replays of solo rounds, in the form of those of tables, so that the same pages show them.

The table of such a replay has the person on their seat and three computers. Its id is that of the
solo game, so the buttons of the pages have it.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.board_records import SoloRound
from bot.boards.board import Board
from bot.errors import Reason, Refused
from bot.history.deal_proof import proof_of_deal
from bot.history.played_round import PlayedRound, Position
from bot.history.replay import Replay
from bot.history.replay_cache import SharedWork
from bot.ids import TableId, UserId
from bot.records import CLOCK, ActionRecord, SeatChangeRecord
from bot.runtime.logs import kind_and_place, new_error_id
from bot.storage import Store
from bot.table.action_log import write_deal
from bot.table.solo_game import SOLO_IDS, read_actions, solo_game
from bot.table.state import TableState, shared_fields
from engine import Options, apply, deal, new_match, write_action
from players.boards import PERSON

log = logging.getLogger(__name__)


def solo_round_id(table_id: TableId | None) -> int | None:
    """Return the number of the solo round with this id of a table, `None` for other tables."""
    return None if table_id is None or table_id <= SOLO_IDS else table_id - SOLO_IDS


class SoloReplays:
    """Builds replays of finished solo rounds from the store."""

    def __init__(self, store: Store, work: SharedWork) -> None:
        self._store = store
        self._work = work

    async def replay(self, table_id: TableId, user_id: UserId) -> Replay:
        """Return the replay of a person's own round.

        Raise `Refused` if it is not theirs (``unknown-button``), not over (``round-not-over``), or
        damaged, or if too much other work is waiting.
        """
        round_ = await self._store.boards.round(table_id - SOLO_IDS)
        if round_ is None or round_.user_id != user_id:
            raise Refused(Reason.UNKNOWN_BUTTON)
        record = await self._store.boards.board(round_.board_id)
        assert record is not None
        board = Board.of(record)
        if round_.ended_at is None:
            raise Refused(Reason.ROUND_NOT_OVER, number=board.round_number)
        return await self._work.result(
            ("solo", round_.id), lambda: asyncio.to_thread(_replay, board, round_)
        )


def _replay(board: Board, round_: SoloRound) -> Replay:
    """Return the replay of a finished round; raise `Refused` if it is damaged."""
    try:
        played = _played_round(board, round_)
    except ValueError as error:  # the base of all errors of the engine
        error_id = new_error_id()
        where = kind_and_place(error)
        log.error("solo round %s is damaged: %s", round_.id, where, extra={"error": error_id})
        raise Refused(Reason.UNREADABLE_LOG, number=board.number, error=error_id) from None
    table = TableState(**shared_fields(solo_game(round_, board)))
    at_deal = replace(table, id=TableId(board.table))
    proof = proof_of_deal(at_deal, played.number, board.fair_deal, played.before, played.dealt)
    # Each deal draws its dealer, because none follows from another one.
    proof = replace(proof, dealer_drawn=board.dealer == proof.dealer, board=board)
    return Replay(table, played, proof)


def _played_round(board: Board, round_: SoloRound) -> PlayedRound:
    """Replay a finished round; raise `ValueError`."""
    fair, number = board.fair_deal, board.round_number
    before = new_match(Options(), board.dealer)
    match, events = deal(before, fair.deck(number, before.variant.deck(before.options)))

    def record(seq: int, seat: int, text: str) -> ActionRecord:
        by_person = seq > 1 and seat in (PERSON, CLOCK)
        return ActionRecord(
            seq=seq,
            round=number,
            seat=seat,
            actor_id=round_.user_id if by_person else None,
            text=text,
            at=round_.begun_at,
        )

    records = [record(1, CLOCK, write_deal(fair))]
    positions = [Position(match, tuple(events))]
    for count, action in enumerate(read_actions(round_.actions), 1):
        match, events = apply(match, action)
        records.append(record(count + 1, action.seat, write_action(action)))
        if events:
            positions.append(Position(match, tuple(events), count))
    if not match.results:
        raise ValueError("the round is not over")
    return PlayedRound(number, before, tuple(records), tuple(positions))


def seat_changes_of(replay: Replay) -> tuple[SeatChangeRecord, ...]:
    """Return the occupant of the person's seat in the replay of a solo round."""
    user_id, name = replay.table.host_id, replay.table.chairs[PERSON].name
    return (SeatChangeRecord(seat=PERSON, kind="person", user_id=user_id, name=name, seq=1),)
