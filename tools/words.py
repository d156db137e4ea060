"""`python -m tools.words`: finds words in code and docs that have a standard term.

`words.tsv` has a line for each: a regular expression, a tab, and the term. Text in quotation marks
and code spans is skipped, because it may be a text for players or a quoted log line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).with_name("words.tsv")
FILES = ("*.py", "*.md", "*.toml", "*.yaml", "*.yml", "Makefile", "Dockerfile", ".env.example")
FOR_PLAYERS = (
    "CHANGELOG.md",
    "docs/README.*",
    "docs/first-evening.md",
    "docs/glossary.md",
    "docs/rules.md",
)
TERMS = [
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), term)
    for words, term in (line.split("\t") for line in LIST.read_text("utf-8").splitlines())
]
_ANY = re.compile("|".join(words.pattern for words, _ in TERMS), re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|`[^`]*`')


def found(line: str) -> Iterator[tuple[str, str]]:
    """Return the listed words in a line, each with its term."""
    text = _QUOTED.sub('""', line.replace('"""', "").replace("``", "`"))
    for words, term in TERMS:
        for match in words.finditer(text):
            yield match[0], term


def main() -> int:
    """Print each place with a listed word. Returns the exit status."""
    skipped = [f":!{pattern}" for pattern in FOR_PLAYERS]
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *FILES]
    output = subprocess.check_output([*listing, *skipped], cwd=ROOT, text=True)
    places = [
        f"{name}:{number}: {word} -> {term}"
        for name in output.splitlines()
        if (ROOT / name).is_file() and _ANY.search(text := (ROOT / name).read_text("utf-8"))
        for number, line in enumerate(text.splitlines(), start=1)
        for word, term in found(line)
    ]
    print("\n".join(places), end="\n" if places else "")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
