"""What stands in the place of a private hand that is not kept fresh any more."""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Page, row, text
from cogs.pages.table.nudge import hand_button


def resting_page(state: Game, words: Speaker) -> Page:
    """What a hand shows just before Discord takes no more edits of it: a button to go on."""
    say = words.say
    return Page(text(say("This hand stops updating now.")), row(hand_button(state, words)))


def over_page(words: Speaker) -> Page:
    """What the hands of a match show that is over."""
    return Page(text(words.say("**This match is over.**")))
