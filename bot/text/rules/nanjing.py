"""The rules of Nanjing in short: four players, two teams."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, lines

NANJING: Mapping[str, Words] = {
    "game": lines(
        lambda say: say("Four players, two teams; partners sit opposite each other."),
        shared.play,
        shared.aim,
        shared.to_target,
    ),
    "deal": lines(
        lambda say: say(
            "Everybody first sees eight cards and may call **Grand Tichu**; then come six more. "
            "Before play everybody passes one card, face down, to each of the others."
        ),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": lines(shared.mahjong, shared.dog, shared.phoenix, shared.dragon),
    "tichu": lines(
        shared.small_tichu,
        lambda say: say(
            "With only eight cards in hand you may call **Grand Tichu** instead, for 200."
        ),
        lambda say: say("The bet is yours alone: if your partner goes out before you, it is lost."),
    ),
    "scoring": lines(shared.points, shared.end_of_round, shared.target_reached),
}
