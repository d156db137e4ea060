"""Words and names on charts, and replacements for characters without a glyph."""

from __future__ import annotations

import pytest

from bot.pictures.charts.chart_parts import names_text, words_and_say
from bot.pictures.drawing import lay_out
from bot.pictures.letters import plain
from bot.pictures.typeface import font_text
from bot.pictures.words import ScoreWords
from tests.bot.pictures.samples import NANJING, WORDS, line


@pytest.mark.parametrize(
    "names, text",
    [
        (("Ada", "Ben"), "Ada & Ben"),
        (("Ada", "田中"), "Ada & Player 2"),
        (("Zoë", "Дарья"), "Zoë & Дарья"),
        (("محمد", "Ωμέγα"), "محمد & Ωμέγα"),
        (("$x_{1}$",), "$x_{1}$"),
    ],
)
def test_names_of_a_team(names: tuple[str, ...], text: str) -> None:
    assert names_text(line(names, 0)).text == text


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "tr", "pl", "ar", "he", "vi"])
def test_digits_of_most_languages_have_glyphs(language: str) -> None:
    words, say = words_and_say(language, WORDS)
    assert words is WORDS
    assert say.language == language
    number = say.number(-1234567)
    assert font_text(number).text == plain(number)


ALPHABETS = {
    "de": "äöüß „“ ‚‘",
    "es": "áéíñóúü ¡¿ «» 1.º 1.ª",
    "fr": "àâæçéèêëîïôœùûüÿ «» ’",
    "it": "àèéìòóù “” ’ 1º",
    "pt_BR": "ãáâàçéêíõóôú “” 1ª",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя «» ’ №",
}


def test_first_font_has_all_glyphs_of_the_languages() -> None:
    for language, name_signs in ALPHABETS.items():
        for text in (name_signs, name_signs.upper(), "8½ − – … ·"):
            assert font_text(text) == (text, 0), language


def test_language_without_glyphs_is_replaced_by_english() -> None:
    thai = ScoreWords(**dict.fromkeys(ScoreWords.model_fields, "รอบ"))
    words, say = words_and_say("de", thai)
    assert (words, say.language) == (WORDS, "en")


def test_one_word_without_glyphs_makes_all_words_english() -> None:
    japanese = NANJING.words.model_copy(update={"round": "ラウンド", "score": "得点"})
    told = NANJING.model_copy(update={"words": japanese})
    assert lay_out(told) == lay_out(NANJING)
