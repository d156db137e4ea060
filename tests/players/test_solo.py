"""The computers of boards: who decides when, and choices that depend on nothing else."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random

import pytest

from bench.daily import PlayedBoard, digest, play_board, random_person, seed_of
from bench.redealing import redeal
from bench.rounds import END_PHASES, random_gifts
from engine import (
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CloseWindow,
    Match,
    PassCards,
    Phase,
    Seat,
    Waive,
    apply,
    can,
    read_action,
    view,
    write_action,
)
from players import solo
from players.boards import PERSON, VERSION
from players.levels import solo_actions, solo_expert_action
from players.solo import computer_choice, play_on
from tests.campaign import SOAK
from tests.players.novice.table import position

NUMBERS = (32, *range(37, 42))
"""Numbers of the boards.

In the first one a custom decides; in the last ones the person is dealt bombs.
"""
DIGESTS = {
    1: "5f07244c49a29b20c0733ab23b791c0d1556b133e742a8a3ce45b62f37dd3306",
    2: "dfc31c90e3e8adcd0db1a289d06c843d92c51d60b3ac6ab228a911be11cd841a",
}
"""Digest of these boards by version, which never changes once the version is released."""
SEED = b"seed"
BOMB = "J7 S7 P7 T7"


@pytest.fixture(scope="module")
def boards() -> list[PlayedBoard]:
    """Boards of random people."""
    return [play_board(number, random_person(f"test {number}")) for number in NUMBERS]


def steps(played: PlayedBoard) -> Iterator[tuple[Match, Action]]:
    """Yield each position of a board with the next action."""
    match = played.dealt
    for action in played.actions:
        yield match, action
        match, _ = apply(match, action)


def after(match: Match, *actions: Action) -> Match:
    for action in actions:
        match, _ = apply(match, action)
    return match


def test_other_choices_have_another_version(boards: list[PlayedBoard]) -> None:
    found = digest([played.line for played in boards])
    assert DIGESTS.get(VERSION) == found, (
        "The computers of boards choose otherwise than in the released version: raise "
        f"players.boards.VERSION and store the digest {found} in DIGESTS of this test."
    )


def test_each_position_is_a_decision_of_the_person_or_the_end(boards: list[PlayedBoard]) -> None:
    kinds = set()
    for number, played in zip(NUMBERS, boards, strict=True):
        assert played.match.phase in END_PHASES
        assert play_on(played.match, seed_of(number)) == ()
        for match, action in steps(played):
            assert can(match, action)
            if action.seat == PERSON:
                kinds.add(type(action).__name__)
                assert not (match.phase in WINDOW_PHASES and view(match, None).top_seat == PERSON)
    assert kinds >= {"AnswerGrand", "PassCards", "Play", "Pass", "Bomb", "GiveTrick"}


@pytest.mark.parametrize("place", range(len(NUMBERS)) if SOAK else [-2, -1])
def test_the_same_choices_from_a_stored_list(boards: list[PlayedBoard], place: int) -> None:
    """As after a restart: from texts, in another process, and asked one more time."""
    played, seed = boards[place], seed_of(NUMBERS[place])
    stored = [(action.seat, write_action(action)) for action in played.actions]
    match, done = played.dealt, 0
    while done < len(stored):
        copied: Match = pickle.loads(pickle.dumps(match))
        answers = solo_actions(copied, seed)
        texts = [(action.seat, write_action(action)) for action in answers]
        assert texts == stored[done : done + len(texts)]
        match = after(match, *answers)
        assert play_on(match, seed) == ()
        done += len(texts)
        if done < len(stored):
            match = after(match, read_action(*stored[done]))
            done += 1
    assert match == played.match


def test_hidden_cards_do_not_matter(boards: list[PlayedBoard]) -> None:
    rng, phases = Random(1), set()
    for number, played in list(zip(NUMBERS, boards, strict=True))[:: 1 if SOAK else 5]:
        for match, action in steps(played):
            if action.seat in (1, 2, 3):
                redealt = redeal(match, {action.seat}, rng)
                assert computer_choice(view(redealt, action.seat), seed_of(number)) == action
                phases.add(match.phase)
    assert phases >= {Phase.GRAND, Phase.EXCHANGE, Phase.LEAD, Phase.TURN}


def test_sealed_choices_of_the_person_do_not_matter(boards: list[PlayedBoard]) -> None:
    dealt, seed = boards[0].dealt, seed_of(NUMBERS[0])
    answers = play_on(dealt, seed)
    assert answers == boards[0].actions[:3]
    for call in (False, True):
        found = play_on(after(dealt, AnswerGrand(PERSON, call)), seed)
        assert found[:3] == answers
    match = after(dealt, *answers, AnswerGrand(PERSON, False))
    gifts = play_on(match, seed)
    assert [type(action) for action in gifts] == [PassCards] * 3
    for number in range(2):
        own = random_gifts(view(match, PERSON), PERSON, Random(number))
        assert play_on(after(match, own), seed)[:3] == gifts


def window(bomber: Seat, top: str) -> Match:
    return position("WINDOW 3", BOMB + " J2", top, {1: 5, 2: 5, 3: 5}, seat=bomber)


def test_a_window_waits_for_the_person_with_a_bomb() -> None:
    match = window(PERSON, "2 S10")
    assert play_on(match, SEED) == ()
    for action in (Waive(PERSON), Bomb(PERSON, view(match, PERSON).bombs[0].cards)):
        assert play_on(after(match, action), SEED)[0] == CloseWindow()


@pytest.mark.parametrize("bomber, top", [(PERSON, "0 S10"), (PERSON, "2 S3"), (1, "3 S10")])
def test_a_window_does_not_wait_for_others(bomber: Seat, top: str) -> None:
    """Neither for a bomb on the person's own play nor without one that may be thrown."""
    match = window(bomber, top)
    if top == "2 S3":
        match = position("WINDOW 3", "J2 S2 P2 T2 J3", "2 S8,P8,T8,J8", seat=PERSON)
    assert play_on(match, SEED)[0] == CloseWindow()


def test_a_computer_bombs_before_the_person_is_asked() -> None:
    match = position(
        "WINDOW 0",
        BOMB,
        "3 TA",
        {2: 3, 3: 2},
        ["hand 1 J9 S9 P9 T9", "started 0 1 2 3"],
        seat=PERSON,
    )
    assert play_on(match, SEED)[:2] == (
        Bomb(1, view(match, 1).bombs[0].cards),
        CloseWindow(),
    )


def test_computers_withdraw_the_later_call_of_a_team(
    boards: list[PlayedBoard], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solo, "_call_pays", lambda *_: True)
    match = boards[0].dealt
    match = after(match, *play_on(match, SEED), AnswerGrand(PERSON, True))
    asked = view(match, None).asked
    assert asked.bit_count() == 2
    answers = [action for action in play_on(match, SEED) if isinstance(action, AnswerWithdraw)]
    assert answers == [AnswerWithdraw(seat, True) for seat in (1, 2, 3) if asked >> seat & 1]


def test_an_early_end_returns_the_first_actions(boards: list[PlayedBoard]) -> None:
    answers = iter([False, False, True])
    assert (
        play_on(boards[0].dealt, seed_of(NUMBERS[0]), lambda: next(answers))
        == boards[0].actions[:2]
    )


def test_an_expert_plays_a_whole_round(
    boards: list[PlayedBoard], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solo, "_EXPERT_PLAYOUTS", 5)
    match = boards[0].dealt
    while match.phase not in END_PHASES:
        match = after(match, *play_on(match, SEED))
        if match.phase not in END_PHASES:
            action = solo_expert_action(match, SEED)
            assert action == solo_expert_action(match, SEED)
            match = after(match, action)
