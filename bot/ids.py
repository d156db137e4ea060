"""Names for what an int means: ids of Discord and of tables, and the revision of a table.

They are aliases, for readers of the code: to Python and to mypy each is an int. What an int means
in the game (a seat, a card, a rank) is named in `engine.types`.
"""

from __future__ import annotations

from typing import TypeAlias

UserId: TypeAlias = int
"""The id that Discord has given to a person or a bot; a negative one is a pseudonym.

A pseudonym stands wherever somebody was who wants to be forgotten (`bot.storage.forgetting`).
"""
GuildId: TypeAlias = int
"""The id of a server; Discord's word for it is guild. `NOWHERE` for what belongs to none."""
ChannelId: TypeAlias = int
"""The id of a channel or thread."""
MessageId: TypeAlias = int
"""The id of a message."""
RoleId: TypeAlias = int
"""The id of a role of a server."""
TableId: TypeAlias = int
"""The number of a table, counted from 1 through all servers."""
Revision: TypeAlias = int
"""What lies on a table, as a number: buttons carry it, and one of another revision is stale."""

NOWHERE: GuildId = -1
"""In place of every server that was forgotten."""


def is_pseudonym(user_id: UserId | None) -> bool:
    """Whether this stands for somebody who was forgotten: no id of Discord is negative."""
    return user_id is not None and user_id < 0
