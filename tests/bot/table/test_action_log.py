"""Stored logs: replayed to the same match, or refused without their text."""

from __future__ import annotations

import random
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

import pytest

from bot.ids import Revision, UserId
from bot.records import ActionRecord, SeatRecord, TableRecord
from bot.table.action_log import (
    ReplayError,
    apply_record,
    read_deal,
    replay,
    write_deal,
    write_start,
)
from bot.table.details import Details, KeptChoices
from bot.table.options import TableOptions
from bot.table.restore import restore_table
from bot.table.state import Lobby
from engine import CLOCK, DECK_SIZE, Match, Options, Pass, Phase
from engine.fair_deal import FairDeal
from tests.bot.asking import played
from tests.bot.games import MATCHES, batches, log_of
from tests.bot.states import CHANNEL, GUILD, HOST, NOON
from tests.campaign import SOAK

OPTIONS = Options(target=300)


@cache
def log() -> tuple[ActionRecord, ...]:
    return tuple(log_of(6))


def changed(place: int, **values: object) -> list[ActionRecord]:
    """Return the log with other values in one record."""
    records = list(log())
    records[place] = records[place].model_copy(update=values)
    return records


@pytest.mark.slow
@pytest.mark.parametrize("seed, options", MATCHES)
def test_log_replays_to_the_same_match(seed: int, options: TableOptions) -> None:
    records: list[ActionRecord] = []
    match: Match | None = None
    rules = options.rules
    for _, at, change in batches(seed, options):
        for record in change.actions:
            match, _ = apply_record(match, rules, record.seat, record.text)
        records += change.actions
        assert match == at.match
    assert match is not None
    assert match.phase is Phase.MATCH_END
    assert replay(rules, records) == match


def test_empty_log_has_no_match() -> None:
    assert replay(OPTIONS, ()) is None


def test_actions_of_the_clock_have_no_seat() -> None:
    assert write_start(3) == "start:3"
    assert write_deal([0, 55]) == "deal:J2,DRAGON"
    assert [record.text.partition(":")[0] for record in log()[:2]] == ["start", "deal"]
    assert {record.seat for record in log()[:2]} == {CLOCK}


def refused(records: Sequence[ActionRecord]) -> int:
    """Return the record number at which a log is refused; check that no text leaks."""
    with pytest.raises(ReplayError) as error:
        replay(OPTIONS, records)
    told = "".join(traceback.format_exception(error.value))
    assert str(error.value) == (
        f"stored action {error.value.seq} does not follow from those before it"
    )
    text = next(record.text for record in records if record.seq == error.value.seq)
    cards = text.partition(":")[2]
    assert len(cards) < 2 or cards not in told
    return error.value.seq


def test_invalid_log_is_refused_with_the_record_number() -> None:
    texts = [record.text for record in log()]
    play = next(place for place, text in enumerate(texts) if text.startswith("play:"))
    gifts = next(place for place, text in enumerate(texts) if text.startswith("pass-cards:"))
    assert refused(changed(play, text="play:S8,DRAGON")) == play + 1
    assert refused(changed(play, text="play:XX")) == play + 1
    assert refused(changed(play, text="sing")) == play + 1
    assert refused(changed(play, seat=9)) == play + 1
    assert refused(changed(gifts, text="pass-cards:J2>nobody")) == gifts + 1
    assert refused(changed(1, text=texts[1].replace("DRAGON", "DOG"))) == 2
    assert refused(changed(1, text="deal:")) == 2
    assert refused(changed(0, text="start:x")) == 1
    assert refused(changed(0, text="start:4")) == 1
    assert refused(log()[1:]) == 2
    assert refused([*log(), log()[-1]]) == log()[-1].seq
    assert refused([*log()[:9], log()[0].model_copy(update={"seq": 10})]) == 10


FAIR = FairDeal(bytes(range(32)), 12, ((0, "one"), (3, "two")))


def fair_log() -> list[ActionRecord]:
    """Return a log with one deal from a secret, and the answers to the first question."""
    texts = ((CLOCK, write_start(2)), (CLOCK, write_deal(FAIR)), (0, "grand:no"), (1, "grand:yes"))
    return [
        ActionRecord(seq=seq, round=1, seat=seat, text=text, at=NOON)
        for seq, (seat, text) in enumerate(texts, start=1)
    ]


def test_deal_from_a_secret_is_written_and_read() -> None:
    text = write_deal(FAIR)
    assert text == f"deal:v1:{FAIR.secret.hex()}:12:0=6f6e65,3=74776f"
    assert read_deal(text.removeprefix("deal:")) == FAIR
    assert read_deal("J2,DRAGON") == [0, 55]


def test_deal_from_a_secret_gives_its_deck() -> None:
    deck = FAIR.deck(1, range(DECK_SIZE))
    written_out = changed_in(fair_log(), 1, text=write_deal(deck))
    assert replay(OPTIONS, fair_log()) == replay(OPTIONS, written_out)
    match = replay(OPTIONS, fair_log())
    assert match is not None
    assert match.round is not None
    assert match.round.opening.answers == (False, True, None, None)


def changed_in(records: list[ActionRecord], place: int, **values: object) -> list[ActionRecord]:
    """Return the records with other values in one of them."""
    return [
        *records[:place],
        records[place].model_copy(update=values),
        *records[place + 1 :],
    ]


def test_deck_of_a_secret_depends_on_the_round() -> None:
    round_number = FAIR.deck(2, range(DECK_SIZE))
    end = next(r.seq for r in log() if r.round == 2) - 1
    second = changed_in([*log()], end, text=write_deal(FAIR))[: end + 1]
    match, wanted = replay(OPTIONS, second), changed_in(second, end, text=write_deal(round_number))
    assert match == replay(OPTIONS, wanted)
    assert match is not None
    assert len(match.results) == 1


def test_invalid_secret_is_refused_without_its_text() -> None:
    text = write_deal(FAIR)
    for broken in (
        text[:-1],
        text.replace("v1", "v2"),
        text.replace(":12:", ":012:"),
        text + ",4=",
    ):
        assert refused(changed_in(fair_log(), 1, text=broken)) == 2


def test_damaged_log_never_raises_another_error() -> None:
    for seed in range(100 if SOAK else 40):
        damaged = damage(seed)
        with suppress(ReplayError):  # it may still be a game
            replay(OPTIONS, damaged)


def damage(seed: int) -> list[ActionRecord]:
    """Return a log with one random change."""
    chance = random.Random(seed)
    records = list(log()) if seed % 4 else fair_log()
    place = chance.randrange(len(records))
    kind = chance.randrange(5)
    if kind == 0:
        del records[place]
    elif kind == 1:
        records.insert(place, chance.choice(records))
    elif kind == 2:
        other = chance.randrange(len(records))
        records[place], records[other] = records[other], records[place]
    elif kind == 3:
        seat = chance.randrange(-1, 5)
        records[place] = records[place].model_copy(update={"seat": seat})
    else:
        text = list(records[place].text)
        text[chance.randrange(len(text))] = chance.choice(":,>=0123456789JSPTA ")
        records[place] = records[place].model_copy(update={"text": "".join(text)})
    return records


def record(**given: object) -> TableRecord:
    values: dict[str, object] = {
        "id": 3,
        "seq": len(log()),
        "version": 1,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "host_id": HOST,
        "options": TableOptions(rules=Options(target=300)).model_dump_json(),
        "details": Details(
            revision=Revision(7), kept=KeptChoices(premoves={2: Pass(2)})
        ).model_dump_json(),
        "created_at": NOON,
        "status": "playing",
        "ended_at": None,
        "seats": (SeatRecord(seat=2, user_id=UserId(9), name="Cleo", kind="person"),),
        "lobby_message_id": 4,
        "table_message_id": 5,
    }
    return TableRecord.model_validate(values | given)


def test_table_is_rebuilt_from_its_record_and_log() -> None:
    at = played(restore_table(record(), log()))
    assert at.match == replay(OPTIONS, log())
    assert (at.id, at.seq, at.revision, at.kept.premoves) == (3, len(log()), 7, {2: Pass(2)})
    assert [chair.kind for chair in at.chairs] == ["empty", "empty", "person", "empty"]
    assert at.seat_of(UserId(9)) == 2
    assert (at.messages.lobby, at.messages.table) == (4, 5)
    assert isinstance(restore_table(record(status="lobby"), ()), Lobby)


def test_refuses_a_table_with_unknown_options_or_details() -> None:
    for given in (
        {"options": '{"target": 500}'},
        {"options": '{"rules": {"target": 120}}'},
        {"options": '{"rules": {"variant": "peking"}}'},
        {"options": "SECRET"},
        {"options": '{"rules": ["SECRET"]}'},
        {"options": '{"rules": {"target": 1000}, "SECRET": 1}'},
        {"details": '{"kept": {"premoves": {"1": ["SECRET"]}}}'},
        {"details": '{"kept": {"premoves": {"1": "SECRET"}}}'},
        {"details": '{"kept": {"premoves": "SECRET"}}'},
        {"details": '{"kept": {"premoves": 5}}'},
        {"details": '{"deal": {"sealed": "SECRET"}}'},
        {"details": '["SECRET"]'},
    ):
        with pytest.raises(ReplayError) as error:
            restore_table(record(**given), log())
        assert "SECRET" not in "".join(traceback.format_exception(error.value))
