"""Free choice of cards: the select, and buttons for the plays."""

from __future__ import annotations

import discord

from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Part, option, text
from cogs.pages.hand.card_order import in_display_order, rank_of_card
from cogs.pages.hand.play_choices import MOST_OFFERED, chosen_readings, write_choice
from cogs.pages.verbs import Verb
from engine import (
    CARDS_OF_RANK,
    PHOENIXES,
    CardSet,
    Combination,
    Kind,
    View,
    card_text,
    indices,
    rank_of,
)

_MOST_READINGS = 4
"""The number of buttons that fit beside **Back**."""


def card_select(
    view: View,
    chosen: CardSet,
    controls: Controls,
    words: Speaker,
    verb: Verb,
    args: str,
) -> Part:
    """Return the select of all cards; those in `chosen` are marked."""
    options, most = _card_options(view, chosen, words), min(view.hand.size, MOST_OFFERED)
    return controls.select(verb, words.say("Choose cards"), options, args, most=most)


def reading_buttons(
    view: View,
    chosen: CardSet,
    controls: Controls,
    words: Speaker,
    verb: Verb = Verb.PLAY,
    args_prefix: str = "",
) -> list[Part]:
    """Return a button for each play of the chosen cards.

    Their arguments are those of `write_choice`, after `args_prefix`.
    """
    return [
        play_button(
            play,
            controls,
            words,
            words.say("Play: {combination}", combination=words.combination(play)),
            verb,
            args_prefix,
        )
        for play in chosen_readings(view, chosen)[:_MOST_READINGS]
    ]


def refusal_line(chosen: CardSet, reason: str, words: Speaker) -> Part:
    """Return the line that replaces the buttons of plays if there is no legal one."""
    return text(f"⚠️ {words.cards(chosen)} – {reason}")


def play_button(
    play: Combination,
    controls: Controls,
    words: Speaker,
    label: str,
    verb: Verb = Verb.PLAY,
    args_prefix: str = "",
) -> Part:
    """Return the button that makes this play."""
    return controls.button(
        verb,
        label,
        args_prefix + write_choice(play.cards, play.phoenix),
        style=discord.ButtonStyle.danger if play.is_bomb else discord.ButtonStyle.success,
        emoji=words.art.card_emoji(picture_card(play)),
    )


def picture_card(play: Combination) -> str:
    """Return the card, in notation, whose picture represents a play.

    It is the Phoenix if that replaces a card, else a card of the triple or the highest card.
    """
    triple = play.cards & CARDS_OF_RANK[play.rank] if play.kind is Kind.FULL_HOUSE else 0
    cards = list(indices(play.cards & PHOENIXES or triple or play.cards))
    return card_text(max(cards, key=lambda card: (rank_of(card), -card)))


def _card_options(view: View, chosen: CardSet, words: Speaker) -> list[Part]:
    """Return an option for each card in hand; those in `chosen` are marked.

    A label contains the suit if the card is in a bomb or there are others of its rank.
    """
    hand_cards = view.hand.cards
    in_bombs = 0
    for bomb in view.hand.bombs():
        in_bombs |= bomb.cards
    ranks = [rank_of(card) for card in indices(hand_cards)]
    options = []
    for card in in_display_order(hand_cards, words.sorting):
        needs_suit = 1 << card & in_bombs or ranks.count(rank_of(card)) > 1
        options.append(
            option(
                words.card_name(card) if needs_suit else rank_of_card(card, words),
                card_text(card),
                emoji=words.art.card_emoji(card_text(card)),
                default=bool(chosen >> card & 1),
            )
        )
    return options
