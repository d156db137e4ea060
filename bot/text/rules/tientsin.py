"""Short rules of Tientsin: six players, two teams of three."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.labels import TEAM_EMOJIS
from bot.text.rules import shared
from bot.text.rules.shared import Words, blocks, lines, under

TIENTSIN: Mapping[str, Words] = {
    "game": lines(
        shared.aim,
        lambda words: words.say(
            "Two teams of three ({first} and {second}), seated alternately.",
            first=TEAM_EMOJIS[0],
            second=TEAM_EMOJIS[1],
        ),
        shared.lead,
        shared.follow,
        shared.bomb,
        shared.pass_again,
        shared.trick,
        shared.lead_of_one_who_is_out,
        shared.to_target,
        lambda words: words.say("The rule book calls this game Tientsin."),
    ),
    "cards": lines(shared.suits, shared.ranks, shared.specials_with_dog, shared.points),
    "deal": lines(
        lambda words: words.say("You get six cards. Only now may you call **Grand Tichu**."),
        lambda words: words.say(
            "Then comes the rest: ten cards in all for the dealer and the next player, nine "
            "for the others."
        ),
        lambda words: words.say(
            "Pass one card, face down, to each of your two partners, and none to opponents."
        ),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": blocks(
        shared.mahjong,
        under(
            lambda words: words.say("{card} **Dog**, no points", card=words.art.card("DOG")),
            lambda words: words.say(
                "Lead it, alone, and choose which partner with cards leads next."
            ),
            lambda words: words.say("If both are out, the next player after the nearer one leads."),
            lambda words: words.say("It beats nothing, and nobody can bomb it."),
        ),
        shared.phoenix,
        shared.dragon,
    ),
    "wish": lines(*shared.wishes, shared.missed_wish),
    "tichu": lines(
        shared.small_tichu,
        shared.when_tichu,
        lambda words: words.say(
            "**Grand Tichu**: the same for 200, but only with your first six cards."
        ),
        lambda words: words.say("It's your own bet: if a partner is out before you, it's lost."),
    ),
    "scoring": lines(
        shared.points,
        lambda words: words.say(
            "The round ends when only one player has cards. Their hand and the tricks they won go "
            "to the opponents."
        ),
        lambda words: words.say("The tricks of the fifth player out go to whoever was out first."),
        lambda words: words.say(
            "**Triple victory**: three partners out before anyone else end the round at once, 300 "
            "to 0. No cards are counted."
        ),
        lambda words: words.say("Two partners out 1st and 2nd get nothing extra."),
        shared.calls_on_top,
        shared.target_reached,
    ),
}
