"""Names and other texts that people choose."""

from __future__ import annotations

import re
from unicodedata import bidirectional, category

from bot.ids import UserId, is_pseudonym
from bot.text import Say
from engine import Seat

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line separators and changes of direction; not the joiners of letters."""
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without ink."""
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""Classes of the characters that reorder their neighbours in a left-to-right line."""


def person_name(say: Say, name: str, user_id: UserId | None, seat: Seat) -> str:
    """Return the name of a player, or a placeholder for a hidden or erased one."""
    return visible_name(say, name, seat) or unnamed(say, user_id)


def visible_name(say: Say, name: str, seat: Seat) -> str:
    """Return a name without control characters; that of its seat if nothing else would show."""
    if not name:
        return ""
    return visible(name) or say("Player {number}", number=seat + 1)


def unnamed(say: Say, user_id: UserId | None) -> str:
    """Return the placeholder for a hidden or erased player."""
    return say("Former player") if is_pseudonym(user_id) else say("Hidden player")


def visible(text: str) -> str:
    """Return a text without control characters; empty if nothing of it would show."""
    if text.isascii() and text.isprintable():
        return text.strip()
    cleaned = _CONTROLS.sub("", text).strip()
    return cleaned if any(map(_has_ink, cleaned)) else ""


def _has_ink(sign: str) -> bool:
    """Return false for blanks, combining marks and invisible characters."""
    kind = category(sign)
    return kind[0] not in "MZ" and kind not in ("Cc", "Cf", "Cs") and sign not in _BLANKS


def isolated(text: str) -> str:
    """Isolate a text that could reorder its neighbours in a left-to-right line.

    All languages of the bot are written from left to right, so only right-to-left letters and
    Arabic numbers can. Cut a text before it is isolated.
    """
    if not text.isascii() and any(bidirectional(sign) in _RIGHT_TO_LEFT for sign in text):
        return f"\u2068{text}\u2069"
    return text


def mention(user_id: int) -> str:
    """Return a mention of a user, isolated because Discord shows a name in its place."""
    return f"\u2068<@{user_id}>\u2069"


def role_mention(role_id: int | None) -> str:
    """Return a mention of a role, isolated likewise."""
    return f"\u2068<@&{role_id}>\u2069"


def channel_mention(channel_id: int | None) -> str:
    """Return a link to a channel, isolated likewise."""
    return f"\u2068<#{channel_id}>\u2069"
