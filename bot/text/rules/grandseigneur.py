"""Short rules of Grand Seigneur: five to twelve players, each for themselves."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, blocks, lines, under

GRAND_SEIGNEUR: Mapping[str, Words] = {
    "game": lines(
        lambda words: words.say("**Aim:** get rid of your cards before the others."),
        lambda words: words.say(
            "Five to twelve players, each for themselves: no teams, no points, no calls."
        ),
        shared.lead,
        shared.follow,
        shared.bomb,
        shared.pass_again,
        lambda words: words.say(
            "When everyone else has passed, the trick is put away, and the last to play leads the "
            "next one."
        ),
        shared.lead_of_one_who_is_out,
        lambda words: words.say(
            "Be out first and you're **Great Lord** in the next round; be last and you're "
            "**Wretch**."
        ),
        lambda words: words.say(
            "Play goes on until the table votes to stop, or for the rounds you chose (1 to 99)."
        ),
    ),
    "cards": lines(
        shared.suits,
        shared.ranks,
        lambda words: words.say(
            "Special cards: {mahjong} Mah Jong · {phoenix} Phoenix · {dragon} Dragon.",
            mahjong=words.art.card("MAHJONG"),
            phoenix=words.art.card("PHOENIX"),
            dragon=words.art.card("DRAGON"),
        ),
    ),
    "deal": lines(
        lambda words: words.say(
            "Five players get eleven cards each, six get nine, seven to nine get twelve, more "
            "get nine to eleven. With two decks, five or six players get twelve."
        ),
        lambda words: words.say(
            "Leftover cards lie face up and aren't played. The Mah Jong is never among them."
        ),
        lambda words: words.say(
            "From the second round on, the **Wretch** gives their three best cards to the "
            "**Great Lord**."
        ),
        lambda words: words.say(
            "The player above them gives two to the **Lord**, and the one above that gives one "
            "to the **Squire**."
        ),
        lambda words: words.say("With five players it's two, one, none."),
        lambda words: words.say(
            "Best means {dragon} {phoenix} {mahjong}, then ace down to 2. Between equal cards, "
            "the giver chooses.",
            dragon=words.art.card("DRAGON"),
            phoenix=words.art.card("PHOENIX"),
            mahjong=words.art.card("MAHJONG"),
        ),
        lambda words: words.say(
            "If you're given cards, give back the same number – any you like, before you see "
            "what you get."
        ),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": blocks(
        shared.mahjong,
        under(
            lambda words: words.say("{card} **Phoenix**", card=words.art.card("PHOENIX")),
            shared.phoenix_fills,
            shared.phoenix_alone,
            shared.phoenix_limits,
        ),
        under(
            lambda words: words.say("{card} **Dragon**", card=words.art.card("DRAGON")),
            lambda words: words.say(
                "The highest single card. Only a bomb or a second Dragon beats it."
            ),
            shared.dragon_alone,
            lambda words: words.say("A trick it wins is put away like any other."),
        ),
        lambda words: words.say("There is no Dog in this game."),
    ),
    "wish": lines(*shared.wishes),
    "decks": lines(
        lambda words: words.say(
            "With seven players or more there are two decks, with one Mah Jong. Five or six "
            "may choose two decks."
        ),
        lambda words: words.say(
            "Equal cards don't beat each other, but the second Dragon beats the first."
        ),
        lambda words: words.say("Two Dragons aren't a pair, nor are two Phoenixes."),
        lambda words: words.say("Played alone on the other one, a Phoenix is half a rank higher."),
        lambda words: words.say(
            "Both may be in one combination if each pair and each three in it has a real card: "
            "{cards} are stairs.",
            cards=" ".join(map(words.art.card, ("S7", "PHOENIX", "J8", "PHOENIX"))),
        ),
        lambda words: words.say("Four of a rank are a bomb only if all four suits are there."),
    ),
    "titles": lines(
        lambda words: words.say(
            "In the order of going out: **Great Lord**, **Lord**, **Squire**, **Burgher**, "
            "**Pauper**, **Wretch**."
        ),
        lambda words: words.say(
            "If you know *President* or *The Great Dalmuti*, you know this game."
        ),
        lambda words: words.say("Five players have no Burgher, seven or more have several."),
        lambda words: words.say(
            "After each round everyone changes seats: after the Great Lord comes the Wretch, then "
            "up rank by rank to the Lord."
        ),
        lambda words: words.say("From the second round on, the Wretch deals."),
        lambda words: words.say("Apart from the exchange, titles make no difference to play."),
    ),
}
