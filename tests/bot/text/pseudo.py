"""A language that puts every word of the catalogue between ⟦ and ⟧, to find words outside of it."""

from __future__ import annotations

import gettext
import re
from functools import cache
from string import Formatter

_LETTERS = re.compile(r"[^\W\d_½]+")
_MARKUP = re.compile(
    r"⟦[^⟧]*(?:⟧|$)"  # from the catalogue; a label may have been cut
    r"|<a?:\w+:\d+>|<t:\d+(?::\w)?>|<[@#]\d+>"  # emoji, timestamp, mention
    r"|https?://[\w./]+"  # link to the table
    r"|```\n(?s:.*?)\n```|\b[0-9a-f]{64}\b"  # command line or deck; secret or commitment
    r"|\b[0-9a-f]{8}…"  # label of a deal
    r"|(?<=\W)(?:and|und)(?= )"  # Babel's own word in lists
    r"|(?:10|[2-9JQKA])[◎⚔🏯★]"  # card without a picture, the same in every language
)


class Pseudo(gettext.NullTranslations):
    """Wraps what stands between the placeholders of a message; `asked` are the messages used."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[tuple[str, ...]] = set()

    def gettext(self, message: str) -> str:
        """The message in brackets."""
        self.asked.add((message,))
        return _wrapped(message)

    def pgettext(self, context: str, message: str) -> str:
        """The message in brackets, whatever it means."""
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The right form of the message in brackets."""
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
    """The runs of letters in a text that did not come from the catalogue."""
    return list(_bare(text))


@cache
def _bare(text: str) -> tuple[str, ...]:
    """The same as a value: pages have most of their texts in common."""
    return tuple(_LETTERS.findall(_MARKUP.sub(" ", text)))
