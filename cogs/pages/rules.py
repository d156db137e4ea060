"""The page with the rules in short, and the buttons **Rules** and **Learn Tichu** on others."""

from __future__ import annotations

import discord

from bot.text.cards import Speaker
from bot.text.rules import FIRST_GAME, FIRST_TOPIC, GAMES, TITLES, legend
from cogs.pages.controls import Controls, Page, Part, option, row, text
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""Controls that belong to no table: what teaches is never out of date."""


def rules_page(
    words: Speaker, topic: str, variant: str = FIRST_GAME, table: Controls = _CONTROLS
) -> Page:
    """One topic of one game, with a select for its other topics and buttons for other games.

    Below the topic stands the legend of the suits. In place of an unknown game or topic the first
    one is shown: “The game in a minute” for four. With the controls of a `table` there is a
    way back to its **More…**.
    """
    say = words.say
    back = [row(table.button(Verb.MORE, say("Back")))] if table.table_id is not None else []
    game = variant if variant in GAMES else FIRST_GAME
    topic = topic if topic in GAMES[game] else FIRST_TOPIC
    body = [text(GAMES[game][topic](words))]
    if topic != "cards":  # where the suits stand on top
        body.append(text(f"-# {legend(words)}"))
    options = [
        option(TITLES[name](say), f"{game}.{name}", default=name == topic) for name in GAMES[game]
    ]
    return Page(
        text(f"-# {words.variant(game)}\n### {TITLES[topic](say)}"),
        *body,
        table.select(Verb.RULES, say("Topic"), options),
        row(*(_game_button(name, topic, words, table, shown=name == game) for name in GAMES)),
        *back,
    )


def rules_button(words: Speaker, game: str, topic: str) -> Part:
    """The button that opens a topic beside the page it stands on, where its word appears.

    `topic` is one that this game has, such as ``tichu``, ``wish`` or ``bombs``.
    """
    return _CONTROLS.button(Verb.EXPLAIN, words.say("Rules"), f"{game}.{topic}")


def learn_button(words: Speaker) -> Part:
    """The button that opens the list of lessons."""
    return _CONTROLS.button(Verb.LEARN, words.say("Learn Tichu"))


def chosen_rules(choice: str) -> tuple[str, str]:
    """The game and the topic that a control of `rules_page` names, such as ``trichu.deal``."""
    game, _, topic = choice.partition(".")
    return game, topic


def _game_button(game: str, topic: str, words: Speaker, controls: Controls, *, shown: bool) -> Part:
    """The button for the same topic in another game. That of the game shown is disabled."""
    colours = discord.ButtonStyle
    return controls.button(
        Verb.RULES,
        words.variant(game),
        f"{game}.{topic}",
        style=colours.primary if shown else colours.secondary,
        disabled=shown,
    )
