"""Tables of Trichu, Tientsin and Grand Seigneur: two hands, many chairs, votes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import pytest

from bot.errors import Refused, Stale
from bot.ids import ChannelId, Revision, TableId, UserId
from bot.table.commands import (
    Act,
    Join,
    LeaveToComputer,
    Pause,
    Shuffle,
    Start,
    SwapSeats,
    VoteToStop,
)
from bot.table.lobby import LobbyPlan, new_chairs, rematch_setup
from bot.table.options import TableOptions
from bot.table.restore import restore_outline
from bot.table.state import Game, OpenTable
from engine import (
    PLAY_PHASES,
    Action,
    AnswerGrand,
    CallTichu,
    IllegalAction,
    Pass,
    PassCards,
    Phase,
    Play,
    legal_actions,
    legal_plays,
)
from tests.bot import asking
from tests.bot.asking import bomb, pass_this_trick, played, take_back
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld, quick

pytestmark = pytest.mark.usefixtures("one_thread")

DEALER, NEXT, OTHER = HOST, HOST + 1, HOST + 2
TRICHU = quick("trichu", first_dealer=0)
PATIENT_TRICHU = TRICHU.model_copy(update={"turn_limit_s": 100, "nudge_s": 70})
OPEN = quick("grandseigneur", rounds=None)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def refusal(work: Awaitable[object]) -> str:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.code


def gifts_of(at: Game, seat: int) -> PassCards:
    """Return the first cards that this seat may pass."""
    return PassCards(seat, next(at.match.variant.possible_gifts(at.round, seat)))


async def act(world: TableWorld, at: Game, user: UserId, action: Action) -> Game:
    """Act for this person with the hand that the action is for."""
    return await asking.act(world.tables, at.id, user, at.revision, lambda _: action, action.seat)


async def do(world: TableWorld, at: Game, user: UserId, action: Action) -> Game:
    """Act without a revision, as a button that does not depend on the cards on the table."""
    return played(await world.tables.execute(at.id, user, Act(action)))


async def exchange_of_trichu(
    world: TableWorld, people: int = 3, options: TableOptions = TRICHU
) -> Game:
    """Start a match of Trichu in its exchange: seat 0 deals, nobody has called."""
    at = await world.match(ChannelId(1), people, options=options)
    for user in (NEXT, OTHER)[: people - 1]:
        at = await act(world, at, UserId(user), AnswerGrand(user - HOST, False))
    assert at.phase is Phase.EXCHANGE
    return at


async def until(world: TableWorld, table_id: TableId, *phases: Phase) -> Game:
    """Let time pass until a table is in one of these phases."""
    for _ in range(3000):
        if world.game(table_id).phase in phases:
            break
        await world.resume(table_id)
        await world.run(1)
    at = world.game(table_id)
    assert at.phase in phases
    return at


# --- Trichu ----------------------------------------------------------------------------------


async def test_dealer_alone_passes_cards_from_both_hands(
    world: TableWorld,
) -> None:
    at = await exchange_of_trichu(world)
    tables = world.tables
    for user in (NEXT, OTHER):
        for action in (gifts_of(at, 3), CallTichu(3), CallTichu(0)):
            assert await refusal(act(world, at, UserId(user), action)) == "not-your-hand"
            assert await refusal(do(world, at, UserId(user), action)) == "not-your-hand"
        assert await refusal(bomb(tables, at.id, UserId(user), "1.0.0", 15, 3)) == "not-your-hand"
        assert (
            await refusal(take_back(tables, at.id, UserId(user), at.revision, 3)) == "not-your-hand"
        )
        assert (
            await refusal(pass_this_trick(tables, at.id, UserId(user), "1.0", True, 3))
            == "not-your-hand"
        )
    assert await refusal(do(world, at, DEALER, CallTichu(1))) == "not-your-hand"
    assert tables.get(at.id) == at
    await act(world, at, DEALER, gifts_of(at, 0))
    after = await act(world, at, DEALER, gifts_of(at, 3))
    given = after.round.opening.given
    assert [gifts is not None for gifts in given] == [True, False, False, True]
    actions = await world.store.tables.actions(at.id)
    assert [(a.seat, a.actor_id) for a in actions[-2:]] == [(0, DEALER), (3, DEALER)]
    await world.check_stored(at.id)


async def test_refuses_a_stale_button_for_the_table_seat(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    with pytest.raises(Stale):
        await world.tables.execute(at.id, DEALER, Act(CallTichu(3), Revision(at.revision + 1)))


async def test_table_seat_calls_for_itself(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    at = await do(world, at, DEALER, CallTichu(3))
    assert [call is not None for call in at.round.calls] == [False, False, False, True]
    with pytest.raises(IllegalAction) as refused:
        await do(world, at, DEALER, CallTichu(3))
    assert refused.value.code == "already-called"


async def test_dealer_has_no_grand_tichu(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), options=TRICHU)
    for seat in (0, 3):
        with pytest.raises(IllegalAction) as refused:
            await do(world, at, DEALER, AnswerGrand(seat, True))
        assert refused.value.code == "no-grand-for-dealer"


async def test_turn_limit_plays_for_both_hands(world: TableWorld) -> None:
    at = await exchange_of_trichu(world, options=PATIENT_TRICHU)
    for user in (NEXT, OTHER):
        at = await act(world, at, UserId(user), gifts_of(at, user - HOST))
    await world.run(70.1)
    assert world.heard.nudges == [(at.id, (DEALER,))]
    await world.run(130)
    assert world.game(at.id).phase is Phase.LEAD
    texts = [(a.seat, a.text.split(":")[0]) for a in await world.store.tables.actions(at.id)]
    assert texts[-2:] == [(0, "pass-cards"), (3, "pass-cards")]
    await world.check_stored(at.id)


async def on_turn(world: TableWorld, at: Game, seat: int) -> Game:
    """Play the lowest card or pass until it is this seat's turn."""
    for _ in range(200):
        at = world.game(at.id)
        if at.phase in (Phase.LEAD, Phase.TURN) and at.round.turn == seat:
            return at
        if at.phase not in (Phase.LEAD, Phase.TURN):
            await world.run(1)
            continue
        mover = at.round.turn
        action = simple(at, mover)
        user = at.chairs[at.decider(mover)].user_id
        assert user is not None
        await act(world, at, user, action)
    raise AssertionError("it never was their turn")


def simple(at: Game, seat: int) -> Action:
    """Return a pass if possible, else some play."""
    actions = list(legal_actions(at.match, seat))
    if Pass(seat) in actions:
        return Pass(seat)
    return next(action for action in actions if isinstance(action, Play))


async def test_dealer_is_nudged_and_plays_for_the_table_seat(world: TableWorld) -> None:
    at = await exchange_of_trichu(world, options=PATIENT_TRICHU)
    for user, seat in ((DEALER, 0), (DEALER, 3), (NEXT, 1), (OTHER, 2)):
        await act(world, at, UserId(user), gifts_of(at, seat))
    at = await on_turn(world, at, 3)
    world.heard.nudges.clear()
    await world.run(70.1)
    assert world.heard.nudges == [(at.id, (DEALER,))]
    at = world.game(at.id)
    for user in (NEXT, OTHER):
        refused = await refusal(act(world, at, UserId(user), Pass(3)))
        assert refused == "not-your-hand"
    with pytest.raises(IllegalAction) as illegal:
        await act(world, at, DEALER, Pass(0))
    assert illegal.value.code == "not-your-turn", "their own hand is not asked"
    await act(world, at, DEALER, simple(at, 3))
    last = (await world.store.tables.actions(at.id))[-1]
    assert (last.seat, last.actor_id) == (3, DEALER)
    await world.check_stored(at.id)


@pytest.mark.slow
async def test_table_seat_changes_its_dealer_with_the_round(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), options=TRICHU)
    assert [at.seats_of_chair(chair) for chair in range(3)] == [(0, 3), (1,), (2,)]
    await until(world, at.id, Phase.ROUND_END)
    await world.all_back(at.id)
    at = await until(world, at.id, Phase.GRAND)
    assert at.round.dealer == 2, "against turn order"
    assert [at.seats_of_chair(chair) for chair in range(3)] == [(0,), (1,), (2, 3)]
    refused = await refusal(do(world, at, DEALER, CallTichu(3)))
    assert refused == "not-your-hand"


async def test_computer_dealer_plays_both_hands(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), 2, options=quick("trichu", first_dealer=2))
    assert [at.computer(seat) for seat in range(4)] == [False, False, True, True]
    await until(world, at.id, Phase.ROUND_END)
    acted = {(a.seat, a.actor_id) for a in await world.store.tables.actions(at.id)}
    assert {seat for seat, _ in acted} == {-1, 0, 1, 2, 3}
    assert {user for _, user in acted} == {None}


@pytest.mark.parametrize("phase", [Phase.EXCHANGE, Phase.TURN])
async def test_dealer_who_leaves_hands_both_hands_to_a_computer(
    world: TableWorld, phase: Phase
) -> None:
    at = await exchange_of_trichu(world)
    if phase is Phase.TURN:
        await until(world, at.id, *PLAY_PHASES)
        at = await on_turn(world, await world.all_back(at.id), 3)
    at = played(await world.tables.execute(at.id, DEALER, LeaveToComputer()))
    assert [at.computer(seat) for seat in range(4)] == [True, False, False, True]
    if phase is Phase.EXCHANGE:
        await world.run(0.5)
        given = world.game(at.id).round.opening.given
        assert [gifts is not None for gifts in given] == [True, False, False, True]
    else:
        assert set(at.timers.deadlines) == {"think"}
        before = at.seq
        await world.run(0.5)
        acted = (await world.store.tables.actions(at.id))[before]
        assert (acted.seat, acted.actor_id) == (3, None)
    await world.check_stored(at.id)
    assert await refusal(do(world, at, DEALER, Pass(3))) == "not-seated"


async def test_kept_choice_for_the_table_seat_goes_with_its_dealer(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    await until(world, at.id, *PLAY_PHASES)
    at = await world.all_back(at.id)
    for _ in range(400):
        at = world.game(at.id)
        if at.phase is Phase.WINDOW and at.round.turn == 3:
            break
        if at.phase in (Phase.LEAD, Phase.TURN):
            mover = at.round.turn
            plays = sorted(legal_plays(at.match, mover), key=lambda play: play.key)
            action = Play(mover, plays[0].cards, plays[0].phoenix) if plays else Pass(mover)
            user = at.chairs[at.decider(mover)].user_id
            assert user is not None
            await act(world, at, user, action)
        else:
            await world.run(0.5)
    assert at.round.turn == 3
    at = await act(world, at, DEALER, Pass(3))
    assert at.kept.premoves == {3: Pass(3)}
    await world.check_stored(at.id)
    at = played(await world.tables.execute(at.id, DEALER, LeaveToComputer()))
    assert at.kept.premoves == {}
    await world.check_stored(at.id)


# --- Grand Seigneur --------------------------------------------------------------------------


@pytest.mark.parametrize("players", [5, 8, 12])
async def test_lobby_of_twelve_chairs_starts_with_those_seated(
    world: TableWorld, players: int
) -> None:
    lobby = await world.tables.create(
        LobbyPlan(GUILD, ChannelId(1), HOST, OPEN, new_chairs(OPEN, HOST, "Ada"))
    )
    assert len(lobby.chairs) == 12
    assert await refusal(world.tables.execute(lobby.id, HOST, Start())) == "too-few-players"
    for number in range(1, players):
        await world.tables.execute(lobby.id, UserId(HOST + number), Join(f"P{number}"))
        await world.tables.execute(lobby.id, UserId(HOST + number), Shuffle(f"word {number}"))
    if players < 12:
        revision = world.tables.get(lobby.id).revision
        await world.tables.execute(lobby.id, HOST, SwapSeats(0, 11, revision))
    await world.check_stored(lobby.id)
    at = played(await world.tables.execute(lobby.id, HOST, Start()))
    assert [chair.seat for chair in at.chairs] == list(range(players))
    assert at.options.rules.players == players == len(at.round.hands)
    assert at.seat_of(HOST) == (players - 1 if players < 12 else 0)
    assert at.chairs[at.seat_of(UserId(HOST + 1)) or 0].name == "P1"
    await world.check_stored(at.id)
    (again,) = await world.reopen()
    assert again == world.tables.get(at.id)


@pytest.mark.slow
async def test_a_rematch_has_all_chairs_again(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), 2, players=6, options=quick("grandseigneur", rounds=1))
    for _ in range(3000):
        if world.tables.find(at.id) is None:
            break
        await world.run(5)
    record = await world.store.tables.get(at.id)
    assert record is not None
    assert (record.status, len(record.seats)) == ("finished", 6)
    match = await world.store.history.match(at.id)
    assert match is not None
    assert (match.reason, match.rounds, match.scores) == ("finished", 1, ())
    assert sum(seat.won for seat in match.seats) == 1
    old = restore_outline(record)
    options, chairs = rematch_setup(old)
    again = await world.tables.create(LobbyPlan(GUILD, ChannelId(1), HOST, options, chairs))
    assert (len(again.chairs), again.chairs[:6]) == (12, old.chairs)
    await world.tables.execute(again.id, UserId(HOST + 6), Join("Gina"))
    started = await world.tables.execute(again.id, HOST, Start())
    assert (len(started.chairs), started.options.rules.players) == (7, 7)
    await world.check_stored(again.id)


async def vote(world: TableWorld, table_id: TableId, *users: int) -> OpenTable | None:
    for user in users:
        await world.tables.execute(table_id, UserId(user), VoteToStop(moderator=False))
    return world.tables.find(table_id)


@pytest.mark.slow
async def test_vote_within_a_round_ends_an_open_ended_match(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), 3, players=5, options=OPEN)
    at = await until(world, at.id, *PLAY_PHASES)
    voted = played(await vote(world, at.id, HOST, HOST + 1))
    assert (voted.running, voted.last_round, voted.notes.votes) == (True, True, ())
    await world.check_stored(at.id)
    (again,) = map(played, await world.reopen())
    assert again.last_round
    await finished_with_winners(world, at.id, rounds=1)


async def finished_with_winners(world: TableWorld, table_id: TableId, rounds: int) -> None:
    """Check that the match ends after `rounds` rounds with the Great Lord as winner."""
    for _ in range(3000):
        if world.tables.find(table_id) is None:
            break
        await world.run(1)
    record = await world.store.tables.get(table_id)
    assert record is not None
    assert record.status == "finished"
    match = await world.store.history.match(table_id)
    assert match is not None
    assert (match.variant, match.reason, match.rounds) == ("grandseigneur", "finished", rounds)
    stored = await world.store.history.rounds(table_id)
    first = next(seat.seat for seat in stored[-1].seats if seat.place == 1)
    assert [seat.seat for seat in match.seats if seat.won] == [first]
    assert match.scores == ()
    assert len(stored) == rounds
    assert played(world.heard.news[-1].after).match.winners == (first,)
    assert world.time.alarms == []


@pytest.mark.slow
async def test_vote_between_rounds_ends_an_open_ended_match(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), 3, players=5, options=OPEN)
    await until(world, at.id, Phase.ROUND_END)
    await world.tables.execute(at.id, HOST, Pause(True))
    assert (await vote(world, at.id, HOST + 2)) is not None
    await world.check_stored(at.id)
    assert await vote(world, at.id, HOST) is None
    await finished_with_winners(world, at.id, rounds=1)


async def test_second_vote_in_the_last_round_stops_it_without_a_result(
    world: TableWorld,
) -> None:
    at = await world.match(ChannelId(1), 3, players=5, options=OPEN)
    assert await vote(world, at.id, HOST, HOST + 1) is not None
    assert await vote(world, at.id, HOST, HOST + 2) is None
    match = await world.store.history.match(at.id)
    assert match is not None
    assert (match.reason, match.rounds) == ("stopped", 0)
    assert not any(seat.won for seat in match.seats)


async def test_moderator_stops_an_open_ended_match_at_once(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), 3, players=5, options=OPEN)
    stopped = await world.tables.execute(at.id, UserId(999), VoteToStop(moderator=True))
    assert stopped.status == "stopped"
