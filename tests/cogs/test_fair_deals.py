"""Verifiable deals at the table: commitments, words, secrets."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from functools import partial

import pytest
from simcord import InteractionResult

from bot.ids import UserId
from bot.runtime.logs import set_up_logging
from bot.table.dealing import next_commitment
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.history.verify import added_word_line
from cogs.pages.verbs import Verb
from engine import Match, Phase, card_text
from engine.fair_deal import LONGEST_WORD, FairDeal, clean_word, commitment
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, match_over, tricks
from tests.cogs.history_pages import page, round_and_table
from tests.cogs.table_play import open_again, open_hands, seat_all
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, Wire, deny, messages, newcomers, private, shown, text

DIGEST = re.compile(r"`([0-9a-f]{64})`")
LABEL = re.compile(r"\b([0-9a-f]{8})…")


def assert_public(result: InteractionResult) -> None:
    """Check that the answer is public."""
    assert result.response is not None
    assert not result.response.ephemeral


def digests(content: str) -> list[str]:
    """Return commitments and secrets in a text, in reading order."""
    return DIGEST.findall(content)


def labels(content: str) -> list[str]:
    """Return the beginnings of commitments in a public text, in reading order."""
    return LABEL.findall(content)


def public(world: World) -> list[str]:
    """Return all public texts of the channel, oldest first."""
    return [text(message) for message in messages(world.env, world.channel)]


def newest_result(world: World) -> str:
    """Return the newest result of a round, whose heading is larger than a table's."""
    return next(found for found in reversed(public(world)) if found.startswith("## "))


async def until(world: World, phase: Phase, number: int) -> Game:
    """Play to this phase of this round."""

    await fast_forward(world, partial(is_in, phase, number))
    return world.game()


def is_in(phase: Phase, number: int, match: Match) -> bool:
    """Return whether a match is in this phase of this round."""
    return match.phase is phase and match.round is not None and match.round.number == number


async def answer(person: Person, **options: object) -> str:
    """Return the answer of `/tichu verify`."""
    return private(await person.slash("tichu verify", **options))


async def test_everybody_can_verify_a_round(world: World) -> None:
    ada, ben, eve = world.people("Ada", "Ben", "Eve")
    words = Speaker(SAY, world.bot.art)
    await ada.slash("tichu new", computers=2, target=5000)
    (first,) = digests(await answer(eve))
    lobby, _ = world.newest_with(Verb.LEAVE)
    assert labels(text(lobby)) == []
    for person in (ada, eve):  # with controls for the host, as text for others
        options = await person.press(Verb.MORE, on=lobby)
        assert digests(private(options)) == []
        explained = await person.press(Verb.FAIR_DEAL, on=page(options))
        assert digests(private(explained)) == [first]
        back = await person.press(Verb.MORE, on=page(explained))
        assert text(page(back)) == text(page(options))

    told = private(await ben.slash("tichu shuffle", word="too early"))
    assert refusal("not-seated") in told
    await world.join(ben)
    for word in ("not this", "  a  *bold* word "):
        assert_public(await ben.slash("tichu shuffle", word=word))
    assert added_word_line(world.table(), UserId(ben.id), words) in public(world)
    assert [found for found in public(world) if "“a \\*bold\\* word”" in found]
    assert digests(await answer(eve)) == [first]
    assert "Ben said “a \\*bold\\* word”" in await answer(eve)
    await ada.press(Verb.START)
    await open_hands(world, [ada, ben])

    assert labels(text(world.newest_with(Verb.HAND)[0])) == [first[:8]]
    running = await answer(eve)
    following = digests(running)[1]
    assert digests(running) == [first, following]
    await eve.press(Verb.MORE)
    assert digests(private(await eve.press(Verb.FAIR_DEAL))) == [first, following]
    assert "✅" not in running, "its secret is not told yet"
    assert_public(await ada.slash("tichu shuffle", word="two"))
    assert added_word_line(world.table(), UserId(ada.id), words) in public(world)
    assert digests(await answer(eve)) == [first, following]
    assert refusal("not-seated") in private(await eve.slash("tichu shuffle", word="no"))

    await until(world, Phase.LEAD, 1)
    assert labels(text(world.newest_with(Verb.HAND)[0])) == [first[:8]], "nothing is played yet"
    await until(world, Phase.TURN, 1)
    assert labels(text(world.newest_with(Verb.HAND)[0])) == []
    await until(world, Phase.ROUND_END, 1)
    assert labels(newest_result(world)) == [first[:8]]
    await eve.press(Verb.MORE)
    _, secret, next_one = digests(private(await eve.press(Verb.FAIR_DEAL)))
    assert commitment(bytes.fromhex(secret)) == first
    assert next_one == following
    said = clean_word("  a  *bold* word ")
    seat = world.table().seat_of(UserId(ben.id))
    assert seat is not None
    deck = FairDeal(bytes.fromhex(secret), world.table().id, ((seat, said),))
    for asked in ({}, {"round": 1}, {"table": world.table().id}):
        proof = await answer(eve, **asked)
        assert digests(proof) == [first, secret, following]
        assert proof.count("✅") == 3
        assert "❌" not in proof
        assert "Ben said “a \\*bold\\* word”" in proof
        assert "Ada said “two”" in proof
        assert " ".join(map(card_text, deck.deck(1, range(56)))) in proof
        assert f"python -m bot verify {secret} --table {world.table().id} --round 1" in proof
        assert "--option target=5000 '--word=a *bold* word' --dealer" in proof

    await until(world, Phase.GRAND, 2)
    assert labels(newest_result(world)) == [first[:8]], "the countdown has gone, the label stays"
    assert labels(text(world.newest_with(Verb.HAND)[0])) == [following[:8]]
    proof = await answer(eve)
    assert round_and_table(proof) == [1, world.table().id]
    assert digests(proof)[:3] == [first, secret, following]
    assert secret not in await answer(eve, round=2)


async def test_reports_what_cannot_be_verified(world: World) -> None:
    ada, eve = world.people("Ada", "Eve")
    assert refusal("no-table-here") in await answer(eve)
    await ada.slash("tichu new", computers=3)
    assert refusal("no-such-round", number=1) in await answer(eve, round=1)
    assert refusal("no-such-table", number=77) in await answer(eve, table=77)
    await ada.press(Verb.START)
    assert refusal("no-such-round", number=2) in await answer(eve, round=2)
    elsewhere = world.env.create_guild("Other server")
    channel = elsewhere.create_text_channel("tichu")
    (stranger,) = newcomers(world.env, elsewhere, channel, "Fay")
    assert refusal("no-such-table", number=1) in await answer(stranger, table=1)
    assert refusal("word", limit=LONGEST_WORD) in private(
        await ada.slash("tichu shuffle", word="   ")
    )


async def test_only_users_who_see_the_channel_can_verify_its_table(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3)
    await ada.press(Verb.START)
    table = world.table().id
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    assert round_and_table(await answer(eve, table=table)) == [1, table]
    deny(world.env, world.channel, eve.id, "view_channel")
    assert refusal("no-such-table", number=table) in await answer(eve, table=table)
    elsewhere = Person(world.env, ada.member, hall)
    assert round_and_table(await answer(elsewhere, table=table)) == [1, table]
    deny(world.env, world.channel, eve.id)
    assert round_and_table(await answer(eve, table=table)) == [1, table]
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert refusal("no-such-table", number=table) in await answer(eve, table=table)


async def test_table_in_a_thread_is_shown_like_its_channel(world: World) -> None:
    (ada,) = world.people("Ada")
    await ada.slash("tichu new", computers=3, thread=True)
    (thread,) = world.channel.threads
    table = world.table(thread).id
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    to_come = [next_commitment(world.table(thread))]
    assert digests(await answer(eve, table=table)) == to_come
    deny(world.env, world.channel, eve.id, "view_channel")
    assert refusal("no-such-table", number=table) in await answer(eve, table=table)
    assert digests(await answer(Person(world.env, ada.member, thread), table=table)) == to_come


async def test_rounds_can_be_verified_after_the_match(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"), target=100)
    table_id = world.table().id
    await fast_forward(world, match_over)
    (label,) = labels(text(world.newest_with(Verb.REMATCH)[0]))
    proof = await answer(players[0].person)
    shown_commitment, secret = digests(proof)
    assert shown_commitment == commitment(bytes.fromhex(secret))
    assert shown_commitment[:8] == label
    first = await answer(players[0].person, round=1)
    assert first.count("✅") == 3
    await players[0].person.press(Verb.REMATCH)
    (fresh,) = digests(await answer(players[0].person))
    assert fresh != commitment(bytes.fromhex(secret))
    assert digests(await answer(players[0].person, table=table_id)) == digests(proof)


async def test_stopped_round_reveals_its_secret(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"))
    await until(world, Phase.EXCHANGE, 1)
    first, _ = digests(await answer(players[0].person))
    for player in players:
        await player.person.slash("tichu stop")
    (stopped,) = [found for found in public(world) if "🔓" in found]
    assert labels(stopped) == [first[:8]]
    proof = await answer(players[0].person)
    _, secret = digests(proof)
    assert digests(proof) == [first, secret]
    assert commitment(bytes.fromhex(secret)) == first
    assert "❌" not in proof


async def test_restart_keeps_the_commitments(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    await players[0].person.slash("tichu shuffle", word="kept")
    await until(world, Phase.EXCHANGE, 1)
    before = await answer(players[0].person)
    await world.restart()
    assert await answer(players[0].person) == before
    players = await open_hands(world, [player.person for player in players])
    await until(world, Phase.ROUND_END, 2)
    proof = await answer(players[0].person)
    assert digests(proof)[0] == digests(before)[1]
    assert "Ada said “kept”" in proof
    assert "❌" not in proof


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Yield the whole log of the bot at DEBUG, with its own setup."""
    root = logging.getLogger()
    known = [root, *map(logging.getLogger, list(root.manager.loggerDict))]
    levels, handlers = [(logger, logger.level) for logger in known], list(root.handlers)
    stream = io.StringIO()
    logging.getLogger("simcord").setLevel(logging.WARNING)  # SimCord
    set_up_logging("DEBUG", "text", secret="token", stream=stream)
    for handler in handlers:
        root.addHandler(handler)
    yield stream
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
    for logger, level in levels:
        logger.setLevel(level)
    logging.captureWarnings(False)


async def test_no_secret_is_revealed_before_its_round_is_over(
    world: World, log: io.StringIO
) -> None:
    wire = Wire(world.env)
    players = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    sealed = set[str]()

    def sent() -> str:
        return str([request.body for request in wire.sent])

    async def clicked(phase: Phase, number: int) -> Game:
        """Play by clicks for a trick of the first round each time, in a campaign always."""
        enough = tricks(number == 1, world.game().match)
        await begin_by_clicks(world, players, partial(is_in, phase, number), clicks=enough)
        return world.game()

    for number in (1, 2):
        asked_in: dict[Phase, dict[str, int]] = {
            Phase.EXCHANGE: {},
            Phase.LEAD: {"round": number},
            Phase.TURN: {"table": world.table().id},
        }
        for phase, asked in asked_in.items():
            state = await clicked(phase, number)
            sealed |= {state.deal.sealed, state.deal.dealt}
            await answer(players[0].person, **asked)
            await players[0].person.slash("tichu table")
            assert state.deal.sealed not in sent()
            assert state.deal.dealt not in sent()
        await world.restart()
        await open_again(players)
        state = await clicked(Phase.ROUND_END, number)
        assert state.deal.sealed not in sent()
        await answer(players[0].person)
        assert state.deal.dealt in sent()
    assert len(sealed) == 3
    assert {len(secret) for secret in sealed} == {64}
    assert [secret for secret in sealed if secret in log.getvalue()] == []
    assert "ready:" in log.getvalue()


async def test_shuffle_words_are_escaped(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    await ada.slash("tichu new")
    wire = Wire(world.env)
    for word in ("@everyone", "`x`", "<@1>", "**x**"):
        before = len(wire.sent)
        assert_public(await ada.slash("tichu shuffle", word=word))
        (said,) = [sent.body for sent in wire.sent[before:] if sent.path.endswith("/callback")]
        assert said["data"]["allowed_mentions"]["parse"] == []
        assert f"“{word}”" not in said["data"]["content"]
        unescaped = re.sub(r"\\(.)", r"\1", said["data"]["content"])
        assert shown(unescaped, "Ada") == ["Ada"]
        assert unescaped.count(f"“{word}”") == 1
        told = await answer(ada)
        assert f"“{word}”" not in told
        assert re.sub(r"\\(.)", r"\1", told).count(f"Ada said “{word}”") == 1
