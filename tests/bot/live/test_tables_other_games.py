"""Tables of Trichu, Tientsin and Grand Seigneur on a real store: two hands, many chairs, votes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import pytest

from bot.errors import Refused, Stale
from bot.table.lobby import free_again
from bot.table.restore import restored
from bot.table.state import TableOptions, TableState
from engine.actions import Action, AnswerGrand, CallTichu, Pass, PassCards, Play
from engine.errors import IllegalAction
from engine.legal import legal, legal_plays
from engine.state import PLAYING, Match, Phase, Round
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld, quick
from tests.engine.positions import round_of

DEALER, NEXT, OTHER = HOST, HOST + 1, HOST + 2
TRICHU = quick("trichu", first_dealer=0)
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


def match_of(at: TableState) -> Match:
    assert at.match is not None
    return at.match


def now(at: TableState) -> Round:
    return round_of(match_of(at))


def gifts_of(at: TableState, seat: int) -> PassCards:
    """The first cards that this seat may pass."""
    return PassCards(seat, next(match_of(at).variant.possible_gifts(now(at), seat)))


async def act(world: TableWorld, at: TableState, user: int, action: Action) -> TableState:
    """This person does something with the hand that the action is for."""
    return await world.tables.act(at.id, user, at.stamp, lambda _: action, action.seat)


async def exchange_of_trichu(world: TableWorld, people: int = 3) -> TableState:
    """Seat 0 deals; nobody has called."""
    at = await world.match(1, people, options=TRICHU)
    for user in (NEXT, OTHER)[: people - 1]:
        at = await world.tables.act(at.id, user, at.stamp, lambda seat: AnswerGrand(seat, False))
    assert at.phase is Phase.EXCHANGE
    return at


async def until(world: TableWorld, table_id: int, *phases: Phase) -> TableState:
    """Let time pass until a table is in one of these phases."""
    for _ in range(3000):
        if world.tables.get(table_id).phase in phases:
            break
        await world.go_on(table_id)
        await world.run(1)
    at = world.tables.get(table_id)
    assert at.phase in phases
    return at


# --- Trichu ----------------------------------------------------------------------------------


async def test_the_dealer_passes_cards_from_both_hands_and_nobody_else_does(
    world: TableWorld,
) -> None:
    at = await exchange_of_trichu(world)
    tables = world.tables
    for user in (NEXT, OTHER):
        assert (
            await refusal(tables.act(at.id, user, at.stamp, lambda seat: gifts_of(at, seat), 3))
            == "not-your-hand"
        )
        assert await refusal(tables.act(at.id, user, None, CallTichu, 3)) == "not-your-hand"
        assert await refusal(tables.act(at.id, user, None, CallTichu, 0)) == "not-your-hand"
        assert await refusal(tables.bomb(at.id, user, "1.0.0", 15, 3)) == "not-your-hand"
        assert await refusal(tables.take_back(at.id, user, None, 3)) == "not-your-hand"
        assert await refusal(tables.pass_this_trick(at.id, user, "1.0", True, 3)) == "not-your-hand"
    assert await refusal(tables.act(at.id, DEALER, None, CallTichu, 1)) == "not-your-hand"
    assert tables.get(at.id) == at
    await tables.act(at.id, DEALER, at.stamp, lambda seat: gifts_of(at, seat))
    after = await tables.act(at.id, DEALER, at.stamp, lambda seat: gifts_of(at, seat), 3)
    given = now(after).opening.given
    assert [gifts is not None for gifts in given] == [True, False, False, True]
    actions = await world.store.actions(at.id)
    assert [(a.seat, a.actor_id) for a in actions[-2:]] == [(0, DEALER), (3, DEALER)]
    await world.check_stored(at.id)


async def test_a_stale_button_for_the_table_is_stale(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    with pytest.raises(Stale):
        await world.tables.act(at.id, DEALER, at.stamp + 1, CallTichu, 3)


async def test_the_table_calls_for_itself(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    at = await world.tables.act(at.id, DEALER, None, CallTichu, 3)
    assert [call is not None for call in now(at).calls] == [False, False, False, True]
    with pytest.raises(IllegalAction) as refused:
        await world.tables.act(at.id, DEALER, None, CallTichu, 3)
    assert refused.value.code == "already-called"


async def test_the_dealer_has_no_grand_tichu(world: TableWorld) -> None:
    at = await world.match(1, options=TRICHU)
    for seat in (None, 3):
        with pytest.raises(IllegalAction) as refused:
            await world.tables.act(at.id, DEALER, None, lambda s: AnswerGrand(s, True), seat)
        assert refused.value.code == "no-grand-for-dealer"


async def test_the_turn_limit_stands_in_for_both_hands(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    for user in (NEXT, OTHER):
        at = await act(world, at, user, gifts_of(at, user - HOST))
    await world.run(10.1)
    assert world.heard.nudges == [(at.id, (DEALER,))]
    await world.run(10)
    assert world.tables.get(at.id).phase is Phase.LEAD
    texts = [(a.seat, a.text.split(":")[0]) for a in await world.store.actions(at.id)]
    assert texts[-2:] == [(0, "pass-cards"), (3, "pass-cards")]
    await world.check_stored(at.id)


async def on_turn(world: TableWorld, at: TableState, seat: int) -> TableState:
    """Play the lowest card or pass until it is this seat's turn."""
    for _ in range(200):
        at = world.tables.get(at.id)
        if at.phase in (Phase.LEAD, Phase.TURN) and now(at).turn == seat:
            return at
        if at.phase not in (Phase.LEAD, Phase.TURN):
            await world.run(1)
            continue
        mover = now(at).turn
        action = simple(at, mover)
        user = at.chairs[at.decider(mover)].user_id
        assert user is not None
        await act(world, at, user, action)
    raise AssertionError("it never was his turn")


def simple(at: TableState, seat: int) -> Action:
    """A pass if possible, else some play."""
    actions = list(legal(match_of(at), seat))
    if Pass(seat) in actions:
        return Pass(seat)
    return next(action for action in actions if isinstance(action, Play))


async def test_the_dealer_is_nudged_and_plays_when_the_table_is_on_turn(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    for user, seat in ((DEALER, 0), (DEALER, 3), (NEXT, 1), (OTHER, 2)):
        await act(world, at, user, gifts_of(at, seat))
    at = await on_turn(world, at, 3)
    world.heard.nudges.clear()
    await world.run(10.1)
    assert world.heard.nudges == [(at.id, (DEALER,))]
    at = world.tables.get(at.id)
    for user in (NEXT, OTHER):
        refused = await refusal(world.tables.act(at.id, user, at.stamp, Pass, 3))
        assert refused == "not-your-hand"
    with pytest.raises(IllegalAction) as illegal:
        await world.tables.act(at.id, DEALER, at.stamp, Pass)
    assert illegal.value.code == "not-your-turn", "his own hand is not asked"
    await act(world, at, DEALER, simple(at, 3))
    last = (await world.store.actions(at.id))[-1]
    assert (last.seat, last.actor_id) == (3, DEALER)
    await world.check_stored(at.id)


@pytest.mark.slow
async def test_next_round_the_table_is_somebody_elses(world: TableWorld) -> None:
    at = await world.match(1, options=TRICHU)
    assert [at.seats_of_chair(chair) for chair in range(3)] == [(0, 3), (1,), (2,)]
    await until(world, at.id, Phase.ROUND_END)
    await world.all_back(at.id)
    at = await until(world, at.id, Phase.GRAND)
    assert now(at).dealer == 2, "against turn order"
    assert [at.seats_of_chair(chair) for chair in range(3)] == [(0,), (1,), (2, 3)]
    refused = await refusal(world.tables.act(at.id, DEALER, None, CallTichu, 3))
    assert refused == "not-your-hand"


async def test_a_computer_dealer_plays_both_hands(world: TableWorld) -> None:
    at = await world.match(1, 1, options=quick("trichu", first_dealer=1))
    assert [at.computer(seat) for seat in range(4)] == [False, True, True, True]
    await until(world, at.id, Phase.ROUND_END)
    acted = {(a.seat, a.actor_id) for a in await world.store.actions(at.id)}
    assert {seat for seat, _ in acted} == {-1, 0, 1, 2, 3}
    assert {user for _, user in acted} == {None}


@pytest.mark.parametrize("phase", [Phase.EXCHANGE, Phase.TURN])
async def test_a_dealer_who_leaves_leaves_both_hands_to_a_computer_player(
    world: TableWorld, phase: Phase
) -> None:
    at = await exchange_of_trichu(world)
    if phase is Phase.TURN:
        await until(world, at.id, *PLAYING)
        at = await on_turn(world, await world.all_back(at.id), 3)
    at = await world.tables.leave_to_computer(at.id, DEALER, "Robot for Ada")
    assert [at.computer(seat) for seat in range(4)] == [True, False, False, True]
    if phase is Phase.EXCHANGE:
        await world.run(0.5)
        given = now(world.tables.get(at.id)).opening.given
        assert [gifts is not None for gifts in given] == [True, False, False, True]
    else:
        assert set(at.desk.deadlines) == {"think"}
        before = at.seq
        await world.run(0.5)
        acted = (await world.store.actions(at.id))[before]
        assert (acted.seat, acted.actor_id) == (3, None)
    await world.check_stored(at.id)
    assert await refusal(world.tables.act(at.id, DEALER, None, Pass, 3)) == "not-seated"


async def test_a_kept_choice_for_the_table_goes_with_its_dealer(world: TableWorld) -> None:
    at = await exchange_of_trichu(world)
    await until(world, at.id, *PLAYING)
    at = await world.all_back(at.id)
    for _ in range(400):
        at = world.tables.get(at.id)
        if at.phase is Phase.WINDOW and now(at).turn == 3:
            break
        if at.phase in (Phase.LEAD, Phase.TURN):
            mover = now(at).turn
            plays = sorted(legal_plays(match_of(at), mover), key=lambda play: play.key)
            action = Play(mover, plays[0].cards, plays[0].phoenix) if plays else Pass(mover)
            user = at.chairs[at.decider(mover)].user_id
            assert user is not None
            await act(world, at, user, action)
        else:
            await world.run(0.5)
    assert now(at).turn == 3
    at = await world.tables.act(at.id, DEALER, at.stamp, Pass, 3)
    assert at.desk.premoves == {3: "pass"}
    await world.check_stored(at.id)
    at = await world.tables.leave_to_computer(at.id, DEALER, "Robot")
    assert at.desk.premoves == {}
    await world.check_stored(at.id)


# --- Grand Seigneur --------------------------------------------------------------------------


@pytest.mark.parametrize("players", [5, 8, 12])
async def test_a_lobby_of_twelve_chairs_starts_with_who_is_there(
    world: TableWorld, players: int
) -> None:
    lobby = await world.tables.create(GUILD, 1, HOST, "Ada", OPEN)
    assert len(lobby.chairs) == 12
    assert await refusal(world.tables.start(lobby.id, HOST)) == "too-few-players"
    for number in range(1, players):
        await world.tables.join(lobby.id, HOST + number, f"P{number}")
        await world.tables.shuffle(lobby.id, HOST + number, f"word {number}")
    if players < 12:
        await world.tables.swap(lobby.id, HOST, 0, 11)
    await world.check_stored(lobby.id)
    at = await world.tables.start(lobby.id, HOST)
    assert [chair.seat for chair in at.chairs] == list(range(players))
    assert at.options.players == players == len(now(at).hands)
    assert at.seat_of(HOST) == (players - 1 if players < 12 else 0)
    assert at.chairs[at.seat_of(HOST + 1) or 0].name == "P1"
    await world.check_stored(at.id)
    (again,) = await world.reopen()
    assert again == world.tables.get(at.id)


@pytest.mark.slow
async def test_a_rematch_has_all_chairs_again(world: TableWorld) -> None:
    at = await world.match(1, 1, players=6, options=quick("grandseigneur", rounds=1))
    for _ in range(3000):
        if world.tables.find(at.id) is None:
            break
        await world.run(5)
    record = await world.store.table(at.id)
    assert record is not None
    assert (record.status, len(record.seats)) == ("finished", 6)
    match = await world.store.match(at.id)
    assert match is not None
    assert (match.reason, match.rounds, match.scores) == ("finished", 1, ())
    assert sum(seat.won for seat in match.seats) == 1
    old = restored(record, ())
    options, chairs = free_again(old)
    again = await world.tables.create(GUILD, 1, HOST, "Ada", options, chairs=chairs)
    assert (len(again.chairs), again.chairs[:6]) == (12, old.chairs)
    await world.tables.join(again.id, HOST + 6, "Gina")
    started = await world.tables.start(again.id, HOST)
    assert (len(started.chairs), started.options.players) == (7, 7)
    await world.check_stored(again.id)


async def vote(world: TableWorld, table_id: int, *users: int) -> TableState | None:
    for user in users:
        await world.tables.vote_stop(table_id, user, moderator=False)
    return world.tables.find(table_id)


@pytest.mark.slow
async def test_people_vote_an_open_ended_match_out_within_a_round(world: TableWorld) -> None:
    at = await world.match(1, 3, players=5, options=OPEN)
    at = await until(world, at.id, *PLAYING)
    voted = await vote(world, at.id, HOST, HOST + 1)
    assert voted is not None
    assert (voted.running, voted.desk.last_round, voted.desk.votes) == (True, True, ())
    await world.check_stored(at.id)
    (again,) = await world.reopen()
    assert again.desk.last_round
    await finished_with_winners(world, at.id, rounds=1)


async def finished_with_winners(world: TableWorld, table_id: int, rounds: int) -> None:
    """The match ends by itself after so many rounds, with the Great Lord as its winner."""
    for _ in range(3000):
        if world.tables.find(table_id) is None:
            break
        await world.run(1)
    record = await world.store.table(table_id)
    assert record is not None
    assert record.status == "finished"
    match = await world.store.match(table_id)
    assert match is not None
    assert (match.variant, match.reason, match.rounds) == ("grandseigneur", "finished", rounds)
    stored = await world.store.rounds(table_id)
    first = next(seat.seat for seat in stored[-1].seats if seat.place == 1)
    assert [seat.seat for seat in match.seats if seat.won] == [first]
    assert match.scores == ()
    assert len(stored) == rounds
    assert world.heard.news[-1].after.match is not None
    assert world.heard.news[-1].after.match.winners == (first,)
    assert world.time.alarms == []


@pytest.mark.slow
async def test_people_vote_an_open_ended_match_out_between_two_rounds(world: TableWorld) -> None:
    at = await world.match(1, 3, players=5, options=OPEN)
    await until(world, at.id, Phase.ROUND_END)
    await world.tables.pause(at.id, HOST, True)
    assert (await vote(world, at.id, HOST + 2)) is not None
    await world.check_stored(at.id)
    assert await vote(world, at.id, HOST) is None
    await finished_with_winners(world, at.id, rounds=1)


async def test_a_second_vote_in_the_last_round_stops_it_without_a_result(
    world: TableWorld,
) -> None:
    at = await world.match(1, 3, players=5, options=OPEN)
    assert await vote(world, at.id, HOST, HOST + 1) is not None
    assert await vote(world, at.id, HOST, HOST + 2) is None
    match = await world.store.match(at.id)
    assert match is not None
    assert (match.reason, match.rounds) == ("stopped", 0)
    assert not any(seat.won for seat in match.seats)


async def test_a_moderator_stops_an_open_ended_match_at_once(world: TableWorld) -> None:
    at = await world.match(1, 3, players=5, options=OPEN)
    stopped = await world.tables.vote_stop(at.id, 999, moderator=True)
    assert stopped.status == "stopped"


async def test_options_of_another_game_open_nothing(world: TableWorld) -> None:
    for wrong in (
        TableOptions(variant="trichu", target=1000),
        TableOptions(variant="tientsin", rounds=3),
        TableOptions(variant="grandseigneur", players=13),
    ):
        with pytest.raises(IllegalAction):
            await world.tables.create(GUILD, 1, HOST, "Ada", wrong)
    assert list(world.tables.all()) == []
