"""Labels of teams and titles."""

from __future__ import annotations

from bot.text import Say
from engine import Seat, View

TEAM_EMOJIS = ("🔵", "🔶")
"""The emoji of each team, by its number in `Seating.teams`."""


def team_emoji(team: int) -> str:
    """Return the emoji of team 0 or 1."""
    return TEAM_EMOJIS[team]


def seat_emoji(view: View, seat: Seat) -> str:
    """Return the emoji of a seat's team in this round; empty in games without teams."""
    teams = view.seating.teams
    return team_emoji(teams[seat]) if set(teams) == {0, 1} else ""


def title(say: Say, place: int, players: int) -> str:
    """Return the title of a place (0 is the best) in Grand Seigneur (G13, C27).

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
"""The emoji in front of players without a badge."""


def badge(place: int, players: int) -> str:
    """Return the badge of a place (0 is the best): crown for the first, broom for the last.

    It only decorates the name, because a rank gives no rights in play (G30).
    """
    return {0: "👑", players - 1: "🧹"}.get(place, NO_BADGE)
