"""Invariants of the end of a round and of a match, a second implementation of the rules.

Used by `bench.fuzz` together with `bench.invariants`; it may also compare the name of the game.
"""

from __future__ import annotations

from bench.invariants import TABLE, must
from engine import (
    DECK_SIZE,
    DRAGON,
    PHOENIX,
    CardSet,
    Match,
    Points,
    Round,
    RoundResult,
    Seat,
    indices,
)

_SWEEPS: dict[str, tuple[int, Points]] = {
    "nanjing": (2, 200),
    "trichu": (2, 200),
    "tientsin": (3, 300),
}
"""By game: the number of players who go out first for a sweep, and its points (N70, S9)."""


def points(cards: CardSet) -> Points:
    """Return card points: K and 10 ten, 5 five, Dragon 25, Phoenix -25 (N68)."""
    total = 0
    for card in indices(cards):
        face = card % DECK_SIZE
        total += {DRAGON: 25, PHOENIX: -25}.get(face, 0)
        if face < 52:
            total += {5: 5, 10: 10, 13: 10}.get(face // 4 + 2, 0)
    return total


def check_round_end(match: Match) -> None:
    """Check a result: order of going out, points, calls, columns, totals, end of the match."""
    round_, result = match.round, match.results[-1]
    assert round_ is not None
    game, seats = match.options.variant, len(round_.hands)
    must(result.number == len(match.results) == round_.number, "number of the round")
    must(
        result.out == round_.out and result.dealer == round_.dealer,
        "the result is of another round",
    )
    if game == "grandseigneur":
        must(len(result.out) == seats - 1, "more than one has cards left")
        must(not match.totals and not result.cards and not result.score, "points without points")
        must(not result.calls and not any(round_.piles), "calls or piles in Grand Seigneur")
    else:
        _check_points(match, round_, result)
    _check_end(match)


def _check_points(match: Match, round_: Round, result: RoundResult) -> None:
    """Check card points, sweeps, calls, columns and totals (N65-N70, N77, N37, S7-S9, T11)."""
    game, teams = match.options.variant, round_.seating.teams
    size, bonus = _SWEEPS[game]
    first = result.out[:size]
    swept = len(first) == size and len({teams[seat] for seat in first}) == 1
    if result.penalty is not None:
        expected = [200 * (side != teams[result.penalty]) for side in (0, 1)]
    elif swept:
        must(len(result.out) == size, "the round went on after a sweep")
        expected = [bonus * (side == teams[first[0]]) for side in (0, 1)]
    else:
        must(len(result.out) == len(round_.hands) - 1, "more than one has cards left")
        expected = _counted(game, round_)
        must(sum(expected) == 100, f"{sum(expected)} card points")
        must(min(expected) >= -25, "card points below -25")
    must(result.sweep == (swept and result.penalty is None), "a sweep")
    bets = [0, 0]
    for seat, call, made in result.calls:
        must(round_.calls[seat] is call, "a call that nobody made")
        if result.penalty is None or round_.out:
            must(made == (seat == round_.out[0]), "a call judged wrongly")
        bets[teams[seat]] += call.value if made else -call.value
    must(sum(call is not None for call in round_.calls) == len(result.calls), "a call got lost")
    must(sum(made for *_, made in result.calls) <= 1, "two calls made")
    before = match.results[-2].totals if len(match.results) > 1 else (0,) * len(match.totals)
    sides = teams if game == "trichu" else (0, 1)
    must(len(result.score) == len(sides), "columns")
    for column, side in enumerate(sides):
        must(result.cards[column] == expected[side], f"card points {result.cards}, not {expected}")
        must(result.score[column] == expected[side] + bets[side], "points with calls")
        must(result.totals[column] == before[column] + result.score[column], "totals")
        must(abs(result.score[column]) <= 300 + 200 * 3, "points out of all bounds")
    must(match.totals == result.totals, "totals of the match")


def _counted(game: str, round_: Round) -> list[Points]:
    """Return the card points of both teams (N65, N66; S7, S8)."""
    teams, out = round_.seating.teams, round_.out
    (last,) = set(range(len(round_.hands))) - set(out)
    owner = dict(enumerate(teams))
    owner[last] = teams[out[0]] if game != "tientsin" else 1 - teams[last]
    if game == "tientsin":
        owner[out[4]] = teams[out[0]]
    totals = [0, 0]
    for seat, pile in enumerate(round_.piles):
        totals[owner[seat]] += points(pile)
    totals[1 - teams[last]] += points(round_.hands[last].cards)
    return totals


def _check_end(match: Match) -> None:
    """Check the end of the match and its winners (N80-N82, T13, G27)."""
    options, totals, number = match.options, match.totals, len(match.results)
    best = max(totals, default=0)
    winners = tuple(column for column, total in enumerate(totals) if total == best)
    match options.variant:
        case "trichu":
            over = number == options.rounds
        case "grandseigneur":
            over = bool(options.rounds) and number == options.rounds
            winners = match.results[-1].out[:1]
        case _:
            over = best >= (options.target or 0) and len(winners) == 1
    must(match.winners == (winners if over else ()), f"winners {match.winners}")


def check_dealer(match: Match) -> None:
    """Check dealer and seating of a further round (N5, T2, T12, G6, G14)."""
    round_, last = match.round, match.results[-1]
    assert round_ is not None
    step = -1 if match.options.clockwise else 1
    seats = len(round_.hands)
    if match.options.variant == "trichu":
        dealer = (last.dealer - step) % 3
        order: tuple[Seat, ...] = (dealer, (dealer + step) % 3, TABLE, (dealer - step) % 3)
        teams = tuple(int(seat not in (dealer, TABLE)) for seat in range(4))
    elif match.options.variant == "grandseigneur":
        (dealer,) = set(range(seats)) - set(last.out)
        order, teams = (dealer, *reversed(last.out)), tuple(range(seats))
    else:
        dealer = last.out[0] if last.out else last.dealer
        order = tuple((dealer + step * place) % seats for place in range(seats))
        teams = tuple(seat % 2 for seat in range(seats))
    must(round_.dealer == dealer, f"dealer {round_.dealer}, not {dealer}")
    must(round_.seating.order == order and round_.seating.teams == teams, "the seating")
