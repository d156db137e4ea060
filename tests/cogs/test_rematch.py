"""Rematches: the same partners, new ones drawn by rating, or an empty lobby."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord import InteractionResult

from bot.ids import ChannelId
from bot.records import NewTable, TableRecord
from bot.storage.tables import TableStore
from bot.table.state import TableState
from bot.text.labels import team_emoji
from cogs.pages.verbs import Verb
from tests.cogs.fast_forward import fast_forward, match_over
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import World, a_world, refusal
from tests.simcord_clicks import controls, line_with, messages, text, with_verb


def teams(state: TableState) -> list[set[str]]:
    """Return the teams in the lobby."""
    return [{chair.name for chair in state.chairs[side::2]} for side in range(2)]


def told(result: InteractionResult) -> str:
    """Return the private sentence of the answer."""
    (answer,) = (a for a in (result.response, *result.followups) if a is not None and a.ephemeral)
    return text(answer)


async def test_new_partners_are_drawn_by_rating(tmp_path: Path) -> None:
    async with a_world(tmp_path, seed=3) as world:
        *people, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
        await seat_without_hands(world, people, target=100)
        await fast_forward(world, match_over)
        last = world.history[-1].after
        assert teams(last) == [{"Ada", "Cai"}, {"Ben", "Dan"}]
        message, _ = world.newest_with(Verb.REMATCH)
        shown = [control for control in controls(message) if control.custom_id.count(":") == 4]
        verbs = [control.verb for control in shown]
        assert verbs == ["rematch", "new-partners", "new-lobby", "replay", "review", "share-replay"]

        assert refusal("not-seated") in told(await eve.press(Verb.NEW_PARTNERS))
        assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None
        await people[1].press(Verb.NEW_PARTNERS)
        lobby = world.table()
        assert (lobby.status, lobby.host_id) == ("lobby", people[1].id)
        assert lobby.options == last.options
        for team in teams(lobby):
            assert len(team & {"Ada", "Cai"}) == len(team & {"Ben", "Dan"}) == 1
        public = world.newest_with(Verb.START)[0]
        for number, team in enumerate(teams(lobby)):
            assert all(team_emoji(number) in line_with(public, name) for name in team)
        assert refusal("channel-taken") in told(await people[0].press(Verb.NEW_PARTNERS))

        await people[1].press(Verb.START)
        assert world.table().running
        assert teams(world.table()) == teams(lobby)
        await world.check_replay()


async def test_new_partners_in_tientsin_with_computer_players(tmp_path: Path) -> None:
    async with a_world(tmp_path, seed=5) as world:
        ada, ben = world.people("Ada", "Ben")
        await seat_without_hands(
            world, [ada, ben], variant="tientsin", target=100, **{"fast-computers": True}
        )
        await fast_forward(world, match_over)
        before = teams(world.history[-1].after)
        await ada.press(Verb.NEW_PARTNERS)
        lobby = world.table()
        assert {name for team in teams(lobby) for name in team} == set.union(*before)
        assert set(map(frozenset, teams(lobby))) != set(map(frozenset, before))
        await ada.press(Verb.START)
        assert world.table().running


@pytest.mark.parametrize("variant, people", [("trichu", 3), ("grandseigneur", 5)])
async def test_games_without_partners_offer_none(tmp_path: Path, variant: str, people: int) -> None:
    async with a_world(tmp_path, seed=1) as world:
        options = {"rounds": 3 if variant == "trichu" else 1, "fast-computers": True}
        (ada,) = world.people("Ada")
        await seat_without_hands(world, [ada], variant=variant, seats=people, **options)
        await fast_forward(world, match_over)
        message, rematch = world.newest_with(Verb.REMATCH)
        assert "new-partners" not in {control.verb for control in controls(message)}
        forged = rematch.custom_id.replace("rematch", "new-partners")
        assert refusal("unknown-button") in told(await forge(ada, message, forged))
        assert world.bot.tables.in_channel(ChannelId(world.channel.id)) is None


async def test_refuses_a_rematch_of_a_running_match(world: World) -> None:
    people = world.people("Ada", "Ben", "Cai", "Dan")
    await seat_without_hands(world, people)
    state, (message, _) = world.table(), world.newest_with(Verb.HAND)
    for wanted in ("rematch", "new-partners", "new-lobby"):
        custom_id = f"b:{state.id}:{state.revision}:{wanted}:"
        assert refusal("already-started") in told(await forge(people[0], message, custom_id))
        assert refusal("table-over") in told(await forge(people[0], message, f"b:77:0:{wanted}:"))
    assert world.table() is state


async def test_lobby_of_a_slow_rematch_is_not_the_result_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a deferral the first answer is the message that was clicked on."""
    async with a_world(tmp_path, seed=3) as world:
        people = world.people("Ada", "Ben", "Cai", "Dan")
        await seat_without_hands(world, people, target=100)
        await fast_forward(world, match_over)
        result, _ = world.newest_with(Verb.REMATCH)
        before = text(result)
        create = TableStore.create

        async def slow_create(self: TableStore, new: NewTable) -> TableRecord:
            await world.bot.clock.sleep(2.5)
            return await create(self, new)

        monkeypatch.setattr(TableStore, "create", slow_create)
        world.env.inject_error("POST", "/webhooks/*", status=503)
        await people[0].press(Verb.REMATCH)
        await world.env.advance_time(3)
        (lobby,) = (m for m in messages(world.env, world.channel) if with_verb(m, Verb.START))
        assert world.table().messages.lobby == lobby.id
        await people[0].slash("tichu stop")
        assert controls(lobby) == []
        assert text(result) == before
