"""Database of the program before table states were typed: all of its tables are playable."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import pytest

from bot.errors import Refused
from bot.history.rebuild import needs_rebuild
from bot.ids import ChannelId, UserId
from bot.score_records import EVER, Board, Preferences
from bot.storage.ended_matches import EndedQuery, Sight
from bot.table.action_log import read_deal
from bot.table.commands import (
    AcceptSeat,
    Act,
    ComeBack,
    Fill,
    OfferSeat,
    Pause,
    Start,
    VoteToStop,
)
from bot.table.state import Game, OpenTable, seats_to_act
from engine import WINDOW_PHASES, Phase, legal_actions, view, write_play
from engine.fair_deal import FairDeal
from tests.bot.asking import played
from tests.bot.games import plain_brain
from tests.bot.old_database import KNOWN, OPEN, place_updated_database
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld
from tests.campaign import SOAK, sample

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.sqlite("old databases are files"),
]

GAMES = ("nanjing", "trichu", "tientsin", "grandseigneur")
NEWCOMER = UserId(777)
PLAIN = plain_brain(1)


@asynccontextmanager
async def reopened(folder: Path, names: Iterable[str]) -> AsyncIterator[TableWorld]:
    """Open a copy of the database in which only these tables are open."""
    world = TableWorld(folder, limit=1000)
    await place_updated_database(world.file, names)
    world.time.jump(datetime.fromisoformat(KNOWN["now"]))
    await world.open()
    try:
        yield world
    finally:
        await world.close()


def of_all_games(kind: str) -> list[str]:
    """Return the tables of one kind, such as ``votes``, in every game that has one."""
    return [name for name in OPEN if name.partition("/")[2] == kind]


def table(world: TableWorld, name: str) -> OpenTable:
    """Return the open table with this name."""
    return world.tables.get(OPEN[name]["id"])


def game(world: TableWorld, name: str) -> Game:
    """Return the open game with this name."""
    return world.game(OPEN[name]["id"])


def how_it_stands(at: OpenTable) -> dict[str, object]:
    """Return the state of a table in the form of the expectations file."""
    found: dict[str, object] = {"id": at.id, "status": at.status, "seq": 0}
    if isinstance(at, Game):
        found["seq"] = at.seq
        found |= {"phase": at.phase.value, "round": at.round.number, "turn": at.round.turn}
        found["hands"] = [write_play(hand.cards, None) for hand in at.round.hands]
    return found


async def act(world: TableWorld, at: Game, seat: int) -> None:
    """Let the decider of this seat act as the plain computer player would."""
    user = at.chairs[at.decider(seat)].user_id
    assert user is not None
    action = PLAIN(view(at.match, seat)) or next(iter(legal_actions(at.match, seat)))
    await world.tables.execute(at.id, user, Act(action, at.revision))


async def move_on(world: TableWorld, at: Game) -> bool:
    """Let one awaited person at this table act; return whether there was one."""
    if at.phase in (*WINDOW_PHASES, Phase.ROUND_END):
        return False
    for seat in seats_to_act(at.match):
        if at.chairs[at.decider(seat)].kind == "person":
            await act(world, at, seat)
            return True
    return False


async def play_on(world: TableWorld, names: Iterable[str]) -> None:
    """Play at all these tables until the round or the match is over."""
    numbers = {OPEN[name]["id"]: OPEN[name].get("round", 1) for name in names}

    def playing() -> list[Game]:
        found = [at for at in world.tables.all() if at.id in numbers and isinstance(at, Game)]
        return [at for at in found if len(at.match.results) < numbers[at.id]]

    for _ in range(2000):
        tables = playing()
        if not tables:
            return
        if not any(await asyncio.gather(*(move_on(world, at) for at in tables))):
            await world.run(1.05)
    raise AssertionError(f"these tables got stuck: {[at.id for at in playing()]}")


async def deals(world: TableWorld, name: str) -> list[FairDeal]:
    """Return the stored deals of a table that were made from a secret."""
    actions = await world.store.tables.actions(OPEN[name]["id"])
    texts = (action.text for action in actions if action.text.startswith("deal:"))
    found = [read_deal(text.removeprefix("deal:")) for text in texts]
    return [dealt for dealt in found if isinstance(dealt, FairDeal)]


async def test_every_table_is_restored_unchanged(tmp_path: Path) -> None:
    async with reopened(tmp_path, OPEN) as world:
        stands = {name: how_it_stands(table(world, name)) for name in OPEN}
        assert stands == {
            name: {key: stood[key] for key in stands[name]} for name, stood in OPEN.items()
        }


def in_a_round() -> list[str]:
    """Return tables with a match: all in a campaign, else one of each of some kinds."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for name, stood in OPEN.items():
        if "round" in stood:
            kinds[name.partition("/")[2]].append(name)
    if SOAK:
        return [name for names in kinds.values() for name in names]
    return [names[number % len(names)] for number, names in enumerate(sample(kinds.values(), 6))]


async def test_every_table_plays_to_the_end_of_its_round(tmp_path: Path) -> None:
    names = in_a_round()
    assert {name.partition("/")[0] for name in names} == set(GAMES)
    async with reopened(tmp_path, names) as world:
        await play_on(world, names)
        for name in names:
            stored = await world.store.history.rounds(OPEN[name]["id"])
            assert len(stored) == OPEN[name]["round"], name


async def test_lobby_starts_with_its_shuffle_words(
    tmp_path: Path,
) -> None:
    names = of_all_games("lobby")
    async with reopened(tmp_path, names) as world:
        for name in names:
            at = table(world, name)
            await world.tables.execute(at.id, HOST, Fill())
            await world.tables.execute(at.id, HOST, Start())
            (dealt,) = await deals(world, name)
            assert "abracadabra" in repr(dealt.words), name


async def test_shuffle_word_in_a_round_applies_to_the_next_deal(tmp_path: Path) -> None:
    name = "nanjing/grand"
    async with reopened(tmp_path, [name]) as world:
        await play_on(world, [name])
        while game(world, name).phase is Phase.ROUND_END:
            await world.run(5)
        said = ["hocus pocus" in repr(dealt.words) for dealt in await deals(world, name)]
        assert said == [False, True]


async def test_premove_is_played_when_the_window_closes(tmp_path: Path) -> None:
    names = of_all_games("premove")
    async with reopened(tmp_path, names) as world:
        await world.run(2)
        for name in names:
            ((seat, text),) = OPEN[name]["premoves"].items()
            at = game(world, name)
            new = (await world.store.tables.actions(at.id, OPEN[name]["seq"]))[:2]
            assert new[0].text == "close"
            assert (new[1].seat, new[1].text) == (int(seat), text)
            assert new[1].actor_id == at.chairs[at.decider(int(seat))].user_id


async def test_passing_the_trick_stays_chosen(tmp_path: Path) -> None:
    names = of_all_games("auto-pass")
    async with reopened(tmp_path, names) as world:
        for name in names:
            at = game(world, name)
            await act(world, at, at.round.turn)
        await world.run(2)
        for name in names:
            new = await world.store.tables.actions(OPEN[name]["id"], OPEN[name]["seq"] + 1)
            passes = [action for action in new if action.text == "pass"]
            assert passes, name
            assert {action.seat for action in passes} <= set(OPEN[name]["auto_pass"])


async def test_offered_seat_can_be_accepted(tmp_path: Path) -> None:
    names = of_all_games("offer")
    async with reopened(tmp_path, names) as world:
        for name in names:
            ((seat, member),) = OPEN[name]["offers"].items()
            at = await world.tables.execute(OPEN[name]["id"], member, AcceptSeat("Eve", int(seat)))
            assert at.seat_of(NEWCOMER) == int(seat)


async def test_somebody_who_left_cannot_return_in_the_same_round(tmp_path: Path) -> None:
    names = of_all_games("left")
    async with reopened(tmp_path, names) as world:
        for name in names:
            at = table(world, name)
            await world.tables.execute(at.id, HOST, OfferSeat(UserId(HOST + 1), "Ben"))
            with pytest.raises(Refused) as refused:
                await world.tables.execute(at.id, UserId(HOST + 1), AcceptSeat("Ben", 0))
            assert refused.value.code == "left-this-round"


async def test_stored_votes_count(tmp_path: Path) -> None:
    """One more vote decides."""
    names = of_all_games("votes")
    async with reopened(tmp_path, names) as world:
        for name in names:
            voter = max(OPEN[name]["votes"]) + 1
            at = await world.tables.execute(OPEN[name]["id"], voter, VoteToStop(moderator=False))
            decided = "playing" if at.options.game.open_ended(at.options.rules) else "stopped"
            assert at.status == decided, name


async def test_voted_last_round_ends_the_match(tmp_path: Path) -> None:
    (name,) = names = of_all_games("last-round")
    async with reopened(tmp_path, names) as world:
        await play_on(world, names)
        assert world.tables.find(OPEN[name]["id"]) is None
        match = await world.store.history.match(OPEN[name]["id"])
        assert match is not None
        assert (match.reason, match.rounds) == ("finished", 1)


async def test_vote_in_an_open_ended_match_makes_this_round_the_last(tmp_path: Path) -> None:
    name = "grandseigneur/votes"
    async with reopened(tmp_path, [name]) as world:
        await world.tables.execute(OPEN[name]["id"], UserId(HOST + 2), VoteToStop(moderator=False))
        await play_on(world, [name])
        assert await world.store.history.match(OPEN[name]["id"]) is not None


async def test_pause_between_rounds_lasts_until_it_is_lifted(tmp_path: Path) -> None:
    names = of_all_games("paused")
    async with reopened(tmp_path, names) as world:
        await world.run(600)
        assert {game(world, name).phase for name in names} == {Phase.ROUND_END}
        for name in names:
            await world.tables.execute(OPEN[name]["id"], HOST, Pause(False))
        await world.run(6)
        for name in names:
            at = game(world, name)
            assert at.round.number == 2, name


async def test_clock_deals_the_next_round(tmp_path: Path) -> None:
    names = of_all_games("between")
    async with reopened(tmp_path, names) as world:
        await world.run(31)
        for name in names:
            at = game(world, name)
            assert at.round.number == 2, name


async def test_absent_player_is_played_for_until_they_return(tmp_path: Path) -> None:
    names = of_all_games("away")
    async with reopened(tmp_path, names) as world:
        for name in names:
            (seat,) = OPEN[name]["away"]
            at = game(world, name)
            assert at.computer(seat), name
            user = at.chairs[seat].user_id
            assert user is not None
            at = played(await world.tables.execute(at.id, user, ComeBack()))
            assert not at.computer(seat), name


async def test_leaderboards_settings_and_results_are_kept(tmp_path: Path) -> None:
    async with reopened(tmp_path, []) as world:
        store = world.store
        found = await store.rankings.leaders(Board(GUILD, "nanjing", EVER, "rating"), 0, 10)
        board = [
            {"user": at.user_id, "name": at.name, "value": pytest.approx(at.value)}
            for at in found.lines
        ]
        assert board == KNOWN["board"]
        assert len(board) == 2
        assert await store.preferences.get(HOST) == Preferences(worldwide=True)
        assert await store.preferences.get(UserId(HOST + 2)) == Preferences(hidden=True)
        assert await store.monthly_rankings.channel(GUILD) == 4242
        over = [stood["id"] for stood in KNOWN["tables"].values() if stood["status"] == "over"]
        sight = Sight(HOST, frozenset([*map(ChannelId, range(1, 1000))]), frozenset())
        assert set(await store.history.ended(EndedQuery(GUILD, sight))) >= set(over)
        assert not await needs_rebuild(store)
