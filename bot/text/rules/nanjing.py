"""Short rules of Nanjing: four players, two teams."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.labels import TEAM_EMOJIS
from bot.text.rules import shared
from bot.text.rules.shared import Words, blocks, lines

NANJING: Mapping[str, Words] = {
    "game": lines(
        shared.aim,
        lambda words: words.say(
            "Two teams of two ({first} and {second}). Your partner sits opposite you.",
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
        lambda words: words.say("The rule book calls this game Nanjing."),
    ),
    "cards": lines(shared.suits, shared.ranks, shared.specials_with_dog, shared.points),
    "deal": lines(
        lambda words: words.say("You get eight cards. Only now may you call **Grand Tichu**."),
        lambda words: words.say("Then come six more: fourteen in all."),
        lambda words: words.say(
            "Pass one card, face down, to each of the others, your partner included."
        ),
        lambda words: words.say("You see the three you get once everyone has passed theirs."),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": blocks(shared.mahjong, shared.dog, shared.phoenix, shared.dragon),
    "wish": lines(*shared.wishes, shared.missed_wish),
    "tichu": lines(
        shared.small_tichu,
        shared.when_tichu,
        lambda words: words.say(
            "**Grand Tichu**: the same for 200, but only with your first eight cards."
        ),
        shared.own_bet,
    ),
    "scoring": lines(
        shared.points,
        shared.end_of_round,
        shared.double_victory,
        shared.calls_on_top,
        shared.target_reached,
    ),
}
