"""The rules in short, by game and topic, for ``/tichu rules`` and the button at the table."""

from __future__ import annotations

import discord

from bot.text.cards import Speaker
from bot.text.rules import FIRST_GAME, FIRST_TOPIC, GAMES, TITLES
from cogs.pages.controls import Controls, Page, Part, option, row, text
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""The rules belong to no table and are never out of date."""


def rules_page(to: Speaker, topic: str, variant: str = FIRST_GAME) -> Page:
    """One topic of one game, a select for its other topics, and buttons for the other games.

    What nobody knows becomes the first: a game Nanjing, a topic “the game in a minute”.
    """
    say = to.say
    game = variant if variant in GAMES else FIRST_GAME
    topic = topic if topic in GAMES[game] else FIRST_TOPIC
    options = [
        option(TITLES[name](say), f"{game}.{name}", default=name == topic) for name in GAMES[game]
    ]
    return Page(
        text(f"-# {to.variant(game)}\n### {TITLES[topic](say)}"),
        text(GAMES[game][topic](say)),
        _CONTROLS.select(Verb.RULES, say("Another topic…"), options),
        row(*(_game_button(name, topic, to, here=name == game) for name in GAMES)),
    )


def chosen_rules(said: str) -> tuple[str, str]:
    """Game and topic that a control of `rules_page` means, such as ``trichu.deal``."""
    game, _, topic = said.partition(".")
    return game, topic


def _game_button(game: str, topic: str, to: Speaker, *, here: bool) -> Part:
    """To the same topic of a game; the game that is shown is marked."""
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        Verb.RULES,
        to.variant(game),
        f"{game}.{topic}",
        style=colours.primary if here else colours.secondary,
        disabled=here,
    )
