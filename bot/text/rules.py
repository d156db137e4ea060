"""The rules of Nanjing in short, by topic, in words for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.text import Say


class Topic(NamedTuple):
    """A title and a text, each in the reader's language."""

    title: Callable[[Say], str]
    text: Callable[[Say], str]


TOPICS: dict[str, Topic] = {
    "game": Topic(
        lambda say: say("The game in a minute"),
        lambda say: say(
            "Four players, partners sit opposite each other. Whoever leads plays a combination; "
            "the others, one after another, beat it with the same kind and number of cards of "
            "higher rank, or pass. When all others have passed, the last player takes the trick "
            "and leads the next one. The aim is to get rid of your cards early, and to win "
            "tricks with points in them. A match goes to 1000 points unless the table says "
            "otherwise."
        ),
    ),
    "deal": Topic(
        lambda say: say("Deal and exchange"),
        lambda say: say(
            "Everybody first sees eight cards and may call **Grand Tichu**; then come six more. "
            "Before play everybody passes one card, face down, to each of the others. The Mah "
            "Jong's holder leads first, with whatever he likes."
        ),
    ),
    "combinations": Topic(
        lambda say: say("Combinations"),
        lambda say: say(
            "**Single** card · **pair** · **three** of a rank · **stairs** (two or more pairs in "
            "a row, such as 7 7 8 8) · **full house** (three and a pair; the three counts) · "
            "**straight** (five or more in a row; the ace is only ever the highest, the Mah Jong "
            "may be the 1)."
        ),
    ),
    "bombs": Topic(
        lambda say: say("Bombs"),
        lambda say: say(
            "Four of a rank, or a straight of five or more cards of **one suit**. A bomb beats "
            "everything else, at any time while something lies on the table, also out of turn. "
            "More cards beat fewer, then the higher rank wins. After each play there is a short "
            "window in which everybody may bomb; bombs thrown in it lie face down and are taken "
            "in turn order, so speed gives no right. No special card can be part of a bomb."
        ),
    ),
    "specials": Topic(
        lambda say: say("The four special cards"),
        lambda say: say(
            "**Mah Jong** (1): whoever plays it may wish for a rank from 2 to A. Whoever holds "
            "that rank and can play it in his turn must, until one has been played.\n"
            "**Dog**: only led, alone; it hands the lead to the partner. It cannot be bombed.\n"
            "**Phoenix** (−25): stands for any card from 2 to A in a combination, but not in a "
            "bomb. Alone it is half a rank above the card before it; it never beats the Dragon.\n"
            "**Dragon** (+25): the highest single card. A trick won with it goes to an opponent "
            "of your choice."
        ),
    ),
    "tichu": Topic(
        lambda say: say("Tichu and Grand Tichu"),
        lambda say: say(
            "Before your first card you may call **Tichu**: 100 points if you are the first out, "
            "100 less if not. With only eight cards in hand you may call **Grand Tichu** for 200. "
            "The bet is yours alone: if your partner goes out before you, it is lost."
        ),
    ),
    "scoring": Topic(
        lambda say: say("Scoring"),
        lambda say: say(
            "Kings and tens count 10, fives 5, the Dragon 25, the Phoenix −25. The round ends when "
            "only one player has cards: his hand goes to the opponents, his tricks to whoever "
            "went out first. If both partners are out first and second, they get 200 and no cards "
            "are counted. Calls are added. A team wins when it has reached the target after a "
            "round and is ahead."
        ),
    ),
}
