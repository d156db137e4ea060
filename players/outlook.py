"""What a seat can tell about the others from its view: cards unseen, open calls, who is close.

`Outlook.holds(play)` is how likely a play is not beaten by an opponent, bombs aside.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain

from engine.cards import DECK_SIZE, DRAGONS, OF_RANK, PHOENIXES, RANKS
from engine.combinations import PHOENIX_LED, Combination, Kind
from engine.state import Call
from engine.view import SeatView, View

_DECK = (1 << DECK_SIZE) - 1
_NEXT_BEATS = {Kind.SINGLE: 0.25, Kind.PAIR: 0.2, Kind.TRIPLE: 0.12, Kind.FULL_HOUSE: 0.15}
"""How likely one rank more that could beat a play does beat it; runs are beaten less often."""
_NEXT_BEATS_RUN = 0.1


class Outlook:
    """One position as its seat reads it; `seat` must be a player's, not a spectator's."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        self.seat = seat
        seats = view.seats
        self.partners: list[SeatView] = [seats[s] for s in view.seating.partners(seat)]
        self.opponents: list[SeatView] = [seats[s] for s in view.seating.opponents(seat)]
        self.rivals = [other for other in self.opponents if other.cards]
        """The opponents that still hold cards, in turn order."""

    def call_open(self, seat: SeatView) -> bool:
        """Whether a call of this seat can still succeed."""
        return seat.call is not None and not self.view.out

    @property
    def partner_may_make_it(self) -> bool:
        """Whether a partner's call is open, so that going out first would cost it."""
        return any(map(self.call_open, self.partners))

    @property
    def own_call_open(self) -> bool:
        """Whether the seat itself has called and nobody is out."""
        return self.call_open(self.view.seats[self.seat])

    @property
    def top_is_partners(self) -> bool:
        """Whether the trick is a partner's so far."""
        return any(partner.seat == self.view.top_seat for partner in self.partners)

    def danger(self, seat: SeatView) -> float:
        """How much it matters to stop this opponent now: 0 for not at all, 1 and more for a lot."""
        if not seat.cards:
            return 0.0
        if self.call_open(seat):
            stake = 1.0 if seat.call is Call.TICHU else 1.5
            return stake * max(0.0, 1.4 - 0.2 * seat.cards)
        first = [other for other in self.opponents if other.place == 1]
        return (1.5 if first else 1.0) * max(0.0, 1.1 - 0.3 * seat.cards)

    @cached_property
    def unseen(self) -> int:
        """The cards that are in hands which this seat does not see."""
        view = self.view
        played = 0
        for step in chain(view.trick, *(trick.steps for trick in view.past)):
            if step.combination is not None:
                played |= step.combination.cards
        seen = played | sum(hand.cards for _, hand in view.hands)
        cards = played.bit_count() + sum(seat.cards for seat in view.seats)
        two_decks = seen > _DECK or cards > DECK_SIZE
        return (_DECK | _DECK << DECK_SIZE if two_decks else _DECK) & ~seen

    @cached_property
    def _unseen_of(self) -> dict[int, int]:
        return {rank: (self.unseen & OF_RANK[rank]).bit_count() for rank in RANKS}

    @cached_property
    def _share(self) -> float:
        """The part of the unseen cards that opponents hold."""
        theirs = sum(rival.cards for rival in self.rivals)
        return min(1.0, theirs / max(1, self.unseen.bit_count()))

    def holds(self, play: Combination) -> float:
        """How likely no opponent beats this play, bombs aside; 1 when none can."""
        if play.kind is Kind.DOG:
            return 0.0
        if play.is_bomb or all(rival.cards < play.size for rival in self.rivals):
            return 1.0
        step = _NEXT_BEATS.get(play.kind, _NEXT_BEATS_RUN)
        return float((1.0 - step * self._share) ** self._ways(play))

    def _ways(self, play: Combination) -> int:
        """In how many ways unseen cards could beat a play: single cards, else ranks."""
        wild = (self.unseen & PHOENIXES).bit_count()
        held = self._unseen_of
        if play.kind is Kind.SINGLE:
            if play.is_dragon:
                return 0
            lowest = play.rank + 1 if play.key != PHOENIX_LED else 2
            naturals = sum(count for rank, count in held.items() if rank >= lowest)
            return naturals + wild + (self.unseen & DRAGONS).bit_count()
        above = range(play.rank + 1, 15)
        if play.kind is Kind.STRAIGHT:
            return sum(self._reaches(top, play.size, 1, wild) for top in above)
        if play.kind is Kind.STAIRS:
            return sum(self._reaches(top, play.size // 2, 2, wild) for top in above)
        needed = 2 if play.kind is Kind.PAIR else 3
        return sum(held[rank] and held[rank] + wild >= needed for rank in above)

    def _reaches(self, top: int, length: int, each: int, wild: int) -> bool:
        """Whether unseen cards make a run of this length up to `top`, `each` of every rank."""
        ranks = range(max(2, top - length + 1), top + 1)
        return sum(max(0, each - self._unseen_of[rank]) for rank in ranks) <= wild
