"""`python -m tools.messages [check|update]`: keeps the message catalogues in step with the code.

Babel collects the texts of bot/, cogs/ and demo/, in the code and in lessons, into
bot/locale/tichu.pot and brings them into all translations. What Babel does not check stands here:
whether every language with a list of terms (`tools.terms`) has a translation, and whether
translations are complete, have the plurals of their language and the same {placeholders} as the
English texts, and use no term that the list forbids. `check` says in one sentence what is
wrong, with status 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir
from itertools import product
from pathlib import Path
from string import Formatter

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import PoFileError, read_po

from bot.text import DOMAIN, LOCALES, SOURCE, po_file
from tools.terms import forbidden, listed

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "cogs", "demo")
_FILES = "pyproject.toml"
"""Configuration file: `tool.babel` lists the files with messages and their extractors."""
KEYWORDS = {"say": "1", "many": "1,2", "sense": "1c,2", "locale_str": "1"}
"""Functions that translate a text, with the positions of texts, from 1.

The position with a `c` is the sense of the text.
"""

Key = tuple[str, ...]
"""Message key: its sense, mostly empty, and its English text or singular and plural."""


def main(argv: Sequence[str] | None = None, locales: Path = LOCALES) -> int:
    """Run the command in `argv` on the catalogues in `locales`. Returns the exit status."""
    arguments = _parser().parse_args(argv)
    try:
        if arguments.command == "update":
            update(locales, arguments.languages)
        else:
            check(locales)
    except CatalogueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.messages", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="check | update")
    commands.add_parser("check", help="exit with status 1 if a catalogue is not up to date")
    updating = commands.add_parser("update", help="bring all catalogues up to date")
    updating.add_argument(
        "languages", nargs="*", metavar="LANGUAGE", help="a language to be added, such as pt_BR"
    )
    return parser


class CatalogueError(Exception):
    """Error of a catalogue; the text is one sentence."""


# --- Babel --------------------------------------------------------------------------------------


def _babel(command: str, *arguments: str | Path) -> None:
    """Run a command of `pybabel` in this process."""
    CommandLineInterface().run(["pybabel", "--quiet", command, *map(str, arguments)])


def extract(template: Path) -> None:
    """Write every message in the code, with its files, to a template."""
    options = [
        "--no-default-keywords",
        "--add-comments=Translators:",
        f"--mapping-file={_FILES}",
        f"--output-file={template.absolute()}",
    ]
    options += ["--no-wrap", "--sort-output", "--add-location=file", "--omit-header"]
    for name, places in KEYWORDS.items():
        options.append(f"--keyword={name}:{places}")
    with chdir(ROOT):
        _babel("extract", *options, *PACKAGES)


def extracted() -> Catalog:
    """Return the messages in the code."""
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / f"{DOMAIN}.pot"
        extract(template)
        with template.open("rb") as file:
            return read_po(file)


def update(locales: Path, new_languages: Iterable[str] = ()) -> None:
    """Rewrite the template, and merge its messages into every translation.

    `new_languages` get a catalogue if they have none. Raises `CatalogueError` for an unreadable
    translation and for an unknown language.
    """
    new = [language for language in new_languages if _checked(language)]
    for language in _languages(locales):
        _read(locales, language)
    locales.mkdir(exist_ok=True)
    template = _template(locales)
    extract(template)
    for language in new:
        if not po_file(language, locales).exists():
            _babel("init", "--no-wrap", "-D", DOMAIN, "-i", template, "-d", locales, "-l", language)
    _merge(locales)


def _merge(locales: Path) -> None:
    """Merge the template into all translations; new messages stay untranslated."""
    options = [
        "--no-wrap",
        "--no-fuzzy-matching",
        "--ignore-obsolete",
        "--ignore-pot-creation-date",
    ]
    if _languages(locales):
        _babel("update", *options, "-D", DOMAIN, "-i", _template(locales), "-d", locales)
    for language in _languages(locales):
        _write_header(po_file(language, locales), language)


def _write_header(file: Path, language: str) -> None:
    """Replace Babel's header of a translation, which has placeholders and dates."""
    locale = Locale.parse(language)
    fields = {
        "Language": language,
        "Plural-Forms": Catalog(locale).plural_forms,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    _, messages = file.read_text("utf-8").split("\n\n", 1)
    header = [f"# What the bot says, in {locale.english_name}.", 'msgid ""', 'msgstr ""']
    header += [f'"{name}: {value}\\n"' for name, value in fields.items()]
    file.write_text("\n".join(header) + f"\n\n{messages}", "utf-8")


def _template(locales: Path) -> Path:
    return locales / f"{DOMAIN}.pot"


def _checked(language: str) -> str:
    """Return the language if it can have a translation, otherwise raise `CatalogueError`."""
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        raise CatalogueError(f"{language!r} is no language such as de or pt_BR.") from None
    if str(locale) != language or locale.language == SOURCE:
        raise CatalogueError(f"{language!r} needs no translation, or is written {locale}.")
    return language


# --- Checks beyond Babel ------------------------------------------------------------------------


def check(locales: Path) -> None:
    """Raise `CatalogueError` for the first error in any catalogue."""
    template = _template(locales)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / template.name
        extract(fresh)
        if not template.exists() or template.read_bytes() != fresh.read_bytes():
            raise CatalogueError(
                f"{_short(template)} is not what the code says now: run `make messages`."
            )
        with fresh.open("rb") as file:
            wanted = set(map(_key, _messages(read_po(file))))
    for language in sorted(listed() - set(_languages(locales))):
        raise CatalogueError(f"tools/terms has {language}.tsv, but nothing is translated into it.")
    for language in _languages(locales):
        problem = next(_problems(_read(locales, language), wanted, language), None)
        if problem is not None:
            raise CatalogueError(f"{_short(po_file(language, locales))} {problem}.")
        _check_terms(locales, language)


def _problems(translation: Catalog, wanted: set[Key], language: str) -> Iterator[str]:
    """Yield the problems of a translation, each as the end of a sentence."""
    plurals = Catalog(Locale.parse(language)).plural_forms
    if dict(translation.mime_headers).get("Plural-Forms") != plurals:
        yield f"has other plural forms than {language}: {str(plurals).rstrip(';')}"
    ready = {_key(message) for message in _messages(translation) if _translated(message)}
    held = {_key(each) for each in (*_messages(translation), *translation.obsolete.values())}
    for verb, keys in (("lacks", wanted - ready), ("has the unused", held - wanted)):
        if keys:
            more = f" and {len(keys) - 1} more" if len(keys) > 1 else ""
            yield f"is not complete (it {verb} {_shown(min(keys))}{more})"
    for message in _messages(translation):
        if _translated(message) and (wrong := _wrong_form(message)):
            yield f"has {_shown(_key(message))} with {wrong}"


def _check_terms(locales: Path, language: str) -> None:
    """Raise `CatalogueError` for the first term that the list of the language forbids."""
    try:
        terms = forbidden(language)
    except ValueError as error:
        raise CatalogueError(f"tools/terms: {error}.") from None
    for message in _messages(_read(locales, language)):
        for string, term in product(_strings(message), terms):
            if found := term.words.search(string):
                raise CatalogueError(
                    f"{_short(po_file(language, locales))} has {found[0]!r} in {_shown((string,))}:"
                    f" write {term.instead!r} ({term.why})."
                )


def _languages(locales: Path) -> list[str]:
    """Return the languages with a folder, sorted."""
    folders = locales.iterdir() if locales.is_dir() else ()
    return sorted(path.name for path in folders if path.is_dir())


def _short(file: Path) -> str:
    """Return a path for messages, relative to the project if it is inside."""
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else str(file)


def _read(locales: Path, language: str) -> Catalog:
    """Return the catalogue of a language. Raises `CatalogueError` if it cannot be read."""
    file = po_file(language, locales)
    try:
        with file.open("rb") as source:
            return read_po(source, locale=Locale.parse(language), abort_invalid=True)
    except FileNotFoundError:
        raise CatalogueError(f"{_short(file)} does not exist, but its folder does.") from None
    except (PoFileError, UnknownLocaleError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise CatalogueError(f"{_short(file)} cannot be read: {reason}.") from None


def _messages(catalogue: Catalog) -> Iterator[Message]:
    """Return the messages without the header."""
    return (message for message in catalogue if message.id)


def _key(message: Message) -> Key:
    return (message.context or "", *_texts(message))


def _texts(message: Message) -> tuple[str, ...]:
    """Return the English text, or its singular and plural."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _strings(message: Message) -> tuple[str, ...]:
    """Return the translation, or one for each plural form."""
    string = message.string
    return (string,) if isinstance(string, str) else tuple(string or ("",))


def _translated(message: Message) -> bool:
    """Return whether a message has all forms translated and needs no review."""
    return all(_strings(message)) and not message.fuzzy


def _shown(key: Key) -> str:
    """Return a message for quoting, shortened if it is long."""
    text = key[-1]
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _wrong_form(message: Message) -> str:
    """Return the problem with the placeholders of a translation; empty for none."""
    source = [placeholders(text) for text in _texts(message)]
    for string in _strings(message):
        try:
            names = placeholders(string)
        except ValueError:
            return "braces that do not belong together"
        if name := next(_formatted(string), None):
            return f"more than a name in the placeholder {{{name}}}"
        unknown, missing = names - source[-1] - source[0], (source[-1] & source[0]) - names
        if unknown:
            return f"the unknown placeholder {{{min(unknown)}}}"
        if missing:
            return f"no placeholder {{{min(missing)}}}"
    return ""


def _formatted(text: str) -> Iterator[str]:
    """Return the names of placeholders with a format or conversion, as in ``{name:d}``."""
    return (name for _, name, form, kind in Formatter().parse(text) if name and (form or kind))


def placeholders(text: str) -> set[str]:
    """Return the ``{names}`` in a message. Raises `ValueError` for unbalanced braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


if __name__ == "__main__":
    sys.exit(main())
