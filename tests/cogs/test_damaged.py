"""Tables with a damaged record: players and the operator get instructions."""

from __future__ import annotations

from functools import partial

import pytest

from bot.records import ActionRecord, Change
from bot.storage import StorageError, StorageUnfit
from bot.text.sentences import database_damaged, with_error, write_failed
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.status_page import asking
from tests.cogs.table_play import HandPlayer, seat_without_hands
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import newcomers, text

CARDS = "DRAGON SA"


async def damaged(world: World) -> list[HandPlayer]:
    """Start a table that cannot be read after a restart; return its players."""
    players = await seat_without_hands(world, world.people("Ada", "Ben"), target=5000)
    await fast_forward(world, reached(Phase.TURN), players=players)
    at, now = world.game(), world.bot.clock.now()
    song = ActionRecord(seq=at.seq + 1, round=1, seat=0, text="sing:DRAGON", at=now)
    await world.bot.store.tables.commit(at.id, Change(actions=(song,)))
    await world.restart()
    return players


async def test_players_are_told_about_the_damage(world: World, errors: ErrorRecords) -> None:
    errors.allow("is damaged and stays closed")
    ada, *_ = await damaged(world)
    (line,) = errors.records
    assert "DRAGON" not in line.getMessage()
    assert "`python -m bot check`" in line.getMessage()
    sentence = refusal("table-damaged", error=vars(line)["error"])
    assert vars(line)["error"] in sentence
    for ask in (partial(ada.person.press, Verb.HAND), partial(ada.person.slash, "tichu hand")):
        answer = await ask()
        assert answer.response is not None
        assert answer.response.ephemeral
        assert text(answer.response) == sentence
    async with asking(world.bot) as asked:
        assert await asked.value("tichu_damaged_tables") == 1
        assert await asked.value("tichu_tables") == 0
    elsewhere = world.guild.create_text_channel("elsewhere")
    (eve,) = newcomers(world.env, world.guild, elsewhere, "Eve")
    answer = await eve.slash("tichu hand")
    assert answer.response is not None
    assert text(answer.response) == refusal("no-table-here")


async def test_another_table_takes_its_channel(world: World, errors: ErrorRecords) -> None:
    errors.allow("damaged")
    ada, *_ = await damaged(world)
    await ada.person.slash("tichu new", computers=3)
    assert world.table().status == "lobby"
    assert not world.bot.tables.damaged
    await ada.person.press(Verb.START)
    assert world.table().running


@pytest.mark.parametrize("command", ["tichu new", "tichu leaderboard"])
async def test_reports_a_damaged_database(
    world: World, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The failure is permanent, so nobody is asked to retry."""

    async def fails(*_: object, **__: object) -> None:
        raise StorageUnfit("Error while saving: the database file is damaged.")

    monkeypatch.setattr(world.bot.store.tables, "create", fails)
    monkeypatch.setattr(world.bot.store.rankings, "page", fails)
    (ada,) = world.people("Ada")
    answer = await ada.slash(command)
    assert answer.response is not None
    assert text(answer.response) == database_damaged(SAY)


async def test_unhandled_exception_has_an_error_id(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that occurs only when storing, which is no database failure."""
    errors.allow("request failed, database write error")

    async def fails(*_: object, **__: object) -> None:
        raise StorageError("Error while saving: a fault in the program.") from ValueError(CARDS)

    monkeypatch.setattr(world.bot.store.tables, "create", fails)
    (ada,) = world.people("Ada")
    answer = await ada.slash("tichu new")
    (line,) = errors.records
    assert CARDS not in line.getMessage()
    assert answer.response is not None
    named = with_error(SAY, write_failed(SAY), vars(line)["error"])
    assert text(answer.response) == named
