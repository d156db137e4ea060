"""For pages that are no hand: a refusal is answered by a sentence, not by the present hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.errors import Reason, Refused
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import refuse
from cogs.pages.controls import Click
from engine import IllegalAction

Verb = Callable[[Click], Awaitable[None]]

_LARGEST = 2**31 - 1
"""Numbers of tables, rounds and pages are not larger."""


def answering(announcer: Announcer, verbs: Mapping[str, Verb]) -> dict[str, Verb]:
    """These verbs, each answering its own refusals."""
    return {name: _answering(announcer, verb) for name, verb in verbs.items()}


def _answering(announcer: Announcer, verb: Verb) -> Verb:
    async def answer(click: Click) -> None:
        try:
            await verb(click)
        except (Refused, IllegalAction) as error:
            await refuse(announcer, click.interaction, error)

    return answer


def in_range(value: int) -> int:
    """A number of a table, a round or a page; `Refused` for a forged one."""
    if value > _LARGEST:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return value
