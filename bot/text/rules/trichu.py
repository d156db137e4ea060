"""Short rules of Trichu: three people, and the Table as a fourth hand."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, blocks, lines

TRICHU: Mapping[str, Words] = {
    "game": lines(
        shared.aim,
        lambda words: words.say(
            "Three people and a fourth hand, the **Table**. Each round, the dealer and the Table "
            "are partners against the two others."
        ),
        shared.lead,
        shared.follow,
        shared.bomb,
        shared.pass_again,
        shared.trick,
        shared.lead_of_one_who_is_out,
        lambda words: words.say(
            "A match lasts nine rounds, or as many as the table says: always a multiple of three."
        ),
        lambda words: words.say("The rule book calls this game Trichu."),
    ),
    "cards": lines(shared.suits, shared.ranks, shared.specials_with_dog, shared.points),
    "table": lines(
        lambda words: words.say(
            "The Table sits opposite the dealer, who sees its cards as soon as all are dealt. "
            "After the exchange everyone does."
        ),
        lambda words: words.say(
            "The dealer decides for the Table: its cards to pass, its plays and bombs, its wish, "
            "who gets its Dragon trick, and whether it calls Tichu."
        ),
        lambda words: words.say(
            "If the Table has the Mah Jong after the exchange, it leads first."
        ),
        lambda words: words.say(
            "For the next round, the deal moves back to the person who plays just before the "
            "dealer."
        ),
    ),
    "deal": lines(
        lambda words: words.say(
            "Each of the four hands gets eight cards. Only now may the dealer's two opponents "
            "call **Grand Tichu**."
        ),
        lambda words: words.say("Then come six more: fourteen in all."),
        lambda words: words.say(
            "Each hand passes one card, face down, to each of its two opponents, and none to its "
            "partner."
        ),
        lambda words: words.say("Then the Table's cards are laid face up."),
        lambda words: words.say(
            "The hand with {card} leads first, with any play.", card=words.art.card("MAHJONG")
        ),
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": blocks(shared.mahjong, shared.dog, shared.phoenix, shared.dragon),
    "wish": lines(
        *shared.wishes,
        lambda words: words.say(
            "A wish never binds the Table. But if it plays that rank, the wish is over."
        ),
        shared.missed_wish,
    ),
    "tichu": lines(
        lambda words: words.say("**Tichu**: +100 for your side if you're out first, −100 if not."),
        shared.when_tichu,
        lambda words: words.say(
            "As the dealer you may call it for the Table, too, until the Table plays its first "
            "card."
        ),
        lambda words: words.say(
            "**Grand Tichu**: the same for 200, with the first eight cards. Only the dealer's "
            "opponents may call it."
        ),
        lambda words: words.say(
            "It's a bet on one hand: if its partner is out before it, the bet is lost."
        ),
    ),
    "scoring": lines(
        shared.points,
        shared.end_of_round,
        shared.double_victory,
        shared.calls_on_top,
        lambda words: words.say(
            "Each of you has a score of your own, and so has the Table. All four get what their "
            "side won in the round."
        ),
        lambda words: words.say(
            "After the last round the highest score wins, even the Table's. A tie is shared."
        ),
    ),
}
