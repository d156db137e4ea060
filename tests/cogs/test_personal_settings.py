"""Personal settings in /tichu settings, and their effects."""

from __future__ import annotations

import pytest
from simcord import ResponseMessage

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.storage import StorageUnavailable
from bot.storage.personal_settings import PersonalSettingsStore
from bot.storage.tables import TableStore
from bot.table.auto_pass import LONGEST_PAUSE
from bot.table.state import trick_id
from bot.text.sentences import read_failed, write_failed
from cogs.delivery.message_languages import private_words
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.conftest import ErrorRecords
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import ARGUMENTS, VALUES, forge
from tests.cogs.table_play import HandPlayer, dealt, seat_all, seat_without_hands
from tests.cogs.test_settings import press, settings, switches, told
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import Person, fire_all, text

NOTHING = PersonalSettings()
FIRST = {"always-pass": "off", "more-time": "on"}
"""The value that a first press of each switch chooses."""
ACCURACY = {"show-accuracy": "on", "compare-accuracy": "on"}
"""The same of two switches of which the first enables the second."""


async def chosen(world: World, person: Person) -> PersonalSettings:
    """Return the stored settings of a user."""
    return await world.bot.store.personal_settings.get(UserId(person.id))


async def show_cards(person: Person, page: ResponseMessage, style: str) -> None:
    """Choose how the cards are shown."""
    select = switches(page)["card-style"]
    await person.member.select(page, [style], custom_id=select.custom_id)


async def sort(person: Person, page: ResponseMessage, sorting: str) -> None:
    """Choose the sorting of the hand."""
    select = switches(page)["sorting"]
    await person.member.select(page, [sorting], custom_id=select.custom_id)


def has_pictures(message: ResponseMessage) -> bool:
    """Return whether cards on this message are pictures."""
    return "<:" in text(message)


async def test_every_setting_survives_a_restart(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    shown = await settings(ada)
    for verb, first in (FIRST | ACCURACY).items():
        assert switches(shown)[verb].args == first
        await press(ada, shown, verb)
        assert switches(shown)[verb].args != first
    await sort(ada, shown, "combination")
    await show_cards(ada, shown, "text")
    everything = PersonalSettings(
        cards="text",
        sorting="combination",
        auto_pass=False,
        more_time=True,
        accuracy=True,
        accuracy_compared=True,
    )
    assert await chosen(world, ada) == everything
    await world.restart()
    assert await chosen(world, ada) == everything
    assert await chosen(world, ben) == NOTHING
    await press(ada, shown, "always-pass")
    assert await chosen(world, ada) == everything.model_copy(update={"auto_pass": True})


async def test_cards_as_text_apply_at_once_and_to_the_own_pages_only(world: World) -> None:
    ada, ben = await seat_all(world, world.people("Ada", "Ben"))
    assert has_pictures(ada.hand)
    shown = await settings(ada.person)
    await show_cards(ada.person, shown, "text")
    assert not has_pictures(ada.hand), "the open hand, too"
    await ada.open()
    assert not has_pictures(ada.hand)
    await ben.open()
    assert has_pictures(ben.hand)
    await fast_forward(world, reached(Phase.EXCHANGE))
    assert not has_pictures(ada.hand)
    await show_cards(ada.person, shown, "emojis")
    assert has_pictures(ada.hand)


async def test_first_page_after_a_restart_uses_the_settings(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"))
    await show_cards(ada.person, await settings(ada.person), "text")
    await world.restart()
    await ada.person.slash("tichu hand")
    assert not has_pictures(ada.person.latest_private())
    await world.restart()
    await ada.open()
    assert not has_pictures(ada.hand)


async def test_speaker_of_a_reader_has_their_sorting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = await seat_all(world, world.people("Ada"))
    await sort(ada.person, await settings(ada.person), "rank_high_first")
    sortings = []

    def noted(*given: object) -> object:
        words = private_words(*given)  # type: ignore[arg-type]
        sortings.append(words.sorting)
        return words

    monkeypatch.setattr("cogs.clicks.context.private_words", noted)
    await ada.open()
    assert set(sortings) == {"rank_high_first"}


def noted_of(world: World) -> tuple[set[str], set[str]]:
    """Return the names of players with automatic passes, and of those with more time."""
    game = world.game()
    always, more = game.notes.auto_pass_always, game.notes.more_time
    return {game.chairs[seat].name for seat in always}, {game.chairs[seat].name for seat in more}


async def test_match_starts_with_the_settings_of_its_players(world: World) -> None:
    ada, ben = world.people("Ada", "Ben")
    await press(ben, await settings(ben), "always-pass")
    await press(ada, await settings(ada), "more-time")
    await seat_without_hands(world, [ada, ben])
    assert noted_of(world) == ({"Ada"}, {"Ada"})
    await world.restart()
    assert noted_of(world) == ({"Ada"}, {"Ada"})


async def test_running_match_applies_new_settings_at_once(world: World) -> None:
    _, ben = await seat_all(world, world.people("Ada", "Ben"))
    seq = world.game().seq
    shown = await settings(ben.person)
    await press(ben.person, shown, "always-pass")
    await press(ben.person, shown, "more-time")
    assert noted_of(world) == ({"Ada"}, {"Ben"})
    await press(ben.person, shown, "always-pass")
    assert noted_of(world) == ({"Ada", "Ben"}, {"Ben"})
    assert world.game().seq == seq
    await world.check_replay()
    await world.leave_match(ben.person)
    assert noted_of(world) == ({"Ada"}, set())


async def test_automatic_pass_can_be_switched_off_and_on_at_the_own_turn(world: World) -> None:
    _, ben = await before_a_forced_pass(world)
    shown = await settings(ben.person)
    promised = ben.text()
    await press(ben.person, shown, "always-pass")
    asked = ben.text()
    assert promised != asked, "the hand says so at once"
    await press(ben.person, shown, "always-pass")
    assert ben.text() == promised
    assert world.game().round.turn == 1
    await world.to_next_deadline()
    assert world.game().round.turn == 2
    assert ben.text() != promised


async def test_player_stays_in_the_trick_with_one_tap(world: World) -> None:
    _, ben = await before_a_forced_pass(world)
    promised = ben.text()
    await ben.press_with(Verb.AUTO_PASS, f"off.{trick_id(world.game().round)}")
    assert ben.text() != promised
    assert ben.can(Verb.PASS)
    assert "auto_pass" not in world.game().timers.deadlines
    await world.env.advance_time(LONGEST_PAUSE + 1)
    assert world.game().round.turn == 1
    await ben.press(Verb.PASS)
    assert world.game().round.turn == 2


async def test_others_cannot_keep_a_player_in_the_trick(world: World) -> None:
    ada, ben = await before_a_forced_pass(world)
    (eve,) = world.people("Eve")
    stay = ben.control(Verb.AUTO_PASS).custom_id
    for person in (ada.person, eve):
        await forge(person, ben.hand, stay)
        assert world.game().kept.stays_in != (1,)


async def before_a_forced_pass(world: World) -> tuple[HandPlayer, HandPlayer]:
    """Return the player of an unbeatable Dragon, and the next one, whose turn it is."""
    ada, ben, *_ = await dealt(world, {0: "MAHJONG DRAGON J2 J3 J4 J5"})
    await ada.lay("DRAGON")
    await world.to_next_deadline()
    assert (world.game().phase, world.game().round.turn) == (Phase.TURN, 1)
    return ada, ben


async def test_failed_write_changes_nothing(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors.allow("database write error")
    ada, _ = await seat_all(world, world.people("Ada", "Ben"))
    shown = await settings(ada.person)

    async def locked(*_: object) -> None:
        raise StorageUnavailable("Error while saving a setting: it is locked.")

    with monkeypatch.context() as broken:
        broken.setattr(PersonalSettingsStore, "choose", locked)
        for verb, first in FIRST.items():
            button = switches(shown)[verb]
            result = await ada.person.member.click(shown, custom_id=button.custom_id)
            assert write_failed(SAY) in told(result)
            assert switches(shown)[verb].args == first
    assert await chosen(world, ada.person) == NOTHING
    assert noted_of(world) == ({"Ada", "Ben"}, set())
    assert has_pictures(ada.hand)
    await press(ada.person, shown, "always-pass")
    assert noted_of(world) == ({"Ben"}, set())


async def test_failure_to_update_a_table_keeps_the_setting(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The setting is stored and shown; the failure of the table is logged."""
    errors.allow("personal setting not applied")
    ada, _ = await seat_all(world, world.people("Ada", "Ben"))
    shown = await settings(ada.person)

    async def full(*_: object) -> None:
        raise StorageUnavailable("Error while saving the game: the disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(TableStore, "commit", full)
        await press(ada.person, shown, "always-pass")
    assert not (await chosen(world, ada.person)).auto_pass
    assert switches(shown)["always-pass"].args == "on"
    assert noted_of(world) == ({"Ada", "Ben"}, set())


async def test_handles_a_read_failure(
    world: World, errors: ErrorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages have default settings; a change is answered with the failure."""
    errors.allow("database read error")
    (ada,) = world.people("Ada")
    shown = await settings(ada)

    async def fails(*_: object, **__: object) -> PersonalSettings:
        raise StorageUnavailable("Error while reading the database: it is damaged.")

    with monkeypatch.context() as broken:
        broken.setattr(PersonalSettingsStore, "get", fails)
        button = switches(shown)["more-time"]
        result = await ada.member.click(shown, custom_id=button.custom_id)
        assert read_failed(SAY) in told(result)
        assert (await ada.slash("tichu rules")).response is not None
    assert await chosen(world, ada) == NOTHING


async def test_forged_switches_change_nothing(world: World, subtests: pytest.Subtests) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    shown = await settings(ada)
    for style in (*VALUES, "cards-as-text", "PICTURE"):
        with subtests.test(style=style):
            await forge(ada, shown, "s:card-style:", [style])
            assert await chosen(world, ada) == NOTHING
    for verb in FIRST | ACCURACY:
        with subtests.test(verb=verb):
            for argument in (argument for argument in ARGUMENTS if argument not in ("on", "off")):
                await forge(ada, shown, f"b:{verb}:{argument}")
            assert await chosen(world, ada) == NOTHING


async def test_forged_sorting_changes_nothing(world: World) -> None:
    (ada,) = world.people("Ada")
    for value in VALUES:
        await forge(ada, await settings(ada), "s:sorting:", [value])
    await forge(ada, await settings(ada), "b:sorting:dog_first")
    assert await chosen(world, ada) == NOTHING


async def test_two_concurrent_choices_both_count(world: World) -> None:
    (ada,) = await seat_all(world, world.people("Ada"))
    person = ada.person
    pages = [await settings(person), await settings(person)]
    clicks = (
        person.member.click(page, custom_id=switches(page)[verb].custom_id)
        for page, verb in zip(pages, ("always-pass", "more-time"), strict=True)
    )
    await fire_all(world.env, clicks)
    assert noted_of(world) == (set(), {"Ada"})
