"""Judgement of a view by its seat: hidden cards, plays that win, threats."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import chain

from engine import (
    CARDS_OF_RANK,
    DRAGONS,
    PHOENIXES,
    RANKS,
    Call,
    CardSet,
    Combination,
    Hand,
    Kind,
    Options,
    Rank,
    Seat,
    SeatView,
    Variant,
    View,
    card_set,
)

_NEXT_BEATS = {Kind.SINGLE: 0.25, Kind.PAIR: 0.2, Kind.TRIPLE: 0.12, Kind.FULL_HOUSE: 0.15}
"""Chance that opponents use one way to beat a play, if they hold all hidden cards."""
_NEXT_BEATS_RUN = 0.1
"""The same chance for straights and stairs."""
_SEEN_BEATS = 0.6
"""Chance that an opponent with an open hand beats a play when they can."""
_ONE_OF_MANY = 0.25
"""Weight of an opponent's going out in games without teams; with teams it is 1."""


@lru_cache(maxsize=64)
def _deck(variant: Variant, options: Options) -> CardSet:
    return card_set(variant.deck(options))


class Outlook:
    """Position as one seat judges it.

    The view must be that of this seat, not of a spectator.
    """

    def __init__(self, view: View, seat: Seat) -> None:
        self.view = view
        self.seat = seat
        seats = view.seats
        self.scored = view.variant.scored
        """True if tricks have points and calls can be made."""
        self.partners = [seats[other] for other in view.seating.partners(seat)]
        """Seats of the same team, in turn order."""
        self.opponents = [seats[other] for other in view.seating.opponents(seat)]
        """Seats of other teams, in turn order."""
        self.rivals = [other for other in self.opponents if other.cards]
        """Opponents that still hold cards, in turn order."""
        self.alone = not self.partners
        """True if nobody has a partner."""

    def has_open_call(self, seat: SeatView) -> bool:
        """Return whether a call of this seat can still succeed."""
        return seat.call is not None and not self.view.out

    @property
    def partner_has_open_call(self) -> bool:
        """True if a partner's call can still succeed, so that this seat must not go out first."""
        return any(map(self.has_open_call, self.partners))

    @property
    def own_call_is_open(self) -> bool:
        """True if the seat itself has called and nobody is out."""
        return self.has_open_call(self.view.seats[self.seat])

    @property
    def partner_has_trick(self) -> bool:
        """True if a partner has laid the play to beat."""
        return any(partner.seat == self.view.top_seat for partner in self.partners)

    def danger(self, seat: SeatView) -> float:
        """Return the urgency of stopping this opponent from going out.

        0 is none, 1 is high.
        """
        if not seat.cards:
            return 0.0
        # A caller is a danger with up to six cards, other opponents with up to three.
        if self.has_open_call(seat):
            stake = 1.0 if seat.call is Call.TICHU else 1.5
            return stake * max(0.0, 1.4 - 0.2 * seat.cards)
        near = max(0.0, 1.1 - 0.3 * seat.cards)
        if self.alone:
            return _ONE_OF_MANY * near
        opponents_may_sweep = any(other.place == 1 for other in self.opponents)
        return (1.5 if opponents_may_sweep else 1.0) * near

    @cached_property
    def threat(self) -> SeatView | None:
        """Opponent still to come in this trick who could go out by beating it, if any.

        That is one with exactly as many cards as the play to beat.
        """
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
    def open_hands(self) -> dict[Seat, Hand]:
        """Hands of others that this seat sees, by seat."""
        return {seat: hand for seat, hand in self.view.hands if seat != self.seat}

    @cached_property
    def unseen(self) -> CardSet:
        """Hidden cards: those in hands that this seat does not see."""
        view = self.view
        seen = view.left_over
        for step in chain(view.trick, *(trick.steps for trick in view.past)):
            if step.combination is not None:
                seen |= step.combination.cards
        for _, hand in view.hands:
            seen |= hand.cards
        return _deck(view.variant, view.options) & ~seen

    @cached_property
    def _unseen_by_rank(self) -> dict[Rank, int]:
        """Number of hidden cards of each rank."""
        return {rank: (self.unseen & CARDS_OF_RANK[rank]).bit_count() for rank in RANKS}

    @cached_property
    def _hidden_rivals(self) -> list[SeatView]:
        """Opponents with cards in hands that this seat does not see."""
        return [rival for rival in self.rivals if rival.seat not in self.open_hands]

    @cached_property
    def _hidden_share(self) -> float:
        """Part of the hidden cards that opponents with hidden hands hold, from 0 to 1."""
        theirs = sum(rival.cards for rival in self._hidden_rivals)
        return min(1.0, theirs / max(1, self.unseen.bit_count()))

    def win_chance(self, play: Combination) -> float:
        """Return the estimated chance that no opponent beats this play, bombs aside.

        The Dog has 0, because it passes the lead on.
        """
        if play.kind is Kind.DOG:
            return 0.0
        if play.is_bomb:
            return 1.0
        way_chance = _NEXT_BEATS.get(play.kind, _NEXT_BEATS_RUN)
        chance = 1.0
        if any(rival.cards >= play.size for rival in self._hidden_rivals):
            chance = float(
                (1.0 - way_chance * self._hidden_share) ** self._count_beating_ways(play)
            )
        for rival in self.rivals:
            hand = self.open_hands.get(rival.seat)
            if hand is not None and any(not other.is_bomb for other in hand.beating(play)):
                chance *= 1.0 - _SEEN_BEATS
        return chance

    def _count_beating_ways(self, play: Combination) -> int:
        """Return the number of ways in which the hidden cards could beat a play.

        Against a single each higher card is one; against other plays, each rank of a higher play.
        """
        wild = (self.unseen & PHOENIXES).bit_count()
        dragons = (self.unseen & DRAGONS).bit_count()
        held = self._unseen_by_rank
        if play.kind is Kind.SINGLE:
            if play.is_dragon:
                return dragons
            naturals = sum(count for rank, count in held.items() if rank > play.rank)
            return naturals + wild + dragons
        above = range(play.rank + 1, 15)
        if play.kind is Kind.STRAIGHT:
            return sum(self._can_form_run(top, play.size, 1, wild) for top in above)
        if play.kind is Kind.STAIRS:
            return sum(self._can_form_run(top, play.size // 2, 2, wild) for top in above)
        needed = 2 if play.kind is Kind.PAIR else 3
        return sum(held[rank] > 0 and held[rank] + wild >= needed for rank in above)

    def _can_form_run(self, top: Rank, length: int, each: int, wild: int) -> bool:
        """Return whether the hidden cards can form a run with the highest rank `top`.

        The run has `length` ranks with `each` cards of every rank. `wild` is the number of
        Phoenixes.
        """
        ranks = range(max(2, top - length + 1), top + 1)
        return sum(max(0, each - self._unseen_by_rank[rank]) for rank in ranks) <= wild
