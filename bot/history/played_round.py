"""A finished round, step by step: every position that anybody could see, made from the stored log.

Used by the replay page and by the exports. Nothing is made of a round that is still played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.records import ActionRecord, RoundNumber
from bot.table.action_log import ReplayError, is_deal, kind_of, step
from engine import Event, Match, Options, RoundResult


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The match after one stored action, and what that action caused; the first is the deal."""

    match: Match
    events: tuple[Event, ...]

    @property
    def tricks(self) -> int:
        """How many tricks were finished before it."""
        assert self.match.round is not None
        return len(self.match.round.past)


@dataclass(frozen=True, slots=True, repr=False)
class PlayedRound:
    """One finished round: its stored actions from the deal on, and its positions.

    `before` is the match that was about to make the deal.
    An action that nobody sees (a sealed answer, a waived bomb) has no position of its own.
    """

    number: RoundNumber
    before: Match
    actions: tuple[ActionRecord, ...]
    positions: tuple[Position, ...]

    @property
    def dealt(self) -> Match:
        """The position right after the deal."""
        return self.positions[0].match

    @property
    def result(self) -> RoundResult:
        """How the round ended."""
        return self.positions[-1].match.results[self.number - 1]

    def trick_before(self, place: int) -> int:
        """The place of the first position of this trick, or of the one before if it is that."""
        place = max(place, 1)
        return self._begins(self.positions[place - 1].tricks)

    def trick_after(self, place: int) -> int:
        """The place of the first position of the next trick; the last place if there is none."""
        return self._begins(self.positions[place].tricks + 1)

    def _begins(self, tricks: int) -> int:
        """The first place at which `tricks` tricks are over, else the last place."""
        places = (place for place, at in enumerate(self.positions) if at.tricks >= tricks)
        return next(places, len(self.positions) - 1)


def played_rounds(options: Options, actions: Sequence[ActionRecord]) -> Iterator[PlayedRound]:
    """All finished rounds of a match from all its stored actions, one after the other.

    Raises `ReplayError` at the first action that does not follow, after the rounds before it.
    """
    match: Match | None = None
    before: Match | None = None
    begun: list[ActionRecord] = []
    positions: list[Position] = []
    for action in actions:
        last, finished = match, len(match.results) if match is not None else 0
        try:
            match, events = step(match, options, action.seat, action.text)
        except ValueError as error:  # which all errors of the engine are
            raise ReplayError(action.seq, kind_of(error)) from None
        if is_deal(action):
            before, begun, positions = last, [], []
        begun.append(action)
        if events:
            positions.append(Position(match, tuple(events)))
        if before is not None and len(match.results) > finished:
            yield PlayedRound(len(match.results), before, tuple(begun), tuple(positions))
