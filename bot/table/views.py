"""Views of a match for people and computer players, and the chairs that decide for seats.

Each is computed once per state of a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine import WINDOW_PHASES, Match, Round, Seat, View, after_quiet_window, view


@dataclass(frozen=True, slots=True)
class Situation:
    """Views and legal actions of a seat."""

    current: View
    """The current view."""
    upcoming: View
    """The view whose actions may be chosen now.

    While a bomb window is open, it is the view after the window, because the next seat already
    chooses its move for that moment. Otherwise it is the current view.
    """


class Views:
    """The views of one match, computed on demand and cached.

    All states of a table that have the same match share them (see `Game.views`). They contain
    hands, so they are not in the `repr`.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self._by_seat: dict[Seat | None, View] = {}

    def of(self, seat: Seat | None) -> View:
        """Return the view of this seat; `None` stands for a spectator."""
        if seat not in self._by_seat:
            self._by_seat[seat] = view(self.match, seat)
        return self._by_seat[seat]

    @property
    def _round(self) -> Round:
        """The current round."""
        assert self.match.round is not None, "a view before the first deal is refused"
        return self.match.round

    @property
    def public(self) -> View:
        """The view of a spectator, which everybody may see."""
        return self.of(None)

    @cached_property
    def deciders(self) -> tuple[Seat, ...]:
        """Chair that decides for each seat: its own, but the dealer's for Trichu's Table (T8)."""
        round_ = self._round
        return tuple(self.match.variant.actor(round_, seat) for seat in range(len(round_.hands)))

    @cached_property
    def seats_of_chairs(self) -> tuple[tuple[Seat, ...], ...]:
        """Seats that each chair decides for, its own first."""
        seats = range(len(self.deciders))
        return tuple(
            (chair, *(seat for seat in seats if seat != chair and self.deciders[seat] == chair))
            for chair in seats
        )

    @property
    def after_window(self) -> Views:
        """The views after the open bomb window, if nobody bombs; without a window these views."""
        return self._views_after_window or self

    @cached_property
    def _views_after_window(self) -> Views | None:
        """The views after the open bomb window; `None` without an open window.

        It is not `self` then, because a cached `self` would be a reference cycle, which only the
        garbage collector frees.
        """
        after = after_quiet_window(self.match)
        return None if after is self.match else Views(after)

    def situation(self, seat: Seat) -> Situation:
        """Return the views and legal actions of this seat."""
        current, round_ = self.of(seat), self._round
        if round_.phase in WINDOW_PHASES and round_.turn == seat and not round_.asked:
            return Situation(current, self.after_window.of(seat))
        return Situation(current, current)
