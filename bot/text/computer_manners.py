"""How the computer players of a table like to play, in words."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.computer_names import manner_of
from bot.table.state import TableState
from bot.text import Say


def manners(table: TableState, say: Say) -> Iterator[str]:
    """What is special about each computer player of a table; nothing about steady ones."""
    for chair in table.chairs:
        if chair.kind != "computer":
            continue
        name, manner = chair.name, manner_of(chair.name)
        if manner == "bold":
            yield say("{name} plays boldly", name=name)
        elif manner == "careful":
            yield say("{name} plays carefully", name=name)
        elif manner == "helpful" and table.options.teams:
            # Translators: of a computer player, who gives good cards to the partner and leaves
            # tricks to them
            yield say("{name} plays for the team", name=name)
