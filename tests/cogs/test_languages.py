"""Rounds of the games in each language: nothing is sent in English by mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

import demo.__main__
from bot.text import LOCALES, Say, po_file, speech
from cogs.pages.verbs import Verb
from engine import VARIANTS
from tests.campaign import SOAK, sample
from tests.cogs.fast_forward import begin_by_clicks, round_over, tricks
from tests.cogs.table_play import seat_all
from tests.cogs.worlds import a_world
from tests.simcord_clicks import Wire, controls, speak, with_verb

LANGUAGES = sorted({"en", *(folder.name for folder in LOCALES.iterdir() if folder.is_dir())})
DISCORD = {"en": "en-GB", "es": "es-ES", "pt_BR": "pt-BR"}
"""Discord's codes of languages that have another code there."""
SHORT: dict[str, dict[str, Any]] = {"nanjing": {}, "trichu": {"rounds": 3}, "tientsin": {}}
"""Options of the games; the default is Grand Seigneur."""
SURE = 12
"""Length in characters from which an equal text is no coincidence."""
READ = ("content", "label", "placeholder", "description")
"""Fields of a message that people read."""


def games(language: str) -> list[str]:
    """Return the games played in a language: one in turn, in a campaign all."""
    every = list(VARIANTS)
    return every if SOAK else [every[LANGUAGES.index(language) % len(every)]]


SOME = sample(LANGUAGES, 4, seed=11)
"""Languages that are played in."""


def test_demo_has_all_languages() -> None:
    """Each game is played in one of them that is not English."""
    assert sorted(name.replace("-", "_") for name in demo.__main__.LOCALES) == LANGUAGES
    assert {game for name in SOME if name != "en" for game in games(name)} == {*VARIANTS}


@cache
def only_english(language: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """Return lines that are English in this language, and a pattern of English parts.

    The parts are the texts between placeholders in longer messages, without parts that a
    translation of this language also contains.
    """
    with po_file(language).open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    said = [_texts(message.string) for message in messages]
    everything = "\n".join(chain(*said))
    lines, parts = set(), set()
    for message, translated in zip(messages, said, strict=True):
        for text in _texts(message.id):
            if "{" not in text:
                lines |= {text} - set(translated)
            else:
                part = max(re.split(r"\{[^}]*\}|\n", text), key=len).strip(" *#-")
                parts |= {part} if len(part) >= SURE and part not in everything else set()
    return frozenset(lines), re.compile("|".join(map(re.escape, sorted(parts))))


def _texts(forms: str | Iterable[str] | None) -> tuple[str, ...]:
    return (forms,) if isinstance(forms, str) else tuple(forms or ())


def english_in(lines: Iterable[str], language: str) -> list[str]:
    """Return the lines that are or contain English, in another language."""
    if language == "en":
        return []
    whole, part = only_english(language)
    return sorted(line for line in set(lines) if line.strip("*#- ") in whole or part.search(line))


def test_finds_english_with_any_placeholder_values() -> None:
    def told(say: Say) -> list[str]:
        way_on = "Press **My turn** to play on. If nobody does, it closes {left}."
        return [
            f"## {say('My hand')}",
            say("{name} invites you to a game of Tichu in {channel}!", name="A", channel="B"),
            say(way_on, left=1),
        ]

    english = told(speech("en"))
    assert english_in(english, "de") == sorted(english)
    assert english_in(told(speech("de")), "de") == english_in(english, "en") == []


def read(body: Any) -> Iterator[str]:
    """Yield the readable lines in the body of a request."""
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
@pytest.mark.parametrize("language", SOME)
async def test_round_of_each_game_contains_no_english(tmp_path: Path, language: str) -> None:
    locale = DISCORD.get(language, language)
    say = speech(locale)
    async with a_world(tmp_path, seed=3, language=locale) as world:
        wire = Wire(world.env)
        languages: dict[int, str] = {}
        speak(world.env, languages)
        for game in games(language):
            channel = world.guild.create_text_channel(game)
            (player,) = world.people(f"{game} player", channel=channel)
            languages[player.id] = locale
            before = len(wire.sent)
            options = SHORT.get(game, {"rounds": 2})
            players = await seat_all(world, [player], variant=game, **options)
            clicks = tricks(1, world.game(channel).match)
            await begin_by_clicks(world, players, round_over, clicks=clicks, channel=channel)
            for verb in (Verb.MORE, Verb.RULES):
                await player.press(verb)
            sent = [line for one in wire.sent[before:] for line in read(one.body)]
            assert len(sent) > 50
            assert english_in(sent, language) == []
            message, _ = world.newest_with(Verb.HAND, channel)
            (hand,) = with_verb(message, Verb.HAND)
            assert hand.label == say("My hand")
            assert controls(message)
