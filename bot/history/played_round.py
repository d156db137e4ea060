"""Positions of a finished round, replayed from the stored log.

The replay page and the exports use them. Running rounds have none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import ReplayError, apply_record, error_kind, is_deal
from engine import (
    CardsPassed,
    DragonGiven,
    Event,
    Match,
    Options,
    Played,
    RoundResult,
    TrickTaken,
)


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """Match after a stored action, and the events of that action. The first is the deal."""

    match: Match
    events: tuple[Event, ...]
    at: int = 0
    """Number of actions after the deal up to this position."""

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
        return self.positions[-1].match.results[-1]

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
                ends.append(place + 1 if _is_play(after) else place)
        last = len(self.positions) - 1
        return tuple(dict.fromkeys((*ends, last)))  # without duplicates

    @property
    def stops(self) -> tuple[int, ...]:
        """Index of the deal, then of the position after the exchange, then `trick_ends`."""
        exchanges = (
            place
            for place, position in enumerate(self.positions)
            if any(isinstance(event, CardsPassed) for event in position.events)
        )
        return tuple(dict.fromkeys((0, *exchanges, *self.trick_ends)))  # without duplicates

    def stop_before(self, place: int) -> int:
        """Return the index of the last stop before this index, or 0."""
        return max((stop for stop in self.stops if stop < place), default=0)

    def stop_after(self, place: int) -> int:
        """Return the index of the first stop after this index."""
        return next((stop for stop in self.stops if stop > place), len(self.positions) - 1)

    def trick_end(self, trick: int) -> int:
        """Return the end of the trick with this number, from 0; of the last trick if too large."""
        return self.trick_ends[min(trick, len(self.trick_ends) - 1)]

    def step_until(self, place: int) -> range:
        """Return the indices after the stop before this index, up to the next stop."""
        end = self.stop_after(place - 1)
        return range(self.stop_before(end) + 1 if end else 0, end + 1)

    def place_after(self, count: int) -> int:
        """Return the index of the last position after at most `count` actions after the deal."""
        return bisect_right(self.positions, count, key=lambda position: position.at) - 1

    def trick_at(self, place: int) -> int:
        """Return the number of the trick at a position, from 1.

        A last position without a play belongs to the last trick.
        """
        last = len(self.positions) - 1
        if place == last and not _is_play(self.positions[last]):
            place -= 1
        return bisect_left(self.trick_ends, place) + 1

    def step_events(self, place: int, *, by_trick: bool) -> tuple[Event, ...]:
        """Return the events of the action at this index, or `by_trick` of the step so far.

        The end of a trick is stored with the action after it, but it belongs to the trick.
        """
        if not by_trick:
            return self.positions[place].events
        begin = self.step_until(place).start
        events = [event for at in self.positions[begin : place + 1] for event in at.events]
        if begin - 1 in self.trick_ends:
            del events[: len(self._end_of_trick(begin))]
        if place in self.trick_ends[:-1]:
            events += self._end_of_trick(place + 1)
        return tuple(events)

    def _end_of_trick(self, place: int) -> tuple[Event, ...]:
        """Return the events of a position up to the end of a trick that began before it."""
        events = self.positions[place].events
        for count, event in enumerate(events, start=1):
            if isinstance(event, Played):
                break
            if isinstance(event, (TrickTaken, DragonGiven)):
                return events[:count]
        return ()


def _is_play(position: Position) -> bool:
    return any(isinstance(event, Played) for event in position.events)


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
            positions.append(Position(match, tuple(events), len(round_actions) - 1))
        if before is not None and len(match.results) > finished:
            yield PlayedRound(len(match.results), before, tuple(round_actions), tuple(positions))
