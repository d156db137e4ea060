"""`python -m tools.messages`: extraction, updates and checks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import tools.messages as catalogues
from bot.text import LOCALES, po_file
from tests.bot.text.template import template
from tools import terms
from tools.messages import ROOT, extract, main, update
from tools.terms import Forbidden


@cache
def the_template() -> bytes:
    """Return the template of the code, extracted once for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tichu.pot"
        extract(file)
        return file.read_bytes()


CHANGED = re.compile(
    r'^(?:msgid "(?:Pass|Start|Choose cards|\{n\} card|\{n\} point|\{name\} leads\.)"'
    r"|#: cogs/pages/hand/page\.py)$",
    re.MULTILINE,
)
"""Messages that tests change."""


@cache
def short_template() -> bytes:
    """Return a template with those messages and every twentieth, because all are slow to read."""
    header, *messages = the_template().decode().rstrip("\n").split("\n\n")
    some = [
        text for number, text in enumerate(messages) if number % 20 == 0 or CHANGED.search(text)
    ]
    return ("\n\n".join((header, *some)) + "\n").encode()


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """Return the template of the code."""
    file = tmp_path / "tichu.pot"
    file.write_bytes(the_template())
    return file


@pytest.fixture(scope="session")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with the template and a complete translation that repeats the English."""
    folder = tmp_path_factory.mktemp("complete") / "locale"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "extract", lambda file: file.write_bytes(short_template()))
        assert main(["update", "de"], folder) == 0
    file = po_file("de", folder)
    text = re.sub(
        r'msgid ((?:"[^\n]*"\n)+)msgstr ""\n(?!")', r"msgid \1msgstr \1", file.read_text("utf-8")
    )
    text = re.sub(
        r'(msgid ("[^\n]*")\nmsgid_plural ("[^\n]*")\nmsgstr\[0\]) ""\nmsgstr\[1\] ""',
        r"\1 \2\nmsgstr[1] \3",
        text,
    )
    file.write_text(text, "utf-8")
    return folder


@pytest.fixture
def locales(complete: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder."""
    monkeypatch.setattr(catalogues, "extract", lambda file: file.write_bytes(short_template()))
    monkeypatch.setattr(catalogues, "forbidden", lambda language: ())
    monkeypatch.setattr(catalogues, "listed", lambda: {"de"})
    return Path(shutil.copytree(complete, tmp_path / "locale"))


def complaint(locales: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the sentence of a failing check."""
    capsys.readouterr()
    assert main(["check"], locales) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith(".\n")
    return err.strip()


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_accepts_a_complete_translation_unchanged(locales: Path) -> None:
    assert main(["check"], locales) == 0
    before = po_file("de", locales).read_bytes()
    update(locales)
    assert po_file("de", locales).read_bytes() == before


def test_template_has_no_dates_and_line_numbers(whole: Path) -> None:
    text = whole.read_text("utf-8")
    assert not re.search(r"\d{4}-\d\d|Date|Babel|PROJECT|AUTHOR|EMAIL|\.py:\d", text)
    assert "#: cogs/pages/hand/page.py\n" in text
    with whole.open("rb") as file:
        found = read_po(file)
    assert len(found) == len(template())


def test_template_is_sorted_and_covers_only_cogs_and_bot(
    whole: Path,
) -> None:
    with whole.open("rb") as file:
        found = [message for message in read_po(file) if message.id]
    ids = [message.id if isinstance(message.id, str) else message.id[0] for message in found]
    assert ids == sorted(ids)
    files = {file for message in found for file, _ in message.locations}
    assert {name.split("/")[0] for name in files} == {"bot", "cogs", "demo"}


def test_reports_an_outdated_template(locales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(locales / "tichu.pot", 'msgid "Choose cards"', 'msgid "Choose birds"')
    said = complaint(locales, capsys)
    assert "tichu.pot is not what the code says now" in said
    assert said.endswith("run `make messages`.")
    update(locales)
    assert main(["check"], locales) == 0


def test_differently_formatted_template_is_outdated_too(
    locales: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(locales / "tichu.pot", "#: cogs/pages/hand/page.py\n", "#: cogs/foot_page.py\n")
    assert "is not what the code says now: run" in complaint(locales, capsys)


def test_missing_template_is_outdated(locales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (locales / "tichu.pot").unlink()
    assert "is not what the code says now: run" in complaint(locales, capsys)


@pytest.mark.parametrize(
    "old, new",
    [
        ('msgstr "Pass"', 'msgstr ""'),
        ('msgid "Pass"', '#, fuzzy\nmsgid "Pass"'),
        ('msgid "Pass"\nmsgstr "Pass"', ""),
        ('msgstr[1] "{n} cards"', 'msgstr[1] ""'),
    ],
)
def test_reports_untranslated_and_fuzzy_messages(
    locales: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    change(po_file("de", locales), old, new)
    said = complaint(locales, capsys)
    assert "LC_MESSAGES/tichu.po is not complete (it lacks '" in said
    assert "Pass" in said or "{n} cards" in said


def test_reports_obsolete_messages(locales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(po_file("de", locales), 'msgid "Pass"', 'msgid "Flee"\nmsgstr "Flee"\n\nmsgid "Pass"')
    assert "is not complete (it has the unused 'Flee')." in complaint(locales, capsys)


@pytest.mark.parametrize(
    "unused", ['#~ msgid "Flee"\n#~ msgstr "Fliehen"', '#, fuzzy\nmsgid "Flee"\nmsgstr "Fliehen"']
)
def test_reports_translations_that_are_never_used(
    locales: Path, capsys: pytest.CaptureFixture[str], unused: str
) -> None:
    file = po_file("de", locales)
    file.write_text(f"{file.read_text('utf-8')}\n{unused}\n", "utf-8")
    assert "is not complete (it has the unused 'Flee')." in complaint(locales, capsys)


def test_checks_plural_forms(locales: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(po_file("de", locales), "plural=(n != 1);", "plural=(n > 1);")
    assert complaint(locales, capsys).endswith(
        "has other plural forms than de: nplurals=2; plural=(n != 1)."
    )


def test_list_of_terms_needs_a_translation(
    locales: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogues, "listed", lambda: {"de", "uk"})
    assert complaint(locales, capsys).endswith("uk.tsv, but nothing is translated into it.")


@pytest.mark.parametrize(
    "old, new, wrong",
    [
        ('msgstr "{name} leads."', 'msgstr "{nam} leads."', "the unknown placeholder {nam}"),
        ('msgstr "{name} leads."', 'msgstr "Somebody leads."', "no placeholder {name}"),
        ('msgstr "{name} leads."', 'msgstr "{name leads."', "braces that do not belong together"),
        (
            'msgstr "{name} leads."',
            'msgstr "{name:d} leads."',
            "more than a name in the placeholder {name}",
        ),
        (
            'msgstr "{name} leads."',
            'msgstr "{name!r} leads."',
            "more than a name in the placeholder {name}",
        ),
        ('msgstr[0] "{n} card"', 'msgstr[0] "one card"', "no placeholder {n}"),
        ('msgstr[1] "{n} cards"', 'msgstr[1] "{m} cards"', "the unknown placeholder {m}"),
    ],
)
def test_checks_placeholders(
    locales: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, wrong: str
) -> None:
    change(po_file("de", locales), old, new)
    assert complaint(locales, capsys).endswith(f" with {wrong}.")


def test_refuses_forbidden_terms(
    locales: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    banned = Forbidden(re.compile(r"\bcoins?\b", re.IGNORECASE), "points", "one word for points")
    monkeypatch.setattr(catalogues, "forbidden", lambda language: (banned,))
    assert main(["check"], locales) == 0
    change(po_file("de", locales), 'msgstr[1] "{n} points"', 'msgstr[1] "{n} Coins"')
    assert complaint(locales, capsys).endswith(
        "has 'Coins' in '{n} Coins': write 'points' (one word for points)."
    )


def test_reports_an_unreadable_list_of_terms(
    locales: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(terms, "_FOLDER", tmp_path)
    monkeypatch.setattr(catalogues, "forbidden", terms.forbidden.__wrapped__)
    for line, wrong in (("coin\tpoint", "is not: words"), ("(\ta\tb", "is no regular expression")):
        (tmp_path / "de.tsv").write_text(f"coin\tpoint\tso\n{line}\n", "utf-8")
        assert f"line 2 of de.tsv {wrong}" in complaint(locales, capsys)


def test_reports_an_unreadable_translation(
    locales: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    po_file("de", locales).write_text('msgid "Pass\n', "utf-8")
    assert "tichu.po cannot be read" in complaint(locales, capsys)
    assert main(["update"], locales) == 1
    po_file("de", locales).unlink()
    assert "does not exist, but its folder does." in complaint(locales, capsys)


def test_update_adds_new_messages_and_drops_unused_ones(locales: Path) -> None:
    file = po_file("de", locales)
    change(file, 'msgid "Pass"\nmsgstr "Pass"', 'msgid "Flee"\nmsgstr "Fliehen"')
    change(file, 'msgstr "Start"', 'msgstr "Anfangen"')
    update(locales)
    text = file.read_text("utf-8")
    assert 'msgid "Pass"\nmsgstr ""\n' in text
    assert 'msgid "Start"\nmsgstr "Anfangen"\n' in text
    assert "Flee" not in text
    assert '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"' in text
    assert '"Language: de\\n"' in text
    assert text.startswith("# What the bot says, in German.\n")
    assert not re.search(r"PROJECT|AUTHOR|EMAIL|Date", text)


def test_describes_the_place_of_a_text_for_translators(whole: Path) -> None:
    """The control, which is also found by its label's variable, and its surroundings."""
    with whole.open("rb") as file:
        found = {(message.context, str(message.id)): message for message in read_po(file)}

    def told(text: str, meaning: str | None = None) -> str:
        return " ".join(found[meaning, text].auto_comments)

    assert told("Play on").count("A button: at most 80 characters, better 20.") == 1
    assert "A button: at most" in told("Pass until next trick")
    assert "before something is chosen: at most 150 characters" in told("Which bomb?")
    assert "An option of a select: at most 100" in told("No quiet hours")
    assert "A button in a lesson: at most 80" in told("An opponent of my choice")
    assert "after a wrong answer in step 1 of the lesson “Lead and follow”" in told(
        "You could, but then your pair waits for another lead."
    )
    assert "Drawn on the picture of a table" in told("pass", "has passed")
    assert "Which game is played" not in told("Play on")
    assert "points of cards" in told("Cards")


@pytest.mark.parametrize("language", ["klingon", "en", "pt-BR", "../x", "de_DE_x"])
def test_refuses_an_unknown_or_existing_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    assert main(["update", language], tmp_path / "locale") == 1
    assert repr(language) in capsys.readouterr().err
    assert list(tmp_path.rglob("*.po")) == []


def test_runs_as_a_command() -> None:
    """`make messages-check` checks whether the project is up to date."""
    command = [sys.executable, "-m", "tools.messages", "check", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_compiled_catalogues_are_committed() -> None:
    assert list(LOCALES.rglob("*.mo")) == []
