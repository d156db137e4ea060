"""Reactions in a table message: their lifetime, and the edits made for them alone."""

from __future__ import annotations

import pytest

from bot.ids import UserId
from bot.runtime.clock import Clock
from cogs.delivery.reactions import WAITS_FOR, Reactions
from cogs.pages.table.reactions import Reaction, SentReaction
from tests.bot.fake_time import FakeTime
from tests.bot.states import NOON

ADA = SentReaction(UserId(1), Reaction.THANKS)
BEN = SentReaction(UserId(2), Reaction.SORRY)


class Message:
    """A table message: the times of edits for reactions alone, and the shown reactions."""

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.reactions = Reactions(Clock(time.now, time.sleep), self._edit)
        self.too_old = False
        self.extra: list[float] = []
        self._shows: tuple[SentReaction, ...] = ()

    def _edit(self) -> None:
        if not self.too_old:
            self.extra.append((self.time.now() - NOON).total_seconds())
            self.write()

    def write(self) -> None:
        """Edit the message for another reason."""
        self._shows = self.reactions.current()
        self.reactions.record_shown(self._shows)

    def shows(self) -> tuple[SentReaction, ...]:
        """Return the shown reactions."""
        return self._shows


@pytest.fixture
def message() -> Message:
    return Message(FakeTime())


async def test_edits_for_reactions_alone_at_most_every_five_seconds(message: Message) -> None:
    message.reactions.add(ADA)
    await message.time.run(1)
    message.reactions.add(BEN)
    await message.time.run(1)
    assert (message.extra, message.shows()) == ([0.0], (ADA,))
    await message.time.run(4)
    assert (message.extra, message.shows()) == ([0.0, 5.0], (ADA, BEN))


async def test_reactions_are_shown_with_the_next_edit(message: Message) -> None:
    message.reactions.add(ADA)
    await message.time.run(1)
    message.reactions.add(BEN)
    message.write()
    await message.time.run(30)
    assert (message.extra, message.shows()) == ([0.0], (ADA, BEN))


async def test_seen_reactions_disappear_with_an_edit(message: Message) -> None:
    message.reactions.add(ADA)
    await message.time.run(9)
    message.write()
    assert message.shows() == (ADA,)
    message.reactions.add(BEN)
    await message.time.run(3)
    assert message.shows() == (ADA, BEN), "nothing is edited to take one away"
    message.write()
    assert message.shows() == (BEN,)
    await message.time.run(20)
    message.write()
    assert message.shows() == ()
    assert message.extra == [0.0, 9.0]


async def test_outdated_reactions_are_never_shown(message: Message) -> None:
    message.too_old = True
    message.reactions.add(ADA)
    await message.time.run(120)
    message.reactions.add(BEN)
    await message.time.run(WAITS_FOR.total_seconds() - 60)
    message.write()
    assert message.shows() == (BEN,)


async def test_failed_edit_loses_no_reaction(message: Message) -> None:
    message.reactions.add(ADA)
    sent = message.reactions.current()
    message.reactions.add(BEN)
    message.reactions.record_shown(sent)
    assert message.reactions.current() == (ADA, BEN)


async def test_shows_the_last_reaction_of_each_person_who_is_not_erased(
    message: Message,
) -> None:
    later = SentReaction(ADA.user_id, Reaction.HURRY)
    for said in (ADA, BEN, later):
        message.reactions.add(said)
    assert message.reactions.current() == (BEN, later)
    message.reactions.forget(ADA.user_id)
    assert message.reactions.current() == (BEN,)
    message.reactions.close()
    await message.time.run(30)
    assert message.extra == []
