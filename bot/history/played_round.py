"""Positions of a finished round, replayed from the stored log.

The replay page and the exports use them. Running rounds have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import ReplayError, is_deal, kind_of, step
from engine import Event, Match, Options, RoundResult


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Match after a stored action, and the events of that action."""

    match: Match
    events: tuple[Event, ...]

    @property
    def tricks(self) -> int:
        """Number of tricks finished before this position."""
        assert self.match.round is not None
        return len(self.match.round.past)


@dataclass(frozen=True, slots=True, repr=False)
class PlayedRound:
    """Finished round, replayed from its stored actions."""

    number: RoundNumber
    """Number of the round, from 1."""
    before: Match
    """Match just before the deal."""
    actions: tuple[ActionRecord, ...]
    """Stored actions, the deal first."""
    positions: tuple[Position, ...]
    """Positions, that of the deal first.

    An invisible action (a sealed answer, a waived bomb) has no position of its own.
    """

    @property
    def dealt(self) -> Match:
        """Match right after the deal."""
        return self.positions[0].match

    @property
    def result(self) -> RoundResult:
        """Result of the round."""
        return self.positions[-1].match.results[self.number - 1]

    def trick_before(self, index: int) -> int:
        """Return the index of the first position of the trick at `index`.

        If `index` is that position, return the first position of the previous trick.
        """
        index = max(index, 1)
        return self._index_of_trick(self.positions[index - 1].tricks)

    def trick_after(self, index: int) -> int:
        """Return the index of the first position of the next trick, or the last index."""
        return self._index_of_trick(self.positions[index].tricks + 1)

    def _index_of_trick(self, tricks: int) -> int:
        """Return the first index at which `tricks` tricks are over, or the last index."""
        indexes = (
            index for index, position in enumerate(self.positions) if position.tricks >= tricks
        )
        return next(indexes, len(self.positions) - 1)


def played_rounds(options: Options, actions: Sequence[ActionRecord]) -> Iterator[PlayedRound]:
    """Yield the finished rounds of a match, replayed from all its stored actions.

    Raise `ReplayError` at the first illegal action, after the rounds before it.
    """
    match: Match | None = None
    before: Match | None = None
    round_actions: list[ActionRecord] = []
    positions: list[Position] = []
    for action in actions:
        previous, finished_count = match, len(match.results) if match is not None else 0
        try:
            match, events = step(match, options, action.seat, action.text)
        except ValueError as error:  # which all errors of the engine are
            raise ReplayError(action.seq, kind_of(error)) from None
        if is_deal(action):
            before, round_actions, positions = previous, [], []
        round_actions.append(action)
        if events:
            positions.append(Position(match, tuple(events)))
        if before is not None and len(match.results) > finished_count:
            yield PlayedRound(len(match.results), before, tuple(round_actions), tuple(positions))
