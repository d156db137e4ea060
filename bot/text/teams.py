"""The signs of the two teams: they differ in colour and in shape, so nobody needs the colours."""

from __future__ import annotations

from engine import Seat, View

SIGNS = ("🔵", "🔶")
"""The sign of each team, by the number of the team in `Seating.teams`."""


def team_sign(team: int) -> str:
    """The sign of a team: 0 or 1."""
    return SIGNS[team]


def seat_sign(view: View, seat: Seat) -> str:
    """The sign of a seat's team in this round; empty in games in which everybody plays alone."""
    teams = view.seating.teams
    return team_sign(teams[seat]) if set(teams) == {0, 1} else ""
