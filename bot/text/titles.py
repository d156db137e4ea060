"""The titles of Grand Seigneur, from the Great Lord down to the Wretch (G13, C27)."""

from __future__ import annotations

from bot.text import Say


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
