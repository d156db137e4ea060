"""Names on pictures: what can be written stays, what cannot be is replaced."""

from __future__ import annotations

import pytest

from bot.pictures.descriptions import Name
from bot.pictures.lettering import language_of, writable, written_name, written_names
from bot.pictures.words import ScoreWords
from tests.bot.pictures.samples import WORDS, line


@pytest.mark.parametrize(
    "name, written",
    [
        ("Ada", "Ada"),
        ("Zoë Ångström-Ñandú", "Zoë Ångström-Ñandú"),
        ("Zoe\u0308", "Zoë"),
        ("Дарья Ωμέγα", "Дарья Ωμέγα"),
        ("محمد", "محمد"),
        ("$100_{x}$", "$100_{x}$"),
        ("𝓐𝓭𝓪", "Ada"),
        ("Ａｄａ", "Ada"),
        ("🎴 Ada 🎴", "Ada"),
        ("田中 Ken", "Ken"),
        ("a\u0301\u0327\u0489\u0336b", "áb"),
        ("\u202eAda\u200d\x07", "Ada"),
        (" A \n\t b ", "A b"),
        ("★", "★"),
        ("田中太郎", "Player 3"),
        ("田中★", "Player 3"),
        ("🎴🀄", "Player 3"),
        ("", "Player 3"),
        ("\u200b", "Player 3"),
    ],
)
def test_names(name: str, written: str) -> None:
    assert written_name(Name(name, "Player 3")) == written


def test_what_stands_instead_may_lack_letters_too() -> None:
    assert written_name(Name("田中太郎", "プレイヤー 3")) == "3"


def test_names_of_a_team() -> None:
    assert written_names(line(("Ada", "田中"), 0)) == "Ada & Player 2"


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "tr", "pl", "ar", "he", "vi"])
def test_numbers_of_most_languages_can_be_written(language: str) -> None:
    words, say = language_of(language, WORDS)
    assert words is WORDS
    assert say.language == language
    assert writable(say.number(-1234567)) == " ".join(say.number(-1234567).split())


def test_a_language_without_letters_gives_way_to_english() -> None:
    thai = ScoreWords(**dict.fromkeys(ScoreWords.model_fields, "รอบ"))
    words, say = language_of("de", thai)
    assert (words, say.language) == (WORDS, "en")
