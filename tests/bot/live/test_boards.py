"""Boards and solo games: begun, resumed, stored before they are shown, counted until midnight."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from bot.board_records import SoloRound
from bot.boards.days import day_of
from bot.errors import Reason, Refused, Stale, WrittenElsewhere
from bot.ids import GuildId, TableId, UserId
from bot.live import boards as service
from bot.live import solo_games
from bot.storage import StorageUnavailable
from bot.table.commands import Act, Leave, PassTrick, VoteToStop
from bot.table.solo_game import SOLO_IDS, SoloGame, result_of
from bot.table.state import trick_id
from engine import AnswerGrand, Phase
from players.boards import PERSON, VERSION
from tests.bot.fake_time import settle
from tests.bot.solo_rounds import members, results
from tests.bot.solo_worlds import ANN, BEN, MIDNIGHT, SoloWorld, held
from tests.bot.states import GUILD

pytestmark = pytest.mark.usefixtures("one_thread")
DAY = timedelta(days=1)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[SoloWorld]:
    made = SoloWorld(tmp_path)
    await made.open()
    yield made
    await made.close()


@pytest.fixture
async def other(world: SoloWorld, tmp_path: Path) -> AsyncIterator[SoloWorld]:
    """Yield another process with the same database."""
    made = SoloWorld(tmp_path, seed=2)
    await made.open()
    yield made
    await made.close()


async def stored(world: SoloWorld, game: SoloGame) -> SoloRound:
    """Return the stored round of a game."""
    round_ = await world.store.boards.round(game.round_id)
    assert round_ is not None
    return round_


async def check_stored(world: SoloWorld, game: SoloGame) -> None:
    """Check that the stored actions lead to this state."""
    round_ = await stored(world, game)
    assert await world.tables.solo_games.restored(round_) == game
    assert len(round_.actions) == game.seq


# --- boards --------------------------------------------------------------------------------------


async def test_boards_of_the_next_days_are_drawn_once(world: SoloWorld, other: SoloWorld) -> None:
    boards = await asyncio.gather(*(each.tables.boards.today() for each in (world, other)))
    assert boards[0] == boards[1]
    assert boards[0].commitment == boards[1].commitment
    upcoming = await world.tables.boards.upcoming()
    assert [board.number for board in upcoming] == [2, 3, 4, 5, 6, 7, 8]
    assert len({board.secret for board in (boards[0], *upcoming)}) == 8
    world.time.jump(world.time.now() + 2 * DAY)
    assert await world.tables.boards.today() == upcoming[1]


async def test_numbers_of_boards_count_days_since_the_first(world: SoloWorld) -> None:
    first = await world.tables.boards.today()
    world.time.jump(world.time.now() + 100 * DAY)
    later = await world.tables.boards.today()
    assert (first.number, later.number) == (1, 101)
    assert first.day is not None
    assert later.day == first.day + 100 * DAY


async def test_boards_are_drawn_at_midnight_if_nobody_plays(world: SoloWorld) -> None:
    task = asyncio.create_task(world.tables.boards.keep_drawn())
    await world.tables.boards.today()
    await settle()
    first = day_of(world.time.now())
    await world.time.run(MIDNIGHT.total_seconds() + 1)
    while await world.tables.boards.of_day(first + 8 * DAY) is None:
        await asyncio.sleep(0)
    task.cancel()


async def test_deals_differ_and_are_those_of_their_commitment(world: SoloWorld) -> None:
    today, tomorrow = await world.tables.boards.today(), (await world.tables.boards.upcoming())[0]
    assert today.dealt() == today.dealt()
    assert today.dealt().round != tomorrow.dealt().round
    assert today.computer_seed != tomorrow.computer_seed
    assert today.secret not in repr(today)


# --- play ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", range(4))
async def test_each_state_is_one_in_which_the_person_decides(world: SoloWorld, style: int) -> None:
    game = await world.begin()
    while game.running:
        assert game.awaited_seats == (PERSON,)
        upcoming = game.situation(PERSON).upcoming
        assert upcoming.actions or (upcoming.gifts and upcoming.given is None)
        assert not game.timers.deadlines
        await check_stored(world, game)
        game = await world.choose(game, style)
    assert world.tables.find(game.id) is None
    round_ = await stored(world, game)
    assert round_.ended_at == world.time.now()
    result = result_of(game)
    assert result == (round_.points, round_.call, round_.call_made, round_.place)
    assert [each.id for each in await results(world.store, game.board_id)] == [round_.id]
    assert world.tables.solo_games.begun["daily"] == world.tables.solo_games.finished["daily"] == 1


async def test_equal_choices_give_equal_rounds(world: SoloWorld) -> None:
    games = [await world.finish(await world.begin(user), 3) for user in (ANN, BEN)]
    assert games[0].match == games[1].match


async def test_a_round_is_resumed_after_a_restart(world: SoloWorld) -> None:
    game = await world.choose(await world.choose(await world.begin()))
    await world.reopen()
    assert world.tables.find(game.id) is None
    assert await world.begin() == game
    await world.reopen()
    assert await world.tables.solo_games.load(game.id, ANN) == game
    assert await world.choose(game) != game


async def test_only_its_person_can_load_a_round(world: SoloWorld) -> None:
    game = await world.begin()
    assert await world.tables.solo_games.load(game.id, BEN) is None
    await world.reopen()
    assert await world.tables.solo_games.load(game.id, BEN) is None
    assert await world.tables.solo_games.load(TableId(SOLO_IDS + 99), ANN) is None
    with pytest.raises(Refused) as refused:
        await world.tables.execute(game.id, BEN, Act(AnswerGrand(PERSON, False), game.revision))
    assert refused.value.code is Reason.SOLO_ROUND_OVER


async def test_a_finished_round_cannot_be_played_again(world: SoloWorld) -> None:
    game = await world.finish(await world.begin())
    with pytest.raises(Refused) as refused:
        await world.begin()
    assert refused.value.code is Reason.SOLO_ROUND_OVER
    assert await world.tables.solo_games.load(game.id, ANN) is None


async def test_two_begins_at_once_are_one_round(world: SoloWorld, other: SoloWorld) -> None:
    games = await asyncio.gather(*(each.begin() for each in (world, world, other)))
    assert len({game.round_id for game in games}) == 1
    assert games[0] == games[1] == games[2]


async def test_other_commands_change_nothing(world: SoloWorld) -> None:
    game = await world.choose(await world.choose(await world.begin()))
    for command in (VoteToStop(moderator=True), Leave()):
        with suppress(Refused):
            await world.tables.execute(game.id, ANN, command)
        assert world.tables.find(game.id) == game
    await check_stored(world, game)


async def test_passing_a_trick_passes_once(world: SoloWorld) -> None:
    game = await world.begin()
    while game.phase is not Phase.TURN or game.round.turn != PERSON:
        game = await world.choose(game)
    command = PassTrick(PERSON, True, trick_id(game.round))
    after = await world.tables.execute(game.id, ANN, command)
    assert isinstance(after, SoloGame)
    assert not after.kept.auto_pass
    await check_stored(world, after)


# --- failures ------------------------------------------------------------------------------------


async def test_nothing_changes_while_workers_fail(world: SoloWorld) -> None:
    game = await world.begin()
    world.pool.fails = True
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await world.choose(game)
        assert refused.value.code is Reason.BUSY
    assert world.tables.find(game.id) == game
    await check_stored(world, game)
    world.pool.fails = False
    await world.choose(game)


async def test_without_workers_no_round_begins(world: SoloWorld) -> None:
    world.pool.size = 0
    with pytest.raises(Refused) as refused:
        await world.begin()
    assert refused.value.code is Reason.COMPUTERS_NOT_READY
    world.pool = None  # type: ignore[assignment]
    await world.reopen()
    with pytest.raises(Refused) as refused:
        await world.begin()
    assert refused.value.code is Reason.NO_SOLO_ROUNDS


async def test_a_failed_write_changes_nothing(
    world: SoloWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await world.begin()

    async def fail(*_: object) -> bool:
        raise StorageUnavailable("no disk")

    with monkeypatch.context() as patched:
        patched.setattr(world.store.boards, "go_on", fail)
        with pytest.raises(StorageUnavailable):
            await world.choose(game)
    assert world.tables.find(game.id) == game
    assert await world.choose(game) != game


async def test_a_second_click_is_stale(world: SoloWorld) -> None:
    game = await world.begin()
    answers = await asyncio.gather(*(world.choose(game) for _ in range(2)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [SoloGame, Stale]


async def test_a_move_of_another_process_is_not_lost(world: SoloWorld, other: SoloWorld) -> None:
    game = await world.begin()
    assert await other.begin() == game
    after = await world.choose(game)
    with pytest.raises(WrittenElsewhere):
        await other.choose(game)
    assert other.tables.find(game.id) == after
    assert isinstance(other.heard.news[-1].after, SoloGame), "the open hand is refreshed"
    later = await other.choose(after)
    await check_stored(world, later)
    assert await world.begin() == later, "the newer state is read"


async def test_a_round_that_ended_elsewhere_is_dropped(world: SoloWorld, other: SoloWorld) -> None:
    game = await world.begin()
    await other.begin()
    await other.finish(game)
    with pytest.raises(WrittenElsewhere):
        await world.choose(game)
    assert world.tables.find(game.id) is None


async def test_people_who_do_not_come_back_are_dropped_from_memory(world: SoloWorld) -> None:
    game = await world.begin()
    world.time.jump(world.time.now() + timedelta(minutes=59))
    await world.begin(BEN)
    assert world.tables.find(game.id) == game
    world.time.jump(world.time.now() + timedelta(minutes=2))
    await world.begin(UserId(103))
    assert world.tables.find(game.id) is None
    assert await world.tables.solo_games.load(game.id, ANN) == game


# --- days ----------------------------------------------------------------------------------------


async def test_a_round_that_ends_after_midnight_is_practice(world: SoloWorld) -> None:
    game = await world.choose(await world.begin())
    world.time.jump(world.time.now() + MIDNIGHT)
    assert not game.practice
    game = await world.choose(game)
    assert game.practice
    assert (await stored(world, game)).practice
    game = await world.finish(game)
    assert not await results(world.store, game.board_id)


async def test_a_round_that_ends_before_midnight_counts(world: SoloWorld) -> None:
    game = await world.begin()
    world.time.jump(world.time.now() + MIDNIGHT - timedelta(microseconds=1))
    game = await world.finish(game)
    assert not game.practice
    assert await results(world.store, game.board_id)


async def test_the_answer_to_a_choice_may_come_after_midnight(world: SoloWorld) -> None:
    game = await world.begin()
    with held(world.pool) as waiting:
        choosing = asyncio.create_task(world.choose(game))
        while not waiting:
            await asyncio.sleep(0)
        world.time.jump(world.time.now() + MIDNIGHT)
        waiting.pop()()
        assert (await choosing).practice


async def test_no_round_begins_if_the_first_answer_comes_after_midnight(world: SoloWorld) -> None:
    await world.tables.boards.today()
    with held(world.pool) as waiting:
        beginning = asyncio.create_task(world.begin())
        while not waiting:
            await asyncio.sleep(0)
        world.time.jump(world.time.now() + MIDNIGHT)
        waiting.pop()()
        with pytest.raises(Refused) as refused:
            await beginning
    assert refused.value.code is Reason.DAILY_OVER


async def test_yesterdays_deal_is_practised_any_number_of_times(world: SoloWorld) -> None:
    board = await world.tables.boards.today()
    counted = await world.finish(await world.begin())
    with pytest.raises(Refused) as refused:
        await world.begin(practice=True, board=board)
    assert refused.value.code is Reason.DAILY_OVER
    world.time.jump(world.time.now() + MIDNIGHT)
    first = await world.begin(practice=True, board=board)
    assert first.practice
    assert await world.begin(practice=True, board=board) == first
    await world.finish(first, 2)
    again = await world.begin(practice=True, board=board)
    assert again.id != first.id
    assert again.phase is Phase.GRAND
    assert [each.id for each in await results(world.store, board.id)] == [counted.round_id]
    with pytest.raises(Refused) as refused:
        await world.begin(BEN, board)
    assert refused.value.code is Reason.DAILY_OVER
    world.time.jump(world.time.now() + DAY)
    with pytest.raises(Refused) as refused:
        await world.begin(BEN, board, practice=True)
    assert refused.value.code is Reason.DAILY_OVER


async def test_practice_resumes_a_round_that_was_left(world: SoloWorld) -> None:
    board = await world.tables.boards.today()
    game = await world.choose(await world.begin())
    world.time.jump(world.time.now() + MIDNIGHT)
    assert await world.begin(practice=True, board=board) == game
    game = await world.choose(game)
    assert await world.begin(practice=True, board=board) == game


async def test_a_secret_is_known_when_its_day_is_over(world: SoloWorld) -> None:
    boards = world.tables.boards
    board = await boards.today()
    await world.finish(await world.begin())
    assert not boards.is_over(board)
    world.time.jump(world.time.now() + MIDNIGHT)
    assert boards.is_over(board)
    assert not boards.is_over(await boards.today())


# --- versions ------------------------------------------------------------------------------------


async def test_updated_computers_begin_with_the_next_board(
    world: SoloWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await world.begin()
    assert (await world.tables.boards.today()).version == VERSION
    for module in (service, solo_games):
        monkeypatch.setattr(module, "VERSION", VERSION + 1)
    await world.reopen()
    for user in (ANN, BEN):
        with pytest.raises(Refused) as refused:
            await world.begin(user)
        assert refused.value.code is Reason.COMPUTERS_UPDATED
    with pytest.raises(Refused) as refused:
        await world.tables.solo_games.load(game.id, ANN)
    assert refused.value.code is Reason.COMPUTERS_UPDATED
    world.time.jump(world.time.now() + MIDNIGHT)
    await world.begin()
    assert (await world.tables.boards.today()).version == VERSION + 1


# --- people and servers --------------------------------------------------------------------------


async def test_servers_of_people_are_noted(world: SoloWorld) -> None:
    await world.tables.boards.note_server(GUILD, ANN)
    await world.tables.boards.note_server(GUILD, ANN)
    await world.tables.boards.note_server(GuildId(9), BEN)
    assert await members(world.store, GUILD) == {ANN}


async def test_an_erased_person_loses_their_rounds(world: SoloWorld) -> None:
    await world.tables.boards.note_server(GUILD, ANN)
    game, others = await world.begin(), await world.begin(BEN)
    with held(world.pool) as waiting:
        choosing = asyncio.create_task(world.choose(game))
        while not waiting:
            await asyncio.sleep(0)
        assert await world.tables.forgetting.forget(ANN)
        waiting.pop()()
        with pytest.raises(WrittenElsewhere):
            await choosing
    assert world.tables.find(game.id) is None
    assert await world.store.boards.rounds_of(ANN) == ()
    assert await members(world.store, GUILD) == set()
    assert not await world.tables.forgetting.forget(ANN), "nothing is left"
    await world.finish(others)
    assert len(await results(world.store, game.board_id)) == 1


async def test_no_round_begins_for_a_person_who_is_erased_before_the_first_answer(
    world: SoloWorld,
) -> None:
    await world.tables.boards.note_server(GUILD, ANN)
    board = await world.tables.boards.today()
    with held(world.pool) as waiting:
        beginning = asyncio.create_task(world.begin())
        while not waiting:
            await asyncio.sleep(0)
        assert await world.tables.forgetting.forget(ANN)
        waiting.pop()()
        with pytest.raises(Refused) as refused:
            await beginning
    assert refused.value.code is Reason.BEING_FORGOTTEN
    assert await world.store.boards.own_round(board.id, ANN, practice=False) is None


async def test_another_process_drops_the_games_of_erased_people(
    world: SoloWorld, other: SoloWorld
) -> None:
    game = await world.begin()
    await other.begin()
    await world.tables.forgetting.forget(ANN)
    await other.tables.forgetting.follow()
    assert other.tables.find(game.id) is None


# --- the Expert ----------------------------------------------------------------------------------


async def test_the_expert_plays_a_board_after_its_first_round(world: SoloWorld) -> None:
    boards = world.tables.boards
    game = await world.begin()
    assert (await boards.today()).expert is None
    await world.finish(game)
    while (result := await boards.expert(game.board_id)) is None:
        await asyncio.sleep(0)
    assert (await boards.today()).expert == result
    begun = world.pool.asked.count("solo_expert_action")
    await world.finish(await world.begin(BEN))
    await settle()
    assert world.pool.asked.count("solo_expert_action") == begun > 5
