"""Highlights of a finished match for its result card, found by a replay of its actions.

There is no storage here; `bot.history.matches` loads what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.history.played_round import played_rounds
from bot.history.seat_history import with_seats_at
from bot.records import ActionRecord, RoundRecord, SeatChangeRecord
from bot.table.moments import laid_plays
from bot.table.state import Game, TableState
from engine import Combination, Kind, Seat

SHORTEST = 5
"""Smallest number of cards of a play worth showing, unless it is a bomb."""
_STRAIGHTS = (Kind.STRAIGHT, Kind.STRAIGHT_BOMB)


class Highlight(NamedTuple):
    """A play of a match."""

    table: TableState
    """The table with its players at the end of the play's round."""
    seat: Seat
    combination: Combination


class MatchFacts(NamedTuple):
    """Facts of a match that its last state does not have; empty in a game without points."""

    rounds: Sequence[RoundRecord] = ()
    """Its stored rounds."""
    play: Highlight | None = None
    """Its largest bomb, or its longest combination if nobody bombed."""
    straight: Highlight | None = None
    """Its longest straight, also if that is a bomb; of equally long ones the highest."""


def match_facts(
    game: Game,
    rounds: Sequence[RoundRecord],
    actions: Sequence[ActionRecord],
    seat_changes: Sequence[SeatChangeRecord],
) -> MatchFacts:
    """Return the facts of a finished match from all that is stored of it."""
    plays = [
        play
        for play in _plays(game, actions, seat_changes)
        if play.combination.is_bomb or play.combination.size >= SHORTEST
    ]
    straights = (play for play in plays if play.combination.kind in _STRAIGHTS)
    return MatchFacts(
        rounds, max(plays, key=_worth, default=None), max(straights, key=_length, default=None)
    )


def _plays(
    game: Game, actions: Sequence[ActionRecord], seat_changes: Sequence[SeatChangeRecord]
) -> Iterator[Highlight]:
    """Yield all plays of a match; only one round at a time is in memory."""
    for played in played_rounds(game.options.rules, actions):
        table = with_seats_at(game, seat_changes, played.actions[-1].seq)
        round_ = played.positions[-1].match.round
        assert round_ is not None, "it was dealt"
        for play in laid_plays(round_):
            yield Highlight(table, play.seat, play.combination)


def _worth(play: Highlight) -> tuple[bool, int, int]:
    return play.combination.is_bomb, *_length(play)


def _length(play: Highlight) -> tuple[int, int]:
    return play.combination.size, play.combination.key
