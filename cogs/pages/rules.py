"""The page of short rules, and the buttons to learning pages."""

from __future__ import annotations

import discord

from bot.text.cards import Speaker
from bot.text.rules import FIRST_GAME, FIRST_TOPIC, GAMES, TITLES, legend
from cogs.pages.controls import Controls, Page, Part, option, row, text
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""Controls without a table, because pages that teach are never out of date."""


def rules_page(
    words: Speaker, topic: str, variant: str = FIRST_GAME, controls: Controls = _CONTROLS
) -> Page:
    """Return a page of rules: one topic of a game, with controls for other topics and games.

    The legend of the suits is below the topic. An unknown game or topic is replaced by the first
    one. If `controls` belong to a table, there is a button back to its page **More…**.
    """
    say = words.say
    back_row = (
        [row(controls.button(Verb.MORE, say("Back")))] if controls.table_id is not None else []
    )
    game = variant if variant in GAMES else FIRST_GAME
    topic = topic if topic in GAMES[game] else FIRST_TOPIC
    body = [text(GAMES[game][topic](words))]
    if topic != "cards":  # its text begins with the suits
        body.append(text(f"-# {legend(words)}"))
    options = [
        option(TITLES[name](say), f"{game}.{name}", default=name == topic) for name in GAMES[game]
    ]
    return Page(
        text(f"-# {words.variant(game)}\n### {TITLES[topic](say)}"),
        *body,
        controls.select(Verb.RULES, say("Topic"), options),
        row(*(_game_button(name, topic, words, controls, is_shown=name == game) for name in GAMES)),
        *back_row,
    )


def rules_button(words: Speaker, game: str, topic: str) -> Part:
    """Return the button that opens a topic of a game's rules in another message.

    `topic` is one that the game has, such as ``tichu``, ``wish`` or ``bombs``.
    """
    return _CONTROLS.button(Verb.EXPLAIN, words.say("Rules"), f"{game}.{topic}")


def learn_button(words: Speaker) -> Part:
    """Return the button that opens the list of lessons."""
    return _CONTROLS.button(Verb.LEARN, words.say("Learn Tichu"))


def read_rules_choice(choice: str) -> tuple[str, str]:
    """Parse the arguments of `rules_page`'s controls, such as ``trichu.deal``: game and topic."""
    game, _, topic = choice.partition(".")
    return game, topic


def _game_button(
    game: str, topic: str, words: Speaker, controls: Controls, *, is_shown: bool
) -> Part:
    """Return the button for this topic of a game; that of the shown game is disabled."""
    colours = discord.ButtonStyle
    return controls.button(
        Verb.RULES,
        words.variant(game),
        f"{game}.{topic}",
        style=colours.primary if is_shown else colours.secondary,
        disabled=is_shown,
    )
