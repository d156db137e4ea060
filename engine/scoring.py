"""Scoring of a round and the end of a match (rules sections 4 and 7; C11, G27)."""

from __future__ import annotations

from .actions import StopMatch
from .errors import IllegalAction, Reason
from .events import Event, MatchEnded, RoundEnded
from .hand import Hand
from .round import Call, Phase, Round, RoundResult
from .state import Match
from .types import Points, Seat, Team


def finish_round(match: Match, round_: Round, events: list[Event], team: Team | None) -> Match:
    """Score a finished round (N64-N70).

    `team` is the team that ended it with a sweep, `None` without one.
    """
    variant = match.variant
    points: tuple[Points, ...] = ()
    if team is not None:
        points = tuple(variant.sweep_points * (side == team) for side in range(2))
    elif variant.scored:
        points = variant.card_points(round_)
    first = round_.out[0]
    made = tuple(
        (seat, call, seat == first) for seat, call in enumerate(round_.calls) if call is not None
    )
    return _close_round(match, round_, events, points, made, sweep=team is not None)


def finish_by_penalty(match: Match, round_: Round, events: list[Event], offender: Seat) -> Match:
    """End a round at a missed wish: 200 points for the opponents, calls settled by C11 (N37)."""
    teams = round_.seating.teams
    points = tuple(match.variant.penalty_points * (side != teams[offender]) for side in range(2))
    calls = [(seat, call) for seat, call in enumerate(round_.calls) if call is not None]
    if round_.out:
        successful = round_.out[0]
    else:  # of the opponents' calls the highest is made, of equal ones the first in turn order
        turn_order = round_.seating.after(offender)
        opposing_calls = [
            (-call.value, turn_order.index(seat), seat)
            for seat, call in calls
            if teams[seat] != teams[offender]
        ]
        successful = min(opposing_calls)[2] if opposing_calls else -1
    made = tuple((seat, call, seat == successful) for seat, call in calls)
    return _close_round(match, round_, events, points, made, penalty=offender)


def _close_round(
    match: Match,
    round_: Round,
    events: list[Event],
    points: tuple[Points, ...],
    calls: tuple[tuple[Seat, Call, bool], ...],
    *,
    sweep: bool = False,
    penalty: Seat | None = None,
) -> Match:
    """Settle calls, add up the columns, and end the match if its rules say so (N69, N77, N80).

    `points` are those of each team before calls, empty in a game without points. `calls` are tuples
    of seat, call and whether it was made.
    """
    variant = match.variant
    cards, score = [0] * len(match.totals), [0] * len(match.totals)
    for team, won in enumerate(points):
        bets = sum(
            call.value if made else -call.value
            for seat, call, made in calls
            if round_.seating.teams[seat] == team
        )
        for column in variant.columns_of(round_, team):
            cards[column], score[column] = won, won + bets
    totals = tuple(total + gain for total, gain in zip(match.totals, score, strict=True))
    result = RoundResult(
        number=round_.number,
        dealer=round_.dealer,
        out=round_.out,
        calls=calls,
        cards=tuple(cards),
        score=tuple(score),
        totals=totals,
        sweep=sweep,
        penalty=penalty,
    )
    events.append(RoundEnded(result))
    match = match._replace(
        totals=totals,
        results=(*match.results, result),
        round=_with_fresh_hands(round_._replace(phase=Phase.ROUND_END, submitted=(), waived=0)),
    )
    return end_match(match, events) if variant.is_over(match) else match


def _with_fresh_hands(round_: Round) -> Round:
    """Return the round with fresh hands, to release the combinations that the old ones cache."""
    return round_._replace(hands=tuple(Hand(hand.cards) for hand in round_.hands))


def end_match(match: Match, events: list[Event]) -> Match:
    """End a match, by its rules or by a stop vote, with the current totals (N80, G27)."""
    winners = match.variant.leaders(match)
    events.append(MatchEnded(winners))
    return match._replace(winners=winners)


def stop_match(
    match: Match, _round: Round, _: StopMatch, _none: None, events: list[Event]
) -> Match:
    """Carry out a checked stop vote (G27)."""
    return end_match(match, events)


def check_stop(match: Match, _round: Round, _: StopMatch) -> None:
    """Raise `IllegalAction` unless a stop vote may end this match now (G27)."""
    if not match.variant.may_stop(match):
        raise IllegalAction(Reason.NO_STOP_VOTE, "G27")
    if match.phase is not Phase.ROUND_END:
        raise IllegalAction(Reason.WRONG_PHASE, "G27", phase=match.phase.value)
