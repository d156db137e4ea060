"""The titles of Grand Seigneur, from the Great Lord down to the Wretch (G13, C27)."""

from __future__ import annotations

from bot.text import Say


def title(say: Say, place: int, players: int) -> str:
    """The title of a place, 0 for the best; with many players there are several Burghers."""
    if place < 3:
        return (say("Great Lord"), say("Lord"), say("Squire"))[place]
    if place >= players - 2:
        return say("Wretch") if place == players - 1 else say("Pauper")
    if place == 3:
        return say("Burgher")
    return say("Burgher {number}", number=place - 2)


NO_BADGE = "▫️"


def badge(place: int, players: int) -> str:
    """A sign for the Great Lord and for the Wretch; it has no other meaning (G30)."""
    return {0: "👑", players - 1: "🧹"}.get(place, NO_BADGE)
