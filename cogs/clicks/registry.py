"""Registry of controls: who may use each one, from where, at what cost, and its handler.

A handler is registered where it is defined, with `@control`. Some of the declared rights are not
checked here but in the command (`bot.table.permission`: seats, hosts, offers), or after data were
read (`may_look`: readers of past matches). Tests check that every control enforces its declaration.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from bot.runtime.cooldowns import Tokens
from cogs.clicks.context import ClickContext
from cogs.clicks.limits import CLICK
from cogs.pages.verbs import Verb

Handler = Callable[[ClickContext], Awaitable[None]]


class Who(Enum):
    """Users who may use a control, if they can reach it."""

    ANYBODY = "anybody"
    SEATED = "players of the table; checked by the table"
    HOST = "the host of the lobby; checked by the table"
    OFFERED = "the member to whom the seat was offered; checked by the table"
    CHALLENGED = "the two people of the challenge; checked by `Challenges`"
    ORGANISER = "the organiser of the event, and moderators of its channel; checked by `ClubEvents`"
    PLAYED = "players of the match when it ended; checked by the rematch"
    READER = "members who may see the channel of the match; checked by `may_look`"
    SEATED_OR_MODERATOR = "players of the table, and moderators of its channel"
    MODERATOR = "members who may manage messages in the channel of the table"
    MANAGER = "members who may manage the server"
    WRITER = "members who may write in the channel of the click"
    NOBODY = "nobody: it is never enabled"


class Where(Enum):
    """Places from which a control may be used."""

    ANYWHERE = "from anywhere, direct messages included"
    SERVER = "on any server with the bot; the control is about the server of the click"
    PAST = "as SERVER, and from anywhere else about the user's own matches; see `visible_table`"
    TABLE_SERVER = "on the server of the table, by members who may view its channel"
    TABLE_CHANNEL = "in the channel of the table, by members who may view it"


@dataclass(frozen=True, slots=True)
class Control:
    """The handler of a verb, and its conditions."""

    handler: Handler
    who: Who
    where: Where
    cost: Tokens
    """Tokens that a click takes from the rate limit."""


CONTROLS: dict[str, Control] = {}
"""All controls by verb; complete once `cogs.clicks.router` is imported."""


def control(
    *verbs: Verb, who: Who, where: Where, cost: Tokens = CLICK
) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of these verbs.

    Raises `ValueError` for a verb that has a handler already.
    """

    def register(handler: Handler) -> Handler:
        for verb in verbs:
            if verb in CONTROLS:
                raise ValueError(f"two handlers for {verb!r}")
            CONTROLS[verb] = Control(handler, who, where, cost)
        return handler

    return register


def check_complete() -> None:
    """Raise `ValueError` if a verb has no handler."""
    missing = [str(verb) for verb in Verb if verb not in CONTROLS]
    if missing:
        raise ValueError(f"no handler for {', '.join(missing)}")
