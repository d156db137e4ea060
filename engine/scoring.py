"""The end of a round and of a match: settlement, calls, winners (rules section 4, 7; C11)."""

from __future__ import annotations

from engine.events import Event, MatchEnded, RoundEnded
from engine.state import Call, Match, Phase, Round, RoundResult


def finish_round(match: Match, round_: Round, events: list[Event], team: int | None) -> Match:
    """Score a round that has come to its end; `team` is the one with a sweep, if any (N64-N70)."""
    variant = match.variant
    points = variant.card_score(round_) if team is None else variant.sweep_score(round_, team)
    first = round_.out[0]
    made = tuple(
        (seat, call, seat == first) for seat, call in enumerate(round_.calls) if call is not None
    )
    return _close(match, round_, events, points, made, sweep=team is not None)


def finish_by_penalty(match: Match, round_: Round, events: list[Event], offender: int) -> Match:
    """End a round at a missed wish: 200 for the opponents, calls settled as in C11 (N37)."""
    points = match.variant.penalty_score(round_, offender)
    calls = [(seat, call) for seat, call in enumerate(round_.calls) if call is not None]
    if round_.out:
        succeeded = round_.out[0]
    else:
        teams = round_.seating.teams
        after = round_.seating.after(offender)
        rivals = [
            (-call.value, after.index(seat), seat)
            for seat, call in calls
            if teams[seat] != teams[offender]
        ]
        succeeded = min(rivals)[2] if rivals else -1
    made = tuple((seat, call, seat == succeeded) for seat, call in calls)
    return _close(match, round_, events, points, made, penalty=offender)


def _close(
    match: Match,
    round_: Round,
    events: list[Event],
    points: tuple[int, ...],
    calls: tuple[tuple[int, Call, bool], ...],
    *,
    sweep: bool = False,
    penalty: int | None = None,
) -> Match:
    score = list(points)
    for seat, call, made in calls:
        score[match.variant.column(round_, seat)] += call.value if made else -call.value
    totals = tuple(total + gain for total, gain in zip(match.totals, score, strict=True))
    result = RoundResult(
        number=round_.number,
        dealer=round_.dealer,
        out=round_.out,
        calls=calls,
        cards=points,
        score=tuple(score),
        totals=totals,
        sweep=sweep,
        penalty=penalty,
    )
    events.append(RoundEnded(result))
    match = match._replace(
        totals=totals,
        results=(*match.results, result),
        round=round_._replace(phase=Phase.ROUND_END, submitted=(), waived=0),
    )
    winners = match.variant.winners(match)
    if winners:
        events.append(MatchEnded(winners))
        match = match._replace(winners=winners)
    return match
