"""Labels of teams, titles and unnamed people."""

from __future__ import annotations

from bot.ids import UserId, is_pseudonym
from bot.text import Say
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


def person_name(say: Say, name: str, user_id: UserId | None) -> str:
    """The name of somebody who sits or sat somewhere; without one, why they have none."""
    return name or unnamed(say, user_id)


def unnamed(say: Say, user_id: UserId | None) -> str:
    """Somebody whose name is not told."""
    return say("Former player") if is_pseudonym(user_id) else say("Hidden player")


def title(say: Say, place: int, players: int) -> str:
    """The title of a place (0 is the best) in a game of `players` players.

    With eight players and more there are several Burghers, who get numbers.
    """
    if place < 3:
        return (say("Great Lord"), say("Lord"), say("Squire"))[place]
    if place >= players - 2:
        return say("Wretch") if place == players - 1 else say("Pauper")
    if place == 3:
        return say("Burgher")
    return say("Burgher {number}", number=place - 2)


NO_BADGE = "▫️"
"""The sign of everybody who has no badge."""


def badge(place: int, players: int) -> str:
    """The sign in front of a name: one for the Great Lord (place 0), one for the Wretch (the last).

    It only decorates the name: a rank gives no rights in play (G30).
    """
    return {0: "👑", players - 1: "🧹"}.get(place, NO_BADGE)
