"""The name of each achievement and the sentence that says what it is for.

The sentences keep the dry tone of a book of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.profiles.achievements import Key
from bot.text import Say


class Words(NamedTuple):
    """The words of one achievement."""

    name: str
    reason: str
    """One sentence: what somebody did to earn it."""


ACHIEVEMENTS: dict[Key, Callable[[Say], Words]] = {
    Key.PRESENT: lambda say: Words(
        say("Present"), say("A round played to its end. Every career begins with one.")
    ),
    Key.TICHU: lambda say: Words(say("As announced"), say("A Tichu called, and made.")),
    Key.GRAND: lambda say: Words(
        say("Blind faith"), say("A Grand Tichu made, called before anybody could know better.")
    ),
    Key.THREE_CALLS: lambda say: Words(
        say("Three make a habit"), say("Three calls made in one match.")
    ),
    Key.OPTIMIST: lambda say: Words(
        say("Optimist"), say("Three calls failed in one match. No rule forbids it.")
    ),
    Key.SILENCE: lambda say: Words(
        say("Without a word"), say("A match of five rounds or more won without a single call.")
    ),
    Key.ALMOST: lambda say: Words(
        say("No rounding up"), say("A match lost with 995 points. The target has no mercy.")
    ),
    Key.COMEBACK: lambda say: Words(
        say("The long way round"), say("A match won after being 400 points behind.")
    ),
    Key.SHORT: lambda say: Words(
        say("Other plans for tonight"), say("A match won with 1000 points in four rounds at most.")
    ),
    Key.FLOOD: lambda say: Words(say("High water"), say("400 points ahead in a single round.")),
    Key.SWEEPS: lambda say: Words(
        say("After us, the others"),
        say("Ten rounds in which the whole team was out before anybody else."),
    ),
    Key.RISE_AND_FALL: lambda say: Words(
        say("Wheel of fortune"), say("First and last in different rounds at the same table.")
    ),
    Key.LONG: lambda say: Words(
        say("No end in sight"), say("A match of twenty rounds, and it did end.")
    ),
    Key.TWO_BOMBS: lambda say: Words(
        say("To be on the safe side"), say("Two bombs laid in one round.")
    ),
    Key.BOMBS: lambda say: Words(
        say("Demolition permit"), say("A hundred bombs, each of them according to the rules.")
    ),
    Key.FIRSTS: lambda say: Words(
        say("Leaves early"), say("A hundred rounds in which nobody was out sooner.")
    ),
    Key.WINS: lambda say: Words(
        say("Under suspicion"),
        say("Five matches won in a row. Anybody may check the deals with /tichu verify."),
    ),
    Key.LOSSES: lambda say: Words(
        say("Builds character"), say("Five matches lost in a row, and still at the table.")
    ),
    Key.COMPANY: lambda say: Words(
        say("Known around the tables"), say("Rounds with twenty different people.")
    ),
    Key.ROUNDS: lambda say: Words(
        say("Part of the furniture"), say("A thousand rounds. The chair remembers.")
    ),
}
"""The words of every achievement; the keys are those of `bot.profiles.achievements`."""
