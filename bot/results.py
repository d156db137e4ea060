"""Finished rounds and matches as the store keeps them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Literal

from bot.shares import share
from bot.storage import (
    MatchRecord,
    MatchScore,
    MatchSeat,
    RoundRecord,
    RoundScore,
    RoundSeat,
)
from bot.table import TableState
from engine.state import Call, RoundResult

_CALLS: dict[Call, Literal["tichu", "grand"]] = {Call.TICHU: "tichu", Call.GRAND: "grand"}


def round_record(state: TableState, result: RoundResult, at: datetime) -> RoundRecord:
    """The record of the round just scored; `state` holds that round."""
    assert state.match is not None
    assert state.round is not None
    calls = {seat: (call, made) for seat, call, made in result.calls}
    return RoundRecord(
        number=result.number,
        ended_at=at,
        result=json.dumps(
            {
                "out": result.out,
                "sweep": result.sweep,
                "penalty": result.penalty,
                "dealer": result.dealer,
                "calls": [[seat, _CALLS[call], made] for seat, call, made in result.calls],
            }
        ),
        scores=tuple(
            RoundScore(column=column, card_points=cards, score=score, total=total)
            for column, (cards, score, total) in enumerate(
                zip(result.cards, result.score, result.totals, strict=True)
            )
        ),
        seats=tuple(
            RoundSeat(
                seat=chair.seat,
                user_id=chair.user_id,
                kind="person" if chair.kind == "person" else "computer",
                column=state.match.variant.column(state.round, chair.seat),
                place=result.out.index(chair.seat) + 1 if chair.seat in result.out else None,
                call=_CALLS[calls[chair.seat][0]] if chair.seat in calls else None,
                call_made=calls[chair.seat][1] if chair.seat in calls else None,
                **share(state.desk.turns.get(chair.seat, {}), chair.user_id)._asdict(),
            )
            for chair in state.chairs
        ),
    )


def match_record(
    state: TableState, at: datetime, reason: Literal["finished", "stopped"]
) -> MatchRecord:
    """The record of a match that ended; one that was stopped has no winners."""
    match, round_ = state.match, state.round
    assert match is not None
    assert round_ is not None
    return MatchRecord(
        variant=state.options.variant,
        ended_at=at,
        reason=reason,
        rounds=len(match.results),
        scores=tuple(
            MatchScore(column=column, total=total, won=column in match.winners)
            for column, total in enumerate(match.totals)
        ),
        seats=tuple(
            MatchSeat(
                seat=chair.seat,
                user_id=chair.user_id,
                name=chair.name,
                kind="person" if chair.kind == "person" else "computer",
                column=match.variant.column(round_, chair.seat),
                won=match.variant.column(round_, chair.seat) in match.winners,
            )
            for chair in state.chairs
        ),
    )
