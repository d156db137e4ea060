"""How a round changes the ratings of those for whom it counts: Plackett-Luce, by openskill.

Teams and single players alike are ordered by their score of the round (or their place). Computer
players have fixed ratings, which were measured in matches against each other (docs/scores.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from openskill.models import PlackettLuce

from bot.ids import UserId
from bot.records import Column, Level, RoundRecord, RoundSeat
from bot.score_records import Rating

_MU, _SIGMA = 1500.0, 350.0
"""The rating with which everybody begins, and its standard deviation."""
BETA = 400.0
"""How much luck is in a round: the standard deviation of a single performance."""
TAU = 3.5
"""How fast people change: what every round adds to the uncertainty of a rating."""
_LEAST_WEIGHT = 0.25
"""The part of a rating's change that remains when all others are computer players."""

BEGINNER = Rating(_MU, _SIGMA)
"""The rating of a person before their first round."""
FIXED: Mapping[Level, Rating] = {
    "novice": Rating(1470.0, 50.0),
    "regular": Rating(1535.0, 50.0),
    "expert": Rating(1600.0, 50.0),
}
"""The ratings of computer players."""

_model = PlackettLuce(mu=_MU, sigma=_SIGMA, beta=BETA, tau=TAU)


def rated(record: RoundRecord, before: Mapping[UserId, Rating]) -> dict[UserId, Rating]:
    """The new rating of everybody for whom this round counts.

    `before` holds their ratings so far; whoever is missing is a beginner. The fewer of the others
    are people, the less a rating changes: in proportion to their share, but at least by a quarter.
    A seat whose round counts for nobody was played by a Novice at least in part, and counts as one.
    """
    people = [seat for seat in record.seats if seat.counts_for is not None]
    if not record.rated or not people or len(record.seats) < 2:
        return {}
    columns: dict[Column, list[RoundSeat]] = defaultdict(list)
    for seat in record.seats:
        columns[seat.column].append(seat)
    teams = [
        [_model.rating(*_rating(seat, before)) for seat in columns[column]] for column in columns
    ]
    after = _model.rate(teams, ranks=_ranks(record, columns))
    weight = weight_of_round(len(people), len(record.seats))
    ratings = {}
    for seats, team in zip(columns.values(), after, strict=True):
        for seat, new in zip(seats, team, strict=True):
            if seat.counts_for is not None:
                old = before.get(seat.counts_for, BEGINNER)
                ratings[seat.counts_for] = Rating(
                    old.mu + weight * (new.mu - old.mu),
                    old.sigma + weight * (new.sigma - old.sigma),
                )
    return ratings


def weight_of_round(people: int, seats: int) -> float:
    """The part of a rating's change that counts (0 to 1), if `people` of the `seats` are people's.

    There are two seats at least.
    """
    return max(_LEAST_WEIGHT, (people - 1) / (seats - 1))


def _rating(seat: RoundSeat, before: Mapping[UserId, Rating]) -> Rating:
    """The rating of whoever played a seat, before the round."""
    if seat.counts_for is not None:
        return before.get(seat.counts_for, BEGINNER)
    return FIXED[seat.level or "novice"]


def _ranks(record: RoundRecord, columns: Mapping[Column, Sequence[RoundSeat]]) -> list[float]:
    """The rank of each column in the round, 1 for the best; equal scores have the same rank."""
    if record.scores:
        scores = {score.column: score.score for score in record.scores}
        return [float(1 + sum(other > scores[c] for other in scores.values())) for c in columns]
    last = len(record.seats)
    return [float(min(seat.place or last for seat in columns[c])) for c in columns]
