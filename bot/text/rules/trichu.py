"""The rules of Trichu in short: three people, and the Table as a fourth hand."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, lines

TRICHU: Mapping[str, Words] = {
    "game": lines(
        lambda say: say(
            "Three people, and a fourth hand that is nobody's: the **Table**. In each round the "
            "dealer and the Table are partners against the two others."
        ),
        shared.play,
        shared.aim,
        lambda say: say(
            "A match has a number of rounds that is divisible by three: nine unless the table says "
            "otherwise. Everybody deals equally often."
        ),
    ),
    "table": lines(
        lambda say: say(
            "The Table sits opposite the dealer. When all cards are dealt the dealer sees its "
            "hand, and after the exchange everybody does."
        ),
        lambda say: say(
            "The dealer decides whatever the Table has to decide: which cards it passes, what it "
            "plays and when it passes or bombs, what it wishes for, who gets its Dragon's trick, "
            "and whether it calls Tichu. If the Table has the Mah Jong after the exchange, it "
            "leads first."
        ),
        lambda say: say(
            "No wish binds the Table. But if it plays a card of the rank, the wish is over."
        ),
        lambda say: say(
            "In the next round the person whose turn comes before the dealer's is the dealer."
        ),
    ),
    "deal": lines(
        lambda say: say(
            "Each of the four hands gets 14 cards. After the first eight the dealer's two "
            "opponents may call **Grand Tichu**; then come the rest."
        ),
        lambda say: say(
            "Before play each hand passes one card, face down, to each of its two opponents, and "
            "none to its partner. The dealer chooses for the Table."
        ),
        lambda say: say(
            "Then the Table's hand is laid open. The hand with the Mah Jong leads first, with "
            "anything."
        ),
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": lines(
        shared.mahjong,
        lambda say: say("But the Table never has to fulfil a wish."),
        shared.dog,
        shared.phoenix,
        shared.dragon,
    ),
    "tichu": lines(
        lambda say: say(
            "With your whole hand, and until you play your first card, you may call **Tichu**: 100 "
            "points for your side if you are the first out, 100 less if not. Only while you wait "
            "for the exchange, your own cards already passed, you cannot. The dealer may also call "
            "it for the Table, until the Table plays its first card."
        ),
        lambda say: say(
            "With only eight cards in hand the dealer's two opponents may call **Grand Tichu** "
            "instead, for 200; the dealer and the Table cannot."
        ),
        lambda say: say(
            "A call is a bet on one hand: if its partner goes out before it, the bet is lost."
        ),
    ),
    "scoring": lines(
        shared.points,
        shared.end_of_round,
        lambda say: say(
            "Each person has a score of their own, and so has the Table; each of the four gets "
            "what its side has won in the round. After the last round the highest score wins, be "
            "it the Table's; a tie is shared."
        ),
    ),
}
