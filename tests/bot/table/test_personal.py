"""Personal settings of players, as a table stores them by seat."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table.auto_pass import pause
from bot.table.commands import (
    AcceptSeat,
    Context,
    FollowSettings,
    LeaveToComputer,
    OfferSeat,
    Start,
    TakeOver,
)
from bot.table.details import Details, KeptChoices, Newcomer, SeatNotes
from bot.table.outcome import Outcome, write_details
from bot.table.quiet_hours import QuietHours
from bot.table.seats import seat_newcomers
from bot.table.state import Game
from engine import Phase
from tests.bot.asking import played
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.table_world import TableWorld
from tests.engine.positions import after, table

BEN, CLEO, EVE = UserId(HOST + 1), UserId(HOST + 2), UserId(777)
SEAL = {"sealed": "5e" * 32}
TURN = table("TURN B", trick="A S8", hands={"B": "S9 +4"})
OVER = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")

NOTHING = PersonalSettings(auto_pass=False)
PATIENT = PersonalSettings(more_time=True, cards="text", auto_pass=False)
BOTH = PersonalSettings(more_time=True, auto_pass=True)


def chosen(game: Game) -> tuple[set[int], set[int]]:
    """Return the seats with more time and those with automatic passes."""
    return set(game.notes.more_time), set(game.notes.auto_pass_always)


def followed(game: Game, user_id: UserId, settings: PersonalSettings) -> Outcome | None:
    """Return the outcome of a user's new settings."""
    return FollowSettings(settings).carry_out(game, user_id, Context(NOON, bytes))


def test_match_starts_with_the_settings_of_its_people() -> None:
    settings: dict[UserId, PersonalSettings] = {HOST: PATIENT, BEN: BOTH, CLEO: NOTHING, EVE: BOTH}
    nothing: dict[UserId, PersonalSettings] = {}
    for given, expected in ((settings, ({0, 1}, {1})), (nothing, (set(), set()))):
        context = Context(NOON, lambda: bytes(32), settings=given)
        at = played(Start().carry_out(state(details=SEAL), HOST, context).after)
        assert chosen(at) == expected


def test_people_pass_automatically_unless_they_have_switched_it_off() -> None:
    settings = {HOST: PersonalSettings(), BEN: NOTHING}
    context = Context(NOON, lambda: bytes(32), settings=settings)
    at = played(Start().carry_out(state(details=SEAL), HOST, context).after)
    assert at.notes.auto_pass_always == {0}


def test_new_player_brings_their_settings() -> None:
    context = Context(NOON, bytes, settings={EVE: BOTH})
    offered = state(TURN, details={"offers": {0: EVE}})
    accepted = AcceptSeat("Eve", 0).carry_out(offered, EVE, context).after
    assert chosen(played(accepted)) == ({0}, {0})
    between = state(OVER, chairs=chairs(computers=(1,)))
    taken = TakeOver("Eve", 1).carry_out(between, EVE, context).after
    assert chosen(played(taken)) == ({1}, {1})


def test_running_match_applies_new_settings() -> None:
    outcome = followed(state(TURN), BEN, BOTH)
    assert outcome is not None
    at, change, events = outcome
    assert chosen(played(at)) == ({1}, {1})
    assert change.details is not None
    assert Details.model_validate_json(change.details).notes == played(at).notes
    assert (change.actions, events) == ((), ())
    back = followed(played(at), BEN, NOTHING)
    assert back is not None
    assert played(back.after).notes == SeatNotes()
    unrelated = PersonalSettings(cards="text", auto_pass=False)
    assert followed(state(TURN), BEN, unrelated) is None


def test_table_stores_quiet_hours_of_its_people() -> None:
    night = PersonalSettings(zone="Asia/Tokyo", quiet=(1320, 420))
    hours = QuietHours("Asia/Tokyo", 1320, 420)
    context = Context(NOON, lambda: bytes(32), settings={BEN: night, EVE: night})
    at = played(Start().carry_out(state(details=SEAL), HOST, context).after)
    assert at.notes.quiet == {1: hours}
    assert Details.model_validate_json(write_details(at)).notes == at.notes
    offered = state(TURN, details={"offers": {1: EVE}}).with_notes(quiet={1: hours})
    left = LeaveToComputer().carry_out(offered, BEN, context).after
    assert played(left).notes.quiet == {}
    computers = state(TURN, chairs=chairs(computers=(1,)))
    coming = played(TakeOver("Eve", 1).carry_out(computers, EVE, context).after)
    seated = seat_newcomers(replace(coming, match=OVER), NOON)
    assert (seated.seat_of(EVE), seated.notes.quiet) == (1, {1: hours})
    outcome = followed(at, BEN, NOTHING)
    assert outcome is not None
    assert played(outcome.after).notes.quiet == {}


def test_closed_table_stores_no_personal_choices() -> None:
    hours = QuietHours("Asia/Tokyo", 1320, 420)
    eve = Newcomer(user_id=EVE, name="Eve", auto_pass=True, more_time=True, quiet=hours)
    at = state(TURN).with_notes(
        quiet={1: hours}, auto_pass_always=frozenset({1}), more_time=frozenset({2}), coming={3: eve}
    )
    at = at.with_kept(auto_pass=(1,), stays_in=(2,), gone_on="3")
    assert Details.model_validate_json(write_details(at)).notes == at.notes
    for status in ("finished", "stopped"):
        over = Details.model_validate_json(write_details(replace(at, status=status)))
        assert (over.notes, over.kept) == (SeatNotes(), KeptChoices())


def test_toggling_settings_gains_no_time() -> None:
    later = NOON + timedelta(seconds=5)
    at = state(TURN, details={"deadlines": {"turn": later, "nudge": NOON}})
    for settings in (BOTH, NOTHING, BOTH, NOTHING):
        outcome = followed(at, BEN, settings)
        assert outcome is not None
        at = played(outcome.after)
    assert at.timers.deadlines["turn"] == later


def test_player_on_turn_can_toggle_automatic_passes() -> None:
    nothing = table("TURN B", trick="A SK", hands={"B": "J2 J3 S4"})
    chosen_now = followed(state(nothing, details={"deadlines": {"turn": NOON}}), BEN, BOTH)
    assert chosen_now is not None
    at = played(chosen_now.after)
    assert at.timers.deadlines["auto_pass"] == NOON + pause(at)
    assert at.timers.deadlines["turn"] == NOON, "the limit of this turn stays"
    assert chosen_now.change.details is not None
    assert Details.model_validate_json(chosen_now.change.details).timers == at.timers
    back = followed(at, BEN, NOTHING)
    assert back is not None
    assert "auto_pass" not in played(back.after).timers.deadlines


async def test_settings_are_read_at_joining_and_survive_a_restart(
    tmp_path: Path,
) -> None:
    world = TableWorld(tmp_path)
    await world.open()
    for user, settings in ((HOST, NOTHING), (BEN, BOTH), (CLEO, NOTHING)):
        await world.store.personal_settings.choose(user, settings)
    at = await world.match()
    assert chosen(at) == ({1}, {1, 3}), "who has stored nothing passes automatically"
    await world.store.personal_settings.choose(EVE, PATIENT)
    await world.tables.execute(at.id, HOST, OfferSeat(EVE, "Eve"))
    await world.tables.execute(at.id, EVE, AcceptSeat("Eve", 0))
    await world.check_stored(at.id)
    await world.reopen()
    assert world.game(at.id).phase is Phase.GRAND
    assert chosen(world.game(at.id)) == ({0, 1}, {1, 3})
    await world.close()
