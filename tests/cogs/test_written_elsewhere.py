"""Tables written by another process: a click shows the stored state."""

from __future__ import annotations

from bot.errors import WrittenElsewhere
from bot.ids import TableId
from bot.records import Change
from bot.text.sentences import sentence
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.table_play import dealt
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import messages, text

TOLD = sentence(SAY, WrittenElsewhere())


async def test_click_shows_the_stored_hand(world: World, errors: ErrorRecords) -> None:
    errors.allow("another process has written table 1")
    deal = {0: "MAHJONG DRAGON J3 J4 J5", 1: "S3 S4 S5", 2: "P3 P4 P5", 3: "T3 T4 T5"}
    ada, *_ = await dealt(world, deal)
    await ada.choose(Verb.CARDS, "DRAGON")
    (play,) = [control for control in ada.controls(Verb.PLAY) if not control.is_select]
    public = [text(message) for message in messages(world.env, world.channel)]
    seq = world.game().seq
    await world.bot.store.tables.commit(TableId(1), Change(expected_version=version(world)))
    result = await ada.person.member.click(ada.hand, custom_id=play.custom_id)
    assert result.response is not None
    assert result.response.id == ada.hand.id
    assert TOLD in text(ada.hand)
    assert world.game().seq == seq
    assert [text(message) for message in messages(world.env, world.channel)] == public
    await ada.choose(Verb.CARDS, "DRAGON")
    (play,) = [control for control in ada.controls(Verb.PLAY) if not control.is_select]
    await ada.press(play)
    assert TOLD not in text(ada.hand)
    assert world.game().phase is Phase.WINDOW
    await world.check_replay()


async def test_click_in_a_lobby_written_by_another_process(
    world: World, errors: ErrorRecords
) -> None:
    errors.allow("another process has written table 1")
    ada, ben = world.people("Ada", "Ben")
    await ada.slash("tichu new")
    await world.bot.store.tables.commit(TableId(1), Change(expected_version=version(world)))
    result = await world.join(ben)
    assert result.response is not None
    assert result.response.ephemeral
    assert TOLD in text(result.response)
    assert "Ben" not in text(world.newest_with(Verb.LEAVE)[0])
    await world.join(ben)
    assert "Ben" in text(world.newest_with(Verb.LEAVE)[0])


def version(world: World) -> int:
    """Return the version of the first table as the bot knows it."""
    live = world.bot.tables._registry.find(TableId(1))  # noqa: SLF001
    assert live is not None
    return live.version
