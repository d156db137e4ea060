"""Names for what an int means: ids of Discord and of tables, and the revision of a table.

They are aliases, for readers of the code: to Python and to mypy each is an int. What an int means
in the game (a seat, a card, a rank) is named in `engine.types`.
"""

from __future__ import annotations

from typing import TypeAlias

UserId: TypeAlias = int
"""The id that Discord has given to a person or a bot."""
GuildId: TypeAlias = int
"""The id of a server; Discord's word for it is guild."""
ChannelId: TypeAlias = int
"""The id of a channel or thread."""
MessageId: TypeAlias = int
"""The id of a message."""
TableId: TypeAlias = int
"""The number of a table, counted from 1 through all servers."""
Revision: TypeAlias = int
"""What lies on a table, as a number: buttons carry it, and one of another revision is stale."""
