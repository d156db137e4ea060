"""Puzzles by clicks: one answer counts, the next one comes, and they can be played out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.errors import Reason
from bot.ids import GuildId, UserId
from bot.puzzles.puzzle import Puzzle, load_puzzles
from bot.records import PersonalSettings, ServerSettings
from bot.score_records import Preferences, PuzzlePlayer
from bot.storage import StorageUnavailable
from bot.storage.people import PeopleStore
from bot.storage.puzzles import PuzzleStore
from bot.text import speech
from bot.text.sentences import write_failed
from cogs.pages.puzzles.page import PUZZLE_FILE
from cogs.pages.verbs import Verb
from engine import write_action, write_position
from tests.bot.forgotten_people import all_rows, traces
from tests.bot.pictures.painters import Ready
from tests.cogs.eyes import cards_in
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page, press
from tests.cogs.test_private_games import PrivatePlayer, current, play_to_end
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import (
    Person,
    find,
    fire_all,
    from_outside,
    has,
    line_with,
    messages,
    numbers,
    shown_files,
    text,
)


def asked(shown: ResponseMessage) -> Puzzle:
    """Return the puzzle that a page asks."""
    return load_puzzles()[find(shown, Verb.PUZZLE_ANSWER).args]


def right(puzzle: Puzzle) -> str:
    """Return the best choice of a puzzle, in notation."""
    return write_action(max(puzzle.advice, key=lambda advice: advice.points).action)


def wrong(puzzle: Puzzle) -> str:
    """Return the worst choice of a puzzle, in notation."""
    return write_action(min(puzzle.advice, key=lambda advice: advice.points).action)


async def begin(person: Person) -> ResponseMessage:
    """Open a puzzle."""
    return page(await person.slash("tichu puzzle"))


async def answer(person: Person, shown: ResponseMessage, *, solved: bool) -> ResponseMessage:
    """Answer a puzzle."""
    puzzle = asked(shown)
    choice = right(puzzle) if solved else wrong(puzzle)
    return page(await person.choose(Verb.PUZZLE_ANSWER, choice, on=shown))


async def player(world: World, person: Person) -> PuzzlePlayer | None:
    """Return the stored rating and streak of a person."""
    return await world.bot.store.puzzles.player(UserId(person.id))


def let_puzzles_be(monkeypatch: pytest.MonkeyPatch, puzzles: Mapping[str, Puzzle]) -> None:
    """Replace the data."""
    monkeypatch.setattr("cogs.clicks.puzzles.load_puzzles", lambda: puzzles)


async def test_right_and_wrong_answers_change_streak_and_rating(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    shown = await begin(ada)
    first = asked(shown)
    options = [option.value for option in find(shown, Verb.PUZZLE_ANSWER).options]
    assert sorted(options) == sorted(write_action(each.action) for each in first.advice)
    streaks, ratings, seen = [], [1500.0], set[str]()
    for solved in (True, True, False, True):
        seen.add(asked(shown).name)
        result = await answer(ada, shown, solved=solved)
        assert ("✅" in text(result), "❌" in text(result)) == (solved, not solved)
        assert not has(result, Verb.PUZZLE_ANSWER)
        now = await player(world, ada)
        assert now is not None
        streaks.append((now.streak, now.best_streak))
        assert (now.rating.mu > ratings[-1]) == solved
        ratings.append(now.rating.mu)
        assert round(now.rating.mu) in numbers(text(result).splitlines()[-1])
        shown = await press(ada, result, Verb.PUZZLE)
        assert shown.id == result.id
    assert streaks == [(1, 1), (2, 2), (0, 2), (1, 2)]
    assert len(seen | {asked(shown).name}) == 5
    assert messages(world.env, world.channel) == []


async def test_a_begun_puzzle_comes_again_also_after_a_restart(world: World) -> None:
    (ada,) = world.people("Ada")
    shown = await begin(ada)
    puzzle = asked(shown)
    assert asked(await begin(ada)) == puzzle
    await world.restart()
    assert asked(await begin(ada)) == puzzle
    await answer(ada, shown, solved=True)
    now = await player(world, ada)
    assert now is not None
    assert (now.tried, now.solved) == (1, 1)


async def test_one_answer_to_a_puzzle_counts(world: World) -> None:
    """Two clicks at once, and a click on another message with the same puzzle."""
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    old, shown = await begin(ada), await begin(ada)
    puzzle = asked(shown)
    select = find(shown, Verb.PUZZLE_ANSWER).custom_id
    choices = [wrong(puzzle), right(puzzle)]
    await fire_all(
        world.env, (ada.member.select(shown, [choice], custom_id=select) for choice in choices)
    )
    counted = await player(world, ada)
    assert counted is not None
    assert counted.tried == 1
    stored = await world.bot.store.puzzles.answer_to(UserId(ada.id), puzzle.name)
    assert stored is not None
    late = await answer(ada, old, solved=not stored.solved)
    assert ("✅" in text(late)) == stored.solved, "the first answer is shown"
    assert await player(world, ada) == counted


async def test_two_clicks_on_next_begin_one_puzzle(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    result = await answer(ada, await begin(ada), solved=True)
    button = find(result, Verb.PUZZLE).custom_id
    await fire_all(world.env, (ada.member.click(result, custom_id=button) for _ in range(2)))
    begun = await player(world, ada)
    assert begun is not None
    assert asked(result).name == begun.puzzle
    assert asked(await begin(ada)).name == begun.puzzle


async def test_forged_answers_do_not_count(world: World) -> None:
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    shown = await begin(ada)
    puzzle, gone = asked(shown), refusal(Reason.UNKNOWN_BUTTON)
    other = next(each for each in load_puzzles().values() if each.name != puzzle.name)
    before = await player(world, ada)
    for choice in ("pass-cards:S8>1", "stop", "", "x" * 100):
        forged = await forge(ada, shown, f"s:puzzle-answer:{puzzle.name}", [choice])
        assert text(page(forged)) == gone
    for verb in (Verb.PUZZLE_PLAY, Verb.PUZZLE_BACK):
        for name in (puzzle.name, other.name, "none"):
            assert text(page(await forge(ada, shown, f"b:{verb}:{name}"))) == gone
    asks = page(await forge(ada, shown, f"s:puzzle-answer:{other.name}", [right(other)]))
    assert asked(asks) == puzzle, "the own puzzle is shown instead"
    asks = page(await forge(ben, shown, f"s:puzzle-answer:{puzzle.name}", [right(puzzle)]))
    assert has(asks, Verb.PUZZLE_ANSWER)
    assert await player(world, ada) == before
    assert await world.bot.store.puzzles.answer_to(UserId(ben.id), puzzle.name) is None


async def test_puzzle_that_an_update_has_removed_is_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    answered = await answer(ada, await begin(ada), solved=True)
    old = page(await ada.slash("tichu puzzle"))
    removed = asked(old).name
    known = {name: each for name, each in load_puzzles().items() if name != removed}
    let_puzzles_be(monkeypatch, known)
    shown = await answer(ada, old, solved=True)
    assert asked(shown).name in known
    now = await player(world, ada)
    assert now is not None
    assert now.tried == 1
    let_puzzles_be(monkeypatch, {asked(shown).name: asked(shown)})
    refused = page(await ada.press(Verb.PUZZLE_PLAY, on=answered))
    assert text(refused) == refusal(Reason.UNKNOWN_BUTTON)


async def test_answered_puzzles_come_again_after_all_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.let_people_hurry()
    few = dict(list(load_puzzles().items())[:4])
    let_puzzles_be(monkeypatch, few)
    (ada,) = world.people("Ada")
    shown, order, notes = await begin(ada), [], []
    rating = 0.0
    for number in range(8):
        order.append(asked(shown).name)
        notes.append(SAY("You've been through all puzzles, so they come again.") in text(shown))
        result = await answer(ada, shown, solved=number % 2 == 0)
        now = await player(world, ada)
        assert now is not None
        if number >= len(few):
            assert now.rating.mu == rating, "repeated puzzles change no rating"
        rating = now.rating.mu
        shown = await press(ada, result, Verb.PUZZLE)
    assert set(order[:4]) == set(order[4:]) == set(few)
    assert notes == [False] * 4 + [True] * 4


async def test_is_played_out_in_private_and_nothing_counts(world: World, tmp_path: Path) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    shown = await begin(ada)
    puzzle = asked(shown)
    result = await answer(ada, shown, solved=False)
    before = all_rows(tmp_path / "tichu.db")
    hand = PrivatePlayer(world, ada, 1)
    hand.hand = await press(ada, result, Verb.PUZZLE_PLAY)
    game = current(world)
    assert write_position(game.match) == write_position(puzzle.match)
    assert game.seat_of(UserId(ada.id)) == puzzle.seat
    assert game.options.computers == "expert"
    await play_to_end(world, hand)
    again = await press(ada, hand.hand, Verb.PUZZLE_PLAY)
    assert write_position(current(world).match) == write_position(puzzle.match)
    back = await press(ada, again, Verb.PUZZLE_BACK)
    assert "❌" in text(back)
    assert has(back, Verb.PUZZLE)
    assert world.bot.tables.find(current(world).id) is None
    assert all_rows(tmp_path / "tichu.db") == before
    assert messages(world.env, world.channel) == []


async def test_playing_out_ends_with_a_restart_and_begins_again(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    hand = await press(ada, await answer(ada, await begin(ada), solved=True), Verb.PUZZLE_PLAY)
    position = write_position(current(world).match)
    await world.restart()
    world.let_people_hurry()
    await press(ada, hand, Verb.PUZZLE_PLAY)
    assert write_position(current(world).match) == position


async def test_is_erased_with_its_person(world: World) -> None:
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    for person in (ada, ben):
        shown = await press(
            person, await answer(person, await begin(person), solved=True), Verb.PUZZLE
        )
        assert has(shown, Verb.PUZZLE_ANSWER)
    await press(ada, page(await ada.slash("tichu settings")), Verb.FORGET_ME)
    await ada.press(Verb.FORGET_ME_NOW)
    file = world.bot.settings.database_file
    assert file is not None
    assert traces(file, ada.id, "Ada") == []
    assert await player(world, ada) is None
    other = await player(world, ben)
    assert other is not None
    assert other.tried == 1


async def test_nothing_is_stored_during_an_erasure(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = world.people("Ada")
    shown = await begin(ada)
    erase, may_end = PeopleStore.forget, asyncio.Event()

    async def erase_later(*args: Any) -> object:
        await from_outside(may_end.wait(), "the end of the erasure")
        return await erase(*args)

    monkeypatch.setattr(PeopleStore, "forget", erase_later)
    await press(ada, page(await ada.slash("tichu settings")), Verb.FORGET_ME)
    await ada.press(Verb.FORGET_ME_NOW)
    assert text(await begin(ada)) == refusal(Reason.BEING_FORGOTTEN)
    assert text(await answer(ada, shown, solved=True)) == refusal(Reason.BEING_FORGOTTEN)
    may_end.set()
    await world.env.settle()
    assert await player(world, ada) is None


async def test_failed_writes_are_answered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (ada,) = world.people("Ada")
    shown = await begin(ada)
    before = text(shown)

    async def fail(*_: object, **__: object) -> None:
        raise StorageUnavailable("locked")

    monkeypatch.setattr(PuzzleStore, "answer", fail)
    assert text(await answer(ada, shown, solved=True)) == write_failed(SAY)
    assert text(shown) == before


async def test_reader_of_text_gets_the_hand_in_words(tmp_path: Path) -> None:
    async with a_world(tmp_path, hands=Ready()) as world:
        ada, ben = world.people("Ada", "Ben")
        chosen = PersonalSettings(cards="text")
        await world.bot.store.personal_settings.choose(UserId(ben.id), chosen)
        pictured, read = await begin(ada), await begin(ben)
        assert shown_files(pictured) == [PUZZLE_FILE]
        assert shown_files(read) == []
        puzzle = asked(read)
        assert puzzle.match.round is not None
        hand = puzzle.match.round.hands[puzzle.seat].cards
        assert {1 << card for card in cards_in(text(read))} >= {
            1 << card for card in range(56) if hand >> card & 1
        }
        assert shown_files(await answer(ada, pictured, solved=True)) == [PUZZLE_FILE]
        assert shown_files(await answer(ben, read, solved=True)) == []
        settings = world.bot.store.server_settings
        await settings.choose(GuildId(world.guild.id), ServerSettings(pictures=False))
        assert shown_files(await begin(ada)) == []


@pytest.mark.parametrize("language", ["de", "uk"])
async def test_speaks_the_language_of_its_reader(world: World, language: str) -> None:
    (ada,) = world.people("Ada")
    chosen = PersonalSettings(language=language)
    await world.bot.store.personal_settings.choose(UserId(ada.id), chosen)
    say, shown = speech(language), await begin(ada)
    assert find(shown, Verb.PUZZLE_ANSWER).label == say("What do you do?") != "What do you do?"
    assert say("**Right!**") in text(await answer(ada, shown, solved=True))


async def test_profile_shows_the_results_of_puzzles(world: World) -> None:
    world.let_people_hurry()
    ada, ben = world.people("Ada", "Ben")
    assert "🧩" not in text(page(await ada.slash("tichu profile")))
    shown = await begin(ada)
    assert "🧩" not in text(page(await ada.slash("tichu profile"))), "nothing is answered yet"
    for solved in (True, True, False):
        shown = await press(ada, await answer(ada, shown, solved=solved), Verb.PUZZLE)
    now = await player(world, ada)
    assert now is not None
    for person in (ada, ben):
        seen = page(await person.slash("tichu profile", player=ada.member))
        assert numbers(line_with(seen, "Puzzles:")) == [round(now.rating.mu), 2, 3, 2]
    hidden = Preferences(hidden=True)
    await world.bot.store.preferences.choose(UserId(ada.id), hidden)
    refused = page(await ben.slash("tichu profile", player=ada.member))
    assert text(refused) == refusal(Reason.PROFILE_HIDDEN)
