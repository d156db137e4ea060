"""What has to hold at the end of a round and of a match, counted a second time from the rules.

Used by `bench.fuzz` together with `bench.invariants`.
"""

from __future__ import annotations

from bench.invariants import TABLE, must
from engine import DECK_SIZE, DRAGON, PHOENIX, Match, Round, RoundResult, indices

_SWEEPS = {"nanjing": (2, 200), "trichu": (2, 200), "tientsin": (3, 300)}


def points(cards: int) -> int:
    """Card points: K and 10 ten, 5 five, Dragon 25, Phoenix -25 (N68)."""
    total = 0
    for card in indices(cards):
        face = card % DECK_SIZE
        total += {DRAGON: 25, PHOENIX: -25}.get(face, 0)
        if face < 52:
            total += {5: 5, 10: 10, 13: 10}.get(face // 4 + 2, 0)
    return total


def check_round_end(match: Match) -> None:
    """After a scoring: order of going out, points, calls, columns, totals, the end of the match."""
    r, result = match.round, match.results[-1]
    assert r is not None
    game, seats = match.options.variant, len(r.hands)
    must(result.number == len(match.results) == r.number, "number of the round")
    must(result.out == r.out and result.dealer == r.dealer, "the result is of another round")
    if game == "grandseigneur":
        must(len(result.out) == seats - 1, "more than one has cards left")
        must(not match.totals and not result.cards and not result.score, "points without points")
        must(not result.calls and not any(r.piles), "calls or piles in Grand Seigneur")
    else:
        _check_points(match, r, result)
    _check_end(match)


def _check_points(match: Match, r: Round, result: RoundResult) -> None:
    game, teams = match.options.variant, r.seating.teams
    size, bonus = _SWEEPS[game]
    first = result.out[:size]
    swept = len(first) == size and len({teams[seat] for seat in first}) == 1
    if result.penalty is not None:
        expected = [200 * (side != teams[result.penalty]) for side in (0, 1)]
    elif swept:
        must(len(result.out) == size, "the round went on after a sweep")
        expected = [bonus * (side == teams[first[0]]) for side in (0, 1)]
    else:
        must(len(result.out) == len(r.hands) - 1, "more than one has cards left")
        expected = _counted(game, r)
        must(sum(expected) == 100, f"{sum(expected)} card points")
        must(min(expected) >= -25, "card points below -25")
    must(result.sweep == (swept and result.penalty is None), "a sweep")
    bets = [0, 0]
    for seat, call, made in result.calls:
        must(r.calls[seat] is call, "a call that nobody made")
        if result.penalty is None or r.out:
            must(made == (seat == r.out[0]), "a call judged wrongly")
        bets[teams[seat]] += call.value if made else -call.value
    must(sum(call is not None for call in r.calls) == len(result.calls), "a call got lost")
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


def _counted(game: str, r: Round) -> list[int]:
    """The card points of both teams (N65, N66; S7, S8)."""
    teams, out = r.seating.teams, r.out
    (last,) = set(range(len(r.hands))) - set(out)
    owner = dict(enumerate(teams))
    owner[last] = teams[out[0]] if game != "tientsin" else 1 - teams[last]
    if game == "tientsin":
        owner[out[4]] = teams[out[0]]
    found = [0, 0]
    for seat, pile in enumerate(r.piles):
        found[owner[seat]] += points(pile)
    found[1 - teams[last]] += points(r.hands[last].cards)
    return found


def _check_end(match: Match) -> None:
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
    """After a further deal: who deals and who sits where (N5, T2, T12, G6, G14)."""
    r, last = match.round, match.results[-1]
    assert r is not None
    step = -1 if match.options.clockwise else 1
    seats = len(r.hands)
    if match.options.variant == "trichu":
        dealer = (last.dealer - step) % 3
        order: tuple[int, ...] = (dealer, (dealer + step) % 3, TABLE, (dealer - step) % 3)
        teams = tuple(int(seat not in (dealer, TABLE)) for seat in range(4))
    elif match.options.variant == "grandseigneur":
        (dealer,) = set(range(seats)) - set(last.out)
        order, teams = (dealer, *reversed(last.out)), tuple(range(seats))
    else:
        dealer = last.out[0] if last.out else last.dealer
        order = tuple((dealer + step * place) % seats for place in range(seats))
        teams = tuple(seat % 2 for seat in range(seats))
    must(r.dealer == dealer, f"dealer {r.dealer}, not {dealer}")
    must(r.seating.order == order and r.seating.teams == teams, "the seating")
