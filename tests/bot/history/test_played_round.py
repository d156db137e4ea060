"""Finished rounds as positions: complete, in order, and without the running round."""

from __future__ import annotations

import pytest

from bot.history.played_round import PlayedRound, played_rounds
from bot.table.action_log import ReplayError
from engine import (
    VARIANTS,
    CardsPassed,
    DragonGiven,
    Phase,
    Played,
    RoundDealt,
    RoundEnded,
    TrickTaken,
    apply,
    read_action,
    write_position,
)
from tests.bot.stored_rounds import rounds_of, stored, walked
from tests.campaign import sample


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_each_round_begins_with_its_deal_and_ends_with_its_result(variant: str, seed: int) -> None:
    options, walk = walked(seed, 3, variant)
    found = list(played_rounds(options, stored(walk)))
    assert [played.result for played in found] == list(walk.match.results)
    for number, played in enumerate(found, start=1):
        assert played.number == number
        assert isinstance(played.positions[0].events[0], RoundDealt)
        ends = [any(isinstance(e, RoundEnded) for e in at.events) for at in played.positions]
        assert ends == [False] * (len(ends) - 1) + [True]
        match = played.dealt
        for action in played.actions[1:]:
            match, _ = apply(match, read_action(action.seat, action.text))
        assert write_position(match) == write_position(played.positions[-1].match)


def test_running_round_is_not_shown() -> None:
    options, walk = walked(5, 2)
    actions = stored(walk)
    for stored_so_far, finished in ((actions, [1, 2]), (actions[:-1], [1]), ([], [])):
        assert [played.number for played in played_rounds(options, stored_so_far)] == finished


def test_sealed_answers_and_waived_bombs_have_no_position() -> None:
    _, rounds = rounds_of(5, 1)
    (played,) = rounds
    seen = [position.match.phase for position in played.positions]
    assert seen.count(Phase.GRAND) == 1
    assert len(played.positions) < len(played.actions)
    assert all(position.events for position in played.positions)


def test_illegal_action_is_reported_by_its_number_alone() -> None:
    options, walk = walked(5, 1)
    actions = stored(walk)
    strange = actions[20].model_copy(update={"seat": 0, "text": "play:DRAGON,PHOENIX"})
    with pytest.raises(ReplayError, match="stored action 21 ") as raised:
        list(played_rounds(options, [*actions[:20], strange]))
    assert "DRAGON" not in str(raised.value)


def by_tricks(played: PlayedRound) -> list[int]:
    """Return the positions reached trick by trick from the beginning to the end."""
    places = [0]
    while places[-1] < len(played.positions) - 1:
        places.append(played.stop_after(places[-1]))
    return places


@pytest.mark.parametrize("seed", range(5))
def test_steps_through_tricks_in_both_directions(seed: int) -> None:
    _, rounds = rounds_of(seed, 2)
    for played in rounds:
        places = by_tricks(played)
        assert places == sorted(set(places))
        assert tuple(places) == played.stops
        assert set(played.stops) >= set(played.trick_ends)
        for place in played.trick_ends[:-1]:
            assert played.positions[place + 1].tricks == played.positions[place].tricks + 1 or any(
                isinstance(event, Played) for event in played.positions[place].events
            )
        ranges = [played.step_until(place) for place in places]
        assert [place for tricks in ranges for place in tricks] == list(
            range(len(played.positions))
        )
        assert all(played.step_until(place) == tricks for tricks in ranges for place in tricks)
        back = [places[-1]]
        while back[-1]:
            back.append(played.stop_before(back[-1]))
        assert set(back[1:]) == set(places[:-1])
        assert played.stop_after(places[-1]) == places[-1]
        assert played.stop_before(0) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_event_belongs_to_one_step_and_every_trick_ends_in_its_own(variant: str) -> None:
    options, walk = walked(2, 3, variant)
    for played in played_rounds(options, stored(walk)):
        steps = [played.step_events(place, by_trick=True) for place in by_tricks(played)]
        everything = [event for position in played.positions for event in position.events]
        assert [event for step in steps for event in step] == everything
        for step in steps:
            kinds = [type(event) for event in step]
            assert kinds.count(TrickTaken) + kinds.count(DragonGiven) <= 1
            assert not {TrickTaken, DragonGiven} & {*kinds} or Played in kinds
            assert not (CardsPassed in kinds and Played in kinds)
        ends = [event for event in everything if isinstance(event, Played)]
        (last,) = [n for n, at in enumerate(played.positions) if ends[-1] in at.events]
        assert played.trick_at(len(played.positions) - 1) == played.trick_at(last)


def test_finds_the_last_position_after_a_number_of_actions() -> None:
    _, (played,) = rounds_of(5, 1)
    match, places = played.dealt, [0]
    for action in played.actions[1:]:
        match, events = apply(match, read_action(action.seat, action.text))
        places.append(places[-1] + bool(events))
    assert [played.place_after(count) for count in range(len(places))] == places
    assert places[-1] == len(played.positions) - 1
