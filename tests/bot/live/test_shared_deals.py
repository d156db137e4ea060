"""The same deals at several tables: cards, dealers, commitments and proofs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from bot.club.tables import deal_points
from bot.club_records import ClubEventRecord
from bot.errors import Reason, Refused
from bot.formats.game import Game as Written
from bot.formats.json_read import read_document
from bot.formats.json_rounds import write_document
from bot.history.played_round import played_rounds
from bot.history.verify import load_proof
from bot.ids import ChannelId, ClubEventId, TableId, UserId
from bot.table.commands import Shuffle, Start, VoteToStop
from bot.table.dealing import commitment_on_table, next_commitment, revealed_secret
from bot.table.options import EventLink
from bot.table.state import Game
from engine import Phase
from engine.fair_deal import FairDeal, commitment
from tests.bot.asking import played
from tests.bot.states import CHANNEL, GUILD, HOST, NOON, PEOPLE, chairs
from tests.bot.table.test_dealing import LONG, checked, until
from tests.bot.table_world import TableWorld

pytestmark = pytest.mark.usefixtures("one_thread")

EVENT = ClubEventId(41)
DEALS = 3
NEW = ClubEventRecord(ClubEventId(0), GUILD, CHANNEL, HOST, NOON, "{}")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


def secrets(first: int = 1) -> tuple[str, ...]:
    """Return the secrets of the deals."""
    return tuple(bytes([number] * 32).hex() for number in range(first, first + DEALS))


async def begun(world: TableWorld, match: int) -> Game:
    """Begin the match of a round whose tables all play the same deals."""
    link = EventLink(event=EVENT, round=2, match=match, draw=5, same_deals=True)
    options = LONG.model_copy(update={"event": link, "first_dealer": 3})
    lobby = await world.lobby(
        ChannelId(match + 1), 1, 1, options=options, chairs=chairs(PEOPLE[:4]), boards=secrets()
    )
    assert next_commitment(lobby) == commitment(bytes.fromhex(secrets()[0]))
    assert not any(each in repr(lobby.details()) for each in secrets())
    return played(await world.tables.execute(lobby.id, HOST, Start()))


def dealt(game: Game) -> list[int]:
    """Return the cards that each seat is dealt."""
    stock = game.round.opening.stock
    return [hand.cards | stock[seat] for seat, hand in enumerate(game.round.hands)]


async def test_all_tables_play_the_same_deals_with_the_same_dealers(world: TableWorld) -> None:
    fair = [FairDeal(bytes.fromhex(each), EVENT) for each in secrets()]
    hands: list[list[list[int]]] = []
    by_winner = []
    for match in range(2):
        game = await begun(world, match)
        hands.append([])
        for number in range(1, DEALS + 1):
            game = await until(world, game.id, Phase.GRAND, number) if number > 1 else game
            hands[-1].append(dealt(game))
            assert game.round.dealer == fair[number - 1].first_dealer(4)
            assert commitment_on_table(game) == commitment(fair[number - 1].secret)
            following = [commitment(each.secret) for each in fair[number:]]
            assert next_commitment(game) == next(iter(following), None)
            if number == 1:
                (*_, game) = map(played, await world.reopen())
            game = await until(world, game.id, Phase.ROUND_END, number)
            assert revealed_secret(game) is None
            await world.check_stored(game.id)
            by_winner.append(game.match.variant.next_dealer(game.match))
    assert hands[0] == hands[1]
    assert len({tuple(each) for each in hands[0]}) == DEALS
    drawn = [each.first_dealer(4) for each in fair]
    assert by_winner[: DEALS - 1] != drawn[1:], "else nothing is tested"


async def test_proofs_have_the_number_of_the_event(world: TableWorld) -> None:
    game = await begun(world, 0)
    game = await until(world, game.id, Phase.ROUND_END, 2)
    for number in (1, 2):
        proof = await checked(world, game.id, number)
        assert proof.deal is not None
        assert (proof.deal.table, proof.as_dealt, proof.dealer_drawn) == (EVENT, True, True)
        assert proof.deal.secret.hex() == secrets()[number - 1]


async def test_files_with_these_deals_can_be_read_again(world: TableWorld) -> None:
    game = await begun(world, 0)
    game = await until(world, game.id, Phase.ROUND_END, 2)
    rounds = tuple(played_rounds(game.options.rules, await world.store.tables.actions(game.id)))
    assert rounds[1].dealt.round is not None
    assert rounds[1].dealt.round.dealer != game.match.variant.next_dealer(rounds[1].before)
    names = ("", "", "", "")
    for some in (rounds, rounds[1:]):
        written = write_document(Written(game.id, game.options.rules, (names,) * len(some), some))
        assert write_document(read_document(written.encode())) == written


async def test_nobody_can_add_a_word(world: TableWorld) -> None:
    game = await begun(world, 0)
    with pytest.raises(Refused) as refused:
        await world.tables.execute(game.id, HOST, Shuffle("lucky"))
    assert refused.value.code == Reason.SHARED_DEALS
    assert world.game(game.id).deal.words == {}


async def test_a_kill_changes_no_deal_of_a_round(world: TableWorld) -> None:
    numbers = count(1)

    def draw() -> bytes:
        return bytes([next(numbers)] * 32)

    events = world.store.club_events
    event = await events.create(NEW)
    assert await events.draw_deals(event.id, 1, DEALS, draw) == secrets()
    await world.reopen()
    assert await world.store.club_events.draw_deals(event.id, 1, DEALS, draw) == secrets()
    assert await world.store.club_events.draw_deals(event.id, 1, 2, draw) == secrets()[:2]
    assert await world.store.club_events.draw_deals(event.id, 2, DEALS, draw) == secrets(4)


async def test_points_of_each_deal(world: TableWorld) -> None:
    game = await begun(world, 0)
    game = await until(world, game.id, Phase.ROUND_END, 2)
    teams = game.options.teams
    points = deal_points(teams, await world.store.history.rounds(game.id))
    assert points == tuple((each.score[0], each.score[1]) for each in game.match.results)
    assert [sum(side) for side in zip(*points, strict=True)] == list(game.match.totals)
    turned = deal_points(teams[::-1], await world.store.history.rounds(game.id))
    assert turned == tuple(each[::-1] for each in points)
    assert deal_points(teams, []) == ()


async def test_a_stopped_deal_has_its_proof_and_no_points(world: TableWorld) -> None:
    game = await begun(world, 0)
    await world.tables.execute(game.id, UserId(999), VoteToStop(moderator=True))
    record = await world.store.tables.get(TableId(game.id))
    assert record is not None
    proof = await load_proof(world.store, record)
    assert proof is not None
    assert proof.as_dealt
    assert await world.store.history.rounds(game.id) == []
