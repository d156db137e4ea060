"""Finished rounds and matches as the store keeps them."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from typing import Literal

from bot.records import MatchRecord, MatchScore, MatchSeat, RoundRecord, RoundScore, RoundSeat
from bot.table.attribution import Turns, counted, share
from bot.table.state import TableState
from engine.state import Call, RoundResult

_CALLS: dict[Call, Literal["tichu", "grand"]] = {Call.TICHU: "tichu", Call.GRAND: "grand"}


def round_record(state: TableState, result: RoundResult, at: datetime) -> RoundRecord:
    """The record of the round just scored; `state` holds that round."""
    assert state.match is not None
    assert state.round is not None
    calls = {seat: (call, made) for seat, call, made in result.calls}
    bombs = _bombs(state)
    return RoundRecord(
        number=result.number,
        ended_at=at,
        variant=state.options.variant,
        rated=state.options.rated,
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
                column=_column(state, chair.seat),
                place=result.out.index(chair.seat) + 1 if chair.seat in result.out else None,
                call=_CALLS[calls[chair.seat][0]] if chair.seat in calls else None,
                call_made=calls[chair.seat][1] if chair.seat in calls else None,
                margin=_margin(state, result, chair.seat),
                sweep=result.sweep and not _opposed(state, chair.seat, result.out[0]),
                bombs=bombs[chair.seat],
                level=state.options.computers if chair.kind == "computer" else None,
                **share(state.desk.turns.get(chair.seat, {}), chair.user_id)._asdict(),
            )
            for chair in state.chairs
        ),
    )


def _column(state: TableState, seat: int) -> int:
    """The score column of a seat in the round on the table."""
    assert state.match is not None
    assert state.round is not None
    return state.match.variant.column(state.round, seat)


def _opposed(state: TableState, one: int, other: int) -> bool:
    """Whether two seats played against each other in the round on the table."""
    assert state.round is not None
    teams = state.round.seating.teams
    return teams[one] != teams[other]


def _margin(state: TableState, result: RoundResult, seat: int) -> int:
    """How far a seat was ahead of its opponents, in hundredths (see `RoundSeat`)."""
    assert state.round is not None
    if result.score:
        seats = range(len(state.round.hands))
        theirs = {_column(state, other) for other in seats if _opposed(state, seat, other)}
        mean = sum(result.score[column] for column in theirs) / len(theirs)
        return round(100 * (result.score[_column(state, seat)] - mean))
    others = len(state.chairs) - 1
    place = result.out.index(seat) if seat in result.out else others
    return round(10_000 * (others - place) / others)


def _bombs(state: TableState) -> Counter[int]:
    """How many bombs each chair has laid in the round on the table."""
    round_ = state.round
    assert round_ is not None
    tricks = [*(trick.steps for trick in round_.past), round_.trick]
    return Counter(
        state.decider(step.seat)
        for steps in tricks
        for step in steps
        if step.combination is not None and step.combination.is_bomb
    )


def rounds_counted(state: TableState, record: RoundRecord) -> Turns:
    """The desk's `rounds` with one more."""
    rounds = state.desk.rounds
    for seat in record.seats:
        rounds = counted(rounds, seat.seat, seat.counts_for)
    return rounds


def match_record(
    state: TableState, at: datetime, reason: Literal["finished", "stopped"]
) -> MatchRecord:
    """The record of a match that ended; one that was stopped has no winners."""
    match, round_ = state.match, state.round
    assert match is not None
    assert round_ is not None
    counts_for = _seats_counted(state)
    return MatchRecord(
        variant=state.options.variant,
        ended_at=at,
        reason=reason,
        rounds=len(match.results),
        rated=state.options.rated,
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
                counts_for=counts_for.get(chair.seat),
            )
            for chair in state.chairs
        ),
    )


def _seats_counted(state: TableState) -> dict[int, int]:
    """For whom a match counts, by seat: nobody twice, who changed seats for the one he had longer.

    After as many rounds in both it is the one in which he sits at the end.
    """
    found: dict[int, tuple[int, bool, int]] = {}
    for chair in state.chairs:
        taken = state.desk.rounds.get(chair.seat, {})
        user_id, _, rounds = share(taken, chair.user_id)
        if user_id is not None:
            own = rounds, chair.user_id == user_id, chair.seat
            found[user_id] = max(own, found.get(user_id, own))
    return {seat: user_id for user_id, (_, _, seat) in found.items()}
