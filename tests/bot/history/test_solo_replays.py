"""Replays of solo rounds: of their person only, with the proof of the deal."""

from __future__ import annotations

import argparse
import logging
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from bot.board_records import SoloProgress, SoloResult
from bot.boards.board import Board
from bot.cli import verify
from bot.cli.verify import command_line
from bot.errors import Refused
from bot.formats.game import Game
from bot.formats.json_rounds import document
from bot.history.replay_cache import SharedWork
from bot.history.solo_replays import SoloReplays, solo_round_id
from bot.ids import TableId, UserId
from bot.rating.ledger import LEDGER
from bot.storage import Store
from bot.table.solo_game import SOLO_IDS, result_of_seat
from engine import card_text
from tests.bot.solo_rounds import stored_round
from tests.bot.states import NOON
from tests.bot.storage.test_challenges import OFFER

ADA, BEN = UserId(101), UserId(102)
DAY = date(2031, 5, 4)
SECRETS = [f"{number:064x}" for number in range(1, 5)]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite:///{tmp_path / 'tichu.db'}", LEDGER, keep=False)
    await opened.boards.draw_days([DAY], lambda: SECRETS[0])
    await opened.challenges.add(OFFER, SECRETS)
    yield opened
    await opened.close()


async def daily(store: Store) -> Board:
    """Return the board of the day."""
    (record,) = await store.boards.days(DAY, DAY)
    return Board.of(record)


def table_of(round_id: int) -> TableId:
    """Return the id under which a round is shown."""
    return TableId(SOLO_IDS + round_id)


def replays(store: Store) -> SoloReplays:
    """Return the builder of replays."""
    return SoloReplays(store, SharedWork())


@pytest.mark.parametrize("seed", range(3))
async def test_replays_the_round_of_its_person(store: Store, seed: int) -> None:
    board = await daily(store)
    round_ = await stored_round(store, board, ADA, NOON, seed=seed)
    replay = await replays(store).replay(table_of(round_.id), ADA)
    assert solo_round_id(replay.table.id) == round_.id
    assert result_of_seat(replay.at(len(replay.played_round.positions) - 1).match).points == (
        round_.points
    )
    assert replay.played_round.dealt == board.dealt()
    assert [chair.user_id for chair in replay.table.chairs] == [ADA, None, None, None]
    assert len(replay.played_round.actions) == len(round_.actions) + 1
    by_ada = {each.seat for each in replay.played_round.actions[1:] if each.actor_id == ADA}
    assert by_ada <= {-1, 0}
    assert replay.board is not None
    assert replay.board.id == board.id


async def test_proof_of_the_deal_of_a_day(store: Store) -> None:
    board = await daily(store)
    round_ = await stored_round(store, board, ADA, NOON)
    proof = (await replays(store).replay(table_of(round_.id), ADA)).proof
    assert (proof.commitment, proof.as_dealt, proof.dealer_drawn) == (board.commitment, True, True)
    assert (proof.table.id, proof.number) == (board.number, 1)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
async def test_anybody_can_verify_a_deal_of_a_challenge(store: Store, number: int) -> None:
    board = Board.of((await store.boards.of_challenge(1))[number - 1])
    round_ = await stored_round(store, board, ADA, NOON)
    replay = await replays(store).replay(table_of(round_.id), ADA)
    proof = replay.proof
    assert proof.deal is not None
    line = command_line(replay.table.options.rules, proof.deal, proof.number, proof.dealer)
    parser = argparse.ArgumentParser()
    verify.add_arguments(parser)
    lines, _ = verify.verify(parser.parse_args(line.split()[4:]))
    assert "deck: " + " ".join(map(card_text, proof.deck)) in lines
    table = TableId(1)
    (written,) = document(
        Game(table, replay.table.options.rules, (("a", "b", "c", "d"),), (replay.played_round,))
    )["rounds"]
    assert written["number"] == number
    for seat, hand in enumerate(written["hands"]):
        assert f"seat {seat + 1}: {' '.join(hand['all'])}" in lines
    assert written["deal"] == f"v1:{SECRETS[number - 1]}:1:"


async def test_refuses_rounds_of_others_and_unfinished_ones(store: Store) -> None:
    board = await daily(store)
    round_ = await stored_round(store, board, ADA, NOON, over=False)
    for table, user, reason in (
        (table_of(round_.id), ADA, "round-not-over"),
        (table_of(round_.id), BEN, "unknown-button"),
        (table_of(round_.id + 1), ADA, "unknown-button"),
        (TableId(SOLO_IDS - 1), ADA, "unknown-button"),
    ):
        with pytest.raises(Refused) as refused:
            await replays(store).replay(table, user)
        assert refused.value.code == reason


async def test_refuses_a_damaged_round_without_its_cards(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    round_ = await stored_round(store, await daily(store), ADA, NOON, over=False)
    damage, result = ("0:play:DRAGON,DOG",), SoloResult(0, None, None, None)
    progress = SoloProgress(round_.id, len(round_.actions), damage, False, NOON, result)
    assert await store.boards.go_on(progress)
    with pytest.raises(Refused) as refused, caplog.at_level(logging.ERROR):
        await replays(store).replay(table_of(round_.id), ADA)
    assert refused.value.code == "unreadable-log"
    assert f"solo round {round_.id} is damaged" in caplog.text
    assert "DRAGON" not in caplog.text
