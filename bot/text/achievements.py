"""Names and descriptions of the achievements.

The sentences keep the dry tone of a rule book.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.profiles.achievements import Key
from bot.text import Say


class Words(NamedTuple):
    """Texts of one achievement."""

    name: str
    reason: str
    """One sentence: the deed that earns it."""


ACHIEVEMENTS: dict[Key, Callable[[Say], Words]] = {
    Key.PRESENT: lambda say: Words(
        say("First round"), say("Finish a round. Every career begins with one.")
    ),
    Key.TICHU: lambda say: Words(say("Called it"), say("Call Tichu and make it.")),
    Key.GRAND: lambda say: Words(
        say("Blind faith"), say("Make a Grand Tichu, called before anyone could know better.")
    ),
    Key.THREE_CALLS: lambda say: Words(say("Hat trick"), say("Make three calls in one match.")),
    Key.OPTIMIST: lambda say: Words(
        say("Optimist"), say("Fail three calls in one match. No rule forbids it.")
    ),
    Key.SILENCE: lambda say: Words(
        say("Strong and silent"), say("Win a match of five rounds or more without a single call.")
    ),
    Key.ALMOST: lambda say: Words(
        say("So close"), say("Lose a match with 995 points. The target has no mercy.")
    ),
    Key.COMEBACK: lambda say: Words(
        say("Comeback"), say("Win a match after trailing by 400 points.")
    ),
    Key.SHORT: lambda say: Words(
        say("Early night"), say("Win a match to 1,000 points in four rounds or fewer.")
    ),
    Key.FLOOD: lambda say: Words(say("Landslide"), say("Win a round by 400 points.")),
    Key.SWEEPS: lambda say: Words(
        say("Clean sweep ×10"),
        say("Ten times, get your whole team out before anyone else."),
    ),
    Key.RISE_AND_FALL: lambda say: Words(
        say("Wheel of fortune"),
        say("Finish first in one round and last in another at the same table."),
    ),
    Key.LONG: lambda say: Words(say("Marathon"), say("Finish a match of twenty rounds.")),
    Key.TWO_BOMBS: lambda say: Words(say("Belt and braces"), say("Play two bombs in one round.")),
    Key.BOMBS: lambda say: Words(
        say("Demolition permit"), say("Play a hundred bombs, all within the rules.")
    ),
    Key.FIRSTS: lambda say: Words(say("Leaves early"), say("Be out first in a hundred rounds.")),
    Key.WINS: lambda say: Words(
        say("Too good?"),
        say("Win five matches in a row. Anyone may check the deals with /tichu verify."),
    ),
    Key.LOSSES: lambda say: Words(
        say("Still here"), say("Lose five matches in a row and stay at the table.")
    ),
    Key.COMPANY: lambda say: Words(say("Regular"), say("Play with twenty different people.")),
    Key.ROUNDS: lambda say: Words(
        say("Part of the furniture"), say("Play a thousand rounds. The chair remembers.")
    ),
}
"""Texts of all achievements; the keys are those of `bot.profiles.achievements`."""
