"""What people are called who are not to be named: forgotten, or hidden from the reader."""

from __future__ import annotations

from bot.ids import UserId, is_pseudonym
from bot.text import Say


def person_name(say: Say, name: str, user_id: UserId | None) -> str:
    """The name of somebody who sits or sat somewhere; without one, why they have none."""
    return name or unnamed(say, user_id)


def unnamed(say: Say, user_id: UserId | None) -> str:
    """Somebody whose name is not told."""
    return say("Former player") if is_pseudonym(user_id) else say("Hidden player")
