"""Positions of a finished round, replayed from the stored log.

The replay page and the exports use them. Running rounds have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import ReplayError, apply_record, error_kind, is_deal
from engine import Event, Match, Options, Played, RoundResult


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

    @property
    def trick_ends(self) -> tuple[int, ...]:
        """Index of the last position of each trick, then the last index.

        At the end of a trick its last play is still on the table, except for a Dog, which leaves
        the table at once.
        """
        ends = []
        for place, (position, after) in enumerate(pairwise(self.positions)):
            if after.tricks > position.tricks:
                # A Dog is played and ends its trick in one action.
                is_play = any(isinstance(event, Played) for event in after.events)
                ends.append(place + 1 if is_play else place)
        last = len(self.positions) - 1
        return tuple(dict.fromkeys((*ends, last)))  # without duplicates

    def trick_before(self, place: int) -> int:
        """Return the index of the end of the previous trick, or 0."""
        return max((end for end in self.trick_ends if end < place), default=0)

    def trick_after(self, place: int) -> int:
        """Return the index of the first end of a trick after this index."""
        return next((end for end in self.trick_ends if end > place), len(self.positions) - 1)

    def trick_end(self, trick: int) -> int:
        """Return the end of the trick with this number, from 0; of the last trick if too large."""
        return self.trick_ends[min(trick, len(self.trick_ends) - 1)]

    def trick_until(self, place: int) -> range:
        """Return the indices of all positions of the trick that this index belongs to."""
        end = self.trick_after(place - 1)
        begin = self.trick_before(end) + 1 if self.trick_before(end) else 0
        return range(begin, end + 1)


def played_rounds(options: Options, actions: Sequence[ActionRecord]) -> Iterator[PlayedRound]:
    """Yield the finished rounds of a match, replayed from all its stored actions.

    Raise `ReplayError` at the first illegal action, after the rounds before it.
    """
    match: Match | None = None
    before: Match | None = None
    round_actions: list[ActionRecord] = []
    positions: list[Position] = []
    for action in actions:
        previous, finished = match, len(match.results) if match is not None else 0
        try:
            match, events = apply_record(match, options, action.seat, action.text)
        except ValueError as error:  # which all errors of the engine are
            raise ReplayError(action.seq, error_kind(error)) from None
        if is_deal(action):
            before, round_actions, positions = previous, [], []
        round_actions.append(action)
        if events:
            positions.append(Position(match, tuple(events)))
        if before is not None and len(match.results) > finished:
            yield PlayedRound(len(match.results), before, tuple(round_actions), tuple(positions))
