"""Every word that a person reads, from a gettext catalogue with English as its source.

`speech(locale)` gives a `Say` for one reader; code writes ``say("Pass")`` and
``say.many("{n} card", "{n} cards", n)``. Extraction finds exactly these calls. Translations are
read from their .po files, so there is nothing to be compiled or forgotten.
"""

from __future__ import annotations

import gettext
from datetime import date
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_skeleton
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

DOMAIN = "tichu"
LOCALES = Path(__file__).parent.parent / "locale"
SOURCE = "en"


class Say:
    """The words of one language. Calling it translates and fills in ``{names}``."""

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations

    def __call__(self, message: str, /, **values: Any) -> str:
        """`message` in this language, with its ``{names}`` filled in."""
        return self._translations.gettext(message).format(**values)

    def many(self, one: str, several: str, n: int, /, **values: Any) -> str:
        """The right plural for `n`, which is filled in as ``{n}``."""
        return self._translations.ngettext(one, several, n).format(n=self.number(n), **values)

    def number(self, n: int) -> str:
        """A number as this language writes it."""
        return _written(n, self.language)

    def decimal(self, n: float) -> str:
        """A number with its decimals as this language writes it."""
        return _written(n, self.language)

    def percent(self, share: float) -> str:
        """A share from 0 to 1 in percent, as this language writes it."""
        return str(format_percent(share, locale=self.language))

    def month(self, season: str) -> str:
        """The month of a season such as 2026-11: “November 2026”."""
        day = date.fromisoformat(f"{season}-01")
        return str(format_skeleton("yMMMM", day, locale=self.language))

    def signed(self, n: int) -> str:
        """A number with its sign, as scores are written: +100, −25, 0."""
        if n == 0:
            return "0"
        return ("+" if n > 0 else "−") + self.number(abs(n))


@lru_cache(maxsize=4096)
def _written(n: float, language: str) -> str:
    """A number in a language; remembered, as the same few stand on every page."""
    return str(format_decimal(n, locale=language))


@cache
def speech(locale: str) -> Say:
    """The words for a locale such as ``de`` or ``pt-BR``; English where there are none."""
    wanted = locale.replace("-", "_")
    try:
        parsed = Locale.parse(wanted)
    except (UnknownLocaleError, ValueError):
        return Say(SOURCE, gettext.NullTranslations())
    for language in (wanted, str(parsed), parsed.language):
        found = translations(language)
        if found is not None:
            return Say(str(parsed), found)
    return Say(SOURCE, gettext.NullTranslations())


def po_file(language: str, locales: Path = LOCALES) -> Path:
    """Where the translation into a language lies, or would lie."""
    return locales / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def translations(language: str) -> gettext.NullTranslations | None:
    """The translation into exactly this language, `None` if there is none."""
    file = po_file(language, LOCALES)
    if not file.is_file():
        return None
    with file.open("rb") as source:
        catalogue = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
