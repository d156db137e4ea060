"""The rules of Grand Seigneur in short: five to twelve players, each for themselves."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, lines

GRAND_SEIGNEUR: Mapping[str, Words] = {
    "game": lines(
        lambda say: say(
            "Five to twelve players, each for themselves: no teams, no points, no calls. What "
            "counts is to be rid of your cards before the others."
        ),
        lambda say: say(
            "Whoever leads plays a combination; the others, one after another, beat it with as "
            "many cards of the same kind and a higher rank, or with a bomb, or they pass. Who has "
            "passed may still play when their turn comes round again. When all others have passed, "
            "the trick is put away and whoever played last leads the next one; if they have no "
            "cards left, the next player leads."
        ),
        lambda say: say(
            "Who is out first is **Great Lord** in the next round; the one who is left with cards "
            "is **Wretch**. Play goes on until the table votes to stop, or for the number of "
            "rounds that was chosen, from 1 to 99."
        ),
    ),
    "deal": lines(
        lambda say: say(
            "Five players get eleven cards each, six get nine, seven to nine get twelve, more get "
            "nine to eleven. With two decks five or six get twelve as well. What is left lies open "
            "and is not played; the Mah Jong is never among it."
        ),
        lambda say: say(
            "From the second round on the **Wretch** gives their three best cards to the **Great "
            "Lord**, the second from the bottom their two best to the **Lord**, the third their "
            "best one to the **Squire**. Five players give two, one and none. Best means: Dragon, "
            "Phoenix, Mah Jong, then ace to 2; between equals the giver chooses. Whoever is given "
            "cards gives back as many, any they like, before they see what they get. All others "
            "keep their cards."
        ),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": lines(
        shared.mahjong,
        lambda say: say(
            "**Phoenix**: stands for any card from 2 to A in a combination, but not in a bomb. "
            "Alone it is half a rank above the card before it, or 1½ if it is led; it never beats "
            "the Dragon."
        ),
        lambda say: say(
            "**Dragon**: the highest single card; only a bomb beats it, or a second Dragon. A "
            "trick won with it is put away like any other."
        ),
        lambda say: say("There is no Dog in this game."),
    ),
    "decks": lines(
        lambda say: say(
            "From seven players on there are two decks with one Mah Jong; five or six may choose "
            "them. Equal cards do not beat each other, with one exception: the second Dragon beats "
            "the first. Two Dragons are no pair."
        ),
        lambda say: say(
            "A Phoenix alone on the other is half a rank higher. Both may be used in one "
            "combination if each pair and each three in it has a real card: 7, 8 and both are the "
            "stairs 7 7 8 8. Two Phoenixes are no pair."
        ),
        lambda say: say("Four of a rank are a bomb only if all four suits are there."),
    ),
    "titles": lines(
        lambda say: say(
            "By the order of going out: **Great Lord**, **Lord**, **Squire**, **Burgher**, "
            "**Pauper**, **Wretch**. Among five there is no Burgher, among seven or more there are "
            "several."
        ),
        lambda say: say(
            "After each round everybody changes seats: after the Great Lord it is the Wretch's "
            "turn, and from there it goes up rank by rank to the Lord. From the second round on "
            "the Wretch deals."
        ),
        lambda say: say("But for the exchange of cards a title gives no rights in play."),
    ),
}
