"""A round of each game in each language: what is sent is in that language, and never in English."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from bot.text import LOCALES, po_file, speech
from cogs.pages.verbs import Verb
from engine import VARIANTS
from tests.campaign import SOAK
from tests.cogs.fast_forward import begin_by_clicks, round_over, tricks
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import a_world
from tests.simcord_clicks import Wire, controls, speak, with_verb

LANGUAGES = sorted({"en", *(folder.name for folder in LOCALES.iterdir() if folder.is_dir())})
DISCORD = {"en": "en-GB", "es": "es-ES", "pt_BR": "pt-BR"}
"""What Discord calls a language, where it has another name for it."""
SHORT: dict[str, dict[str, Any]] = {"nanjing": {}, "trichu": {"rounds": 3}, "tientsin": {}}
"""Options of a game; without them it is Grand Seigneur."""
EACH = [
    (language, game)
    for (place, language), (number, game) in product(enumerate(LANGUAGES), enumerate(VARIANTS))
    if SOAK or place % len(VARIANTS) == number  # each language once, each game more than once
]
READ = ("content", "label", "placeholder", "description")
"""The fields of a message that people read."""


def test_there_are_seven_languages() -> None:
    assert LANGUAGES == ["de", "en", "es", "fr", "it", "pt_BR", "uk"]
    assert {language for language, _ in EACH} == set(LANGUAGES)
    assert {game for _, game in EACH} == set(VARIANTS)


@cache
def only_english(language: str) -> frozenset[str]:
    """The messages that this language says with other words, without those with placeholders."""
    if language == "en":
        return frozenset()
    with po_file(language).open("rb") as file:
        return frozenset(
            message.id
            for message in read_po(file)
            if isinstance(message.id, str) and message.id and "{" not in message.id
            if message.string not in ("", message.id)
        )


def read(body: Any) -> Iterator[str]:
    """What people read of the body of a request, line by line."""
    if isinstance(body, dict):
        for name, value in body.items():
            if name in READ and isinstance(value, str):
                yield from value.splitlines()
            else:
                yield from read(value)
    elif isinstance(body, list):
        for value in body:
            yield from read(value)


@pytest.mark.slow
@pytest.mark.parametrize("language, game", EACH)
async def test_a_round_in_each_language(tmp_path: Path, language: str, game: str) -> None:
    locale = DISCORD.get(language, language)
    say = speech(locale)
    async with a_world(tmp_path, seed=3, language=locale) as world:
        (ada,) = world.people("Ada")
        speak(world.env, {ada.id: locale})
        wire = Wire(world.env)
        players = await seat_all(world, [ada], variant=game, **SHORT.get(game, {"rounds": 2}))
        await begin_by_clicks(world, players, round_over, clicks=tricks(1, world.game().match))
        for verb in (Verb.MORE, Verb.RULES):
            await ada.press(verb)
        sent = [line.strip("*#- ") for one in wire.sent for line in read(one.body)]
        assert len(sent) > 50
        assert sorted(set(sent) & only_english(language)) == []
        message, _ = world.newest_with(Verb.HAND)
        (hand,) = with_verb(message, Verb.HAND)
        assert hand.label == say("My hand")
        assert controls(message)
