"""For pages that are no hand: a refusal is answered by a sentence, not by the present hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.errors import Reason, Refused
from bot.records import LARGEST_NUMBER
from cogs.clicks.click import Click
from cogs.clicks.errors import refuse
from cogs.delivery.announcer import Announcer
from cogs.pages.verbs import Verb
from engine import IllegalAction

Answer = Callable[[Click], Awaitable[None]]
"""What answers the clicks with one verb."""


def answering(announcer: Announcer, answers: Mapping[Verb, Answer]) -> dict[str, Answer]:
    """These answers by verb, each of which also answers its own refusals."""
    return {verb: _answering(announcer, answer) for verb, answer in answers.items()}


def _answering(announcer: Announcer, inner: Answer) -> Answer:
    async def answer(click: Click) -> None:
        try:
            await inner(click)
        except (Refused, IllegalAction) as error:
            await refuse(announcer, click.interaction, error)

    return answer


def in_range(value: int) -> int:
    """A number of a table, a round or a page; `Refused` for a forged one."""
    if value > LARGEST_NUMBER:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return value
