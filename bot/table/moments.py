"""The moment of a finished round that is worth sharing: a deciding bomb, or a close Tichu call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from bot.table.state import Game
from engine import Combination, Phase, Points, Round, Seat, points_of

DECIDING_POINTS: Points = 25
"""Points of a trick from which the bomb that wins it decides the round."""


class LaidPlay(NamedTuple):
    """A play of a round, with the index of its trick."""

    trick: int
    seat: Seat
    combination: Combination


class Moment(NamedTuple):
    """The trick to share, by its index in the round, and what makes it special."""

    kind: Literal["bomb", "tichu"]
    trick: int


def laid_plays(round_: Round) -> Iterator[LaidPlay]:
    """Yield all plays of a round in their order."""
    for trick, steps in enumerate([*(trick.steps for trick in round_.past), round_.trick]):
        for step in steps:
            if step.combination is not None:
                yield LaidPlay(trick, step.seat, step.combination)


def moment(game: Game) -> Moment | None:
    """Return the moment of the last round, if it is over and has one; a Tichu has precedence.

    A Tichu is close if its caller went out when an opponent had one card left, or had one card left
    themselves when somebody else went out. For bombs see `_deciding_bomb`.
    """
    if game.round.phase is not Phase.ROUND_END or not game.match.variant.scored:
        return None
    laid = list(laid_plays(game.round))
    out, left = _first_out(game.round, laid)
    if out < len(laid) and _was_close(game, laid[out].seat, left):
        return Moment("tichu", laid[out].trick)
    bomb = _deciding_bomb(game, laid, out)
    return None if bomb is None else Moment("bomb", bomb.trick)


def _first_out(round_: Round, laid: Sequence[LaidPlay]) -> tuple[int, Counter[Seat]]:
    """Return the index of the first play that emptied a hand, and the cards left after it by seat.

    The index is the number of plays if a missed wish ended the round before.
    """
    left = Counter({seat: hand.size for seat, hand in enumerate(round_.hands)})
    for play in laid:
        left[play.seat] += play.combination.size
    for index, play in enumerate(laid):
        left[play.seat] -= play.combination.size
        if not left[play.seat]:
            return index, left
    return len(laid), left


def _was_close(game: Game, first: Seat, left: Counter[Seat]) -> bool:
    """Return whether a call was made or failed by one card when `first` went out."""
    opponents = game.round.seating.opponents(first)
    return any(
        any(left[seat] == 1 for seat in opponents) if caller == first else left[caller] == 1
        for caller, _, _ in game.match.results[-1].calls
    )


def _deciding_bomb(game: Game, laid: Sequence[LaidPlay], out: int) -> LaidPlay | None:
    """Return the bomb that decided most in the round, if any did.

    It has beaten an opponent's play and won the trick. It stopped or saved a call: it beat the
    caller, whose call failed, or it was thrown by the team of a caller who went out first. Or the
    trick had at least `DECIDING_POINTS`, and card points counted. `out` is the index of the play by
    which the first player went out; later bombs change no call.
    """
    result, teams = game.match.results[-1], game.round.seating.teams
    points_count = not result.sweep and result.penalty is None
    found = []
    for index, (under, bomb) in enumerate(pairwise(laid), start=1):
        won = index + 1 == len(laid) or laid[index + 1].trick != bomb.trick
        if not bomb.combination.is_bomb or under.trick != bomb.trick or not won:
            continue
        if teams[under.seat] == teams[bomb.seat]:
            continue
        call = index <= out and any(
            teams[caller] == teams[bomb.seat] if made else caller == under.seat
            for caller, _, made in result.calls
        )
        cards = sum(play.combination.cards for play in laid if play.trick == bomb.trick)
        points = points_of(cards) if points_count else 0
        if call or points >= DECIDING_POINTS:
            found.append((call, points, bomb))
    return max(found)[-1] if found else None
