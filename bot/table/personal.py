"""Personal settings of players that affect a table.

They are copied to the table by seat with the first deal, when a person sits down later, and when
they change a setting. They are stored with the table, so timers and restarts use the same values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table.details import SeatNotes
from bot.table.quiet_hours import quiet_hours
from bot.table.state import Chair
from engine import Seat

NOTHING_CHOSEN = PersonalSettings()
"""Default settings, also used for computer players."""


def with_settings(notes: SeatNotes, chair: Chair, settings: PersonalSettings) -> SeatNotes:
    """Return the notes with the settings of the person on this chair."""
    others = {seat: quiet for seat, quiet in notes.quiet.items() if seat != chair.seat}
    hours = quiet_hours(settings)
    return replace(
        notes,
        auto_pass_always=_with(
            notes.auto_pass_always, chair.seat, settings.auto_pass and chair.kind == "person"
        ),
        more_time=_with(notes.more_time, chair.seat, settings.more_time),
        quiet={**others, chair.seat: hours} if hours is not None else others,
    )


def first_notes(chairs: Iterable[Chair], settings: Mapping[UserId, PersonalSettings]) -> SeatNotes:
    """Return the notes of a match that starts with these chairs; `settings` by user."""
    notes = SeatNotes()
    for chair in chairs:
        if chair.user_id is not None and chair.user_id in settings:
            notes = with_settings(notes, chair, settings[chair.user_id])
    return notes


def _with(seats: frozenset[Seat], seat: Seat, chosen: bool) -> frozenset[Seat]:
    return seats | {seat} if chosen else seats - {seat}
