"""Replays of finished rounds by clicks, and their files."""

from __future__ import annotations

import json
import random
import threading
from asyncio import to_thread

import pytest
from simcord import ResponseMessage

from bot.formats.bsw_check import check
from bot.formats.bsw_read import decode_log, read_log
from bot.formats.game import Game
from bot.formats.json_read import read_document
from bot.formats.json_rounds import write_document
from bot.ids import TableId, UserId
from bot.table.options import TableOptions
from bot.text.cards import Speaker
from bot.text.sentences import apology
from cogs.pages.history.page import match_page
from cogs.pages.names import plain_name
from cogs.pages.table.page import trick_end
from cogs.pages.table.score_lines import round_story, scores_table
from cogs.pages.verbs import Verb
from engine import Phase, card_text, indices
from tests.bot.games import MATCHES
from tests.campaign import SOAK, sample
from tests.cogs.conftest import ErrorRecords
from tests.cogs.eyes import cards_in
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import ARGUMENTS, VALUES, forge
from tests.cogs.history_pages import (
    a_match,
    choose,
    listed,
    page,
    press,
    round_and_table,
    said,
    stored_match,
)
from tests.cogs.table_play import play_on, seat_all, seat_without_hands
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import Person, controls, deny, find, newcomers, numbers, text, with_verb

GIVES = "→"
"""Sign between the giver and the receiver of cards in the exchange."""
VERBS = ("history", "match", "replay", "replay-round", "replay-view", "proof", "save")


def place(message: ResponseMessage) -> tuple[int, int]:
    """Return the shown move and the number of moves."""
    number, moves, *_ = numbers(text(message).splitlines()[1])  # after the game's name
    return int(number), int(moves)


def shown(message: ResponseMessage) -> set[int]:
    """Return all cards named on a page."""
    return set(cards_in(text(message)))


async def test_steps_through_a_round_move_by_move(world: World) -> None:
    world.let_people_hurry()
    world.chance.bombs = True  # so there are fewer moves
    players = await a_match(world, target=100)
    ada = players[0].person
    last = world.last_game()
    at = page(await ada.slash("tichu replay"))
    at = await press(ada, at, Verb.REPLAY, ".step")
    first, moves = place(at)
    assert first == 1
    assert not with_verb(at, Verb.REPLAY)[0].custom_id.endswith(("first", "back"))
    seen, steps = [text(at)], 1
    while place(at)[0] < moves:
        at = await press(ada, at, Verb.REPLAY, ".on")
        steps += 1
        assert place(at) == (steps, moves)
        seen.append(text(at))
    assert steps == moves
    assert len(set(seen)) == moves
    together = "\n".join(seen)
    for trick in last.match.round.past if last.match.round else ():
        for step in trick.steps:
            assert last.chairs[step.seat].name in together
    words = Speaker(SAY, world.bot.art)
    for trick in last.match.round.past if last.match.round else ():
        won = trick_end(last, trick.winner, trick.given_to, words)
        assert won.removesuffix(".") in together
    assert ". · " not in together
    assert round_story(last, last.match.results[-1], words) in seen[-1]
    assert scores_table(last, last.match.results[-1], words) in seen[-1]
    at = await press(ada, at, Verb.REPLAY, ".first")
    assert text(at) == seen[0]
    at = await press(ada, at, Verb.REPLAY, ".last")
    assert text(at) == seen[-1]
    at = await press(ada, at, Verb.REPLAY, ".back")
    assert text(at) == seen[-2]


async def test_steps_through_tricks_in_both_directions(world: World) -> None:
    """All hands are open until the reader hides them; the last play of each trick is shown."""
    world.let_people_hurry()
    last = await stored_match(world, 3)
    tricks = last.match.round.past if last.match.round else ()
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu replay"))
    assert len(shown(at)) == 32
    places, seen = [place(at)[0]], [text(at)]
    while places[-1] < place(at)[1]:
        at = await press(ada, at, Verb.REPLAY, ".on")
        places.append(place(at)[0])
        seen.append(text(at))
    assert len(places) in (len(tricks) + 2, len(tricks) + 3)
    assert seen[1].count(GIVES) == 4, "the exchange"
    words = Speaker(SAY, world.bot.art)
    for trick, told in zip(tricks[:-1], seen[2:], strict=False):
        (*_, play) = [step.combination for step in trick.steps if step.combination is not None]
        if card_text(next(indices(play.cards))) != "DOG":  # which leaves the table at once
            assert words.combination_cards(play) in told
    back: list[int] = []
    while not back or back[-1] > 1:
        at = await press(ada, at, Verb.REPLAY, ".back")
        back.append(place(at)[0])
    assert back[::-1] == places[:-1]
    at = await press(ada, at, Verb.REPLAY, ".step")
    while GIVES not in text(at):
        at = await press(ada, at, Verb.REPLAY, ".on")
    assert len(shown(at)) == 56
    assert text(at).count(GIVES) == 4
    at = await choose(ada, at, Verb.REPLAY_VIEW, "public")
    assert GIVES not in text(at)
    assert shown(at) == set()
    at = await choose(ada, at, Verb.REPLAY_VIEW, "2")
    assert len(shown(at)) == 14
    assert GIVES not in text(at)


async def test_every_step_of_a_replay_has_the_same_controls(world: World) -> None:
    """Repeated Next never hits another button."""
    world.let_people_hurry()
    await stored_match(world, 3)
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu replay"))
    verbs = [control.verb for control in controls(at)]
    while place(at)[0] < place(at)[1]:
        at = await press(ada, at, Verb.REPLAY, ".on")
        assert [control.verb for control in controls(at)] == verbs
    assert not with_verb(at, Verb.REPLAY_PLAY)


OTHERS = [(seed, options) for seed, options in MATCHES if options.variant != "nanjing"]


@pytest.mark.parametrize("seed, options", sample(OTHERS, 2))
async def test_steps_through_every_game(world: World, seed: int, options: TableOptions) -> None:
    world.let_people_hurry()
    last = await stored_match(world, seed, options)
    (ada,) = world.people("Ada")
    of_the_first: list[dict[str, int]] = [{"table": 1, "round": 1}] if SOAK else []
    for wanted in ({}, *of_the_first):  # by default the last round
        at = page(await ada.slash("tichu replay", **wanted))
        for _ in range(1000 if SOAK else 3):  # in a campaign all of it trick by trick
            if place(at)[0] < place(at)[1]:
                at = await press(ada, at, Verb.REPLAY, ".on")
        if place(at)[0] < place(at)[1]:
            at = await press(ada, at, Verb.REPLAY, ".last")
        assert place(at)[0] == place(at)[1]
        assert [option.value for option in find(at, Verb.SAVE).options] == [
            *("txt.round", "txt.match", "json.round", "json.match"),
        ]
    told = await said(ada, "replay")
    assert round_and_table(told)[0] == len(last.match.results)
    of_nobody = plain_name(last, len(last.chairs), Speaker(SAY, world.bot.art))
    assert (of_nobody in told) == (options.variant == "trichu")


async def file_of(person: Person, message: ResponseMessage, what: str) -> tuple[str, bytes]:
    """Return the name and content of a saved file."""
    answer = await choose(person, message, Verb.SAVE, what)
    assert answer.id != message.id
    (attached,) = answer.attachments
    return attached.filename, await attached.read()


async def test_saves_a_match_in_every_format(world: World) -> None:
    world.let_people_hurry()
    last = await stored_match(world, 3)
    (ada,) = world.people("Ada")
    match = last.match
    rounds = len(match.results)
    at = page(await ada.slash("tichu replay", round=1))

    name, content = await file_of(ada, at, "tch.match")
    assert name == "tichu-table-1.tch"
    checked = check(read_log(decode_log(content)))
    assert (checked.rounds, checked.good) == (rounds, rounds)
    name, content = await file_of(ada, at, "tch.round")
    assert name == "tichu-table-1-round-1.tch"
    assert check(read_log(decode_log(content))).rounds == 1
    assert read_log(decode_log(content)).rounds[0].names == [chair.name for chair in last.chairs]

    for what, number in (("json.round", 1), ("json.match", rounds)):
        name, content = await file_of(ada, at, what)
        told = json.loads(content)
        assert write_document(read_document(content)).encode() == content
        assert name.endswith(".json")
        assert [found["number"] for found in told["rounds"]] == list(range(1, number + 1))
        assert told["rounds"][0]["result"]["score"] == list(match.results[0].score)
    for what, number in (("txt.round", 1), ("txt.match", rounds)):
        name, content = await file_of(ada, at, what)
        lines = content.decode().split("\n")
        assert name.endswith(".txt")
        assert sum(line.startswith("round ") for line in lines) == number
        assert "seat 0 Ada" in lines


async def test_refuses_a_file_that_is_too_large_with_advice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu replay", round=1))
    before = text(at)
    _, content = await file_of(ada, at, "txt.match")
    monkeypatch.setattr("cogs.clicks.history.LARGEST_FILE", len(content))
    assert (await file_of(ada, at, "txt.match"))[1] == content
    monkeypatch.setattr("cogs.clicks.history.LARGEST_FILE", len(content) - 1)
    told = await choose(ada, at, Verb.SAVE, "txt.match")
    assert refusal("file-too-large") in told.content
    assert told.attachments == []
    assert text(at) == before
    name, _ = await file_of(ada, at, "txt.round")
    assert name == "tichu-table-1-round-1.txt"


async def test_files_are_written_beside_the_event_loop(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stored_match(world, 3)
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu replay", round=1))
    threads: list[threading.Thread] = []

    def watched(game: Game) -> str:
        threads.append(threading.current_thread())
        return write_document(game)

    monkeypatch.setattr("cogs.clicks.history.write_document", watched)
    monkeypatch.setattr("asyncio.to_thread", to_thread)  # the original
    await file_of(ada, at, "json.match")
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


async def test_no_file_without_a_finished_round(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    ada = players[0].person
    told = await forge(ada, players[0].hand, "s:1:0:save:1", ["json.match"])
    assert told.response is not None
    assert refusal("no-round-over") in told.response.content


async def test_every_round_names_its_players(world: World) -> None:
    world.let_people_hurry()
    ada, ben = await seat_all(world, world.people("Ada", "Ben"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    seat = world.table().seat_of(UserId(ben.person.id))
    await world.leave_match(ben.person)
    await play_on(world, [ada], lambda: world.game().phase is Phase.TURN)
    await fast_forward(world, reached(Phase.ROUND_END))
    assert seat is not None
    names = ["Ben", world.table().chairs[seat].name]
    files = []
    for number, name in enumerate(names, start=1):
        at = page(await ada.person.slash("tichu replay", round=number))
        at = await press(ada.person, at, Verb.REPLAY, ".last")
        assert name in text(at)
        logged = read_log(decode_log((await file_of(ada.person, at, "tch.round"))[1]))
        assert [found.names[seat or 0] for found in logged.rounds] == [name]
        files.append(await file_of(ada.person, at, "json.match"))
    told = json.loads(files[0][1])
    assert [round_["seats"][seat] for round_ in told["rounds"]] == names
    assert files[1] == files[0]


async def test_proof_is_linked_from_the_replay(world: World) -> None:
    world.let_people_hurry()
    ada = (await a_match(world, target=100))[0].person
    at = page(await ada.slash("tichu replay", round=1))
    assert "✅" in text(at)
    proof = await press(ada, at, Verb.PROOF)
    assert proof.id != at.id
    assert text(proof) == await said(ada, "verify", table=1, round=1)


async def test_running_match_shows_only_finished_rounds(world: World) -> None:
    players = await seat_without_hands(world, world.people("Ada", "Ben"), target=5000)
    ada = players[0].person
    assert refusal("nothing-played-here") in await said(ada, "replay")
    assert refusal("no-round-over") in await said(ada, "replay", table=1)
    for number in (1, 2):
        await fast_forward(world, reached(Phase.TURN))
        not_over = refusal("round-not-over", number=number)
        assert not_over in await said(ada, "replay", table=1, round=number)
        state = world.table()
        if number == 2:
            at = page(await ada.slash("tichu replay"))
            assert round_and_table(at) == [1, state.id]
            stored = await file_of(ada, at, "txt.match")
            assert stored[1].decode().count("\nround ") == 1
            assert state.deal.dealt not in stored[1].decode()
            rounds = await press(ada, at, Verb.MATCH)
            (unfinished,) = match_page(
                state, None, (), 0, Speaker(SAY, world.bot.art)
            ).to_components()
            assert unfinished["components"][0]["content"] in text(rounds)
            assert {"Ada", "Ben"} <= {*text(rounds).split()}, "who plays is shown"
            assert [option.value for option in find(rounds, Verb.REPLAY_ROUND).options] == ["1"]
            control_id = find(rounds, Verb.REPLAY_ROUND).custom_id
            told = await forge(ada, rounds, control_id, ["2"])
            assert told.response is not None
            assert not_over in told.response.content
        await fast_forward(world, reached(Phase.ROUND_END))
        assert round_and_table(await said(ada, "replay"))[0] == number


async def test_rounds_are_visible_to_viewers_of_the_channel(world: World) -> None:
    await stored_match(world, 3)
    (ada,) = world.people("Ada")
    hall = world.guild.create_text_channel("hall")
    (eve,) = world.people("Eve", channel=hall)
    at = page(await eve.slash("tichu replay", table=1))
    deny(world.env, world.channel, eve.id, "view_channel")
    assert refusal("no-such-table", number=1) in await said(eve, "replay", table=1)
    for verb, ending in ((Verb.REPLAY, ".last"), (Verb.PROOF, ""), (Verb.MATCH, "")):
        told = await eve.press(verb, ending, on=at)
        assert told.response is not None
        assert refusal("no-such-table", number=1) in told.response.content
    refused = await eve.choose(Verb.SAVE, "txt.match", on=at)
    assert refused.response is not None
    assert refusal("no-such-table", number=1) in refused.response.content
    assert refused.response.attachments == []
    assert round_and_table(await said(ada, "replay", table=1))[1] == 1
    elsewhere = world.env.create_guild("Other server")
    channel = elsewhere.create_text_channel("tichu")
    (stranger,) = newcomers(world.env, elsewhere, channel, "Fay")
    assert refusal("no-such-table", number=1) in await said(stranger, "replay", table=1)
    assert refusal("nothing-played-here") in await said(stranger, "replay")


async def test_refused_click_leaves_the_replay_unchanged(world: World) -> None:
    players = await seat_without_hands(world, world.people("Ada", "Ben"), target=5000)
    await fast_forward(world, reached(Phase.ROUND_END))
    ada = players[0].person
    at = page(await ada.slash("tichu replay"))
    before = text(at)
    told = await forge(ada, at, "b:1:0:replay:7.0.open.trick.on")
    assert told.response is not None
    assert told.response.id != at.id
    assert refusal("round-not-over", number=7) in told.response.content
    assert text(at) == before


async def test_forged_clicks_are_answered(world: World) -> None:
    world.let_people_hurry()
    await stored_match(world, 3)
    (ada,) = world.people("Ada")
    at = page(await ada.slash("tichu replay"))
    rng = random.Random(1)
    for wanted in VERBS:
        for _ in range(25 if SOAK else 10):
            ending = f"{rng.choice([0, 1, 99, 10**15 - 1])}:0:{wanted}:{rng.choice(ARGUMENTS)}"
            if rng.random() < 0.5:
                answer = await forge(ada, at, f"b:{ending}")
            else:
                answer = await forge(ada, at, f"s:{ending}", rng.choices(VALUES, k=1))
            assert answer.response is not None
            assert answer.response.ephemeral
            assert apology(SAY) not in text(answer.response)


async def test_reports_an_unreadable_log(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stored_match(world, 3)
    (ada,) = world.people("Ada")
    actions = await world.bot.store.tables.actions(TableId(1))
    spoilt = [*actions[:5], actions[5].model_copy(update={"text": "play:DRAGON"}), *actions[6:]]

    async def stored(table_id: int, after: int = 0) -> object:
        return spoilt

    monkeypatch.setattr(world.bot.store.tables, "actions", stored)
    errors.allow("table 1 is damaged: stored action 6")
    answer = await said(ada, "replay")
    (line,) = errors.records
    assert refusal("unreadable-log", number=1, error=vars(line)["error"]) in answer
    assert card_text(next(indices(1 << 55))) not in answer
    assert await listed(ada, which="channel") == [1]
