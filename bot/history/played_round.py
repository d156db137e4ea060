"""Positions of a finished round, replayed from the stored log.

The replay page and the exports use them. Running rounds have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import ReplayError, apply_record, error_kind, is_deal
from engine import Event, Match, Options, RoundResult


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Match after a stored action, and the events of that action. The first is the deal."""

    match: Match
    events: tuple[Event, ...]

    @property
    def tricks(self) -> int:
        """Number of tricks finished before this position."""
        assert self.match.round is not None
        return len(self.match.round.past)


@dataclass(frozen=True, slots=True, repr=False)
class PlayedRound:
    """Finished round: its stored actions from the deal on, and its positions.

    `before` is the match just before the deal. An invisible action (a sealed answer, a waived bomb)
    has no position of its own.
    """

    number: RoundNumber
    before: Match
    actions: tuple[ActionRecord, ...]
    positions: tuple[Position, ...]

    @property
    def dealt(self) -> Match:
        """Match right after the deal."""
        return self.positions[0].match

    @property
    def result(self) -> RoundResult:
        """Result of the round."""
        return self.positions[-1].match.results[self.number - 1]

    def trick_before(self, place: int) -> int:
        """Return the index of the first position of this trick.

        If `place` is that position, return the first position of the previous trick.
        """
        place = max(place, 1)
        return self._begins(self.positions[place - 1].tricks)

    def trick_after(self, place: int) -> int:
        """Return the index of the first position of the next trick, or the last index."""
        return self._begins(self.positions[place].tricks + 1)

    def _begins(self, tricks: int) -> int:
        """Return the first index at which `tricks` tricks are over, or the last index."""
        places = (place for place, at in enumerate(self.positions) if at.tricks >= tricks)
        return next(places, len(self.positions) - 1)


def played_rounds(options: Options, actions: Sequence[ActionRecord]) -> Iterator[PlayedRound]:
    """Yield the finished rounds of a match, replayed from all its stored actions.

    Raise `ReplayError` at the first illegal action, after the rounds before it.
    """
    match: Match | None = None
    before: Match | None = None
    begun: list[ActionRecord] = []
    positions: list[Position] = []
    for action in actions:
        last, finished = match, len(match.results) if match is not None else 0
        try:
            match, events = apply_record(match, options, action.seat, action.text)
        except ValueError as error:  # which all errors of the engine are
            raise ReplayError(action.seq, error_kind(error)) from None
        if is_deal(action):
            before, begun, positions = last, [], []
        begun.append(action)
        if events:
            positions.append(Position(match, tuple(events)))
        if before is not None and len(match.results) > finished:
            yield PlayedRound(len(match.results), before, tuple(begun), tuple(positions))
