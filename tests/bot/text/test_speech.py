"""Languages: choice for a reader, plurals, numbers, and .po files."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import discord
import pytest

import bot.text
from bot.text import Say, po_file, speech, translations

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
GERMAN = """
msgid "Pass"
msgstr "Passen"

msgid "{name} leads."
msgstr "{name} spielt aus."

#, fuzzy
msgid "Start"
msgstr "Stop"

msgid "Join"
msgstr ""

msgid "{n} card"
msgid_plural "{n} cards"
msgstr[0] "{n} Karte"
msgstr[1] "{n} Karten"
"""
POLISH = """
msgid "{n} card"
msgid_plural "{n} cards"
msgstr[0] "{n} karta"
msgstr[1] "{n} karty"
msgstr[2] "{n} kart"
"""
PLURALS = {
    "de": '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n',
    "pl": (
        '"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && '
        '(n%100<10 || n%100>=20) ? 1 : 2);\\n"\n'
    ),
}


@pytest.fixture
def locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Prepare a folder of translations: German, Polish and Brazilian Portuguese."""
    bodies = {"de": GERMAN, "pl": POLISH, "pt_BR": 'msgid "Pass"\nmsgstr "Passo"\n'}
    bodies["zh_TW"] = 'msgid "Pass"\nmsgstr "過"\n'
    for language, body in bodies.items():
        file = po_file(language, tmp_path)
        file.parent.mkdir(parents=True)
        file.write_text(HEADER + PLURALS.get(language, "") + body, "utf-8")
    monkeypatch.setattr(bot.text, "LOCALES", tmp_path)
    speech.cache_clear()
    yield tmp_path
    speech.cache_clear()


@pytest.mark.parametrize(
    "locale, passing, language",
    [
        ("de", "Passen", "de"),
        ("de-AT", "Passen", "de"),
        ("de_AT", "Passen", "de"),
        ("pt-BR", "Passo", "pt_BR"),
        ("pt_BR", "Passo", "pt_BR"),
        ("zh-TW", "過", "zh_TW"),
        ("zh-CN", "Pass", "en"),
        ("fr", "Pass", "en"),
        ("en-GB", "Pass", "en"),
        ("en-US", "Pass", "en"),
        ("klingon", "Pass", "en"),
        ("", "Pass", "en"),
        ("../../etc", "Pass", "en"),
    ],
)
def test_reader_gets_their_language_or_english(
    locales: Path, locale: str, passing: str, language: str
) -> None:
    say = speech(locale)
    assert say("Pass") == passing
    assert say.language == language


def test_knows_every_language_of_discord(subtests: pytest.Subtests) -> None:
    for locale in discord.Locale:
        with subtests.test(locale=locale.value):
            assert speech(locale.value)("Pass")
            assert speech(locale.value).number(5) in ("5", "٥", "५")


def test_fills_in_placeholders(locales: Path) -> None:
    assert speech("de")("{name} leads.", name="{x}") == "{x} spielt aus."


def test_untranslated_and_fuzzy_messages_stay_english(locales: Path) -> None:
    assert [speech("de")(text) for text in ("Start", "Join", "Rules")] == ["Start", "Join", "Rules"]


def test_uses_plural_forms(locales: Path) -> None:
    def cards(locale: str, *counts: int) -> list[str]:
        return [speech(locale).many("{n} card", "{n} cards", n) for n in counts]

    assert cards("en-US", 0, 1, 2) == ["0 cards", "1 card", "2 cards"]
    assert cards("de", 0, 1, 14) == ["0 Karten", "1 Karte", "14 Karten"]
    assert cards("pl", 1, 3, 5, 22) == ["1 karta", "3 karty", "5 kart", "22 karty"]
    assert cards("ja", 1) == ["1 card"]


def test_formats_numbers(locales: Path) -> None:
    english, german = speech("en-GB"), speech("de")
    assert [english.number(n) for n in (0, 999, 1000, -25)] == ["0", "999", "1,000", "−25"]
    assert german.number(1000) == "1.000"
    assert [english.signed(n) for n in (0, 100, -25, -1200)] == ["0", "+100", "−25", "−1,200"]
    assert [english.signed(n) for n in (2.5, -0.04, -123.46)] == ["+2.5", "0", "−123.5"]
    assert german.signed(-1200) == "−1.200"
    assert (english.decimal(1.5), german.decimal(1.5), english.decimal(2.0)) == ("1.5", "1,5", "2")


def test_both_kinds_of_spanish_format_numbers_alike() -> None:
    for locale in ("es-ES", "es-419"):
        words = speech(locale)
        assert (words.number(10_000), words.decimal(2.5), words.percent(0.5)) == (
            "10.000",
            "2,5",
            "50\u00a0%",
        )


def test_duration_has_the_largest_fitting_unit() -> None:
    times = (60, 90 * 60, 3600, 12 * 3600, 86400, 7 * 86400)
    english = [Say("en", NullTranslations()).duration(seconds) for seconds in times]
    assert english == ["1 minute", "90 minutes", "1 hour", "12 hours", "1 day", "7 days"]
    assert Say("uk", NullTranslations()).duration(5 * 3600) == "5 годин"
    assert Say("pt_BR", NullTranslations()).duration(7 * 86400) == "7 dias"


def test_caches_translations(locales: Path) -> None:
    assert speech("de") is speech("de")


def test_english_needs_no_catalogue() -> None:
    assert translations("en") is None
    assert isinstance(speech("en"), Say)


def test_list_ends_with_the_word_of_its_language() -> None:
    names = ["Ada", "Ben", "Inés"]
    assert Say("en", NullTranslations()).join(names) == "Ada, Ben and Inés"
    assert Say("de", NullTranslations()).join(names) == "Ada, Ben und Inés"
    spanish = Say("es", NullTranslations())
    assert spanish.join(["Ben", "Ada"]) == "Ben y Ada"
    assert spanish.join(["Ben", "**Inés**"]) == "Ben e **Inés**"
    assert spanish.join(["Ben", "Hielo"]) == "Ben y Hielo"
    assert [spanish.join([]), spanish.join(["Ida"])] == ["", "Ida"]


def test_french_has_a_space_before_a_colon() -> None:
    assert Say("en", NullTranslations()).labelled("Ada", "8") == "Ada: 8"
    assert Say("fr", NullTranslations()).labelled("Ada", "8") == "Ada\u00a0: 8"


def test_contexts_have_separate_translations(locales: Path) -> None:
    with po_file("de", locales).open("a", encoding="utf-8") as file:
        file.write('\nmsgctxt "has passed"\nmsgid "Pass"\nmsgstr "gepasst"\n')
    speech.cache_clear()
    assert speech("de")("Pass") == "Passen"
    assert speech("de").sense("has passed", "Pass") == "gepasst"
    assert speech("de").sense("another one", "Pass") == "Pass"
