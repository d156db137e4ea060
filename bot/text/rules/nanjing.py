"""The rules of Nanjing in short: four players, two teams."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, lines
from bot.text.teams import SIGNS

NANJING: Mapping[str, Words] = {
    "game": lines(
        shared.aim,
        lambda words: words.say(
            "Four players, two teams ({first} and {second}). Your partner sits opposite you.",
            first=SIGNS[0],
            second=SIGNS[1],
        ),
        shared.follow,
        shared.trick,
        shared.to_target,
        lambda words: words.say("The rule book calls this game Nanjing."),
    ),
    "cards": lines(shared.suits, shared.ranks, shared.specials_with_dog, shared.points),
    "deal": lines(
        lambda words: words.say(
            "You see your first eight cards and may call **Grand Tichu**. Then come six more."
        ),
        lambda words: words.say(
            "Pass one card, face down, to each of the others. You see yours when everyone has "
            "passed."
        ),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": lines(shared.mahjong, shared.dog, shared.phoenix, shared.dragon),
    "wish": lines(shared.wish, shared.wish_duty, shared.wish_end, shared.missed_wish),
    "tichu": lines(
        shared.small_tichu,
        lambda words: words.say(
            "**Grand Tichu**: the same for 200, called with your first eight cards only."
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
