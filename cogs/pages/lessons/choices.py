"""Labels of the choices in a step of a lesson.

An action has the same name as on a hand. If only the cards distinguish the choices, each gets a
number, and the cards are shown above as pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import discord

from bot.lessons import Choice, Step, cards_in
from bot.text.cards import Speaker
from cogs.pages.hand.card_order import ranks_of_cards
from cogs.pages.lessons.table import lesson_name
from engine import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    Card,
    Combination,
    GiveTrick,
    Match,
    Pass,
    PassCards,
    Play,
    Waive,
    card_text,
    indices,
    rank_of,
    read_cards,
    readings,
    with_key_on,
)

CIRCLED_NUMBERS = "①②③④⑤⑥⑦⑧⑨⑩"
"""Numbers in circles: a bare number would be the rank of a card."""


class Label(NamedTuple):
    """The label of a choice."""

    button: str
    """The text on its button."""
    above: str
    """The text that explains its number, above the buttons; empty if it has no number."""
    emoji: discord.PartialEmoji | None
    """The picture on its button, if any."""


def choice_labels(step: Step, words: Speaker) -> list[Label]:
    """Return the labels of a step's choices, in their order."""
    names = [_choice_name(step, choice, words) for choice in step.choices]
    if all(names) and len(set(names)) == len(names):
        return [
            Label(name, "", _button_emoji(choice, words))
            for name, choice in zip(names, step.choices, strict=True)
        ]
    return [
        Label(number, f"{number} {_choice_in_pictures(step, choice, words)}", None)
        for number, choice in zip(CIRCLED_NUMBERS, step.choices, strict=False)
    ]


def lesson_text(sentence: str, words: Speaker) -> str:
    """Return a translated sentence of a lesson, with pictures of its cards."""
    return words.say.translate(
        sentence, {cards: _cards_text(cards, words.card) for cards in cards_in(sentence)}
    )


def _cards_text(cards: str, show_card: Callable[[Card], str]) -> str:
    """Return the text of cards, in the order of their notation."""
    return " ".join(show_card(card) for word in cards.split() for card in indices(read_cards(word)))


def _choice_name(step: Step, choice: Choice, words: Speaker) -> str:
    """Return the name of a choice; empty if only its cards distinguish it from others."""
    if choice.action is None:
        return "" if cards_in(choice.answer) else words.say.translate(choice.answer, {})
    assert step.scene.match is not None
    return _action_name(step.scene.match, choice.action, words)


def _action_name(match: Match, action: Action, words: Speaker) -> str:
    """Return the name of an action, as on the hand page; empty for an exchange."""
    say = words.say
    match action:
        case Play() | Bomb():
            return _play_name(match, action, words)
        case Pass():
            return say("Pass")
        case Waive():
            return say("No bomb")
        case CallTichu():
            return say("Tichu!")
        case AnswerGrand(call=call):
            return say("Grand Tichu!") if call else say("No")
        case AnswerWithdraw(withdraw=withdraw):
            return say("Withdraw") if withdraw else say("Keep my call")
        case GiveTrick(receiver=receiver):
            return say("To {name}", name=lesson_name(match, receiver, words))
    return ""


def _play_name(match: Match, play: Play | Bomb, words: Speaker) -> str:
    """Return the name of a play, with its wish or chosen partner.

    Cards that are no combination have their ranks as a name.
    """
    say, reading = words.say, _combination_played(match, play)
    if reading is None:
        return ranks_of_cards(play.cards, words)
    name = words.short(reading)
    if isinstance(play, Play) and play.wish is not None:
        return say("{play}, wish {rank}", play=name, rank=words.rank(play.wish))
    if isinstance(play, Play) and play.partner is not None:
        return say("{play} to {name}", play=name, name=lesson_name(match, play.partner, words))
    return name


def _combination_played(match: Match, play: Play | Bomb) -> Combination | None:
    """Return the combination of a play's cards, or `None` if they are no combination."""
    phoenix_ranks = play.phoenix if isinstance(play, Play) else None
    for reading in readings(play.cards):
        if phoenix_ranks is None or reading.phoenix == phoenix_ranks:
            return with_key_on(reading, match.round.top if match.round is not None else None)
    return None


def _button_emoji(choice: Choice, words: Speaker) -> discord.PartialEmoji | None:
    """Return the picture on the button of a play or pass.

    A play is represented by its highest card except the Phoenix.
    """
    if isinstance(choice.action, Play | Bomb):
        cards = indices(choice.action.cards)
        highest = max(cards, key=lambda card: (rank_of(card), -card))
        return words.art.card_emoji(card_text(highest))
    return words.art.icon_emoji("pass") if isinstance(choice.action, Pass) else None


def _choice_in_pictures(step: Step, choice: Choice, words: Speaker) -> str:
    """Return the text of a choice with pictures of its cards."""
    action, match = choice.action, step.scene.match
    if action is None or match is None:
        return lesson_text(choice.answer, words)
    if isinstance(action, PassCards):
        return " · ".join(
            words.say(
                "{cards} to {name}",
                cards=words.cards(cards),
                name=lesson_name(match, receiver, words),
            )
            for receiver, cards in action.gifts
        )
    name = _action_name(match, action, words)
    if isinstance(action, Play | Bomb):
        return f"{words.cards(action.cards)} {name}"
    return name
