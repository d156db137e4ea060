"""What a seat makes of its view: which cards are unseen, whose calls are open, who is close.

`Outlook.holds(play)` is how likely a play is not beaten by an opponent, bombs aside.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import chain

from engine import (
    DRAGONS,
    OF_RANK,
    PHOENIX_LED,
    PHOENIXES,
    RANKS,
    Call,
    Combination,
    Hand,
    Kind,
    Options,
    SeatView,
    Variant,
    View,
    card_set,
)

_NEXT_BEATS = {Kind.SINGLE: 0.25, Kind.PAIR: 0.2, Kind.TRIPLE: 0.12, Kind.FULL_HOUSE: 0.15}
"""How likely one rank more that could beat a play does beat it; runs are beaten less often."""
_NEXT_BEATS_RUN = 0.1
_SEEN_BEATS = 0.6
"""How likely an opponent whose cards lie open beats a play when that is possible."""
_ONE_OF_MANY = 0.25
"""How much it matters that an opponent goes out where all play for themselves."""


@lru_cache(maxsize=64)
def _deck(variant: Variant, options: Options) -> int:
    return card_set(variant.deck(options))


class Outlook:
    """One position as its seat reads it; `seat` must be a player's, not a spectator's."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        self.seat = seat
        seats = view.seats
        self.scored = view.variant.scored
        """Whether tricks have points and calls can be made."""
        self.partners: list[SeatView] = [seats[s] for s in view.seating.partners(seat)]
        self.opponents: list[SeatView] = [seats[s] for s in view.seating.opponents(seat)]
        self.rivals = [other for other in self.opponents if other.cards]
        """The opponents that still hold cards, in turn order."""
        self.alone = not self.partners
        """Whether all play for themselves."""

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
        near = max(0.0, 1.1 - 0.3 * seat.cards)
        if self.alone:
            return _ONE_OF_MANY * near
        first = [other for other in self.opponents if other.place == 1]
        return (1.5 if first else 1.0) * near

    @cached_property
    def threat(self) -> SeatView | None:
        """An opponent still to come in this trick who could go out by beating it, if any."""
        view = self.view
        if view.top is None:
            return None
        coming = view.seating.after(self.seat)
        coming = coming[: coming.index(view.top_seat)]
        return next(
            (
                rival
                for rival in self.rivals
                if rival.seat in coming and rival.cards == view.top.size
            ),
            None,
        )

    @cached_property
    def open_hands(self) -> dict[int, Hand]:
        """Hands of others that lie open, by seat."""
        return {seat: hand for seat, hand in self.view.hands if seat != self.seat}

    @cached_property
    def unseen(self) -> int:
        """The cards that are in hands which this seat does not see."""
        view = self.view
        seen = view.left_over
        for step in chain(view.trick, *(trick.steps for trick in view.past)):
            if step.combination is not None:
                seen |= step.combination.cards
        for _, hand in view.hands:
            seen |= hand.cards
        return _deck(view.variant, view.options) & ~seen

    @cached_property
    def _unseen_of(self) -> dict[int, int]:
        return {rank: (self.unseen & OF_RANK[rank]).bit_count() for rank in RANKS}

    @cached_property
    def _hidden(self) -> list[SeatView]:
        """The rivals whose cards are not seen."""
        return [rival for rival in self.rivals if rival.seat not in self.open_hands]

    @cached_property
    def _share(self) -> float:
        """The part of the unseen cards that opponents hold."""
        theirs = sum(rival.cards for rival in self._hidden)
        return min(1.0, theirs / max(1, self.unseen.bit_count()))

    def holds(self, play: Combination) -> float:
        """How likely no opponent beats this play, bombs aside; 1 when none can."""
        if play.kind is Kind.DOG:
            return 0.0
        if play.is_bomb:
            return 1.0
        step = _NEXT_BEATS.get(play.kind, _NEXT_BEATS_RUN)
        held = 1.0
        if any(rival.cards >= play.size for rival in self._hidden):
            held = float((1.0 - step * self._share) ** self._ways(play))
        for rival in self.rivals:
            hand = self.open_hands.get(rival.seat)
            if hand is not None and any(not other.is_bomb for other in hand.above(play)):
                held *= 1.0 - _SEEN_BEATS
        return held

    def _ways(self, play: Combination) -> int:
        """In how many ways unseen cards could beat a play: single cards, else ranks."""
        wild = (self.unseen & PHOENIXES).bit_count()
        dragons = (self.unseen & DRAGONS).bit_count()
        held = self._unseen_of
        if play.kind is Kind.SINGLE:
            if play.is_dragon:
                return dragons
            lowest = play.rank + 1 if play.key != PHOENIX_LED else 2
            naturals = sum(count for rank, count in held.items() if rank >= lowest)
            return naturals + wild + dragons
        above = range(play.rank + 1, 15)
        if play.kind is Kind.STRAIGHT:
            return sum(self._reaches(top, play.size, 1, wild) for top in above)
        if play.kind is Kind.STAIRS:
            return sum(self._reaches(top, play.size // 2, 2, wild) for top in above)
        needed = 2 if play.kind is Kind.PAIR else 3
        return sum(held[rank] > 0 and held[rank] + wild >= needed for rank in above)

    def _reaches(self, top: int, length: int, each: int, wild: int) -> bool:
        """Whether unseen cards make a run of this length up to `top`, `each` of every rank."""
        ranks = range(max(2, top - length + 1), top + 1)
        return sum(max(0, each - self._unseen_of[rank]) for rank in ranks) <= wild
