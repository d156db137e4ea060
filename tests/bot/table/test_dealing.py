"""Origin of decks: secrets sealed in advance, kept over restarts, revealed only after the round."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from bot.errors import Refused
from bot.history.deal_proof import Proof
from bot.history.verify import load_proof, load_table_to_check
from bot.ids import ChannelId, GuildId, Revision, TableId, UserId, optional
from bot.records import ActionRecord, Change
from bot.storage import Store
from bot.table.action_log import ReplayError, replay
from bot.table.commands import Context, Leave, Shuffle, Start, VoteToStop
from bot.table.dealing import (
    Prepared,
    commitment_on_table,
    deal_words,
    new_secret,
    next_commitment,
    next_deal,
    nothing_prepared,
    revealed_secret,
    seal,
)
from bot.table.details import DealSecrets, Details
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.permission import require_lobby
from bot.table.restore import restore_table
from bot.table.state import Game, OpenTable
from engine import CLOCK, DECK_SIZE, Phase, deal, new_match
from engine.fair_deal import FairDeal, commitment
from tests.bot.asking import played
from tests.bot.states import GUILD, HOST, NOON, chairs, state
from tests.bot.table_world import QUICK, TableWorld, quick
from tests.engine.positions import round_of

CARDS = range(DECK_SIZE)
LONG = quick("nanjing", target=5000)
ONE, TWO, THREE = (bytes([number]) * 32 for number in (1, 2, 3))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def refusal(world: TableWorld, table_id: TableId, user_id: UserId, word: str) -> str:
    with pytest.raises(Refused) as refused:
        await world.tables.execute(table_id, user_id, Shuffle(word))
    return refused.value.code


async def until(world: TableWorld, table_id: TableId, phase: Phase, number: int = 1) -> Game:
    """Let time pass until this phase of this round; the people are absent."""
    for _ in range(20000):
        at = world.game(table_id)
        if at.phase is phase and at.round.number == number:
            return at
        await world.resume(table_id)
        await world.run(0.2 if at.phase is not Phase.ROUND_END else 21)
    raise AssertionError("it does not come to that")


async def checked(world: TableWorld, table_id: TableId, number: int | None = None) -> Proof:
    record = await world.store.tables.get(table_id)
    assert record is not None
    found = await load_proof(world.store, record, number)
    assert found is not None
    return found


# --- secrets between deals -----------------------------------------------------------------------


def test_secret_has_32_bytes_and_is_never_repeated() -> None:
    drawn = [new_secret() for _ in range(100)]
    assert {len(secret) for secret in drawn} == {32}
    assert len(set(drawn)) == 100


def test_sealed_secret_stays() -> None:
    at = seal(state(), lambda: ONE)
    assert at.deal.sealed == ONE.hex()
    assert seal(at, lambda: TWO) == at
    assert next_commitment(at) == commitment(ONE)
    assert (commitment_on_table(at), revealed_secret(at)) == (None, None)


def test_first_deal_uses_the_secret_of_the_lobby() -> None:
    words = {UserId(102): "b", UserId(101): "a", UserId(999): "gone"}
    lobby = state(deal=DealSecrets(sealed=ONE.hex(), words=words), revision=5)
    used_up = DealSecrets(sealed=TWO.hex(), dealt=ONE.hex())
    fair = FairDeal(ONE, 7, ((0, "a"), (1, "b")))
    made = next_deal(lobby, lambda: TWO, Prepared())
    assert (made.secrets, made.source, made.first_dealer) == (used_up, fair, fair.first_dealer(4))
    after = played(Start().carry_out(lobby, HOST, Context(NOON, lambda: TWO)).after)
    assert (after.status, after.round.dealer) == ("playing", fair.first_dealer(4))
    assert after.details() == Details(
        revision=Revision(after.seq), timers=after.timers, deal=used_up
    )
    assert next_deal(after, lambda: THREE, Prepared()).source == FairDeal(TWO, 7)


def test_words_are_used_in_the_order_of_the_seats_at_the_deal() -> None:
    said = DealSecrets(words={UserId(101): "host", UserId(104): "last"})
    sitting = chairs()
    turned = tuple(
        chair.model_copy(update={"seat": seat}) for seat, chair in enumerate(reversed(sitting))
    )
    assert deal_words(state(deal=said, chairs=sitting)) == ((0, "host"), (3, "last"))
    assert deal_words(state(deal=said, chairs=turned)) == ((0, "last"), (3, "host"))
    assert deal_words(state(deal=said, chairs=chairs(computers=(0,)))) == ((3, "last"),)


def test_fixed_or_prepared_dealer_is_not_drawn() -> None:
    fixed = state(options=QUICK.model_copy(update={"first_dealer": 2}))
    assert next_deal(fixed, lambda: ONE, Prepared()).first_dealer == 2
    assert next_deal(fixed, lambda: ONE, Prepared(dealer=3)).first_dealer == 3


def test_prepared_deck_uses_no_secret() -> None:
    at = seal(state(), lambda: ONE)
    made = next_deal(at, lambda: TWO, Prepared(deck=[2, 1, 0]))
    assert made.source == [2, 1, 0]
    assert made.secrets == DealSecrets(sealed=ONE.hex())
    assert nothing_prepared(at) == Prepared(None, None)


def test_secret_is_revealed_when_its_round_ends() -> None:
    secrets = DealSecrets(sealed=TWO.hex(), dealt=ONE.hex())
    assert revealed_secret(state(deal=secrets)) is None
    match, _ = deal(new_match(QUICK.rules), CARDS)
    running = state(match, deal=secrets)
    assert revealed_secret(running) is None
    assert next_commitment(running) == commitment(TWO)
    stopped = replace(running, status="stopped")
    assert revealed_secret(stopped) == ONE.hex()
    assert next_commitment(stopped) is None
    over = match._replace(round=round_of(match)._replace(phase=Phase.ROUND_END))
    assert revealed_secret(replace(running, match=over)) == ONE.hex()
    assert revealed_secret(replace(running, match=over, deal=DealSecrets())) is None


# --- at a table with a store ------------------------------------------------------------------


@pytest.mark.slow
async def test_every_deal_matches_its_commitment(world: TableWorld) -> None:
    lobby = await world.lobby(people=2, options=LONG)
    committed = next_commitment(lobby)
    at = played(await world.tables.execute(lobby.id, HOST, Start()))
    for number in (1, 2, 3):
        at = await until(world, at.id, Phase.GRAND, number) if number > 1 else at
        assert commitment_on_table(at) == committed
        assert revealed_secret(at) is None
        committed = next_commitment(at)
        found = await checked(world, at.id, number)
        assert (found.commitment, found.deal) == (commitment_on_table(at), None)
        at = await until(world, at.id, Phase.ROUND_END, number)
        assert next_commitment(at) == committed
        found = await checked(world, at.id)
        assert found.deal is not None
        assert (found.number, found.as_dealt) == (number, True)
        assert found.dealer_drawn == (True if number == 1 else None)
        assert found.deal.secret.hex() == revealed_secret(at)
        assert found.commitment == commitment(found.deal.secret) == commitment_on_table(at)
        assert sorted(found.deck) == list(CARDS)
    await world.check_stored(at.id)


@pytest.mark.slow
async def test_restart_keeps_the_commitment(world: TableWorld) -> None:
    lobby = await world.lobby(people=2, options=LONG)
    await world.tables.execute(lobby.id, HOST, Shuffle("hello"))
    committed = next_commitment(lobby)
    (lobby,) = map(require_lobby, await world.reopen())
    assert next_commitment(lobby) == committed
    at = played(await world.tables.execute(lobby.id, HOST, Start()))
    await world.tables.execute(at.id, HOST, Shuffle("again"))
    following = next_commitment(at)
    (at,) = map(played, await world.reopen())
    assert (commitment_on_table(at), next_commitment(at)) == (committed, following)
    at = await until(world, at.id, Phase.GRAND, 2)
    assert commitment_on_table(at) == following
    for number, word in ((1, "hello"), (2, "again")):
        if number == 2:
            await until(world, at.id, Phase.ROUND_END, 2)
        found = await checked(world, at.id, number)
        assert found.deal is not None
        assert found.deal.words == ((0, word),)
        assert found.as_dealt


async def test_word_changes_the_deck_and_replaces_an_older_one(tmp_path: Path) -> None:
    decks = []
    for place, words in enumerate(("", "a", "ba", "b")):
        folder = tmp_path / str(place)
        folder.mkdir()
        world = TableWorld(folder)
        await world.open()
        lobby = await world.lobby()
        for word in words:
            await world.tables.execute(lobby.id, HOST, Shuffle(word))
            await world.check_stored(lobby.id)
        at = played(await world.tables.execute(lobby.id, HOST, Start()))
        assert at.deal.words == {}
        decks.append([hand.cards for hand in at.round.hands])
        await world.close()
    none, one, two, other = decks
    assert one == two
    assert none != one != other != none


async def test_checks_author_and_text_of_a_word(world: TableWorld) -> None:
    at: OpenTable = await world.lobby(people=2)
    assert await refusal(world, at.id, UserId(999), "word") == "not-seated"
    for word in ("", "   ", "x" * 65, "a\0b", "\ud800"):
        assert await refusal(world, at.id, HOST, word) == "word"
    assert world.tables.get(at.id).deal.words == {}
    at = await world.tables.execute(at.id, HOST, Shuffle("  cafe\u0301 \n  noir "))
    assert at.deal.words == {HOST: "caf\u00e9 noir"}
    at = await world.tables.execute(at.id, UserId(102), Shuffle("x" * 64))
    await world.tables.execute(at.id, UserId(102), Leave())
    at = await world.tables.execute(at.id, HOST, Shuffle("new"))
    assert at.deal.words == {HOST: "new"}
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=False))
    assert await refusal(world, at.id, HOST, "late") == "table-over"


async def test_stopped_round_reveals_its_secret(world: TableWorld) -> None:
    at = await world.match()
    found = await checked(world, at.id)
    assert found.deal is None
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    found = await checked(world, at.id)
    assert found.deal is not None
    assert found.deal.secret.hex() == at.deal.dealt
    assert found.as_dealt


# --- what is stored ---------------------------------------------------------------------------


async def test_changed_log_is_no_proof(world: TableWorld) -> None:
    at = await world.match(people=2, options=LONG)
    at = await until(world, at.id, Phase.ROUND_END)
    record = await world.store.tables.get(at.id)
    actions = await world.store.tables.actions(at.id)
    assert record is not None
    place = next(n for n, action in enumerate(actions) if action.text.startswith("deal:"))
    dealt = actions[place].text

    async def attempt(text: str) -> Proof | str:
        changed = actions[place].model_copy(update={"text": text})
        stored = Stored(world, [*actions[:place], changed, *actions[place + 1 :]])
        try:
            found = await load_proof(cast(Store, stored), record, 1)
        except Refused as refused:
            return refused.code
        assert found is not None
        return found

    good = await attempt(dealt)
    assert isinstance(good, Proof)
    assert good.as_dealt
    assert dealt.split(":")[3] == str(at.id)
    assert await attempt(dealt.replace("deal:v1:", "deal:v2:")) == "unreadable-log"
    assert await attempt(dealt[:-3]) == "unreadable-log"
    assert await attempt(dealt + "0=6") == "unreadable-log"
    # Another secret gives other hands, which do not hold the played cards.
    assert await attempt(dealt.replace(at.deal.dealt, TWO.hex())) == "unreadable-log"
    # A deck that is written out needs no check.
    plain = await attempt("deal:J2")
    assert isinstance(plain, Proof)
    assert (plain.commitment, plain.deal) == (None, None)


async def test_deal_of_another_table_is_no_proof(world: TableWorld) -> None:
    at = await world.match()
    await world.tables.execute(at.id, HOST, VoteToStop(moderator=True))
    record = await world.store.tables.get(at.id)
    start, made, *_ = await world.store.tables.actions(at.id)
    assert record is not None
    moved = made.model_copy(update={"text": made.text.replace(f":{at.id}:", ":99:")})
    found = await load_proof(cast(Store, Stored(world, [start, moved])), record, 1)
    assert found is not None
    assert not found.as_dealt


class Stored:
    """A store with other actions."""

    def __init__(self, world: TableWorld, actions: list[ActionRecord]) -> None:
        self.history = world.store.history
        self.tables = self
        self.seat_changes = world.store.tables.seat_changes
        self._actions = actions

    async def actions(self, table_id: int) -> list[ActionRecord]:
        """Return the given actions for any table."""
        return self._actions


@pytest.mark.slow
async def test_table_without_secrets_continues(world: TableWorld) -> None:
    world.prepare = lambda at: Prepared(0, list(CARDS))
    at = await world.match(people=2, options=LONG)
    deals = [a for a in await world.store.tables.actions(at.id) if a.text.startswith("deal:")]
    assert deals[0].text.startswith("deal:J2,S2,")
    kept = at.details().model_dump_json(include={"revision", "timers"})
    await world.store.tables.commit(at.id, Change(details=kept))
    (at,) = map(played, await world.reopen())
    assert (at.deal.sealed, next_commitment(at), commitment_on_table(at)) == ("", None, None)
    found = await checked(world, at.id)
    assert (found.number, found.commitment) == (1, None)
    world.prepare = nothing_prepared
    at = await until(world, at.id, Phase.GRAND, 2)
    assert commitment_on_table(at)
    at = await until(world, at.id, Phase.ROUND_END, 2)
    assert (await checked(world, at.id)).as_dealt
    assert (await checked(world, at.id, 1)).commitment is None
    await world.check_stored(at.id)


async def test_invalid_secret_in_the_details_is_refused_without_its_text(world: TableWorld) -> None:
    at = await world.match()
    record = await world.store.tables.get(at.id)
    assert record is not None
    broken = at.details().model_dump_json().replace(at.deal.sealed, at.deal.sealed[:-1])
    with pytest.raises(ReplayError) as error:
        restore_table(
            record.model_copy(update={"details": broken}), await world.store.tables.actions(at.id)
        )
    assert at.deal.sealed[:8] not in str(error.value)


async def test_finds_tables_to_verify(world: TableWorld) -> None:
    first = await world.lobby(ChannelId(5))
    await world.tables.execute(first.id, HOST, VoteToStop(moderator=False))
    second = await world.lobby(ChannelId(5))
    other = await world.tables.create(
        LobbyPlan(GuildId(77), ChannelId(6), HOST, QUICK, new_chairs(QUICK, HOST, "Ada"))
    )
    for number, wanted in ((None, second.id), (first.id, first.id)):
        found = await load_table_to_check(world.store, GUILD, ChannelId(5), number)
        assert found.id == wanted
        assert await load_proof(world.store, found) is None
    for channel, table, code in (
        (5, other.id, "no-such-table"),
        (5, 999, "no-such-table"),
        (6, None, "no-table-here"),
        (7, None, "no-table-here"),
        (None, None, "no-table-here"),
    ):
        with pytest.raises(Refused) as refused:
            await load_table_to_check(
                world.store, GUILD, optional(ChannelId, channel), optional(TableId, table)
            )
        assert refused.value.code == code


async def test_refuses_rounds_that_were_not_dealt(world: TableWorld) -> None:
    at = await world.match()
    for number in (0, 2, -1, 10**9):
        with pytest.raises(Refused) as refused:
            await checked(world, at.id, number)
        assert refused.value.code == "no-such-round"


# --- secrecy -------------------------------------------------------------------------------------


async def test_logs_and_reprs_contain_no_secret(
    world: TableWorld, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    at = await world.match(people=2)
    with monkeypatch.context() as broken:
        broken.setattr(world.scheduler, "_novice", None)
        broken.setattr("bot.table.dealing.FairDeal", None)
        await until(world, at.id, Phase.EXCHANGE)
        broken.setattr(world.scheduler, "decisions", None)
        await world.run(30)
    at = world.game(at.id)
    record = await world.store.tables.get(at.id)
    actions = await world.store.tables.actions(at.id)
    found = await checked(world, at.id)
    told = [
        repr(at),
        repr(at.details()),
        str(at.details()),
        repr(at.deal),
        repr(record),
        repr(actions),
        repr(found),
    ]
    told += [repr(what) for what in world.heard.news]
    told += [repr(next_deal(at, lambda: ONE, Prepared())), repr(Change(details="x"))]
    secrets = (at.deal.sealed, at.deal.dealt)
    assert all(len(secret) == 64 for secret in secrets)
    for text in (*told, caplog.text):
        for secret in secrets:
            assert secret not in text
            assert repr(bytes.fromhex(secret))[2:20] not in text
    assert 'File "' in caplog.text


async def test_deal_is_stored_as_an_action_of_the_clock(world: TableWorld) -> None:
    at = await world.match()
    start, made, *_ = await world.store.tables.actions(at.id)
    assert (start.seat, made.seat) == (CLOCK, CLOCK)
    assert start.text == f"start:{at.round.dealer}"
    assert made.text == f"deal:v1:{at.deal.dealt}:{at.id}:"
    assert replay(at.options.rules, [start, made]) == at.match
