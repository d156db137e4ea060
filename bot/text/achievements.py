"""The name of each achievement and the sentence that says what it is for.

The sentences keep the dry tone of a book of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.text import Say


class Words(NamedTuple):
    """The words of one achievement."""

    name: str
    reason: str
    """One sentence: what somebody did to earn it."""


ACHIEVEMENTS: dict[str, Callable[[Say], Words]] = {
    "present": lambda say: Words(
        say("Present"), say("A round played to its end. Every career begins with one.")
    ),
    "tichu": lambda say: Words(say("As announced"), say("A Tichu called, and made.")),
    "grand": lambda say: Words(
        say("Blind faith"), say("A Grand Tichu made, called before anybody could know better.")
    ),
    "three-calls": lambda say: Words(
        say("Three make a habit"), say("Three calls made in one match.")
    ),
    "optimist": lambda say: Words(
        say("Optimist"), say("Three calls failed in one match. No rule forbids it.")
    ),
    "silence": lambda say: Words(
        say("Without a word"), say("A match of five rounds or more won without a single call.")
    ),
    "almost": lambda say: Words(
        say("No rounding up"), say("A match lost with 995 points. The target has no mercy.")
    ),
    "comeback": lambda say: Words(
        say("The long way round"), say("A match won after being 400 points behind.")
    ),
    "short": lambda say: Words(
        say("Other plans for tonight"), say("A match won with 1000 points in four rounds at most.")
    ),
    "flood": lambda say: Words(say("High water"), say("400 points ahead in a single round.")),
    "sweeps": lambda say: Words(
        say("After us, the others"),
        say("Ten rounds in which the whole team was out before anybody else."),
    ),
    "rise-and-fall": lambda say: Words(
        say("Wheel of fortune"), say("First and last in different rounds at the same table.")
    ),
    "long": lambda say: Words(
        say("No end in sight"), say("A match of twenty rounds, and it did end.")
    ),
    "two-bombs": lambda say: Words(
        say("To be on the safe side"), say("Two bombs laid in one round.")
    ),
    "bombs": lambda say: Words(
        say("Demolition permit"), say("A hundred bombs, each of them according to the rules.")
    ),
    "firsts": lambda say: Words(
        say("Leaves early"), say("A hundred rounds in which nobody was out sooner.")
    ),
    "wins": lambda say: Words(
        say("Under suspicion"),
        say("Five matches won in a row. Anybody may check the deals with /tichu verify."),
    ),
    "losses": lambda say: Words(
        say("Builds character"), say("Five matches lost in a row, and still at the table.")
    ),
    "company": lambda say: Words(
        say("Known around the tables"), say("Rounds with twenty different people.")
    ),
    "rounds": lambda say: Words(
        say("Part of the furniture"), say("A thousand rounds. The chair remembers.")
    ),
}
"""The words of every achievement; the keys are those of `bot.profiles.achievements`."""
