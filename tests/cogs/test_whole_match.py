"""Whole matches by clicks alone: people, computers, options, threads and the record."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cogs.pages.verbs import Verb
from engine import Phase
from tests.campaign import SOAK
from tests.cogs.fast_forward import (
    begin_by_clicks,
    begun,
    fast_forward,
    match_over,
    reached,
    round_over,
)
from tests.cogs.finished import check_finished, check_rematch
from tests.cogs.table_painters import TablesAtOnce
from tests.cogs.table_play import open_hands, over, play_on, seat_all
from tests.cogs.worlds import a_world
from tests.simcord_clicks import Person, messages, shown, text

TARGETS = [200, pytest.param(1000, marks=pytest.mark.soak)]


@pytest.mark.parametrize("target", [150, pytest.param(1000, marks=pytest.mark.soak)])
async def test_four_people_play_a_match(tmp_path: Path, target: int) -> None:
    """At least two rounds by clicks; only in a campaign the first one, too."""
    tables = TablesAtOnce()
    async with a_world(tmp_path, seed=28, tables=tables) as world:
        people = world.people("Ada", "Ben", "Cai", "Dan")
        players = await seat_all(world, people, target=target)
        for place, player in enumerate(players):
            player.plays = 0.5 if place % 2 else 0.97  # the bolder team wins soon
            player.calls = 0.1
        if not SOAK:
            await fast_forward(world, round_over)
            await fast_forward(world, reached(Phase.GRAND), players=players)
        await play_on(world, players, over(world))
        last = await check_finished(world, people[0])
        assert len(last.match.results) > 1
        assert len(set(tables.asked)) == len(tables.asked), "no state is drawn twice"
        everything = {click for player in players for click in player.clicked}
        assert everything >= {"grand", "pick", "give", "play", "cards", "pass", "auto-pass"}
        assert everything >= {"wish", "gift", "take-back", "wait", "tichu", "tichu-yes"}
        assert all(
            not player.can(Verb.PLAY, Verb.PASS, Verb.GIVE, Verb.GRAND) for player in players
        )
        await check_rematch(world, last, people[1])


@pytest.mark.parametrize("target", TARGETS)
async def test_one_person_plays_with_three_computers(tmp_path: Path, target: int) -> None:
    async with a_world(tmp_path, seed=7) as world:
        (ada,) = world.people("Ada")
        players = await seat_all(world, [ada], target=target)
        assert [chair.kind for chair in world.table().chairs] == ["person"] + ["computer"] * 3
        await begin_by_clicks(world, players, match_over, clicks=begun)
        last = await check_finished(world, ada)
        assert last.options.rules.target == target
        assert len(last.match.results) > 1
        await check_rematch(world, last, ada)


@pytest.mark.parametrize(
    "options",
    [
        {"direction": "clockwise", "target": 100},
        {"missed-wish": "penalty", "target": 150},
        {"target": 100, "bomb-window": 1.0, "turn-limit": 20, "fast-computers": True},
    ],
    ids=["clockwise", "penalty", "short"],
)
async def test_plays_with_unusual_options(tmp_path: Path, options: dict[str, Any]) -> None:
    async with a_world(tmp_path, seed=3) as world:
        people = world.people("Ada", "Ben")
        players = await seat_all(world, people, **options)
        await begin_by_clicks(world, players, match_over, clicks=begun)
        last = await check_finished(world, people[0])
        chosen = last.options.rules
        assert chosen.target == options["target"]
        assert chosen.direction == options.get("direction", "anticlockwise")
        assert chosen.wish_policy == options.get("missed-wish", "enforced")
        assert chosen.bomb_window_ms == 1000 * options.get("bomb-window", 2.0)
        step = -1 if chosen.direction == "clockwise" else 1
        order = last.round.seating.order
        assert all((b - a) % 4 == step % 4 for a, b in pairwise(order))
        await check_rematch(world, last, people[0])


async def test_plays_in_a_thread(tmp_path: Path) -> None:
    async with a_world(tmp_path, seed=4) as world:
        ada, ben = world.people("Ada", "Ben")
        result = await ada.slash("tichu new", thread=True, computers=2, target=100)
        (thread,) = world.channel.threads
        assert result.response is not None
        assert f"<#{thread.id}>" in result.response.content
        people = [Person(world.env, person.member, thread) for person in (ada, ben)]
        await world.join(people[1])
        await people[0].press(Verb.START)
        players = await open_hands(world, people)
        await begin_by_clicks(world, players, match_over, clicks=begun, channel=thread)
        last = await check_finished(world, people[0])
        assert (last.channel_id, last.parent_channel_id) == (thread.id, world.channel.id)
        # The channel only has Discord's own line about the new thread.
        assert [text(m) for m in messages(world.env, world.channel)] == [thread.name]
        assert shown(str(thread.name), "Ada", "Ben") == ["Ada"]
        await check_rematch(world, last, people[1])
        # Another table can be opened in the channel beside the thread.
        await ada.slash("tichu new")
        assert world.table().status == "lobby"


async def test_missed_wish_ends_the_round_with_the_penalty_option(tmp_path: Path) -> None:
    async with a_world(tmp_path) as world:
        world.chance.dealer = 0
        world.chance.deals = [{0: "MAHJONG J2 J3 J4 J6", 1: "J8 S8 P8 T8 SK PK TK JK"}]
        people = world.people("Ada", "Ben", "Cai", "Dan")
        players = await seat_all(world, people, target=100, **{"missed-wish": "penalty"})
        ada, ben, *_ = players
        for player in players:
            await player.press_with(Verb.GRAND, "no")
        await ada.pass_cards("J2", "J3", "J4")
        for player in players[1:]:
            await player.pass_cards()
        await ada.lay("MAHJONG")
        await ada.wish("8")
        await world.to_next_deadline()
        await ben.press(Verb.PASS)
        last = world.last_game()
        assert last.status == "finished"
        assert last.match.results[-1].penalty == 1
        assert last.match.totals == (200, 0)
        await check_finished(world, people[0])
