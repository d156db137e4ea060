"""All text that people read, in English and in translations (gettext catalogues).

`speech(locale)` returns the `Say` of a language. Code that shows text takes one as `say` and calls
``say("Pass")`` or, with a number, ``say.many("{n} card", "{n} cards", n)``. If an English word has
two meanings, ``say.sense("has passed", "pass")`` gives translators the meaning. `tools.messages`
collects the messages of these calls for the translators, and no others except the sentences of
lessons, which `Say.translate` translates.

Translations are read from their .po files at run time, so they need no compilation.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from babel import Locale, UnknownLocaleError
from babel.dates import format_skeleton, format_timedelta
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

DOMAIN = "tichu"
"""Gettext domain: the name of the catalogue files."""
LOCALES = Path(__file__).parent.parent / "locale"
"""Folder with one folder for each translation."""
SOURCE = "en"
"""Language of the messages in the code."""

_LIST_LOCALES = {SOURCE: "en_GB"}
"""Language -> CLDR locale for lists, if it differs; English lists are British."""
_UNIT_THRESHOLD = 10**6
"""Number from which Babel changes to a larger unit; it is so large that Babel never does."""
_SOUNDS_LIKE_I = re.compile(r"\W*h?[iíy](?![aáeéoóuú])", re.IGNORECASE)
"""Beginning of a word before which Spanish uses “e” instead of “y” for “and”."""


class Say:
    """Texts of one language, and its formats of numbers and dates.

    `language` is the identifier of the language, such as ``de`` or ``pt_BR``.
    """

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations

    def __call__(self, message: str, /, **values: Any) -> str:
        """Return the translation of `message` with its ``{names}`` replaced by `values`."""
        return self._translations.gettext(message).format(**values)

    def sense(self, meaning: str, message: str, /, **values: Any) -> str:
        """Return the translation of a message whose English words have several meanings.

        `meaning` explains to translators which meaning the message has.
        """
        return self._translations.pgettext(meaning, message).format(**values)

    def translate(self, message: str, values: Mapping[str, str]) -> str:
        """Return the translation of a sentence from the file of a lesson.

        Names in braces are replaced by `values`.
        """
        return self._translations.gettext(message).format_map(values)

    def many(self, singular: str, plural: str, n: int, /, **values: Any) -> str:
        """Return the form of a message that this language uses for the number `n`.

        `singular` and `plural` are the English forms; ``{n}`` is replaced by `n`.
        """
        form = self._translations.ngettext(singular, plural, abs(n))
        return form.format(n=self.number(n), **values)

    def join(self, texts: Iterable[str]) -> str:
        """Join texts as a list within a sentence, such as “Ada, Ben and Cleo”."""
        items = list(texts)
        language = _LIST_LOCALES.get(self.language, self.language)
        text = str(format_list(items, locale=language))
        if language[:2] == "es" and items and _SOUNDS_LIKE_I.match(items[-1]):
            return text.replace(f" y {items[-1]}", f" e {items[-1]}")
        return text

    def labelled(self, name: str, text: str) -> str:
        """Return a label and its text, with a colon: “Ada: 8 cards”."""
        return f"{name}\u00a0: {text}" if self.language[:2] == "fr" else f"{name}: {text}"

    def number(self, n: int) -> str:
        """Format a whole number: 1,000 in English, 1.000 in German."""
        return _format_number(n, self.language)

    def decimal(self, n: float) -> str:
        """Format a number with decimals: 2.5 in English, 2,5 in German."""
        return _format_number(n, self.language)

    def percent(self, share: float) -> str:
        """Format a share (0 to 1) in percent."""
        return str(format_percent(share, locale=self.language)).replace("-", "−")

    def month(self, season: str) -> str:
        """Return the month of a season: “November 2026” for the season 2026-11."""
        day = date.fromisoformat(f"{season}-01")
        return str(format_skeleton("yMMMM", day, locale=self.language))

    def duration(self, seconds: int) -> str:
        """Format a duration for a label, in the largest whole unit of days, hours and minutes."""
        unit: Literal["day", "hour", "minute"] = "minute"
        if seconds % 3600 == 0:
            unit = "hour" if seconds % 86400 else "day"
        length = timedelta(seconds=seconds)
        return str(format_timedelta(length, unit, _UNIT_THRESHOLD, locale=self.language))

    def signed(self, n: float) -> str:
        """Format a number with its sign and at most one decimal, like scores: +100, −2.5, 0."""
        rounded = round(n, 1)
        return ("+" if rounded > 0 else "") + self.decimal(rounded)


@lru_cache(maxsize=4096)
def _format_number(n: float, language: str) -> str:
    """Format a number with a minus sign instead of a hyphen.

    Cached, because the same few numbers are on every page.
    """
    return str(format_decimal(n, locale=language)).replace("-", "−")


@cache
def speech(locale: str) -> Say:
    """Return the texts for a locale such as ``de`` or ``pt-BR``.

    Without a translation for the locale, fall back to the language alone and then to English.
    Numbers and dates have the format of the translation's language, because a text may contain
    literal numbers.
    """
    identifier = locale.replace("-", "_")
    try:
        parsed = Locale.parse(identifier)
    except (UnknownLocaleError, ValueError):
        return Say(SOURCE, gettext.NullTranslations())
    for language in (identifier, str(parsed), parsed.language):
        translation = translations(language)
        if translation is not None:
            return Say(language, translation)
    return Say(SOURCE, gettext.NullTranslations())


def is_supported(locale: str) -> bool:
    """Return whether a locale is supported: English, or a language with a translation."""
    english = locale.replace("-", "_").partition("_")[0] == SOURCE
    return english or speech(locale).language != SOURCE


def language_name(language: str) -> str:
    """Return the name of a language in that language, such as “Deutsch”."""
    name = Locale.parse(language).get_display_name(language) or language
    return name[:1].upper() + name[1:]


def po_file(language: str, locales: Path = LOCALES) -> Path:
    """Return the path of the translation into a language, even if it does not exist."""
    return locales / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def translations(language: str) -> gettext.NullTranslations | None:
    """Return the translation into exactly this language, or `None`."""
    file = po_file(language, LOCALES)
    if not file.is_file():
        return None
    with file.open("rb") as source:
        catalogue = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def capital(words: str) -> str:
    """Capitalize the first letter, for words that are not within a sentence."""
    return words[:1].upper() + words[1:]
