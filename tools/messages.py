"""`python -m tools.messages [check|update]`: keeps the message catalogues in step with the code.

`update` collects every text of bot/ and cogs/ into bot/locale/tichu.pot and brings it into all
translations; `check` says in one sentence, with status 1, what is not up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import PoFileError, read_po, write_po

from bot.text import DOMAIN, LOCALES, SOURCE, po_file

ROOT = Path(__file__).parents[1]
STOREYS = ("bot", "cogs")
KEYWORDS = {"say": (1,), "many": (1, 2)}

_COMMENT = "# The texts of the Tichu bot, collected from its code by `make messages`.\n#"
_CHANGEABLE = re.compile(
    r'^"(?:Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|'
    r'Generated-By|Last-Translator|Language-Team): .*"\n',
    re.MULTILINE,
)
"""Header lines that say nothing, or something else at each run."""

Key = tuple[str, ...]
"""A message as its English text, or as the texts for one and for several."""


def main(arguments: Sequence[str] | None = None, locales: Path = LOCALES) -> int:
    """Run the command in `arguments` on the catalogues in `locales`; the exit status comes out."""
    given = _parser().parse_args(arguments)
    if given.command == "update":
        try:
            update(locales, given.languages)
        except CatalogueError as error:
            print(error, file=sys.stderr)
            return 1
        return 0
    problem = next(problems(locales), None)
    if problem is not None:
        print(problem, file=sys.stderr)
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
    """A catalogue that cannot be read; the text is one sentence."""


def extracted(root: Path = ROOT) -> Catalog:
    """Every message in the code of `root`, with the files it stands in."""
    found = Catalog(header_comment=_COMMENT, fuzzy=False, charset="utf-8")
    for path in sorted(path for storey in STOREYS for path in (root / storey).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        results = extract_from_file(
            "python", path, keywords=KEYWORDS, comment_tags=["Translators:"]
        )
        for line, message, comments, _ in results:
            found.add(message, locations=[(name, line)], auto_comments=comments)
    return found


def text_of(catalogue: Catalog) -> str:
    """A catalogue as the text of its file: sorted, without dates and line numbers."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return _CHANGEABLE.sub("", file.getvalue().decode("utf-8"))


def update(locales: Path, new_languages: Iterable[str] = ()) -> None:
    """Write the template anew and bring its messages into every translation.

    Raises `CatalogueError` for a translation that cannot be read, or a language there is not.
    """
    template = extracted()
    locales.mkdir(exist_ok=True)
    translations = {language: _read(locales, language) for language in _languages(locales)}
    for language in new_languages:
        translations.setdefault(language, _new(language))
    (locales / f"{DOMAIN}.pot").write_text(text_of(template), "utf-8")
    for language, catalogue in translations.items():
        catalogue.update(template, no_fuzzy_matching=True)
        file = po_file(language, locales)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(catalogue), "utf-8")


def problems(locales: Path) -> Iterator[str]:
    """What is not up to date, a sentence for each catalogue."""
    template = extracted()
    file = locales / f"{DOMAIN}.pot"
    try:
        text = file.read_text("utf-8")
    except OSError:
        text = ""
    if text != text_of(template):
        news = _differences(_keys(read_po(BytesIO(text.encode()))), _keys(template))
        yield f"{_short(file)} is not what the code says now{news}: run `make messages`."
    for language in _languages(locales):
        try:
            translation = _read(locales, language)
        except CatalogueError as error:
            yield str(error)
            continue
        ready = {_key(message) for message in _messages(translation) if _translated(message)}
        news = _differences(ready, _keys(template))
        if news:
            yield f"{_short(po_file(language, locales))} is not complete{news}."
        for message in _messages(translation):
            if _translated(message) and (wrong := _wrong_form(message)):
                name = _short(po_file(language, locales))
                yield f"{name} has {_shown(_key(message))} with {wrong}."


def _languages(locales: Path) -> list[str]:
    """The languages with a folder, sorted."""
    folders = locales.iterdir() if locales.is_dir() else ()
    return sorted(path.name for path in folders if path.is_dir())


def _short(file: Path) -> str:
    """A path as it is told to a person."""
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else str(file)


def _read(locales: Path, language: str) -> Catalog:
    file = po_file(language, locales)
    try:
        with file.open("rb") as source:
            return read_po(source, locale=Locale.parse(language), abort_invalid=True)
    except FileNotFoundError:
        raise CatalogueError(f"{_short(file)} does not exist, but its folder does.") from None
    except (PoFileError, UnknownLocaleError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise CatalogueError(f"{_short(file)} cannot be read: {reason}.") from None


def _new(language: str) -> Catalog:
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        raise CatalogueError(f"{language!r} is no language such as de or pt_BR.") from None
    if str(locale) != language or locale.language == SOURCE:
        raise CatalogueError(f"{language!r} needs no translation, or is written {locale}.")
    return Catalog(locale=locale, header_comment=_COMMENT, fuzzy=False, charset="utf-8")


def _messages(catalogue: Catalog) -> Iterator[Message]:
    """The messages without the header."""
    return (message for message in catalogue if message.id)


def _key(message: Message) -> Key:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _keys(catalogue: Catalog) -> set[Key]:
    return set(map(_key, _messages(catalogue)))


def _strings(message: Message) -> tuple[str, ...]:
    """The translation, or one for each plural form."""
    string = message.string
    return (string,) if isinstance(string, str) else tuple(string or ("",))


def _translated(message: Message) -> bool:
    return all(_strings(message)) and not message.fuzzy


def _differences(has: set[Key], wanted: set[Key]) -> str:
    """How two sets of messages differ, as the end of a sentence; empty if they do not."""
    parts = []
    for verb, keys in (("lacks", sorted(wanted - has)), ("has the unused", sorted(has - wanted))):
        if keys:
            more = f" and {len(keys) - 1} more" if keys[1:] else ""
            parts.append(f"{verb} {_shown(keys[0])}{more}")
    return f" (it {', and '.join(parts)})" if parts else ""


def _shown(key: Key) -> str:
    text = key[-1]
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _wrong_form(message: Message) -> str:
    """What is wrong with the placeholders of a translation; empty if nothing is."""
    source = [placeholders(text) for text in _key(message)]
    for string in _strings(message):
        try:
            found = placeholders(string)
        except ValueError:
            return "braces that do not belong together"
        unknown, missing = found - source[-1] - source[0], (source[-1] & source[0]) - found
        if unknown:
            return f"the unknown placeholder {{{min(unknown)}}}"
        if missing:
            return f"no placeholder {{{min(missing)}}}"
    return ""


def placeholders(text: str) -> set[str]:
    """The ``{names}`` in a message; `ValueError` if its braces do not belong together."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


if __name__ == "__main__":
    sys.exit(main())
