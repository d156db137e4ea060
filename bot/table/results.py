"""Stored records of finished rounds and matches."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from typing import Literal

from bot.ids import UserId
from bot.records import (
    MatchEnd,
    MatchRecord,
    MatchScore,
    MatchSeat,
    RoundRecord,
    RoundScore,
    RoundSeat,
)
from bot.table.attribution import add_count, seat_credit
from bot.table.details import Turns
from bot.table.match_length import winners_of
from bot.table.moments import laid_plays
from bot.table.state import Game
from engine import Call, Column, RoundResult, Seat

CALLS: dict[Call, Literal["tichu", "grand"]] = {Call.TICHU: "tichu", Call.GRAND: "grand"}
"""Stored names of calls."""


def round_record(game: Game, result: RoundResult, ended_at: datetime) -> RoundRecord:
    """Return the record of the round that has just been scored; `game` is the game after it."""
    calls = {seat: (call, made) for seat, call, made in result.calls}
    bombs = _bomb_counts(game)
    return RoundRecord(
        number=result.number,
        ended_at=ended_at,
        variant=game.options.variant,
        rated=game.options.rated,
        result=json.dumps(
            {
                "out": result.out,
                "sweep": result.sweep,
                "penalty": result.penalty,
                "dealer": result.dealer,
                "calls": [[seat, CALLS[call], made] for seat, call, made in result.calls],
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
                column=_column(game, chair.seat),
                place=result.out.index(chair.seat) + 1 if chair.seat in result.out else None,
                call=CALLS[calls[chair.seat][0]] if chair.seat in calls else None,
                call_made=calls[chair.seat][1] if chair.seat in calls else None,
                margin=_margin(game, result, chair.seat),
                sweep=result.sweep and not _are_opponents(game, chair.seat, result.out[0]),
                bombs=bombs[chair.seat],
                level=game.options.computers if chair.kind == "computer" else None,
                **seat_credit(game.credits.turns.get(chair.seat, {}), chair.user_id)._asdict(),
            )
            for chair in game.chairs
        ),
    )


def _column(game: Game, seat: Seat) -> Column:
    """Return the score column of a seat in the current round."""
    return game.match.variant.column(game.round, seat)


def _are_opponents(game: Game, seat: Seat, other: Seat) -> bool:
    """Return whether two seats are opponents in the current round."""
    teams = game.round.seating.teams
    return teams[seat] != teams[other]


def _margin(game: Game, result: RoundResult, seat: Seat) -> int:
    """Return a seat's lead over its opponents, in hundredths (see `RoundSeat.margin`)."""
    if result.score:
        seats = range(len(game.round.hands))
        opposing = {_column(game, other) for other in seats if _are_opponents(game, seat, other)}
        mean = sum(result.score[column] for column in opposing) / len(opposing)
        return round(100 * (result.score[_column(game, seat)] - mean))
    # in a game of places
    others = len(game.chairs) - 1
    went_out_before = result.out.index(seat) if seat in result.out else others
    percent_behind = 100 * (others - went_out_before) / others
    return round(100 * percent_behind)


def _bomb_counts(game: Game) -> Counter[Seat]:
    """Return the number of bombs by chair in the current round."""
    plays = laid_plays(game.round)
    return Counter(game.decider(play.seat) for play in plays if play.combination.is_bomb)


def add_round_credits(game: Game, record: RoundRecord) -> Turns:
    """Return the numbers of rounds by chair and credited user, including the round of `record`."""
    rounds = game.credits.rounds
    for seat in record.seats:
        rounds = add_count(rounds, seat.seat, seat.counts_for)
    return rounds


def match_record(game: Game, ended_at: datetime, reason: MatchEnd) -> MatchRecord:
    """Return the record of a match that has ended."""
    match, round_, winners = game.match, game.round, winners_of(game.match)
    credited = _match_credits(game)
    return MatchRecord(
        variant=game.options.variant,
        ended_at=ended_at,
        reason=reason,
        rounds=len(match.results),
        rated=game.options.rated,
        scores=tuple(
            MatchScore(column=column, total=total, won=column in winners)
            for column, total in enumerate(match.totals)
        ),
        seats=tuple(
            MatchSeat(
                seat=chair.seat,
                user_id=chair.user_id,
                name=chair.name,
                kind="person" if chair.kind == "person" else "computer",
                column=match.variant.column(round_, chair.seat),
                won=match.variant.column(round_, chair.seat) in winners,
                counts_for=credited.get(chair.seat),
            )
            for chair in game.chairs
        ),
    )


def _match_credits(game: Game) -> dict[Seat, UserId]:
    """Return the person credited with the match by seat, if any.

    A person who could be credited on several seats gets the seat with most rounds credited to them,
    or in a tie the seat they have at the end.
    """
    best_claims: dict[UserId, tuple[int, bool, Seat]] = {}
    """By person: rounds credited on a seat, True if they sit there at the end, the seat."""
    for chair in game.chairs:
        rounds_of_seat = game.credits.rounds.get(chair.seat, {})
        person, _, own_rounds = seat_credit(rounds_of_seat, chair.user_id)
        if person is not None:
            claim = own_rounds, chair.user_id == person, chair.seat
            best_claims[person] = max(claim, best_claims.get(person, claim))
    return {seat: person for person, (_, _, seat) in best_claims.items()}
