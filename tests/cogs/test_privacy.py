"""Hidden cards never leak: not in messages, controls, refusals, errors or logs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pytest
from simcord import ResponseMessage

from bot.ids import UserId
from bot.records import Change
from bot.runtime.logs import set_up_logging
from bot.storage import StorageUnavailable
from bot.storage.tables import TableStore
from bot.table.state import Game
from bot.text.sentences import apology
from cogs.pages.verbs import Verb
from engine import Match, Phase, read_card, read_cards
from tests.campaign import SOAK
from tests.cogs.conftest import ErrorRecords
from tests.cogs.eyes import Eyes, LogEyes, cards_in
from tests.cogs.fast_forward import begin_by_clicks, fast_forward, reached, tricks
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, open_again, play_on, seat_all
from tests.cogs.test_races import Burst
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import fire_all, text


class Watched(NamedTuple):
    """Inspectors of all output of the bot."""

    requests: Eyes
    log: LogEyes


@pytest.fixture
def watched(world: World) -> Iterator[Watched]:
    """Inspect all requests and the whole log (at DEBUG, with the bot's setup) of the world."""
    root = logging.getLogger()
    known = [root, *map(logging.getLogger, list(root.manager.loggerDict))]
    levels, handlers = [(logger, logger.level) for logger in known], list(root.handlers)
    watched = Watched(Eyes(world), LogEyes(world))
    logging.getLogger("simcord").setLevel(logging.WARNING)  # SimCord
    set_up_logging("DEBUG", "text", secret="secret", stream=watched.log)
    for handler in handlers:
        root.addHandler(handler)
    yield watched
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
    for logger, level in levels:
        logger.setLevel(level)
    logging.captureWarnings(False)
    assert watched.requests.leaks == []
    assert watched.log.leaks == []


def shown(message: ResponseMessage) -> int:
    """Return the cards that a message shows, as a set."""
    return sum(1 << card for card in set(cards_in([message.content, message.components])))


ROUNDS = 2 if SOAK else 1
"""Number of rounds of the inspected match."""


def hand_of(world: World, player: HandPlayer) -> int:
    """Return the cards that a player holds."""
    state = world.game()
    seat = state.seat_of(UserId(player.person.id))
    assert seat is not None
    return state.round.hands[seat].cards


@pytest.mark.parametrize(
    "told",
    [
        "S8",
        "b:1:2:give:S8,-,-",
        "8⚔\ufe0e here",
        "<:sword_8:123>",
        "8 of swords",
        f"b:1:2:play:{1 << read_card('S8'):x}.5",
        {"custom_id": "s:1:2:bomb:", "options": [{"value": f"{1 << read_card('S8'):x}"}]},
        {"components": [{"emoji": {"name": "sword_8", "id": "1"}}]},
    ],
)
def test_finds_cards_in_every_form(told: object) -> None:
    assert list(cards_in(told)) == [read_card("S8")]


def test_finds_special_cards() -> None:
    four = set(cards_in("🐦 🐶 Phoenix <:dragon:5>"))
    assert sum(1 << card for card in four) == read_cards("MAHJONG DOG PHOENIX DRAGON")


async def test_nothing_leaks_in_a_match(world: World, watched: Watched) -> None:
    *people, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
    world.chance.bombs = True
    players = await seat_all(world, people, target=5000)
    for player in players:
        player.calls = 0.1
    for phase in (Phase.EXCHANGE, Phase.LEAD, Phase.WINDOW, Phase.TURN, Phase.ROUND_END) * ROUNDS:
        enough = tricks(2, world.game().match)
        await begin_by_clicks(world, players, reached(phase), clicks=enough)
        if phase is not Phase.ROUND_END:
            await eve.press(Verb.HAND, on=world.newest_with(Verb.HAND)[0])
            for verb in (Verb.LOG, Verb.LAST_TRICK, Verb.FAIR_DEAL, Verb.RULES):
                await eve.press(Verb.MORE)
                await eve.press(verb)
        await eve.slash("tichu hand")
        for player in players:
            hand = await player.open()
            assert shown(hand) & hand_of(world, player) == hand_of(world, player)
        assert watched.requests.leaks == []
        if phase is Phase.TURN:
            await world.restart()
            await open_again(players)
    assert {player.person.id for player in players} | {None} <= set(watched.requests.told)
    assert min(watched.requests.told[player.person.id] for player in players) > 250 * ROUNDS
    assert watched.requests.told.get(eve.id, 0) < 500  # only played cards, in the log
    assert "ready:" in watched.log.getvalue()


async def test_nothing_leaks_in_a_storm_of_clicks(world: World, watched: Watched) -> None:
    world.let_people_hurry()
    *people, eve = world.people("Ada", "Ben", "Cai", "Dan", "Eve")
    players = await seat_all(world, people)
    burst = Burst(world, players, eve, seed=5)
    world.repeats_answers = True  # a hand may be deleted before the answer to a click on it
    for phase in (Phase.GRAND, Phase.EXCHANGE, Phase.WINDOW, Phase.TURN):
        await play_on(world, players, lambda: world.game().phase is phase)  # noqa: B023
        await fire_all(world.env, burst.clicks(60 if SOAK else 25, forged=False))
        await open_again(players)


async def test_strangers_get_no_hand(world: World, watched: Watched) -> None:
    *people, eve = world.people("Ada", "Ben", "Eve")
    players = await seat_all(world, people)
    table, _ = world.newest_with(Verb.HAND)
    state = world.table()
    for custom_id in (
        f"b:{state.id}:{state.revision}:{verb}:" for verb in ("hand", "refresh", "tichu")
    ):
        for message in (table, players[0].hand):
            result = await forge(eve, message, custom_id)
            for answer in (result.response, *result.followups):
                if answer is not None and answer.id != message.id:
                    assert shown(answer) == 0
                    assert refusal("not-seated") in text(answer)
    result = await eve.slash("tichu hand")
    assert result.response is not None
    assert refusal("not-seated") in text(result.response)


async def test_nobody_gets_another_hand(world: World, watched: Watched) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.LEAD))
    hands = {player.name: hand_of(world, player) for player in players}
    for player in players:
        others = sum(cards for name, cards in hands.items() if name != player.name)
        own = hands[player.name]
        for asking in (player.person.press(Verb.HAND), player.person.slash("tichu hand")):
            page = (await asking).response
            assert page is not None
            assert shown(page) & own == own
            assert not shown(page) & others & ~watched.requests.secrets.hidden_from(None)


async def test_player_who_left_gets_nothing_more(world: World, watched: Watched) -> None:
    ada, ben, *_ = players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await fast_forward(world, reached(Phase.EXCHANGE), players=players)
    await world.leave_match(ben.person)
    assert shown(ben.hand) == 0, "their cards are gone from their screen"
    assert not ben.controls()
    begin = len(watched.requests.sent)
    rest = [player for player in players if player is not ben]
    enough = tricks(1, world.game().match)
    await begin_by_clicks(world, rest, reached(Phase.ROUND_END), clicks=enough)
    assert ben.person.id not in {sent.reader for sent in watched.requests.sent[begin:]}
    assert ada.person.id in {sent.reader for sent in watched.requests.sent[begin:]}
    for result in (await ben.person.press(Verb.MORE), await ben.person.slash("tichu hand")):
        assert result.response is not None
    state = world.table()
    result = await forge(ben.person, ben.hand, f"b:{state.id}:{state.revision}:refresh:")
    assert not any(shown(answer) for answer in result.followups)


async def test_failing_storage_leaks_nothing(
    world: World, watched: Watched, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("database write error")
    errors.allow("database unavailable")
    people = world.people("Ada", "Ben")
    players = await seat_all(world, people)
    await fast_forward(world, reached(Phase.LEAD))

    async def no_commit(self: TableStore, table_id: int, change: Change) -> None:
        raise StorageUnavailable("Error while saving the game: the disk is full.")

    world.repeats_answers = True  # a hand may be deleted before the answer to a click on it
    with monkeypatch.context() as broken:
        broken.setattr(TableStore, "commit", no_commit)
        await fire_all(world.env, Burst(world, players, people[0], 1).clicks(40, forged=False))
        await world.env.advance_time(100)
    await open_again(players)


def somebody_leads(game: Game, match: Match) -> bool:
    """Return whether a person is to lead in this match."""
    round_ = match.round
    return round_ is not None and round_.phase is Phase.LEAD and not game.computer(round_.turn)


async def test_unhandled_exceptions_leak_nothing(
    world: World, watched: Watched, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("unhandled exception")
    errors.allow("timer failed, retrying")
    players = await seat_all(world, world.people("Ada", "Ben"))
    await fast_forward(world, partial(somebody_leads, world.game()), players=players)
    with monkeypatch.context() as broken:
        broken.setattr("bot.table.batch.apply", lambda *args: 1 / 0)
        burst = Burst(world, players, players[0].person, 2)
        results = await fire_all(world.env, burst.clicks(40, forged=False))
        await world.env.advance_time(100)
    world.repeats_answers = True  # a hand may be deleted before the answer to a click on it
    answers = [result.response for result in results if result.response is not None]
    assert any(apology(SAY) in text(answer) for answer in answers)
    log = watched.log.getvalue()
    # A failure that repeats every few seconds is logged with its trace once.
    assert log.count("timer failed, retrying: ZeroDivisionError\n  File ") == 1
    world.check_answers()
