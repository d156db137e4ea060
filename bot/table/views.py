"""What people and computer players see of a match, computed once however many ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine import WINDOWS, Match, Seat, View, after_quiet_window, view


@dataclass(frozen=True, slots=True)
class Situation:
    """What a seat sees and may do."""

    now: View
    """The view of this moment."""
    live: View
    """The view whose actions may be chosen now.

    While a bomb window is open, the seat that is next already chooses its move for the moment after
    it; everywhere else this is the same as `now`.
    """


class Views:
    """The views of one match: each is computed when somebody asks for it, and then kept.

    All states of a table that have the same match share them (see `Game.views`). They hold hands,
    so nothing of them is in the `repr`.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self._by_seat: dict[Seat | None, View] = {}

    def of(self, seat: Seat | None) -> View:
        """What this seat sees; `None` stands for a spectator."""
        if seat not in self._by_seat:
            self._by_seat[seat] = view(self.match, seat)
        return self._by_seat[seat]

    @property
    def public(self) -> View:
        """What a spectator sees: all that everybody may know."""
        return self.of(None)

    @cached_property
    def after_window(self) -> Views:
        """The views of the moment after the open bomb window, if nobody throws a bomb.

        Without an open window they are these views themselves.
        """
        quiet = after_quiet_window(self.match)
        return self if quiet is self.match else Views(quiet)

    def situation(self, seat: Seat) -> Situation:
        """What this seat sees and may do."""
        round_ = self.match.round
        assert round_ is not None, "a view before the first deal is refused"
        now = self.of(seat)
        if round_.phase in WINDOWS and round_.turn == seat and not round_.asked:
            return Situation(now, self.after_window.of(seat))
        return Situation(now, now)
