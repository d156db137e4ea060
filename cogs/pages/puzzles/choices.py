"""Names of the choices of a puzzle, as on a hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.state import Game
from bot.text import capital
from bot.text.cards import Speaker
from cogs.pages.controls import Part, option
from cogs.pages.hand.choices import cards_in_words
from cogs.pages.hand.free_choice import picture_card
from cogs.pages.hand.hints import action_text, combination_played
from cogs.pages.names import label_name
from engine import (
    Action,
    Bomb,
    Combination,
    Kind,
    Pass,
    PassCards,
    Play,
    Seat,
    indices,
    write_action,
)


def in_offered_order(game: Game, seat: Seat, actions: Sequence[Action]) -> list[Action]:
    """Return the choices of a puzzle in an order that does not depend on their worth."""

    def place(action: Action) -> tuple[int, int, int, int, str]:
        notation = write_action(action)
        if not isinstance(action, Play | Bomb):
            return 1, 0, 0, 0, notation
        play = combination_played(game, seat, action)
        return 0, list(Kind).index(play.kind), play.size, play.key, notation

    return sorted(actions, key=place)


def choice_option(game: Game, seat: Seat, action: Action, words: Speaker) -> Part:
    """Return the option of a choice; its value is the action in notation."""
    value = write_action(action)
    if isinstance(action, Play | Bomb):
        play = combination_played(game, seat, action)
        return option(
            _play_label(game, action, play, words),
            value,
            description=cards_in_words(play, words) if play.size > 1 else None,
            emoji=words.art.card_emoji(picture_card(play)),
        )
    icon = words.art.icon_emoji("pass") if isinstance(action, Pass) else None
    return option(_label(game, seat, action, words), value, emoji=icon)


def _play_label(game: Game, action: Play | Bomb, play: Combination, words: Speaker) -> str:
    """Return the name of a play with its wish or chosen partner."""
    say, name = words.say, words.combination(play)
    if isinstance(action, Play) and action.wish is not None:
        return say("{play} and wish for {rank}", play=name, rank=words.rank(action.wish))
    if isinstance(action, Play) and action.partner is not None:
        return say("{play} to {name}", play=name, name=label_name(game, action.partner, words))
    return name


def _label(game: Game, seat: Seat, action: Action, words: Speaker) -> str:
    """Return the name of an action that is no play."""
    if not isinstance(action, PassCards):
        return capital(action_text(game, seat, action, words))
    return " · ".join(
        words.say(
            "{cards} to {name}",
            cards=" ".join(map(words.plain_card, indices(cards))),
            name=label_name(game, receiver, words),
        )
        for receiver, cards in action.gifts
    )
