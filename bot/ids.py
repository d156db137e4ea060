"""Types of ids and revisions, which are all ints, but which mypy does not mix up.

Code that reads an object of Discord converts its id, as in `UserId(interaction.user.id)`. Ints of
the game (seats, cards, ranks) have types in `engine.types`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NewType, TypeVar

UserId = NewType("UserId", int)
"""The Discord id of a user; a negative one is the pseudonym of an erased user.

See `bot.storage.forgetting`.
"""
GuildId = NewType("GuildId", int)
"""The id of a server (guild); `NOWHERE` without one."""
ChannelId = NewType("ChannelId", int)
"""The id of a channel or thread."""
MessageId = NewType("MessageId", int)
"""The id of a message."""
RoleId = NewType("RoleId", int)
"""The id of a role of a server."""
TableId = NewType("TableId", int)
"""The number of a table, counted from 1 through all servers."""
BoardId = NewType("BoardId", int)
"""The number of a board: a deal that several people play, each alone."""
ChallengeId = NewType("ChallengeId", int)
"""The number of a challenge, counted from 1 through all servers."""
ClubEventId = NewType("ClubEventId", int)
"""The number of an event of a club, counted from 1 through all servers."""
Revision = NewType("Revision", int)
"""Revision of a table; a button with another revision is stale."""

NOWHERE: Final = GuildId(-1)
"""Replaces the id of an erased server."""

_Id = TypeVar("_Id", bound=int)


def optional(kind: Callable[[int], _Id], value: int | None) -> _Id | None:
    """Return `value` as an id of this kind; `None` stays `None`."""
    return None if value is None else kind(value)


def is_pseudonym(user_id: UserId | None) -> bool:
    """Return whether this is the pseudonym of an erased user: ids of Discord are positive."""
    return user_id is not None and user_id < 0
