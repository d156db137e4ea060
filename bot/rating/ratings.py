"""Changes of ratings by a round: Plackett-Luce, by openskill.

Teams and single players are ranked by their score of the round (or their place). Computer players
have fixed ratings, which were measured in matches against each other (docs/scores.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from openskill.models import PlackettLuce

from bot.ids import UserId
from bot.records import Column, Level, RoundRecord, RoundSeat
from bot.score_records import Rating

_MU, _SIGMA = 1500.0, 350.0
"""Initial rating and its standard deviation."""
BETA = 400.0
"""Standard deviation of a single performance, the amount of luck in a round."""
TAU = 3.5
"""Uncertainty added to a rating with every round, for changes of skill."""
_LEAST_WEIGHT = 0.25
"""Share of a rating's change that remains when all others are computer players."""

BEGINNER = Rating(_MU, _SIGMA)
"""Rating of a person before their first round."""
FIXED: Mapping[Level, Rating] = {
    "novice": Rating(1470.0, 50.0),
    "regular": Rating(1535.0, 50.0),
    "expert": Rating(1600.0, 50.0),
}
"""Ratings of computer players by level."""

_model = PlackettLuce(mu=_MU, sigma=_SIGMA, beta=BETA, tau=TAU)


def new_ratings(record: RoundRecord, before: Mapping[UserId, Rating]) -> dict[UserId, Rating]:
    """Return the new rating of everybody credited with this round.

    `before` contains their previous ratings; people without one are beginners. The change of a
    rating is weighted by `weight_of_round`. If a person's seat is credited to nobody, a Novice has
    played it at least in part, so it is rated as a Novice.
    """
    people = [seat for seat in record.seats if seat.counts_for is not None]
    if not record.rated or not people or len(record.seats) < 2:
        return {}
    columns: dict[Column, list[RoundSeat]] = defaultdict(list)
    for seat in record.seats:
        columns[seat.column].append(seat)
    teams = [
        [_model.rating(*_rating_before(seat, before)) for seat in columns[column]]
        for column in columns
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
    """Return the weight (0 to 1) of a round for ratings.

    It is the share of people among a person's opponents and partners, but at least `_LEAST_WEIGHT`.
    `people` of the `seats` are credited to people. There must be at least two seats.
    """
    return max(_LEAST_WEIGHT, (people - 1) / (seats - 1))


def _rating_before(seat: RoundSeat, before: Mapping[UserId, Rating]) -> Rating:
    """Return the rating of a seat's player before the round."""
    if seat.counts_for is not None:
        return before.get(seat.counts_for, BEGINNER)
    return FIXED[seat.level or "novice"]


def _ranks(record: RoundRecord, columns: Mapping[Column, Sequence[RoundSeat]]) -> list[float]:
    """Return the rank of each column from 1; equal scores share one."""
    if record.scores:
        scores = {score.column: score.score for score in record.scores}
        return [float(1 + sum(other > scores[c] for other in scores.values())) for c in columns]
    last_place = len(record.seats)
    return [float(min(seat.place or last_place for seat in columns[c])) for c in columns]
