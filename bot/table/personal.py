"""Personal settings of players that affect a table.

They are copied to the notes of the table when a match starts, when a person sits down later, and
when a person at the table changes a setting. They are stored with the table, so that timers use the
same values after a restart.
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
    other_quiet = {seat: quiet for seat, quiet in notes.quiet.items() if seat != chair.seat}
    hours = quiet_hours(settings)
    return replace(
        notes,
        auto_pass_always=_with_or_without(
            notes.auto_pass_always, chair.seat, settings.auto_pass and chair.kind == "person"
        ),
        more_time=_with_or_without(notes.more_time, chair.seat, settings.more_time),
        quiet={**other_quiet, chair.seat: hours} if hours is not None else other_quiet,
    )


def first_notes(chairs: Iterable[Chair], settings: Mapping[UserId, PersonalSettings]) -> SeatNotes:
    """Return the notes of a match that starts with these chairs; `settings` by user."""
    notes = SeatNotes()
    for chair in chairs:
        if chair.user_id is not None and chair.user_id in settings:
            notes = with_settings(notes, chair, settings[chair.user_id])
    return notes


def _with_or_without(seats: frozenset[Seat], seat: Seat, chosen: bool) -> frozenset[Seat]:
    return seats | {seat} if chosen else seats - {seat}
