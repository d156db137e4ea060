"""Pseudo-language that puts catalogue texts between ⟦ and ⟧, to find other words."""

from __future__ import annotations

import gettext
import re
from functools import cache
from string import Formatter

_LETTERS = re.compile(r"[^\W\d_½]+")
_MARKUP = re.compile(
    r"⟦[^⟧]*(?:⟧|$)"  # from the catalogue; a label may be truncated
    r"|<a?:\w+:\d+>|<t:\d+(?::\w)?>|<[@#]\d+>"  # emoji, timestamp, mention
    r"|https?://[\w./]+"  # link to the table
    r"|```\n(?s:.*?)\n```|\b[0-9a-f]{64}\b"  # command line or deck; secret or commitment
    r"|\b[0-9a-f]{8}…"  # label of a deal
    r"|(?<=\W)(?:and|und)(?= )"  # Babel's word in lists
    r"|(?:10|[2-9JQKA])[◎⚔🏯★]"  # card without a picture, the same in every language
)


class Pseudo(gettext.NullTranslations):
    """Marks the text between the placeholders of a message; `asked` are the messages used."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[tuple[str, ...]] = set()

    def gettext(self, message: str) -> str:
        """Return the message in brackets."""
        self.asked.add((message,))
        return _wrapped(message)

    def pgettext(self, context: str, message: str) -> str:
        """Return the message in brackets, in any meaning."""
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the right form of the message in brackets."""
        self.asked.add((msgid1, msgid2))
        return _wrapped(msgid1 if n == 1 else msgid2)


@cache
def _wrapped(message: str) -> str:
    found = ""
    for text, name, _, _ in Formatter().parse(message):
        text = text.replace("{", "{{").replace("}", "}}")
        found += f"⟦{text}⟧" if _LETTERS.search(text) else text
        found += f"{{{name}}}" if name is not None else ""
    return found


def bare(text: str) -> list[str]:
    """Return the runs of letters in a text that did not come from the catalogue."""
    return list(_bare(text))


@cache
def _bare(text: str) -> tuple[str, ...]:
    """Return the same as a cached tuple, because pages share most of their texts."""
    return tuple(_LETTERS.findall(_MARKUP.sub(" ", text)))
