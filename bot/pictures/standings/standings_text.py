"""Descriptions of standings in words, for people who do not see the picture."""

from __future__ import annotations

from collections.abc import Iterator

from bot.pictures.alt_texts import LONGEST
from bot.pictures.descriptions import Name
from bot.pictures.standings.scene import Bracket, Slot, Standings, StandingsTable
from bot.pictures.table.scene_text import spoken
from bot.text import Say


def standings_text(standings: Standings, say: Say) -> str:
    """Describe standings in at most `LONGEST` characters, the most important first."""
    parts = spoken(standings.title), standings.round, *_details(standings, say)
    text = ". ".join(parts) + "."
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _details(standings: Standings, say: Say) -> Iterator[str]:
    """Return the parts after the heading."""
    return _matches(standings, say) if isinstance(standings, Bracket) else _places(standings, say)


def _places(table: StandingsTable, say: Say) -> Iterator[str]:
    """Yield each place with its names and score."""
    for row in table.rows:
        score = say.labelled(_spoken_names(row.names), row.values[0])
        # Translators: of a pair that plays no further rounds
        gone = f" ({say('withdrawn')})" if row.withdrawn else ""
        yield f"{row.place} {score}{gone}"
    if table.more:
        yield table.more


def _matches(bracket: Bracket, say: Say) -> Iterator[str]:
    """Yield the winner, then the matches from the last round to the first."""
    *rounds, (winner,) = bracket.tree
    if winner is not None and winner.names:
        yield say("Won by {names}", names=_spoken_names(winner.names))
    if bracket.third:
        yield say.labelled(bracket.third_place, _match(*bracket.third[0]))
    for slots in reversed(rounds):
        for two in zip(slots[::2], slots[1::2], strict=True):
            if any(slot is not None and slot.names for slot in two):
                yield _match(*two)


def _match(*slots: Slot | None) -> str:
    """Return both sides of a match with their points, the winner marked."""
    sides = [
        " ".join(filter(None, (_spoken_names(slot.names), slot.total)))
        + (" ✓" if slot.outcome == "won" else "")
        for slot in slots
        if slot is not None and slot.names
    ]
    return " – ".join(sides)


def _spoken_names(names: tuple[Name, ...]) -> str:
    return " & ".join(map(spoken, names))
