"""Texts of the rules in short that several games share, and the titles of all topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.text import Say

Words = Callable[[Say], str]
"""A title or a text in the reader's language."""

TITLES: Mapping[str, Words] = {
    "game": lambda say: say("The game in a minute"),
    "table": lambda say: say("The dealer and the Table"),
    "deal": lambda say: say("Deal and exchange"),
    "combinations": lambda say: say("Combinations"),
    "bombs": lambda say: say("Bombs"),
    "specials": lambda say: say("The special cards"),
    "decks": lambda say: say("Two decks"),
    "tichu": lambda say: say("Tichu and Grand Tichu"),
    "scoring": lambda say: say("Scoring"),
    "titles": lambda say: say("Titles and seats"),
}
"""The title of every topic. A topic has the same title in all games that have it."""


def lines(*texts: Words) -> Words:
    """One text made of several, each on a line of its own."""
    return lambda say: "\n".join(text(say) for text in texts)


# --- the same in all games ---------------------------------------------------------------------


def combinations(say: Say) -> str:
    """The shapes (N13-N16)."""
    return say(
        "**Single** card · **pair** · **three** of a rank · **stairs** (two or more pairs in "
        "a row, such as 7 7 8 8) · **full house** (three and a pair; the three counts) · "
        "**straight** (five or more in a row; the ace is only ever the highest, the Mah Jong "
        "may be the 1)."
    )


def bombs(say: Say) -> str:
    """What a bomb is and when it may be played (N53-N61, G5)."""
    return say(
        "Four of a rank, one of each suit, or a straight of five or more cards of **one suit**. A "
        "bomb beats everything else, at any time while something lies on the table, also out of "
        "turn. More cards beat fewer, then the higher rank wins. After each play there is a short "
        "window in which everybody may bomb; bombs thrown in it lie face down and are taken "
        "in turn order, so speed gives no right. No special card can be part of a bomb."
    )


def mahjong(say: Say) -> str:
    """The wish (N25-N32)."""
    return say(
        "**Mah Jong** (1): whoever plays it may wish for a rank from 2 to A. From then on whoever "
        "holds that rank and can play it in their turn must, until somebody has played one or "
        "the round ends. The Phoenix does not count as one."
    )


# --- the same in all games with points ---------------------------------------------------------


def play(say: Say) -> str:
    """How a trick goes (N17-N22)."""
    return say(
        "Whoever leads plays a combination; the others, one after another, beat it with as many "
        "cards of the same kind and a higher rank, or with a bomb, or they pass. Who has passed "
        "may still play when their turn comes round again. When all others have passed, whoever "
        "played last takes the trick and leads the next one; if they have no cards left, the next "
        "player leads."
    )


def aim(say: Say) -> str:
    """What one plays for (N68, N71)."""
    return say("The aim is to get rid of your cards early, and to win tricks with points in them.")


def phoenix(say: Say) -> str:
    """The Phoenix (N42-N45)."""
    return say(
        "**Phoenix** (−25): stands for any card from 2 to A in a combination, but not in a "
        "bomb. Alone it is half a rank above the card before it, or 1½ if it is led; it never "
        "beats the Dragon."
    )


def dragon(say: Say) -> str:
    """The Dragon (N47-N49)."""
    return say(
        "**Dragon** (+25): the highest single card; only a bomb beats it. A trick won with it goes "
        "to an opponent of your choice."
    )


def points(say: Say) -> str:
    """What the cards count (N68)."""
    return say("Kings and tens count 10, fives 5, the Dragon 25, the Phoenix −25.")


# --- the same in some games ---------------------------------------------------------------------


def to_target(say: Say) -> str:
    """How long a match lasts in Nanjing and Tientsin (N4)."""
    return say("A match goes to 1000 points unless the table says otherwise.")


def target_reached(say: Say) -> str:
    """Who wins a match in Nanjing and Tientsin (N81, N82)."""
    return say("A team wins when it has reached the target after a round and is ahead.")


def first_lead(say: Say) -> str:
    """Who begins, except in Trichu (N12, G21)."""
    return say("Whoever then holds the Mah Jong leads first, with whatever they like.")


def small_tichu(say: Say) -> str:
    """Tichu in Nanjing and Tientsin (N71-N73, C20)."""
    return say(
        "With your whole hand, and until you play your first card, you may call **Tichu**: 100 "
        "points for your team if you are the first out, 100 less if not. Only while you wait for "
        "the exchange, your own cards already passed, you cannot."
    )


def dog(say: Say) -> str:
    """The Dog where everybody has one partner (N38-N41)."""
    return say(
        "**Dog**: only led, alone; it hands the lead to the partner or, if they are out, to the "
        "next player after them. It cannot be bombed."
    )


def end_of_round(say: Say) -> str:
    """The end of a round with four hands (N64-N66, N70, N75)."""
    return say(
        "The round ends when only one hand has cards left: they go to the opponents, and the "
        "tricks it has won to whoever went out first. If two partners are out first and second, "
        "the round ends at once: they get 200, the others nothing, and no cards are counted. Calls "
        "are settled on top."
    )
