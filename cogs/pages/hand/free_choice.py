"""Cards chosen freely in a hand, one by one: the select, and the buttons for what they make."""

from __future__ import annotations

import discord

from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Part, option, text
from cogs.pages.hand.card_order import in_order, rank_of_card
from cogs.pages.hand.play_choices import MOST_OFFERED, chosen_readings, write_choice
from cogs.pages.verbs import Verb
from engine import CardSet, Combination, View, bits, card_text, indices, rank_of

_MOST_READINGS = 4
"""The buttons beside the way back."""


def card_select(
    view: View,
    chosen: CardSet,
    controls: Controls,
    words: Speaker,
    verb: Verb,
    args: str,
) -> Part:
    """The select with all cards of the hand; those in the set `chosen` are marked."""
    options, most = _card_options(view, chosen, words), min(view.hand.size, MOST_OFFERED)
    return controls.select(verb, words.say("Choose cards"), options, args, most=most)


def made_buttons(
    view: View,
    chosen: CardSet,
    controls: Controls,
    words: Speaker,
    verb: Verb = Verb.PLAY,
    before: str = "",
) -> list[Part]:
    """A button for each play that the chosen cards make now; none if they make none.

    Its arguments are those of `write_choice`, behind the text `before`.
    """
    return [
        play_button(
            play,
            controls,
            words,
            words.say("Play: {combination}", combination=words.combination(play)),
            verb,
            before,
        )
        for play in chosen_readings(view, chosen)[:_MOST_READINGS]
    ]


def refused_line(chosen: CardSet, reason: str, words: Speaker) -> Part:
    """The line that stands there instead of buttons: the chosen cards make no play now."""
    return text(f"⚠️ {words.cards(chosen)} – {reason}")


def play_button(
    play: Combination,
    controls: Controls,
    words: Speaker,
    label: str,
    verb: Verb = Verb.PLAY,
    before: str = "",
) -> Part:
    """The button that makes this play."""
    return controls.button(
        verb,
        label,
        before + write_choice(play.cards, play.phoenix),
        style=discord.ButtonStyle.danger if play.is_bomb else discord.ButtonStyle.success,
        emoji=words.art.card_emoji(picture_of(play)),
    )


def picture_of(play: Combination) -> str:
    """The card, in notation, whose picture stands for a play: the highest that is no Phoenix."""
    cards = list(indices(play.cards))
    return card_text(max(cards, key=lambda card: (rank_of(card), -card)))


def _card_options(view: View, chosen: CardSet, words: Speaker) -> list[Part]:
    """An option of a select for each card of the hand; those in the set `chosen` are marked.

    A suit is named where it matters: in a bomb, and where there are several cards of a rank.
    """
    held = view.hand.cards
    in_bombs = 0
    for bomb in view.hand.bombs():
        in_bombs |= bomb.cards
    ranks = [rank_of(bit.bit_length() - 1) for bit in bits(held)]
    options = []
    for card in in_order(held, words.sorting):
        suit = 1 << card & in_bombs or ranks.count(rank_of(card)) > 1
        options.append(
            option(
                words.card_name(card) if suit else rank_of_card(card, words),
                card_text(card),
                emoji=words.art.card_emoji(card_text(card)),
                default=bool(chosen >> card & 1),
            )
        )
    return options
