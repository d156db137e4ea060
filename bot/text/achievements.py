"""Names and descriptions of the achievements.

The sentences keep the dry tone of a rule book.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.profiles.achievements import Key
from bot.text import Say


class AchievementWords(NamedTuple):
    """Texts of one achievement."""

    name: str
    """Name for players."""
    reason: str
    """Sentence on what a player does to earn it."""


ACHIEVEMENTS: dict[Key, Callable[[Say], AchievementWords]] = {
    Key.PRESENT: lambda say: AchievementWords(
        say("First round"), say("Finish a round. Every career begins with one.")
    ),
    Key.TICHU: lambda say: AchievementWords(say("Called it"), say("Call Tichu and make it.")),
    Key.GRAND: lambda say: AchievementWords(
        say("Blind faith"), say("Make a Grand Tichu, called before anyone could know better.")
    ),
    Key.THREE_CALLS: lambda say: AchievementWords(
        say("Hat trick"), say("Make three calls in one match.")
    ),
    Key.OPTIMIST: lambda say: AchievementWords(
        say("Optimist"), say("Fail three calls in one match. No rule forbids it.")
    ),
    Key.SILENCE: lambda say: AchievementWords(
        say("Strong and silent"), say("Win a match of five rounds or more without a single call.")
    ),
    Key.ALMOST: lambda say: AchievementWords(
        say("So close"), say("Lose a match with 995 points. The target has no mercy.")
    ),
    Key.COMEBACK: lambda say: AchievementWords(
        say("Comeback"), say("Win a match after trailing by 400 points.")
    ),
    Key.SHORT: lambda say: AchievementWords(
        say("Early night"), say("Win a match to 1,000 points in four rounds or fewer.")
    ),
    Key.FLOOD: lambda say: AchievementWords(say("Landslide"), say("Win a round by 400 points.")),
    Key.SWEEPS: lambda say: AchievementWords(
        say("Clean sweep ×10"),
        say("Ten times, get your whole team out before anyone else."),
    ),
    Key.RISE_AND_FALL: lambda say: AchievementWords(
        say("Wheel of fortune"),
        say("Finish first in one round and last in another at the same table."),
    ),
    Key.LONG: lambda say: AchievementWords(
        say("Marathon"), say("Finish a match of twenty rounds.")
    ),
    Key.TWO_BOMBS: lambda say: AchievementWords(
        say("Belt and braces"), say("Play two bombs in one round.")
    ),
    Key.BOMBS: lambda say: AchievementWords(
        say("Demolition permit"), say("Play a hundred bombs, all within the rules.")
    ),
    Key.FIRSTS: lambda say: AchievementWords(
        say("Leaves early"), say("Be out first in a hundred rounds.")
    ),
    Key.WINS: lambda say: AchievementWords(
        say("Too good?"),
        say("Win five matches in a row. Anyone may check the deals with /tichu verify."),
    ),
    Key.LOSSES: lambda say: AchievementWords(
        say("Still here"), say("Lose five matches in a row and stay at the table.")
    ),
    Key.COMPANY: lambda say: AchievementWords(
        say("Regular"), say("Play with twenty different people.")
    ),
    Key.ROUNDS: lambda say: AchievementWords(
        say("Part of the furniture"), say("Play a thousand rounds. The chair remembers.")
    ),
}
"""Texts of all achievements; the keys are those of `bot.profiles.achievements`."""
