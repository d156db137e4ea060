"""When reactions stand in a table message, and how often it is edited for them alone."""

from __future__ import annotations

import pytest

from bot.ids import UserId
from bot.runtime.clock import Clock
from cogs.delivery.reactions import WAITS_FOR, Reactions
from cogs.pages.table.reactions import Reaction, Said
from tests.bot.fake_time import FakeTime
from tests.bot.states import NOON

ADA = Said(UserId(1), Reaction.THANKS)
BEN = Said(UserId(2), Reaction.SORRY)


class Message:
    """A table message: when it was edited for reactions alone, and what stands there."""

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.reactions = Reactions(Clock(time.now, time.sleep), self._edit)
        self.too_old = False
        self.extra: list[float] = []
        self._shows: tuple[Said, ...] = ()

    def _edit(self) -> None:
        if not self.too_old:
            self.extra.append((self.time.now() - NOON).total_seconds())
            self.write()

    def write(self) -> None:
        """An edit, whatever it is for."""
        self._shows = self.reactions.to_show()
        self.reactions.stand(self._shows)

    def shows(self) -> tuple[Said, ...]:
        """What is read there."""
        return self._shows


@pytest.fixture
def message() -> Message:
    return Message(FakeTime())


async def test_message_is_edited_for_reactions_alone_once_in_five_seconds(message: Message) -> None:
    message.reactions.add(ADA)
    await message.time.run(1)
    message.reactions.add(BEN)
    await message.time.run(1)
    assert (message.extra, message.shows()) == ([0.0], (ADA,))
    await message.time.run(4)
    assert (message.extra, message.shows()) == ([0.0, 5.0], (ADA, BEN))


async def test_reactions_ride_on_an_edit_that_comes_anyway(message: Message) -> None:
    message.reactions.add(ADA)
    await message.time.run(1)
    message.reactions.add(BEN)
    message.write()
    await message.time.run(30)
    assert (message.extra, message.shows()) == ([0.0], (ADA, BEN))


async def test_reactions_go_with_an_edit_when_they_have_been_seen(message: Message) -> None:
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


async def test_what_nobody_could_read_in_time_is_never_shown(message: Message) -> None:
    message.too_old = True
    message.reactions.add(ADA)
    await message.time.run(120)
    message.reactions.add(BEN)
    await message.time.run(WAITS_FOR.total_seconds() - 60)
    message.write()
    assert message.shows() == (BEN,)


async def test_an_edit_that_fails_loses_nothing(message: Message) -> None:
    message.reactions.add(ADA)
    sent = message.reactions.to_show()
    message.reactions.add(BEN)
    message.reactions.stand(sent)
    assert message.reactions.to_show() == (ADA, BEN)


async def test_last_reaction_of_a_person_is_shown_and_none_of_who_is_forgotten(
    message: Message,
) -> None:
    later = Said(ADA.user_id, Reaction.HURRY)
    for said in (ADA, BEN, later):
        message.reactions.add(said)
    assert message.reactions.to_show() == (BEN, later)
    message.reactions.forget(ADA.user_id)
    assert message.reactions.to_show() == (BEN,)
    message.reactions.close()
    await message.time.run(30)
    assert message.extra == []
