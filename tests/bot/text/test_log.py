"""Log of a round: it fits into one message, even with a very long trick."""

from __future__ import annotations

from dataclasses import replace

from bot.art.emojis import Emojis
from bot.art.names import card_plain
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.controls import length
from cogs.pages.table.log import MOST_CHARACTERS, log_page
from tests.bot.positions import lords, position
from tests.bot.states import state
from tests.bot.text.pages import TEXT, parts

TO = Speaker(speech("en"), Emojis.plain())


def test_shows_the_last_plays_of_a_very_long_trick() -> None:
    """With two decks and very long names a single trick can be too long."""
    cards = [f"{suit}{rank}" for rank in (*range(2, 11), "J", "Q", "K") for suit in "JS"]
    steps = [f"{place % 5} {card}" for place, card in enumerate(cards[::2])]
    table = state(position(lords(5, 2), "TURN 3", trick=" | ".join(steps)))
    named = tuple(chair.model_copy(update={"name": "N" * 400}) for chair in table.chairs)
    page = log_page(replace(table, chairs=named), TO)
    content = [part["content"] for part in parts(page) if part["type"] == TEXT][-1]
    assert content.startswith("**1.** … · ")
    assert card_plain("JK") in content[-10:]
    assert MOST_CHARACTERS - 500 < length(content) <= MOST_CHARACTERS, "one play more is too much"
