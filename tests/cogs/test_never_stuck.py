"""A button to continue on every page, even when messages of the table were deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.art.emojis import Emojis
from bot.ids import ChannelId, TableId
from bot.records import Change
from bot.storage.tables import TableStore
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.state import Game, Lobby
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.hand.page import hand_page
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.page import table_page
from cogs.pages.table.result import result_page
from cogs.pages.verbs import Verb
from engine import Phase
from tests.bot.live.test_never_stuck import SHORT
from tests.bot.live.wanderers import Wanderer
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld
from tests.bot.text.pages import parts
from tests.campaign import SOAK
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.worlds import SAY, World
from tests.same_thread import answer_in_this_thread
from tests.simcord_clicks import deny, from_outside


async def without_result(world: World, *names: str) -> list[HandPlayer]:
    """Return people between two rounds whose result was deleted."""
    players = await seat_all(world, world.people(*names), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    result, _ = world.newest_with(Verb.READY)
    world.env.backend.delete_message(world.channel.id, result.id)
    await world.env.settle()
    return players


async def test_ready_works_without_the_result_message(world: World) -> None:
    (ada,) = await without_result(world, "Ada")
    await ada.open()
    await ada.press(Verb.READY)
    await world.to_next_deadline()
    assert world.game().round.number == 2
    assert ada.can(Verb.GRAND)


async def test_paused_table_continues_without_the_result_message(world: World) -> None:
    ada, ben = await without_result(world, "Ada", "Ben")
    await ada.open()
    await ada.press(Verb.PAUSE)
    assert world.game().timers.paused
    await ben.open()
    await ben.press(Verb.RESUME)
    assert not world.game().timers.paused
    assert ada.can(Verb.PAUSE), "their hand shows it"
    await ada.press(Verb.READY)
    await ben.press(Verb.READY)
    await world.to_next_deadline()
    assert world.game().round.number == 2


async def test_one_person_continues_while_nothing_can_be_sent(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"), target=5000)
    assert world.bot.user is not None
    await fast_forward(world, reached(Phase.LEAD))
    await ada.open()
    deny(world.env, world.channel, world.bot.user.id, "send_messages")
    await fast_forward(world, reached(Phase.ROUND_END), players=[ada])
    await ada.press(Verb.READY)
    await world.to_next_deadline()
    assert world.game().round.number == 2
    assert ada.can(Verb.GRAND)


# --- every page of every state -------------------------------------------------------------------

WORDS = Speaker(SAY, Emojis.plain())
ANSWERS = {
    Phase.GRAND: {Verb.GRAND},
    Phase.EXCHANGE: {Verb.PICK, Verb.GIVE},
    Phase.LEAD: {Verb.PLAY, Verb.CARDS},
    Phase.TURN: {Verb.PLAY, Verb.CARDS, Verb.PASS},
    Phase.GIFT: {Verb.GIFT},
}
"""Controls that answer what a player is asked, by phase."""


def verbs_on(page: Page) -> set[str]:
    """Return the verbs of the enabled controls on a page."""
    ids = (part.get("custom_id") for part in parts(page) if not part.get("disabled"))
    return {custom_id.split(":")[-2] for custom_id in ids if custom_id}


def check_buttons(table: Lobby | Game) -> None:
    """Check that everybody who can continue the table has a button for it."""
    if isinstance(table, Lobby):
        assert verbs_on(lobby_page(table, WORDS)) & {Verb.START, Verb.FILL, Verb.JOIN}
        return
    public = verbs_on(table_page(table, WORDS))
    assert Verb.HAND in public
    people = [chair.seat for chair in table.people()]
    if table.between_rounds and not table.all_ready:
        wanted = Verb.RESUME if table.timers.paused else Verb.READY
        assert wanted in verbs_on(result_page(table, WORDS))
        assert all(wanted in verbs_on(hand_page(table, chair, WORDS)) for chair in people)
    elif table.timers.paused:
        assert Verb.RESUME in public
    for chair in table.awaited:
        answers = {Verb.WITHDRAW} if table.round.asked else ANSWERS[table.phase]
        assert answers & verbs_on(hand_page(table, chair, WORDS))
    for chair in table.notes.away:
        assert Verb.BACK in verbs_on(hand_page(table, chair, WORDS))


@pytest.mark.slow
@pytest.mark.parametrize("variant", SHORT)
async def test_every_awaited_player_has_a_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    answer_in_this_thread(monkeypatch)
    for seed in range(3, 53 if SOAK else 4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        world = TableWorld(folder, seed)
        await world.open()
        options = SHORT[variant]
        lobby = await world.tables.create(
            LobbyPlan(GUILD, ChannelId(1), HOST, options, new_chairs(options, HOST, "Ada"))
        )
        wanderer = Wanderer(world, lobby.id, seed)
        for _ in range(150 if SOAK else 40):
            await wanderer.step()
            await world.quiet()
            if wanderer.table is None:
                break
            check_buttons(wanderer.table)
        await world.close()


# --- kills between commit and announcement -------------------------------------------------------


class Killer:
    """Kills a bot at these of its commits: nothing is sent about them."""

    def __init__(self, world: World, patch: pytest.MonkeyPatch, wanted: Collection[int]) -> None:
        self.dead = asyncio.Event()
        self.kills = 0
        self.commits = 0
        commit = TableStore.commit

        async def watched(store: TableStore, table_id: TableId, change: Change) -> None:
            await commit(store, table_id, change)
            if store is world.bot.store.tables and not self.dead.is_set():
                self.commits += 1
                if self.commits in wanted:
                    self.dead.set()
                    self.kills += 1
                    await from_outside(asyncio.Event().wait(), "a bot that is killed")

        patch.setattr(TableStore, "commit", watched)
        self._world = world

    async def start_anew(self, players: Sequence[HandPlayer]) -> None:
        """Start another bot, and let everybody open their hand with a visible button."""
        interactions, requests = self._world.env.backend.interactions, self._world.env.http_requests
        paths = [request.path for request in requests]
        for number in [*interactions]:
            if not any(f"/{number}/" in path for path in paths):
                del interactions[number]  # the killed bot answers nothing
        await self._world.restart()
        self.dead.clear()
        for player in players:
            await self.attempt(player.open())

    async def attempt(self, deed: Coroutine[Any, Any, object]) -> object:
        """Return the result of a deed; `None` if the bot is killed before it answers."""
        if self.dead.is_set():
            deed.close()
            return None
        try:
            return await deed
        except AssertionError:
            if self.dead.is_set():
                return None
            raise


async def play_killed(
    world: World, players: Sequence[HandPlayer], killer: Killer, commits: int
) -> None:
    """Let the players play for `commits` commits, with a new bot after each kill."""
    idle = 0
    while killer.commits < commits:
        assert idle < 100, "nobody does anything"
        idle += 1
        for player in players:
            if await killer.attempt(player.act()):
                idle = 0
        if idle:
            await killer.attempt(world.to_next_deadline())
        while killer.dead.is_set():
            await killer.start_anew(players)
            idle = 0


@pytest.mark.parametrize(
    "variant, people, wanted",
    [
        ("trichu", 2, (3, 11, 16)),
        *(
            pytest.param(variant, people, range(1, 120), marks=pytest.mark.soak)
            for variant, people in (("nanjing", 4), ("trichu", 3), ("tientsin", 3))
        ),
        pytest.param("grandseigneur", 5, range(1, 120), marks=pytest.mark.soak),
    ],
)
async def test_play_continues_after_a_kill_between_commit_and_announcement(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
    people: int,
    wanted: Collection[int],
) -> None:
    names = ("Ada", "Ben", "Cai", "Dan", "Eva")[:people]
    players = await seat_all(world, world.people(*names), variant=variant)
    killer = Killer(world, monkeypatch, wanted)
    await play_killed(world, players, killer, max(wanted) + 5)
    assert killer.kills == len(wanted)
    await world.check_replay()
