"""The rules of Tientsin in short: six players, two teams of three."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.rules import shared
from bot.text.rules.shared import Words, lines

TIENTSIN: Mapping[str, Words] = {
    "game": lines(
        lambda say: say("Six players, two teams of three, seated alternately."),
        shared.play,
        shared.aim,
        shared.to_target,
    ),
    "deal": lines(
        lambda say: say(
            "Everybody first sees six cards and may call **Grand Tichu**; then come the rest: ten "
            "cards in all for the dealer and the player after them, nine for the others."
        ),
        lambda say: say(
            "Before play everybody passes one card, face down, to each of their two partners. "
            "Opponents get none."
        ),
        shared.first_lead,
    ),
    "combinations": shared.combinations,
    "bombs": shared.bombs,
    "specials": lines(
        shared.mahjong,
        lambda say: say(
            "**Dog**: only led, alone; it hands the lead to a partner of your choice who still has "
            "cards. If neither has, it goes on from the nearer one to the next player with cards. "
            "It cannot be bombed."
        ),
        shared.phoenix,
        shared.dragon,
    ),
    "tichu": lines(
        shared.small_tichu,
        lambda say: say(
            "With only six cards in hand you may call **Grand Tichu** instead, for 200."
        ),
        lambda say: say("The bet is yours alone: if a partner goes out before you, it is lost."),
    ),
    "scoring": lines(
        shared.points,
        lambda say: say(
            "The round ends when only one player has cards: their hand and the tricks they have "
            "won go to the opponents. The tricks of the fifth player out go to whoever went out "
            "first."
        ),
        lambda say: say(
            "If all three partners are out before anybody else, the round ends at once: they get "
            "300, the others nothing, and no cards are counted. Two partners out first and second "
            "get nothing extra, and play goes on. Calls are settled on top."
        ),
        shared.target_reached,
    ),
}
